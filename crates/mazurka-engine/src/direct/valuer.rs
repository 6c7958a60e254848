//! How good a beginning of an execution is.

use super::facts::{Facts, Running};
use super::valuation::{Valuation, Valuations};
use crate::behaviour::Behaviours;
use crate::frontend::Frontend;
use crate::graph::{Entry, Graph, Slot};
use rustc_hash::FxHashMap;

/// How good a beginning is: the lower, the better.
pub(crate) type Value = i64;

/// What is far from any error.
const FAR: Value = 1 << 20;

/// All that a value depends on: beginnings of the same rank are equally good, now and later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Rank {
    /// What does not change.
    fixed: Value,
    pub steps: u32,
    /// What it looks like, if that counts.
    counts: u64,
    counts_of_any: u64,
}

/// Values beginnings, and remembers what it needs for that.
pub(crate) struct Valuer {
    valuations: Valuations,
    running: Running,
    /// How often each way to share out steps among the processes was met, if anybody wants to
    /// know: by process, and by number only.
    seen: FxHashMap<u64, u32>,
    seen_of_any: FxHashMap<u64, u32>,
    /// Lends its memory.
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

    /// Whether values depend on what was met.
    pub(crate) fn remembers(&self) -> bool {
        self.valuations.remember()
    }

    /// The path has only its first steps left.
    pub(crate) fn truncate(&mut self, steps: usize) {
        self.running.truncate(steps);
    }

    /// The steps of the current path after the first `begun` were done for the first time. The share
    /// of them that led to something like nothing before.
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

    /// The facts of the current graph and one more step.
    pub(crate) fn of_branch<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &Behaviours<F>,
        slot: Slot,
        entry: &Entry,
    ) -> Facts {
        let mut facts = self.running.facts(graph, behaviours, graph.path().len());
        let index = graph.process(slot).steps.len();
        facts.add(graph, behaviours, slot, index, entry);
        if self.valuations.weight(Valuation::Distance) > 0 && behaviours.tells_distances {
            let steps = |slot: Slot| graph.process(slot).steps.len();
            facts.distance = distance(graph, behaviours, steps, slot);
        }
        facts
    }

    /// The facts of a variant of the current graph.
    pub(crate) fn of_variant<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &Behaviours<F>,
        keep: usize,
        entries: &[Entry],
    ) -> Facts {
        let mut facts = self.running.facts(graph, behaviours, keep);
        // All but the last are steps of the path.
        let Some((reread, others)) = entries.split_last() else {
            return facts;
        };
        let mut path = graph.path()[keep..].iter();
        for entry in others {
            let placed = path.find(|placed| placed.entry.stamp == entry.stamp);
            let placed = placed.expect("a variant keeps steps of its parent");
            let index = placed.index as usize;
            facts.add(graph, behaviours, placed.slot, index, entry);
        }
        let slot = graph.slot(reread.pid).expect("it is in the parent, too");
        let mut steps = graph.process(slot).steps.iter();
        let index = steps.position(|step| step.stamp == reread.stamp);
        let index = index.expect("the parent does it in another way");
        facts.add(graph, behaviours, slot, index, reread);
        if self.valuations.weight(Valuation::Distance) > 0 && behaviours.tells_distances {
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
        facts
    }

    /// How good a beginning of this rank is, by what is known now. It only ever gets worse.
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

    /// The rank of a beginning with these facts.
    pub(crate) fn rank(&self, facts: &Facts) -> Rank {
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
                Valuation::MaxMatch => -Value::from(facts.matched),
                Valuation::MinMatch => Value::from(facts.matched),
                Valuation::SimilarityAvoidance | Valuation::ActorSymmetry => 0,
                Valuation::FlipParallel => -Value::from(facts.flips()),
                Valuation::DelayAny => Value::from(facts.from_anyone),
                Valuation::AntiPoll => Value::from(facts.polls),
                Valuation::FewSwitches => Value::from(facts.switches),
                Valuation::ManySwitches => -Value::from(facts.switches),
                Valuation::Distance => steps + facts.distance.map_or(FAR, Value::from),
            };
            Value::from(weight) * value
        });
        values.sum()
    }
}

fn times(seen: &FxHashMap<u64, u32>, counts: u64) -> Value {
    seen.get(&counts).copied().map_or(0, Value::from)
}

/// The least number of steps to an error, when each process has done so many of its steps, and
/// `moved` one more, which may have brought it one step nearer.
fn distance<F: Frontend>(
    graph: &Graph,
    behaviours: &Behaviours<F>,
    steps: impl Fn(Slot) -> usize,
    moved: Slot,
) -> Option<u32> {
    let slots = 0..graph.processes().len() as Slot;
    let distances = slots.filter_map(|slot| {
        let last = steps(slot).checked_sub(1)?;
        let step = &graph.process(slot).steps[last];
        let distance = behaviours.distance(step.node)?;
        Some(distance.saturating_sub(u32::from(slot == moved)))
    });
    distances.min()
}
