//! The pure built-in functions, which only compute a value from their arguments.
//!
//! Each submodule has a table of its functions. Results and error reasons are those of OTP 25;
//! `changes` has the functions whose results differ in later releases.
//!
//! There are two deliberate differences. `0.0` and `-0.0` are not `=:=`, as since OTP 27. And maps
//! with more than 32 keys are iterated in the order of their keys. The real machine uses a hash
//! that depends on the numbers of atoms, and so on the history of the node.

macro_rules! call {
    (0, $function:expr) => {
        |_| $function()
    };
    (1, $function:expr) => {
        |args| $function(&args[0])
    };
    (2, $function:expr) => {
        |args| $function(&args[0], &args[1])
    };
    (3, $function:expr) => {
        |args| $function(&args[0], &args[1], &args[2])
    };
}

/// Defines the table of a submodule: functions by module, name and arity.
macro_rules! table {
    ($($module:literal { $($name:literal / $arity:tt => $function:expr,)* })*) => {
        pub(super) const TABLE: &[$crate::bif::Entry] = &[$($(
            $crate::bif::Entry {
                module: $module,
                name: $name,
                arity: $arity,
                native: call!($arity, $function),
            },
        )*)*];
    };
}

pub mod arith;
mod binaries;
mod binary;
mod changes;
mod checksum;
mod compare;
mod constants;
mod convert;
mod external;
mod float;
mod hash;
mod iolist;
mod large;
mod lists;
mod maps;
mod math;
pub(crate) mod time;
mod tuples;
mod types;
pub(crate) mod unicode;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::raise::Raise;
use crate::term::{Atom, Term};

/// A built-in function. The number of arguments must be its arity.
pub type Native = fn(&[Term]) -> Result<Term, Raise>;

type BifResult = Result<Term, Raise>;

struct Entry {
    module: &'static str,
    name: &'static str,
    arity: u32,
    native: Native,
}

const TABLES: &[&[Entry]] = &[
    arith::TABLE,
    binaries::TABLE,
    binary::TABLE,
    checksum::TABLE,
    compare::TABLE,
    constants::TABLE,
    convert::TABLE,
    external::TABLE,
    float::TABLE,
    hash::TABLE,
    iolist::TABLE,
    lists::TABLE,
    maps::TABLE,
    math::TABLE,
    time::TABLE,
    tuples::TABLE,
    types::TABLE,
    unicode::TABLE,
];

/// For each function its versions and the releases that introduced them, latest first.
type Natives = HashMap<(Atom, Atom, u32), Vec<(u32, Native)>>;

static NATIVES: LazyLock<Natives> = LazyLock::new(|| {
    let mut natives = Natives::new();
    let tables = TABLES.iter().map(|&table| (0, table));
    for (since, table) in changes::CHANGES.iter().copied().chain(tables) {
        for entry in table {
            let (module, name) = (Atom::new(entry.module), Atom::new(entry.name));
            let versions = natives.entry((module, name, entry.arity)).or_default();
            versions.push((since, entry.native));
        }
    }
    natives
});

/// The pure function with this name, in the version of an OTP release.
pub fn pure(module: Atom, name: Atom, arity: u32, release: u32) -> Option<Native> {
    let mut versions = NATIVES.get(&(module, name, arity))?.iter();
    let version = versions.find(|&&(since, _)| since <= release);
    version.map(|&(_, native)| native)
}

/// Whether there is a pure function with this name.
pub fn is_pure(module: Atom, name: Atom, arity: u32) -> bool {
    NATIVES.contains_key(&(module, name, arity))
}

/// Module, name and arity of all pure functions.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str, u32)> {
    let entries = TABLES.iter().copied().flatten();
    entries.map(|entry| (entry.module, entry.name, entry.arity))
}

/// `true` or `false`.
fn boolean(value: bool) -> Term {
    Term::Atom(Atom::bool(value))
}

/// A count or size as a term. It always fits into 63 bits.
fn size(size: usize) -> Term {
    Term::Int(i64::try_from(size).unwrap_or(i64::MAX))
}

/// The value of a small integer: OTP stores integers of 60 bits in a word. Functions that expect a
/// small integer refuse others.
fn small(term: &Term) -> Option<i64> {
    match term {
        Term::Int(int) if int >> 59 == int >> 63 => Some(*int),
        _ => None,
    }
}

/// Converts an index that counts from 1 to one that counts from 0.
fn index(term: &Term) -> Option<usize> {
    usize::try_from(small(term)?).ok()?.checked_sub(1)
}

/// The elements of a proper list.
fn proper(list: &Term) -> Option<Vec<Term>> {
    let mut elements = list.elements();
    let all = elements.by_ref().cloned().collect();
    matches!(elements.rest(), Term::Nil).then_some(all)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let mut seen = HashSet::new();
        for (module, name, arity) in names() {
            assert!(
                seen.insert((module, name, arity)),
                "{module}:{name}/{arity} has two entries"
            );
            assert!(pure(Atom::new(module), Atom::new(name), arity, 25).is_some());
        }
        assert!(pure(Atom::ERLANG, Atom::new("+"), 3, 25).is_none());
        for entry in changes::CHANGES.iter().flat_map(|(_, entries)| *entries) {
            let name = (entry.module, entry.name, entry.arity);
            assert!(
                seen.contains(&name),
                "{name:?} changes, but does not exist in OTP 25"
            );
        }
    }
}
