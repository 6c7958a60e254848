//! The linearisation with the fewest context switches, which is the easiest to read.

use std::collections::HashSet;

use crate::cut::Cut;
use crate::index::ProcessId;
use crate::{Causality, Interleaving};

/// A linearisation with few context switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FewestSwitches {
    /// The linearisation.
    pub interleaving: Interleaving,
    /// The number of times that the acting process changes.
    pub switches: usize,
    /// Whether this is the minimum. False if the budget ran out before the minimum was known.
    pub exact: bool,
}

impl Causality<'_> {
    /// A budget that keeps [`fewest_switches`](Causality::fewest_switches) fast.
    pub const SWITCH_BUDGET: usize = 20_000;

    /// Limits memory: the stored cuts have at most this many entries in total (a cut has one entry
    /// for each process).
    const NUMBERS_MAX: usize = 2_000_000;

    /// The linearisation with the fewest context switches.
    ///
    /// In each turn one process runs until it must wait: acting earlier never forces a switch
    /// elsewhere. So the only choice is which process runs next, and a breadth-first search over
    /// the cuts between turns finds the fewest turns. After `budget` cuts the search stops. It then
    /// continues greedily from the cut with the most events, always with the longest turn, and
    /// the result is not `exact`.
    pub fn fewest_switches(&self, budget: usize) -> FewestSwitches {
        let budget = budget.min(Self::NUMBERS_MAX / self.index.process_count().max(1));
        let mut turns = vec![Turn {
            previous: 0,
            process: ProcessId::new(0),
            cut: self.empty_cut(),
        }];
        let mut known: HashSet<Cut> = HashSet::new();
        let mut level = 0..1;
        loop {
            let start = turns.len();
            if let Some(last) = level
                .clone()
                .find(|turn| self.is_complete(&turns[*turn].cut))
            {
                return self.finish(self.schedule(&turns, last), true);
            }
            for previous in level {
                for process in self.index.processes() {
                    let Some(cut) = self.run(&turns[previous].cut, process) else {
                        continue;
                    };
                    if known.insert(cut.clone()) {
                        turns.push(Turn {
                            previous,
                            process,
                            cut,
                        });
                    }
                }
                if turns.len() > budget {
                    let longest = longest(&turns, start);
                    let mut schedule = self.schedule(&turns, longest);
                    self.finish_greedily(turns[longest].cut.clone(), &mut schedule);
                    return self.finish(schedule, false);
                }
            }
            level = start..turns.len();
        }
    }

    /// Extends the schedule from a cut to the end, always with the longest turn.
    fn finish_greedily(&self, mut cut: Cut, schedule: &mut Vec<ProcessId>) {
        let mut left = self.index.event_count() - done(&cut);
        while left > 0 {
            let mut longest = (0, ProcessId::new(0));
            for p in self.index.processes() {
                let before = cut[p.ix()];
                while self.ready(&cut, p).is_some() {
                    cut[p.ix()] += 1;
                }
                let length = cut[p.ix()] - before;
                cut[p.ix()] = before;
                if length > longest.0 {
                    longest = (length, p);
                }
            }
            let (length, p) = longest;
            assert!(length > 0, "an acyclic order always has a next event");
            cut[p.ix()] += length;
            left -= length as usize;
            schedule.extend((0..length).map(|_| p));
        }
    }

    /// The cut after `p` runs until it must wait; `None` if it cannot act at all.
    fn run(&self, cut: &Cut, p: ProcessId) -> Option<Cut> {
        self.ready(cut, p)?;
        let mut cut = cut.clone();
        while self.ready(&cut, p).is_some() {
            cut[p.ix()] += 1;
        }
        Some(cut)
    }

    fn is_complete(&self, cut: &Cut) -> bool {
        done(cut) == self.index.event_count()
    }

    /// The acting process of each event, up to the end of turn `last`.
    fn schedule(&self, turns: &[Turn], last: usize) -> Vec<ProcessId> {
        let mut schedule = Vec::with_capacity(self.index.event_count());
        let mut turn = last;
        // Entry 0 is the empty cut, before the first turn.
        while turn != 0 {
            let Turn {
                previous,
                process,
                cut,
            } = &turns[turn];
            let length = cut[process.ix()] - turns[*previous].cut[process.ix()];
            schedule.extend((0..length).map(|_| *process));
            turn = *previous;
        }
        schedule.reverse();
        schedule
    }

    fn finish(&self, schedule: Vec<ProcessId>, exact: bool) -> FewestSwitches {
        let interleaving = self.interleaving(schedule);
        FewestSwitches {
            switches: interleaving.context_switches(),
            interleaving,
            exact,
        }
    }
}

struct Turn {
    previous: usize,
    process: ProcessId,
    cut: Cut,
}

/// The turn from `start` on after which the most events are done; the first one if several tie.
fn longest(turns: &[Turn], start: usize) -> usize {
    let from_the_last = (start..turns.len()).rev();
    from_the_last
        .max_by_key(|turn| done(&turns[*turn].cut))
        .unwrap_or(start)
}

fn done(cut: &Cut) -> usize {
    cut.iter().map(|done| *done as usize).sum()
}
