//! The messages to a process, and which of its steps could have taken each of them.

use super::past::Past;
use crate::graph::{Graph, Message, NONE, Slot};
use std::ops::Range;

/// The messages to a process, numbered as in its inbox.
pub(super) struct Inbox<'g> {
    pub(super) messages: &'g [Message],
    /// For each message, the first and the last step that could have taken it: no step in its
    /// causal past, and none after the one that consumed it. Empty if the first is the greater.
    pub(super) spans: Vec<(usize, usize)>,
    /// For each step, the message that it consumed.
    pub(super) consumed: Vec<Option<u32>>,
}

impl<'g> Inbox<'g> {
    pub(super) fn new(graph: &'g Graph, slot: Slot, past: &Past) -> Self {
        let process = graph.process(slot);
        let last = process.steps.len().checked_sub(1);
        let mut consumed = vec![None; process.steps.len()];
        let span = |(at, message): (u32, &Message)| {
            let known = past.of_send(graph, message, slot);
            let from = process.steps.partition_point(|step| step.event < known);
            match message.consumed_by {
                // A process that has made no step could have taken nothing: the span is empty.
                NONE => last.map_or((1, 0), |last| (from, last)),
                step => {
                    consumed[step as usize] = Some(at);
                    (from, step as usize)
                }
            }
        };
        Inbox {
            spans: (0..).zip(&process.inbox).map(span).collect(),
            consumed,
            messages: &process.inbox,
        }
    }

    /// For each step, how many messages it could have taken.
    pub(super) fn counts(&self) -> Vec<usize> {
        let mut changes = vec![0_isize; self.consumed.len() + 1];
        for &(from, upto) in self.spans.iter().filter(|(from, upto)| from <= upto) {
            changes[from] += 1;
            changes[upto + 1] -= 1;
        }
        let mut count = 0_isize;
        let counts = changes.iter().map(|change| {
            count += change;
            count.unsigned_abs()
        });
        counts.collect()
    }
}

/// The messages of an inbox, sender by sender.
pub(super) struct Senders {
    /// The messages of each sender in the order of its sends.
    pub(super) messages: Vec<u32>,
    /// The positions of each sender's messages in `messages`.
    pub(super) ranges: Vec<Range<u32>>,
    /// For each message of the inbox, its position in `messages` and the index of its range.
    pub(super) places: Vec<(u32, usize)>,
}

impl Senders {
    pub(super) fn new(inbox: &[Message]) -> Self {
        let mut messages: Vec<u32> = (0..).zip(inbox).map(|(at, _)| at).collect();
        let sender = |at: &u32| inbox[*at as usize].sender;
        messages.sort_by_key(sender);
        let mut places = vec![(0, 0); inbox.len()];
        let mut ranges = Vec::new();
        let mut start = 0;
        for group in messages.chunk_by(|a, b| sender(a) == sender(b)) {
            let places_of_group = (start..).zip(group);
            let mut end = start;
            for (position, &at) in places_of_group {
                places[at as usize] = (position, ranges.len());
                end = position + 1;
            }
            ranges.push(start..end);
            start = end;
        }
        Senders {
            messages,
            ranges,
            places,
        }
    }
}

/// A set of numbers from which members are removed: the messages that were not consumed yet.
pub(super) struct Remaining {
    /// For a removed number, a greater one with no members in between.
    next: Vec<u32>,
}

impl Remaining {
    /// The numbers below `bound`.
    pub(super) fn new(bound: usize) -> Self {
        let bound = u32::try_from(bound).expect("few messages");
        Remaining {
            next: (0..=bound).collect(),
        }
    }

    pub(super) fn remove(&mut self, number: u32) {
        self.next[number as usize] = number + 1;
    }

    /// The first member that is at least `from`; if there is none, the bound.
    pub(super) fn first_from(&mut self, from: u32) -> u32 {
        let mut at = from;
        loop {
            let next = self.next[at as usize];
            if next == at {
                return at;
            }
            // Shortens the way for later questions.
            self.next[at as usize] = self.next[next as usize];
            at = next;
        }
    }
}
