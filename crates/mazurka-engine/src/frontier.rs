//! The executions that are known to exist and have not been looked at yet.

use crate::direct::{Facts, Tree, Value, Valuer};
use crate::graph::Entry;
use crate::guide::mix;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

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

/// In which order the frontier is worked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Depth first: memory that does not grow with the number of executions.
    #[default]
    Dfs,
    /// Breadth first.
    Bfs,
    /// Each execution to its end with random choices, then one at random of those that are left;
    /// repeatable by its seed.
    Random {
        /// Another seed, another order.
        seed: u64,
    },
    /// The most promising beginning first, by the valuations.
    BestFirst {
        /// How much worse than the best beginning known an execution may become before it is left
        /// for that one. Without it every execution is run to its end.
        threshold: Option<u32>,
    },
    /// Monte Carlo tree search: near executions that were rewarding, and where few have been run.
    Mcts {
        /// Another seed, other executions.
        seed: u64,
    },
}

impl Strategy {
    /// The names of all strategies.
    pub const NAMES: [&str; 5] = ["dfs", "bfs", "random", "best-first", "mcts"];

    /// Whether anything is left to chance.
    #[must_use]
    pub fn seed(self) -> Option<u64> {
        match self {
            Strategy::Random { seed } | Strategy::Mcts { seed } => Some(seed),
            Strategy::Dfs | Strategy::Bfs | Strategy::BestFirst { .. } => None,
        }
    }

    /// The same with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Strategy {
        match self {
            Strategy::Random { .. } => Strategy::Random { seed },
            Strategy::Mcts { .. } => Strategy::Mcts { seed },
            Strategy::Dfs | Strategy::Bfs | Strategy::BestFirst { .. } => self,
        }
    }

    /// Whether it values the beginnings of executions.
    pub(crate) fn values(self) -> bool {
        matches!(self, Strategy::BestFirst { .. } | Strategy::Mcts { .. })
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::Dfs => "dfs",
            Strategy::Bfs => "bfs",
            Strategy::Random { .. } => "random",
            Strategy::BestFirst { .. } => "best-first",
            Strategy::Mcts { .. } => "mcts",
        })
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "dfs" => Ok(Strategy::Dfs),
            "bfs" => Ok(Strategy::Bfs),
            "random" => Ok(Strategy::Random { seed: 0 }),
            "best-first" => Ok(Strategy::BestFirst { threshold: None }),
            "mcts" => Ok(Strategy::Mcts { seed: 0 }),
            other => Err(format!(
                "unknown strategy `{other}`: use {}",
                Strategy::NAMES.join(", ")
            )),
        }
    }
}

/// The frontier.
pub(crate) enum Frontier {
    Stack(Vec<Item>),
    Queue(VecDeque<Item>),
    Pool {
        items: Vec<Item>,
        seed: u64,
        drawn: u64,
    },
    Ranking {
        items: BinaryHeap<Ranked>,
        pushed: u64,
    },
    Tree(Tree),
}

/// An item with its value.
pub(crate) struct Ranked {
    value: Value,
    facts: Facts,
    /// How many were there before it.
    number: u64,
    item: Item,
}

impl Ranked {
    /// Low values first; then long beginnings, then new ones.
    fn rank(&self) -> (std::cmp::Reverse<Value>, u32, u64) {
        (std::cmp::Reverse(self.value), self.facts.steps, self.number)
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl Frontier {
    pub(crate) fn new(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Dfs => Frontier::Stack(Vec::new()),
            Strategy::Bfs => Frontier::Queue(VecDeque::new()),
            Strategy::Random { seed } => Frontier::Pool {
                items: Vec::new(),
                seed,
                drawn: 0,
            },
            Strategy::BestFirst { .. } => Frontier::Ranking {
                items: BinaryHeap::new(),
                pushed: 0,
            },
            Strategy::Mcts { seed } => Frontier::Tree(Tree::new(seed)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Frontier::Stack(items) | Frontier::Pool { items, .. } => items.len(),
            Frontier::Queue(items) => items.len(),
            Frontier::Ranking { items, .. } => items.len(),
            Frontier::Tree(tree) => tree.len(),
        }
    }

    /// Puts an item away. Its facts are asked for only if they matter.
    #[inline]
    pub(crate) fn push(&mut self, item: Item, ranked: impl FnOnce() -> (Value, Facts)) {
        match self {
            Frontier::Stack(items) | Frontier::Pool { items, .. } => items.push(item),
            Frontier::Queue(items) => items.push_back(item),
            Frontier::Ranking { items, pushed } => {
                let (value, facts) = ranked();
                *pushed += 1;
                items.push(Ranked {
                    value,
                    facts,
                    number: *pushed,
                    item,
                });
            }
            Frontier::Tree(tree) => tree.push(item),
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self, valuer: &Valuer) -> Option<Item> {
        match self {
            Frontier::Stack(items) => items.pop(),
            Frontier::Queue(items) => items.pop_front(),
            Frontier::Pool { .. } => {
                let last = self.len().checked_sub(1)?;
                let choice = self.draw(last + 1);
                let Frontier::Pool { items, .. } = self else {
                    return None;
                };
                Some(items.swap_remove(choice))
            }
            Frontier::Ranking { items, .. } => loop {
                let mut best = items.pop()?;
                // It may have become worse since it was put away.
                best.value = valuer.value(&best.facts);
                match items.peek() {
                    Some(next) if *next > best => items.push(best),
                    _ => return Some(best.item),
                }
            },
            Frontier::Tree(tree) => tree.pop(),
        }
    }

    /// The value of the best item, as it was when it was put away.
    pub(crate) fn best(&self) -> Option<Value> {
        match self {
            Frontier::Ranking { items, .. } => items.peek().map(|ranked| ranked.value),
            _ => None,
        }
    }

    /// A number below `below`, for the strategies that leave something to chance.
    pub(crate) fn draw(&mut self, below: usize) -> usize {
        match self {
            Frontier::Pool { seed, drawn, .. } => {
                *drawn += 1;
                mix(*seed ^ drawn.rotate_left(32)) as usize % below
            }
            Frontier::Tree(tree) => tree.draw(below),
            _ => 0,
        }
    }

    /// The execution is over, and was worth so much.
    pub(crate) fn reward(&mut self, reward: f64) {
        if let Frontier::Tree(tree) = self {
            tree.reward(reward);
        }
    }
}
