//! Logical time: a lower bound of the time at which a step is made.
//!
//! It is 0 at the start and does not change while anything can happen. Then it becomes the earliest
//! deadline of the *quiet* timeouts, those that wait until nothing else can happen. A deadline is
//! the time at which the receive was demanded plus its timeout. All timeouts that are *due* then may
//! fire in any order. Like timeouts that may fire at any time, they race with everything that
//! follows.
//!
//! There is no step for the change of time itself. The causal past of a timeout that is due
//! contains everything that was done before time became its deadline; of what was done since, only
//! what has led to the receive. Every later step has such a timeout in its causal past, because
//! nothing else could happen at that moment. So the time of a step, the latest among the steps in
//! its causal past, is also the one time that all processes share. But it depends only on what
//! happened before the step and not on the order in which steps are added, which the exploration
//! must not depend on.

use super::step::Pick;
use super::{ClockAt, Graph, NONE, Slot};
use crate::behaviour::Wait;
use smallvec::SmallVec;

/// A quiet timeout that has fired.
pub(super) struct Tick {
    /// The logical time.
    now_ms: u64,
    /// The processes that it enabled, because their timeouts are due as well. Empty unless it is
    /// the first one at this time.
    woken: SmallVec<[Slot; 2]>,
}

impl Graph {
    /// The logical time now.
    fn now_ms(&self) -> u64 {
        self.ticks.last().map_or(0, |tick| tick.now_ms)
    }

    /// The deadline of the demand before the `index`-th step of a process, if that is a receive with
    /// a quiet timeout.
    fn deadline_ms(&self, slot: Slot, index: usize) -> Option<u64> {
        let before = &self.process(slot).steps[index.checked_sub(1)?];
        let timeout_ms = before.timeout_ms()?;
        let waits = self.when_quiet(before) && !before.looks;
        waits.then(|| before.time_ms.saturating_add(timeout_ms))
    }

    /// Whether the timeout of the demand before the `index`-th step of a process may fire now.
    pub(super) fn times_out(&self, slot: Slot, index: usize) -> bool {
        let before = index.checked_sub(1).map(|at| &self.process(slot).steps[at]);
        before.is_some_and(|before| self.any_time(before)) || self.is_due(slot, index)
    }

    /// Whether a quiet timeout may fire, or could have fired, in the `index`-th step of a process:
    /// everything that could be done before has been done.
    pub(crate) fn is_due(&self, slot: Slot, index: usize) -> bool {
        let now_ms = match self.process(slot).steps.get(index) {
            Some(step) => step.time_ms,
            None => self.now_ms(),
        };
        self.deadline_ms(slot, index)
            .is_some_and(|deadline_ms| deadline_ms <= now_ms)
    }

    /// When nothing else can happen: the processes whose timeouts may fire next; none if the
    /// execution is over.
    #[must_use]
    pub fn next_due(&self) -> SmallVec<[Slot; 2]> {
        let mut due = SmallVec::new();
        if !self.has_timeouts() || !self.continues_when_quiet() {
            return due;
        }
        let mut earliest = u64::MAX;
        for (slot, process) in (0..).zip(self.processes()) {
            match self.deadline_ms(slot, process.steps.len()) {
                Some(deadline_ms) if deadline_ms <= earliest => {
                    if deadline_ms < earliest {
                        due.clear();
                    }
                    earliest = deadline_ms;
                    due.push(slot);
                }
                _ => {}
            }
        }
        due
    }

    /// Records that a quiet timeout has fired, and enables the others that are due.
    pub(super) fn tick(&mut self, slot: Slot) {
        let step = self.process(slot).steps.last().expect("it has fired");
        let now_ms = step.time_ms;
        let is_first = now_ms > self.now_ms() || self.ticks.is_empty();
        self.ticks.push(Tick {
            now_ms,
            woken: SmallVec::new(),
        });
        if !is_first {
            return;
        }
        for other in (0..).take(self.live) {
            let index = self.process(other).steps.len();
            if other != slot && !self.enabled.has(other) && self.is_due(other, index) {
                self.enabled.set(other, true);
                self.touch(other);
                let tick = self.ticks.last_mut().expect("just pushed");
                tick.woken.push(other);
            }
        }
    }

    /// Undoes the last [`tick`](Self::tick).
    pub(super) fn untick(&mut self) {
        let tick = self.ticks.pop().expect("the undone step has one");
        for slot in tick.woken {
            self.enabled.set(slot, false);
            self.touch(slot);
        }
    }

    /// Joins into the clock of a new step everything that was done before the time of that step.
    pub(super) fn join_all_before(&mut self, time_ms: u64, clock: &ClockAt) {
        for (slot, process) in (0..).zip(&self.processes[..self.live]) {
            let steps = &process.steps;
            let later = steps.partition_point(|step| step.time_ms < time_ms);
            let events = match steps.get(later) {
                Some(step) => step.event,
                None => u32::try_from(process.events.len()).expect("a short process"),
            };
            self.clocks.raise_entry(clock, slot, events);
        }
    }

    /// The logical time of a step that is about to be added: its pick, and the message consumed.
    #[inline]
    pub(super) fn time_ms(&self, slot: Slot, (pick, consumed): (Pick, u32)) -> u64 {
        if !self.has_timeouts() {
            return 0; // no time has passed yet
        }
        let process = self.process(slot);
        let before = process.steps.last();
        let own = before.map_or(0, |last| last.time_ms);
        match pick {
            Pick::Start => {
                let (parent, parent_step, _) = process.parent;
                match parent {
                    NONE => own,
                    parent => own.max(self.process(parent).steps[parent_step as usize].time_ms),
                }
            }
            Pick::Message { .. } => {
                let message = &process.inbox[consumed as usize];
                let sent = self
                    .process(message.sender)
                    .steps
                    .get(message.step as usize);
                own.max(sent.map_or(0, |sent| sent.time_ms))
            }
            Pick::Version(_) if process.awaits != NONE => {
                let before = self.before_courier(slot).into_iter().flatten();
                let times = before.map(|(slot, step, _)| {
                    let step = &self.process(slot).steps[step as usize];
                    step.time_ms
                });
                times.max().unwrap_or(0)
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
                let deadline_ms = self.deadline_ms(slot, process.steps.len());
                own.max(deadline_ms.unwrap_or(own))
            }
            // A log may list a quiet timeout as one that fires at any time.
            Pick::Timeout => match before {
                Some(last) if !self.any_time(last) => {
                    own.saturating_add(last.timeout_ms().unwrap_or(0))
                }
                _ => own,
            },
            Pick::GoOn | Pick::Choice(_) => own,
        }
    }
}
