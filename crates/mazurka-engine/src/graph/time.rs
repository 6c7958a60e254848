//! Logical time: how late it is when a step is made, as far as that can be known.
//!
//! It is 0 at the start. Only a timeout that waits until nothing else can happen takes time: it
//! fires at its deadline, which is its timeout after the time at which the receive was demanded.
//! Whatever else happens takes none.
//!
//! The time of a step is the latest among those of the steps in its causal past. A quiet timeout
//! has all steps before it in its past, and all steps after it have it in theirs: at that moment
//! nothing else could move, so whatever moves later was set in motion by it. So this is also the
//! one time that all processes share; but it depends on what happened before the step alone and
//! not on the order in which steps are added, which exploration must not look at.

use super::step::{Pick, Step};
use super::{Graph, NONE, Slot};
use crate::behaviour::Wait;

impl Graph {
    /// The logical time of a step that is about to be added.
    #[inline]
    pub(super) fn time_ms(&self, slot: Slot, step: &Step) -> u64 {
        if !self.has_timeouts() {
            return 0; // no time has passed yet
        }
        let process = self.process(slot);
        let before = process.steps.last();
        let own = before.map_or(0, |last| last.time_ms);
        match step.pick {
            Pick::Start => {
                let (parent, parent_step, _) = process.parent;
                match parent {
                    NONE => own,
                    parent => own.max(self.process(parent).steps[parent_step as usize].time_ms),
                }
            }
            Pick::Message { .. } => {
                let message = &process.inbox[step.consumed as usize];
                let sent = self
                    .process(message.sender)
                    .steps
                    .get(message.step as usize);
                own.max(sent.map_or(0, |sent| sent.time_ms))
            }
            Pick::Version(version) => {
                let Some(Wait::Read { object }) = before.map(|last| last.wait) else {
                    return own;
                };
                let object = self.slot(object).map(|object| self.process(object));
                let published = object.zip((version as usize).checked_sub(1));
                own.max(published.map_or(0, |(object, at)| object.steps[at].time_ms))
            }
            Pick::QuietTimeout => {
                let all = self
                    .processes()
                    .iter()
                    .filter_map(|other| other.steps.last());
                let latest = all.map(|last| last.time_ms).max().unwrap_or(0);
                latest.max(before.and_then(Step::deadline_ms).unwrap_or(own))
            }
            // A log may let a timeout fire that would have waited for quiet.
            Pick::Timeout => match before.map(|last| last.wait) {
                Some(Wait::Receive {
                    timeout_ms: Some(timeout_ms),
                    ..
                }) if !self.timeouts.any_time(timeout_ms) => own.saturating_add(timeout_ms),
                _ => own,
            },
            Pick::GoOn | Pick::Choice(_) => own,
        }
    }
}
