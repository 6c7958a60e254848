//! The frontier: prefixes of executions that are known to exist and have not been explored yet.

use crate::direct::{Choices, Rank, Value, Valuer};
use crate::graph::Entry;
use crate::options::Options;
use smallvec::SmallVec;
use std::rc::Rc;

/// A piece of a path. Paths share their prefixes: a segment continues the path of its parent, cut
/// off after `start` steps.
#[derive(Debug)]
pub(crate) struct Segment {
    pub parent: Option<Rc<Segment>>,
    /// Number of ancestors.
    pub depth: usize,
    pub start: usize,
    pub entries: SmallVec<[Entry; 2]>,
}

/// A prefix that has not been explored: `entries` after the first `start` steps of the parent's
/// path. It becomes a segment only if it has children.
#[derive(Debug)]
pub(crate) struct Item {
    pub parent: Rc<Segment>,
    pub start: usize,
    pub entries: SmallVec<[Entry; 1]>,
    /// Estimated fraction of the exploration that it leads to, assuming equal subtrees.
    pub share: f64,
    /// Number of items that had been popped when it was found: the last of them led to it.
    pub from: u64,
    /// Whether the race variants of its last step have been found already.
    pub is_varied: bool,
}

impl Item {
    /// All its steps, from the start of the program.
    pub(crate) fn path(&self) -> Vec<Entry> {
        let mut pieces: Vec<&[Entry]> = vec![&self.entries];
        let (mut segment, mut upto) = (&self.parent, self.start);
        loop {
            pieces.push(&segment.entries[..upto - segment.start]);
            upto = segment.start;
            match &segment.parent {
                Some(parent) => segment = parent,
                None => break,
            }
        }
        pieces.into_iter().rev().flatten().copied().collect()
    }
}

impl Segment {
    /// The empty path.
    pub(crate) fn root() -> Rc<Self> {
        Rc::new(Segment {
            parent: None,
            depth: 0,
            start: 0,
            entries: SmallVec::new(),
        })
    }

    /// `entries` after the first `start` steps of the parent's path.
    pub(crate) fn after(
        parent: &Rc<Segment>,
        start: usize,
        entries: impl IntoIterator<Item = Entry>,
    ) -> Rc<Self> {
        debug_assert!(start <= parent.end());
        Rc::new(Segment {
            parent: Some(Rc::clone(parent)),
            depth: parent.depth + 1,
            start,
            entries: entries.into_iter().collect(),
        })
    }

    /// The length of the path up to here.
    pub(crate) fn end(&self) -> usize {
        self.start + self.entries.len()
    }
}

impl Drop for Segment {
    /// Drops a long chain of segments link by link, not by recursion.
    fn drop(&mut self) {
        let mut parent = self.parent.take();
        while let Some(mut segment) = parent.and_then(Rc::into_inner) {
            parent = segment.parent.take();
        }
    }
}

/// The frontier. Items are pushed and popped.
pub(crate) enum Frontier {
    /// Depth first: the newest item, which is the nearest, is popped first.
    Newest(Vec<Item>),
    Chosen(Box<Choices>),
}

impl Frontier {
    pub(crate) fn new(options: &Options) -> Self {
        match Choices::new(options) {
            Some(choices) => Frontier::Chosen(Box::new(choices)),
            None => Frontier::Newest(Vec::new()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Frontier::Newest(items) => items.len(),
            Frontier::Chosen(choices) => choices.len(),
        }
    }

    /// Whether the strategy chose the current prefix, so that it also chooses how to continue it.
    #[inline]
    pub(crate) fn is_directed(&self) -> bool {
        match self {
            Frontier::Newest(_) => false,
            Frontier::Chosen(choices) => choices.is_directed(),
        }
    }

    /// Pushes an item. `rank` is called only if the rank matters.
    #[inline]
    pub(crate) fn push(&mut self, item: Item, rank: impl FnOnce(&Item) -> Rank) {
        match self {
            Frontier::Newest(items) => items.push(item),
            Frontier::Chosen(choices) => choices.push(item, rank),
        }
    }

    /// Pops the next item. If it matters, calls `learn` first, which lets the valuer count what was
    /// visited since the last one, and returns the reward of that for `mcts`, from 0 to 1.
    #[inline]
    pub(crate) fn pop(
        &mut self,
        valuer: &mut Valuer,
        learn: impl FnOnce(&mut Valuer) -> f64,
    ) -> Option<Item> {
        match self {
            Frontier::Newest(items) => items.pop(),
            Frontier::Chosen(choices) => choices.pop(valuer, learn),
        }
    }

    /// Takes out up to this many items, the oldest first: they lead to the most executions.
    pub(crate) fn take(&mut self, at_most: usize, valuer: &Valuer) -> Vec<Item> {
        match self {
            Frontier::Newest(items) => items.drain(..at_most.min(items.len())).collect(),
            Frontier::Chosen(choices) => choices.take(at_most, valuer),
        }
    }

    /// The value of the best item.
    pub(crate) fn best(&mut self, valuer: &Valuer) -> Option<Value> {
        match self {
            Frontier::Newest(_) => None,
            Frontier::Chosen(choices) => choices.best(valuer),
        }
    }

    /// A pseudo-random number less than `below`, for the strategies that use them.
    pub(crate) fn draw(&mut self, below: usize) -> usize {
        match self {
            Frontier::Newest(_) => 0,
            Frontier::Chosen(choices) => choices.draw(below),
        }
    }
}
