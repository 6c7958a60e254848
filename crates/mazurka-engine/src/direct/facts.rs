//! What valuations look at, kept up to date step by step.

use crate::behaviour::Behaviours;
use crate::frontend::Frontend;
use crate::graph::{Entry, Graph, Pick, Slot};
use crate::guide::mix;

/// Facts about a beginning of an execution. They do not depend on the order of its steps, but for
/// the switches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    /// Its steps.
    pub steps: u32,
    /// Those of them that receive a message.
    pub matched: u32,
    /// Those that receive from anyone.
    pub from_anyone: u32,
    /// Polls that were repeated though nothing had come.
    pub polls: u32,
    /// How often another process went on.
    pub switches: u32,
    /// The processes of which a race was turned round, as a set of bits.
    flipped: u64,
    /// How many steps each process has done, as one number.
    pub counts: u64,
    /// The same, whoever has done them.
    pub counts_of_any: u64,
    /// The least number of steps to an error.
    pub distance: Option<u32>,
    last: Option<Slot>,
}

impl Facts {
    /// In how many processes a race was turned round.
    pub(crate) fn flips(&self) -> u32 {
        self.flipped.count_ones()
    }

    /// One more step: the `index`-th of `slot`, which is done as `entry` says.
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
            self.flipped |= 1 << (process.pid.index() % 64);
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

/// The facts after every step of the current path, as far as somebody asked.
#[derive(Default)]
pub(crate) struct Running {
    after: Vec<Facts>,
}

impl Running {
    /// The path has only its first steps left.
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
