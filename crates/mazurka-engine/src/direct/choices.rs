//! The frontier of every strategy other than `dfs`: which known prefix is explored next.
//!
//! Going to a prefix costs the steps in which it differs from the current one, and a promising
//! prefix is seldom near. So choices become rarer: once `n` prefixes have been explored, each choice
//! is followed by `n / N` prefixes depth first, where `N` is [`Options::free_choices`]. A run over
//! `n` executions makes about `N * (1 + ln(n / N))` choices, and one more for each chosen prefix that
//! leads to fewer executions than that.
//!
//! A chosen prefix is *directed*: the items found on its way to an end are valued one by one, and
//! the valuations and `mcts` learn from it. Items found depth first have the rank of the chosen
//! prefix that they come from; valuing them would take as long as exploring them.

use super::chance::Chance;
use super::ranking::Ranking;
use super::search_tree::SearchTree;
use super::valuer::{Rank, Value, Valuer};
use crate::frontier::Item;
use crate::options::Options;
use crate::strategy::Strategy;
use std::collections::VecDeque;

/// The items of a frontier, and the order in which they are chosen.
pub(crate) struct Choices {
    /// Items found since the last choice, the newest last.
    recent: Vec<(Item, Rank)>,
    queue: Queue,
    chance: Chance,
    free_choices: u64,
    /// Prefixes popped so far.
    popped: u64,
    /// Prefixes to explore depth first before the next choice.
    depth_first: u64,
    /// The last prefix was chosen, so what it leads to is valued.
    directed: bool,
    /// The rank of the last chosen prefix.
    rank: Rank,
}

/// The items that existed at the last choice, by strategy.
enum Queue {
    Oldest(VecDeque<Item>),
    Random(Vec<Item>),
    Best(Ranking),
    Mcts(SearchTree),
}

impl Choices {
    /// None for `dfs`, which makes no choices.
    pub(crate) fn new(options: &Options) -> Option<Self> {
        let queue = match options.strategy {
            Strategy::Dfs => return None,
            Strategy::Bfs => Queue::Oldest(VecDeque::new()),
            Strategy::Random { .. } => Queue::Random(Vec::new()),
            Strategy::BestFirst { .. } => Queue::Best(Ranking::default()),
            Strategy::Mcts { .. } => Queue::Mcts(SearchTree::new()),
        };
        let free_choices = match options.strategy {
            // The threshold decides when an execution is left; A* allows no other limit.
            Strategy::BestFirst { threshold: Some(_) } => u64::MAX,
            _ => options.free_choices.max(1),
        };
        Some(Choices {
            recent: Vec::new(),
            queue,
            chance: Chance::new(options.strategy.seed().unwrap_or(0)),
            free_choices,
            popped: 0,
            depth_first: 0,
            directed: false,
            rank: Rank::default(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        let queued = match &self.queue {
            Queue::Oldest(items) => items.len(),
            Queue::Random(items) => items.len(),
            Queue::Best(ranking) => ranking.len(),
            Queue::Mcts(tree) => tree.len(),
        };
        self.recent.len() + queued
    }

    /// Whether the current prefix was chosen.
    #[inline]
    pub(crate) fn is_directed(&self) -> bool {
        self.directed
    }

    #[inline]
    pub(crate) fn push(&mut self, item: Item, rank: impl FnOnce(&Item) -> Rank) {
        let rank = match self.queue {
            Queue::Best(_) if self.directed => rank(&item),
            _ => self.rank,
        };
        self.recent.push((item, rank));
    }

    #[inline]
    pub(crate) fn pop(
        &mut self,
        valuer: &mut Valuer,
        learn: impl FnOnce(&mut Valuer) -> f64,
    ) -> Option<Item> {
        if std::mem::take(&mut self.directed) {
            match &mut self.queue {
                Queue::Best(_) if valuer.remembers() => drop(learn(valuer)),
                Queue::Mcts(tree) => tree.reward(learn(valuer)),
                _ => {}
            }
        }
        self.popped += 1;
        if self.depth_first > 0
            && let Some((item, _)) = self.recent.pop()
        {
            self.depth_first -= 1;
            return Some(item);
        }
        self.choose(valuer)
    }

    /// The first item by the strategy.
    fn choose(&mut self, valuer: &Valuer) -> Option<Item> {
        self.queue_recent(valuer);
        self.depth_first = self.popped / self.free_choices;
        self.directed = true;
        let (item, rank) = self.first(valuer)?;
        self.rank = rank;
        Some(item)
    }

    /// Removes the first item of the queue, and its rank if it has one.
    fn first(&mut self, valuer: &Valuer) -> Option<(Item, Rank)> {
        let unranked = |item| (item, self.rank);
        match &mut self.queue {
            Queue::Oldest(items) => items.pop_front().map(unranked),
            Queue::Random(items) => {
                let last = items.len().checked_sub(1)?;
                Some(unranked(items.swap_remove(self.chance.draw(last + 1))))
            }
            Queue::Best(ranking) => ranking.pop(valuer),
            Queue::Mcts(tree) => tree.pop(&mut self.chance).map(unranked),
        }
    }

    /// Takes out up to this many items, the first ones by the strategy.
    pub(crate) fn take(&mut self, at_most: usize, valuer: &Valuer) -> Vec<Item> {
        self.queue_recent(valuer);
        let taken = (0..at_most).map_while(|_| self.first(valuer));
        taken.map(|(item, _)| item).collect()
    }

    fn queue_recent(&mut self, valuer: &Valuer) {
        for (item, rank) in self.recent.drain(..) {
            match &mut self.queue {
                Queue::Oldest(items) => items.push_back(item),
                Queue::Random(items) => items.push(item),
                Queue::Best(ranking) => ranking.push(item, rank, valuer),
                Queue::Mcts(tree) => tree.push(item),
            }
        }
    }

    /// The value of the best item, for `best-first`.
    pub(crate) fn best(&mut self, valuer: &Valuer) -> Option<Value> {
        self.queue_recent(valuer);
        match &mut self.queue {
            Queue::Best(ranking) => ranking.best(valuer),
            _ => None,
        }
    }

    pub(crate) fn draw(&mut self, below: usize) -> usize {
        self.chance.draw(below)
    }
}
