//! The executions that are known to exist and have not been looked at yet.

use crate::direct::{Choices, Rank, Value, Valuer};
use crate::graph::Entry;
use crate::observe::Progress;
use crate::options::Options;
use smallvec::SmallVec;
use std::rc::Rc;

/// A piece of a path. Paths share their beginnings: a segment continues the path of its
/// parent, cut off after `start` steps.
#[derive(Debug)]
pub(crate) struct Segment {
    pub parent: Option<Rc<Segment>>,
    /// How many ancestors it has.
    pub depth: usize,
    pub start: usize,
    pub entries: SmallVec<[Entry; 2]>,
}

/// The beginning of an execution that has not been looked at: `entries` after the first
/// `start` steps of the parent's path. It becomes a segment only if it has children.
#[derive(Debug)]
pub(crate) struct Item {
    pub parent: Rc<Segment>,
    pub start: usize,
    pub entries: SmallVec<[Entry; 1]>,
    /// How much of all there is to explore it leads to, if every choice leads to as much.
    pub share: f64,
    /// How many beginnings had been taken up when it was met: the last of them led to it.
    pub from: u64,
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
    /// A long chain of segments is taken apart link by link, not by recursion.
    fn drop(&mut self) {
        let mut parent = self.parent.take();
        while let Some(mut segment) = parent.and_then(Rc::into_inner) {
            parent = segment.parent.take();
        }
    }
}

/// The frontier.
pub(crate) enum Frontier {
    /// Depth first: the newest item is next, which is the nearest.
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

    /// Whether it matters how good an item is.
    #[inline]
    pub(crate) fn is_choosy(&self) -> bool {
        match self {
            Frontier::Newest(_) => false,
            Frontier::Chosen(choices) => choices.is_choosy(),
        }
    }

    /// Puts an item away. Its rank and value are asked for only if they matter.
    #[inline]
    pub(crate) fn push(&mut self, item: Item, ranked: impl FnOnce(&Item) -> (Rank, Value)) {
        match self {
            Frontier::Newest(items) => items.push(item),
            Frontier::Chosen(choices) => choices.push(item, ranked),
        }
    }

    /// The next item, when the exploration has come so far. If it matters, `learn` tells the valuer
    /// what was met since the last one, and what that was worth, from 0 to 1.
    #[inline]
    pub(crate) fn pop(
        &mut self,
        progress: &Progress,
        valuer: &mut Valuer,
        learn: impl FnOnce(&mut Valuer) -> f64,
    ) -> Option<Item> {
        match self {
            Frontier::Newest(items) => items.pop(),
            Frontier::Chosen(choices) => choices.pop(progress, valuer, learn),
        }
    }

    /// The last item has been reached: so many of its steps were still there, and so many were done
    /// again.
    #[inline]
    pub(crate) fn reached(&mut self, common: usize, again: u64) {
        if let Frontier::Chosen(choices) = self {
            choices.reached(common, again);
        }
    }

    /// The value of the best item, as it was when it was put away.
    pub(crate) fn best(&mut self) -> Option<Value> {
        match self {
            Frontier::Newest(_) => None,
            Frontier::Chosen(choices) => choices.best(),
        }
    }

    /// A number below `below`, for the strategies that leave something to chance.
    pub(crate) fn draw(&mut self, below: usize) -> usize {
        match self {
            Frontier::Newest(_) => 0,
            Frontier::Chosen(choices) => choices.draw(below),
        }
    }
}
