//! Eviction: drops nodes that the current graph does not use, and the roots, messages and
//! constraints that only they refer to.

use super::Behaviours;
use super::node::{Edge, Effect, Node, Wait};
use crate::frontend::Frontend;
use crate::ids::{NodeId, RootId, ValueId};

impl<F: Frontend> Behaviours<F> {
    /// Drops every node that is not in `nodes`, which must contain the parents of its nodes; and
    /// every root, message and constraint that is not in `roots` or `values` and that nothing left
    /// refers to. Their ids are reused.
    pub(crate) fn drop_all_but(
        &mut self,
        nodes: impl Iterator<Item = NodeId>,
        roots: impl Iterator<Item = RootId>,
        values: impl Iterator<Item = ValueId>,
    ) {
        for id in nodes {
            self.nodes[id.index()].kept = true;
        }
        for started in &mut self.started {
            *started = started.filter(|id| self.nodes[id.index()].kept);
        }
        for root in roots {
            self.roots.keep(root.index());
        }
        for value in values {
            self.values.keep(value);
        }
        self.drop_nodes();
        self.keep_what_nodes_refer_to();
        self.roots.sweep(|_| {});
        self.values.sweep();
        self.budget.evicted(self.bytes());
    }

    /// Drops the nodes that are not marked, and clears the marks.
    fn drop_nodes(&mut self) {
        self.node_bytes = 0;
        for (index, node) in (0..).zip(&mut self.nodes) {
            if node.kept {
                let bytes = node.bytes(&self.frontend);
                self.node_bytes = self.node_bytes.saturating_add(bytes);
            } else if node.alive {
                node.alive = false;
                self.free.push(NodeId(index));
            }
            // The lists of children are rebuilt from the nodes that are left.
            node.first_child = NodeId::NONE;
            node.next_sibling = NodeId::NONE;
            node.kept = false;
        }
        for index in 0..self.nodes.len() {
            let Node { alive, parent, .. } = self.nodes[index];
            if alive && parent != NodeId::NONE {
                self.adopt(parent, NodeId(u32::try_from(index).expect("was an id")));
            }
        }
    }

    fn keep_what_nodes_refer_to(&mut self) {
        for node in self.nodes.iter().filter(|node| node.alive) {
            for effect in &node.effects {
                match *effect {
                    Effect::Spawn { root, .. } => self.roots.keep(root.index()),
                    Effect::Send { value, .. } => self.values.keep(value),
                    Effect::TrapExit(_)
                    | Effect::Courier(_)
                    | Effect::Link(_)
                    | Effect::Unlink(_) => {}
                }
            }
            match node.edge {
                Edge::Value(value) | Edge::Killed { value, .. } => self.values.keep(value),
                Edge::Timeout | Edge::Choice(_) => {}
            }
            if let Wait::Receive { constraint, .. } = node.wait {
                self.values.keep_constraint(constraint);
            }
        }
    }
}
