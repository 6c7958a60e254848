//! What valuations measure, updated step by step.

use crate::behaviour::Behaviours;
use crate::frontend::Frontend;
use crate::graph::{Entry, Graph, Pick, Slot};
use crate::guide::mix;

/// Facts about a prefix. All but `switches` are independent of the order of its steps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    /// Number of steps.
    pub steps: u32,
    /// Messages received by processes.
    pub matched: u32,
    /// Receives that take a message from any sender.
    pub from_anyone: u32,
    /// Timeouts directly after another timeout of the same process.
    pub polls: u32,
    /// Steps by another process than the step before.
    pub switches: u32,
    /// The processes of which a race was reversed, as a set of bits.
    flipped: u64,
    /// Hash of the number of steps of each process.
    pub counts: u64,
    /// Hash of the multiset of these numbers, without the processes.
    pub counts_of_any: u64,
    /// Sum of the distances to an error that the processes have reported.
    pub distance: u32,
    last: Option<Slot>,
}

impl Facts {
    /// Number of processes of which a race was reversed.
    pub(crate) fn flips(&self) -> u32 {
        self.flipped.count_ones()
    }

    /// Adds a step: the `index`-th of `slot`, with the input that `entry` names.
    pub(crate) fn add<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &Behaviours<F>,
        slot: Slot,
        index: usize,
        entry: &Entry,
    ) {
        let process = graph.process(slot);
        self.steps += 1;
        if entry.flipped {
            self.flipped |= 1 << (behaviours.pids.identity(process.pid) % 64);
        }
        if process.is_object {
            return;
        }
        match entry.pick {
            Pick::Message { .. } => {
                self.matched += 1;
                let anyone = graph.takes_from_anyone(behaviours, slot, index);
                self.from_anyone += u32::from(anyone);
            }
            Pick::Timeout => {
                let before = index.checked_sub(1).map(|before| &process.steps[before]);
                let again = before.is_some_and(|before| before.pick == Pick::Timeout);
                self.polls += u32::from(again);
            }
            _ => {}
        }
        self.switches += u32::from(self.last.replace(slot) != Some(slot));
        let done = index as u64;
        let count = |count: u64| mix(count ^ 0x5eed);
        let step = mix(behaviours.pids.identity(process.pid) ^ mix(done));
        self.counts = self.counts.wrapping_add(step);
        let changed = count(done + 1).wrapping_sub(count(done));
        self.counts_of_any = self.counts_of_any.wrapping_add(changed);
    }
}

/// The facts after each step of the current path, computed on demand.
#[derive(Default)]
pub(crate) struct Running {
    after: Vec<Facts>,
}

impl Running {
    /// Keeps the facts of the first `steps` steps only.
    pub(crate) fn truncate(&mut self, steps: usize) {
        self.after.truncate(steps);
    }

    /// The facts after the first `steps` steps of the path.
    pub(crate) fn facts<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &Behaviours<F>,
        steps: usize,
    ) -> Facts {
        while self.after.len() < steps {
            let placed = &graph.path()[self.after.len()];
            let mut facts = self.after.last().copied().unwrap_or_default();
            let index = placed.index as usize;
            facts.add(graph, behaviours, placed.slot, index, &placed.entry);
            self.after.push(facts);
        }
        match steps {
            0 => Facts::default(),
            steps => self.after[steps - 1],
        }
    }
}
