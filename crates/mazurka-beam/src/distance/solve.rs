//! The bound for every instruction: a fixpoint over all functions.

use super::flow::{Callee, Node, NodeId};
use super::graph::Graph;

/// More than any bound: it does not happen.
pub(super) const NEVER: u32 = u32::MAX;

/// The analysis gives up after this number of passes over the graph. Each pass propagates bounds
/// through one more call at least.
const PASSES_MAX: usize = 10_000;

/// The least numbers of visible operations from an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    /// Until an exception of the program leaves the function: one that an instruction of its own
    /// code, or of a function that it calls, raises because it fails.
    pub fail: u32,
    /// Until the function returns.
    pub back: u32,
}

impl Bound {
    pub(super) const NEVER: Bound = Bound {
        fail: NEVER,
        back: NEVER,
    };

    /// The smaller numbers of two alternatives.
    pub(super) fn or(self, other: Bound) -> Bound {
        Bound {
            fail: self.fail.min(other.fail),
            back: self.back.min(other.back),
        }
    }

    /// The bound of an instruction that is reached after this many more operations.
    pub(super) fn after(self, operations: u32) -> Bound {
        Bound {
            fail: self.fail.saturating_add(operations),
            back: self.back.saturating_add(operations),
        }
    }
}

/// The bounds of all instructions.
pub(super) struct Bounds {
    of: Vec<Bound>,
    /// The bound of a call of any function.
    any: Bound,
}

impl Bounds {
    /// The greatest bounds that satisfy the equations of all nodes, so the lengths of shortest paths.
    /// They start as [`NEVER`] and only become smaller.
    pub(super) fn new(graph: &Graph) -> Bounds {
        let mut bounds = Bounds {
            of: vec![Bound::NEVER; graph.nodes.len()],
            any: Bound {
                fail: NEVER,
                back: 0,
            },
        };
        if graph.is_incomplete {
            return bounds.unknown();
        }
        for _ in 0..PASSES_MAX {
            let mut has_changed = false;
            // Most instructions are followed by the next one.
            for (at, node) in graph.nodes.iter().enumerate().rev() {
                let bound = bounds.equation(node);
                has_changed |= bound != bounds.of[at];
                bounds.of[at] = bound;
            }
            let callbacks = graph.callbacks.iter();
            let fails = callbacks.map(|&callback| bounds.node(callback).fail);
            let fail = fails.min().unwrap_or(NEVER);
            has_changed |= fail != bounds.any.fail;
            bounds.any.fail = fail;
            if !has_changed {
                return bounds;
            }
        }
        bounds.unknown()
    }

    /// Bounds that hold for any code.
    fn unknown(mut self) -> Bounds {
        let zero = Bound { fail: 0, back: 0 };
        self.of.fill(zero);
        self.any = zero;
        self
    }

    /// The bound of an instruction.
    pub(super) fn node(&self, node: NodeId) -> Bound {
        let bound = self.of.get(node as usize);
        bound.copied().unwrap_or(self.any)
    }

    /// The bound of a call of any function.
    pub(super) fn any(&self) -> Bound {
        self.any
    }

    fn equation(&self, node: &Node) -> Bound {
        let called = match node.call {
            None => Bound {
                fail: NEVER,
                back: 0,
            },
            Some(Callee::Node(callee)) => self.node(callee),
            Some(Callee::Closed(operations)) => Bound {
                fail: NEVER,
                back: operations,
            },
            Some(Callee::Any | Callee::At(_)) => self.any,
        };
        let through = called.back.saturating_add(node.cost);
        let next = node.next.iter().map(|&next| self.node(next));
        let mut bound = next.fold(Bound::NEVER, Bound::or).after(through);
        if node.returns {
            bound.back = bound.back.min(through);
        }
        if !node.is_guarded {
            bound.fail = bound.fail.min(called.fail);
        }
        if node.fails {
            bound.fail = 0;
        }
        match node.handler {
            // When a called function raises an exception is not analysed: perhaps at once.
            Some(handler) => bound.or(self.node(handler)),
            None => bound,
        }
    }
}
