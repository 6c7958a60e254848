//! Exceptions, as natives raise them.

use crate::term::{Atom, Term};

/// The class of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A failure, by the runtime or `erlang:error`.
    Error,
    /// `erlang:exit`.
    Exit,
    /// `erlang:throw`.
    Throw,
}

impl Class {
    /// Its name in `try … catch Class:Reason`.
    pub fn atom(self) -> Atom {
        match self {
            Class::Error => Atom::ERROR,
            Class::Exit => Atom::EXIT,
            Class::Throw => Atom::THROW,
        }
    }
}

/// An exception on its way up.
#[derive(Clone, Debug)]
pub struct Raise {
    /// Its class.
    pub class: Class,
    /// Its reason.
    pub reason: Term,
}

impl Raise {
    /// A failure for this reason.
    pub fn error(reason: impl Into<Term>) -> Raise {
        Raise {
            class: Class::Error,
            reason: reason.into(),
        }
    }

    /// A failure whose reason is a tuple of a name and a value, such as `{badmatch, V}`.
    pub fn error_with(name: Atom, value: Term) -> Raise {
        Raise::error(Term::tuple([name.into(), value]))
    }

    /// The argument is not one that this function takes.
    pub fn badarg() -> Raise {
        Raise::error(Atom::BADARG)
    }

    /// The argument is not a number, or not one that this operator takes.
    pub fn badarith() -> Raise {
        Raise::error(Atom::BADARITH)
    }

    /// The value would be too large.
    pub fn system_limit() -> Raise {
        Raise::error(Atom::SYSTEM_LIMIT)
    }
}
