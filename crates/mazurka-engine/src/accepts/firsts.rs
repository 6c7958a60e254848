//! For receives with many messages: the first message of each sender that they accept.

use super::Class;
use super::inbox::{Inbox, Remaining, Senders};
use crate::frontend::Frontend;
use crate::graph::{Cursor, Slot};
use crate::view::Execution;
use rustc_hash::FxHashMap;

/// What is known of the messages that a class of receives accepts.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// Contains, for each receive and each sender, the first message that the receive accepts.
    pub(super) accepted: Vec<u32>,
    /// Whether a message that one of the receives could have taken is known not to be accepted.
    pub(super) refuses: bool,
    has_sample: bool,
}

/// The position of the search for the messages of one sender that a class accepts.
#[derive(Clone, Copy)]
struct Reached {
    position: u32,
    is_accepted: bool,
}

/// Finds these messages, step by step.
///
/// A receive consumes the first message of its sender that it accepts, so nothing is matched to
/// find that one. The messages of each other sender are matched up to the first one accepted, and
/// only once for all receives of a class.
pub(super) struct Firsts<'x, 'e, F: Frontend> {
    execution: &'x Execution<'e, F>,
    slot: Slot,
    inbox: &'x Inbox<'x>,
    senders: Senders,
    /// The messages that no earlier step consumed, by their positions in `senders`.
    of_senders: Remaining,
    /// The same, by their places in the inbox.
    waiting: Remaining,
    /// By class and sender.
    reached: FxHashMap<(usize, usize), Reached>,
    /// How many messages to match with each class in addition.
    sample: usize,
    known: Vec<Known>,
}

impl<'x, 'e, F: Frontend> Firsts<'x, 'e, F> {
    pub(super) fn new(
        execution: &'x Execution<'e, F>,
        slot: Slot,
        inbox: &'x Inbox<'x>,
        sample: usize,
    ) -> Self {
        Firsts {
            execution,
            slot,
            inbox,
            senders: Senders::new(inbox.messages),
            of_senders: Remaining::new(inbox.messages.len()),
            waiting: Remaining::new(inbox.messages.len()),
            reached: FxHashMap::default(),
            sample,
            known: Vec::new(),
        }
    }

    /// What is known of each class for which `wanted` holds.
    pub(super) fn find(
        mut self,
        class_of: &[Option<usize>],
        classes: &[Class],
        wanted: impl Fn(usize) -> bool,
    ) -> Vec<Known> {
        self.known = vec![Known::default(); classes.len()];
        for (step, class) in class_of.iter().enumerate() {
            if let Some(class) = class.filter(|class| wanted(*class)) {
                self.sample(step, class, &classes[class].cursor);
                self.firsts(step, class, &classes[class].cursor);
            }
            if let Some(consumed) = self.inbox.consumed[step] {
                self.waiting.remove(consumed);
                let (position, _) = self.senders.places[consumed as usize];
                self.of_senders.remove(position);
            }
        }
        self.known
    }

    /// Matches the oldest messages that the first receive of a class could have taken. Races do not
    /// depend on them, but a report shows them.
    fn sample(&mut self, step: usize, class: usize, cursor: &Cursor) {
        if std::mem::replace(&mut self.known[class].has_sample, true) {
            return;
        }
        let mut at = 0;
        for _ in 0..self.sample {
            at = self.waiting.first_from(at);
            let Some(&(from, _)) = self.inbox.spans.get(at as usize) else {
                break;
            };
            if from <= step {
                match self.accepts(step, cursor, at) {
                    true => self.known[class].accepted.push(at),
                    false => self.known[class].refuses = true,
                }
            }
            at += 1;
        }
    }

    fn firsts(&mut self, step: usize, class: usize, cursor: &Cursor) {
        for sender in 0..self.senders.ranges.len() {
            let reached = self.first_of(step, class, cursor, sender);
            self.reached.insert((class, sender), reached);
        }
    }

    /// Advances to the first message of this sender that the receive could have taken and accepts.
    fn first_of(&mut self, step: usize, class: usize, cursor: &Cursor, sender: usize) -> Reached {
        let range = self.senders.ranges[sender].clone();
        let before = self.reached.get(&(class, sender)).copied();
        let start = before.map_or(range.start, |before| before.position);
        let mut position = self.of_senders.first_from(start);
        if let Some(before) = before.filter(|before| before.is_accepted)
            && before.position == position
        {
            return before;
        }
        if let Some(taken) = self.taken(step, sender)
            && position < taken
        {
            self.known[class].refuses = true;
            position = taken;
        }
        while position < range.end {
            let at = self.senders.messages[position as usize];
            if self.inbox.spans[at as usize].0 > step {
                break;
            }
            if self.accepts(step, cursor, at) {
                self.known[class].accepted.push(at);
                return Reached {
                    position,
                    is_accepted: true,
                };
            }
            self.known[class].refuses = true;
            position = self.of_senders.first_from(position + 1);
        }
        Reached {
            position: position.min(range.end),
            is_accepted: false,
        }
    }

    /// Whether the receive accepts a message that it could have taken. Of the sender whose message it
    /// consumed, it accepts no earlier one.
    fn accepts(&self, step: usize, cursor: &Cursor, at: u32) -> bool {
        let (position, sender) = self.senders.places[at as usize];
        match self.taken(step, sender) {
            Some(taken) if position <= taken => position == taken,
            _ => {
                let message = &self.inbox.messages[at as usize];
                match message.is_brought {
                    true => self.execution.accepts_in_step(self.slot, step, message),
                    false => self.execution.accepts(cursor, message),
                }
            }
        }
    }

    /// The position of the message that a step consumed, if it is of this sender.
    fn taken(&self, step: usize, sender: usize) -> Option<u32> {
        let consumed = self.inbox.consumed[step]?;
        let (position, of) = self.senders.places[consumed as usize];
        (of == sender).then_some(position)
    }
}
