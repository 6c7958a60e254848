//! Cuts: parts of a graph in which candidates are listed.

use crate::graph::{Clock, Graph, Message, Slot, Step};

/// A set of steps: a prefix of the steps of each process.
pub trait Cut {
    /// Whether the step's input belongs to the cut.
    fn has_step(&self, graph: &Graph, slot: Slot, step: &Step) -> bool;
    /// Whether the message's send belongs to the cut.
    fn has_send(&self, graph: &Graph, message: &Message) -> bool;
    /// Whether the version that the object's `index`-th step published belongs to it.
    fn has_version(&self, graph: &Graph, object: Slot, index: usize) -> bool;
    /// Whether every step of the graph belongs to the cut, so that no other method needs to be called.
    fn is_everything(&self) -> bool {
        false
    }
}

/// The whole graph.
pub struct Everything;

impl Cut for Everything {
    fn has_step(&self, _: &Graph, _: Slot, _: &Step) -> bool {
        true
    }
    fn has_send(&self, _: &Graph, _: &Message) -> bool {
        true
    }
    fn has_version(&self, _: &Graph, _: Slot, _: usize) -> bool {
        true
    }
    fn is_everything(&self) -> bool {
        true
    }
}

/// The steps stamped before `stamp`, the causal past of one step, and that step.
pub(crate) struct Before<'g> {
    pub stamp: u32,
    /// The causal past of the step, its own input included.
    pub past: Clock<'g>,
    /// The step, by its process and its index there.
    pub newest: (Slot, u32),
    /// Whether the step's sends belong to the cut as well as its input.
    pub with_sends: bool,
}

impl Cut for Before<'_> {
    #[inline]
    fn has_step(&self, _: &Graph, slot: Slot, step: &Step) -> bool {
        step.stamp < self.stamp || Graph::in_past(self.past, slot, step)
    }

    #[inline]
    fn has_send(&self, graph: &Graph, message: &Message) -> bool {
        if (message.sender, message.step) == self.newest {
            return self.with_sends;
        }
        let step = &graph.process(message.sender).steps[message.step as usize];
        self.has_step(graph, message.sender, step)
    }

    fn has_version(&self, graph: &Graph, object: Slot, index: usize) -> bool {
        if self.newest.0 == object && self.newest.1 as usize == index {
            return self.with_sends;
        }
        self.has_step(graph, object, &graph.process(object).steps[index])
    }
}
