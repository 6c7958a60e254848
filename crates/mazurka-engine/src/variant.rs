//! Race variants of the current graph that have it as their one rightful parent.
//!
//! When a step is new, each message that it sends may be consumed by a receive that was
//! there before and did not happen before it. The variant keeps what came before that
//! receive and the causal past of the new step, and drops the rest. Many executions lead to
//! the same variant; it belongs to the one in which everything that is dropped was
//! *canonical*: the choice that would be made first if it were made again.

use crate::behaviour::Behaviours;
use crate::candidates::Candidates;
use crate::choose::is_first;
use crate::cut::Before;
use crate::frontend::Frontend;
use crate::graph::{Entry, Graph, Pick, Placed, Slot};
use crate::guide::Guide;
use smallvec::SmallVec;

/// A variant: the first `keep` steps of the path stay, these follow.
pub(crate) struct Variant {
    pub keep: usize,
    pub entries: SmallVec<[Entry; 1]>,
}

/// Finds variants; keeps its memory from one step to the next.
#[derive(Default)]
pub(crate) struct Variants {
    candidates: Candidates,
    /// Per place in the path: whether the step is canonical, once that has been asked.
    canonical: Vec<Option<bool>>,
    pub found: Vec<Variant>,
}

impl Variants {
    /// Lists the variants that the last step of the path gives rise to.
    pub(crate) fn of_last_step<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
    ) {
        self.found.clear();
        let Some(last) = graph.path().last() else {
            return;
        };
        let process = graph.process(last.slot);
        let newest = process.steps.last().expect("the path says so");
        if newest.sends_before as usize == process.sends.len() && !newest.publishes {
            return;
        }
        self.canonical.clear();
        let past = graph.clock(newest);
        for nth in newest.sends_before as usize..process.sends.len() {
            let (target, at) = process.sends[nth];
            if target == crate::graph::NONE {
                continue;
            }
            let receiver = graph.process(target);
            let message = &receiver.inbox[at as usize];
            let known = past.known(target);
            for (index, receive) in receiver.steps.iter().enumerate().rev() {
                if receive.event < known {
                    break;
                }
                if let Some(cursor) = graph.cursor(behaviours, target, index)
                    && Graph::wants(behaviours, &cursor, message.value)
                {
                    let pick = graph.pick_of(message);
                    self.consider(graph, behaviours, guide, target, index, pick);
                }
            }
        }
        if newest.publishes {
            let version = Pick::Version(last.index + 1);
            for read in process.reads.iter().filter(|read| !read.still) {
                let (reader, index) = (read.reader, read.step as usize);
                if !Graph::in_past(past, reader, &graph.process(reader).steps[index]) {
                    self.consider(graph, behaviours, guide, reader, index, version);
                }
            }
        }
    }

    /// Lists the variants in which somebody who has read this object reads it only after the last
    /// step of the path, which is not possible but for that.
    pub(crate) fn of_ruled_out_step<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
    ) {
        self.found.clear();
        self.canonical.clear();
        let Some(last) = graph.path().last() else {
            return;
        };
        let process = graph.process(last.slot);
        let newest = process.steps.last().expect("the path says so");
        let past = graph.clock(newest);
        let version = Pick::Version(last.index + 1);
        for read in process.reads.iter().filter(|read| !read.still) {
            let (reader, index) = (read.reader, read.step as usize);
            let reread = &graph.process(reader).steps[index];
            if Graph::in_past(past, reader, reread) {
                continue;
            }
            let kept = Before {
                stamp: reread.stamp,
                past,
                newest: (last.slot, last.index),
                with_sends: false,
            };
            self.candidates
                .list(graph, behaviours, &kept, last.slot, last.index as usize);
            if self.candidates.picks.contains(&last.entry.pick) {
                self.consider(graph, behaviours, guide, reader, index, version);
            }
        }
    }

    /// The variant in which the step of `slot` at `index` consumes `pick`, if it is ours.
    fn consider<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
        slot: Slot,
        index: usize,
        pick: Pick,
    ) {
        let last = graph.path().last().expect("called for a last step");
        let newest = graph.process(last.slot).steps.last().expect("it exists");
        let past = graph.clock(newest);
        let reread = &graph.process(slot).steps[index];
        let kept = Before {
            stamp: reread.stamp,
            past,
            newest: (last.slot, last.index),
            with_sends: true,
        };
        self.candidates.list(graph, behaviours, &kept, slot, index);
        if !self.candidates.picks.contains(&pick) {
            return;
        }
        let stays = |placed: &Placed| {
            let step = &graph.process(placed.slot).steps[placed.index as usize];
            step.stamp < reread.stamp || Graph::in_past(past, placed.slot, step)
        };
        let mut keep = None;
        for (at, placed) in graph.path().iter().enumerate() {
            if !stays(placed) {
                keep.get_or_insert(at);
                if !self.is_canonical(graph, behaviours, guide, at) {
                    return;
                }
            }
        }
        let keep = keep.expect("the step that is re-read goes");
        let mut entries: SmallVec<[Entry; 1]> = SmallVec::new();
        let kept = graph.path()[keep..].iter().filter(|placed| stays(placed));
        entries.extend(kept.map(|placed| placed.entry));
        // An earlier step now depends on the newest one: nothing may drop it any more. That
        // also keeps all that the newest step depends on: a variant that drops a step of its
        // past drops what happened after that, and so the newest step too. And it rules out
        // that the re-read step and the sender of what it reads are dropped together.
        entries.last_mut().expect("the newest step stays").fixed = true;
        entries.push(Entry {
            pid: graph.process(slot).pid,
            pick,
            stamp: reread.stamp,
            fixed: false,
            flipped: true,
        });
        self.found.push(Variant { keep, entries });
    }

    /// Whether a step would be done in the same way if it were done after what it leaves
    /// behind: all that is stamped before it, and the past and input of the newest step.
    fn is_canonical<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
        at: usize,
    ) -> bool {
        if self.canonical.len() <= at {
            self.canonical.resize(graph.path().len(), None);
        }
        if let Some(known) = self.canonical[at] {
            return known;
        }
        let placed = graph.path()[at];
        let process = graph.process(placed.slot);
        let step = &process.steps[placed.index as usize];
        let canonical = !step.fixed && {
            let last = graph.path().last().expect("called for a last step");
            let newest = graph.process(last.slot).steps.last().expect("it exists");
            let cut = Before {
                stamp: step.stamp,
                past: graph.clock(newest),
                newest: (last.slot, last.index),
                with_sends: false,
            };
            let index = placed.index as usize;
            self.candidates
                .list(graph, behaviours, &cut, placed.slot, index);
            let (demand, picks) = ((placed.slot, index), &self.candidates.picks);
            is_first(graph, behaviours, guide, demand, step.pick, picks)
        };
        self.canonical[at] = Some(canonical);
        canonical
    }
}
