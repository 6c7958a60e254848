//! Adding a step to a graph, with its effects.

use super::process::{Event, Message, Process, Read};
use super::step::{Cursor, Entry, Pick, Placed, Step};
use super::{Graph, NONE, Slot};
use crate::behaviour::{Behaviours, Edge, Effect, Wait};
use crate::frontend::{Fault, Frontend};
use crate::ids::{NodeId, ObjectKey, Pid, PidKind, RootId, ValueId};
use crate::message::Class;

impl Graph {
    /// Adds one step.
    pub(crate) fn apply<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        entry: Entry,
    ) -> Result<(), Fault> {
        let live_before = self.live;
        let slot = match self.slot(entry.pid) {
            Some(slot) => slot,
            // All ends are published before a quiet timeout, also those that no process reads.
            None if behaviours.pids.is_object(entry.pid) => {
                self.ensure_object(behaviours, entry.pid)
            }
            None => return Err(diverged(behaviours, entry.pid)),
        };
        let index = self.process(slot).steps.len();
        let cursor = self.cursor(behaviours, slot, index);
        // User code fails before anything is changed.
        let (node, done, consumed) = self.leads_to(behaviours, slot, entry.pick, cursor)?;
        let mut step = self.new_step(behaviours, slot, entry, node, done, consumed);
        step.slots_before = u32::try_from(live_before).expect("few processes");
        let is_alike = self.is_alike(slot, cursor);
        step.alike_from = match self.process(slot).steps.last() {
            Some(before) if is_alike => before.alike_from,
            _ => u32::try_from(index).expect("a short process"),
        };
        self.consume(behaviours, slot, index, cursor, &step, is_alike);
        if entry.pick != Pick::GoOn {
            self.processes[slot as usize]
                .events
                .push(Event::Input(u32::try_from(index).expect("a short process")));
        }
        self.with_timeout += usize::from(step.timeout_ms().is_some());
        self.processes[slot as usize].steps.push(step);
        let highest = self.path.last().map_or(0, |last| last.highest_stamp);
        self.path.push(Placed {
            slot,
            index: u32::try_from(index).expect("a short process"),
            entry,
            highest_stamp: highest,
        });
        if entry.pick == Pick::QuietTimeout {
            self.tick(slot);
        }
        self.perform(behaviours, slot, entry.upto);
        let step = &self.processes[slot as usize].steps[index];
        let placed = self.path.last_mut().expect("just pushed");
        placed.entry.upto = step.done;
        placed.entry.effects_stamp = step.effects_stamp;
        placed.highest_stamp = highest.max(step.highest_stamp());
        behaviours.check()
    }

    /// The node that a pick leads to, how many of its effects are done, and the message
    /// consumed. An error if the pick is not possible any more: the program did something else on
    /// the same inputs.
    #[inline(always)]
    pub(crate) fn leads_to<F: Frontend>(
        &self,
        behaviours: &mut Behaviours<F>,
        slot: Slot,
        pick: Pick,
        cursor: Option<Cursor>,
    ) -> Result<(NodeId, u32, u32), Fault> {
        let process = self.process(slot);
        match (pick, cursor) {
            (Pick::Start, None) => Ok((behaviours.start(process.root)?, 0, NONE)),
            (Pick::Start, Some(cursor)) if process.is_object => Ok((cursor.node, 0, NONE)),
            (Pick::GoOn, Some(cursor)) if cursor.looks => Ok((cursor.node, cursor.done, NONE)),
            (Pick::Timeout | Pick::QuietTimeout, Some(cursor))
                if matches!(cursor.wait, Wait::Receive { .. }) && !cursor.looks =>
            {
                Ok((behaviours.step(cursor.node, Edge::Timeout)?, 0, NONE))
            }
            (Pick::Choice(chosen), Some(cursor))
                if matches!(cursor.wait, Wait::Choose { of } if chosen < of) && !cursor.looks =>
            {
                Ok((behaviours.step(cursor.node, Edge::Choice(chosen))?, 0, NONE))
            }
            (Pick::Message { sender, seq }, Some(cursor)) => {
                let found = self.find_message(slot, sender, seq);
                let consumed = found.ok_or_else(|| diverged(behaviours, sender))?;
                let value = process.inbox[consumed as usize].value;
                if !Self::wants(behaviours, &cursor, value) {
                    behaviours.check()?;
                    return Err(diverged(behaviours, process.pid));
                }
                let edge = match behaviours.values.class(value).kills(cursor.trapping) {
                    true => Edge::Killed {
                        value,
                        after: cursor.done,
                    },
                    false => Edge::Value(value),
                };
                Ok((behaviours.step(cursor.node, edge)?, 0, consumed))
            }
            (
                Pick::Version(version),
                Some(Cursor {
                    node,
                    wait: Wait::Read { object },
                    ..
                }),
            ) => {
                let object = self.slot(object).expect("made when the read was demanded");
                if version as usize > self.process(object).steps.len() {
                    return Err(diverged(behaviours, process.pid));
                }
                let value = behaviours.read(node, self.version_node(object, version));
                Ok((behaviours.step(node, Edge::Value(value))?, 0, NONE))
            }
            _ => Err(diverged(behaviours, process.pid)),
        }
    }

    #[inline(always)]
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
        let process = &self.processes[slot as usize];
        let before = process.steps.last();
        let clock = (self.clocks).push(before.map(|last| last.clock), self.live);
        let trapping = match before {
            Some(last) if entry.pick == Pick::GoOn => last.trapping,
            _ => here.before.trapping,
        };
        let mut step = Step {
            pick: entry.pick,
            stamp: entry.stamp,
            fixed: entry.fixed,
            node,
            done,
            first: done,
            own_stamps_from: 0,
            effects_stamp: match (entry.upto, entry.pick) {
                (Entry::ALL, Pick::GoOn) => entry.stamp,
                (Entry::ALL, _) => self.next_stamp().max(entry.stamp + 1),
                _ => entry.effects_stamp,
            },
            wait: here.wait,
            looks: false,
            trapping,
            event: u32::try_from(process.events.len()).expect("a short process"),
            consumed,
            publishes: here.publishes && entry.pick != Pick::GoOn,
            time_ms: 0,
            daemon: here.after.daemon,
            run: 0,
            clock,
            alike_from: 0,
            sends_before: u32::try_from(process.sends.len()).expect("few sends"),
            slots_before: u32::try_from(self.live).expect("few processes"),
            was_enabled: self.enabled.has(slot),
        };
        step.time_ms = self.time_ms(slot, &step);
        step.run = self.run(slot, &step, here.before.daemon);
        self.join_source(slot, &step);
        let input = u32::from(entry.pick != Pick::GoOn);
        self.clocks.raise_entry(&clock, slot, step.event + input);
        step.own_stamps_from = match entry.pick {
            Pick::GoOn => done,
            // A process that a signal has ended makes no more checks.
            _ if self.is_atomic(slot) || here.was_killed() => Entry::ALL,
            // Receiving a message and acknowledging it to its sender is atomic.
            _ => done + u32::from(here.acknowledges),
        };
        step
    }

    /// Joins the causal past of a step's input into the clock of the step.
    #[inline(always)]
    fn join_source(&mut self, slot: Slot, step: &Step) {
        let clock = &step.clock;
        match step.pick {
            Pick::Start => {
                let (parent, parent_step, event) = self.process(slot).parent;
                if parent != NONE {
                    let parent_step = &self.processes[parent as usize].steps[parent_step as usize];
                    self.clocks.join(clock, &parent_step.clock);
                    self.clocks.raise_entry(clock, parent, event + 1);
                }
            }
            Pick::Message { .. } => {
                let message = &self.processes[slot as usize].inbox[step.consumed as usize];
                let sender = &self.processes[message.sender as usize];
                if message.step != NONE {
                    let sent = &sender.steps[message.step as usize];
                    self.clocks.join(clock, &sent.clock);
                }
                self.clocks
                    .raise_entry(clock, message.sender, message.event + 1);
            }
            Pick::Version(version) => {
                if let Some(Wait::Read { object }) = self.process(slot).steps.last().map(|s| s.wait)
                    && version > 0
                {
                    let object = self.slot(object).expect("made when the read was demanded");
                    let steps = &self.processes[object as usize].steps;
                    self.clocks.join(clock, &steps[version as usize - 1].clock);
                }
            }
            // It happens after everything that could be done before it, so that no later
            // message races with an earlier receive.
            Pick::QuietTimeout => self.join_all_before(step),
            Pick::GoOn | Pick::Timeout | Pick::Choice(_) => {}
        }
    }

    #[inline(always)]
    fn consume<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        slot: Slot,
        index: usize,
        cursor: Option<Cursor>,
        step: &Step,
        is_alike: bool,
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
                    for (before, version) in self.still_read(behaviours, slot, index as usize) {
                        self.processes[before as usize].reads.push(Read {
                            version,
                            still: true,
                            ..read
                        });
                    }
                }
            }
            _ => {}
        }
        let process = &mut self.processes[slot as usize];
        process.may_pass_over |= process.has_unread();
        process.is_selective |= !is_alike;
    }

    /// Performs the effects of the last step of `slot`: those before `limit` or, without a limit,
    /// all up to the first signal check at which a signal waits. If its process is interruptible,
    /// only up to the first signal check.
    fn perform<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, slot: Slot, limit: u32) {
        let process = &self.processes[slot as usize];
        let step = process.steps.last().expect("just pushed");
        let node = behaviours.node(step.node);
        let ends = matches!(node.wait, Wait::Ended(_));
        let all = u32::try_from(node.effects.len() + usize::from(ends)).expect("few effects");
        let (id, first, checks_from) = (step.node, step.first, step.own_stamps_from);
        let past_check = step.pick == Pick::GoOn;
        let interruptible = self.is_interruptible(process.pid);
        let mut at = first;
        while at < all.min(limit) {
            let is_check = at >= checks_from && !(past_check && at == first);
            // Most checks need no look: no signal was sent, and no process is at a check.
            let is_plain = !interruptible
                && self.processes[slot as usize].signals == 0
                && self.looking.is_empty();
            if is_check && limit == Entry::ALL && !is_plain {
                let step = self.processes[slot as usize].steps.last_mut();
                step.expect("just pushed").done = at;
                self.looking.set(slot, true);
                if interruptible || !self.passes_check(behaviours, slot) {
                    break;
                }
            }
            let effect = behaviours.node(id).effects.get(at as usize).copied();
            self.effect(behaviours, slot, effect, at);
            at += 1;
        }
        let step = self.processes[slot as usize]
            .steps
            .last_mut()
            .expect("just pushed");
        step.done = at;
        step.looks = at < all;
        let (looks, wait) = (step.looks, step.wait);
        self.looking.set(slot, looks);
        if let Wait::Read { object } = wait
            && !looks
        {
            self.ask(behaviours, object);
        }
        let enabled = self.can_move(behaviours, slot);
        self.enabled.set(slot, enabled);
        self.touch(slot);
    }

    /// Performs one effect of the last step of `slot`; the last effect of a process is its end.
    #[inline]
    fn effect<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        slot: Slot,
        effect: Option<Effect>,
        at: u32,
    ) {
        match effect {
            Some(Effect::Spawn { pid, root, .. }) => {
                let process = &mut self.processes[slot as usize];
                let event = u32::try_from(process.events.len()).expect("a short process");
                let step = u32::try_from(process.steps.len() - 1).expect("a short process");
                let child = self.add_process(behaviours, pid, root, (slot, step, event));
                self.processes[slot as usize]
                    .events
                    .push(Event::Spawn(child));
            }
            Some(Effect::Send { to, value }) => self.send(behaviours, slot, to, value, at),
            Some(Effect::TrapExit(on)) => {
                let process = &mut self.processes[slot as usize];
                process.events.push(Event::Own);
                process.steps.last_mut().expect("just pushed").trapping = on;
            }
            None => self.end(behaviours, slot, at),
        }
    }

    /// Whether a process that makes a step goes on at a check: no signal waits, and no other process
    /// at a silent check runs first.
    fn passes_check<F: Frontend>(&self, behaviours: &mut Behaviours<F>, slot: Slot) -> bool {
        match self.silent_checks_first {
            true => self.at_silent_check(behaviours) == Some(slot),
            false => !self.may_be_struck(behaviours, slot),
        }
    }

    /// Whether a signal waits that may strike the process before its next effect.
    fn may_be_struck<F: Frontend>(&self, behaviours: &mut Behaviours<F>, slot: Slot) -> bool {
        let process = self.process(slot);
        if process.signals == 0 {
            return false;
        }
        let step = process.steps.last().expect("it performs its effects");
        let cursor = Cursor {
            node: step.node,
            done: step.done,
            wait: step.wait,
            looks: true,
            trapping: step.trapping,
        };
        let mut waiting = self
            .waiting(slot)
            .map(|at| process.inbox[at as usize].value);
        waiting.any(|value| Self::wants(behaviours, &cursor, value))
    }

    /// The first process, in the order of pids, that is at a signal check although no signal waits.
    /// It runs next.
    #[inline]
    pub(crate) fn at_silent_check<F: Frontend>(
        &self,
        behaviours: &mut Behaviours<F>,
    ) -> Option<Slot> {
        if self.looking.is_empty() {
            return None;
        }
        let mut first: Option<Slot> = None;
        for slot in self.looking.iter() {
            let pid = |slot: Slot| self.process(slot).pid;
            if !self.may_be_struck(behaviours, slot)
                && first.is_none_or(|first| behaviours.pids.cmp(pid(slot), pid(first)).is_lt())
            {
                first = Some(slot);
            }
        }
        first
    }

    /// Whether a step of this process or object is never interrupted.
    fn is_atomic(&self, slot: Slot) -> bool {
        self.process(slot).is_object && !self.action_by_action
    }

    fn can_move<F: Frontend>(&self, behaviours: &mut Behaviours<F>, slot: Slot) -> bool {
        let steps = self.process(slot).steps.len();
        let Some(cursor) = self.cursor(behaviours, slot, steps) else {
            return true;
        };
        if cursor.looks {
            return true;
        }
        match cursor.wait {
            Wait::Read { .. } | Wait::Choose { .. } => true,
            Wait::Ended(_) => false,
            Wait::Receive {
                timeout_ms: Some(_),
                ..
            } if self.times_out(slot, steps) => true,
            _ => {
                let lanes = 0..self.process(slot).lanes.len();
                let mut wanted =
                    lanes.map(|lane| self.first_wanted(behaviours, slot, lane, &cursor));
                wanted.any(|first| first.is_some())
            }
        }
    }

    fn is_interruptible(&self, pid: Pid) -> bool {
        self.action_by_action
            || self
                .interruptible
                .get(pid.index())
                .copied()
                .unwrap_or(false)
    }

    fn send<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        from: Slot,
        to: Pid,
        value: ValueId,
        effect: u32,
    ) {
        let target = match behaviours.pids.kind(to) {
            PidKind::Object(_) => self.ask(behaviours, to),
            _ => match self.slot(to) {
                Some(slot) => slot,
                None => {
                    // No process has this pid: the message is lost, but counted.
                    let sender = &mut self.processes[from as usize];
                    let nth = u32::try_from(sender.sends.len()).expect("few sends");
                    sender.sends.push((NONE, NONE));
                    sender.events.push(Event::Send(nth));
                    return;
                }
            },
        };
        let class = behaviours.values.class(value);
        if matches!(class, Class::Signal | Class::KillSignal) && !self.is_interruptible(to) {
            self.missed_signal = Some(to);
        }
        let step = u32::try_from(self.process(from).steps.len()).expect("a short process") - 1;
        self.deliver(behaviours, (from, step, effect), target, value);
    }

    fn deliver<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        (from, step, effect): (Slot, u32, u32),
        target: Slot,
        value: ValueId,
    ) {
        let sent_by = &self.process(from).steps[step as usize];
        let stamp = sent_by.stamp_of(effect);
        let atomic = (stamp == sent_by.stamp).then_some(sent_by.event);
        let class = behaviours.values.class(value);
        let sender = &mut self.processes[from as usize];
        let origin = sender.origin;
        let seq = u32::try_from(sender.sends.len()).expect("few sends");
        let event = u32::try_from(sender.events.len()).expect("a short process");
        sender.events.push(Event::Send(seq));
        let past = self.clock(&self.process(from).steps[step as usize]);
        let known = past.known(target);
        let process = &mut self.processes[target as usize];
        let last = process.steps.last();
        process.may_pass_over |= last.is_some_and(|last| last.event >= known);
        let index = process.post(Message {
            value,
            sender: from,
            origin,
            seq,
            event,
            step,
            stamp,
            events_before: atomic.unwrap_or(event),
            is_signal: matches!(class, Class::Signal | Class::KillSignal),
            consumed_by: NONE,
            prev: NONE,
            next: NONE,
            lane: NONE,
            lane_prev: NONE,
            lane_next: NONE,
            woke: false,
        });
        self.processes[from as usize].sends.push((target, index));
        self.touch(target);
        if !self.enabled.has(target) {
            let steps = self.process(target).steps.len();
            let wakes = self
                .cursor(behaviours, target, steps)
                .is_some_and(|cursor| Self::wants(behaviours, &cursor, value));
            self.enabled.set(target, wakes);
            self.processes[target as usize].inbox[index as usize].woke = wakes;
        }
    }

    /// Whether the demand of a process that is about to make a step accepts the same messages as
    /// its previous demand.
    pub(super) fn is_alike(&self, slot: Slot, cursor: Option<Cursor>) -> bool {
        let before = self.process(slot).steps.len().checked_sub(2);
        let before = before.map(|before| &self.process(slot).steps[before]);
        let (Some(before), Some(cursor)) = (before, cursor) else {
            // There is no previous demand.
            return true;
        };
        let before = Cursor {
            node: before.node,
            done: before.done,
            wait: before.wait,
            looks: before.looks,
            trapping: before.trapping,
        };
        before.constraint().is_some() && before.constraint() == cursor.constraint()
    }

    /// Sends the end of a process to its liveness object, if that exists or the process has links or
    /// monitors.
    fn end<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, slot: Slot, effect: u32) {
        let process = &mut self.processes[slot as usize];
        process.events.push(Event::Own);
        let step = process.steps.last().expect("it just ended");
        let (node, index) = (step.node, process.steps.len() - 1);
        let local = &behaviours.node(node).after;
        let cared_for = !local.links.made.is_empty() || !local.watchers.is_empty();
        if process.liveness == NONE {
            if !cared_for {
                return;
            }
            let pid = process.pid;
            let liveness = behaviours.pids.liveness(pid);
            self.add_object(behaviours, liveness);
        }
        let liveness = self.process(slot).liveness;
        let value = behaviours.die(node);
        let index = u32::try_from(index).expect("a short process");
        self.deliver(behaviours, (slot, index, effect), liveness, value);
    }

    /// The slot of an object that a process uses.
    fn ask<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, pid: Pid) -> Slot {
        if self.slot(pid).is_none()
            && let PidKind::Object(ObjectKey::Life(of)) = behaviours.pids.kind(pid)
            && !self.has_liveness_at_start(of)
        {
            self.missed_liveness = Some(of);
        }
        self.ensure_object(behaviours, pid)
    }

    /// Whether the liveness object of a process exists from the start.
    pub(crate) fn has_liveness_at_start(&self, pid: Pid) -> bool {
        self.liveness_at_start
            .get(pid.index())
            .copied()
            .unwrap_or(false)
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
            // When the process ended, it had no liveness object that could record the end.
            let steps = &self.process(of).steps;
            let index = u32::try_from(steps.len() - 1).expect("a short process");
            let last = &steps[index as usize];
            let (node, end) = (last.node, last.done - 1);
            let value = behaviours.die(node);
            self.deliver(behaviours, (of, index, end), slot, value);
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
        self.enabled.set(slot, false);
        if let PidKind::Object(ObjectKey::Life(of)) = behaviours.pids.kind(pid)
            && let Some(of) = self.slot(of)
        {
            self.processes[of as usize].liveness = slot;
            self.processes[slot as usize].origin = self.process(of).pid;
        }
        slot
    }

    pub(super) fn add_process<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        pid: Pid,
        root: RootId,
        parent: (Slot, u32, u32),
    ) -> Slot {
        let slot = self.add(pid, root, parent);
        if self.has_liveness_at_start(pid) {
            let liveness = behaviours.pids.liveness(pid);
            self.add_object(behaviours, liveness);
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
        self.enabled.set(slot, true);
        self.touch(slot);
        slot
    }
}

/// The error for a step that was possible before and is not possible now.
#[cold]
fn diverged<F: Frontend>(behaviours: &Behaviours<F>, pid: Pid) -> Fault {
    let name = crate::show::pid(&behaviours.pids, pid);
    Fault::Nondeterminism {
        what: format!(
            "process {name} did something else when it was run again on the same inputs; \
             run with every step checked (--distrust) to see what"
        ),
    }
}
