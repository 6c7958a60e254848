//! The options of `ets:new/2`.

use super::row::{Kind, Shape};
use crate::term::{Atom, PidTerm, Term};

/// Which processes may use a table besides its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protection {
    /// All may read and write.
    Public,
    /// All may read.
    Protected,
    /// None.
    Private,
}

impl Protection {
    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Protection::Public => "public",
            Protection::Protected => "protected",
            Protection::Private => "private",
        }
    }

    /// The protection with this name.
    pub fn parse(name: &str) -> Option<Protection> {
        Some(match name {
            "public" => Protection::Public,
            "protected" => Protection::Protected,
            "private" => Protection::Private,
            _ => return None,
        })
    }
}

/// The options of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// The name; that of a table that is not named is only shown.
    pub name: Atom,
    /// Whether the table can be used by its name.
    pub is_named: bool,
    /// The type and key position.
    pub shape: Shape,
    /// Which processes may use it.
    pub protection: Protection,
    /// The process that inherits the table, and the data for its message.
    pub heir: Option<(PidTerm, Term)>,
    /// Options that have no effect here, as `ets:info/2` returns them.
    pub tuning: Tuning,
}

/// Options that have no effect here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tuning {
    /// `{read_concurrency, boolean()}`
    pub read_concurrency: bool,
    /// `{write_concurrency, boolean() | auto}`
    pub write_concurrency: Atom,
    /// `{decentralized_counters, boolean()}`
    pub decentralized_counters: bool,
    /// `compressed`
    pub compressed: bool,
}

impl Options {
    /// The options that these arguments of `ets:new/2` describe; `None` if they are not valid.
    pub fn parse(name: &Term, list: &Term) -> Option<Options> {
        let Term::Atom(name) = name else { return None };
        let mut options = Options {
            name: *name,
            is_named: false,
            shape: Shape {
                kind: Kind::Set,
                key_index: 0,
            },
            protection: Protection::Protected,
            heir: None,
            tuning: Tuning {
                read_concurrency: false,
                write_concurrency: Atom::FALSE,
                decentralized_counters: false,
                compressed: false,
            },
        };
        let mut counters = None;
        let mut elements = list.elements();
        for option in elements.by_ref() {
            match option {
                Term::Atom(word) => options.word(word.name())?,
                Term::Tuple(parts) => options.setting(parts, &mut counters)?,
                _ => return None,
            }
        }
        matches!(elements.rest(), Term::Nil).then_some(())?;
        let writes = options.tuning.write_concurrency != Atom::FALSE;
        let is_ordered = options.shape.kind == Kind::OrderedSet;
        let is_auto = options.tuning.write_concurrency.name() == "auto";
        options.tuning.decentralized_counters = writes && counters.unwrap_or(is_ordered || is_auto);
        Some(options)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        match word {
            "set" => self.shape.kind = Kind::Set,
            "ordered_set" => self.shape.kind = Kind::OrderedSet,
            "bag" => self.shape.kind = Kind::Bag,
            "duplicate_bag" => self.shape.kind = Kind::DuplicateBag,
            "named_table" => self.is_named = true,
            "compressed" => self.tuning.compressed = true,
            word => self.protection = Protection::parse(word)?,
        }
        Some(())
    }

    fn setting(&mut self, parts: &[Term], counters: &mut Option<bool>) -> Option<()> {
        match parts {
            [Term::Atom(name), Term::Int(position @ 1..)] if name.name() == "keypos" => {
                self.shape.key_index = usize::try_from(position - 1).ok()?;
            }
            [Term::Atom(name), Term::Atom(value)] => match (name.name(), *value) {
                ("read_concurrency", value) => self.tuning.read_concurrency = boolean(value)?,
                ("write_concurrency", value) => {
                    let is_known = boolean(value).is_some() || value.name() == "auto";
                    is_known.then_some(())?;
                    self.tuning.write_concurrency = value;
                }
                ("decentralized_counters", value) => *counters = Some(boolean(value)?),
                ("heir", Atom::NONE) => self.heir = None,
                _ => return None,
            },
            [Term::Atom(name), Term::Pid(pid), data] if name.name() == "heir" => {
                self.heir = Some((*pid, data.clone()));
            }
            _ => return None,
        }
        Some(())
    }
}

fn boolean(atom: Atom) -> Option<bool> {
    match atom {
        Atom::TRUE => Some(true),
        Atom::FALSE => Some(false),
        _ => None,
    }
}
