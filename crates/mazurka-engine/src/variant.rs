//! Race variants of the current graph that have it as their canonical parent.
//!
//! Each message that a new step sends may be consumed by an earlier receive that did not happen
//! before the step. In the variant that receive is *re-read*: it consumes the new message. The
//! variant keeps the steps stamped before that receive and the causal past of the new step, and
//! drops the rest. Many executions lead to the same variant. Only its canonical parent generates
//! it: the execution in which every dropped step is *canonical*, that is, consumed its first
//! candidate.
//!
//! A process makes a signal check before each of its effects. Most checks are silent: no signal
//! waits, so the step does not end there. But the effects have stamps of their own, and a variant
//! may keep the first effects of a step and drop the others, or let a signal end the process at a silent
//! check. So the search finds the same variants as if each effect were a step, and costs little more than
//! without checks.

use crate::behaviour::Behaviours;
use crate::candidates::Candidates;
use crate::choose::is_first;
use crate::cut::{Before, Newest};
use crate::frontend::{Fault, Frontend};
use crate::graph::{Entry, Graph, Pick, Placed, Slot, Step};
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
    /// Lists the variants that the last step of the path generates.
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
        let newest = process.steps.last().expect("the path ends with it");
        if newest.sends_before as usize == process.sends.len() && !newest.publishes {
            return Ok(());
        }
        let past = graph.clock(newest);
        let mut stamp = None;
        for nth in newest.sends_before as usize..process.sends.len() {
            let (target, at) = process.sends[nth];
            if target == crate::graph::NONE {
                continue;
            }
            let receiver = graph.process(target);
            let message = &receiver.inbox[at as usize];
            let happened_before = |last: &Step| last.event < past.known(target);
            if !message.is_signal && receiver.steps.last().is_none_or(happened_before) {
                continue; // no receive can race with it
            }
            let sent = Newest::up_to_send(graph, message);
            if stamp.replace(sent.stamp) != Some(sent.stamp) {
                self.canonical.clear();
            }
            let known = sent.known(target);
            let pick = graph.pick_of(message);
            for (index, receive) in receiver.steps.iter().enumerate().rev() {
                if message.is_signal {
                    for effect in receive.silent_checks().rev() {
                        if receive.events_before(effect) < known {
                            break;
                        }
                        let cursor = graph.cursor_at_check(behaviours, target, index, effect);
                        if Graph::wants(behaviours, &cursor, message.value) {
                            let reread = Reread::check(target, index, effect);
                            self.consider(graph, behaviours, guide, sent, reread, pick)?;
                        }
                    }
                }
                if receive.event < known {
                    break;
                }
                if let Some(cursor) = graph.cursor(behaviours, target, index)
                    && Graph::wants(behaviours, &cursor, message.value)
                {
                    let reread = Reread::demand(target, index);
                    self.consider(graph, behaviours, guide, sent, reread, pick)?;
                }
            }
        }
        if newest.publishes {
            let published = Newest::input(graph, last.slot, newest);
            if stamp != Some(published.stamp) {
                self.canonical.clear();
            }
            let version = Pick::Version(last.index + 1);
            for read in process.reads.iter().filter(|read| !read.still) {
                let (reader, index) = (read.reader, read.step as usize);
                if graph.process(reader).steps[index].event >= published.known(reader) {
                    let reread = Reread::demand(reader, index);
                    self.consider(graph, behaviours, guide, published, reread, version)?;
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
        let newest = process.steps.last().expect("the path ends with it");
        let newest = Newest::input(graph, last.slot, newest);
        let version = Pick::Version(last.index + 1);
        for read in process.reads.iter().filter(|read| !read.still) {
            let (reader, index) = (read.reader, read.step as usize);
            let reread = &graph.process(reader).steps[index];
            if reread.event < newest.known(reader) {
                continue;
            }
            let kept = Before {
                stamp: reread.stamp,
                newest,
                with_sends: false,
            };
            self.candidates
                .list(graph, behaviours, &kept, last.slot, last.index as usize)?;
            if self.candidates.picks.contains(&last.entry.pick) {
                let reread = Reread::demand(reader, index);
                self.consider(graph, behaviours, guide, newest, reread, version)?;
            }
        }
        Ok(())
    }

    /// Adds the variant in which the re-read step consumes `pick`, which `newest` has sent or
    /// published, if the current graph is its canonical parent.
    fn consider<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
        newest: Newest<'_>,
        reread: Reread,
        pick: Pick,
    ) -> Result<(), Fault> {
        let stamp = reread.stamp(graph);
        let kept = Before {
            stamp,
            newest,
            with_sends: true,
        };
        reread.list(&mut self.candidates, graph, behaviours, &kept)?;
        if !self.candidates.picks.contains(&pick) {
            return Ok(());
        }
        // All stamps before this place in the path are lower.
        let path = graph.path();
        let first = path.partition_point(|placed| placed.highest_stamp < stamp);
        let mut keep = None;
        for (at, placed) in path.iter().enumerate().skip(first) {
            let step = step_of(graph, placed);
            let upto = kept_upto(&kept, placed.slot, step);
            if upto == Some(step.done) {
                continue;
            }
            keep.get_or_insert(at);
            if !self.are_canonical(graph, behaviours, guide, newest, at, upto)? {
                return Ok(());
            }
        }
        let keep = keep.expect("the re-read step is dropped");
        let mut entries: SmallVec<[Entry; 1]> = SmallVec::new();
        entries.extend(graph.path()[keep..].iter().filter_map(|placed| {
            let upto = kept_upto(&kept, placed.slot, step_of(graph, placed))?;
            Some(Entry {
                upto,
                ..placed.entry
            })
        }));
        // A step with an earlier stamp now depends on the newest one, so no further variant may drop
        // the newest step. That also keeps its causal past: a variant that drops a step of the past
        // drops everything that happened after it, and so the newest step as well. It also excludes
        // variants that drop the re-read step together with the sender of what it reads.
        entries.last_mut().expect("the newest step stays").fixed = true;
        entries.push(Entry {
            flipped: true,
            ..Entry::new(graph.process(reread.slot).pid, pick, stamp)
        });
        self.found.push(Variant { keep, entries });
        Ok(())
    }

    /// Whether the parts of a step that a variant drops are canonical: the step itself, unless its
    /// effects before `kept` stay, and its silent checks.
    fn are_canonical<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
        newest: Newest<'_>,
        at: usize,
        kept: Option<u32>,
    ) -> Result<bool, Fault> {
        let placed = graph.path()[at];
        let (slot, index) = (placed.slot, placed.index as usize);
        let step = step_of(graph, &placed);
        if step.fixed {
            return Ok(false);
        }
        if kept.is_none() && !self.is_canonical(graph, behaviours, guide, newest, at)? {
            return Ok(false);
        }
        if graph.process(slot).signals == 0 {
            return Ok(true); // to continue is the only candidate
        }
        let dropped_from = kept.unwrap_or(0);
        for effect in step
            .silent_checks()
            .filter(|&effect| effect >= dropped_from)
        {
            let cut = Before {
                stamp: step.stamp_of(effect),
                newest,
                with_sends: false,
            };
            let check = Reread::check(slot, index, effect);
            check.list(&mut self.candidates, graph, behaviours, &cut)?;
            let picks = &self.candidates.picks;
            let events = step.events_before(effect);
            let demand = (slot, index + 1, events);
            if !is_first(graph, behaviours, guide, demand, Pick::GoOn, picks) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a step that the variant drops is canonical: its pick is the first candidate after the
    /// steps stamped before it and the past and input of the newest step.
    fn is_canonical<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        guide: &impl Guide,
        newest: Newest<'_>,
        at: usize,
    ) -> Result<bool, Fault> {
        if self.canonical.len() <= at {
            self.canonical.resize(graph.path().len(), None);
        }
        if let Some(known) = self.canonical[at] {
            return Ok(known);
        }
        let placed = graph.path()[at];
        let step = step_of(graph, &placed);
        let cut = Before {
            stamp: step.stamp,
            newest,
            with_sends: false,
        };
        let index = placed.index as usize;
        self.candidates
            .list(graph, behaviours, &cut, placed.slot, index)?;
        let demand = (placed.slot, index, step.event);
        let picks = &self.candidates.picks;
        let canonical = is_first(graph, behaviours, guide, demand, step.pick, picks);
        self.canonical[at] = Some(canonical);
        Ok(canonical)
    }
}

/// What a variant re-reads: the demand before a step, or a silent check within it.
#[derive(Clone, Copy)]
struct Reread {
    slot: Slot,
    index: usize,
    /// The effect that comes after the check.
    effect: Option<u32>,
}

impl Reread {
    fn demand(slot: Slot, index: usize) -> Self {
        let effect = None;
        Reread {
            slot,
            index,
            effect,
        }
    }

    fn check(slot: Slot, index: usize, effect: u32) -> Self {
        let effect = Some(effect);
        Reread {
            slot,
            index,
            effect,
        }
    }

    fn stamp(self, graph: &Graph) -> u32 {
        let step = &graph.process(self.slot).steps[self.index];
        self.effect
            .map_or(step.stamp, |effect| step.stamp_of(effect))
    }

    /// Lists its candidates.
    fn list<F: Frontend>(
        self,
        candidates: &mut Candidates,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &Before<'_>,
    ) -> Result<(), Fault> {
        let Reread { slot, index, .. } = self;
        match self.effect {
            None => candidates.list(graph, behaviours, cut, slot, index),
            Some(effect) => candidates.list_at_check(graph, behaviours, cut, (slot, index, effect)),
        }
    }
}

fn step_of<'g>(graph: &'g Graph, placed: &Placed) -> &'g Step {
    &graph.process(placed.slot).steps[placed.index as usize]
}

/// How much of a step a variant keeps: its effects before this one, or nothing at all.
fn kept_upto(kept: &Before<'_>, slot: Slot, step: &Step) -> Option<u32> {
    let stays = |stamp: u32, events_before: u32| kept.has(slot, stamp, events_before);
    if !stays(step.stamp, step.event) {
        return None;
    }
    let mut checks = step.silent_checks();
    let dropped = checks.find(|&effect| !stays(step.stamp_of(effect), step.events_before(effect)));
    Some(dropped.unwrap_or(step.done))
}
