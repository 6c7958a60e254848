//! The candidates of a demand: messages by delivery model, timeouts, versions and choices.

use crate::behaviour::{Behaviours, Edge, Wait};
use crate::bits::Bits;
use crate::cut::Cut;
use crate::frontend::{Fault, Frontend};
use crate::graph::{Cursor, Graph, Message, NONE, Pick, Slot};
use crate::ids::PidId;
use crate::message::Class;
use crate::order::Closure;
use mazurka_trace::Delivery;
use smallvec::SmallVec;

/// The candidates of a demand. Its buffers are reused.
#[derive(Default)]
pub struct Candidates {
    /// The candidates of the demand that was listed last.
    pub picks: Vec<Pick>,
    /// Versions that are ruled out only by processes that have read this object. They are possible
    /// in variants in which those processes have not read it yet.
    pub(crate) ruled_out: Vec<Pick>,
    matching: Vec<u32>,
    closure: Closure,
    /// Scratch buffers, reused between demands.
    origins: Bits,
    first_sends: Vec<u32>,
}

/// A point in the history of a process: after this many steps and events.
#[derive(Clone, Copy)]
struct Point {
    slot: Slot,
    steps: usize,
    events: u32,
}

impl Candidates {
    /// Lists the candidates of the demand of `slot` before its `index`-th step, in a cut that
    /// contains all its steps before that one and none after.
    pub(crate) fn list<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        slot: Slot,
        index: usize,
    ) -> Result<(), Fault> {
        self.list_unchecked(graph, behaviours, cut, slot, index);
        behaviours.check()
    }

    /// The same; the caller [checks](Behaviours::check) whether all messages could be matched.
    pub(crate) fn list_unchecked<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        slot: Slot,
        index: usize,
    ) {
        self.picks.clear();
        self.ruled_out.clear();
        let Some(cursor) = graph.cursor(behaviours, slot, index) else {
            self.picks.push(Pick::Start);
            return;
        };
        let point = Point {
            slot,
            steps: index,
            events: graph.process(slot).events_before(index),
        };
        if let Wait::Read { object } = cursor.wait
            && !cursor.looks
        {
            match graph.awaits(slot) {
                Some(_) => self.end(graph, cut, slot),
                None => self.versions(graph, behaviours, cut, (slot, index), object),
            }
            return;
        }
        if let Wait::Choose { of, limit } = cursor.wait
            && !cursor.looks
        {
            // These depend neither on other processes nor on the delivery model. Only the number of
            // disturbances is limited, in the whole graph: to be left alone comes first in every
            // order of candidates, so a variant has as many disturbances as its canonical parent,
            // and none is lost with the graphs that would have too many.
            let is_over = limit.is_some_and(|limit| graph.disturbances >= limit);
            let of = if is_over { 1 } else { of };
            self.picks.extend((0..of).map(Pick::Choice));
            return;
        }
        self.messages(graph, behaviours, cut, point, &cursor);
        if cursor.looks {
            self.unless_waiting(graph, behaviours, cut, point, Pick::GoOn);
        } else if let Wait::Receive {
            timeout_ms: Some(_),
            ..
        } = cursor.wait
        {
            if graph.any_time(&graph.process(slot).steps[index - 1]) {
                self.unless_waiting(graph, behaviours, cut, point, Pick::Timeout);
            } else if graph.is_due(slot, index) {
                self.unless_waiting(graph, behaviours, cut, point, Pick::QuietTimeout);
            }
        }
    }

    /// Lists the candidates of the silent check before an effect of a step, in a cut that contains
    /// everything its process did before that effect and nothing after.
    pub(crate) fn list_at_check<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        (slot, index, effect): (Slot, usize, u32),
    ) -> Result<(), Fault> {
        self.picks.clear();
        self.ruled_out.clear();
        if graph.process(slot).signals == 0 {
            self.picks.push(Pick::GoOn);
            return Ok(());
        }
        let cursor = graph.cursor_at_check(behaviours, slot, index, effect);
        let point = Point {
            slot,
            steps: index + 1,
            events: graph.process(slot).steps[index].events_before(effect),
        };
        self.messages(graph, behaviours, cut, point, &cursor);
        self.unless_waiting(graph, behaviours, cut, point, Pick::GoOn);
        behaviours.check()
    }

    /// Lists the messages that may be consumed, by delivery model.
    fn messages<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        point: Point,
        cursor: &Cursor,
    ) {
        self.matching(graph, behaviours, cut, point, cursor);
        let slot = point.slot;
        match (cursor.wait, graph.delivery) {
            _ if graph.process(slot).is_object => self.all(graph, slot),
            (Wait::Answer, _) if !cursor.looks => self.all(graph, slot),
            // Under `p2p`, `matching` has only the first message of each process.
            (_, Delivery::Unordered | Delivery::P2p) => self.all(graph, slot),
            (_, Delivery::Causal) => {
                self.list_sends(graph, slot);
                self.first_by_past(graph, slot);
            }
            (_, Delivery::Mailbox) => self.oldest(graph, behaviours, cut, point, cursor),
        }
    }

    /// Lists the waiting messages that the demand accepts, oldest first. If messages of one process
    /// cannot overtake each other, only the first of each process.
    fn matching<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        Point { slot, steps, .. }: Point,
        cursor: &Cursor,
    ) {
        self.matching.clear();
        let process = graph.process(slot);
        let inbox = &process.inbox;
        let is_answer = cursor.wait == Wait::Answer && !cursor.looks;
        let is_free = process.is_object || is_answer || graph.delivery == Delivery::Unordered;
        if cut.is_everything() && !is_free {
            self.matching
                .extend(graph.first_wanted(behaviours, slot, cursor));
            self.matching.sort_unstable();
            if process.brought > 0 {
                self.first_of_each(graph, slot);
            }
            return;
        }
        if cut.is_everything() {
            for at in graph.waiting(slot) {
                if Graph::wants(behaviours, cursor, inbox[at as usize].value) {
                    self.matching.push(at);
                }
            }
            return;
        }
        let steps = u32::try_from(steps).expect("a short process");
        for (at, message) in (0..).zip(inbox) {
            if (message.consumed_by == NONE || message.consumed_by >= steps)
                && cut.has_send(graph, message)
                && Graph::wants(behaviours, cursor, message.value)
            {
                self.matching.push(at);
            }
        }
        if !is_free {
            self.first_of_each(graph, slot);
        }
    }

    /// Keeps the first message of each process. The messages of couriers come after all messages of the
    /// ended process, and a `Down` message comes after an exit signal.
    fn first_of_each(&mut self, graph: &Graph, slot: Slot) {
        let inbox = &graph.process(slot).inbox;
        let origins = &mut self.origins;
        origins.clear();
        self.matching.retain(|&at| {
            let message = &inbox[at as usize];
            match graph.announces(message) {
                Some(ended) => {
                    origins.set(message.origin.0, true);
                    let behind = graph.behind(message);
                    !origins.has(ended.0) && !behind.is_some_and(|behind| origins.has(behind.0))
                }
                None => {
                    let is_first = !origins.has(message.origin.0);
                    origins.set(message.origin.0, true);
                    is_first
                }
            }
        });
    }

    fn all(&mut self, graph: &Graph, slot: Slot) {
        let inbox = &graph.process(slot).inbox;
        let picks = { self.matching.iter() }.map(|&at| graph.pick_of(&inbox[at as usize]));
        self.picks.extend(picks);
    }

    /// `mailbox`: keeps the messages that may have arrived first.
    fn oldest<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        point: Point,
        cursor: &Cursor,
    ) {
        let slot = point.slot;
        let inbox = &graph.process(slot).inbox;
        if let [only] = self.matching[..] {
            self.picks.push(graph.pick_of(&inbox[only as usize]));
            return;
        }
        self.list_sends(graph, slot);
        if self.are_ordered_by_past(graph, behaviours, cut, point, cursor) {
            self.first_by_past(graph, slot);
            return;
        }
        for &at in &self.matching {
            let message = &inbox[at as usize];
            self.closure.begin_at_send(graph, message);
            self.closure.close(graph, behaviours, cut);
            let comes_first =
                |&other: &u32| other != at && self.closure.has_send(&inbox[other as usize]);
            if !self.matching.iter().any(comes_first) {
                self.picks.push(graph.pick_of(message));
            }
        }
    }

    /// Whether happened-before alone decides which of the matching messages can come first.
    ///
    /// The other orders (`order.rs`) start from the past of a receive that skipped a message, or of a
    /// read. So they put the send of a matching message before another one only if the past of such a
    /// step contains it.
    fn are_ordered_by_past<F: Frontend>(
        &self,
        graph: &Graph,
        behaviours: &Behaviours<F>,
        cut: &impl Cut,
        point: Point,
        cursor: &Cursor,
    ) -> bool {
        let sends = &self.first_sends;
        let has_reads = graph.has_reads();
        (0..).zip(graph.processes()).all(|(slot, process)| {
            let steps = match slot == point.slot && process.signals == 0 {
                // A receive that accepts the matching messages took one that came before them.
                true => &process.steps[..graph.alike_from(behaviours, slot, point.steps, cursor)],
                false if has_reads || process.may_pass_over() => &process.steps[..],
                false => &[],
            };
            let last = steps.iter().rfind(|step| cut.has_step(graph, slot, step));
            // A signal comes after the silent checks that it missed, and so after the sends before.
            let is_checked = process.signals > 0 && sends[slot as usize] != NONE;
            !is_checked && !last.is_some_and(|last| graph.clock(last).exceeds_any(sends))
        })
    }

    /// Keeps the messages such that the send of no other one happened before theirs.
    fn first_by_past(&mut self, graph: &Graph, slot: Slot) {
        let inbox = &graph.process(slot).inbox;
        for &at in &self.matching {
            let message = &inbox[at as usize];
            let step = &graph.process(message.sender).steps[message.step as usize];
            // Of its own process the past contains only the step's input, which is before the send.
            if !graph.clock(step).exceeds_any(&self.first_sends) {
                self.picks.push(graph.pick_of(message));
            }
        }
    }

    /// Lists the sends of the matching messages, by sender, for [`first_by_past`](Self::first_by_past).
    fn list_sends(&mut self, graph: &Graph, slot: Slot) {
        let inbox = &graph.process(slot).inbox;
        let sends = &mut self.first_sends;
        sends.clear();
        sends.resize(graph.processes().len(), NONE);
        for &at in &self.matching {
            let message = &inbox[at as usize];
            sends[message.sender as usize] = message.event;
        }
    }

    /// Lists a timeout, which fires only if no matching message has certainly arrived.
    fn unless_waiting<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        point: Point,
        pick: Pick,
    ) {
        if self.matching.is_empty() || !self.has_arrived(graph, behaviours, cut, point) {
            self.picks.push(pick);
        }
    }

    /// Whether one of the matching messages has certainly arrived, given what the process has seen.
    fn has_arrived<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        point: Point,
    ) -> bool {
        let process = graph.process(point.slot);
        let inbox = &process.inbox;
        let past = graph.clock(&process.steps[point.steps - 1]);
        let own = |message: &Message| message.sender == point.slot && message.event < point.events;
        match graph.delivery {
            Delivery::Unordered => false,
            // A later message of the same sender was consumed. Answers are no messages of a sender.
            Delivery::P2p => self.matching.iter().any(|&at| {
                let message = &inbox[at as usize];
                let mut later = inbox[at as usize + 1..].iter();
                // The process has read that the courier has delivered it.
                let is_seen = message.is_brought
                    && graph.process(message.sender).reads.iter().any(|read| {
                        let is_before = (read.step as usize) < point.steps;
                        read.reader == point.slot && read.version > 0 && is_before
                    });
                own(message)
                    || is_seen
                    || later.any(|later| {
                        (later.origin == message.origin
                            || graph.announces(later) == Some(message.origin)
                            || graph.behind(later) == Some(message.origin))
                            && (later.consumed_by as usize) < point.steps
                            && behaviours.values.class(later.value) != Class::Answer
                    })
            }),
            // Its send is in the causal past of the demand. Under `causal` it arrives before every
            // message that its send happened before.
            Delivery::Causal => self.matching.iter().any(|&at| {
                let message = &inbox[at as usize];
                own(message) || past.known(message.sender) > message.event
            }),
            // It was sent before something that the process has seen.
            Delivery::Mailbox => {
                self.closure.begin_at_past(graph, past);
                // The step's own sends came before the demand as well.
                self.closure
                    .close_after(graph, behaviours, cut, point.slot, point.events);
                let mut matching = self.matching.iter();
                matching.any(|&at| self.closure.has_send(&inbox[at as usize]))
            }
        }
    }

    /// Lists the end of a process, if everything that a courier waits for belongs to the cut.
    fn end(&mut self, graph: &Graph, cut: &impl Cut, courier: Slot) {
        let Some(before) = graph.before_courier(courier) else {
            return;
        };
        let (_, end, _) = before[0];
        let has = |&(slot, step, _): &(Slot, u32, u32)| {
            cut.has_step(graph, slot, &graph.process(slot).steps[step as usize])
        };
        if before.iter().all(has) {
            self.picks.push(version_of(Some(end as usize)));
        }
    }

    /// Lists the versions of an object that can be the latest at this point.
    fn versions<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        (slot, index): (Slot, usize),
        object: PidId,
    ) {
        let object = graph.slot(object).expect("made when the read was demanded");
        let past = graph.clock(&graph.process(slot).steps[index - 1]);
        self.closure.begin_at_past(graph, past);
        let events = graph.process(slot).events_before(index);
        self.closure
            .close_after(graph, behaviours, cut, slot, events);
        let steps = &graph.process(object).steps;
        let mut latest = None;
        let mut closed = false;
        for (at, step) in steps.iter().enumerate() {
            if !step.publishes || !cut.has_step(graph, object, step) {
                continue;
            }
            if !self.closure.has_step(object, step) {
                self.picks.push(version_of(latest));
            }
            // The newest step of a variant is ordered after the reads of earlier versions, but
            // its own version cannot be read.
            closed = !cut.has_version(graph, object, at);
            latest = Some(at);
        }
        if !closed {
            self.picks.push(version_of(latest));
        }
        if graph.process(slot).is_object {
            self.before_publishing(graph, behaviours, cut, (slot, index), object);
        }

        // The objects that it has read for the same operation must not have changed before that version.
        let still = graph.still_read(behaviours, slot, index);
        let changed = still.iter().filter_map(|&(object, seen)| {
            let mut later = graph.process(object).steps[seen as usize..].iter();
            let changed = later.find(|step| step.publishes && cut.has_step(graph, object, step))?;
            Some((object, changed))
        });
        let changed: SmallVec<[_; 2]> = changed.collect();
        if !changed.is_empty() {
            let closure = &mut self.closure;
            // The past of a later version contains that of an earlier one, so the closure only grows.
            self.picks.retain(|&pick| {
                if let Pick::Version(version @ 1..) = pick {
                    closure.add_version(graph, behaviours, cut, object, version);
                }
                !changed.iter().any(|(of, step)| closure.has_step(*of, step))
            });
        }
    }

    /// An object that changes because of what it reads must change after every read of the object itself.
    fn before_publishing<F: Frontend>(
        &mut self,
        graph: &Graph,
        behaviours: &mut Behaviours<F>,
        cut: &impl Cut,
        (slot, index): (Slot, usize),
        object: Slot,
    ) {
        let reader = graph.process(slot);
        let steps = &graph.process(object).steps;
        let seen = reader.steps[..index]
            .iter()
            .rposition(|step| step.publishes);
        let Pick::Version(seen) = version_of(seen) else {
            unreachable!("`version_of` returns a version")
        };
        let closure = &mut self.closure;
        let ruled_out = &mut self.ruled_out;
        self.picks.retain(|&pick| {
            let Pick::Version(version) = pick else {
                unreachable!("only versions are listed")
            };
            let next = steps[version as usize..]
                .iter()
                .find(|step| step.publishes && cut.has_step(graph, object, step));
            let Some(next) = next else { return true };
            let node = reader.steps[index - 1].node;
            let value = behaviours.read(node, graph.version_node(object, version));
            let leads_to = behaviours
                .step(node, Edge::Value(value))
                .expect("objects do not fail");
            if !behaviours.node(leads_to).publishes {
                return true;
            }
            for read in reader.reads.iter().filter(|read| read.version == seen) {
                let step = &graph.process(read.reader).steps[read.step as usize];
                if cut.has_step(graph, read.reader, step) {
                    closure.add_past(graph, behaviours, cut, graph.clock(step));
                }
            }
            let is_possible = !closure.has_step(object, next);
            if !is_possible {
                ruled_out.push(pick);
            }
            is_possible
        });
    }
}

fn version_of(step: Option<usize>) -> Pick {
    Pick::Version(step.map_or(0, |at| u32::try_from(at).expect("a short process") + 1))
}
