//! Steps: one input consumed, and the effects up to the next demand.

use super::Slot;
use super::clock::ClockAt;
use crate::behaviour::Wait;
use crate::ids::{ConstraintId, NodeId, Pid};

/// What a step consumes, in words that mean the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// A new process begins.
    Start,
    /// A process that a signal may strike goes on to its next action unharmed.
    GoOn,
    /// The receive times out.
    Timeout,
    /// The receive times out because nothing else in the program could happen before.
    QuietTimeout,
    /// The `seq`-th message (from 0) that `sender` sent.
    Message {
        /// Who sent it.
        sender: Pid,
        /// How many messages it had sent before.
        seq: u32,
    },
    /// The state of a shared object after this many of its steps.
    Version(u32),
    /// This way, from 0, of those that the process could choose.
    Choice(u32),
}

/// A step as it stands in a path: enough to do it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub pid: Pid,
    pub pick: Pick,
    /// When the step was first added; a step that is re-read keeps its place.
    pub stamp: u32,
    /// A step with an earlier stamp consumes a message of this one, or reads its version.
    pub fixed: bool,
    /// It consumes something else than it would have of itself.
    pub flipped: bool,
}

impl Entry {
    /// A step that nothing is special about.
    pub(crate) fn new(pid: Pid, pick: Pick, stamp: u32) -> Self {
        Entry {
            pid,
            pick,
            stamp,
            fixed: false,
            flipped: false,
        }
    }
}

/// A step in the path of the current graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub slot: Slot,
    /// Its place among the steps of its process.
    pub index: u32,
    pub entry: Entry,
    /// The highest stamp up to here.
    pub highest_stamp: u32,
}

/// One input consumed, and the effects up to the next demand.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub pick: Pick,
    pub stamp: u32,
    pub fixed: bool,
    /// Where the process is after this step: the node, and how many of its effects are done.
    pub node: NodeId,
    pub done: u32,
    pub wait: Wait,
    /// The next thing is a look whether a signal strikes, not the demand.
    pub looks: bool,
    pub trapping: bool,
    /// The place of the step's input among the events of its process.
    pub event: u32,
    /// The message consumed, by its place in the inbox.
    pub consumed: u32,
    /// Whether readers see a new version of this object.
    pub publishes: bool,
    /// The logical time of the step, and so of the demand that it leads to.
    pub time_ms: u64,
    /// Whether the process is a daemon after this step.
    pub daemon: bool,
    /// How many timeouts of daemons in a row led to this step of a daemon.
    pub run: u32,
    pub(super) clock: ClockAt,
    /// The first of the steps up to this one whose demands all accept the same.
    pub alike_from: u32,
    pub sends_before: u32,
    pub(super) slots_before: u32,
    pub(super) was_enabled: bool,
}

/// The state of a process between two steps.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    pub node: NodeId,
    pub done: u32,
    pub wait: Wait,
    pub looks: bool,
    pub trapping: bool,
}

impl Cursor {
    /// What it receives by, if that alone decides what it takes.
    pub(super) fn constraint(&self) -> Option<(ConstraintId, bool)> {
        match self.wait {
            Wait::Receive { constraint, .. } if !self.looks => Some((constraint, self.trapping)),
            _ => None,
        }
    }
}

impl Step {
    /// The timeout of the receive that the step leads to, if it has one.
    pub(crate) fn timeout_ms(&self) -> Option<u64> {
        match self.wait {
            Wait::Receive { timeout_ms, .. } => timeout_ms,
            _ => None,
        }
    }
}
