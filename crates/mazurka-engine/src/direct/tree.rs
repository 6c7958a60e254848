//! The tree of Monte Carlo search: which executions led to which beginnings, and what came of
//! looking there.
//!
//! A node is an execution that was run to its end, with random choices on the way. The beginnings
//! that it left to be looked at, and the executions that came of those, are below it. The next
//! beginning is found from the top: where executions were rewarding, or few.

use crate::frontier::Item;
use crate::guide::mix;

/// How much curiosity counts against experience.
const CURIOSITY: f64 = 0.7;
/// The node above all.
const TOP: usize = 0;

/// The tree.
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Nodes with nothing left below them, to be used again.
    free: Vec<usize>,
    /// The execution that is being run.
    current: usize,
    seed: u64,
    drawn: u64,
}

#[derive(Default)]
struct Node {
    parent: usize,
    children: Vec<usize>,
    /// Beginnings that nobody has looked at.
    open: Vec<Item>,
    /// Beginnings here and below.
    left: usize,
    visits: u32,
    reward: f64,
}

impl Node {
    fn mean(&self) -> f64 {
        match self.visits {
            0 => 0.5,
            visits => self.reward / f64::from(visits),
        }
    }
}

impl Tree {
    pub(crate) fn new(seed: u64) -> Self {
        Tree {
            nodes: vec![Node::default()],
            free: Vec::new(),
            current: TOP,
            seed,
            drawn: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes[TOP].left
    }

    /// A number below `below`.
    pub(crate) fn draw(&mut self, below: usize) -> usize {
        self.drawn += 1;
        mix(self.seed ^ self.drawn.rotate_left(32)) as usize % below
    }

    /// A beginning that the current execution leaves.
    pub(crate) fn push(&mut self, item: Item) {
        self.nodes[self.current].open.push(item);
        self.above(self.current, |node| node.left += 1);
    }

    /// The next beginning; from now on its execution is the current one.
    pub(crate) fn pop(&mut self) -> Option<Item> {
        self.tidy();
        if self.nodes[TOP].left == 0 {
            return None;
        }
        let mut at = TOP;
        while let Some(child) = self.best_child(at) {
            at = child;
        }
        let nth = self.draw(self.nodes[at].open.len());
        let item = self.nodes[at].open.swap_remove(nth);
        self.above(at, |node| node.left -= 1);
        let node = Node {
            parent: at,
            ..Node::default()
        };
        self.current = match self.free.pop() {
            Some(free) => {
                self.nodes[free] = node;
                free
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        self.nodes[at].children.push(self.current);
        Some(item)
    }

    /// What came of the current execution, from 0 to 1.
    pub(crate) fn reward(&mut self, reward: f64) {
        self.above(self.current, |node| {
            node.visits += 1;
            node.reward += reward;
        });
    }

    /// The child to go down to, unless the beginnings that are open here are better.
    fn best_child(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let log = f64::from(node.visits.max(1)).ln();
        let bound = |mean: f64, visits: f64| mean + CURIOSITY * (log / visits).sqrt();
        let mut best = None;
        let mut highest = match node.open.is_empty() {
            true => f64::NEG_INFINITY,
            // They are as good as what has come of the others, and as new as few of them are known.
            false => bound(node.mean(), 1.0 + node.children.len() as f64),
        };
        for &child in &node.children {
            let below = &self.nodes[child];
            let value = bound(below.mean(), f64::from(below.visits.max(1)));
            if below.left > 0 && value > highest {
                highest = value;
                best = Some(child);
            }
        }
        best
    }

    /// The current execution is over. It goes, with all above it that has nothing left to look at.
    fn tidy(&mut self) {
        let mut at = self.current;
        while at != TOP && self.nodes[at].left == 0 {
            let parent = self.nodes[at].parent;
            let children = &mut self.nodes[parent].children;
            children.retain(|&child| child != at);
            self.nodes[at] = Node::default();
            self.free.push(at);
            at = parent;
        }
        self.current = at;
    }

    /// Does something to a node and to all above it.
    fn above(&mut self, from: usize, mut change: impl FnMut(&mut Node)) {
        let mut at = from;
        loop {
            change(&mut self.nodes[at]);
            if at == TOP {
                return;
            }
            at = self.nodes[at].parent;
        }
    }
}
