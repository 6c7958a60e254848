//! Cuts: parts of a graph in which candidates are listed.

use crate::graph::{Clock, Graph, Message, Pick, Slot, Step};

/// A set of steps: a prefix of the steps of each process.
pub trait Cut {
    /// Whether the step's input belongs to the cut.
    fn has_step(&self, graph: &Graph, slot: Slot, step: &Step) -> bool;
    /// Whether the silent check before an effect of the step belongs to the cut.
    fn has_check(&self, slot: Slot, step: &Step, effect: u32) -> bool;
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
    fn has_check(&self, _: Slot, _: &Step, _: u32) -> bool {
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

/// The newest step of a graph or, if that has several effects, its part up to one of them: the
/// effect, which sends a message, and everything that the process did before it.
#[derive(Clone, Copy)]
pub(crate) struct Newest<'g> {
    pub slot: Slot,
    pub stamp: u32,
    /// The causal past of the step's input.
    clock: Clock<'g>,
    /// Number of events of its own process in its causal past, itself included.
    known: u32,
}

impl<'g> Newest<'g> {
    /// The part of a step up to the send of a message.
    pub(crate) fn up_to_send(graph: &'g Graph, message: &Message) -> Self {
        let step = &graph.process(message.sender).steps[message.step as usize];
        let input = Newest::input(graph, message.sender, step);
        match message.stamp == step.stamp && step.pick != Pick::GoOn {
            true => input,
            false => Newest {
                stamp: message.stamp,
                known: message.event + 1,
                ..input
            },
        }
    }

    /// The input of a step, with the effects that have its stamp.
    pub(crate) fn input(graph: &'g Graph, slot: Slot, step: &Step) -> Self {
        let clock = graph.clock(step);
        Newest {
            slot,
            stamp: step.stamp,
            clock,
            known: clock.known(slot),
        }
    }

    /// Number of events of a process in its causal past.
    #[inline]
    pub(crate) fn known(&self, slot: Slot) -> u32 {
        match slot == self.slot {
            true => self.known,
            false => self.clock.known(slot),
        }
    }
}

/// The steps stamped before `stamp`, the causal past of the newest step, and that step.
pub(crate) struct Before<'g> {
    pub stamp: u32,
    pub newest: Newest<'g>,
    /// Whether the newest step's sends belong to the cut as well as its input.
    pub with_sends: bool,
}

impl Before<'_> {
    /// Whether what has this stamp, and this many events of its process before it, belongs to the
    /// cut.
    #[inline]
    pub(crate) fn has(&self, slot: Slot, stamp: u32, events_before: u32) -> bool {
        stamp < self.stamp || self.newest.known(slot) > events_before
    }
}

impl Cut for Before<'_> {
    #[inline]
    fn has_step(&self, _: &Graph, slot: Slot, step: &Step) -> bool {
        self.has(slot, step.stamp, step.event)
    }

    #[inline]
    fn has_check(&self, slot: Slot, step: &Step, effect: u32) -> bool {
        self.has(slot, step.stamp_of(effect), step.events_before(effect))
    }

    #[inline]
    fn has_send(&self, _: &Graph, message: &Message) -> bool {
        if message.sender == self.newest.slot && message.stamp == self.newest.stamp {
            return self.with_sends;
        }
        self.has(message.sender, message.stamp, message.events_before)
    }

    fn has_version(&self, graph: &Graph, object: Slot, index: usize) -> bool {
        let step = &graph.process(object).steps[index];
        if self.newest.slot == object && self.newest.stamp == step.stamp {
            return self.with_sends;
        }
        self.has_step(graph, object, step)
    }
}
