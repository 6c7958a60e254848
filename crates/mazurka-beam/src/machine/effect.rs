//! Visible actions of a process that do not wait for an answer.

use super::Watch;
use crate::code::Mfa;
use crate::term::{Atom, PidTerm, Reference, Term};

/// A visible action of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Starts a process.
    Spawn {
        /// Its pid.
        pid: PidTerm,
        /// The function it runs.
        start: Start,
        /// Whether it starts linked to its parent.
        link: bool,
        /// The parent's monitor, if the new process starts monitored.
        monitor: Option<Watch>,
    },
    /// Sends a message.
    Send {
        /// The receiver.
        to: PidTerm,
        /// The message.
        value: Term,
    },
    /// Sends a message to the process that created an alias, if the alias is still active.
    SendToAlias {
        /// The alias.
        alias: Reference,
        /// The message.
        value: Term,
    },
    /// Sends the message of the timer that this process is.
    Fire {
        /// The receiver.
        to: PidTerm,
        /// The message.
        value: Term,
    },
    /// Sends an exit signal.
    Signal {
        /// The receiver.
        to: PidTerm,
        /// The exit reason.
        reason: Term,
    },
    /// Sets whether exit signals become messages.
    TrapExit(bool),
    /// Prints text.
    Output(String),
    /// Prints what the program logs.
    Log {
        /// The level, an atom.
        level: Term,
        /// The format, as of `io_lib:format/2`.
        format: Term,
        /// Its arguments.
        values: Term,
    },
}

/// How a process starts: a function, its arguments, where its output goes, and its clock.
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
    /// Its clock, in microseconds: that of the process that starts it.
    pub clock_us: u64,
}

impl Start {
    /// Whether it starts a timer.
    pub fn is_timer(&self) -> bool {
        super::timers::is_module(self.module)
    }

    /// The name of the function.
    pub fn mfa(&self) -> Mfa {
        Mfa {
            module: self.module,
            name: self.name,
            arity: self.arguments.len() as u32,
        }
    }
}
