//! The executions that are known to exist and have not been looked at yet.

use crate::graph::Entry;
use crate::guide::mix;
use smallvec::SmallVec;
use std::collections::VecDeque;
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
    /// At random, repeatable by its seed.
    Random {
        /// Another seed, another order.
        seed: u64,
    },
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::Dfs => "dfs",
            Strategy::Bfs => "bfs",
            Strategy::Random { .. } => "random",
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
            other => Err(format!(
                "unknown strategy `{other}`: use dfs, bfs or random"
            )),
        }
    }
}

/// The frontier.
pub(crate) struct Frontier {
    strategy: Strategy,
    items: VecDeque<Item>,
    drawn: u64,
}

impl Frontier {
    pub(crate) fn new(strategy: Strategy) -> Self {
        Frontier {
            strategy,
            items: VecDeque::new(),
            drawn: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Depth first goes on with the child it has just made; no need to put it away.
    pub(crate) fn goes_on(&self) -> bool {
        self.strategy == Strategy::Dfs
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.items.push_back(item);
    }

    pub(crate) fn pop(&mut self) -> Option<Item> {
        match self.strategy {
            Strategy::Dfs => self.items.pop_back(),
            Strategy::Bfs => self.items.pop_front(),
            Strategy::Random { seed } => {
                let last = self.items.len().checked_sub(1)?;
                self.drawn += 1;
                let choice = mix(seed ^ self.drawn.rotate_left(32)) as usize % (last + 1);
                self.items.swap(choice, last);
                self.items.pop_back()
            }
        }
    }
}
