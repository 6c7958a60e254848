//! The built-in functions that compute a value from their arguments and do nothing else.
//!
//! Each table has a table of what it knows. Results and reasons of failures are those of OTP 25;
//! what later releases answer otherwise is in `changes`.
//! Two differences are on purpose. Zeros of different signs are not `=:=`, as since OTP 27. And maps
//! of more than 32 keys are walked through in the order of their keys, where the real machine has
//! the order of a hash that depends on the numbers of atoms, and so on the history of the node.

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

/// The table of a table: functions by module, name and arity.
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
mod time;
mod tuples;
mod types;
pub(crate) mod unicode;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::raise::Raise;
use crate::term::{Atom, Term};

/// A built-in function. It must get as many arguments as its arity says.
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

/// For each function what it is since which release, the latest first.
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

/// The function of this name as a release of OTP has it, if it is one of those that only compute.
pub fn pure(module: Atom, name: Atom, arity: u32, release: u32) -> Option<Native> {
    let mut versions = NATIVES.get(&(module, name, arity))?.iter();
    let version = versions.find(|&&(since, _)| since <= release);
    version.map(|&(_, native)| native)
}

/// Whether the function of this name only computes.
pub fn is_pure(module: Atom, name: Atom, arity: u32) -> bool {
    NATIVES.contains_key(&(module, name, arity))
}

/// All functions that [`pure`] knows, by module, name and arity.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str, u32)> {
    let entries = TABLES.iter().copied().flatten();
    entries.map(|entry| (entry.module, entry.name, entry.arity))
}

/// `true` or `false`.
fn boolean(value: bool) -> Term {
    Term::Atom(Atom::bool(value))
}

/// A count or a size. None is beyond 63 bits.
fn size(size: usize) -> Term {
    Term::Int(i64::try_from(size).unwrap_or(i64::MAX))
}

/// An integer that OTP keeps in a word: of 60 bits. Where it expects one of these, it takes no other.
fn small(term: &Term) -> Option<i64> {
    match term {
        Term::Int(int) if int >> 59 == int >> 63 => Some(*int),
        _ => None,
    }
}

/// An index that counts from one, as one that counts from zero.
fn index(term: &Term) -> Option<usize> {
    usize::try_from(small(term)?).ok()?.checked_sub(1)
}

/// All elements of a list that ends as it should.
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
    fn every_name_is_there_once() {
        let mut seen = HashSet::new();
        for (module, name, arity) in names() {
            assert!(
                seen.insert((module, name, arity)),
                "{module}:{name}/{arity} is there twice"
            );
            assert!(pure(Atom::new(module), Atom::new(name), arity, 25).is_some());
        }
        assert!(pure(Atom::ERLANG, Atom::new("+"), 3, 25).is_none());
        for entry in changes::CHANGES.iter().flat_map(|(_, entries)| *entries) {
            let name = (entry.module, entry.name, entry.arity);
            assert!(seen.contains(&name), "{name:?} was not there before");
        }
    }
}
