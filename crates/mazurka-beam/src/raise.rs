//! Exceptions that native functions raise.

use crate::term::{Atom, Term};

/// The class of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Raised by the runtime or by `erlang:error`.
    Error,
    /// Raised by `erlang:exit`.
    Exit,
    /// Raised by `erlang:throw`.
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

/// An exception.
#[derive(Clone, Debug)]
pub struct Raise {
    /// Its class.
    pub class: Class,
    /// Its reason.
    pub reason: Term,
}

impl Raise {
    /// An error with this reason.
    pub fn error(reason: impl Into<Term>) -> Raise {
        Raise {
            class: Class::Error,
            reason: reason.into(),
        }
    }

    /// An error whose reason is a tuple of a name and a value, such as `{badmatch, V}`.
    pub fn error_with(name: Atom, value: Term) -> Raise {
        Raise::error(Term::tuple([name.into(), value]))
    }

    /// `badarg`: the function does not accept the argument.
    pub fn badarg() -> Raise {
        Raise::error(Atom::BADARG)
    }

    /// `badarith`: the operand is not a number, or the operator does not accept it.
    pub fn badarith() -> Raise {
        Raise::error(Atom::BADARITH)
    }

    /// `system_limit`: the result would be too large.
    pub fn system_limit() -> Raise {
        Raise::error(Atom::SYSTEM_LIMIT)
    }
}
