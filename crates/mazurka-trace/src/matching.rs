//! The messages that each receive and timeout could consume: those that satisfy its constraint and
//! were not consumed before it.
//!
//! [`Matching`] stores the messages that satisfy a constraint; receives of one process with the
//! same constraint share one set. [`Waiting`] tracks which messages were not consumed yet.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::Accepts;
use crate::bits::Bits;
use crate::index::{EventId, Inbox, Index, ProcessId};

/// The set of messages that each receive and timeout accepts.
pub(crate) struct Matching {
    sets: Vec<Slots>,
    /// The index of each event's set; `None` for events that are neither receives nor timeouts.
    set_of: Vec<Option<u32>>,
}

/// A set of messages in an inbox, by their slots.
#[derive(Debug)]
enum Slots {
    All,
    /// A few slots, in ascending order.
    Only(Box<[usize]>),
    /// All slots except a few, which are in ascending order.
    Except(Box<[usize]>),
    Bits(Bits),
}

impl Matching {
    pub(crate) fn new(index: &Index) -> Matching {
        let mut matching = Matching {
            sets: vec![Slots::All],
            set_of: vec![None; index.event_count()],
        };
        for p in index.processes() {
            let mut known = HashMap::new();
            for e in index.events_of(p) {
                let Some(accepts) = index.event(e).accepts() else {
                    continue;
                };
                let set = match accepts {
                    Accepts::All => 0,
                    Accepts::Only(tags) | Accepts::Except(tags) => {
                        let is_only = matches!(accepts, Accepts::Only(_));
                        match known.entry((Arc::as_ptr(tags), is_only)) {
                            Entry::Occupied(set) => *set.get(),
                            Entry::Vacant(unknown) => {
                                matching.sets.push(Slots::new(index, p, accepts));
                                *unknown.insert(matching.sets.len() - 1)
                            }
                        }
                    }
                };
                matching.set_of[e.ix()] = u32::try_from(set).ok();
            }
        }
        matching
    }

    /// Whether a receive or timeout accepts the message in this slot.
    pub(crate) fn accepts(&self, e: EventId, slot: usize) -> bool {
        self.set(e).is_some_and(|set| set.contains(slot))
    }

    /// Whether two receives or timeouts share one set of messages. Different sets may still be
    /// equal.
    pub(crate) fn share_set(&self, a: EventId, b: EventId) -> bool {
        self.set_of[a.ix()] == self.set_of[b.ix()]
    }

    fn set(&self, e: EventId) -> Option<&Slots> {
        Some(&self.sets[self.set_of[e.ix()]? as usize])
    }
}

impl Slots {
    fn new(index: &Index, p: ProcessId, accepts: &Accepts) -> Slots {
        let bound = index.inbox(p).messages.len();
        let (tags, is_only) = match accepts {
            Accepts::All => return Slots::All,
            Accepts::Only(tags) => (tags, true),
            Accepts::Except(tags) => (tags, false),
        };
        let mut slots: Vec<usize> = { tags.iter() }
            .filter_map(|tag| index.find_message(tag))
            .filter(|message| message.to == Some(p))
            .map(|message| message.slot)
            .collect();
        if slots.len() * 64 <= bound {
            slots.sort_unstable();
            return match is_only {
                true => Slots::Only(slots.into()),
                false => Slots::Except(slots.into()),
            };
        }
        let mut bits = match is_only {
            true => Bits::none(bound),
            false => Bits::all(bound),
        };
        for slot in slots {
            match is_only {
                true => bits.insert(slot),
                false => bits.remove(slot),
            }
        }
        Slots::Bits(bits)
    }

    fn contains(&self, slot: usize) -> bool {
        match self {
            Slots::All => true,
            Slots::Only(slots) => slots.binary_search(&slot).is_ok(),
            Slots::Except(slots) => slots.binary_search(&slot).is_err(),
            Slots::Bits(bits) => bits.contains(slot),
        }
    }
}

/// The messages of an inbox that were not consumed before a given event of its process.
pub(crate) struct Waiting<'i> {
    inbox: &'i Inbox,
    slots: Bits,
    /// A lower bound of the first waiting slot, of all senders (`low`) and of each (`low_of`).
    low: usize,
    low_of: Vec<usize>,
}

impl<'i> Waiting<'i> {
    /// The messages that wait before the first event of the process.
    pub(crate) fn new(inbox: &'i Inbox) -> Self {
        Waiting {
            slots: Bits::all(inbox.messages.len()),
            low: 0,
            low_of: inbox.senders.iter().map(|sender| sender.start).collect(),
            inbox,
        }
    }

    /// The messages that wait before event `e`.
    pub(crate) fn before(index: &'i Index, e: EventId) -> Self {
        let p = index.owner(e);
        let mut waiting = Waiting::new(index.inbox(p));
        for earlier in index.events_of(p).take_while(|earlier| *earlier < e) {
            waiting.pass(index, earlier);
        }
        waiting
    }

    /// Advances past the event `e`.
    pub(crate) fn pass(&mut self, index: &Index, e: EventId) {
        let Some(message) = index.consumed(e) else {
            return;
        };
        self.slots.remove(message.slot);
        let first = |from| self.slots.next_from(from).unwrap_or(usize::MAX);
        if message.slot == self.low {
            self.low = first(self.low);
        }
        let sender = self.inbox.sender_of(message.slot);
        if message.slot == self.low_of[sender] {
            self.low_of[sender] = first(self.low_of[sender]);
        }
    }

    /// The first waiting message of each sender that the receive accepts.
    pub(crate) fn firsts(&self, matching: &Matching, e: EventId) -> Vec<usize> {
        match matching.set(e) {
            None => Vec::new(),
            Some(Slots::Only(slots)) => {
                let mut firsts: Vec<usize> = Vec::new();
                for &slot in slots.iter().filter(|slot| self.slots.contains(**slot)) {
                    let sender = self.inbox.sender_of(slot);
                    let known = firsts.last().map(|last| self.inbox.sender_of(*last));
                    if known != Some(sender) {
                        firsts.push(slot);
                    }
                }
                firsts
            }
            Some(set) => (0..self.low_of.len())
                .filter_map(|sender| self.first(set, sender))
                .collect(),
        }
    }

    /// The first message of each sender that a receive or timeout accepts and does not consume.
    pub(crate) fn firsts_after(
        &mut self,
        index: &Index,
        matching: &Matching,
        e: EventId,
    ) -> Vec<usize> {
        let taken = index.consumed(e).map(|message| message.slot);
        if let Some(slot) = taken {
            self.slots.remove(slot);
        }
        let firsts = self.firsts(matching, e);
        if let Some(slot) = taken {
            self.slots.insert(slot);
        }
        firsts
    }

    /// The first waiting message that the receive accepts from the sender of the message in `slot`.
    pub(crate) fn first_of_same_sender(
        &self,
        matching: &Matching,
        e: EventId,
        slot: usize,
    ) -> Option<usize> {
        self.first(matching.set(e)?, self.inbox.sender_of(slot))
    }

    fn first(&self, set: &Slots, sender: usize) -> Option<usize> {
        let upto = self.inbox.senders[sender].end;
        let slot = self.next(set, self.low_of[sender])?;
        (slot < upto).then_some(slot)
    }

    /// Every waiting message that the receive accepts.
    pub(crate) fn accepted<'w>(
        &'w self,
        matching: &'w Matching,
        e: EventId,
    ) -> impl Iterator<Item = usize> + 'w {
        let set = matching.set(e);
        let mut from = self.low;
        std::iter::from_fn(move || {
            let slot = self.next(set?, from)?;
            from = slot + 1;
            Some(slot)
        })
    }

    /// The first waiting message of the set whose slot is at least `from`.
    fn next(&self, set: &Slots, from: usize) -> Option<usize> {
        match set {
            Slots::All => self.slots.next_from(from),
            Slots::Only(slots) => {
                let start = slots.partition_point(|slot| *slot < from);
                let mut rest = slots[start..].iter().copied();
                rest.find(|slot| self.slots.contains(*slot))
            }
            Slots::Except(_) => {
                let mut slot = self.slots.next_from(from)?;
                while !set.contains(slot) {
                    slot = self.slots.next_from(slot + 1)?;
                }
                Some(slot)
            }
            Slots::Bits(bits) => self.slots.next_of_both(bits, from),
        }
    }
}
