//! Why a process cannot be run on, in words for the person who wrote it.

use crate::message::Incoming;
use crate::shown::show;
use crate::stage::{Action, Demand, Given, Misuse};
use crate::{Pid, Reason};
use mazurka_engine::{Bounded, Fault};
use std::fmt::{self, Write};

/// Why a process cannot be run on.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Of this library, by this process after so many inputs.
    Misuse(Misuse, Pid, u32),
    /// It acted differently on the same inputs.
    Different(Box<Difference>),
}

/// Two things that a process did in the same place.
#[derive(Debug)]
pub(crate) struct Difference {
    pub process: Pid,
    /// What it runs.
    pub role: String,
    /// How many inputs it had before.
    pub inputs: u32,
    /// The last of them.
    pub last_input: Option<Given>,
    pub first: Done,
    pub second: Done,
}

/// One thing that a process does.
#[derive(Clone, Debug)]
pub(crate) enum Done {
    Action(Action),
    Demand(Demand),
}

impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Fault {
        match trouble {
            Trouble::Misuse(misuse, process, inputs) => {
                let what = format!("process {process} after {} {misuse}", inputs_text(inputs));
                match misuse {
                    Misuse::Interrupted(_) => Fault::Interrupted { what },
                    Misuse::TwoDemands | Misuse::Foreign => Fault::Unsupported { what },
                }
            }
            Trouble::Different(difference) => Fault::Nondeterminism {
                what: difference.to_string(),
            },
        }
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

/// How far a process has come.
pub(crate) fn inputs_text(inputs: u32) -> String {
    match inputs {
        0 => "its start".into(),
        1 => "its first input".into(),
        n => format!("its {n} inputs"),
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = match &self.last_input {
            None => "its start".to_owned(),
            Some(given) => format!("its input {} ({})", self.inputs, brief(given)),
        };
        write!(
            f,
            "process {} ({}) after {after} first {}, but {} when it was run again with the same \
             inputs. Does it use the system's time, random numbers, the order of a hash map, a \
             global variable, or something shared with other processes?",
            self.process,
            self.role,
            brief(&self.first),
            brief(&self.second)
        )
    }
}

/// Values may be of any size.
fn brief(done: &impl fmt::Display) -> String {
    Bounded::text(|text| write!(text, "{done}"))
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

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Done::Action(action) => match action {
                Action::Spawn { start, .. } => write!(f, "spawned {start:?}"),
                Action::Send { to, value } => write!(f, "sent {} to {to}", value.show()),
                Action::Signal { to, reason } => {
                    write!(f, "sent the signal {} to {to}", show(reason))
                }
                Action::TrapExit(true) => f.write_str("began to trap exits"),
                Action::TrapExit(false) => f.write_str("stopped trapping exits"),
                Action::Daemon => f.write_str("became a daemon"),
            },
            Done::Demand(demand) => match demand {
                Demand::Receive {
                    constraint,
                    timeout_ms: None,
                } => write!(f, "waited for {constraint:?}"),
                Demand::Receive {
                    constraint,
                    timeout_ms: Some(ms),
                } => write!(f, "waited {ms} ms for {constraint:?}"),
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
            },
        }
    }
}
