//! What a process does that others can see, and what it consumes.

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
        /// The messages that it could have consumed here, as far as values go.
        accepts: Accepts,
        /// The constraint as text, for people; may be empty.
        constraint: String,
    },
    /// The timeout of a `receive … after` fired.
    Timeout {
        /// The messages that would have been consumed instead, had they been there.
        accepts: Accepts,
        /// The constraint as text, for people; may be empty.
        constraint: String,
    },
    /// The process was struck by an exit signal, which this consumes.
    Killed {
        /// The exit signal.
        tag: Tag,
    },
    /// The process read a shared object. Consumes nothing.
    Read {
        /// The object.
        object: ProcessName,
        /// The state it saw: the one after that many [`Event::Publish`] of the object; 0 is
        /// the initial state.
        version: u32,
    },
    /// The process chose one of several ways by itself. No other process has a part in it.
    Choose {
        /// How many ways there were.
        of: u32,
        /// Which one it chose, from 0.
        chosen: u32,
    },
    /// A shared object made a new state visible: the next version. No input: it follows
    /// from what the object received. Processes that are not objects do not publish.
    Publish,
    /// A message reached the mailbox. Recorded only: it causes nothing.
    Deliver {
        /// The message.
        tag: Tag,
    },
    /// The process ended. Recorded only.
    Exit {
        /// Why, for people.
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

    /// The message that the event sends, and to whom.
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

    /// Which messages the event consumes or could have consumed, if it chose among some.
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

    /// Whether the event is only recorded, and says nothing about causes or choices.
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
