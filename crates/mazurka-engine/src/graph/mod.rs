//! Execution graphs: the inputs of each process so far, and what follows from them.
//!
//! A graph grows by one step at a time and shrinks in the opposite order, so going from
//! one execution to its neighbour costs only the steps in which they differ.

mod attention;
mod clock;
mod courier;
mod daemon;
mod grow;
mod links;
mod process;
mod shrink;
mod step;
mod time;
mod touched;

pub(crate) use attention::Attention;
pub(crate) use clock::{Clock, ClockAt, Clocks};
pub(crate) use process::Event;
pub use process::{Message, Process, Read};
pub use step::{Cursor, Entry, Pick, Placed, Step};

use crate::behaviour::{Behaviours, Effect, Wait};
use crate::bits::Bits;
use crate::frontend::Frontend;
use crate::ids::{NodeId, PidId, PidTable};
use crate::timeouts::Timeouts;
use mazurka_trace::Delivery;
use process::{Lane, Refused};
use smallvec::SmallVec;
use time::Tick;
use touched::Touched;

/// The index of a process or object in the current [`Graph`], in the order in which they appeared.
pub type Slot = u32;

/// No slot, no step, no message.
pub const NONE: u32 = u32::MAX;

/// One execution, complete or not.
pub struct Graph {
    /// Which messages a receive may consume.
    pub delivery: Delivery,
    pub(crate) timeouts: Timeouts,
    /// Whether timeouts of daemons fire like those of other processes, as a log may demand.
    pub(crate) ignore_daemon_runs: bool,
    processes: Vec<Process>,
    live: usize,
    /// The processes whose demand has a candidate.
    enabled: Bits,
    /// The processes that are at a signal check.
    looking: Bits,
    touched: Touched,
    /// Number of steps that lead to a receive with a timeout.
    with_timeout: usize,
    /// Number of disturbances.
    pub(crate) disturbances: u32,
    /// The logical time after each quiet timeout, in the order of the path.
    ticks: Vec<Tick>,
    /// The steps in which processes asked for their links.
    links_asked: Vec<(Slot, u32)>,
    slots: Vec<Slot>,
    clocks: Clocks,
    path: Vec<Placed>,
    /// Processes that check for signals before each of their actions.
    interruptible: Vec<bool>,
    /// Whether a process at a silent check runs next, as in the explorer's tree, so that a step lets
    /// earlier processes at silent checks go first. In other walks it does not wait for them.
    pub(crate) silent_checks_first: bool,
    /// Whether a step ends before each action, for processes and objects alike.
    pub(crate) action_by_action: bool,
    /// Processes whose liveness objects exist from the start.
    liveness_at_start: Vec<bool>,
    /// The last step sent a signal to this process, which is not interruptible.
    pub(crate) missed_signal: Option<PidId>,
    /// The last step created the liveness object of this process.
    pub(crate) missed_liveness: Option<PidId>,
}

impl Graph {
    pub(crate) fn new(delivery: Delivery, timeouts: Timeouts) -> Self {
        Graph {
            delivery,
            timeouts,
            ignore_daemon_runs: false,
            processes: Vec::new(),
            live: 0,
            enabled: Bits::default(),
            looking: Bits::default(),
            touched: Touched::default(),
            with_timeout: 0,
            disturbances: 0,
            ticks: Vec::new(),
            links_asked: Vec::new(),
            slots: Vec::new(),
            clocks: Clocks::default(),
            path: Vec::new(),
            interruptible: Vec::new(),
            silent_checks_first: false,
            action_by_action: false,
            liveness_at_start: Vec::new(),
            missed_signal: None,
            missed_liveness: None,
        }
    }

    /// Makes a process interruptible. Only for an empty graph.
    pub(crate) fn set_interruptible(&mut self, pid: PidId) {
        assert!(
            self.path.is_empty(),
            "a process is interruptible from its start"
        );
        mark(&mut self.interruptible, pid);
        self.missed_signal = None;
    }

    /// Creates the liveness object of a process together with the process, not with the first
    /// operation on it. Only for an empty graph.
    pub(crate) fn add_liveness_at_start(&mut self, pid: PidId) {
        assert!(self.path.is_empty(), "an object exists from the start");
        mark(&mut self.liveness_at_start, pid);
        self.missed_liveness = None;
    }

    /// Adds the entry process, not yet started.
    pub(crate) fn begin<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>) {
        assert!(self.live == 0, "a graph begins once");
        let root = behaviours.entry();
        self.add_process(behaviours, PidTable::ENTRY, root, (NONE, NONE, NONE));
    }

    /// The processes and objects, by slot.
    #[must_use]
    pub fn processes(&self) -> &[Process] {
        &self.processes[..self.live]
    }

    /// The process or object in a slot.
    #[inline]
    #[must_use]
    pub fn process(&self, slot: Slot) -> &Process {
        &self.processes[slot as usize]
    }

    /// The slot of a process or object, if it is in this graph.
    #[must_use]
    pub fn slot(&self, pid: PidId) -> Option<Slot> {
        self.slots
            .get(pid.index())
            .copied()
            .filter(|&slot| slot != NONE)
    }

    /// The processes whose demand has a candidate.
    pub fn enabled(&self) -> impl Iterator<Item = Slot> + Clone + '_ {
        self.enabled.iter()
    }

    /// Number of processes whose demand has a candidate.
    pub(crate) fn enabled_count(&self) -> usize {
        self.enabled.len()
    }

    /// Whether the demand of a process has a candidate.
    #[must_use]
    pub fn is_enabled(&self, slot: Slot) -> bool {
        self.enabled.has(slot)
    }

    /// Whether any process may wait with a timeout.
    pub(crate) fn has_timeouts(&self) -> bool {
        self.with_timeout > 0
    }

    /// The steps in the order in which they were made.
    #[must_use]
    pub fn path(&self) -> &[Placed] {
        &self.path
    }

    pub(crate) fn next_stamp(&self) -> u32 {
        self.path.last().map_or(0, |last| last.highest_stamp + 1)
    }

    /// The causal past of a step, its own input included: the number of events per process.
    #[inline]
    pub(crate) fn clock(&self, step: &Step) -> Clock<'_> {
        self.clocks.get(&step.clock)
    }

    /// Whether the step belongs to the causal past described by `clock`.
    #[inline]
    pub(crate) fn in_past(clock: Clock<'_>, slot: Slot, step: &Step) -> bool {
        clock.known(slot) > step.event
    }

    /// Joins the causal past of the send of this message.
    #[inline(always)]
    pub(crate) fn send_clock(&self, message: &Message, into: &mut [u32]) {
        let sender = self.process(message.sender);
        if message.step != NONE {
            self.clock(&sender.steps[message.step as usize]).raise(into);
        }
        let own = &mut into[message.sender as usize];
        *own = (*own).max(message.event + 1);
    }

    /// Joins the causal past of a version: that of the step that published it, without the sends of
    /// that step, except for a courier's.
    pub(crate) fn version_clock(&self, object: Slot, version: u32, into: &mut [u32]) {
        let process = self.process(object);
        self.clock(&process.steps[version as usize - 1]).raise(into);
        if process.awaits != NONE {
            // The message of a courier arrives when it is published.
            let events = u32::try_from(process.events.len()).expect("a short process");
            into[object as usize] = events;
        }
    }

    /// The state of a process before its `index`-th step; `None` if it has not started.
    #[inline]
    pub(crate) fn cursor<F: Frontend>(
        &self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        index: usize,
    ) -> Option<Cursor> {
        let process = self.process(slot);
        if index > 0 {
            let step = &process.steps[index - 1];
            return Some(Cursor {
                node: step.node,
                done: step.done,
                wait: step.wait,
                looks: step.looks,
                trapping: step.trapping,
            });
        }
        process.is_object.then(|| Cursor {
            node: process.initial,
            done: 0,
            wait: behaviours.node(process.initial).wait,
            looks: false,
            trapping: false,
        })
    }

    /// Whether the demand before the `index`-th step of a process is whether it is disturbed.
    pub(crate) fn is_disturbance(&self, slot: Slot, index: usize) -> bool {
        let before = index.checked_sub(1);
        before.is_some_and(|before| {
            let step = &self.process(slot).steps[before];
            !step.looks && matches!(step.wait, Wait::Choose { limit: Some(_), .. })
        })
    }

    /// The state of a process at the check before an effect of its `index`-th step.
    pub(crate) fn cursor_at_check<F: Frontend>(
        &self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        index: usize,
        effect: u32,
    ) -> Cursor {
        let step = &self.process(slot).steps[index];
        let node = behaviours.node(step.node);
        let mut flags = node.effects[..effect as usize].iter().rev();
        let trapping = flags.find_map(|effect| match effect {
            Effect::TrapExit(on) => Some(*on),
            _ => None,
        });
        Cursor {
            node: step.node,
            done: effect,
            wait: step.wait,
            looks: true,
            trapping: trapping.unwrap_or(node.before.trapping),
        }
    }

    /// Whether the process, before its `index`-th step, waits in a receive whose constraint does not
    /// depend on the sender.
    pub(crate) fn takes_from_anyone<F: Frontend>(
        &self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        index: usize,
    ) -> bool {
        let cursor = self.cursor(behaviours, slot, index);
        cursor.is_some_and(|cursor| match cursor.wait {
            Wait::Receive { constraint, .. } if !cursor.looks => {
                let constraint = behaviours.values.constraint(constraint);
                behaviours.frontend.hints().takes_from_anyone(constraint)
            }
            _ => false,
        })
    }

    /// The messages that wait in the inbox, oldest first.
    pub fn waiting(&self, slot: Slot) -> impl Iterator<Item = u32> + '_ {
        let process = self.process(slot);
        let mut at = process.first_waiting;
        std::iter::from_fn(move || {
            let index = at;
            (index != NONE).then(|| {
                at = process.inbox[index as usize].next;
                index
            })
        })
    }

    /// The oldest message in each lane of the inbox that a process in this state takes.
    #[inline]
    pub(crate) fn first_wanted<'g, F: Frontend>(
        &'g self,
        behaviours: &'g mut Behaviours<F>,
        slot: Slot,
        cursor: &'g Cursor,
    ) -> impl Iterator<Item = u32> + 'g {
        let process = self.process(slot);
        let lanes = process.lanes.iter().filter(|lane| lane.first != NONE);
        lanes.filter_map(move |lane| Self::first_in_lane(behaviours, process, lane, cursor))
    }

    fn first_in_lane<F: Frontend>(
        behaviours: &mut Behaviours<F>,
        process: &Process,
        lane: &Lane,
        cursor: &Cursor,
    ) -> Option<u32> {
        let by = cursor.constraint();
        if lane.first != NONE && process.inbox[lane.first as usize].is_brought {
            // Whether it is accepted depends on the links and monitors that were undone.
            let value = process.inbox[lane.first as usize].value;
            return Self::wants(behaviours, cursor, value).then_some(lane.first);
        }
        let known = lane.refused.get();
        let (mut refused, mut at) = match by.is_some() && known.by == by {
            true => (known.upto, process.inbox[known.upto as usize].lane_next),
            false => (NONE, lane.first),
        };
        while at != NONE {
            let mut message = &process.inbox[at as usize];
            if Self::wants(behaviours, cursor, message.value) {
                break;
            }
            (refused, at) = (at, message.lane_next);
            // A tight loop, for receives that skip many messages.
            let lacking = by.and_then(|(by, _)| behaviours.values.lacking(by));
            while at != NONE {
                message = &process.inbox[at as usize];
                if !lacking.is_some_and(|lacking| lacking.has(message.value)) {
                    break;
                }
                (refused, at) = (at, message.lane_next);
            }
        }
        if by.is_some() && refused != NONE {
            lane.refused.set(Refused { by, upto: refused });
        }
        (at != NONE).then_some(at)
    }

    /// The first of the steps right before the `index`-th one of a process whose demands all accept
    /// the same messages as the process accepts in this state.
    #[inline]
    pub(crate) fn alike_from<F: Frontend>(
        &self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        index: usize,
        cursor: &Cursor,
    ) -> usize {
        match index.checked_sub(1) {
            Some(last) if self.is_alike(behaviours, slot, index, cursor) => {
                self.process(slot).steps[last].alike_from as usize
            }
            _ => index,
        }
    }

    /// Whether an object was read that has changed.
    pub(crate) fn has_reads(&self) -> bool {
        self.processes().iter().any(|process| {
            !process.reads.is_empty() && process.steps.iter().any(|step| step.publishes)
        })
    }

    /// The index, in the inbox of `slot`, of the message that a pick names.
    #[must_use]
    pub fn find_message(&self, slot: Slot, sender: PidId, seq: u32) -> Option<u32> {
        let sender = self.slot(sender)?;
        let &(target, index) = self.process(sender).sends.get(seq as usize)?;
        (target == slot).then_some(index)
    }

    /// The pick that consumes this message.
    #[must_use]
    pub fn pick_of(&self, message: &Message) -> Pick {
        Pick::Message {
            sender: self.process(message.sender).pid,
            seq: message.seq,
        }
    }

    /// For a process in the middle of an operation that takes several reads: the objects that it has
    /// read, and their versions. They must still be the latest ones when it reads on.
    pub(crate) fn still_read<F: Frontend>(
        &self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        index: usize,
    ) -> SmallVec<[(Slot, u32); 2]> {
        let steps = self.process(slot).steps[..index].iter().enumerate().rev();
        let middle = steps.take_while(|(_, step)| behaviours.node(step.node).is_reading_on());
        let read = middle.map(|(at, step)| {
            let wait = self.cursor(behaviours, slot, at).map(|cursor| cursor.wait);
            let (Pick::Version(version), Some(Wait::Read { object })) = (step.pick, wait) else {
                unreachable!("it has read something")
            };
            (self.slot(object).expect("it was read"), version)
        });
        read.collect()
    }

    /// The node of an object in one of its versions.
    pub(crate) fn version_node(&self, object: Slot, version: u32) -> NodeId {
        let object = self.process(object);
        match version {
            0 => object.initial,
            version => object.steps[version as usize - 1].node,
        }
    }

    /// The processes that have ended and whose end no liveness object has published.
    pub(crate) fn unpublished_ends(&self) -> impl Iterator<Item = PidId> + '_ {
        (0..)
            .zip(self.processes())
            .filter(|(slot, process)| {
                !process.is_object && process.liveness == NONE && self.has_ended(*slot)
            })
            .map(|(_, process)| process.pid)
    }

    /// The behaviour nodes that this graph holds, with their parents.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.processes().iter().flat_map(|process| {
            let initial = process.is_object.then_some(process.initial);
            let steps = process.steps.iter().map(|step| step.node);
            initial.into_iter().chain(steps)
        })
    }

    /// Drops behaviour nodes that this graph does not use, if they take too much memory.
    pub(crate) fn evict<F: Frontend>(&self, behaviours: &mut Behaviours<F>) {
        if !behaviours.are_too_many() {
            return;
        }
        let roots = self.processes().iter().map(|process| process.root);
        let inboxes = self.processes().iter().map(|process| &process.inbox);
        let values = inboxes.flatten().map(|message| message.value);
        behaviours.drop_all_but(self.nodes(), roots, values);
        // A new constraint may get the number of an evicted one.
        let lanes = self.processes.iter().flat_map(|process| &process.lanes);
        lanes.for_each(|lane| lane.refused.set(Refused::default()));
    }

    /// Whether the end of a process that has ended happened before the send of a message: the end is
    /// in the causal past of the send, or the logical time of the send is later.
    pub(crate) fn ended_before(&self, slot: Slot, message: &Message) -> bool {
        let process = self.process(slot);
        let sender = &self.process(message.sender).steps;
        let (Some(end), Some(sent)) = (process.steps.last(), sender.get(message.step as usize))
        else {
            return false;
        };
        // An end gets into the past of another process only through the liveness object, together with
        // all events before it.
        let known = self.clock(sent).known(slot);
        let knows = process.liveness != NONE && known as usize >= process.events.len();
        knows || sent.time_ms > end.time_ms
    }

    /// Whether the process has ended and performed all its effects.
    pub(crate) fn has_ended(&self, slot: Slot) -> bool {
        self.process(slot)
            .steps
            .last()
            .is_some_and(|step| matches!(step.wait, Wait::Ended(_)) && !step.looks)
    }
}

/// Adds a pid to a set.
fn mark(set: &mut Vec<bool>, pid: PidId) {
    if set.len() <= pid.index() {
        set.resize(pid.index() + 1, false);
    }
    set[pid.index()] = true;
}
