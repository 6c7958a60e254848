//! Atoms: interned names, which are compared by number.
//!
//! One table serves the whole operating system process, and atoms are never removed, as in Erlang.
//! An atom's number depends on the order in which atoms are created. Results that must be the same
//! in every run must not depend on it, so atoms are ordered and hashed by name.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::blocks::Blocks;

/// The maximum number of characters in an atom.
pub const ATOM_CHARACTERS_MAX: usize = 255;

/// An atom.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Atom(u32);

macro_rules! well_known {
    ($($constant:ident = $name:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($constant,)* }

        impl Atom {
            $(
                #[doc = concat!("`", $name, "`")]
                pub const $constant: Atom = Atom(Number::$constant as u32);
            )*
        }

        const WELL_KNOWN: &[&str] = &[$($name,)*];
    };
}

well_known! {
    FALSE = "false",
    TRUE = "true",
    OK = "ok",
    ERROR = "error",
    EXIT = "exit",
    THROW = "throw",
    UNDEFINED = "undefined",
    NORMAL = "normal",
    ERLANG = "erlang",
    NONODE = "nonode@nohost",
    BADARG = "badarg",
    BADARITH = "badarith",
    SYSTEM_LIMIT = "system_limit",
    APPLY = "apply",
    UNDEF = "undef",
    BADMATCH = "badmatch",
    CASE_CLAUSE = "case_clause",
    TRY_CLAUSE = "try_clause",
    IF_CLAUSE = "if_clause",
    FUNCTION_CLAUSE = "function_clause",
    BADRECORD = "badrecord",
    BADFUN = "badfun",
    BADARITY = "badarity",
    BADMAP = "badmap",
    BADKEY = "badkey",
    NOCATCH = "nocatch",
    EXIT_TAG = "EXIT",
    INFINITY = "infinity",
    TIMEOUT_VALUE = "timeout_value",
    SEND = "send",
    MODULE = "module",
    FILE = "file",
    LINE = "line",
    ERROR_INFO = "error_info",
    NONE = "none",
    DOWN = "DOWN",
    ALL = "all",
}

impl Atom {
    /// The atom with this name.
    pub fn new(name: &str) -> Atom {
        TABLE.intern(name)
    }

    /// The atom with this name, if it has been created before.
    pub fn existing(name: &str) -> Option<Atom> {
        let numbers = TABLE.numbers.lock();
        let numbers = numbers.unwrap_or_else(PoisonError::into_inner);
        numbers.get(name).copied().map(Atom)
    }

    /// `true` or `false`.
    pub fn bool(value: bool) -> Atom {
        if value { Atom::TRUE } else { Atom::FALSE }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        TABLE.entries.get(self.0).map_or("", |entry| entry.name)
    }

    /// Its number in the table, which depends on the order of creation.
    pub(crate) fn index(self) -> u32 {
        self.0
    }

    /// A hash of its name, the same in every run.
    pub fn stable_hash(self) -> u64 {
        TABLE.entries.get(self.0).map_or(0, |entry| entry.hash)
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Hash for Atom {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.stable_hash());
    }
}

impl PartialOrd for Atom {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Atom {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // UTF-8 bytes sort in the order of the code points that they encode.
        self.name().cmp(other.name())
    }
}

struct Entry {
    name: &'static str,
    hash: u64,
}

/// The atom table. Names are looked up without a lock, because entries do not move when it grows.
struct Table {
    numbers: Mutex<HashMap<&'static str, u32>>,
    entries: Blocks<Entry>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let table = Table {
        numbers: Mutex::default(),
        entries: Blocks::new(),
    };
    for name in WELL_KNOWN {
        table.intern(name);
    }
    table
});

impl Table {
    fn intern(&self, name: &str) -> Atom {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = numbers.get(name) {
            return Atom(number);
        }
        let number = numbers.len() as u32;
        let name: &'static str = String::from(name).leak();
        let hash = fnv1a(name.as_bytes());
        self.entries.get_or_init(number, || Entry { name, hash });
        numbers.insert(name, number);
        Atom(number)
    }
}

/// The hash FNV-1a (Fowler, Noll, Vo), which is the same on every platform.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_atom() {
        assert_eq!(Atom::new("ok"), Atom::OK);
        assert_eq!(Atom::new("nonode@nohost"), Atom::NONODE);
        assert_ne!(Atom::new("a"), Atom::new("b"));
        assert_eq!(Atom::new("").name(), "");
        assert_eq!(Atom::existing("ok"), Some(Atom::OK));
        assert_eq!(Atom::existing("an atom that was never created"), None);
        for constant in WELL_KNOWN {
            assert_eq!(Atom::new(constant).name(), *constant);
        }
    }

    #[test]
    fn the_table_grows_over_several_blocks() {
        let atoms: Vec<Atom> = (0..5000).map(|n| Atom::new(&format!("grown{n}"))).collect();
        for (n, atom) in atoms.into_iter().enumerate() {
            assert_eq!(atom.name(), format!("grown{n}"));
        }
    }

    #[test]
    fn atoms_are_ordered_by_name() {
        assert!(Atom::new("zz") > Atom::new("a"));
        assert!(Atom::new("a") < Atom::new("aa"));
        assert!(Atom::new("z") < Atom::new("é"));
        assert!(Atom::new("é") < Atom::new("λ"));
    }
}
