//! Events of a process: its visible actions and the inputs it consumes.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Accepts, ProcessName, Tag};

/// One event of a process (Vidal 2022, section 3, with the inputs that Mazurka adds).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(
    try_from = "crate::json::EventFields",
    into = "crate::json::EventFields"
)]
pub enum Event {
    /// The process starts another one.
    Spawn {
        /// The new process.
        pid: ProcessName,
    },
    /// The process sends a message.
    Send {
        /// The message's name, unique in the trace.
        tag: Tag,
        /// The process it is sent to.
        to: ProcessName,
        /// The value as text, for people; may be empty.
        value: String,
    },
    /// The process consumes a message.
    Receive {
        /// The message consumed.
        tag: Tag,
        /// The messages whose values satisfy the constraint.
        accepts: Accepts,
        /// The constraint as text, for people; may be empty.
        constraint: String,
    },
    /// The timeout of a `receive … after` fired.
    Timeout {
        /// The messages that satisfy the constraint. If one of them had been in the mailbox, it
        /// could have been consumed instead.
        accepts: Accepts,
        /// The constraint as text, for people; may be empty.
        constraint: String,
    },
    /// An exit signal ended the process. The event consumes the signal.
    Killed {
        /// The exit signal.
        tag: Tag,
    },
    /// The process read a shared object. Consumes nothing.
    Read {
        /// The object.
        object: ProcessName,
        /// The version it saw: the number of [`Event::Publish`] events of the object before the
        /// read. 0 is the initial state.
        version: u32,
    },
    /// The process chose one of several alternatives. No other process is involved.
    Choose {
        /// The number of alternatives.
        of: u32,
        /// The index of the chosen alternative, from 0.
        chosen: u32,
    },
    /// A shared object published its next version. This is not an input: it follows from what
    /// the object received. Only objects publish.
    Publish,
    /// A message reached the mailbox. Informational: no other event depends on it.
    Deliver {
        /// The message.
        tag: Tag,
    },
    /// The process ended. Informational.
    Exit {
        /// The exit reason as text, for people.
        reason: String,
    },
}

impl Event {
    /// The process that the event starts.
    pub fn spawns(&self) -> Option<&ProcessName> {
        match self {
            Event::Spawn { pid } => Some(pid),
            _ => None,
        }
    }

    /// The message that the event sends, and the process it is sent to.
    pub fn sends(&self) -> Option<(&Tag, &ProcessName)> {
        match self {
            Event::Send { tag, to, .. } => Some((tag, to)),
            _ => None,
        }
    }

    /// The message that the event consumes.
    pub fn consumes(&self) -> Option<&Tag> {
        match self {
            Event::Receive { tag, .. } | Event::Killed { tag } => Some(tag),
            _ => None,
        }
    }

    /// The messages that satisfy the event's constraint, if it is a receive or a timeout.
    pub fn accepts(&self) -> Option<&Accepts> {
        match self {
            Event::Receive { accepts, .. } | Event::Timeout { accepts, .. } => Some(accepts),
            _ => None,
        }
    }

    /// Whether the event is an input: what the process does next depends on it.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            Event::Receive { .. }
                | Event::Timeout { .. }
                | Event::Killed { .. }
                | Event::Read { .. }
                | Event::Choose { .. }
        )
    }

    /// Whether the event is informational: it affects neither causality nor equivalence.
    pub fn is_recorded_only(&self) -> bool {
        matches!(self, Event::Deliver { .. } | Event::Exit { .. })
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Spawn { pid } => write!(f, "spawn {pid}"),
            Event::Send { tag, to, .. } => write!(f, "send {tag} to {to}"),
            Event::Receive { tag, .. } => write!(f, "receive {tag}"),
            Event::Timeout { .. } => write!(f, "timeout"),
            Event::Killed { tag } => write!(f, "killed by {tag}"),
            Event::Read { object, version } => write!(f, "read version {version} of {object}"),
            Event::Choose { of, chosen } => write!(f, "choose {chosen} of {of}"),
            Event::Publish => write!(f, "publish"),
            Event::Deliver { tag } => write!(f, "deliver {tag}"),
            Event::Exit { reason } => write!(f, "exit {reason}"),
        }
    }
}
