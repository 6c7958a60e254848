//! Steps: one input consumed, and the effects up to the next demand.

use super::Slot;
use super::clock::ClockAt;
use crate::behaviour::Wait;
use crate::frontend::Mode;
use crate::ids::{ConstraintId, NodeId, PidId};
use std::ops::Range;

/// What a step consumes. A pick means the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// A new process starts.
    Start,
    /// A process passes a signal check and continues with its next action.
    GoOn,
    /// The receive times out.
    Timeout,
    /// The receive times out because nothing else in the program could happen before.
    QuietTimeout,
    /// The `seq`-th message (from 0) that `sender` sent.
    Message {
        /// The process that sent it.
        sender: PidId,
        /// Number of messages that it had sent before.
        seq: u32,
    },
    /// The state of a shared object after this many of its steps.
    Version(u32),
    /// The index, from 0, of the alternative that the process chose.
    Choice(u32),
}

impl Wait {
    /// Whether this pick means that the process is disturbed.
    pub(super) fn is_disturbed_by(&self, pick: Pick) -> bool {
        matches!(self, Wait::Choose { limit: Some(_), .. }) && pick == Pick::Choice(1)
    }
}

/// A step in a path, with everything that is needed to make it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(crate) pid: PidId,
    pub(crate) pick: Pick,
    /// When the step was first added. A step that consumes something else in a race variant keeps
    /// its stamp.
    pub(crate) stamp: u32,
    /// A step with an earlier stamp consumes a message of this one, or reads its version.
    pub(crate) fixed: bool,
    /// It does not consume its preferred candidate.
    pub(crate) flipped: bool,
    /// The step ends before the effect with this index, or at its demand. [`Entry::ALL`] in a step
    /// that is made for the first time: it ends at its demand, or before a check at which a signal waits.
    pub(crate) upto: u32,
    /// The stamp of the first effect that has its own; later ones follow. In a step that is made for
    /// the first time it is determined then: a re-read step keeps its stamp, but its effects are new.
    pub(crate) effects_stamp: u32,
}

impl Entry {
    /// No limit on the effects of a step.
    pub(crate) const ALL: u32 = u32::MAX;

    /// Renumbers the stamps of a path, in its order.
    pub(crate) fn restamp<'e>(path: impl IntoIterator<Item = &'e mut Entry>) {
        let mut next = 0;
        for entry in path {
            entry.stamp = next;
            entry.effects_stamp = next + u32::from(entry.pick != Pick::GoOn);
            next += 1 + entry.upto; // perhaps fewer effects, but no more
        }
    }

    /// A step that is neither fixed nor flipped.
    #[must_use]
    pub fn new(pid: PidId, pick: Pick, stamp: u32) -> Self {
        Entry {
            pid,
            pick,
            stamp,
            fixed: false,
            flipped: false,
            upto: Entry::ALL,
            effects_stamp: 0,
        }
    }
}

/// A step in the path of the current graph.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Its process.
    pub slot: Slot,
    /// Its index among the steps of its process.
    pub index: u32,
    pub(crate) entry: Entry,
    /// The highest stamp up to here.
    pub(crate) highest_stamp: u32,
}

/// One input consumed, and the effects up to the next demand.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it consumes.
    pub pick: Pick,
    /// When it was first added.
    pub stamp: u32,
    pub(crate) fixed: bool,
    /// Where the process is after this step: the node, and how many of its effects are done.
    pub(crate) node: NodeId,
    pub(crate) done: u32,
    /// Number of effects of the node that were done before this step.
    pub(crate) first: u32,
    /// The first effect that has a stamp of its own; earlier ones have the stamp of the step. A
    /// signal check comes before each effect from here on. The check before the first effect of a
    /// step that continues after a check is the step itself.
    pub(super) own_stamps_from: u32,
    pub(super) effects_stamp: u32,
    /// The demand that it leads to.
    pub wait: Wait,
    /// Whether a signal check comes before the demand.
    pub looks: bool,
    pub(crate) trapping: bool,
    /// The index of the step's input among the events of its process. A step that continues after
    /// a signal check has no input; then it is the index of its first effect.
    pub(crate) event: u32,
    /// The message consumed, by its index in the inbox.
    pub consumed: u32,
    /// Whether readers see a new version of this object.
    pub publishes: bool,
    /// The logical time of the step, and so of the demand that it leads to.
    pub time_ms: u64,
    /// The mode of the process after this step.
    pub(crate) mode: Mode,
    /// Whether the timeout of the receive that it leads to waits until nothing else can happen.
    pub(crate) patient: bool,
    /// Number of consecutive timeouts of daemons that led to this step of a daemon.
    pub(crate) run: u32,
    pub(super) clock: ClockAt,
    /// The first of the steps up to this one whose demands all accept the same.
    pub(crate) alike_from: u32,
    /// Number of messages that its process had sent before it.
    pub sends_before: u32,
    pub(super) slots_before: u32,
    pub(super) was_enabled: bool,
}

/// The state of a process between two steps.
#[derive(Clone, Copy)]
pub struct Cursor {
    pub(crate) node: NodeId,
    pub(crate) done: u32,
    pub(crate) wait: Wait,
    pub(crate) looks: bool,
    pub(crate) trapping: bool,
}

impl Cursor {
    /// The constraint of its receive, if that alone decides which messages it takes.
    pub(super) fn constraint(&self) -> Option<(ConstraintId, bool)> {
        constraint(&self.wait, self.looks, self.trapping)
    }
}

#[inline]
fn constraint(wait: &Wait, looks: bool, trapping: bool) -> Option<(ConstraintId, bool)> {
    match *wait {
        Wait::Receive { constraint, .. } if !looks => Some((constraint, trapping)),
        _ => None,
    }
}

impl Step {
    /// The constraint of the receive that it leads to, if that alone decides which messages it takes.
    pub(super) fn constraint(&self) -> Option<(ConstraintId, bool)> {
        constraint(&self.wait, self.looks, self.trapping)
    }

    /// The stamp of an effect of this step.
    #[inline]
    pub(crate) fn stamp_of(&self, effect: u32) -> u32 {
        match effect.checked_sub(self.own_stamps_from) {
            None => self.stamp,
            Some(nth) => self.effects_stamp + nth,
        }
    }

    /// The highest stamp of the step and its effects.
    pub(super) fn highest_stamp(&self) -> u32 {
        match self.done.checked_sub(1) {
            Some(last) if last >= self.first => self.stamp_of(last).max(self.stamp),
            _ => self.stamp,
        }
    }

    /// The events of its process before an effect of this step.
    #[inline]
    pub(crate) fn events_before(&self, effect: u32) -> u32 {
        let input = u32::from(self.pick != Pick::GoOn);
        self.event + input + (effect - self.first)
    }

    /// The effects of this step that came after a *silent* check: no signal waited, so the step did
    /// not end there.
    #[inline]
    pub(crate) fn silent_checks(&self) -> Range<u32> {
        let from = match self.pick {
            Pick::GoOn => self.first + 1,
            _ => self.own_stamps_from,
        };
        from.min(self.done)..self.done
    }

    /// The timeout of the receive that the step leads to, if it has one.
    pub(crate) fn timeout_ms(&self) -> Option<u64> {
        match self.wait {
            Wait::Receive { timeout_ms, .. } => timeout_ms,
            _ => None,
        }
    }
}
