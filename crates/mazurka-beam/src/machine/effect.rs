//! What a process does that others can see, without waiting for an answer.

use crate::code::Mfa;
use crate::term::{Atom, PidTerm, Reference, Term};

/// Something that others can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A new process.
    Spawn {
        /// Its pid.
        pid: PidTerm,
        /// What it runs.
        start: Start,
        /// Whether it is linked to its parent from the start.
        link: bool,
        /// The parent's monitor, if it has one from the start.
        monitor: Option<Reference>,
    },
    /// A message.
    Send {
        /// To whom.
        to: PidTerm,
        /// What.
        value: Term,
    },
    /// A message to whoever made an alias, if it is still in force.
    SendToAlias {
        /// The alias.
        alias: Reference,
        /// What.
        value: Term,
    },
    /// An exit signal.
    Signal {
        /// To whom.
        to: PidTerm,
        /// With which reason.
        reason: Term,
    },
    /// From now on exit signals are messages, or no longer.
    TrapExit(bool),
    /// Text for the user.
    Output(String),
}

/// How a process starts: a function, its arguments, and where its output goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// The module.
    pub module: Atom,
    /// The function.
    pub name: Atom,
    /// Its arguments.
    pub arguments: Vec<Term>,
    /// The group leader.
    pub leader: PidTerm,
}

impl Start {
    /// The name of the function.
    pub fn mfa(&self) -> Mfa {
        Mfa {
            module: self.module,
            name: self.name,
            arity: self.arguments.len() as u32,
        }
    }
}
