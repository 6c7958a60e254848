//! Native functions: functions implemented by the machine.

use std::fmt;

use mazurka_engine::{LivenessOperation, Operation};

use super::{Constraint, Effect, Pending, Process, ask, control, local};
use crate::bif;
use crate::code::{Library, Mfa};
use crate::ets::What;
use crate::raise::Raise;
use crate::term::{PidTerm, Term};

/// A function that only computes.
pub type Pure = bif::Native;

/// A function that reads or changes its own process, or has an effect but does not wait.
pub type Local = fn(&mut Context<'_>, &[Term]) -> Result<Term, Raise>;

/// A function that may have to wait for an answer.
pub type Asking = fn(&mut Context<'_>, &[Term]) -> Result<Next, Raise>;

/// What a function can access besides its arguments.
pub struct Context<'a> {
    /// The process that calls it.
    pub process: &'a mut Process,
    /// The visible actions of the process.
    pub effects: &'a mut Vec<Effect>,
    /// The code of all modules.
    pub library: &'a Library,
}

/// The result of a function, or what it waits for.
pub enum Next {
    /// The function returns this value.
    Value(Term),
    /// The function waits for the answer of the liveness object of a process.
    Liveness(LivenessOperation<PidTerm>, Pending),
    /// The function waits for the answer of a shared object.
    Ask(Operation<Term, PidTerm>, Pending),
    /// The function waits for the answer of a table.
    Table(What<PidTerm>, Pending),
    /// The function waits for all registered names.
    Names(Pending),
    /// The function waits for a message.
    Receive {
        /// The messages it accepts.
        constraint: Constraint,
        /// The timeout, in milliseconds.
        timeout_ms: Option<u64>,
        /// What to do with the message.
        pending: Pending,
    },
    /// The process ends with this reason, which no handler can catch.
    End(Term),
    /// The operation is not modelled.
    Unsupported(String),
}

/// The answer that a waiting function gets.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The request was carried out.
    Ok,
    /// The request was refused.
    Refused,
    /// A boolean.
    Bool(bool),
    /// A process, if there is one.
    Pid(Option<PidTerm>),
    /// Processes.
    Pids(Vec<PidTerm>),
    /// A value, if there is one.
    Value(Option<Term>),
    /// A number.
    Int(i64),
    /// The message it waited for.
    Message(Term),
    /// The timeout fired.
    Timeout,
}

/// A function that changes the control flow of the process.
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
    /// `erlang:halt/0,1,2`, `init:stop/0,1`
    Halt,
    /// `unicode:characters_to_binary/2` and `unicode:characters_to_list/2`
    Characters,
    /// `erlang:process_info/1,2`
    ProcessInfo,
}

/// A native function.
#[derive(Clone, Copy)]
pub enum Native {
    /// A function that only computes.
    Pure(Pure),
    /// A function that accesses its process.
    Local(Local),
    /// A function that may wait for an answer.
    Asking(Asking),
    /// A function that changes the control flow.
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
    /// Looks up a native function by name and arity, in a release of OTP.
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

/// Looks up a function in a table by name and arity.
pub(super) fn row<T: Copy>(table: &[Row<T>], mfa: Mfa) -> Option<T> {
    let (module, name) = (mfa.module.name(), mfa.name.name());
    let mut rows = table.iter();
    rows.find(|row| row.1 == name && row.2 == mfa.arity && row.0 == module)
        .map(|row| row.3)
}
