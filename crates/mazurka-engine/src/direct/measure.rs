//! Distances compared with what happened: tests of front-ends check that distances are lower bounds.

use crate::frontend::Frontend;
use crate::graph::Slot;
use crate::message::Reason;
use crate::view::Execution;

/// The distance that a process reported before it crashed, and how far it was from that in fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The process.
    pub process: String,
    /// Why it crashed.
    pub reason: String,
    /// The [distance](crate::Hints::distance) that it reported.
    pub distance: Option<u32>,
    /// The number of its visible operations that followed: inputs and actions.
    pub operations: u32,
}

impl<F: Frontend> Execution<'_, F> {
    /// For each process that has crashed and for each of its states before, the distance that it
    /// reported.
    #[must_use]
    pub fn measured_distances(&self) -> Vec<Measured> {
        let slots = 0..self.graph.processes().len() as Slot;
        slots.flat_map(|slot| self.measured(slot)).collect()
    }

    fn measured(&self, slot: Slot) -> Vec<Measured> {
        let steps = &self.graph.process(slot).steps;
        let node = |at: usize| self.behaviours.node(steps[at].node);
        let last = steps.len().checked_sub(1);
        let is_crash = |at: usize| {
            let end = node(at).end();
            matches!(end, Some(Reason::Crash(_) | Reason::Assertion(_)))
        };
        let Some(last) = last.filter(|&last| is_crash(last)) else {
            return Vec::new();
        };
        let mut operations = 0;
        let mut measured = Vec::new();
        for at in (0..last).rev() {
            let actions = node(at + 1).effects.iter();
            let actions = actions.filter(|effect| effect.is_action());
            operations += 1 + actions.count() as u32;
            measured.push(Measured {
                process: self.name(slot),
                reason: self.end(slot).unwrap_or_default(),
                distance: self.behaviours.distance(steps[at].node),
                operations,
            });
        }
        measured
    }
}
