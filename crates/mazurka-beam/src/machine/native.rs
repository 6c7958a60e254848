//! Functions that are part of the machine.

use std::fmt;

use mazurka_engine::Operation;

use super::{Constraint, Effect, Pending, Process, ask, control, local};
use crate::bif;
use crate::code::{Library, Mfa};
use crate::raise::Raise;
use crate::term::{PidTerm, Term};

/// A function that only computes.
pub type Pure = bif::Native;

/// A function that reads or changes its own process, or has an effect that nothing waits for.
pub type Local = fn(&mut Context<'_>, &[Term]) -> Result<Term, Raise>;

/// A function that may have to wait for an answer.
pub type Asking = fn(&mut Context<'_>, &[Term]) -> Result<Next, Raise>;

/// What a function may reach apart from its arguments.
pub struct Context<'a> {
    /// The process that calls it.
    pub process: &'a mut Process,
    /// What others see of it.
    pub effects: &'a mut Vec<Effect>,
    /// All code.
    pub library: &'a Library,
}

/// How a function goes on.
pub enum Next {
    /// It returns.
    Value(Term),
    /// It waits for the answer of a shared object.
    Ask(Operation<Term, PidTerm>, Pending),
    /// It waits for a message.
    Receive {
        /// Which messages it takes.
        constraint: Constraint,
        /// After how long it gives up, in milliseconds.
        timeout_ms: Option<u64>,
        /// What to do with it.
        pending: Pending,
    },
    /// The process ends for this reason, and nothing can catch that.
    End(Term),
    /// It cannot be told.
    Unsupported(String),
}

/// What a function that waits is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Done.
    Ok,
    /// Refused.
    Refused,
    /// Yes or no.
    Bool(bool),
    /// A process, if there is one.
    Pid(Option<PidTerm>),
    /// Processes.
    Pids(Vec<PidTerm>),
    /// A value, if there is one.
    Value(Option<Term>),
    /// A number.
    Int(i64),
    /// A message that it waited for.
    Message(Term),
    /// No message came in time.
    Timeout,
}

/// A function that changes how the process goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `erlang:apply/2`
    ApplyFun,
    /// `erlang:apply/3`
    Apply,
    /// `erlang:hibernate/3`
    Hibernate,
    /// `erlang:error/2,3`
    Error,
    /// `erlang:raise/3`
    Raise,
    /// `erlang:nif_error/1,2`: the caller is a function that should be native.
    Missing,
    /// `mazurka_eunit:not_modelled/3`
    NotModelled,
    /// `erlang:halt/2`
    Halt,
    /// `unicode:characters_to_binary/2` and `unicode:characters_to_list/2`
    Characters,
    /// `erlang:process_info/1,2`
    ProcessInfo,
}

/// A function that is part of the machine.
#[derive(Clone, Copy)]
pub enum Native {
    /// It only computes.
    Pure(Pure),
    /// It knows its process.
    Local(Local),
    /// It may wait.
    Asking(Asking),
    /// It changes how the process goes on.
    Control(Control),
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Native::Pure(_) => "Pure",
            Native::Local(_) => "Local",
            Native::Asking(_) => "Asking",
            Native::Control(_) => "Control",
        })
    }
}

impl Native {
    /// The native function of this name, as a release of OTP has it.
    pub fn find(mfa: Mfa, release: u32) -> Option<Native> {
        let Mfa {
            module,
            name,
            arity,
        } = mfa;
        control::find(mfa)
            .map(Native::Control)
            .or_else(|| ask::find(mfa).map(Native::Asking))
            .or_else(|| local::find(mfa).map(Native::Local))
            .or_else(|| bif::pure(module, name, arity, release).map(Native::Pure))
    }
}

/// A row of a table of functions: module, name, arity, function.
pub(super) type Row<T> = (&'static str, &'static str, u32, T);

/// The function of this name in a table.
pub(super) fn row<T: Copy>(table: &[Row<T>], mfa: Mfa) -> Option<T> {
    let (module, name) = (mfa.module.name(), mfa.name.name());
    let mut rows = table.iter();
    rows.find(|row| row.1 == name && row.2 == mfa.arity && row.0 == module)
        .map(|row| row.3)
}
