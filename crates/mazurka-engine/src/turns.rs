//! Choosing the next process among many: a tournament tree of the guide's keys.
//!
//! The key of a process depends on that process alone. So between two choices only the keys of
//! processes that were touched change, and each update costs one path of the tree.

use crate::behaviour::Behaviours;
use crate::choose::{give_way, later, next};
use crate::frontend::Frontend;
use crate::graph::{Graph, NONE, Slot};
use crate::guide::{Guide, Standing};
use std::cmp::Ordering;

/// Among up to this many enabled processes, the next one is found by comparing all of them.
const SCAN_MAX: usize = 64;

/// Chooses the process that runs next in a graph, at every step.
#[derive(Default)]
pub(crate) struct Turns {
    /// By slot; not used for processes that are not enabled.
    keys: Vec<u64>,
    /// The tree: the winner of all slots at 1, the winners of the two halves at 2 and 3, and so on
    /// down to the slots themselves. [`NONE`] where no process is enabled.
    winners: Vec<Slot>,
    /// Scratch buffer, reused between choices.
    touched: Vec<Slot>,
}

impl Turns {
    /// The enabled process that runs next.
    pub(crate) fn next<F: Frontend>(
        &mut self,
        graph: &mut Graph,
        behaviours: &Behaviours<F>,
        guide: &impl Guide,
    ) -> Option<Slot> {
        if graph.processes().len() <= SCAN_MAX || graph.enabled_count() <= SCAN_MAX {
            return next(graph, behaviours, guide, graph.enabled());
        }
        self.update(graph, behaviours, guide);
        let in_turn = self.winners[1];
        give_way(graph, behaviours, guide, in_turn, graph.enabled())
    }

    /// Updates the tree to the current graph.
    fn update<F: Frontend>(
        &mut self,
        graph: &mut Graph,
        behaviours: &Behaviours<F>,
        guide: &impl Guide,
    ) {
        let mut touched = std::mem::take(&mut self.touched);
        let is_known = graph.take_touched(&mut touched);
        let live = graph.processes().len();
        if is_known && live <= self.keys.len() {
            // Slots beyond the tournament were in use in between and are free again.
            let leaves = self.keys.len();
            let within = { touched.iter() }.filter(|&&slot| (slot as usize) < leaves);
            for &slot in within {
                self.set(graph, behaviours, guide, slot);
                let mut at = (self.keys.len() + slot as usize) / 2;
                while at > 0 {
                    self.play(graph, behaviours, at);
                    at /= 2;
                }
            }
        } else {
            let leaves = live.next_power_of_two();
            self.keys.clear();
            self.keys.resize(leaves, 0);
            self.winners.clear();
            self.winners.resize(2 * leaves, NONE);
            (0..live as Slot).for_each(|slot| self.set(graph, behaviours, guide, slot));
            (1..leaves)
                .rev()
                .for_each(|at| self.play(graph, behaviours, at));
        }
        self.touched = touched;
    }

    /// Enters a process with its key, if it is enabled.
    fn set<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &Behaviours<F>,
        guide: &impl Guide,
        slot: Slot,
    ) {
        let leaf = self.keys.len() + slot as usize;
        self.winners[leaf] = NONE;
        if graph.is_enabled(slot) {
            self.winners[leaf] = slot;
            self.keys[slot as usize] = guide.process_key(&Standing {
                graph,
                behaviours,
                slot,
            });
        }
    }

    /// Finds the winner of one match.
    fn play<F: Frontend>(&mut self, graph: &Graph, behaviours: &Behaviours<F>, at: usize) {
        let (a, b) = (self.winners[2 * at], self.winners[2 * at + 1]);
        self.winners[at] = match (a, b) {
            (NONE, one) | (one, NONE) => one,
            (a, b) => {
                let key = |slot: Slot| self.keys[slot as usize];
                let order = key(a).cmp(&key(b));
                match order.then_with(|| later(graph, behaviours, a, b)) {
                    Ordering::Greater => b,
                    _ => a,
                }
            }
        };
    }
}
