//! Execution graphs: what each process has consumed so far, and what follows from it.
//!
//! A graph grows by one step at a time and shrinks in the opposite order, so going from
//! one execution to its neighbour costs only the steps in which they differ.

use crate::behaviour::{Behaviours, Edge, Effect, Wait};
use crate::frontend::{Fault, Frontend};
use crate::ids::{NodeId, ObjectKey, Pid, PidKind, RootId, ValueId};
use crate::message::Class;
use crate::timeouts::Timeouts;
use mazurka_trace::Delivery;
use smallvec::SmallVec;

/// Where a process of the current graph lives in [`Graph`]; given in the order of spawns.
pub(crate) type Slot = u32;

pub(crate) const NONE: u32 = u32::MAX;

/// What a step consumes, in words that mean the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// A new process begins.
    Start,
    /// A process that a signal may strike goes on to its next action unharmed.
    GoOn,
    /// The receive times out.
    Timeout,
    /// The receive times out because nothing else in the program can happen.
    QuietTimeout,
    /// The `seq`-th message (from 0) that `sender` sent.
    Message {
        /// Who sent it.
        sender: Pid,
        /// How many messages it had sent before.
        seq: u32,
    },
    /// The state of a shared object after this many of its steps.
    Version(u32),
}

/// A step as it stands in a path: enough to do it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub pid: Pid,
    pub pick: Pick,
    /// When the step was first added; a step that is re-read keeps its place.
    pub stamp: u32,
    /// A step with an earlier stamp consumes a message of this one.
    pub fixed: bool,
}

/// A step in the path of the current graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub slot: Slot,
    /// Its place among the steps of its process.
    pub index: u32,
    pub entry: Entry,
    /// The highest stamp up to here.
    pub highest_stamp: u32,
}

/// One input consumed, and the effects up to the next demand.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub pick: Pick,
    pub stamp: u32,
    pub fixed: bool,
    /// Where the process is after this step: the node, and how many of its effects are done.
    pub node: NodeId,
    pub done: u32,
    pub wait: Wait,
    /// The next thing is a look whether a signal strikes, not the demand.
    pub looks: bool,
    pub trapping: bool,
    /// The place of the step's input among the events of its process.
    pub event: u32,
    /// The message consumed, by its place in the inbox.
    pub consumed: u32,
    /// Whether readers see a new version of this object.
    pub publishes: bool,
    clock_at: u32,
    clock_len: u32,
    pub sends_before: u32,
    slots_before: u32,
    was_enabled: bool,
}

/// A message that was sent to a process.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub value: ValueId,
    pub sender: Slot,
    /// Whose messages it must not overtake: what a process's life sends is of the process.
    pub origin: Pid,
    pub seq: u32,
    /// The send among the events of its sender, and the step it belongs to.
    pub event: u32,
    pub step: u32,
    /// The step that consumed it.
    pub consumed_by: u32,
    /// Receives that took something else, or timed out, although they accept this message.
    /// Under `mailbox` that puts what they took before this send.
    pub passed_over_by: SmallVec<[u32; 2]>,
    prev: u32,
    next: u32,
    woke: bool,
}

/// What happened in a process, one by one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// The input of this step.
    Input(u32),
    /// The n-th send of the process.
    Send(u32),
    Spawn(Slot),
}

/// A read of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub reader: Slot,
    /// The reader's step.
    pub step: u32,
    pub version: u32,
    /// The step reads another object; this one must still have that version then, so that
    /// the two looks are as good as one.
    pub still: bool,
}

/// A process, or an object, of the current graph.
#[derive(Debug)]
pub(crate) struct Process {
    pub pid: Pid,
    pub root: RootId,
    pub is_object: bool,
    /// The node of an object before its first step.
    initial: NodeId,
    pub steps: Vec<Step>,
    pub inbox: Vec<Message>,
    /// Target and place in the target's inbox, of every message sent.
    pub sends: Vec<(Slot, u32)>,
    pub events: Vec<Event>,
    pub reads: Vec<Read>,
    first_waiting: u32,
    last_waiting: u32,
    /// Who spawned it: slot, step, and the spawn among the events.
    pub parent: (Slot, u32, u32),
    /// The slot of its life, once anybody cares.
    life: Slot,
    pub enabled: bool,
}

/// The state of a process between two steps.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    pub node: NodeId,
    pub done: u32,
    pub wait: Wait,
    pub looks: bool,
    pub trapping: bool,
}

/// One execution, complete or not.
pub(crate) struct Graph {
    pub delivery: Delivery,
    pub timeouts: Timeouts,
    processes: Vec<Process>,
    live: usize,
    slots: Vec<Slot>,
    clocks: Vec<u32>,
    scratch: Vec<u32>,
    path: Vec<Placed>,
    /// Processes that a signal may strike; they look for one before every action.
    strikeable: Vec<bool>,
    /// A signal was sent to a process that does not look for signals.
    pub unforeseen: Option<Pid>,
}

impl Graph {
    pub(crate) fn new(delivery: Delivery, timeouts: Timeouts) -> Self {
        Graph {
            delivery,
            timeouts,
            processes: Vec::new(),
            live: 0,
            slots: Vec::new(),
            clocks: Vec::new(),
            scratch: Vec::new(),
            path: Vec::new(),
            strikeable: Vec::new(),
            unforeseen: None,
        }
    }

    /// From now on this process looks for signals. Only for an empty graph.
    pub(crate) fn foresee(&mut self, pid: Pid) {
        assert!(self.path.is_empty(), "a graph's processes look from the start");
        if self.strikeable.len() <= pid.index() {
            self.strikeable.resize(pid.index() + 1, false);
        }
        self.strikeable[pid.index()] = true;
        self.unforeseen = None;
    }

    /// Puts the entry process there, not yet started.
    pub(crate) fn begin<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>) {
        assert!(self.live == 0, "a graph begins once");
        let root = behaviours.entry();
        self.add(crate::ids::PidTable::ENTRY, root, (NONE, NONE, NONE));
    }

    pub(crate) fn processes(&self) -> &[Process] {
        &self.processes[..self.live]
    }

    #[inline]
    pub(crate) fn process(&self, slot: Slot) -> &Process {
        &self.processes[slot as usize]
    }

    pub(crate) fn slot(&self, pid: Pid) -> Option<Slot> {
        self.slots
            .get(pid.index())
            .copied()
            .filter(|&slot| slot != NONE)
    }

    /// The steps in the order in which they were done.
    pub(crate) fn path(&self) -> &[Placed] {
        &self.path
    }

    pub(crate) fn next_stamp(&self) -> u32 {
        self.path.last().map_or(0, |last| last.highest_stamp + 1)
    }

    /// The causal past of a step, its own input included: per process, how many events.
    #[inline]
    pub(crate) fn clock(&self, step: &Step) -> &[u32] {
        let at = step.clock_at as usize;
        &self.clocks[at..at + step.clock_len as usize]
    }

    /// Whether the step belongs to the causal past described by `clock`.
    #[inline]
    pub(crate) fn in_past(clock: &[u32], slot: Slot, step: &Step) -> bool {
        clock
            .get(slot as usize)
            .is_some_and(|&known| known > step.event)
    }

    /// Whether the send of `message` belongs to it.
    #[inline]
    pub(crate) fn sent_in_past(clock: &[u32], message: &Message) -> bool {
        clock
            .get(message.sender as usize)
            .is_some_and(|&known| known > message.event)
    }

    /// Calls `raise` with what the send of this message knows: its sender's past.
    pub(crate) fn send_clock(&self, message: &Message, into: &mut [u32]) {
        let sender = self.process(message.sender);
        if message.step != NONE {
            let clock = self.clock(&sender.steps[message.step as usize]);
            raise(into, clock);
        }
        let own = &mut into[message.sender as usize];
        *own = (*own).max(message.event + 1);
    }

    /// Adds what a version knows: all that its step did, because it was all done at once.
    pub(crate) fn version_clock(&self, object: Slot, version: u32, into: &mut [u32]) {
        let process = self.process(object);
        let published = &process.steps[version as usize - 1];
        raise(into, self.clock(published));
        let own = &mut into[object as usize];
        *own = (*own).max(process.events_before(version as usize));
    }

    /// Where the process stands before its `index`-th step; nothing if it has not begun.
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

    /// Whether a process that stands there takes a message of this value.
    #[inline]
    pub(crate) fn wants<F: Frontend>(
        behaviours: &mut Behaviours<F>,
        cursor: &Cursor,
        value: ValueId,
    ) -> bool {
        let class = behaviours.values.class(value);
        if cursor.looks {
            let next = behaviours
                .node(cursor.node)
                .effects
                .get(cursor.done as usize);
            // Being killed just before or just after the flag is set is the same.
            return match next {
                Some(Effect::TrapExit(_)) => class == Class::Signal && !cursor.trapping,
                _ => class.strikes(cursor.trapping),
            };
        }
        match cursor.wait {
            Wait::Receive { constraint, .. } => match class {
                Class::Plain => {
                    let Behaviours {
                        frontend, values, ..
                    } = behaviours;
                    values.matches(frontend, value, constraint)
                }
                Class::Signal | Class::KillSignal | Class::HarmlessSignal => {
                    class.strikes(cursor.trapping)
                        || cursor.trapping && {
                            let Behaviours {
                                frontend, values, ..
                            } = behaviours;
                            values.matches(frontend, value, constraint)
                        }
                }
                Class::Request | Class::Answer => false,
            },
            Wait::Answer => class == Class::Answer,
            Wait::Serve => class == Class::Request,
            Wait::Read { .. } | Wait::Ended => false,
        }
    }

    /// The messages that wait in the inbox, oldest first.
    pub(crate) fn waiting(&self, slot: Slot) -> impl Iterator<Item = u32> + '_ {
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

    /// The message that a pick names, by its place in the inbox of `slot`.
    pub(crate) fn find_message(&self, slot: Slot, sender: Pid, seq: u32) -> Option<u32> {
        let sender = self.slot(sender)?;
        let &(target, index) = self.process(sender).sends.get(seq as usize)?;
        (target == slot).then_some(index)
    }

    /// The pick that consumes this message.
    pub(crate) fn pick_of(&self, message: &Message) -> Pick {
        Pick::Message {
            sender: self.process(message.sender).pid,
            seq: message.seq,
        }
    }

    /// For a process that looks at the life of a name's bearer: the name and the version of
    /// it that it has seen, which must not have changed by now.
    pub(crate) fn still_read<F: Frontend>(
        &self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        index: usize,
    ) -> Option<(Slot, u32)> {
        let before = self.process(slot).steps.get(index.checked_sub(1)?)?;
        if !behaviours.node(before.node).looks_at_bearer() {
            return None;
        }
        let Pick::Version(version) = before.pick else {
            unreachable!("a bearer is found by reading a name")
        };
        let Wait::Read { object } = self.cursor(behaviours, slot, index - 1)?.wait else {
            unreachable!("a bearer is found by reading a name")
        };
        Some((self.slot(object)?, version))
    }

    /// The node of an object in one of its versions.
    pub(crate) fn version_node(&self, object: Slot, version: u32) -> NodeId {
        let object = self.process(object);
        match version {
            0 => object.initial,
            version => object.steps[version as usize - 1].node,
        }
    }

    /// A process that has ended without anybody asking about its life.
    pub(crate) fn unnoticed_end(&self) -> Option<Pid> {
        (0..)
            .zip(self.processes())
            .find(|(slot, process)| {
                !process.is_object && process.life == NONE && self.has_ended(*slot)
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

    /// The process has ended and done all it had to do.
    pub(crate) fn has_ended(&self, slot: Slot) -> bool {
        self.process(slot)
            .steps
            .last()
            .is_some_and(|step| step.wait == Wait::Ended && !step.looks)
    }

    /// Does one step.
    pub(crate) fn apply<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        entry: Entry,
    ) -> Result<(), Fault> {
        let live_before = self.live;
        let slot = match self.slot(entry.pid) {
            Some(slot) => slot,
            // Before a quiet timeout even the ends that nobody asked about are known.
            None => self.ensure_object(behaviours, entry.pid),
        };
        let index = self.process(slot).steps.len();
        let cursor = self.cursor(behaviours, slot, index);
        let mut consumed = NONE;
        if let Pick::Message { sender, seq } = entry.pick {
            consumed = self
                .find_message(slot, sender, seq)
                .expect("the message is there");
        }

        // Where it leads. Nothing is changed before this can no longer fail.
        let (node, done) = match (entry.pick, cursor) {
            (Pick::Start, None) => (behaviours.start(self.process(slot).root)?, 0),
            (Pick::Start, Some(cursor)) => (cursor.node, 0),
            (Pick::GoOn, Some(cursor)) => (cursor.node, cursor.done),
            (Pick::Timeout | Pick::QuietTimeout, Some(cursor)) => {
                (behaviours.step(cursor.node, Edge::Timeout)?, 0)
            }
            (Pick::Message { .. }, Some(cursor)) => {
                let value = self.process(slot).inbox[consumed as usize].value;
                let edge = if behaviours.values.class(value).strikes(cursor.trapping) {
                    Edge::Struck {
                        value,
                        after: cursor.done,
                    }
                } else {
                    Edge::Value(value)
                };
                (behaviours.step(cursor.node, edge)?, 0)
            }
            (Pick::Version(version), Some(cursor)) => {
                let Wait::Read { object } = cursor.wait else {
                    unreachable!("only reads pick a version")
                };
                let object = self.slot(object).expect("made when the read was demanded");
                let value = behaviours.read(self.version_node(object, version));
                (behaviours.step(cursor.node, Edge::Value(value))?, 0)
            }
            (pick, _) => unreachable!("{pick:?} does not answer what is asked"),
        };

        let mut step = self.new_step(behaviours, slot, entry, node, done, consumed);
        step.slots_before = u32::try_from(live_before).expect("few processes");
        self.consume(behaviours, slot, index, cursor, &step);
        self.processes[slot as usize]
            .events
            .push(Event::Input(u32::try_from(index).expect("a short process")));
        self.processes[slot as usize].steps.push(step);
        let highest = self
            .path
            .last()
            .map_or(entry.stamp, |last| last.highest_stamp.max(entry.stamp));
        self.path.push(Placed {
            slot,
            index: u32::try_from(index).expect("a short process"),
            entry,
            highest_stamp: highest,
        });
        self.perform(behaviours, slot, entry.pick == Pick::GoOn);
        Ok(())
    }

    fn new_step<F: Frontend>(
        &mut self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        entry: Entry,
        node: NodeId,
        done: u32,
        consumed: u32,
    ) -> Step {
        let here = behaviours.node(node);
        let clock_at = self.clocks.len();
        let process = &self.processes[slot as usize];
        let before = process.steps.last();
        if let Some(last) = before {
            let at = last.clock_at as usize;
            self.clocks
                .extend_from_within(at..at + last.clock_len as usize);
        }
        self.clocks.resize(clock_at + self.live, 0);
        let trapping = match before {
            Some(last) if entry.pick == Pick::GoOn => last.trapping,
            _ => here.before.trapping,
        };
        let step = Step {
            pick: entry.pick,
            stamp: entry.stamp,
            fixed: entry.fixed,
            node,
            done,
            wait: here.wait,
            looks: false,
            trapping,
            event: u32::try_from(process.events.len()).expect("a short process"),
            consumed,
            publishes: here.publishes,
            clock_at: u32::try_from(clock_at).expect("a short execution"),
            clock_len: u32::try_from(self.live).expect("few processes"),
            sends_before: u32::try_from(process.sends.len()).expect("few sends"),
            slots_before: u32::try_from(self.live).expect("few processes"),
            was_enabled: process.enabled,
        };
        let mut clock = std::mem::take(&mut self.scratch);
        clock.clear();
        clock.extend_from_slice(&self.clocks[clock_at..]);
        self.join_source(slot, &step, &mut clock);
        clock[slot as usize] = step.event + 1;
        self.clocks[clock_at..].copy_from_slice(&clock);
        self.scratch = clock;
        step
    }

    /// Adds to `clock` what the step learns from its input.
    fn join_source(&self, slot: Slot, step: &Step, clock: &mut [u32]) {
        match step.pick {
            Pick::Start => {
                let (parent, parent_step, event) = self.process(slot).parent;
                if parent != NONE {
                    let parent_clock =
                        self.clock(&self.process(parent).steps[parent_step as usize]);
                    raise(clock, parent_clock);
                    let own = &mut clock[parent as usize];
                    *own = (*own).max(event + 1);
                }
            }
            Pick::Message { .. } => {
                self.send_clock(
                    &self.process(slot).inbox[step.consumed as usize],
                    clock,
                );
            }
            Pick::Version(version) => {
                if let Some(Wait::Read { object }) = self.process(slot).steps.last().map(|s| s.wait)
                    && version > 0
                {
                    let object = self.slot(object).expect("made when the read was demanded");
                    self.version_clock(object, version, clock);
                }
            }
            // It happens after everything, so that nothing before it is ever re-read.
            Pick::QuietTimeout => {
                for (slot, process) in self.processes().iter().enumerate() {
                    clock[slot] = u32::try_from(process.events.len()).expect("a short process");
                }
            }
            Pick::GoOn | Pick::Timeout => {}
        }
    }

    fn consume<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        slot: Slot,
        index: usize,
        cursor: Option<Cursor>,
        step: &Step,
    ) {
        let index = u32::try_from(index).expect("a short process");
        match step.pick {
            Pick::Message { .. } => {
                let process = &mut self.processes[slot as usize];
                process.unlink(step.consumed);
                process.inbox[step.consumed as usize].consumed_by = index;
            }
            Pick::Version(version) => {
                if let Some(Wait::Read { object }) = cursor.map(|cursor| cursor.wait) {
                    let object = self.slot(object).expect("made when the read was demanded");
                    let read = Read {
                        reader: slot,
                        step: index,
                        version,
                        still: false,
                    };
                    self.processes[object as usize].reads.push(read);
                    if let Some((name, version)) = self.still_read(behaviours, slot, index as usize)
                    {
                        self.processes[name as usize].reads.push(Read {
                            version,
                            still: true,
                            ..read
                        });
                    }
                }
            }
            _ => {}
        }
        if self.delivery == Delivery::Mailbox
            && !self.process(slot).is_object
            && let Some(cursor) = cursor
        {
            let mut at = self.process(slot).first_waiting;
            while at != NONE {
                let message = &mut self.processes[slot as usize].inbox[at as usize];
                if Self::wants(behaviours, &cursor, message.value) {
                    message.passed_over_by.push(index);
                }
                at = message.next;
            }
        }
    }

    /// The effects of the last step of `slot`: all of them or, in a process that may be
    /// struck, none at first and then one each time it goes on.
    fn perform<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, slot: Slot, one: bool) {
        let process = &self.processes[slot as usize];
        let step = process.steps.last().expect("just pushed");
        let node = behaviours.node(step.node);
        let ends = node.wait == Wait::Ended;
        let all = node.effects.len() + usize::from(ends);
        let looks = self.strikeable(process.pid) && !node.was_struck();
        let from = step.done as usize;
        let upto = match (looks, one) {
            (true, true) => from + 1,
            (true, false) => from,
            (false, _) => all,
        };
        let id = step.node;
        for at in from..upto {
            let effect = behaviours.node(id).effects.get(at).copied();
            match effect {
                Some(Effect::Spawn { pid, root, .. }) => {
                    let process = &mut self.processes[slot as usize];
                    let event = u32::try_from(process.events.len()).expect("a short process");
                    let step = u32::try_from(process.steps.len() - 1).expect("a short process");
                    let child = self.add(pid, root, (slot, step, event));
                    self.processes[slot as usize].events.push(Event::Spawn(child));
                }
                Some(Effect::Send { to, value }) => self.send(behaviours, slot, to, value),
                Some(Effect::TrapExit(on)) => {
                    let step = self.processes[slot as usize].steps.last_mut();
                    step.expect("just pushed").trapping = on;
                }
                None => self.end(behaviours, slot),
            }
        }
        let step = self.processes[slot as usize]
            .steps
            .last_mut()
            .expect("just pushed");
        step.done = u32::try_from(upto).expect("few effects");
        step.looks = looks && upto < all;
        if let Wait::Read { object } = step.wait
            && !step.looks
        {
            self.ensure_object(behaviours, object);
        }
        self.processes[slot as usize].enabled = self.is_enabled(behaviours, slot);
    }

    fn is_enabled<F: Frontend>(&self, behaviours: &mut Behaviours<F>, slot: Slot) -> bool {
        let steps = self.process(slot).steps.len();
        let Some(cursor) = self.cursor(behaviours, slot, steps) else {
            return true;
        };
        if cursor.looks {
            return true;
        }
        match cursor.wait {
            Wait::Read { .. } => true,
            Wait::Ended => false,
            Wait::Receive {
                timeout_ms: Some(timeout_ms),
                ..
            } if self.timeouts.any_time(timeout_ms) => true,
            _ => self.waiting(slot).any(|message| {
                let value = self.process(slot).inbox[message as usize].value;
                Self::wants(behaviours, &cursor, value)
            }),
        }
    }

    fn strikeable(&self, pid: Pid) -> bool {
        self.strikeable.get(pid.index()).copied().unwrap_or(false)
    }

    fn send<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        from: Slot,
        to: Pid,
        value: ValueId,
    ) {
        let target = match behaviours.pids.kind(to) {
            PidKind::Object(_) => self.ensure_object(behaviours, to),
            _ => match self.slot(to) {
                Some(slot) => slot,
                None => {
                    // A pid that nobody has: the message is lost, but counts.
                    let sender = &mut self.processes[from as usize];
                    let nth = u32::try_from(sender.sends.len()).expect("few sends");
                    sender.sends.push((NONE, NONE));
                    sender.events.push(Event::Send(nth));
                    return;
                }
            },
        };
        let class = behaviours.values.class(value);
        if matches!(class, Class::Signal | Class::KillSignal) && !self.strikeable(to) {
            self.unforeseen = Some(to);
        }
        let step = u32::try_from(self.process(from).steps.len()).expect("a short process") - 1;
        self.deliver(behaviours, from, step, target, value);
    }

    fn deliver<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        from: Slot,
        step: u32,
        target: Slot,
        value: ValueId,
    ) {
        let sender = &mut self.processes[from as usize];
        let origin = match behaviours.pids.kind(sender.pid) {
            PidKind::Object(ObjectKey::Life(process)) => process,
            _ => sender.pid,
        };
        let seq = u32::try_from(sender.sends.len()).expect("few sends");
        let event = u32::try_from(sender.events.len()).expect("a short process");
        sender.events.push(Event::Send(seq));
        let passed_over_by = self.passed_over_by(behaviours, from, step, target, value);
        let process = &mut self.processes[target as usize];
        let index = u32::try_from(process.inbox.len()).expect("few messages");
        process.inbox.push(Message {
            value,
            sender: from,
            origin,
            seq,
            event,
            step,
            consumed_by: NONE,
            passed_over_by,
            prev: process.last_waiting,
            next: NONE,
            woke: false,
        });
        match process.last_waiting {
            NONE => process.first_waiting = index,
            last => process.inbox[last as usize].next = index,
        }
        process.last_waiting = index;
        self.processes[from as usize].sends.push((target, index));
        if !self.process(target).enabled {
            let steps = self.process(target).steps.len();
            let wakes = self
                .cursor(behaviours, target, steps)
                .is_some_and(|cursor| Self::wants(behaviours, &cursor, value));
            let process = &mut self.processes[target as usize];
            process.enabled = wakes;
            process.inbox[index as usize].woke = wakes;
        }
    }

    /// Under `mailbox`: the receives of `target` that would have taken this message.
    fn passed_over_by<F: Frontend>(
        &self,
        behaviours: &mut Behaviours<F>,
        from: Slot,
        step: u32,
        target: Slot,
        value: ValueId,
    ) -> SmallVec<[u32; 2]> {
        let mut receives = SmallVec::new();
        if self.delivery != Delivery::Mailbox || self.process(target).is_object {
            return receives;
        }
        let past = self.clock(&self.process(from).steps[step as usize]);
        let known = past.get(target as usize).copied().unwrap_or(0);
        let steps = &self.process(target).steps;
        for (index, receive) in steps.iter().enumerate().rev() {
            if receive.event < known {
                break; // these happened before the send anyway
            }
            if let Some(cursor) = self.cursor(behaviours, target, index)
                && Self::wants(behaviours, &cursor, value)
            {
                receives.push(u32::try_from(index).expect("a short process"));
            }
        }
        receives.reverse();
        receives
    }

    /// The process has ended: its life hears of it, if anybody cares.
    fn end<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, slot: Slot) {
        let process = self.process(slot);
        let step = process.steps.last().expect("it just ended");
        let (node, index) = (step.node, process.steps.len() - 1);
        let local = &behaviours.node(node).after;
        let cared_for = !local.links.is_empty() || !local.watchers.is_empty();
        if process.life == NONE {
            if !cared_for {
                return;
            }
            let pid = process.pid;
            let life = behaviours.pids.object(ObjectKey::Life(pid));
            self.add_object(behaviours, life);
        }
        let life = self.process(slot).life;
        let value = behaviours.die(node);
        let index = u32::try_from(index).expect("a short process");
        self.deliver(behaviours, slot, index, life, value);
    }

    fn ensure_object<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, pid: Pid) -> Slot {
        if let Some(slot) = self.slot(pid) {
            return slot;
        }
        let slot = self.add_object(behaviours, pid);
        if let PidKind::Object(ObjectKey::Life(of)) = behaviours.pids.kind(pid)
            && let Some(of) = self.slot(of)
            && self.has_ended(of)
        {
            // Nobody cared when it ended; now somebody does.
            let steps = &self.process(of).steps;
            let index = u32::try_from(steps.len() - 1).expect("a short process");
            let value = behaviours.die(steps[index as usize].node);
            self.deliver(behaviours, of, index, slot, value);
        }
        slot
    }

    fn add_object<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, pid: Pid) -> Slot {
        let root = behaviours.object_root(pid);
        let initial = behaviours
            .start(root)
            .expect("objects are ours and do not fail");
        let slot = self.add(pid, root, (NONE, NONE, NONE));
        let process = &mut self.processes[slot as usize];
        process.is_object = true;
        process.initial = initial;
        process.enabled = false;
        if let PidKind::Object(ObjectKey::Life(of)) = behaviours.pids.kind(pid)
            && let Some(of) = self.slot(of)
        {
            self.processes[of as usize].life = slot;
        }
        slot
    }

    fn add(&mut self, pid: Pid, root: RootId, parent: (Slot, u32, u32)) -> Slot {
        let slot = u32::try_from(self.live).expect("few processes");
        if self.live == self.processes.len() {
            self.processes.push(Process::new(pid, root));
        }
        let process = &mut self.processes[self.live];
        process.reset(pid, root, parent);
        self.live += 1;
        if self.slots.len() <= pid.index() {
            self.slots.resize(pid.index() + 1, NONE);
        }
        self.slots[pid.index()] = slot;
        slot
    }

    /// Takes the last step back.
    pub(crate) fn undo<F: Frontend>(&mut self, behaviours: &Behaviours<F>) {
        let Placed { slot, .. } = self.path.pop().expect("there is a step to take back");
        let process = &mut self.processes[slot as usize];
        let step = process.steps.pop().expect("the path says so");
        while self.processes[slot as usize].sends.len() > step.sends_before as usize {
            let (target, _) = self.processes[slot as usize].sends.pop().expect("counted");
            if target != NONE {
                self.processes[target as usize].unsend();
            }
        }
        let process = &mut self.processes[slot as usize];
        process.events.truncate(step.event as usize);
        process.enabled = step.was_enabled;
        let index = u32::try_from(process.steps.len()).expect("a short process");
        if self.delivery == Delivery::Mailbox && !process.is_object {
            let mut at = process.first_waiting;
            while at != NONE {
                let message = &mut process.inbox[at as usize];
                if message.passed_over_by.last() == Some(&index) {
                    message.passed_over_by.pop();
                }
                at = message.next;
            }
        }
        match step.pick {
            Pick::Message { .. } => {
                process.relink(step.consumed);
                process.inbox[step.consumed as usize].consumed_by = NONE;
            }
            Pick::Version(_) => {
                let wait = self
                    .cursor(behaviours, slot, index as usize)
                    .map(|cursor| cursor.wait);
                if let Some(Wait::Read { object }) = wait {
                    let object = self.slot(object).expect("it was there for the read");
                    self.processes[object as usize].reads.pop();
                    if let Some((name, _)) = self.still_read(behaviours, slot, index as usize) {
                        self.processes[name as usize].reads.pop();
                    }
                }
            }
            _ => {}
        }
        while self.live > step.slots_before as usize {
            self.remove_last(behaviours);
        }
        self.clocks.truncate(step.clock_at as usize);
        self.unforeseen = None;
    }

    fn remove_last<F: Frontend>(&mut self, behaviours: &Behaviours<F>) {
        self.live -= 1;
        let last = &mut self.processes[self.live];
        let pid = last.pid;
        // What is left in its inbox was put there when it was added: the end of a process.
        if let Some(message) = last.inbox.pop() {
            let sender = &mut self.processes[message.sender as usize];
            sender.sends.pop();
            sender.events.pop();
        }
        self.slots[pid.index()] = NONE;
        if let PidKind::Object(ObjectKey::Life(of)) = behaviours.pids.kind(pid)
            && let Some(of) = self.slot(of)
        {
            self.processes[of as usize].life = NONE;
        }
    }
}

/// Makes `into` know all that `clock` knows.
#[inline]
pub(crate) fn raise(into: &mut [u32], clock: &[u32]) {
    for (known, &other) in into.iter_mut().zip(clock) {
        *known = (*known).max(other);
    }
}

impl Process {
    fn new(pid: Pid, root: RootId) -> Self {
        Process {
            pid,
            root,
            is_object: false,
            initial: NodeId(NONE),
            steps: Vec::new(),
            inbox: Vec::new(),
            sends: Vec::new(),
            events: Vec::new(),
            reads: Vec::new(),
            first_waiting: NONE,
            last_waiting: NONE,
            parent: (NONE, NONE, NONE),
            life: NONE,
            enabled: true,
        }
    }

    /// How many events there are before the `index`-th step.
    pub(crate) fn events_before(&self, index: usize) -> u32 {
        self.steps.get(index).map_or_else(
            || u32::try_from(self.events.len()).expect("a short process"),
            |step| step.event,
        )
    }

    /// Makes room for a new process in the place of one that is gone.
    fn reset(&mut self, pid: Pid, root: RootId, parent: (Slot, u32, u32)) {
        self.pid = pid;
        self.root = root;
        self.is_object = false;
        self.steps.clear();
        self.inbox.clear();
        self.sends.clear();
        self.events.clear();
        self.reads.clear();
        self.first_waiting = NONE;
        self.last_waiting = NONE;
        self.parent = parent;
        self.life = NONE;
        self.enabled = true;
    }

    /// Takes a message out of the waiting list; it keeps its neighbours for `relink`.
    fn unlink(&mut self, index: u32) {
        let Message { prev, next, .. } = self.inbox[index as usize];
        match prev {
            NONE => self.first_waiting = next,
            prev => self.inbox[prev as usize].next = next,
        }
        match next {
            NONE => self.last_waiting = prev,
            next => self.inbox[next as usize].prev = prev,
        }
    }

    fn relink(&mut self, index: u32) {
        let Message { prev, next, .. } = self.inbox[index as usize];
        match prev {
            NONE => self.first_waiting = index,
            prev => self.inbox[prev as usize].next = index,
        }
        match next {
            NONE => self.last_waiting = index,
            next => self.inbox[next as usize].prev = index,
        }
    }

    /// Takes back the newest message.
    fn unsend(&mut self) {
        let index = u32::try_from(self.inbox.len() - 1).expect("few messages");
        debug_assert_eq!(self.last_waiting, index, "the newest message still waits");
        self.unlink(index);
        let message = self.inbox.pop().expect("counted");
        if message.woke {
            self.enabled = false;
        }
    }
}
