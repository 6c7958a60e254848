//! Probabilistic concurrency testing for message passing.
//!
//! In PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte 2010) each thread has a random priority and
//! the thread with the highest runs; at a few random moments that thread gets the lowest priority.
//! Here chains of messages take the place of threads; in a chain, each message is sent after the one
//! before was received (Ozkan, Majumdar, Niksic, Tabaei Befrouei, Weissenbacher 2018, "PCTCP"). Of
//! the messages that could be received next, the one of the chain with the highest priority is.

use super::chains::{Chain, Chains};
use super::possible::{Menu, PossibleStep};
use super::random::Random;
use super::walk::Picker;
use crate::graph::{Clock, Graph, NONE, Pick, Slot};
use rustc_hash::FxHashMap;

/// Priorities of chains that have not been lowered are above this; those of lowered chains are below.
const HIGH: u64 = 1 << 32;

/// Steps that a process can make without a message.
const BY_ITSELF: [Pick; 6] = [
    Pick::Start,
    Pick::GoOn,
    Pick::Timeout,
    Pick::QuietTimeout,
    Pick::Version(0),
    Pick::Choice(0),
];

/// An event, described in a way that does not change until it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Event {
    slot: Slot,
    /// The index of the process's step; not used for a message, which any step may receive.
    index: u32,
    pick: Pick,
}

/// The end of a chain.
#[derive(Clone, Copy, Debug)]
enum End {
    /// It has not happened yet.
    Pending,
    /// It is this step.
    Step(Slot, u32),
}

/// The priorities of chains.
pub(super) struct Pct {
    bug_depth: u32,
    chains: Chains<End>,
    of: FxHashMap<Event, Chain>,
    priorities: Vec<u64>,
    /// After how many choices a chain is lowered, and to which priority.
    changes: Vec<(u64, u64)>,
    choices: u64,
    /// The largest number of choices in an execution so far.
    longest: u64,
}

impl Pct {
    pub(super) fn new(bug_depth: u32) -> Self {
        Pct {
            bug_depth,
            chains: Chains::default(),
            of: FxHashMap::default(),
            priorities: Vec::new(),
            changes: Vec::new(),
            choices: 0,
            longest: 0,
        }
    }

    /// The chain of a possible step.
    fn chain(&mut self, graph: &Graph, possible: PossibleStep, random: &mut Random) -> Chain {
        let event = event(graph, possible);
        if let Some(&chain) = self.of.get(&event) {
            return chain;
        }
        let past = past(graph, possible);
        let is_before = |end: &End| match *end {
            End::Pending => false,
            End::Step(slot, index) => {
                let step = &graph.process(slot).steps[index as usize];
                past.is_some_and(|past| Graph::in_past(past, slot, step))
            }
        };
        let chain = self.chains.add(End::Pending, is_before);
        if chain == self.priorities.len() {
            self.priorities.push(HIGH + random.next() / 2);
        }
        self.of.insert(event, chain);
        chain
    }

    /// The index of the step whose chain has the highest priority, and the chain.
    fn highest(
        &mut self,
        graph: &Graph,
        steps: &[PossibleStep],
        random: &mut Random,
    ) -> (usize, Chain) {
        let mut highest = (0, 0, 0);
        for (at, &possible) in steps.iter().enumerate() {
            let chain = self.chain(graph, possible, random);
            // Chains that were lowered at different times differ, and so do random ones.
            if at == 0 || self.priorities[chain] > highest.0 {
                highest = (self.priorities[chain], at, chain);
            }
        }
        (highest.1, highest.2)
    }
}

fn event(graph: &Graph, possible: PossibleStep) -> Event {
    let index = graph.process(possible.slot).steps.len();
    let (index, pick) = match possible.pick {
        Pick::Message { .. } => (0, possible.pick),
        // A read is one event for all versions, and a choice is one event for all alternatives.
        Pick::Version(_) => (index, Pick::Version(0)),
        Pick::Choice(_) => (index, Pick::Choice(0)),
        other => (index, other),
    };
    Event {
        slot: possible.slot,
        index: u32::try_from(index).expect("a short process"),
        pick,
    }
}

/// The causal past of an event that could be next: of a message, that of its send; of a step without
/// a message, that of its process. What the receiver of a message did before does not count, because
/// it could have received the message earlier.
fn past(graph: &Graph, possible: PossibleStep) -> Option<Clock<'_>> {
    let process = graph.process(possible.slot);
    let cause = match possible.pick {
        Pick::Message { sender, seq } => {
            let found = graph.find_message(possible.slot, sender, seq);
            let message = &process.inbox[found.expect("it is a candidate") as usize];
            let sender = graph.process(message.sender);
            sender.steps.get(message.step as usize)
        }
        Pick::Start => match process.parent {
            (NONE, ..) => None,
            (parent, step, _) => graph.process(parent).steps.get(step as usize),
        },
        _ => process.steps.last(),
    };
    cause.map(|step| graph.clock(step))
}

impl Picker for Pct {
    const MENU: Menu = Menu::Events;

    fn begin(&mut self, random: &mut Random) {
        self.chains.clear();
        self.of.clear();
        self.priorities.clear();
        self.changes.clear();
        self.choices = 0;
        // The length of executions is known only after the first one.
        if self.longest > 0 {
            let longest = usize::try_from(self.longest).unwrap_or(usize::MAX);
            for priority in 1..u64::from(self.bug_depth) {
                let after = random.below(longest) as u64;
                self.changes.push((after, priority));
            }
        }
    }

    fn choose(&mut self, graph: &Graph, steps: &[PossibleStep], random: &mut Random) -> usize {
        let (mut at, mut chain) = self.highest(graph, steps, random);
        for change in 0..self.changes.len() {
            let (after, priority) = self.changes[change];
            if after == self.choices {
                self.priorities[chain] = priority;
                (at, chain) = self.highest(graph, steps, random);
            }
        }
        at
    }

    fn made(&mut self, graph: &Graph, made: PossibleStep) {
        self.choices += 1;
        let index = graph.process(made.slot).steps.len() - 1;
        let index = u32::try_from(index).expect("a short process");
        let happened = End::Step(made.slot, index);
        let slot = made.slot;
        let mut settle = |index, pick| {
            if let Some(chain) = self.of.remove(&Event { slot, index, pick }) {
                *self.chains.end_mut(chain) = happened;
            }
        };
        // The other steps that the process could have made without a message will never happen;
        // the step that it made replaces them.
        BY_ITSELF.into_iter().for_each(|pick| settle(index, pick));
        if let Pick::Message { .. } = made.pick {
            settle(0, made.pick);
        }
    }

    fn ended(&mut self, choices: u64) {
        self.longest = self.longest.max(choices);
    }
}
