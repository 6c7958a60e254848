//! Why a process stops running.

use std::fmt;

use mazurka_engine::{LivenessOperation, Operation};

use super::Constraint;
use crate::ets::Request;
use crate::raise::Class;
use crate::term::{Atom, PidTerm, Term};

/// Why a process stops running.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It waits for a message or a timeout.
    Receive {
        /// The messages it accepts.
        constraint: Constraint,
        /// The timeout, in milliseconds.
        timeout_ms: Option<u64>,
    },
    /// It waits for the answer of the liveness object of a process.
    Liveness(LivenessOperation<PidTerm>),
    /// It waits for the answer of a shared object.
    Ask(Operation<Term, PidTerm>),
    /// It waits for the answer of a table.
    Table(Request<PidTerm>),
    /// It waits for a list of all names that processes have.
    Names,
    /// It has ended.
    Exit(End),
    /// It halted the whole machine.
    Halt {
        /// The exit status.
        status: Term,
    },
    /// It uses something that is not modelled.
    Unsupported(Unsupported),
    /// The brake stopped it.
    Interrupted {
        /// Where it was stopped.
        place: String,
    },
    /// It reached the limit on instructions and probably does not end.
    Endless {
        /// Where it was stopped.
        place: String,
    },
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Its function returned.
    Returned {
        /// The value.
        value: Term,
    },
    /// It sent itself an exit signal.
    Struck {
        /// The exit reason.
        reason: Term,
    },
    /// An exception was not caught.
    Raised {
        /// Its class.
        class: Class,
        /// Its reason.
        reason: Term,
        /// Its stack trace, in the form that `erlang:raise/3` accepts.
        trace: Term,
    },
}

impl End {
    /// The stack trace, if the process ended with an exception of the class `exit`.
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

    /// The exit reason that links and monitors receive.
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
    /// What is not modelled: a function, an instruction, a damaged file.
    pub what: String,
    /// Where it is used.
    pub place: String,
    /// What the user can do about it.
    pub advice: &'static str,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, used in {}: {}", self.what, self.place, self.advice)
    }
}
