//! The value of a prefix.

use super::facts::{Facts, Running};
use super::valuation::{Valuation, Valuations};
use crate::behaviour::Behaviours;
use crate::frontend::Frontend;
use crate::graph::{Entry, Graph, Slot};
use rustc_hash::FxHashMap;

/// The value of a prefix: lower is better.
pub(crate) type Value = i64;

/// All that a value depends on. Prefixes of the same rank have the same value at any time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Rank {
    /// The part of the value that does not change.
    fixed: Value,
    pub steps: u32,
    /// [`Facts::counts`] and [`Facts::counts_of_any`], or 0 if they do not matter.
    counts: u64,
    counts_of_any: u64,
}

/// Computes values, and remembers what it needs for that.
pub(crate) struct Valuer {
    valuations: Valuations,
    running: Running,
    /// Visits of each [`Facts::counts`] and [`Facts::counts_of_any`].
    seen: FxHashMap<u64, u32>,
    seen_of_any: FxHashMap<u64, u32>,
    /// Scratch buffer, reused between variants.
    kept: Vec<u32>,
}

impl Valuer {
    pub(crate) fn new(valuations: Valuations) -> Self {
        Valuer {
            valuations,
            running: Running::default(),
            seen: FxHashMap::default(),
            seen_of_any: FxHashMap::default(),
            kept: Vec::new(),
        }
    }

    /// Whether values depend on earlier visits.
    pub(crate) fn remembers(&self) -> bool {
        self.valuations.remember()
    }

    /// Records that the path now has only its first `steps` steps.
    pub(crate) fn truncate(&mut self, steps: usize) {
        self.running.truncate(steps);
    }

    /// Counts the visits of the current path's steps after the first `begun`, which were done for the
    /// first time. Returns the fraction of them that had no visit before.
    pub(crate) fn meet<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &Behaviours<F>,
        begun: usize,
    ) -> f64 {
        let (mut met, mut new) = (0, 0);
        for steps in begun + 1..=graph.path().len() {
            let facts = self.running.facts(graph, behaviours, steps);
            let of_any = self.seen_of_any.entry(facts.counts_of_any).or_default();
            *of_any = of_any.saturating_add(1);
            let seen = self.seen.entry(facts.counts).or_default();
            *seen = seen.saturating_add(1);
            met += 1;
            new += u32::from(*seen == 1);
        }
        f64::from(new) / f64::from(met.max(1))
    }

    /// The rank of the current graph with one more step.
    pub(crate) fn of_branch<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &Behaviours<F>,
        slot: Slot,
        entry: &Entry,
    ) -> Rank {
        let mut facts = self.running.facts(graph, behaviours, graph.path().len());
        let index = graph.process(slot).steps.len();
        facts.add(graph, behaviours, slot, index, entry);
        if self.valuations.weight(Valuation::Distance) > 0 {
            let steps = |slot: Slot| graph.process(slot).steps.len();
            facts.distance = distance(graph, behaviours, steps, slot);
        }
        self.rank(&facts)
    }

    /// The rank of a race variant of the current graph.
    pub(crate) fn of_variant<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &Behaviours<F>,
        keep: usize,
        entries: &[Entry],
    ) -> Rank {
        let mut facts = self.running.facts(graph, behaviours, keep);
        // All but the last are steps of the path.
        let Some((reread, others)) = entries.split_last() else {
            return self.rank(&facts);
        };
        let mut path = graph.path()[keep..].iter();
        for entry in others {
            let placed = path.find(|placed| placed.entry.stamp == entry.stamp);
            let placed = placed.expect("a variant keeps steps of its parent");
            let index = placed.index as usize;
            facts.add(graph, behaviours, placed.slot, index, entry);
        }
        let slot = graph.slot(reread.pid).expect("it is in the parent, too");
        let steps = &graph.process(slot).steps;
        let index = steps.iter().rposition(|step| step.stamp <= reread.stamp);
        let index = index.expect("the parent does it in another way");
        // At a silent check, the step before the check stays.
        let index = index + usize::from(steps[index].stamp < reread.stamp);
        facts.add(graph, behaviours, slot, index, reread);
        if self.valuations.weight(Valuation::Distance) > 0 {
            let mut kept = std::mem::take(&mut self.kept);
            kept.clear();
            kept.resize(graph.processes().len(), 0);
            let first = graph.path()[..keep].iter();
            let rest = graph.path()[keep..].iter().filter(|placed| {
                let stamp = placed.entry.stamp;
                others.iter().any(|entry| entry.stamp == stamp)
            });
            for placed in first.chain(rest) {
                kept[placed.slot as usize] += 1;
            }
            let steps = |slot: Slot| kept[slot as usize] as usize;
            facts.distance = distance(graph, behaviours, steps, slot);
            self.kept = kept;
        }
        self.rank(&facts)
    }

    /// The current value of a rank. It only ever becomes worse.
    pub(crate) fn value(&self, rank: &Rank) -> Value {
        let mut value = rank.fixed;
        let weight = |valuation| Value::from(self.valuations.weight(valuation));
        match weight(Valuation::SimilarityAvoidance) {
            0 => {}
            weight => value += weight * times(&self.seen, rank.counts),
        }
        match weight(Valuation::ActorSymmetry) {
            0 => {}
            weight => value += weight * times(&self.seen_of_any, rank.counts_of_any),
        }
        value
    }

    fn rank(&self, facts: &Facts) -> Rank {
        let if_counts = |valuation, counts| match self.valuations.weight(valuation) {
            0 => 0,
            _ => counts,
        };
        Rank {
            fixed: self.fixed(facts),
            steps: facts.steps,
            counts: if_counts(Valuation::SimilarityAvoidance, facts.counts),
            counts_of_any: if_counts(Valuation::ActorSymmetry, facts.counts_of_any),
        }
    }

    fn fixed(&self, facts: &Facts) -> Value {
        let steps = Value::from(facts.steps);
        let values = self.valuations.iter().map(|(valuation, weight)| {
            let value = match valuation {
                Valuation::Depth => -steps,
                // Laurent 2023 counts the messages that are not received yet. A step of ours receives a
                // message and sends the replies, so that number hardly differs between prefixes.
                Valuation::MaxMatch => -Value::from(facts.matched),
                Valuation::MinMatch => Value::from(facts.matched),
                Valuation::SimilarityAvoidance | Valuation::ActorSymmetry => 0,
                Valuation::FlipParallel => -Value::from(facts.flips()),
                Valuation::DelayAny => Value::from(facts.from_anyone),
                Valuation::AntiPoll => Value::from(facts.polls),
                Valuation::FewSwitches => Value::from(facts.switches),
                Valuation::ManySwitches => -Value::from(facts.switches),
                Valuation::Distance => steps + Value::from(facts.distance),
            };
            Value::from(weight) * value
        });
        values.sum()
    }
}

fn times(seen: &FxHashMap<u64, u32>, counts: u64) -> Value {
    seen.get(&counts).copied().map_or(0, Value::from)
}

/// The sum of the distances that the processes report, each after `steps` of its steps (Laurent 2023,
/// section 4). A process that reports none counts as 0. `moved` does one more step, which may bring it
/// one step nearer.
fn distance<F: Frontend>(
    graph: &Graph,
    behaviours: &Behaviours<F>,
    steps: impl Fn(Slot) -> usize,
    moved: Slot,
) -> u32 {
    let slots = 0..graph.processes().len() as Slot;
    let distances = slots.filter_map(|slot| {
        let last = steps(slot).checked_sub(1)?;
        let step = &graph.process(slot).steps[last];
        let distance = behaviours.distance(step.node)?;
        Some(distance.saturating_sub(u32::from(slot == moved)))
    });
    distances.fold(0, u32::saturating_add)
}
