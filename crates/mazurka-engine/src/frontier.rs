//! The executions that are known to exist and have not been looked at yet.

use crate::direct::{Rank, Tree, Value, Valuer};
use crate::graph::Entry;
use crate::guide::mix;
use crate::options::Options;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::{Ordering, Reverse};
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
///
/// Going from one beginning to another costs the steps in which they differ, and what is promising
/// is seldom near. So strategies that jump do it less and less often: what they choose is explored
/// for a while, depth first, before they choose again. Early on, that is not at all. Later it is at
/// least until jumps have cost little beside what is new.
pub(crate) struct Frontier {
    /// What the current choice has led to.
    nearby: Vec<(Item, Rank, Value)>,
    /// How many more of those are looked at before all are put away.
    burst: u64,
    /// What is explored of each choice, of all that has been explored.
    burst_share: u64,
    /// Whether the last item was a choice.
    jumped: bool,
    /// How many steps such choices have done again, since there are bursts.
    repeated: u64,
    /// The rank of the current choice. What it leads to in a burst shares it.
    chosen: (Rank, Value),
    away: Away,
}

/// For each step that a jump does again, so many must be new.
const NEW_FOR_REPEATED: u64 = 4;

/// What was put away.
enum Away {
    Stack(Vec<Item>),
    Queue(VecDeque<Item>),
    Pool {
        items: Vec<Item>,
        seed: u64,
        drawn: u64,
    },
    Ranking(Ranking),
    Tree(Tree),
}

/// Items by their rank. There are far fewer ranks than items, and when a rank becomes worse all its
/// items do.
#[derive(Default)]
struct Ranking {
    /// The ranks that have items.
    order: BinaryHeap<Ranked>,
    items: FxHashMap<Rank, Vec<Item>>,
    len: usize,
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
    fn push(&mut self, item: Item, rank: Rank, value: Value) {
        self.len += 1;
        let items = self.items.entry(rank).or_default();
        items.push(item);
        if items.len() == 1 {
            self.put_in_order(rank, value);
        }
    }

    fn put_in_order(&mut self, rank: Rank, value: Value) {
        self.pushed += 1;
        self.order.push(Ranked {
            value,
            rank,
            number: self.pushed,
        });
    }

    fn pop(&mut self, valuer: &Valuer) -> Option<(Item, Rank, Value)> {
        loop {
            let mut best = self.order.pop()?;
            // It may have become worse since it was put in order.
            best.value = valuer.value(&best.rank);
            if self.order.peek().is_some_and(|next| *next > best) {
                self.order.push(best);
                continue;
            }
            let (rank, value) = (best.rank, best.value);
            let items = self.items.get_mut(&rank)?;
            let item = items.pop()?;
            match items.is_empty() {
                true => drop(self.items.remove(&rank)),
                false => self.order.push(best),
            }
            self.len -= 1;
            return Some((item, rank, value));
        }
    }
}

impl Frontier {
    pub(crate) fn new(options: &Options) -> Self {
        Frontier {
            nearby: Vec::new(),
            burst: 0,
            burst_share: options.burst_share.max(1),
            jumped: false,
            repeated: 0,
            chosen: Default::default(),
            away: match options.strategy {
                Strategy::Dfs => Away::Stack(Vec::new()),
                Strategy::Bfs => Away::Queue(VecDeque::new()),
                Strategy::Random { seed } => Away::Pool {
                    items: Vec::new(),
                    seed,
                    drawn: 0,
                },
                Strategy::BestFirst { .. } => Away::Ranking(Ranking::default()),
                Strategy::Mcts { seed } => Away::Tree(Tree::new(seed)),
            },
        }
    }

    pub(crate) fn len(&self) -> usize {
        let away = match &self.away {
            Away::Stack(items) | Away::Pool { items, .. } => items.len(),
            Away::Queue(items) => items.len(),
            Away::Ranking(ranking) => ranking.len,
            Away::Tree(tree) => tree.len(),
        };
        self.nearby.len() + away
    }

    /// Whether it matters how good an item is, and what the graphs look like that are met.
    #[inline]
    pub(crate) fn is_choosy(&self) -> bool {
        self.burst == 0
    }

    /// Puts an item away. Its rank and value are asked for only if they matter.
    #[inline]
    pub(crate) fn push(&mut self, item: Item, ranked: impl FnOnce(&Item) -> (Rank, Value)) {
        match &mut self.away {
            Away::Stack(items) => items.push(item),
            Away::Queue(items) => items.push_back(item),
            Away::Pool { .. } | Away::Tree(_) => {
                self.nearby.push((item, Rank::default(), 0));
            }
            Away::Ranking(_) => {
                let (rank, value) = match self.burst {
                    0 => ranked(&item),
                    _ => self.chosen,
                };
                self.nearby.push((item, rank, value));
            }
        }
    }

    /// The next item, when so many executions have been explored in so many steps.
    #[inline]
    pub(crate) fn pop(&mut self, valuer: &Valuer, (executions, steps): (u64, u64)) -> Option<Item> {
        match &mut self.away {
            Away::Stack(items) => return items.pop(),
            Away::Queue(items) => return items.pop_front(),
            Away::Pool { .. } | Away::Ranking(_) | Away::Tree(_) => {}
        }
        if self.burst == 1 && self.repeated.saturating_mul(NEW_FOR_REPEATED) > steps {
            // Not yet.
            self.burst = 2;
        }
        self.jumped = false;
        if self.burst > 0
            && let Some((item, ..)) = self.nearby.pop()
        {
            self.burst -= 1;
            return Some(item);
        }
        self.put_away();
        self.burst = executions / self.burst_share;
        self.jumped = true;
        match &mut self.away {
            Away::Pool { items, seed, drawn } => {
                let last = items.len().checked_sub(1)?;
                let choice = draw(*seed, drawn, last + 1);
                Some(items.swap_remove(choice))
            }
            Away::Ranking(ranking) => {
                let (item, rank, value) = ranking.pop(valuer)?;
                self.chosen = (rank, value);
                Some(item)
            }
            Away::Tree(tree) => tree.pop(),
            Away::Stack(_) | Away::Queue(_) => None,
        }
    }

    /// To get to the last item took so many steps that had been done before.
    #[inline]
    pub(crate) fn reached(&mut self, repeated: u64) {
        if self.jumped && self.burst > 0 {
            self.repeated += repeated;
        }
    }

    /// What is nearby becomes a choice like all others.
    fn put_away(&mut self) {
        for (item, rank, value) in self.nearby.drain(..) {
            match &mut self.away {
                Away::Pool { items, .. } => items.push(item),
                Away::Ranking(ranking) => ranking.push(item, rank, value),
                Away::Tree(tree) => tree.push(item),
                Away::Stack(items) => items.push(item),
                Away::Queue(items) => items.push_back(item),
            }
        }
    }

    /// The value of the best item, as it was when it was put away.
    pub(crate) fn best(&mut self) -> Option<Value> {
        self.put_away();
        match &self.away {
            Away::Ranking(ranking) => ranking.order.peek().map(|best| best.value),
            _ => None,
        }
    }

    /// A number below `below`, for the strategies that leave something to chance.
    pub(crate) fn draw(&mut self, below: usize) -> usize {
        match &mut self.away {
            Away::Pool { seed, drawn, .. } => draw(*seed, drawn, below),
            Away::Tree(tree) => tree.draw(below),
            _ => 0,
        }
    }

    /// The execution is over. What it was worth is asked for only if that matters.
    #[inline]
    pub(crate) fn reward(&mut self, reward: impl FnOnce() -> f64) {
        if let Away::Tree(tree) = &mut self.away
            && self.jumped
        {
            tree.reward(reward());
        }
    }
}

fn draw(seed: u64, drawn: &mut u64, below: usize) -> usize {
    *drawn += 1;
    mix(seed ^ drawn.rotate_left(32)) as usize % below
}
