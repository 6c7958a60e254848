//! Linearisations of a trace: all of them, how many there are, a random one.

use std::collections::HashMap;

use crate::cut::Cut;
use crate::index::ProcessId;
use crate::random::Random;
use crate::{Causality, Interleaving};

impl Causality<'_> {
    /// Every linearisation of the trace (Vidal 2022, Def. 5), each once, as they are asked
    /// for. They come in the lexicographic order of who acts.
    ///
    /// All of them are valid under the trace's delivery model. There can be exponentially
    /// many; see [`count_linearisations`](Causality::count_linearisations). Each takes time
    /// in proportion to events × processes at most.
    pub fn linearisations(&self) -> Linearisations<'_> {
        Linearisations {
            of: self,
            cut: self.empty_cut(),
            schedule: Vec::new(),
            started: false,
        }
    }

    /// How many linearisations there are, counted up to `limit`.
    ///
    /// Does not enumerate them: it counts the ways to each cut. Since every cut can be
    /// completed, there are never more than `limit` of them to look at.
    pub fn count_linearisations(&self, limit: u64) -> Count {
        let mut ways: HashMap<Cut, u64> = HashMap::from([(self.empty_cut(), 1)]);
        let mut total = 1;
        for _ in 0..self.index.event_count() {
            if total > limit {
                return Count::MoreThan(limit);
            }
            let mut longer = HashMap::new();
            for (cut, count) in &ways {
                for p in self
                    .index
                    .processes()
                    .filter(|p| self.ready(cut, *p).is_some())
                {
                    let mut next = cut.clone();
                    next[p.ix()] += 1;
                    let sum: &mut u64 = longer.entry(next).or_default();
                    *sum = sum.saturating_add(*count);
                }
            }
            total = longer
                .values()
                .fold(0, |sum: u64, count| sum.saturating_add(*count));
            ways = longer;
        }
        if total > limit {
            Count::MoreThan(limit)
        } else {
            Count::Exactly(total)
        }
    }

    /// A linearisation in which each step picks one of the processes that can act, all
    /// with the same probability. (So not all linearisations have the same one.) The same
    /// seed gives the same linearisation.
    pub fn random_linearisation(&self, seed: u64) -> Interleaving {
        let mut random = Random::new(seed);
        let mut cut = self.empty_cut();
        let mut schedule = Vec::with_capacity(self.index.event_count());
        loop {
            let ready: Vec<ProcessId> = self
                .index
                .processes()
                .filter(|p| self.ready(&cut, *p).is_some())
                .collect();
            if ready.is_empty() {
                return self.interleaving(schedule);
            }
            let p = ready[random.below(ready.len())];
            cut[p.ix()] += 1;
            schedule.push(p);
        }
    }
}

/// A number, as far as it was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// This many.
    Exactly(u64),
    /// More than this.
    MoreThan(u64),
}

/// The linearisations of a trace. See [`Causality::linearisations`].
pub struct Linearisations<'c> {
    of: &'c Causality<'c>,
    cut: Cut,
    schedule: Vec<ProcessId>,
    started: bool,
}

impl Linearisations<'_> {
    /// Extends the schedule to a whole one, each step by the first process that can act.
    /// There always is one, since the orders have no circle.
    fn complete(&mut self) {
        while let Some(p) = self.first_ready(0) {
            self.step(p);
        }
    }

    /// Takes back steps until one can be replaced by another process, and replaces it.
    fn turn(&mut self) -> bool {
        while let Some(p) = self.schedule.pop() {
            self.cut[p.ix()] -= 1;
            if let Some(next) = self.first_ready(p.ix() + 1) {
                self.step(next);
                return true;
            }
        }
        false
    }

    fn first_ready(&self, from: usize) -> Option<ProcessId> {
        self.of
            .index
            .processes()
            .skip(from)
            .find(|p| self.of.ready(&self.cut, *p).is_some())
    }

    fn step(&mut self, p: ProcessId) {
        self.cut[p.ix()] += 1;
        self.schedule.push(p);
    }
}

impl Iterator for Linearisations<'_> {
    type Item = Interleaving;

    fn next(&mut self) -> Option<Interleaving> {
        // Taking back the steps of the last one leaves nothing, and so it stays.
        if std::mem::replace(&mut self.started, true) && !self.turn() {
            return None;
        }
        self.complete();
        Some(self.of.interleaving(self.schedule.iter().copied()))
    }
}
