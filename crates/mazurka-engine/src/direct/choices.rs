//! Which of all known beginnings is looked at next, by the strategies that jump.
//!
//! Going from one beginning to another costs the steps in which they differ, and what is promising
//! is seldom near. So there are fewer and fewer choices: what was chosen is explored for a while,
//! depth first, before the next one. And there are choices only as long as they have cost little;
//! otherwise the newest item is next, which is the nearest.

use super::budget::Budget;
use super::chance::Chance;
use super::ranking::Ranking;
use super::tree::Tree;
use super::valuer::{Rank, Value, Valuer};
use crate::frontier::Item;
use crate::observe::Progress;
use crate::options::Options;
use crate::strategy::Strategy;
use std::collections::BTreeMap;

/// The items of a frontier, and how they are chosen.
pub(crate) struct Choices {
    /// What has come of the last choice, the newest last.
    nearby: Vec<Known>,
    /// How many more of those are looked at before all are put away.
    burst: u64,
    /// What is explored of each choice, of all that has been explored.
    burst_share: u64,
    /// Whether the last item was a choice.
    chose: bool,
    /// The steps that the newest item has which was left for the last choice.
    left: usize,
    budget: Budget,
    /// How many steps had been done before the last item.
    steps: u64,
    /// What the items are worth that are found in a burst: as much as what they come from.
    worth: Worth,
    /// What was put away, the newest last.
    away: BTreeMap<Number, Known>,
    /// How many items were ever put away.
    numbers: Number,
    order: Order,
}

/// To put an item away and to choose it again takes about as long as so many steps, if they are short.
const IN_AND_OUT: u64 = 2;

/// The number of an item that was put away: newer ones have higher ones.
pub(super) type Number = u64;

/// An item and its worth.
struct Known {
    item: Item,
    worth: Worth,
}

/// What an item is worth, as its order knows it.
#[derive(Clone, Copy, Default)]
struct Worth {
    rank: Rank,
    value: Value,
    /// The node of the tree that it is below.
    node: usize,
}

/// How items are chosen. Orders know them by their numbers, and may know some that have been taken.
enum Order {
    Oldest,
    Any(Vec<Number>, Chance),
    Best(Ranking),
    Rewarding(Tree),
}

impl Choices {
    /// None, if the strategy has no choice.
    pub(crate) fn new(options: &Options) -> Option<Self> {
        let order = match options.strategy {
            Strategy::Dfs => return None,
            Strategy::Bfs => Order::Oldest,
            Strategy::Random { seed } => Order::Any(Vec::new(), Chance::new(seed)),
            Strategy::BestFirst { .. } => Order::Best(Ranking::default()),
            Strategy::Mcts { seed } => Order::Rewarding(Tree::new(seed)),
        };
        Some(Choices {
            nearby: Vec::new(),
            burst: 0,
            burst_share: options.burst_share.max(1),
            chose: false,
            left: 0,
            budget: Budget::new(options.choice_allowance),
            steps: 0,
            worth: Worth::default(),
            away: BTreeMap::new(),
            numbers: 0,
            order,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.nearby.len() + self.away.len()
    }

    #[inline]
    pub(crate) fn is_choosy(&self) -> bool {
        self.burst == 0
    }

    #[inline]
    pub(crate) fn push(&mut self, item: Item, ranked: impl FnOnce(&Item) -> (Rank, Value)) {
        let mut worth = self.worth;
        if self.burst == 0 && matches!(self.order, Order::Best(_)) {
            (worth.rank, worth.value) = ranked(&item);
        }
        self.nearby.push(Known { item, worth });
    }

    #[inline]
    pub(crate) fn pop(
        &mut self,
        progress: &Progress,
        valuer: &mut Valuer,
        learn: impl FnOnce(&mut Valuer) -> f64,
    ) -> Option<Item> {
        // In the midst of a burst nothing is reckoned: that would cost more than to take the newest.
        if self.burst > 1
            && !self.chose
            && let Some(known) = self.nearby.pop()
        {
            self.burst -= 1;
            self.steps = progress.transitions;
            return Some(known.item);
        }
        self.pop_counted(progress, valuer, learn)
    }

    /// The next item, chosen if there may be a choice.
    fn pop_counted(
        &mut self,
        progress: &Progress,
        valuer: &mut Valuer,
        learn: impl FnOnce(&mut Valuer) -> f64,
    ) -> Option<Item> {
        let new = progress.transitions - self.steps;
        self.steps = progress.transitions;
        let newest = self
            .nearby
            .last()
            .map(|Known { item, .. }| (item.share, item.start));
        // When a burst ends, it is about the choice after the next execution, which will be valued.
        let chooses = self.burst == 0;
        let choosing = match self.len() {
            1 => 0, // one alone is no choice
            _ => self.price_of_putting_away(),
        };
        let (valuing, learning, learns) = match self.order {
            Order::Best(_) if valuer.remembers() => (new, new, chooses),
            Order::Best(_) => (new, 0, false),
            Order::Rewarding(_) if self.chose => (0, new, true),
            Order::Rewarding(_) | Order::Oldest | Order::Any(..) => (0, 0, false),
        };
        let price = choosing + valuing + learning;
        let share = newest.map(|(share, _)| share);
        let may_choose = self.budget.allows(price, progress, share);
        if chooses {
            // They were valued when they were found.
            self.budget.spend(valuing);
        }
        if may_choose {
            if chooses {
                self.budget.spend(choosing);
            }
            if learns {
                self.budget.spend(learning);
                let worth = learn(valuer);
                if let Order::Rewarding(tree) = &mut self.order {
                    tree.reward(self.worth.node, worth);
                }
            }
        } else {
            // One for now, and one more so that the next execution is not valued.
            self.burst = self.burst.max(2);
        }
        self.chose = false;
        if self.burst > 0
            && let Some(known) = self.nearby.pop()
        {
            self.burst -= 1;
            return Some(known.item);
        }
        let known = match may_choose {
            true => {
                self.chose = true;
                self.left = newest.map_or(0, |(_, start)| start);
                self.burst = progress.seen() / self.burst_share;
                match self.len() {
                    1 if newest.is_some() => self.nearby.pop()?,
                    _ => {
                        self.put_away();
                        self.choose(valuer)?
                    }
                }
            }
            false => self.away.pop_last()?.1,
        };
        self.worth = known.worth;
        Some(known.item)
    }

    #[inline]
    pub(crate) fn reached(&mut self, common: usize, again: u64) {
        if self.chose {
            let way_back = self.left.saturating_sub(common) as u64;
            self.budget.spend(again + way_back);
        }
    }

    fn price_of_putting_away(&self) -> u64 {
        IN_AND_OUT * self.nearby.len() as u64
    }

    /// What is nearby becomes a choice like all others.
    fn put_away(&mut self) {
        for known in self.nearby.drain(..) {
            self.numbers += 1;
            let Worth { rank, value, node } = known.worth;
            match &mut self.order {
                Order::Oldest => {}
                Order::Any(numbers, _) => numbers.push(self.numbers),
                Order::Best(ranking) => ranking.push(self.numbers, rank, value),
                Order::Rewarding(tree) => tree.push(self.numbers, node),
            }
            self.away.insert(self.numbers, known);
        }
    }

    /// The first item of those put away, by the order.
    fn choose(&mut self, valuer: &Valuer) -> Option<Known> {
        let away = &mut self.away;
        loop {
            let (number, node) = match &mut self.order {
                Order::Oldest => return away.pop_first().map(|(_, known)| known),
                Order::Any(numbers, chance) => {
                    let last = numbers.len().checked_sub(1)?;
                    (numbers.swap_remove(chance.draw(last + 1)), None)
                }
                Order::Best(ranking) => (ranking.pop(valuer)?, None),
                Order::Rewarding(tree) => {
                    let (number, node) = tree.pop()?;
                    (number, Some(node))
                }
            };
            // It may have been taken because it was near.
            let Some(mut known) = away.remove(&number) else {
                continue;
            };
            if let (Order::Rewarding(tree), Some(node)) = (&mut self.order, node) {
                known.worth.node = tree.begin(node);
            }
            return Some(known);
        }
    }

    pub(crate) fn best(&mut self) -> Option<Value> {
        self.budget.spend(self.price_of_putting_away());
        self.put_away();
        match &mut self.order {
            Order::Best(ranking) => ranking.best(|number| self.away.contains_key(&number)),
            _ => None,
        }
    }

    pub(crate) fn draw(&mut self, below: usize) -> usize {
        match &mut self.order {
            Order::Any(_, chance) => chance.draw(below),
            Order::Rewarding(tree) => tree.draw(below),
            _ => 0,
        }
    }
}
