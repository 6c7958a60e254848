//! Liveness of processes: links and monitors, and the messages that an end causes.
//!
//! A link or monitor reads whether the process is alive, and starts a *courier*: at any time after the
//! process has ended, the courier puts its message into the mailbox. A process that undoes a link or a
//! monitor ignores that message.

use super::configuration::Configuration;
use super::history::{Seen, Sender, Tie};
use super::object::{Object, Thing};
use super::process::{Process, Running};
use super::{Successors, World};
use mazurka_engine::{Answer, Fault, Frontend, Input, LivenessOperation, Payload, PidId, Reason};

impl<F: Frontend> World<'_, F> {
    /// A process uses the liveness of another.
    pub(super) fn use_liveness(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        running: &Running<F>,
        operation: LivenessOperation,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let me = process.pid;
        if let Some(answer) = next.process(me).local_answer(running.trapping, operation) {
            return self.continue_alone(next, process, running, &answer);
        }
        if let LivenessOperation::Notify { pid: of, reference } = operation {
            let link = process.number_of_link(of);
            next.start_courier(me, of, Tie::Monitor(reference, true, link));
            return self.continue_alone(next, process, running, &Answer::Ok);
        }
        let answer = next.perform(process, operation);
        self.go_on(&mut next, me, Input::Answer(&answer))?;
        Ok(next)
    }

    /// The process continues with an answer that is not recorded as an input.
    fn continue_alone(
        &mut self,
        mut next: Configuration<F>,
        process: &Process<F>,
        running: &Running<F>,
        answer: &Answer<F::Value>,
    ) -> Result<Configuration<F>, Fault> {
        self.go_on(&mut next, process.pid, Input::Answer(answer))?;
        let asker = next.process(process.pid);
        asker.acted_before = process.acted_before + running.done;
        asker.own_answers = process.own_answers + 1;
        Ok(next)
    }
}

impl<F: Frontend> Configuration<F> {
    /// Performs an operation that depends on other processes.
    fn perform(&mut self, process: &Process<F>, operation: LivenessOperation) -> Answer<F::Value> {
        let me = process.pid;
        match operation {
            LivenessOperation::IsAlive(of) => Answer::Bool(self.sees_alive(me, of)),
            LivenessOperation::Links => {
                self.sees_alive(me, me);
                Answer::Pids(process.links.iter().map(|&(pid, _)| pid).collect())
            }
            LivenessOperation::Link(of) => {
                let alive = self.sees_alive(me, of);
                let asker = self.process(me);
                asker.links_made += 1;
                let tie = Tie::Link(asker.links_made, alive);
                if alive {
                    asker.links.push((of, asker.links_made));
                    asker.unlinked.retain(|&pid| pid != of);
                    asker.ignored.retain(|&pid| pid != of);
                }
                self.start_courier(me, of, tie);
                Answer::Ok
            }
            LivenessOperation::Monitor { pid: of, reference } => {
                let alive = self.sees_alive(me, of);
                let link = process.number_of_link(of);
                self.start_courier(me, of, Tie::Monitor(reference, alive, link));
                Answer::Ok
            }
            LivenessOperation::Unlink(of) => {
                let arrived = self.sees_arrival(me, of, process.link_tie(of));
                self.process(me).unlink(of, !arrived);
                Answer::Ok
            }
            LivenessOperation::Demonitor { pid: of, reference } => {
                let tie = process.monitor_tie(of, reference).expect("there is one");
                let arrived = self.sees_arrival(me, of, tie);
                if !arrived {
                    self.process(me)
                        .expected
                        .retain(|known| *known != (of, tie));
                }
                Answer::Bool(!arrived)
            }
            LivenessOperation::Notify { .. } | LivenessOperation::Flush { .. } => {
                unreachable!("it concerns the process alone")
            }
        }
    }

    /// A process reads whether another is alive.
    fn sees_alive(&mut self, me: PidId, of: PidId) -> bool {
        self.note_read(me, &Object::Liveness(of));
        !self.thing(&Object::Liveness(of)).dead
    }

    /// A process reads whether the message of a courier has arrived.
    fn sees_arrival(&mut self, me: PidId, of: PidId, tie: Tie) -> bool {
        let courier = Object::Courier { of, to: me, tie };
        self.note_read(me, &courier);
        self.thing(&courier).version > 0
    }

    /// Starts the courier of a tie: from now on the process expects its message.
    fn start_courier(&mut self, me: PidId, of: PidId, tie: Tie) {
        let process = self.process(me);
        process.expected.push((of, tie));
        let past = process.past.clone();
        let thing = self.thing(&Object::Courier { of, to: me, tie });
        thing.past.extend(past);
        thing.is_under_way = true;
    }

    /// Publishes the end of a process, unless it has been published.
    pub(super) fn death(&self, process: &Process<F>) -> Option<Self> {
        process.ended.as_ref()?;
        let of = process.pid;
        let is_known = |thing: &Thing<F>| thing.object == Object::Liveness(of) && thing.dead;
        if self.things.iter().any(is_known) {
            return None;
        }
        let mut next = self.clone();
        let thing = next.thing(&Object::Liveness(of));
        thing.history.push(Seen::Died);
        thing.past.extend(process.past.iter().copied());
        thing.in_a_row = process.in_a_row;
        thing.publish();
        thing.dead = true;
        let links = process.links.iter().map(|&(to, _)| (to, Tie::Linked));
        let watchers = process.watchers.iter();
        let watchers = watchers.map(|&(to, reference)| (to, Tie::Spawned(reference)));
        for (to, tie) in links.chain(watchers) {
            next.thing(&Object::Courier { of, to, tie }).is_under_way = true;
        }
        Some(next)
    }

    /// For each courier whose process has ended: the configuration in which its message has arrived.
    pub(super) fn messages_of_couriers(&self) -> Successors<F> {
        let mut all = Vec::new();
        for thing in self.things.iter().filter(|thing| thing.is_under_way) {
            let Object::Courier { of, to, tie } = thing.object else {
                unreachable!("nothing else is under way")
            };
            let mut next = self.clone();
            let liveness = next.thing(&Object::Liveness(of));
            if !liveness.dead {
                continue;
            }
            let (past, in_a_row) = (liveness.published.clone(), liveness.in_a_row);
            let ended = self.processes.iter().find(|process| process.pid == of);
            let message = ended.and_then(|ended| ended.message_about_end(to, tie));
            let first = ended.and_then(|ended| ended.tie_before(to, tie));
            let first = first.map(|tie| next.thing(&Object::Courier { of, to, tie }).clone());
            if first.as_ref().is_some_and(|first| first.is_under_way) {
                continue;
            }
            let courier = next.thing(&thing.object);
            courier.is_under_way = false;
            courier.history.push(Seen::Died);
            courier.past.extend(past);
            courier
                .past
                .extend(first.into_iter().flat_map(|first| first.past));
            courier.in_a_row = in_a_row;
            if let Some(message) = message {
                next.send(Sender::Courier { of, to, tie }, to, message);
                next.thing(&thing.object).publish();
            }
            all.push(next);
        }
        all
    }
}

impl<F: Frontend> Process<F> {
    /// The answer to an operation that concerns the process alone.
    fn local_answer(
        &mut self,
        trapping: bool,
        operation: LivenessOperation,
    ) -> Option<Answer<F::Value>> {
        match operation {
            LivenessOperation::Link(of) => {
                let is_linked = self.links.iter().any(|&(pid, _)| pid == of);
                is_linked.then_some(Answer::Ok)
            }
            LivenessOperation::Unlink(of) if !trapping => {
                self.unlink(of, true);
                let is_link = |tie: Tie| matches!(tie, Tie::Linked | Tie::Link(..));
                self.expected
                    .retain(|&(pid, tie)| pid != of || !is_link(tie));
                Some(Answer::Ok)
            }
            LivenessOperation::Demonitor { pid: of, reference } => {
                let tie = self.monitor_tie(of, reference);
                tie.is_none().then_some(Answer::Bool(false))
            }
            LivenessOperation::Flush { pid: of, reference } => {
                let tie = self.monitor_tie(of, reference);
                self.expected
                    .retain(|&(pid, known)| pid != of || Some(known) != tie);
                Some(Answer::Ok)
            }
            _ => None,
        }
    }

    fn unlink(&mut self, of: PidId, ignore: bool) {
        let tie = self.link_tie(of);
        self.links.retain(|&(pid, _)| pid != of);
        add(&mut self.unlinked, of);
        if ignore {
            self.expected.retain(|known| *known != (of, tie));
            add(&mut self.ignored, of);
        }
    }

    /// The tie whose courier brings the exit signal of a linked process: its own link, or the link that
    /// the other process made.
    fn link_tie(&self, of: PidId) -> Tie {
        let own = self.links.iter().find(|&&(pid, nth)| pid == of && nth > 0);
        own.map_or(Tie::Linked, |&(_, nth)| Tie::Link(nth, true))
    }

    /// The number of its link to a process; 0 if it has made none.
    fn number_of_link(&self, of: PidId) -> usize {
        let link = self.links.iter().find(|&&(pid, _)| pid == of);
        link.map_or(0, |&(_, nth)| nth)
    }

    pub(super) fn monitor_tie(&self, of: PidId, reference: u64) -> Option<Tie> {
        let is_it = |tie: Tie| match tie {
            Tie::Spawned(known) | Tie::Monitor(known, ..) => known == reference,
            Tie::Linked | Tie::Link(..) => false,
        };
        let mut expected = self.expected.iter();
        let found = expected.find(|&&(pid, tie)| pid == of && is_it(tie));
        found.map(|&(_, tie)| tie)
    }

    /// The tie whose message comes first: an exit signal comes before a `Down` message.
    fn tie_before(&self, to: PidId, tie: Tie) -> Option<Tie> {
        let is_linked = self.links.iter().any(|&(pid, _)| pid == to);
        match tie {
            Tie::Spawned(_) | Tie::Monitor(..) if is_linked => Some(Tie::Linked),
            Tie::Monitor(_, _, link) if link > 0 => Some(Tie::Link(link, true)),
            _ => None,
        }
    }

    /// The message that a courier brings when this process has ended.
    fn message_about_end(&self, to: PidId, tie: Tie) -> Option<Payload<F::Value>> {
        let from = self.pid;
        let links = self.links.iter().any(|&(pid, _)| pid == to);
        let was_alive = !matches!(tie, Tie::Link(_, false) | Tie::Monitor(_, false, _));
        let reason = match was_alive {
            true => self.ended.clone()?,
            false => Reason::NoProcess,
        };
        match tie {
            Tie::Linked => links.then_some(Payload::Exit { from, reason }),
            Tie::Link(..) => {
                let is_void = links || self.unlinked.contains(&to);
                (!was_alive || !is_void).then_some(Payload::Exit { from, reason })
            }
            Tie::Spawned(reference) | Tie::Monitor(reference, ..) => Some(Payload::Down {
                reference,
                from,
                reason,
            }),
        }
    }
}

fn add(pids: &mut Vec<PidId>, pid: PidId) {
    if !pids.contains(&pid) {
        pids.push(pid);
    }
}
