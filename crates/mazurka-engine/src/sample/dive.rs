//! Knuth's estimator of the size of a tree (1975), for the tree that the optimal algorithm walks
//! through.
//!
//! A dive starts at the root and goes from child to child, each as likely as its siblings. The weight
//! of a node is the product of the numbers of siblings on the way to it. The sum of the weights of
//! the traces that a dive visits is, on average, the number of traces in the whole tree. The children
//! of a graph are the race variants of its newest step and the candidates of the next process; a
//! complete graph is a trace and may have variants as well.

use super::random::Random;
use crate::candidates::Candidates;
use crate::frontend::{Fault, Frontend};
use crate::graph::{Pick, Slot};
use crate::guide::Guide;
use crate::turns::Turns;
use crate::variant::{Variant, Variants};
use crate::world::{Next, World};
use std::ops::ControlFlow;

/// How a dive ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Dived {
    /// It represents this many traces.
    Traces(f64),
    /// The observer wants to stop.
    Stopped,
}

/// Makes dives. Its buffers are reused.
#[derive(Default)]
pub(super) struct Diver {
    turns: Turns,
    candidates: Candidates,
    variants: Variants,
    /// The variants of the current graph.
    sideways: Vec<Variant>,
}

/// How the current graph continues.
enum Onwards {
    /// It is complete, or cut short.
    End,
    /// A process publishes its end, before any timeout fires.
    PublishEnd,
    /// By a timeout of this process, because nothing else can happen.
    Quiet(Slot),
    /// By one of the candidates of this process.
    Candidates(Slot),
}

impl Diver {
    /// Dives once.
    pub(super) fn dive<F: Frontend>(
        &mut self,
        world: &mut World<F>,
        guide: &impl Guide,
        random: &mut Random,
        mut go_on: impl FnMut(&World<F>) -> ControlFlow<()>,
    ) -> Result<Dived, Fault> {
        world.begin_walk(true);
        world.evict();
        let mut stands_for = 1.0;
        let mut traces = 0.0;
        let mut is_new = false;
        loop {
            if go_on(world) == ControlFlow::Break(()) {
                return Ok(Dived::Stopped);
            }
            self.sideways.clear();
            if is_new {
                let World {
                    graph, behaviours, ..
                } = &mut *world;
                self.variants.of_last_step(graph, behaviours, guide)?;
                self.sideways.append(&mut self.variants.found);
            }
            let onwards = onwards(world, &mut self.turns, guide);
            let forward = match onwards {
                Onwards::End => {
                    traces += stands_for;
                    0
                }
                Onwards::PublishEnd | Onwards::Quiet(_) => 1,
                Onwards::Candidates(slot) => self.list(world, guide, slot)?,
            };
            let children = forward + self.sideways.len();
            if children == 0 {
                return Ok(Dived::Traces(traces));
            }
            stands_for *= children as f64;
            let chosen = random.below(children);
            is_new = true;
            match (chosen.checked_sub(forward), onwards) {
                (Some(at), _) => self.go_sideways(world, at)?,
                (None, Onwards::Candidates(slot)) => {
                    world.step(slot, self.candidates.picks[chosen])?;
                }
                (None, Onwards::Quiet(slot)) => world.step(slot, Pick::QuietTimeout)?,
                (None, Onwards::PublishEnd) => {
                    world.publish_end()?;
                    is_new = false; // no receive could have consumed it earlier
                }
                (None, Onwards::End) => unreachable!("an end has nothing forward"),
            }
        }
    }

    /// Lists the candidates of a process, and the variants to which only ruled-out candidates lead.
    /// Returns the number of candidates.
    fn list<F: Frontend>(
        &mut self,
        world: &mut World<F>,
        guide: &impl Guide,
        slot: Slot,
    ) -> Result<usize, Fault> {
        world.list(slot, &mut self.candidates)?;
        for pick in std::mem::take(&mut self.candidates.ruled_out) {
            world.peek(slot, pick, |graph, behaviours| {
                self.variants.of_ruled_out_step(graph, behaviours, guide)
            })?;
            self.sideways.append(&mut self.variants.found);
        }
        Ok(self.candidates.picks.len())
    }

    fn go_sideways<F: Frontend>(&mut self, world: &mut World<F>, at: usize) -> Result<(), Fault> {
        let Variant { keep, entries } = self.sideways.swap_remove(at);
        world.truncate(keep);
        world.evict();
        entries.into_iter().try_for_each(|entry| world.apply(entry))
    }
}

fn onwards<F: Frontend>(world: &mut World<F>, turns: &mut Turns, guide: &impl Guide) -> Onwards {
    match world.next(turns, guide) {
        None => Onwards::End,
        Some(_) if world.is_cut() => Onwards::End,
        Some(Next::Demand(slot)) => Onwards::Candidates(slot),
        Some(Next::QuietTimeout(_)) if world.has_unpublished_end() => Onwards::PublishEnd,
        Some(Next::QuietTimeout(slot)) => Onwards::Quiet(slot),
    }
}
