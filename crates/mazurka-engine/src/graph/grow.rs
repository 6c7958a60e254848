//! Adding a step to a graph, with its effects.

use super::process::{Event, Message, Process, Read};
use super::step::{Cursor, Entry, Pick, Placed, Step};
use super::{ClockAt, Graph, NONE, Slot};
use crate::answer::Answer;
use crate::behaviour::{Behaviours, Edge, Effect, Wait};
use crate::frontend::{Fault, Frontend};
use crate::ids::{NodeId, ObjectKey, PidId, PidKind, RootId, ValueId};
use crate::liveness::LivenessOperation;
use crate::message::{Class, Content};

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
        behaviours.settle(node);
        let alike_from =
            { cursor.as_ref() }.map_or(index, |at| self.alike_from(behaviours, slot, index, at));
        let since = (short(alike_from), live_before);
        let step = self.new_step(behaviours, slot, entry, (node, done, consumed), since);
        self.with_timeout += usize::from(step.timeout_ms().is_some());
        let publishes = step.publishes;
        self.processes[slot as usize].steps.push(step);
        self.consume(behaviours, slot, index, cursor, (entry.pick, consumed));
        if entry.pick == Pick::QuietTimeout {
            self.tick(slot);
        }
        let wait = cursor.map(|cursor| cursor.wait);
        self.disturbances += u32::from(wait.is_some_and(|wait| wait.is_disturbed_by(entry.pick)));
        self.perform(behaviours, slot, entry.upto);
        self.wake_after(behaviours, slot, publishes);
        if !self.links_asked.is_empty() {
            self.check_links_asked(behaviours, slot, index);
        }
        let step = &self.processes[slot as usize].steps[index];
        let highest = self.path.last().map_or(0, |last| last.highest_stamp);
        self.path.push(Placed {
            slot,
            index: short(index),
            entry: Entry {
                upto: step.done,
                effects_stamp: step.effects_stamp,
                ..entry
            },
            highest_stamp: highest.max(step.highest_stamp()),
        });
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
                if matches!(cursor.wait, Wait::Choose { of, .. } if chosen < of)
                    && !cursor.looks =>
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
                let read = self.version_node(object, version);
                let value = match behaviours.node(node).liveness_operation() {
                    _ if process.awaits != NONE => behaviours.read_end(read),
                    Some(LivenessOperation::Links) => {
                        let links = self.links_of(behaviours, slot)?;
                        behaviours
                            .values
                            .intern(Content::Answer(Answer::Pids(links)))
                    }
                    _ => behaviours.read(node, read),
                };
                Ok((behaviours.step(node, Edge::Value(value))?, 0, NONE))
            }
            _ => Err(diverged(behaviours, process.pid)),
        }
    }

    /// The step that an entry describes, with its clock. `alike_from` is a field of it, `live_before`
    /// the number of processes before it.
    #[inline(always)]
    fn new_step<F: Frontend>(
        &mut self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        entry: Entry,
        (node, done, consumed): (NodeId, u32, u32),
        (alike_from, live_before): (u32, usize),
    ) -> Step {
        let here = behaviours.node(node);
        let process = &self.processes[slot as usize];
        let before = process.steps.last();
        let trapping = match before {
            Some(last) if entry.pick == Pick::GoOn => last.trapping,
            _ => here.before.trapping,
        };
        let event = short(process.events.len());
        let sends_before = u32::try_from(process.sends.len()).expect("few sends");
        let own_stamps_from = match entry.pick {
            Pick::GoOn => done,
            // A process that a signal has ended makes no more checks.
            _ if self.is_atomic(slot) || here.was_killed() => Entry::ALL,
            // Receiving a message and acknowledging it to its sender is atomic, and so are reading liveness
            // and starting a courier.
            _ => done + here.part_of_input(),
        };
        let source = (entry.pick, consumed);
        let time_ms = self.time_ms(slot, source);
        let run = match here.after.mode.is_daemon() {
            true => self.run(slot, source, here.before.mode.is_daemon()),
            false => 0,
        };
        let clock = (self.clocks).push(before.map(|last| last.clock), self.live);
        self.join_source(slot, source, time_ms, &clock);
        let input = u32::from(entry.pick != Pick::GoOn);
        self.clocks.raise_entry(&clock, slot, event + input);
        Step {
            pick: entry.pick,
            stamp: entry.stamp,
            fixed: entry.fixed,
            node,
            done,
            first: done,
            own_stamps_from,
            effects_stamp: match (entry.upto, entry.pick) {
                (Entry::ALL, Pick::GoOn) => entry.stamp,
                (Entry::ALL, _) => self.next_stamp().max(entry.stamp + 1),
                _ => entry.effects_stamp,
            },
            wait: here.wait,
            looks: false,
            trapping,
            event,
            consumed,
            publishes: here.publishes && entry.pick != Pick::GoOn,
            time_ms,
            mode: here.after.mode,
            patient: here.after.patient,
            run,
            clock,
            alike_from,
            sends_before,
            slots_before: u32::try_from(live_before).expect("few processes"),
            was_enabled: self.enabled.has(slot),
        }
    }

    /// Joins the causal past of the input of a step that is about to be added into its clock.
    #[inline(always)]
    fn join_source(
        &mut self,
        slot: Slot,
        (pick, consumed): (Pick, u32),
        time_ms: u64,
        clock: &ClockAt,
    ) {
        match pick {
            Pick::Start => {
                let (parent, parent_step, event) = self.process(slot).parent;
                if parent != NONE {
                    let parent_step = &self.processes[parent as usize].steps[parent_step as usize];
                    self.clocks.join(clock, &parent_step.clock);
                    self.clocks.raise_entry(clock, parent, event + 1);
                }
            }
            Pick::Message { .. } => {
                let message = &self.processes[slot as usize].inbox[consumed as usize];
                let sender = &self.processes[message.sender as usize];
                if message.step != NONE {
                    let sent = &sender.steps[message.step as usize];
                    self.clocks.join(clock, &sent.clock);
                }
                self.clocks
                    .raise_entry(clock, message.sender, message.event + 1);
            }
            Pick::Version(version) => {
                let process = self.process(slot);
                if process.awaits != NONE {
                    let before = self.before_courier(slot).expect("it can make its step");
                    for (slot, step, events) in before {
                        let step = &self.processes[slot as usize].steps[step as usize];
                        self.clocks.join(clock, &step.clock);
                        self.clocks.raise_entry(clock, slot, events);
                    }
                } else if let Some(Wait::Read { object }) = process.steps.last().map(|s| s.wait)
                    && version > 0
                {
                    let object = self.slot(object).expect("made when the read was demanded");
                    let read = &self.processes[object as usize];
                    let step = &read.steps[version as usize - 1];
                    self.clocks.join(clock, &step.clock);
                    if read.awaits != NONE {
                        // The message of a courier arrives when it is published.
                        let events = u32::try_from(read.events.len()).expect("a short process");
                        self.clocks.raise_entry(clock, object, events);
                    }
                }
            }
            // It happens after everything that could be done before it, so that no later
            // message races with an earlier receive.
            Pick::QuietTimeout => self.join_all_before(time_ms, clock),
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
        (pick, consumed): (Pick, u32),
    ) {
        let index = short(index);
        match pick {
            Pick::Message { .. } => {
                let process = &mut self.processes[slot as usize];
                process.unlink(consumed);
                process.inbox[consumed as usize].consumed_by = index;
            }
            Pick::Version(version) => {
                // What a courier reads does not change any more.
                if let Some(Wait::Read { object }) = cursor.map(|cursor| cursor.wait)
                    && self.process(slot).awaits == NONE
                {
                    let object = self.slot(object).expect("made when the read was demanded");
                    let read = Read {
                        reader: slot,
                        step: index,
                        version,
                        still: false,
                    };
                    self.processes[object as usize].reads.push(read);
                    if self.asks_for_links(behaviours, slot, index as usize) {
                        self.links_asked.push((slot, index));
                    }
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
        if pick != Pick::GoOn {
            process.events.push(Event::Input(index));
        }
    }

    /// Performs the effects of the last step of `slot`: those before `limit` or, without a limit,
    /// all up to the first signal check at which a signal waits. If its process is interruptible,
    /// only up to the first signal check.
    #[inline(always)]
    fn perform<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, slot: Slot, limit: u32) {
        let process = &self.processes[slot as usize];
        let step = process.steps.last().expect("just pushed");
        let ends = matches!(step.wait, Wait::Ended(_));
        let effects = behaviours.node(step.node).effects.len();
        let all = u32::try_from(effects + usize::from(ends)).expect("few effects");
        let wait = step.wait;
        let looks = match step.first < all {
            true => self.effects(behaviours, slot, all, limit),
            // It was not at a check either: after a check a process performs an effect, or ends.
            false => false,
        };
        if let Wait::Read { object } = wait
            && !looks
        {
            self.ask(behaviours, object);
        }
        let enabled = self.can_move(behaviours, slot);
        self.enabled.set(slot, enabled);
        self.touch(slot);
    }

    /// Performs these effects of the last step of `slot`, up to the first check that ends the step.
    /// Returns whether the step ends before the last of `all`.
    fn effects<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        slot: Slot,
        all: u32,
        limit: u32,
    ) -> bool {
        let process = &self.processes[slot as usize];
        let step = process.steps.last().expect("just pushed");
        let (id, first, checks_from) = (step.node, step.first, step.own_stamps_from);
        let past_check = step.pick == Pick::GoOn;
        let interruptible = self.is_interruptible(process.pid);
        let mut at = first;
        while at < all.min(limit) {
            let is_check = at >= checks_from && !(past_check && at == first);
            if is_check
                && limit == Entry::ALL
                && (interruptible || !self.passes_check(behaviours, slot, at))
            {
                break;
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
        let looks = step.looks;
        if looks || !self.looking.is_empty() {
            self.looking.set(slot, looks);
        }
        looks
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
                let event = short(process.events.len());
                let step = short(process.steps.len() - 1);
                let child = self.add_process(behaviours, pid, root, (slot, step, event));
                self.processes[slot as usize]
                    .events
                    .push(Event::Spawn(child));
            }
            Some(Effect::Send { to, value }) => self.send(behaviours, slot, to, value, at),
            Some(Effect::Courier(courier)) => {
                let process = &mut self.processes[slot as usize];
                let event = u32::try_from(process.events.len()).expect("a short process");
                let step = u32::try_from(process.steps.len() - 1).expect("a short process");
                let is_object = process.is_object;
                let started = match self.slot(courier) {
                    Some(courier) => courier,
                    None => self.add_object(behaviours, courier, (slot, step, event)),
                };
                // A courier that a liveness object starts depends on the end only, which it reads.
                let event = match is_object {
                    true => Event::Own,
                    false => Event::Spawn(started),
                };
                self.processes[slot as usize].events.push(event);
            }
            Some(Effect::Link(_) | Effect::Unlink(_)) => {
                self.processes[slot as usize].events.push(Event::Own)
            }
            Some(Effect::TrapExit(on)) => {
                let process = &mut self.processes[slot as usize];
                process.events.push(Event::Own);
                process.steps.last_mut().expect("just pushed").trapping = on;
            }
            None => self.end(behaviours, slot, at),
        }
    }

    /// Whether a step continues after the check before this effect: no signal waits, and no other process
    /// at a silent check runs first.
    fn passes_check<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        slot: Slot,
        effect: u32,
    ) -> bool {
        let process = &mut self.processes[slot as usize];
        if process.signals == 0 && self.looking.is_empty() {
            return true;
        }
        process.steps.last_mut().expect("just pushed").done = effect;
        self.looking.set(slot, true);
        match self.silent_checks_first {
            true => self.at_silent_check(behaviours) == Some(slot),
            false => !self.may_be_struck(behaviours, slot),
        }
    }

    /// Whether a signal waits that may end the process before its next effect.
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
    #[inline(always)]
    pub(crate) fn at_silent_check<F: Frontend>(
        &self,
        behaviours: &mut Behaviours<F>,
    ) -> Option<Slot> {
        match self.looking.is_empty() {
            true => None,
            false => self.first_at_silent_check(behaviours),
        }
    }

    fn first_at_silent_check<F: Frontend>(&self, behaviours: &mut Behaviours<F>) -> Option<Slot> {
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
                let mut wanted = self.first_wanted(behaviours, slot, &cursor);
                self.process(slot).has_unread() && wanted.next().is_some()
            }
        }
    }

    fn is_interruptible(&self, pid: PidId) -> bool {
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
        to: PidId,
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
        let step = short(self.process(from).steps.len() - 1);
        self.deliver(behaviours, (from, step, effect), target, value);
    }

    fn deliver<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        (from, step, effect): (Slot, u32, u32),
        target: Slot,
        value: ValueId,
    ) {
        let class = behaviours.values.class(value);
        let index = u32::try_from(self.process(target).inbox.len()).expect("few messages");
        let sender = &mut self.processes[from as usize];
        let sent_by = &sender.steps[step as usize];
        let known = self.clocks.get(&sent_by.clock).known(target);
        let stamp = sent_by.stamp_of(effect);
        let atomic = (stamp == sent_by.stamp).then_some(sent_by.event);
        let origin = sender.origin;
        let seq = u32::try_from(sender.sends.len()).expect("few sends");
        let event = short(sender.events.len());
        sender.events.push(Event::Send(seq));
        sender.sends.push((target, index));
        let process = &mut self.processes[target as usize];
        let last = process.steps.last();
        process.may_pass_over |= last.is_some_and(|last| last.event >= known);
        process.post(Message {
            value,
            sender: from,
            origin,
            seq,
            event,
            step,
            stamp,
            events_before: atomic.unwrap_or(event),
            is_signal: matches!(class, Class::Signal | Class::KillSignal),
            is_brought: behaviours.values.is_brought(value),
            consumed_by: NONE,
            prev: NONE,
            next: NONE,
            lane: NONE,
            lane_prev: NONE,
            lane_next: NONE,
            woke: false,
        });
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

    /// Whether a process accepts, in this state after `index` steps, the same messages as its
    /// previous demand.
    pub(super) fn is_alike<F: Frontend>(
        &self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        index: usize,
        cursor: &Cursor,
    ) -> bool {
        let steps = &self.process(slot).steps;
        // Before its second step a process has no previous demand.
        index.checked_sub(2).is_none_or(|before| {
            let before = &steps[before];
            before.constraint().is_some()
                && before.constraint() == cursor.constraint()
                && behaviours.accept_same(before.node, cursor.node)
        })
    }

    /// Sends the end of a process to its liveness object, if that exists or the process has links or
    /// monitors.
    fn end<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, slot: Slot, effect: u32) {
        let process = &mut self.processes[slot as usize];
        process.events.push(Event::Own);
        let step = process.steps.last().expect("it just ended");
        let (node, index) = (step.node, process.steps.len() - 1);
        let local = &behaviours.node(node).after;
        let cared_for = !local.ties.are_none();
        if process.liveness == NONE {
            if !cared_for {
                return;
            }
            let pid = process.pid;
            let liveness = behaviours.pids.liveness(pid);
            self.add_object(behaviours, liveness, NO_PARENT);
        }
        let liveness = self.process(slot).liveness;
        let value = behaviours.die(node);
        let index = short(index);
        self.deliver(behaviours, (slot, index, effect), liveness, value);
    }

    /// The slot of an object that a process uses.
    fn ask<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, pid: PidId) -> Slot {
        if self.slot(pid).is_none()
            && let PidKind::Object(ObjectKey::Liveness(of)) = behaviours.pids.kind(pid)
            && !self.has_liveness_at_start(of)
        {
            self.missed_liveness = Some(of);
        }
        self.ensure_object(behaviours, pid)
    }

    /// Whether the liveness object of a process exists from the start.
    pub(crate) fn has_liveness_at_start(&self, pid: PidId) -> bool {
        self.liveness_at_start
            .get(pid.index())
            .copied()
            .unwrap_or(false)
    }

    fn ensure_object<F: Frontend>(&mut self, behaviours: &mut Behaviours<F>, pid: PidId) -> Slot {
        if let Some(slot) = self.slot(pid) {
            return slot;
        }
        let slot = self.add_object(behaviours, pid, NO_PARENT);
        if let PidKind::Object(ObjectKey::Liveness(of)) = behaviours.pids.kind(pid)
            && let Some(of) = self.slot(of)
            && self.has_performed_end(behaviours, of)
        {
            // When the process ended, it had no liveness object that could record the end.
            let steps = &self.process(of).steps;
            let index = short(steps.len() - 1);
            let last = &steps[index as usize];
            let (node, end) = (last.node, last.done - 1);
            let value = behaviours.die(node);
            self.deliver(behaviours, (of, index, end), slot, value);
        }
        slot
    }

    /// Whether a process has ended and performed all effects of its last step, the end included. A
    /// process may ask for its own liveness by an effect before its end.
    fn has_performed_end<F: Frontend>(&self, behaviours: &Behaviours<F>, slot: Slot) -> bool {
        self.process(slot).steps.last().is_some_and(|last| {
            let effects = &behaviours.node(last.node).effects;
            matches!(last.wait, Wait::Ended(_)) && last.done as usize > effects.len()
        })
    }

    fn add_object<F: Frontend>(
        &mut self,
        behaviours: &mut Behaviours<F>,
        pid: PidId,
        parent: (Slot, u32, u32),
    ) -> Slot {
        let awaits = match behaviours.pids.kind(pid) {
            PidKind::Object(ObjectKey::Courier(courier)) => {
                let liveness = behaviours.pids.liveness(courier.of);
                self.ask(behaviours, liveness)
            }
            _ => NONE,
        };
        let root = behaviours.object_root(pid);
        let initial = behaviours
            .start(root)
            .expect("objects are ours and do not fail");
        let slot = self.add(pid, root, parent);
        let process = &mut self.processes[slot as usize];
        process.is_object = true;
        process.initial = initial;
        process.awaits = awaits;
        self.enabled.set(slot, false);
        if awaits != NONE {
            self.processes[awaits as usize].couriers.push(slot);
            self.wake_courier(behaviours, slot);
            self.wake_behind(behaviours, pid, awaits);
        }
        if let PidKind::Object(ObjectKey::Liveness(of)) = behaviours.pids.kind(pid)
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
        pid: PidId,
        root: RootId,
        parent: (Slot, u32, u32),
    ) -> Slot {
        let slot = self.add(pid, root, parent);
        if self.has_liveness_at_start(pid) {
            let liveness = behaviours.pids.liveness(pid);
            self.add_object(behaviours, liveness, NO_PARENT);
        }
        slot
    }

    fn add(&mut self, pid: PidId, root: RootId, parent: (Slot, u32, u32)) -> Slot {
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

/// Objects are not spawned, except couriers.
const NO_PARENT: (Slot, u32, u32) = (NONE, NONE, NONE);

/// The index of a step or event as it is stored.
fn short(index: usize) -> u32 {
    u32::try_from(index).expect("a short process")
}

/// The error for a step that was possible before and is not possible now.
#[cold]
fn diverged<F: Frontend>(behaviours: &Behaviours<F>, pid: PidId) -> Fault {
    let name = crate::show::pid(&behaviours.pids, pid);
    Fault::Nondeterminism {
        what: format!(
            "process {name} did something else when it was run again on the same inputs; \
             run with every step checked (--distrust) to see what"
        ),
    }
}
