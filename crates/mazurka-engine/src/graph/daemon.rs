//! Timers of daemons: which of them fire, and when an execution ends although some have not.
//!
//! The timer of a daemon may fire for ever; an execution must end. So each step of a daemon has a
//! *run*: the number of consecutive timeouts of daemons that led to it, counted from the last step of a
//! process that is no daemon. A step that starts a daemon or receives a message has the run of the
//! step that spawned it or sent the message; a timeout of a daemon has one more than the step before
//! it; the step of a courier has the run of the end that it makes known;
//! every other step has the run of the step before it; and all steps of processes that are no
//! daemons have run 0. A daemon that is at work ([`Mode::Busy`](crate::Mode::Busy)) is still one
//! here: a server that does something at every tick would otherwise tick for ever.
//! A poll, `after 0`, is not a timeout here.
//!
//! - While the run is 0, a daemon's timeout fires like that of any other process. After that it
//!   waits until nothing else can happen, however short it is.
//! - When nothing else can happen, time advances if a process that is no daemon waits with a
//!   timeout. It also advances if a process that is no daemon has not ended and a daemon with a run
//!   below [`RUN_MAX`] waits with a timeout: the daemon may be working for that process. A daemon
//!   that is at work, with such a run, counts as a process that has not ended. Otherwise the
//!   execution is over. It is also over if a process has halted.
//!
//! The run depends only on what happened before a step, and the end only on the graph, so neither
//! depends on the order of the exploration.

use super::step::{Pick, Step};
use super::{Graph, NONE, Slot};
use crate::behaviour::Wait;

/// Number of consecutive timeouts of daemons that a process that is no daemon may wait for.
const RUN_MAX: u32 = 5;

impl Graph {
    /// The run of a step of a daemon that is about to be added: its pick, and the message consumed.
    /// `was_daemon`: whether its process was a daemon when it made the demand that the step answers.
    pub(super) fn run(&self, slot: Slot, (pick, consumed): (Pick, u32), was_daemon: bool) -> u32 {
        let process = self.process(slot);
        let before = process.steps.last();
        let own = before.map_or(0, |last| last.run);
        match pick {
            Pick::Start => {
                let (parent, parent_step, _) = process.parent;
                match parent {
                    NONE => own,
                    parent => self.process(parent).steps[parent_step as usize].run,
                }
            }
            Pick::Message { .. } if before.is_none_or(Step::receives) => {
                let message = &process.inbox[consumed as usize];
                let sender = &self.process(message.sender).steps;
                sender.get(message.step as usize).map_or(0, |sent| sent.run)
            }
            Pick::Timeout | Pick::QuietTimeout => {
                let is_poll = before.and_then(Step::timeout_ms) == Some(0);
                own.saturating_add(u32::from(was_daemon && !is_poll))
            }
            Pick::Version(version) if process.awaits != NONE => {
                self.process(process.awaits).steps[version as usize - 1].run
            }
            Pick::Message { .. } | Pick::GoOn | Pick::Version(_) | Pick::Choice(_) => own,
        }
    }

    /// Whether the timeout of the receive that this step leads to may fire at any time.
    #[inline]
    #[must_use]
    pub fn any_time(&self, step: &Step) -> bool {
        step.timeout_ms().is_some_and(|timeout_ms| {
            self.timeouts.any_time(timeout_ms)
                && (timeout_ms == 0 || !step.patient && !self.follows_daemon_timeouts(step))
        })
    }

    /// Whether that timeout waits until nothing else can happen.
    pub(super) fn when_quiet(&self, step: &Step) -> bool {
        step.timeout_ms().is_some_and(|timeout_ms| {
            self.timeouts.when_quiet(timeout_ms)
                || timeout_ms > 0
                    && self.timeouts.any_time(timeout_ms)
                    && (step.patient || self.follows_daemon_timeouts(step))
        })
    }

    /// Whether timeouts of daemons have led to this step of a daemon.
    fn follows_daemon_timeouts(&self, step: &Step) -> bool {
        step.run > 0 && !self.ignore_daemon_runs
    }

    /// Whether the execution continues with a timeout when nothing else can happen.
    pub(super) fn continues_when_quiet(&self) -> bool {
        let mut ordinary_waits = false;
        let mut others_wait = false;
        let mut daemons_work = false;
        for (slot, process) in (0..).zip(self.processes()) {
            let Some(last) = process.steps.last() else {
                continue;
            };
            if process.is_object || self.has_ended(slot) {
                continue;
            }
            if last.mode.has_halted() {
                return false;
            }
            let waits = self.when_quiet(last) && !last.looks;
            if last.mode.is_daemon() {
                let is_recent = last.run < RUN_MAX;
                daemons_work |= waits && is_recent;
                others_wait |= is_recent && !last.mode.may_wait();
            } else if waits {
                ordinary_waits = true;
            } else {
                others_wait = true;
            }
        }
        ordinary_waits || others_wait && daemons_work
    }

    /// The daemons whose timers had not fired when the execution was over.
    pub(crate) fn stopped_daemons(&self) -> impl Iterator<Item = Slot> + '_ {
        let candidates = match self.has_timeouts() {
            true => self.processes(),
            false => &[],
        };
        let stopped = (0..).zip(candidates).filter(|(_, process)| {
            process.steps.last().is_some_and(|last| {
                last.mode.is_daemon() && !process.is_object && !last.looks && self.when_quiet(last)
            })
        });
        stopped.map(|(slot, _)| slot)
    }
}

impl Step {
    /// Whether the step leads to a receive, of a process or of an object that serves.
    fn receives(&self) -> bool {
        !self.looks && matches!(self.wait, Wait::Receive { .. } | Wait::Serve)
    }
}
