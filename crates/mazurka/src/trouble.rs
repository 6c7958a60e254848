//! Actions of processes, and misuse of the library, as text.

use crate::message::Incoming;
use crate::shown::show;
use crate::stage::{Action, Demand, Given, Misuse};
use crate::{Pid, Reason};
use mazurka_engine::Fault;
use std::fmt;

/// The fault of a process that misused this library, or that a bound stopped, after this many inputs.
pub(crate) fn misuse_fault(misuse: Misuse, process: Pid, inputs: u32) -> Fault {
    let what = format!("process {process} after {} {misuse}", inputs_text(inputs));
    match misuse {
        Misuse::Interrupted(_) => Fault::Interrupted { what },
        Misuse::TwoDemands | Misuse::Foreign => Fault::Unsupported { what },
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misuse::Interrupted(call) => return write!(f, "called mazurka::{call}"),
            Misuse::TwoDemands => {
                "waits for two things at once (join, select or the like): let it wait for one after \
                 the other, or spawn a process for each"
            }
            Misuse::Foreign => {
                "awaits something that is not Mazurka's: processes may await only what this library \
                 offers (receive, sleep, choose and so on), because nothing else can be put in \
                 every order"
            }
        })
    }
}

/// The position of a process by its number of inputs, as text.
pub(crate) fn inputs_text(inputs: u32) -> String {
    match inputs {
        0 => "its start".into(),
        1 => "its first input".into(),
        n => format!("its {n} inputs"),
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Message(Incoming::User(value)) => f.write_str(&value.show()),
            Given::Message(Incoming::Exit(exit)) => f.write_str(&show(exit)),
            Given::Message(Incoming::Down(down)) => f.write_str(&show(down)),
            Given::Timeout => f.write_str("a timeout"),
            Given::Answer(answer) => f.write_str(&show(answer)),
            Given::Pid(pid) => write!(f, "{pid:?}"),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Spawn { start, .. } => write!(f, "spawned {start:?}"),
            Action::Send { to, value } => write!(f, "sent {} to {to}", value.show()),
            Action::Signal { to, reason } => {
                write!(f, "sent the signal {} to {to}", show(reason))
            }
            Action::TrapExit(true) => f.write_str("began to trap exits"),
            Action::TrapExit(false) => f.write_str("stopped trapping exits"),
            Action::Daemon => f.write_str("became a daemon"),
        }
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Demand::Receive {
                constraint,
                timeout_ms: None,
            } => write!(f, "waited for {constraint:?}"),
            Demand::Receive {
                constraint,
                timeout_ms: Some(ms),
            } => write!(f, "waited {ms} ms for {constraint:?}"),
            Demand::Liveness(operation) => write!(f, "asked for {}", show(operation)),
            Demand::Ask(operation) => write!(f, "asked for {}", show(operation)),
            Demand::HandOver { to, value } => {
                write!(f, "handed {} over to {to}", value.show())
            }
            Demand::Choose(n) => write!(f, "chose one of {n}"),
            Demand::Exit(reason) => match reason {
                Reason::Normal => f.write_str("ended"),
                Reason::Crash(why) => write!(f, "crashed: {}", why.show()),
                Reason::Assertion(why) => write!(f, "failed: {}", why.show()),
                other => write!(f, "ended with {}", show(other)),
            },
        }
    }
}
