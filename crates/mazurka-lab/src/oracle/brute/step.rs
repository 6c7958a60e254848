//! What a process can do next, and the steps that are not about objects or signals.

use super::configuration::Configuration;
use super::delivery::Offer;
use super::history::{Letter, Seen, Sender, Tie};
use super::process::{Process, Running};
use super::{Successors, World};
use mazurka_engine::Answer;
use mazurka_engine::Payload;
use mazurka_engine::PidId;
use mazurka_engine::{
    Action, Demand, Fault, Frontend, Input, Mode, Outcome, SharedObjects, Turn, Turned,
};

impl<F: Frontend> World<'_, F> {
    /// Everything that a process can do next.
    pub(super) fn of_process(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        all: &mut Successors<F>,
    ) -> Result<(), Fault> {
        if process.ended.is_some() {
            all.extend(configuration.death(process));
            return Ok(());
        }
        let Some(running) = &process.running else {
            all.push(self.begin(configuration, process)?);
            return Ok(());
        };
        if running.issued && matches!(running.demand, Demand::Ask(_)) {
            all.extend(self.serve(configuration, process, running)?);
        } else if running.is_about_to_act(&process.links) && !running.cleared {
            // Between the signal check and the action, other processes may act.
            all.extend(self.check_for_signals(configuration, process, running));
        } else if let Some(action) = running.next_action() {
            all.push(act(configuration, process, action));
        } else {
            self.meet_demand(configuration, process, running, all)?;
        }
        Ok(())
    }

    fn meet_demand(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        running: &Running<F>,
        all: &mut Successors<F>,
    ) -> Result<(), Fault> {
        match &running.demand {
            Demand::Exit(reason) => {
                let mut next = configuration.clone();
                next.process(process.pid).ended = Some(reason.clone());
                all.push(next);
            }
            Demand::Liveness(operation) => {
                all.push(self.use_liveness(configuration, process, running, *operation)?);
            }
            Demand::Ask(operation) if F::Objects::is_read(operation) => {
                all.push(self.read(configuration, process, operation)?);
            }
            Demand::Ask(_) => {
                let mut next = configuration.clone();
                next.process(process.pid).running().issued = true;
                all.push(next);
            }
            Demand::HandOver { to, value } if !running.issued => {
                let mut next = configuration.clone();
                next.hand_over(process.pid, *to, value.clone());
                next.process(process.pid).running().issued = true;
                all.push(next);
            }
            Demand::HandOver { .. } => {
                for offer in self.offers_to_sender(process, running) {
                    all.push(match offer {
                        Offer::Strike(at) => configuration.strike(process.pid, at),
                        Offer::Message(at) => self.handed_over(configuration, process.pid, at)?,
                        Offer::Nothing => unreachable!("it does not time out"),
                    });
                }
            }
            Demand::Choose(of) => {
                for way in 0..*of {
                    all.push(self.choose(configuration, process.pid, way)?);
                }
            }
            Demand::Disturb { limit } => {
                all.push(self.choose(configuration, process.pid, 0)?);
                if configuration.disturbances < *limit {
                    let mut disturbed = self.choose(configuration, process.pid, 1)?;
                    disturbed.disturbances += 1;
                    all.push(disturbed);
                }
            }
            Demand::Receive { .. } => {
                for offer in self.offers_to_receive(configuration, process, running) {
                    all.push(match offer {
                        Offer::Strike(at) => configuration.strike(process.pid, at),
                        Offer::Message(at) => self.consume(configuration, process.pid, at)?,
                        Offer::Nothing => self.time_out(configuration, process)?,
                    });
                }
            }
        }
        Ok(())
    }

    fn begin(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let now_ms = next.now_ms;
        let running = self.run(
            process.pid,
            (0, Mode::Ordinary),
            now_ms,
            |frontend, turn| frontend.start(&process.start, turn),
        )?;
        let process = next.process(process.pid);
        if !running.mode.is_daemon() {
            process.in_a_row = 0;
        }
        let pid = process.pid;
        process.running = Some(running);
        self.find_round(&mut next, pid)?;
        Ok(next)
    }

    fn consume(
        &mut self,
        configuration: &Configuration<F>,
        pid: PidId,
        at: usize,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let process = next.process(pid);
        let message = process.inbox.remove(at);
        process.history.push(Seen::Message {
            from: message.from,
            nth: message.nth,
        });
        message.extend_past(&mut process.past, pid);
        process.in_a_row = message.in_a_row;
        if let Sender::Courier { of, tie, .. } = message.from {
            process.expected.retain(|known| *known != (of, tie));
        }
        let Letter::Payload(payload) = message.letter else {
            unreachable!("a receipt answers no receive")
        };
        if let (true, Sender::Process(sender)) = (message.is_handed_over, message.from) {
            next.confirm(pid, sender);
        }
        self.go_on(&mut next, pid, Input::Message(&payload))?;
        Ok(next)
    }

    /// A process takes the confirmation that its message has been received.
    fn handed_over(
        &mut self,
        configuration: &Configuration<F>,
        pid: PidId,
        at: usize,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let process = next.process(pid);
        let message = process.inbox.remove(at);
        process.history.push(Seen::HandedOver);
        message.extend_past(&mut process.past, pid);
        self.go_on(&mut next, pid, Input::Answer(&Answer::Ok))?;
        Ok(next)
    }

    fn choose(
        &mut self,
        configuration: &Configuration<F>,
        pid: PidId,
        way: u32,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        next.process(pid).history.push(Seen::Chose(way));
        self.go_on(&mut next, pid, Input::Answer(&Answer::Int(way.into())))?;
        Ok(next)
    }

    fn time_out(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let pid = process.pid;
        if self.is_due(configuration, process) {
            let known = configuration.known_by_now.iter().copied();
            next.process(pid).past.extend(known);
        }
        let process = next.process(pid);
        process.history.push(Seen::Timeout);
        process.in_a_row += u32::from(is_timer_of_daemon(process.running()));
        self.go_on(&mut next, pid, Input::Timeout)?;
        Ok(next)
    }

    /// Runs the process from its demand to the next one.
    pub(super) fn go_on(
        &mut self,
        configuration: &mut Configuration<F>,
        pid: PidId,
        input: Input<'_, F::Value>,
    ) -> Result<(), Fault> {
        let now_ms = configuration.now_ms;
        let process = configuration.process(pid);
        let running = process.running();
        let before = (running.spawned, running.mode);
        let next = self.run(pid, before, now_ms, |frontend, turn| {
            frontend.answer(&running.state, input, turn)
        })?;
        *running = Running {
            trapping: running.trapping,
            ..next
        };
        if !running.mode.is_daemon() {
            process.in_a_row = 0;
        }
        process.acted_before = 0;
        process.own_answers = 0;
        self.find_round(configuration, pid)
    }

    /// Runs user code for a process that has spawned `spawned` processes, in this mode.
    pub(super) fn run(
        &mut self,
        pid: PidId,
        (spawned, mode): (u32, Mode),
        now_ms: u64,
        code: impl FnOnce(&F, &mut Turn<'_, F>) -> Outcome<F>,
    ) -> Result<Running<F>, Fault> {
        let mut turn = Turn::new(pid, &mut self.pids, spawned, mode, Vec::new());
        let (state, demand) = code(self.frontend, &mut turn)?;
        let Turned {
            actions,
            spawned,
            mode,
            patient: _,
        } = turn.finish();
        Ok(Running {
            state,
            actions,
            done: 0,
            demand,
            since_ms: now_ms,
            issued: false,
            cleared: false,
            trapping: false,
            mode,
            spawned,
        })
    }
}

/// Whether it is a daemon that waits with a timeout. A poll is not a timeout.
fn is_timer_of_daemon<F: Frontend>(running: &Running<F>) -> bool {
    let Demand::Receive { timeout_ms, .. } = running.demand else {
        return false;
    };
    running.mode.is_daemon() && timeout_ms.is_some_and(|timeout_ms| timeout_ms > 0)
}

/// The process does its next action.
fn act<F: Frontend>(
    configuration: &Configuration<F>,
    process: &Process<F>,
    action: &Action<F::Value, F::Start>,
) -> Configuration<F> {
    let mut next = configuration.clone();
    let me = process.pid;
    match action {
        Action::Spawn {
            pid,
            start,
            link,
            monitor,
        } => {
            let child = next.add(*pid, start.clone());
            child.past = process.past.clone();
            child.in_a_row = process.in_a_row;
            child.links.extend(link.then_some((me, 0)));
            let watcher = monitor.map(|reference| (me, reference));
            child.watchers.extend(watcher);
            let parent = next.process(me);
            parent.links.extend(link.then_some((*pid, 0)));
            let monitor = monitor.map(|reference| (*pid, Tie::Spawned(reference)));
            parent.expected.extend(monitor);
        }
        Action::Send { to, value } => {
            next.send(Sender::Process(me), *to, Payload::User(value.clone()));
        }
        Action::Signal { to, reason } => {
            let reason = reason.clone();
            next.send(Sender::Process(me), *to, Payload::Exit { from: me, reason });
        }
        Action::TrapExit(on) => next.process(me).running().trapping = *on,
    }
    let running = next.process(me).running();
    running.done += 1;
    running.cleared = false;
    next
}
