//! The queue of `best-first`.

use super::valuer::{Rank, Value, Valuer};
use crate::frontier::Item;
use rustc_hash::FxHashMap;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Items by their rank. There are far fewer ranks than items, and when a rank becomes worse all its
/// items do.
#[derive(Default)]
pub(super) struct Ranking {
    /// The ranks that have items.
    order: BinaryHeap<Ranked>,
    items: FxHashMap<Rank, Vec<Item>>,
    len: usize,
    /// Ranks pushed so far.
    pushed: u64,
}

/// A rank with the value that it had when it was last compared.
#[derive(PartialEq, Eq)]
struct Ranked {
    value: Value,
    rank: Rank,
    /// Ranks pushed before it.
    number: u64,
}

impl Ranked {
    /// Low values first; then long prefixes, then new ones.
    fn key(&self) -> (Reverse<Value>, u32, u64) {
        (Reverse(self.value), self.rank.steps, self.number)
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Ranking {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, item: Item, rank: Rank, valuer: &Valuer) {
        self.len += 1;
        let items = self.items.entry(rank).or_default();
        items.push(item);
        if items.len() == 1 {
            self.pushed += 1;
            self.order.push(Ranked {
                value: valuer.value(&rank),
                rank,
                number: self.pushed,
            });
        }
    }

    /// Removes the newest item of the best rank.
    pub(super) fn pop(&mut self, valuer: &Valuer) -> Option<(Item, Rank)> {
        self.best(valuer)?;
        let rank = self.order.peek()?.rank;
        let items = self.items.get_mut(&rank)?;
        let item = items.pop()?;
        if items.is_empty() {
            self.items.remove(&rank);
            self.order.pop();
        }
        self.len -= 1;
        Some((item, rank))
    }

    /// The value of the best rank. Values only become worse, so the first rank whose value has not
    /// changed is the best.
    pub(super) fn best(&mut self, valuer: &Valuer) -> Option<Value> {
        loop {
            let mut first = self.order.peek_mut()?;
            let value = valuer.value(&first.rank);
            if first.value == value {
                return Some(value);
            }
            first.value = value;
        }
    }
}
