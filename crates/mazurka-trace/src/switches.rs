//! The linearisation that is easiest to follow: the one with the fewest context switches.

use std::collections::HashSet;

use crate::cut::Cut;
use crate::index::ProcessId;
use crate::{Causality, Interleaving};

/// A linearisation with few context switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FewestSwitches {
    /// The linearisation.
    pub interleaving: Interleaving,
    /// How often the acting process changes in it.
    pub switches: usize,
    /// Whether no linearisation has fewer. Otherwise the budget did not suffice to know.
    pub exact: bool,
}

impl Causality<'_> {
    /// The number of cuts that [`fewest_switches`](Causality::fewest_switches) can look at
    /// in a moment.
    pub const SWITCH_BUDGET: usize = 20_000;

    /// The linearisation with the fewest context switches.
    ///
    /// A process that was given its turn runs until it must wait: letting it act earlier
    /// never forces a switch elsewhere. So what remains to be chosen is who is next, and a
    /// breadth-first search over the cuts between turns gives the fewest turns. It looks at
    /// up to `budget` cuts; then it goes on from the cut with the most events done, always
    /// with the longest turn, and says that the result may not be the best.
    pub fn fewest_switches(&self, budget: usize) -> FewestSwitches {
        let mut turns = vec![Turn {
            previous: 0,
            process: ProcessId::new(0),
            cut: self.empty_cut(),
        }];
        let mut known: HashSet<Cut> = HashSet::new();
        let mut level = 0..1;
        let mut exact = true;
        loop {
            let start = turns.len();
            if let Some(last) = level
                .clone()
                .find(|turn| self.is_complete(&turns[*turn].cut))
            {
                return self.finish(&turns, last, exact);
            }
            for previous in level {
                for process in self.index.processes() {
                    let Some(cut) = self.run(&turns[previous].cut, process) else {
                        continue;
                    };
                    if !exact || known.insert(cut.clone()) {
                        turns.push(Turn {
                            previous,
                            process,
                            cut,
                        });
                    }
                }
                exact &= turns.len() <= budget;
                if !exact {
                    break;
                }
            }
            if !exact {
                keep_longest(&mut turns, start);
            }
            level = start..turns.len();
        }
    }

    /// The cut after `p` went on as far as it can; none if it cannot at all.
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

    fn finish(&self, turns: &[Turn], last: usize, exact: bool) -> FewestSwitches {
        let mut schedule = Vec::with_capacity(self.index.event_count());
        let mut turn = last;
        // The first entry is the beginning, which is nobody's turn.
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

/// Of the turns from `start` on, keeps the one after which the most events are done.
fn keep_longest(turns: &mut Vec<Turn>, start: usize) {
    let best = (start..turns.len())
        .rev()
        .max_by_key(|turn| done(&turns[*turn].cut));
    if let Some(best) = best {
        turns.swap(start, best);
        turns.truncate(start + 1);
    }
}

fn done(cut: &Cut) -> usize {
    cut.iter().map(|done| *done as usize).sum()
}
