//! The tree of Monte Carlo search: which executions led to which beginnings, and what came of
//! looking there.
//!
//! A node is an execution that was run to its end, with random choices on the way. The beginnings
//! that it left to be looked at, and the executions that came of those, are below it. The next
//! beginning is found from the top: where executions were rewarding, or few.

use super::chance::Chance;
use super::choices::Number;

/// How much curiosity counts against experience.
const CURIOSITY: f64 = 0.7;
/// The node above all.
const TOP: usize = 0;

/// The tree.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Nodes with nothing left below them, to be used again.
    free: Vec<usize>,
    /// The execution that was begun last.
    current: usize,
    chance: Chance,
}

#[derive(Default)]
struct Node {
    parent: usize,
    children: Vec<usize>,
    /// Beginnings that were left to be looked at.
    open: Vec<Number>,
    /// Those here and below.
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
    pub(super) fn new(seed: u64) -> Self {
        Tree {
            nodes: vec![Node::default()],
            free: Vec::new(),
            current: TOP,
            chance: Chance::new(seed),
        }
    }

    /// A number below `below`.
    pub(super) fn draw(&mut self, below: usize) -> usize {
        self.chance.draw(below)
    }

    /// A beginning that an execution leaves.
    pub(super) fn push(&mut self, item: Number, node: usize) {
        self.nodes[node].open.push(item);
        self.above(node, |node| node.left += 1);
    }

    /// The next beginning, and the execution that left it.
    pub(super) fn pop(&mut self) -> Option<(Number, usize)> {
        self.tidy();
        if self.nodes[TOP].left == 0 {
            return None;
        }
        let mut at = TOP;
        while let Some(child) = self.best_child(at) {
            at = child;
        }
        let nth = self.chance.draw(self.nodes[at].open.len());
        let item = self.nodes[at].open.swap_remove(nth);
        self.above(at, |node| node.left -= 1);
        self.current = at;
        Some((item, at))
    }

    /// The execution that begins with something that this one has left.
    pub(super) fn begin(&mut self, parent: usize) -> usize {
        let node = Node {
            parent,
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
        self.nodes[parent].children.push(self.current);
        self.current
    }

    /// What came of an execution, from 0 to 1.
    pub(super) fn reward(&mut self, node: usize, reward: f64) {
        self.above(node, |node| {
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
