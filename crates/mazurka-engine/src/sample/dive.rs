//! Knuth's estimator of the size of a tree (1975), for the tree that the optimal algorithm walks
//! through.
//!
//! A dive starts at the root and goes on to one child after the other, each as likely as its
//! siblings. A node that it meets stands for as many as the numbers of siblings on the way to it
//! multiply to. So the traces that a dive meets, each times what it stands for, are on average as
//! many as there are in the whole tree. The children of a graph are the race variants of its newest
//! step and what the next process could consume; a complete graph is a trace and may have variants
//! as well.

use super::ground::Ground;
use super::random::Random;
use crate::candidates::Candidates;
use crate::choose::next;
use crate::cut::Everything;
use crate::frontend::{Fault, Frontend};
use crate::graph::{Entry, Pick, Slot};
use crate::guide::Guide;
use crate::variant::{Variant, Variants};
use std::ops::ControlFlow;

/// What came of a dive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Dived {
    /// It stands for so many traces.
    Traces(f64),
    /// Something should have been known from the beginning, and now is. Dives made before were
    /// into another tree.
    Surprised,
    /// Somebody wants to stop.
    Stopped,
}

/// Dives; keeps its memory from one to the next.
#[derive(Default)]
pub(super) struct Diver {
    candidates: Candidates,
    variants: Variants,
    /// The variants of the current graph.
    sideways: Vec<Variant>,
}

/// How the current graph goes on.
enum Onwards {
    /// It does not.
    End,
    /// An end that nobody has asked about is noticed, before any timeout fires.
    NoticeEnd,
    /// By a timeout of this process, since nothing else can happen.
    Quiet(Slot),
    /// By one of the candidates of this process.
    Candidates(Slot),
}

impl Diver {
    /// Dives once.
    pub(super) fn dive<F: Frontend>(
        &mut self,
        ground: &mut Ground<F>,
        guide: &impl Guide,
        random: &mut Random,
        mut go_on: impl FnMut(&Ground<F>) -> ControlFlow<()>,
    ) -> Result<Dived, Fault> {
        ground.rewind();
        let mut stands_for = 1.0;
        let mut traces = 0.0;
        let mut is_new = false;
        loop {
            if ground.is_surprised() {
                return Ok(Dived::Surprised);
            }
            if go_on(ground) == ControlFlow::Break(()) {
                return Ok(Dived::Stopped);
            }
            self.sideways.clear();
            if is_new {
                let Ground {
                    graph, behaviours, ..
                } = &mut *ground;
                self.variants.of_last_step(graph, behaviours, guide)?;
                self.sideways.append(&mut self.variants.found);
            }
            let onwards = onwards(ground, guide);
            let forward = match onwards {
                Onwards::End => {
                    traces += stands_for;
                    0
                }
                Onwards::NoticeEnd | Onwards::Quiet(_) => 1,
                Onwards::Candidates(slot) => self.list(ground, guide, slot)?,
            };
            let children = forward + self.sideways.len();
            if children == 0 {
                return Ok(Dived::Traces(traces));
            }
            stands_for *= children as f64;
            let chosen = random.below(children);
            is_new = true;
            match (chosen.checked_sub(forward), onwards) {
                (Some(at), _) => self.go_sideways(ground, at)?,
                (None, Onwards::Candidates(slot)) => {
                    ground.step(slot, self.candidates.picks[chosen])?;
                }
                (None, Onwards::Quiet(slot)) => ground.step(slot, Pick::QuietTimeout)?,
                (None, Onwards::NoticeEnd) => {
                    ground.notice_an_end()?;
                    is_new = false; // nothing that anybody could have received earlier
                }
                (None, Onwards::End) => unreachable!("an end has nothing forward"),
            }
        }
    }

    /// Lists the candidates of a process, and the variants that only candidates lead to that are
    /// ruled out; how many candidates there are.
    fn list<F: Frontend>(
        &mut self,
        ground: &mut Ground<F>,
        guide: &impl Guide,
        slot: Slot,
    ) -> Result<usize, Fault> {
        let process = ground.graph.process(slot);
        let (pid, index) = (process.pid, process.steps.len());
        let Ground {
            graph, behaviours, ..
        } = &mut *ground;
        self.candidates
            .list(graph, behaviours, &Everything, slot, index)?;
        for pick in std::mem::take(&mut self.candidates.ruled_out) {
            let entry = Entry::new(pid, pick, graph.next_stamp());
            graph.apply(behaviours, entry)?;
            self.variants.of_ruled_out_step(graph, behaviours, guide)?;
            graph.undo(behaviours);
            self.sideways.append(&mut self.variants.found);
        }
        Ok(self.candidates.picks.len())
    }

    fn go_sideways<F: Frontend>(&mut self, ground: &mut Ground<F>, at: usize) -> Result<(), Fault> {
        let Variant { keep, entries } = self.sideways.swap_remove(at);
        ground.back_to(keep);
        ground.make_room();
        entries
            .into_iter()
            .try_for_each(|entry| ground.apply(entry))
    }
}

fn onwards<F: Frontend>(ground: &Ground<F>, guide: &impl Guide) -> Onwards {
    let Ground {
        graph, behaviours, ..
    } = ground;
    let mover = next(graph, behaviours, guide, graph.enabled());
    let due = || next(graph, behaviours, guide, graph.next_due());
    match (mover, mover.is_none().then(due).flatten()) {
        (None, None) => Onwards::End,
        _ if ground.is_cut() => Onwards::End,
        (Some(slot), _) => Onwards::Candidates(slot),
        (None, Some(_)) if graph.unnoticed_ends().next().is_some() => Onwards::NoticeEnd,
        (None, Some(slot)) => Onwards::Quiet(slot),
    }
}
