//! The order of `best-first`.

use super::choices::Number;
use super::valuer::{Rank, Value, Valuer};
use rustc_hash::FxHashMap;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Items by their rank. There are far fewer ranks than items, and when a rank becomes worse all its
/// items do.
#[derive(Default)]
pub(super) struct Ranking {
    /// The ranks that have items.
    order: BinaryHeap<Ranked>,
    items: FxHashMap<Rank, Vec<Number>>,
    pushed: u64,
}

/// A rank with the value that it had when it was put in order.
#[derive(PartialEq, Eq)]
struct Ranked {
    value: Value,
    rank: Rank,
    /// How many ranks were put in order before it.
    number: u64,
}

impl Ranked {
    /// Low values first; then long beginnings, then new ones.
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
    pub(super) fn push(&mut self, item: Number, rank: Rank, value: Value) {
        let items = self.items.entry(rank).or_default();
        items.push(item);
        if items.len() == 1 {
            self.pushed += 1;
            self.order.push(Ranked {
                value,
                rank,
                number: self.pushed,
            });
        }
    }

    /// The newest item of the best rank.
    pub(super) fn pop(&mut self, valuer: &Valuer) -> Option<Number> {
        loop {
            let mut best = self.order.pop()?;
            // It may have become worse since it was put in order.
            best.value = valuer.value(&best.rank);
            if self.order.peek().is_some_and(|next| *next > best) {
                self.order.push(best);
                continue;
            }
            let items = self.items.get_mut(&best.rank)?;
            let item = items.pop()?;
            match items.is_empty() {
                true => drop(self.items.remove(&best.rank)),
                false => self.order.push(best),
            }
            return Some(item);
        }
    }

    /// The value of the best rank that has items which are still there, as it was when it was put in
    /// order.
    pub(super) fn best(&mut self, is_there: impl Fn(Number) -> bool) -> Option<Value> {
        loop {
            let best = self.order.peek()?;
            let items = self.items.get_mut(&best.rank)?;
            while items.pop_if(|item| !is_there(*item)).is_some() {}
            if !items.is_empty() {
                return Some(best.value);
            }
            self.items.remove(&best.rank);
            self.order.pop();
        }
    }
}
