//! Race variants of the current graph that have it as their canonical parent.
//!
//! Each message that a new step sends may be consumed by an earlier receive that did not happen
//! before the step. In the variant that receive is *re-read*: it consumes the new message. The
//! variant keeps the steps stamped before that receive and the causal past of the new step, and
//! drops the rest. Many executions lead to the same variant. Only its canonical parent generates
//! it: the execution in which every dropped step is *canonical*, that is, consumed its first
//! candidate.

use crate::behaviour::Behaviours;
use crate::candidates::Candidates;
use crate::choose::is_first;
use crate::cut::Before;
use crate::frontend::{Fault, Frontend};
use crate::graph::{Entry, Graph, Pick, Placed, Slot};
use crate::guide::Guide;
use smallvec::SmallVec;

/// A variant: the first `keep` steps of the path, followed by these entries.
pub(crate) struct Variant {
    pub keep: usize,
    pub entries: SmallVec<[Entry; 1]>,
}

/// Finds variants. Its buffers are reused between steps.
#[derive(Default)]
pub(crate) struct Variants {
    candidates: Candidates,
    /// By index in the path: whether the step is canonical, if that has been computed.
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
    ) -> Result<(), Fault> {
        self.found.clear();
        let Some(last) = graph.path().last() else {
            return Ok(());
        };
        let process = graph.process(last.slot);
        let newest = process.steps.last().expect("the path says so");
        if newest.sends_before as usize == process.sends.len() && !newest.publishes {
            return Ok(());
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
                    self.consider(graph, behaviours, guide, target, index, pick)?;
                }
            }
        }
        if newest.publishes {
            let version = Pick::Version(last.index + 1);
            for read in process.reads.iter().filter(|read| !read.still) {
                let (reader, index) = (read.reader, read.step as usize);
                if !Graph::in_past(past, reader, &graph.process(reader).steps[index]) {
                    self.consider(graph, behaviours, guide, reader, index, version)?;
                }
            }
        }
        behaviours.check()
    }

    /// Lists the variants in which a process that has read this object reads it only after the last
    /// step of the path. That step is possible only without the earlier read.
    pub(crate) fn of_ruled_out_step<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
    ) -> Result<(), Fault> {
        self.found.clear();
        self.canonical.clear();
        let Some(last) = graph.path().last() else {
            return Ok(());
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
                .list(graph, behaviours, &kept, last.slot, last.index as usize)?;
            if self.candidates.picks.contains(&last.entry.pick) {
                self.consider(graph, behaviours, guide, reader, index, version)?;
            }
        }
        Ok(())
    }

    /// Adds the variant in which the step of `slot` at `index` consumes `pick`, if the current graph
    /// is its canonical parent.
    fn consider<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
        slot: Slot,
        index: usize,
        pick: Pick,
    ) -> Result<(), Fault> {
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
        self.candidates
            .list(graph, behaviours, &kept, slot, index)?;
        if !self.candidates.picks.contains(&pick) {
            return Ok(());
        }
        let stays = |placed: &Placed| {
            let step = &graph.process(placed.slot).steps[placed.index as usize];
            step.stamp < reread.stamp || Graph::in_past(past, placed.slot, step)
        };
        let mut keep = None;
        for (at, placed) in graph.path().iter().enumerate() {
            if !stays(placed) {
                keep.get_or_insert(at);
                if !self.is_canonical(graph, behaviours, guide, at)? {
                    return Ok(());
                }
            }
        }
        let keep = keep.expect("the re-read step is dropped");
        let mut entries: SmallVec<[Entry; 1]> = SmallVec::new();
        let kept = graph.path()[keep..].iter().filter(|placed| stays(placed));
        entries.extend(kept.map(|placed| placed.entry));
        // A step with an earlier stamp now depends on the newest one, so no further variant may drop
        // the newest step. That also keeps its causal past: a variant that drops a step of the past
        // drops everything that happened after it, and so the newest step, too. And it excludes
        // variants that drop the re-read step together with the sender of what it reads.
        entries.last_mut().expect("the newest step stays").fixed = true;
        entries.push(Entry {
            pid: graph.process(slot).pid,
            pick,
            stamp: reread.stamp,
            fixed: false,
            flipped: true,
        });
        self.found.push(Variant { keep, entries });
        Ok(())
    }

    /// Whether a step that the variant drops is canonical: not fixed, and its pick is the first
    /// candidate after the steps stamped before it and the past and input of the newest step.
    fn is_canonical<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
        at: usize,
    ) -> Result<bool, Fault> {
        if self.canonical.len() <= at {
            self.canonical.resize(graph.path().len(), None);
        }
        if let Some(known) = self.canonical[at] {
            return Ok(known);
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
                .list(graph, behaviours, &cut, placed.slot, index)?;
            let (demand, picks) = ((placed.slot, index), &self.candidates.picks);
            is_first(graph, behaviours, guide, demand, step.pick, picks)
        };
        self.canonical[at] = Some(canonical);
        Ok(canonical)
    }
}
