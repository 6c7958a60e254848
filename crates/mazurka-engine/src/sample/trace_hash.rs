//! A hash of a trace. Executions that differ only in the order of independent steps have the same
//! hash; others have different hashes, except for rare collisions.

use crate::behaviour::Wait;
use crate::frontend::Frontend;
use crate::graph::{Pick, Slot};
use crate::guide::mix;
use crate::message::{Content, Request};
use crate::view::Execution;

impl<F: Frontend> Execution<'_, F> {
    /// The hash of this trace: the same in every explorer of the program.
    pub(crate) fn trace_hash(&self) -> u64 {
        let identity = |pid| self.behaviours.pids.identity(pid);
        let mut all = 0_u64;
        for (slot, process) in (0..).zip(self.graph.processes()) {
            // Every execution with this end and this tie has this courier.
            if self.graph.awaits(slot).is_some() {
                continue;
            }
            let mut consumed = mix(identity(process.pid));
            let mut is_of_interest = !process.is_object;
            for index in 0..process.steps.len() {
                if let Some(input) = self.input_hash(slot, index) {
                    consumed = mix(consumed ^ input);
                    is_of_interest |= input != DIED;
                }
            }
            // A liveness object that only recorded the end adds nothing: every process may have one.
            if is_of_interest {
                // A sum, because processes may be in any order.
                all = all.wrapping_add(consumed);
            }
        }
        all
    }

    /// A hash of what a step consumes; `None` if that follows from the other inputs.
    fn input_hash(&self, slot: Slot, index: usize) -> Option<u64> {
        let process = self.graph.process(slot);
        let step = &process.steps[index];
        let identity = |pid| self.behaviours.pids.identity(pid);
        let before = || self.graph.cursor(self.behaviours, slot, index);
        match step.pick {
            // Whether a process makes signal checks depends on what has been explored so far.
            Pick::Start | Pick::GoOn => None,
            Pick::Timeout | Pick::QuietTimeout => Some(mix(2)),
            Pick::Choice(chosen) => Some(mix(3 | u64::from(chosen) << 8)),
            Pick::Version(version) => {
                let Wait::Read { object } = before()?.wait else {
                    return None;
                };
                let changes = self.changes_before(self.graph.slot(object)?, version);
                Some(mix(4 | u64::from(changes) << 8) ^ identity(object))
            }
            Pick::Message { .. } => {
                let message = &process.inbox[step.consumed as usize];
                match self.behaviours.values.content(message.value) {
                    Content::Answer(_) => None,
                    Content::Request { by, request } => Some(match request {
                        Request::Die(_) => DIED,
                        _ => mix(5 ^ identity(*by)),
                    }),
                    _ => {
                        let killed = self.behaviours.node(step.node).was_killed();
                        let after = match killed {
                            true => before()?.done + 1,
                            false => 0,
                        };
                        let sender = self.graph.process(message.sender).pid;
                        let tag = mix(6 ^ identity(sender)) ^ u64::from(message.seq);
                        Some(mix(tag) ^ u64::from(after))
                    }
                }
            }
        }
    }
}

/// Input of a liveness object: its process has ended.
const DIED: u64 = 1;
