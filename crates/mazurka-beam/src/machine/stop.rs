//! Where a process stops.

use std::fmt;

use mazurka_engine::Operation;

use super::Constraint;
use crate::raise::Class;
use crate::term::{Atom, PidTerm, Term};

/// Why a process runs no further.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It waits for a message, or for a time to pass.
    Receive {
        /// Which messages it takes.
        constraint: Constraint,
        /// After how long it gives up, in milliseconds.
        timeout_ms: Option<u64>,
    },
    /// It waits for the answer of a shared object.
    Ask(Operation<Term, PidTerm>),
    /// It has ended.
    Exit(End),
    /// It has ended, and everything else with it.
    Halt {
        /// What it told the operating system.
        status: Term,
    },
    /// It uses something that is not modelled.
    Unsupported(Unsupported),
    /// The brake stopped it.
    Interrupted {
        /// Where it is.
        place: String,
    },
    /// It has run for so long that it will hardly ever stop.
    Endless {
        /// Where it is.
        place: String,
    },
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Its function returned.
    Returned {
        /// What.
        value: Term,
    },
    /// It has sent itself an exit signal.
    Struck {
        /// With which reason.
        reason: Term,
    },
    /// An exception that nothing caught.
    Raised {
        /// Its class.
        class: Class,
        /// Its reason.
        reason: Term,
        /// Where it was raised, as `erlang:raise/3` would take it.
        trace: Term,
    },
}

impl End {
    /// The calls that were under way when it ended by an exit.
    pub fn exit_calls(&self) -> Option<&Term> {
        match self {
            End::Raised {
                class: Class::Exit,
                trace,
                ..
            } => Some(trace),
            _ => None,
        }
    }

    /// The reason that links and monitors are told.
    pub fn reason(&self) -> Term {
        match self {
            End::Returned { .. } => Atom::NORMAL.into(),
            End::Struck { reason } => reason.clone(),
            End::Raised {
                class: Class::Exit,
                reason,
                ..
            } => reason.clone(),
            End::Raised {
                class: Class::Error,
                reason,
                trace,
            } => Term::tuple([reason.clone(), trace.clone()]),
            End::Raised {
                class: Class::Throw,
                reason,
                trace,
            } => {
                let reason = Term::tuple([Atom::NOCATCH.into(), reason.clone()]);
                Term::tuple([reason, trace.clone()])
            }
        }
    }
}

/// Something that is not modelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What: a function, an instruction, a damaged file.
    pub what: String,
    /// Where it is used.
    pub place: String,
    /// What to do about it.
    pub advice: &'static str,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, used in {}: {}", self.what, self.place, self.advice)
    }
}
