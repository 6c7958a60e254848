//! Orders beyond happened-before: which send came first under `mailbox`, and which read
//! came before the next version of an object.
//!
//! An execution is consistent if these orders and happened-before together have no cycle.
//! The backward closure of a point under both is, like a causal past, a number of events
//! per process, because the events of a process are ordered.

use crate::behaviour::Behaviours;
use crate::cut::Cut;
use crate::frontend::Frontend;
use crate::graph::{Clock, Event, Graph, Message, NONE, Pick, Slot};
use mazurka_trace::Delivery;

/// The backward closure of some point; the part that has been computed.
#[derive(Default)]
pub(crate) struct Closure {
    reach: Vec<u32>,
    done: Vec<u32>,
}

impl Closure {
    /// Starts over from a causal past.
    pub(crate) fn begin_at_past(&mut self, graph: &Graph, past: Clock<'_>) {
        self.begin(graph);
        past.raise(&mut self.reach);
    }

    /// Starts over from a send.
    pub(crate) fn begin_at_send(&mut self, graph: &Graph, message: &Message) {
        self.begin(graph);
        graph.send_clock(message, &mut self.reach);
    }

    fn begin(&mut self, graph: &Graph) {
        let live = graph.processes().len();
        self.reach.clear();
        self.reach.resize(live, 0);
        self.done.clear();
        self.done.resize(live, 0);
    }

    /// Closes from the state of a process after this many of its events: everything that it has done
    /// belongs to the closure, not only its last input.
    pub(crate) fn close_after<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        slot: Slot,
        events: u32,
    ) {
        self.reach[slot as usize] = events;
        self.close(graph, behaviours, cut);
    }

    /// Follows every order of the cut backward until nothing new is found. Each event is visited
    /// once.
    pub(crate) fn close<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
    ) {
        loop {
            let mut quiet = true;
            for slot in 0..self.reach.len() {
                while self.done[slot] < self.reach[slot] {
                    let event = graph.processes()[slot].events[self.done[slot] as usize];
                    self.done[slot] += 1;
                    quiet = false;
                    match event {
                        Event::Send(nth) => self.before_send(graph, behaviours, cut, slot, nth),
                        Event::Input(step) if graph.processes()[slot].is_object => {
                            self.before_version(graph, cut, slot, step);
                        }
                        Event::Input(_) | Event::Spawn(_) | Event::Own => {}
                    }
                }
            }
            if quiet {
                return;
            }
        }
    }

    /// Adds what comes before this send under `mailbox`: the sends of the messages that were consumed
    /// by receives that skipped this message, and timeouts of receives that accept it.
    ///
    /// Of consecutive receives that accept the same messages only the last one is checked: the receives
    /// before it skipped the message that it consumed as well.
    fn before_send<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        sender: usize,
        nth: u32,
    ) {
        let (target, index) = graph.processes()[sender].sends[nth as usize];
        let is_ordered = graph.delivery == Delivery::Mailbox && target != NONE;
        if !is_ordered || graph.process(target).is_object {
            return;
        }
        let receiver = graph.process(target);
        let message = &receiver.inbox[index as usize];
        let past = graph.clock(&graph.processes()[sender].steps[message.step as usize]);
        let known = past.known(target);
        if message.is_signal {
            self.before_signal(graph, behaviours, cut, target, index, known);
            return;
        }
        let mut upto = receiver.steps.len().min(message.consumed_by as usize);
        while let Some(at) = upto.checked_sub(1) {
            let step = &receiver.steps[at];
            if step.event < known {
                break; // these happened before the send anyway
            }
            upto = at;
            if !cut.has_step(graph, target, step) {
                continue;
            }
            upto = step.alike_from as usize;
            let cursor = graph.cursor(behaviours, target, at);
            if !cursor.is_some_and(|cursor| Graph::wants(behaviours, &cursor, message.value)) {
                continue;
            }
            match step.pick {
                Pick::Message { .. } => {
                    let taken = &receiver.inbox[step.consumed as usize];
                    graph.send_clock(taken, &mut self.reach);
                }
                _ => graph.clock(step).raise(&mut self.reach),
            }
        }
    }

    /// The same for an exit signal: it had not arrived at any earlier check or demand at which it would
    /// have ended its receiver. `known`: number of events of the receiver in the causal past of the
    /// signal.
    fn before_signal<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        target: Slot,
        index: u32,
        known: u32,
    ) {
        let receiver = graph.process(target);
        let signal = &receiver.inbox[index as usize];
        let upto = receiver.steps.len().min(signal.consumed_by as usize);
        for (at, step) in receiver.steps[..upto].iter().enumerate().rev() {
            for effect in step.silent_checks().rev() {
                let events = step.events_before(effect);
                if events < known || !cut.has_check(target, step, effect) {
                    continue;
                }
                let cursor = graph.cursor_at_check(behaviours, target, at, effect);
                if Graph::wants(behaviours, &cursor, signal.value) {
                    graph.clock(step).raise(&mut self.reach);
                    let own = &mut self.reach[target as usize];
                    *own = (*own).max(events);
                    return; // everything that the receiver did before is included
                }
            }
            if step.event < known {
                return;
            }
            let cursor = graph.cursor(behaviours, target, at);
            if !cut.has_step(graph, target, step)
                || !cursor.is_some_and(|cursor| Graph::wants(behaviours, &cursor, signal.value))
            {
                continue;
            }
            match step.pick {
                Pick::Message { .. } => {
                    let taken = &receiver.inbox[step.consumed as usize];
                    graph.send_clock(taken, &mut self.reach);
                }
                _ => graph.clock(step).raise(&mut self.reach),
            }
        }
    }

    /// Adds the reads of the previous version, which came before this one.
    fn before_version(&mut self, graph: &Graph, cut: &impl Cut, object: usize, step: u32) {
        let process = &graph.processes()[object];
        if !process.steps[step as usize].publishes {
            return;
        }
        let last = process.steps[..step as usize]
            .iter()
            .rposition(|step| step.publishes)
            .map_or(0, |index| u32::try_from(index).expect("short") + 1);
        for read in process.reads.iter().filter(|read| read.version == last) {
            let step = &graph.process(read.reader).steps[read.step as usize];
            if cut.has_step(graph, read.reader, step) {
                graph.clock(step).raise(&mut self.reach);
            }
        }
    }

    /// Adds a causal past and closes again.
    pub(crate) fn add_past<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        past: Clock<'_>,
    ) {
        past.raise(&mut self.reach);
        self.close(graph, behaviours, cut);
    }

    /// Adds the causal past of a version of an object and closes again.
    pub(crate) fn add_version<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        object: Slot,
        version: u32,
    ) {
        graph.version_clock(object, version, &mut self.reach);
        self.close(graph, behaviours, cut);
    }

    /// Whether the closure contains this send.
    pub(crate) fn has_send(&self, message: &Message) -> bool {
        self.reach[message.sender as usize] > message.event
    }

    /// Whether it contains the input of this step.
    pub(crate) fn has_step(&self, slot: Slot, step: &crate::graph::Step) -> bool {
        self.reach[slot as usize] > step.event
    }
}
