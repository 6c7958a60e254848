//! Linearisations of a trace: enumerating them, counting them, picking one at random.

use std::collections::HashMap;

use crate::cut::Cut;
use crate::index::ProcessId;
use crate::random::Random;
use crate::{Causality, Interleaving};

impl Causality<'_> {
    /// Iterates over the linearisations of the trace (Vidal 2022, Def. 5), each once, in the
    /// lexicographic order of their sequences of acting processes.
    ///
    /// All of them are valid under the trace's delivery model. There can be exponentially
    /// many; see [`count_linearisations`](Causality::count_linearisations). Each takes time
    /// proportional to events × processes at most.
    pub fn linearisations(&self) -> Linearisations<'_> {
        Linearisations {
            of: self,
            cut: self.empty_cut(),
            schedule: Vec::new(),
            started: false,
        }
    }

    /// The number of linearisations, counted up to `limit`.
    ///
    /// It does not enumerate them but counts the paths to each cut. Every cut can be extended to
    /// a complete linearisation, so it never visits more than `limit` cuts of one size.
    pub fn count_linearisations(&self, limit: u64) -> Count {
        let mut paths: HashMap<Cut, u64> = HashMap::from([(self.empty_cut(), 1)]);
        let mut total = 1;
        for _ in 0..self.index.event_count() {
            if total > limit {
                return Count::MoreThan(limit);
            }
            let mut longer = HashMap::new();
            for (cut, count) in &paths {
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
            paths = longer;
        }
        if total > limit {
            Count::MoreThan(limit)
        } else {
            Count::Exactly(total)
        }
    }

    /// A random linearisation. Each step picks one of the processes that can act, with equal
    /// probability; so linearisations as a whole are not equally likely. The same seed gives the
    /// same linearisation.
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

/// A number that was counted up to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly this number.
    Exactly(u64),
    /// More than this number, which is the limit.
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
    /// Extends the schedule to a complete one. Each step takes the first process that can act;
    /// there always is one, since the order graph has no cycle.
    fn complete(&mut self) {
        while let Some(p) = self.first_ready(0) {
            self.step(p);
        }
    }

    /// Undoes steps until one can be replaced by a step of a later process, and replaces it.
    /// Returns false if there is no such step.
    fn advance(&mut self) -> bool {
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
        // After the last linearisation, `advance` empties the schedule, and later calls fail too.
        if std::mem::replace(&mut self.started, true) && !self.advance() {
            return None;
        }
        self.complete();
        Some(self.of.interleaving(self.schedule.iter().copied()))
    }
}
