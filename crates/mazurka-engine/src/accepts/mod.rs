//! Which messages the receives of a process accept.
//!
//! Only the messages matter that a receive could have taken: those that no earlier step consumed
//! and whose sending does not depend on the receive. For each message these receives are an
//! interval. Receives with the same constraint share one set, so that the sets of a loop of
//! receives take no more memory than its mailbox.
//!
//! Races, variants and validity depend on less, unless delivery is `unordered`: messages of one sender
//! do not overtake each other, so of each sender only the first message matters that the receive
//! accepts. For receives that could have taken many messages only these are found (`firsts`). So a
//! process that takes n waiting messages by n patterns does not have each matched with each.

mod firsts;
mod inbox;
mod past;
#[cfg(test)]
mod tests;

pub(crate) use past::Past;

use crate::behaviour::{Behaviours, Wait};
use crate::frontend::{Frontend, SharedObjects};
use crate::graph::{Attention, Cursor, Graph, Message, Pick, Slot};
use crate::ids::{ConstraintId, NodeId, PidId, ValueId};
use crate::view::Execution;
use firsts::{Firsts, Known};
use inbox::Inbox;
use mazurka_trace::{Accepts, Delivery, Tag};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Up to this many messages per receive, on average, are matched, so that the sets are exact. More than a
/// report shows of a mailbox.
pub(crate) const MATCHES_PER_RECEIVE: usize = 64;

/// What the receives of one process accept, by step.
pub(crate) struct Accepted {
    class_of: Vec<Option<usize>>,
    classes: Vec<Shared>,
}

/// What all receives of a process with one constraint have in common.
struct Shared {
    accepts: Accepts,
    constraint: String,
}

/// The receives of a process with one constraint.
struct Class {
    cursor: Cursor,
    /// Their steps, in ascending order.
    receives: Vec<usize>,
}

/// What decides which messages a receive accepts.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    /// A constraint, whether the process traps exits, and [`Ties::changes`].
    Constraint(ConstraintId, bool, u32),
    Answer,
    Receipt(PidId, ValueId),
    /// Requests to an object; in this state, if it may make requests wait.
    Request(Option<NodeId>),
}

impl Accepted {
    /// For the receives of `slot`. `tags` are those of the messages in its inbox.
    pub(crate) fn new<F: Frontend>(
        execution: &Execution<'_, F>,
        slot: Slot,
        tags: &[Tag],
        past: &Past,
        matches_per_receive: usize,
    ) -> Self {
        let (class_of, classes) = classify(execution, slot);
        let inbox = Inbox::new(execution.graph, slot, past);
        let sets = Sets {
            execution,
            slot,
            inbox: &inbox,
            tags,
            class_of: &class_of,
            classes: &classes,
        };
        let accepts = sets.make(matches_per_receive);
        let shared = |(class, accepts): (&Class, Accepts)| Shared {
            accepts,
            constraint: execution.constraint(class.cursor.wait),
        };
        Accepted {
            classes: classes.iter().zip(accepts).map(shared).collect(),
            class_of,
        }
    }

    /// What the receive of this step accepts, and its constraint as text.
    pub(crate) fn of_step(&self, index: usize) -> Option<(Accepts, String)> {
        let shared = &self.classes[self.class_of[index]?];
        Some((shared.accepts.clone(), shared.constraint.clone()))
    }
}

impl<F: Frontend> Execution<'_, F> {
    /// Which of the messages that wait for this process its demand accepts.
    pub(crate) fn accepts_now(&self, slot: Slot, cursor: &Cursor) -> Accepts {
        let inbox = &self.graph.process(slot).inbox;
        let mut sorted = Sorted::default();
        for at in self.graph.waiting(slot) {
            sorted.add(at, self.accepts(cursor, &inbox[at as usize]));
        }
        sorted.accepts_by(|at| self.tag(&inbox[at as usize]))
    }

    /// Whether the receive of a step accepts a message.
    fn accepts_in_step(&self, slot: Slot, index: usize, message: &Message) -> bool {
        let cursor = self.graph.cursor(self.behaviours, slot, index);
        cursor.is_some_and(|cursor| self.accepts(&cursor, message))
    }

    /// Whether a demand accepts a message. It does not accept a signal that ends the process: being
    /// killed is not a receive.
    fn accepts(&self, cursor: &Cursor, message: &Message) -> bool {
        let b = self.behaviours;
        match Graph::attention(b, cursor, message.value) {
            Attention::Takes => !b.values.class(message.value).kills(cursor.trapping),
            Attention::Ignores => false,
            Attention::If(constraint) => b.values.ask(&b.frontend, message.value, constraint),
        }
    }
}

fn key<F: Frontend>(behaviours: &Behaviours<F>, cursor: &Cursor) -> Option<Key> {
    match cursor.wait {
        Wait::Receive { constraint, .. } => {
            let changes = behaviours.node(cursor.node).after.ties.changes();
            Some(Key::Constraint(constraint, cursor.trapping, changes))
        }
        Wait::Answer => Some(Key::Answer),
        Wait::HandedOver { to, value } => Some(Key::Receipt(to, value)),
        Wait::Serve => Some(Key::Request(F::Objects::MAKES_WAIT.then_some(cursor.node))),
        Wait::Read { .. } | Wait::Choose { .. } | Wait::Ended(_) => None,
    }
}

/// Sorts the receives and timeouts of a process by their constraints. Returns the class of each step,
/// and the classes.
fn classify<F: Frontend>(
    execution: &Execution<'_, F>,
    slot: Slot,
) -> (Vec<Option<usize>>, Vec<Class>) {
    let Execution {
        graph, behaviours, ..
    } = execution;
    let mut keys = FxHashMap::default();
    let mut classes: Vec<Class> = Vec::new();
    let steps = graph.process(slot).steps.iter().enumerate();
    let class_of = steps.map(|(index, step)| {
        let is_choice = match step.pick {
            Pick::Message { .. } => !behaviours.node(step.node).was_killed(),
            Pick::Timeout | Pick::QuietTimeout => true,
            _ => false,
        };
        let cursor = graph.cursor(behaviours, slot, index)?;
        if !is_choice || cursor.looks {
            return None;
        }
        let class = *keys.entry(key(behaviours, &cursor)?).or_insert_with(|| {
            classes.push(Class {
                cursor,
                receives: Vec::new(),
            });
            classes.len() - 1
        });
        classes[class].receives.push(index);
        Some(class)
    });
    let class_of = class_of.collect();
    (class_of, classes)
}

/// Makes the set of each class.
struct Sets<'x, 'e, F: Frontend> {
    execution: &'x Execution<'e, F>,
    slot: Slot,
    inbox: &'x Inbox<'x>,
    tags: &'x [Tag],
    class_of: &'x [Option<usize>],
    classes: &'x [Class],
}

impl<F: Frontend> Sets<'_, '_, F> {
    fn make(&self, matches_per_receive: usize) -> Vec<Accepts> {
        let is_small = self.small_classes(matches_per_receive);
        let sorted = self.sort_messages(|class| is_small[class]);
        let is_ordered = self.execution.graph.delivery != Delivery::Unordered;
        let known =
            match is_ordered && is_small.contains(&false) {
                true => Firsts::new(self.execution, self.slot, self.inbox, matches_per_receive)
                    .find(self.class_of, self.classes, |class| !is_small[class]),
                false => Vec::new(),
            };
        let make = |(class, sorted): (usize, Sorted)| match is_small[class] {
            true => sorted.accepts(self.tags),
            false if is_ordered => self.known_accepted(&known[class]),
            false => self.match_all(&self.classes[class]).accepts(self.tags),
        };
        sorted.into_iter().enumerate().map(make).collect()
    }

    /// For each class, whether it is matched with every message that its receives could have taken.
    fn small_classes(&self, matches_per_receive: usize) -> Vec<bool> {
        let counts = self.inbox.counts();
        let is_small = |class: &Class| {
            let pairs: usize = class.receives.iter().map(|&step| counts[step]).sum();
            let matches = pairs.min(self.inbox.messages.len());
            matches <= class.receives.len().saturating_mul(matches_per_receive)
        };
        self.classes.iter().map(is_small).collect()
    }

    /// Sorts the messages by the classes to which they matter, of those for which `wanted` holds.
    /// Takes time in proportion to the pairs of a message and a class to which it matters.
    fn sort_messages(&self, wanted: impl Fn(usize) -> bool) -> Vec<Sorted> {
        let mut sorted = vec![Sorted::default(); self.classes.len()];
        let spans = self.inbox.spans.iter();
        let mut messages: Vec<(usize, u32)> = spans.map(|span| span.1).zip(0..).collect();
        messages.sort_unstable();
        let mut messages = messages.into_iter().peekable();
        // Each class by its latest receive so far.
        let mut latest: BTreeMap<usize, usize> = BTreeMap::new();
        let mut latest_of = vec![None; self.classes.len()];
        for (step, class) in self.class_of.iter().enumerate() {
            if let Some(class) = class.filter(|class| wanted(*class)) {
                if let Some(before) = latest_of[class].replace(step) {
                    latest.remove(&before);
                }
                latest.insert(step, class);
            }
            while let Some((_, at)) = messages.next_if(|(upto, _)| *upto == step) {
                let (from, _) = self.inbox.spans[at as usize];
                for &class in latest.range(from..).map(|(_, class)| class) {
                    sorted[class].add(at, self.accepts(&self.classes[class], at));
                }
            }
        }
        sorted
    }

    /// Sorts the messages that matter to one class. Takes time in proportion to the inbox.
    fn match_all(&self, class: &Class) -> Sorted {
        let mut sorted = Sorted::default();
        for (at, &(from, upto)) in (0..).zip(&self.inbox.spans) {
            let next = class.receives.partition_point(|&step| step < from);
            if class.receives.get(next).is_some_and(|&step| step <= upto) {
                sorted.add(at, self.accepts(class, at));
            }
        }
        sorted
    }

    fn known_accepted(&self, known: &Known) -> Accepts {
        let tags = known.accepted.iter();
        let tags = tags.map(|&at| self.tags[at as usize].clone());
        match known.refuses {
            true => Accepts::Only(Arc::new(tags.collect())),
            false => Accepts::All,
        }
    }

    fn accepts(&self, class: &Class, at: u32) -> bool {
        let message = &self.inbox.messages[at as usize];
        if !message.is_brought {
            return self.execution.accepts(&class.cursor, message);
        }
        // It depends on the links and monitors of the process, which are those of every receive of the
        // class that could have taken the message, but not of earlier ones.
        let (from, _) = self.inbox.spans[at as usize];
        let next = class.receives.partition_point(|&step| step < from);
        self.execution
            .accepts_in_step(self.slot, class.receives[next], message)
    }
}

/// The messages that matter to a constraint, by their places in the inbox.
#[derive(Clone, Default)]
struct Sorted {
    accepted: Vec<u32>,
    refused: Vec<u32>,
}

impl Sorted {
    fn add(&mut self, message: u32, is_accepted: bool) {
        match is_accepted {
            true => self.accepted.push(message),
            false => self.refused.push(message),
        }
    }

    fn accepts(&self, tags: &[Tag]) -> Accepts {
        self.accepts_by(|at| tags[at as usize].clone())
    }

    /// The accepted messages, given by the shorter of the two lists.
    fn accepts_by(&self, tag: impl Fn(u32) -> Tag) -> Accepts {
        let tags = |messages: &[u32]| Arc::new(messages.iter().map(|&at| tag(at)).collect());
        if self.refused.is_empty() {
            Accepts::All
        } else if self.accepted.len() <= self.refused.len() {
            Accepts::Only(tags(&self.accepted))
        } else {
            Accepts::Except(tags(&self.refused))
        }
    }
}
