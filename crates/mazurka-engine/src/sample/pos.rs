//! Partial order sampling (Yuan, Yang, Gu 2018).
//!
//! Every event that could happen has a random priority, and the one with the highest happens. The
//! events that race with it then get new priorities: an event that has lost against many others has
//! probably a low priority, so orders in which it comes soon afterwards would be rare. Events that do
//! not race keep their priorities, so that independent events have no influence on each other.
//!
//! Two events race if they are of the same process or object (two messages for one receive, two
//! requests to one table), or if one reads what the other changes.

use super::possible::{Menu, PossibleStep};
use super::random::Random;
use super::walk::Picker;
use crate::behaviour::Wait;
use crate::graph::{Graph, Pick, Slot};

/// The priorities of the events of each process, by its slot.
#[derive(Default)]
pub(super) struct Pos {
    priorities: Vec<Vec<(Pick, u64)>>,
}

impl Pos {
    fn priority(&mut self, possible: PossibleStep, random: &mut Random) -> u64 {
        let slot = possible.slot as usize;
        if self.priorities.len() <= slot {
            self.priorities.resize_with(slot + 1, Vec::new);
        }
        let event = event(possible.pick);
        let known = &mut self.priorities[slot];
        if let Some((_, priority)) = known.iter().find(|(pick, _)| *pick == event) {
            return *priority;
        }
        let priority = random.next();
        known.push((event, priority));
        priority
    }

    fn forget(&mut self, slot: Slot) {
        if let Some(priorities) = self.priorities.get_mut(slot as usize) {
            priorities.clear();
        }
    }
}

/// A read is one event for all versions, and a choice is one event for all alternatives.
fn event(pick: Pick) -> Pick {
    match pick {
        Pick::Version(_) => Pick::Version(0),
        Pick::Choice(_) => Pick::Choice(0),
        pick => pick,
    }
}

impl Picker for Pos {
    const MENU: Menu = Menu::Events;

    fn begin(&mut self, _: &mut Random) {
        self.priorities.iter_mut().for_each(Vec::clear);
    }

    fn choose(&mut self, _: &Graph, steps: &[PossibleStep], random: &mut Random) -> usize {
        let mut highest = (0, 0);
        for (at, &possible) in steps.iter().enumerate() {
            highest = highest.max((self.priority(possible, random), at));
        }
        highest.1
    }

    fn made(&mut self, graph: &Graph, made: PossibleStep) {
        self.forget(made.slot);
        let process = graph.process(made.slot);
        let step = process.steps.last().expect("it was made");
        if step.publishes {
            for slot in (0..).take(graph.processes().len()) {
                if reads_next(graph, slot) == Some(made.slot) {
                    self.forget(slot);
                }
            }
        }
        if let (Pick::Version(_), Some(before)) = (made.pick, process.steps.len().checked_sub(2))
            && let Wait::Read { object } = process.steps[before].wait
            && let Some(object) = graph.slot(object)
        {
            self.forget(object);
        }
    }
}

/// The object that a process reads next.
fn reads_next(graph: &Graph, slot: Slot) -> Option<Slot> {
    let last = graph.process(slot).steps.last()?;
    match last.wait {
        Wait::Read { object } if !last.looks => graph.slot(object),
        _ => None,
    }
}
