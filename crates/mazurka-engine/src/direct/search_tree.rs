//! The queue of `mcts`: Monte Carlo tree search (Browne et al. 2012).
//!
//! A node is a chosen prefix that was run to its end with random choices on the way. It holds the
//! items that were found then, and the nodes of those of them that were chosen later. The next item
//! is found from the root by upper confidence bounds (UCT): where executions had high rewards, or
//! where few have been run.

use super::chance::Chance;
use crate::frontier::Item;

/// The weight of exploration against reward in the confidence bound: that of UCB1, which UCT
/// applies to trees, for rewards between 0 and 1.
const EXPLORATION: f64 = std::f64::consts::SQRT_2;
const ROOT: usize = 0;

/// The tree.
pub(super) struct SearchTree {
    nodes: Vec<Node>,
    /// Indices of nodes that were removed, for reuse.
    free: Vec<usize>,
    /// The node of the last chosen prefix.
    current: usize,
}

#[derive(Default)]
struct Node {
    parent: usize,
    children: Vec<usize>,
    items: Vec<Item>,
    /// Number of items here and below.
    len: usize,
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

impl SearchTree {
    pub(super) fn new() -> Self {
        SearchTree {
            nodes: vec![Node::default()],
            free: Vec::new(),
            current: ROOT,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes[ROOT].len
    }

    /// Adds an item that was found from the current node.
    pub(super) fn push(&mut self, item: Item) {
        self.nodes[self.current].items.push(item);
        self.update_from(self.current, |node| node.len += 1);
    }

    /// Removes the next item and makes a new node for it the current one.
    pub(super) fn pop(&mut self, chance: &mut Chance) -> Option<Item> {
        self.remove_empty();
        if self.len() == 0 {
            return None;
        }
        let mut at = ROOT;
        while let Some(child) = self.best_child(at) {
            at = child;
        }
        let items = &mut self.nodes[at].items;
        let nth = chance.draw(items.len());
        let item = items.swap_remove(nth);
        self.update_from(at, |node| node.len -= 1);
        self.current = self.add_child(at);
        Some(item)
    }

    /// Records the reward of the current node's execution, from 0 to 1.
    pub(super) fn reward(&mut self, reward: f64) {
        self.update_from(self.current, |node| {
            node.visits += 1;
            node.reward += reward;
        });
    }

    fn add_child(&mut self, parent: usize) -> usize {
        let node = Node {
            parent,
            ..Node::default()
        };
        let child = match self.free.pop() {
            Some(free) => {
                self.nodes[free] = node;
                free
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        self.nodes[parent].children.push(child);
        child
    }

    /// The child with the highest bound, unless that of the node's own items is higher.
    fn best_child(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let log = f64::from(node.visits.max(1)).ln();
        let bound = |mean: f64, visits: f64| mean + EXPLORATION * (log / visits).sqrt();
        let mut best = None;
        let mut highest = match node.items.is_empty() {
            true => f64::NEG_INFINITY,
            // The items together count as one child, visited once for each of them that was chosen.
            false => bound(node.mean(), 1.0 + node.children.len() as f64),
        };
        for &child in &node.children {
            let below = &self.nodes[child];
            let value = bound(below.mean(), f64::from(below.visits.max(1)));
            if below.len > 0 && value > highest {
                highest = value;
                best = Some(child);
            }
        }
        best
    }

    /// Removes the current node, and each node above it, that has no items left below it.
    fn remove_empty(&mut self) {
        let mut at = self.current;
        while at != ROOT && self.nodes[at].len == 0 {
            let parent = self.nodes[at].parent;
            let children = &mut self.nodes[parent].children;
            children.retain(|&child| child != at);
            self.nodes[at] = Node::default();
            self.free.push(at);
            at = parent;
        }
        self.current = at;
    }

    /// Changes a node and each node above it.
    fn update_from(&mut self, from: usize, mut change: impl FnMut(&mut Node)) {
        let mut at = from;
        loop {
            change(&mut self.nodes[at]);
            if at == ROOT {
                return;
            }
            at = self.nodes[at].parent;
        }
    }
}
