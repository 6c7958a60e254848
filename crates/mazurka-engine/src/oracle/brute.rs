//! Every interleaving, by the operational definition of the delivery models.
//!
//! A configuration is what each process has done and what lies in each mailbox; a transition
//! is one input consumed, one action, one request served, or one end made known. There is no
//! reduction: only configurations with equal histories are not entered twice. Nothing here is
//! shared with the explorers but the front-end.

use super::canonical::CanonicalTrace;
use crate::frontend::{Action, Demand, Fault, Frontend, Input, Turn, Turned};
use crate::ids::{Pid, PidTable};
use crate::message::{Payload, Reason};
use crate::operation::{Answer, Operation};
use crate::timeouts::Timeouts;
use mazurka_trace::Delivery;
use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// The program has more configurations than the limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// All traces of a program, by brute force.
///
/// # Errors
/// More than `limit` configurations.
///
/// # Panics
/// If the program uses something that its front-end does not model.
pub fn brute<F: Frontend>(
    frontend: &F,
    delivery: Delivery,
    timeouts: Timeouts,
    limit: usize,
) -> Result<BTreeSet<CanonicalTrace>, TooLarge> {
    let mut world = World {
        frontend,
        delivery,
        timeouts,
        pids: PidTable::new(),
    };
    let mut entered = HashSet::new();
    let mut traces = BTreeSet::new();
    let mut to_do = vec![Configuration::begin(frontend)];
    while let Some(configuration) = to_do.pop() {
        if !entered.insert(configuration.fingerprint(delivery)) {
            continue;
        }
        if entered.len() > limit {
            return Err(TooLarge);
        }
        let next = world.successors(&configuration).expect("all is modelled");
        if next.is_empty() {
            traces.insert(configuration.canonical(&world));
        }
        to_do.extend(next);
    }
    Ok(traces)
}

/// Who can send: a process, or what is left of it when it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Sender {
    Process(Pid),
    Life(Pid),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Object<V> {
    Life(Pid),
    Name(V),
    Cell(V, V),
    Counter(V),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Seen<V> {
    Message {
        from: Sender,
        nth: usize,
    },
    Struck {
        from: Sender,
        nth: usize,
        after: usize,
    },
    Timeout,
    Read {
        object: Object<V>,
        version: usize,
    },
    Served(Pid),
    Died,
}

/// The messages whose sends happened before.
type Past = BTreeSet<(Sender, Pid, usize)>;

#[derive(Clone)]
struct Message<V> {
    from: Sender,
    nth: usize,
    payload: Payload<V>,
    past: Past,
}

struct Process<F: Frontend> {
    pid: Pid,
    start: F::Start,
    running: Option<Running<F>>,
    history: Vec<Seen<F::Value>>,
    inbox: Vec<Message<F::Value>>,
    past: Past,
    links: Vec<Pid>,
    watchers: Vec<(Pid, u64)>,
    ended: Option<Reason<F::Value>>,
}

struct Running<F: Frontend> {
    state: F::State,
    actions: Vec<Action<F::Value, F::Start>>,
    done: usize,
    demand: Demand<F::Value, F::Constraint>,
    /// A request has been issued and waits to be served.
    issued: bool,
    /// It has looked for a signal and found none; its action comes next.
    cleared: bool,
    trapping: bool,
    spawned: u32,
}

#[derive(Clone)]
struct Thing<V> {
    object: Object<V>,
    history: Vec<Seen<V>>,
    version: usize,
    past: Past,
    /// What the latest version knows.
    published: Past,
    /// Of a life.
    dead: bool,
    links: Vec<Pid>,
    watchers: Vec<(Pid, u64)>,
    /// What it still has to send, one after the other.
    outbox: Vec<(Pid, Payload<V>)>,
    bearer: Option<Pid>,
    value: Option<V>,
    count: i64,
}

impl<V> Thing<V> {
    /// Readers see something new from here on.
    fn publish(&mut self) {
        self.version += 1;
        self.published = self.past.clone();
    }
}

struct Configuration<F: Frontend> {
    processes: Vec<Rc<Process<F>>>,
    things: Vec<Thing<F::Value>>,
}

impl<F: Frontend> Clone for Process<F> {
    fn clone(&self) -> Self {
        Process {
            pid: self.pid,
            start: self.start.clone(),
            running: self.running.as_ref().map(|running| Running {
                state: running.state.clone(),
                actions: running.actions.clone(),
                demand: running.demand.clone(),
                ..*running
            }),
            history: self.history.clone(),
            inbox: self.inbox.clone(),
            past: self.past.clone(),
            links: self.links.clone(),
            watchers: self.watchers.clone(),
            ended: self.ended.clone(),
        }
    }
}

impl<F: Frontend> Clone for Configuration<F> {
    fn clone(&self) -> Self {
        Configuration {
            processes: self.processes.clone(),
            things: self.things.clone(),
        }
    }
}

struct World<'f, F: Frontend> {
    frontend: &'f F,
    delivery: Delivery,
    timeouts: Timeouts,
    pids: PidTable,
}

impl<F: Frontend> Configuration<F> {
    fn begin(frontend: &F) -> Self {
        let mut configuration = Configuration {
            processes: Vec::new(),
            things: Vec::new(),
        };
        configuration.add(PidTable::ENTRY, frontend.entry());
        configuration
    }

    fn add(&mut self, pid: Pid, start: F::Start) -> &mut Process<F> {
        self.processes.push(Rc::new(Process {
            pid,
            start,
            running: None,
            history: Vec::new(),
            inbox: Vec::new(),
            past: Past::new(),
            links: Vec::new(),
            watchers: Vec::new(),
            ended: None,
        }));
        Rc::make_mut(self.processes.last_mut().expect("just pushed"))
    }

    fn at(&mut self, pid: Pid) -> Option<&mut Process<F>> {
        let found = self.processes.iter_mut().find(|process| process.pid == pid);
        found.map(Rc::make_mut)
    }

    fn thing(&mut self, object: &Object<F::Value>) -> &mut Thing<F::Value> {
        let at = self.things.iter().position(|thing| thing.object == *object);
        let at = at.unwrap_or_else(|| {
            self.things.push(Thing {
                object: object.clone(),
                history: Vec::new(),
                version: 0,
                past: Past::new(),
                published: Past::new(),
                dead: false,
                links: Vec::new(),
                watchers: Vec::new(),
                outbox: Vec::new(),
                bearer: None,
                value: None,
                count: 0,
            });
            self.things.len() - 1
        });
        &mut self.things[at]
    }

    /// What tells configurations apart: histories, and under `mailbox` the order of what
    /// waits.
    fn fingerprint(&self, delivery: Delivery) -> (u64, u64) {
        let digest = |salt: u64| {
            let mut sum = 0_u64;
            for process in &self.processes {
                let mut hasher = DefaultHasher::new();
                (salt, process.pid, &process.history).hash(&mut hasher);
                let running = process.running.as_ref();
                running
                    .map(|r| (r.done, r.issued, r.cleared))
                    .hash(&mut hasher);
                process.ended.is_some().hash(&mut hasher);
                if delivery == Delivery::Mailbox {
                    for message in &process.inbox {
                        (message.from, message.nth).hash(&mut hasher);
                    }
                }
                sum = sum.wrapping_add(hasher.finish());
            }
            for thing in &self.things {
                if !thing.history.is_empty() {
                    let mut hasher = DefaultHasher::new();
                    (salt, &thing.object, &thing.history).hash(&mut hasher);
                    thing.outbox.len().hash(&mut hasher);
                    sum = sum.wrapping_add(hasher.finish());
                }
            }
            sum
        };
        (digest(1), digest(2))
    }

    fn canonical(&self, world: &World<'_, F>) -> CanonicalTrace {
        let mut trace = CanonicalTrace::new();
        for process in &self.processes {
            let history = process.history.iter().map(|seen| world.show(seen));
            trace.insert(world.name(process.pid), history.collect());
        }
        for thing in &self.things {
            if thing.history.iter().any(|seen| *seen != Seen::Died) {
                let history = thing.history.iter().map(|seen| world.show(seen));
                trace.insert(world.object_name(&thing.object), history.collect());
            }
        }
        trace
    }
}

/// What a receive, or a look for signals, may consume.
enum Offer {
    Message(usize),
    Timeout,
}

impl<F: Frontend> World<'_, F> {
    fn name(&self, pid: Pid) -> String {
        self.pids.name(pid).expect("a process")
    }

    fn object_name(&self, object: &Object<F::Value>) -> String {
        let value = |value| self.frontend.show_value(value, &self.pids);
        match object {
            Object::Life(pid) => format!("life({})", self.name(*pid)),
            Object::Name(name) => format!("name({})", value(name)),
            Object::Cell(table, key) => format!("table({})[{}]", value(table), value(key)),
            Object::Counter(counter) => format!("counter({})", value(counter)),
        }
    }

    fn show(&self, seen: &Seen<F::Value>) -> String {
        let sender = |from: &Sender| match from {
            Sender::Process(pid) => self.name(*pid),
            Sender::Life(pid) => format!("life({})", self.name(*pid)),
        };
        match seen {
            Seen::Message { from, nth } => format!("message {}#{nth}", sender(from)),
            Seen::Struck { from, nth, after } => {
                format!("struck {}#{nth} after {after}", sender(from))
            }
            Seen::Timeout => "timeout".into(),
            Seen::Read { object, version } => {
                format!("read {} {version}", self.object_name(object))
            }
            Seen::Served(by) => format!("served {}", self.name(*by)),
            Seen::Died => "died".into(),
        }
    }

    fn successors(
        &mut self,
        configuration: &Configuration<F>,
    ) -> Result<Vec<Configuration<F>>, Fault> {
        let mut all = Vec::new();
        for process in &configuration.processes {
            self.of_process(configuration, process, &mut all)?;
        }
        for thing in &configuration.things {
            if let (Object::Life(of), false) = (&thing.object, thing.outbox.is_empty()) {
                let mut next = configuration.clone();
                let (to, payload) = next.thing(&thing.object).outbox.remove(0);
                send_from_life(&mut next, *of, to, payload);
                all.push(next);
            }
        }
        if all.is_empty() {
            self.quiet_timeout(configuration, &mut all)?;
        }
        Ok(all)
    }

    fn of_process(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        all: &mut Vec<Configuration<F>>,
    ) -> Result<(), Fault> {
        let pid = process.pid;
        if let Some(reason) = &process.ended {
            let known = configuration
                .things
                .iter()
                .any(|thing| thing.object == Object::Life(pid) && thing.dead);
            if !known {
                all.push(self.die(configuration, pid, reason));
            }
            return Ok(());
        }
        let Some(running) = &process.running else {
            let mut next = configuration.clone();
            let mut turn = Turn::new(pid, &mut self.pids, 0, false, Vec::new());
            let (state, demand) = self.frontend.start(&process.start, &mut turn)?;
            let Turned {
                actions, spawned, ..
            } = turn.finish();
            next.at(pid).expect("it is there").running = Some(Running {
                state,
                actions,
                done: 0,
                demand,
                issued: false,
                cleared: false,
                trapping: false,
                spawned,
            });
            all.push(next);
            return Ok(());
        };
        if running.issued {
            all.extend(self.serve(configuration, process, running)?);
            return Ok(());
        }
        let action = running.actions.get(running.done);
        let acts = match &running.demand {
            _ if action.is_some() => true,
            Demand::Exit(_) => true,
            Demand::Ask(operation) => !operation.is_read(),
            Demand::Receive { .. } => false,
        };
        // Before each action it looks whether a signal strikes. Between the look and the
        // action others may act.
        if acts && !running.cleared {
            let sets_flag = matches!(action, Some(Action::TrapExit(_)));
            for offer in self.looks(process, running, sets_flag) {
                all.push(match offer {
                    Offer::Message(at) => self.strike(configuration, process, at),
                    Offer::Timeout => {
                        let mut next = configuration.clone();
                        let process = next.at(pid).expect("it is there");
                        process.running.as_mut().expect("it runs").cleared = true;
                        next
                    }
                });
            }
            return Ok(());
        }
        if let Some(action) = action {
            all.push(self.act(configuration, process, action));
            return Ok(());
        }
        match &running.demand {
            Demand::Exit(reason) => {
                let mut next = configuration.clone();
                next.at(pid).expect("it is there").ended = Some(reason.clone());
                all.push(next);
            }
            Demand::Ask(operation) if operation.is_read() => {
                all.push(self.read(configuration, process, operation)?);
            }
            Demand::Ask(_) => {
                let mut next = configuration.clone();
                let process = next.at(pid).expect("it is there");
                process.running.as_mut().expect("it runs").issued = true;
                all.push(next);
            }
            Demand::Receive {
                constraint,
                timeout_ms,
            } => {
                let wanted = |payload: &Payload<F::Value>| {
                    strikes(payload, running.trapping)
                        || match payload {
                            Payload::Exit { .. } if !running.trapping => false,
                            payload => self.frontend.matches(payload, constraint),
                        }
                };
                let may_time_out = timeout_ms.is_some_and(|t| self.timeouts.any_time(t));
                for offer in self.offers(process, wanted, may_time_out) {
                    match offer {
                        Offer::Message(at)
                            if strikes(&process.inbox[at].payload, running.trapping) =>
                        {
                            all.push(self.strike(configuration, process, at));
                        }
                        Offer::Message(at) => all.push(self.consume(configuration, process, at)?),
                        Offer::Timeout => all.push(self.time_out(configuration, pid)?),
                    }
                }
            }
        }
        Ok(())
    }

    /// The delivery model, in one place: what of the inbox may be taken now.
    fn offers(
        &self,
        process: &Process<F>,
        wanted: impl Fn(&Payload<F::Value>) -> bool,
        may_time_out: bool,
    ) -> Vec<Offer> {
        let inbox = &process.inbox;
        let matching: Vec<usize> = (0..inbox.len())
            .filter(|&at| wanted(&inbox[at].payload))
            .collect();
        let channel = |at: usize| match inbox[at].from {
            Sender::Process(pid) | Sender::Life(pid) => pid,
        };
        let first_of_channel = |at: usize| {
            !matching
                .iter()
                .any(|&b| b < at && channel(b) == channel(at))
        };
        let mut offers: Vec<Offer> = match self.delivery {
            Delivery::Unordered => matching.iter().map(|&at| Offer::Message(at)).collect(),
            Delivery::P2p => matching
                .iter()
                .filter(|&&at| first_of_channel(at))
                .map(|&at| Offer::Message(at))
                .collect(),
            Delivery::Causal => matching
                .iter()
                .filter(|&&at| {
                    first_of_channel(at)
                        && !matching.iter().any(|&other| {
                            let message = &inbox[other];
                            inbox[at]
                                .past
                                .contains(&(message.from, process.pid, message.nth))
                        })
                })
                .map(|&at| Offer::Message(at))
                .collect(),
            Delivery::Mailbox => matching
                .first()
                .map(|&at| Offer::Message(at))
                .into_iter()
                .collect(),
        };
        let too_late = self.delivery == Delivery::Mailbox && !matching.is_empty();
        if may_time_out && !too_late {
            offers.push(Offer::Timeout);
        }
        offers
    }

    fn looks(&self, process: &Process<F>, running: &Running<F>, sets_flag: bool) -> Vec<Offer> {
        let strikes_here = |payload: &Payload<F::Value>| {
            strikes(payload, running.trapping) && !(sets_flag && is_kill(payload))
        };
        self.offers(process, strikes_here, true)
    }

    fn strike(
        &self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        at: usize,
    ) -> Configuration<F> {
        let mut next = configuration.clone();
        let process = next.at(process.pid).expect("it is there");
        let message = process.inbox.remove(at);
        let running = process.running.as_ref().expect("it runs");
        process.history.push(Seen::Struck {
            from: message.from,
            nth: message.nth,
            after: running.done,
        });
        learn(&mut process.past, &message, process.pid);
        let Payload::Exit { reason, .. } = message.payload else {
            unreachable!("only signals strike")
        };
        process.ended = Some(match reason {
            Reason::Kill => Reason::Killed,
            other => other,
        });
        next
    }

    fn consume(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        at: usize,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let process = next.at(process.pid).expect("it is there");
        let message = process.inbox.remove(at);
        process.history.push(Seen::Message {
            from: message.from,
            nth: message.nth,
        });
        learn(&mut process.past, &message, process.pid);
        self.go_on(process, Input::Message(&message.payload))?;
        Ok(next)
    }

    fn time_out(
        &mut self,
        configuration: &Configuration<F>,
        pid: Pid,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let process = next.at(pid).expect("it is there");
        process.history.push(Seen::Timeout);
        self.go_on(process, Input::Timeout)?;
        Ok(next)
    }

    /// Runs the process from its demand to the next one.
    fn go_on(&mut self, process: &mut Process<F>, input: Input<'_, F::Value>) -> Result<(), Fault> {
        let running = process.running.as_mut().expect("it runs");
        let mut turn = Turn::new(
            process.pid,
            &mut self.pids,
            running.spawned,
            false,
            Vec::new(),
        );
        let (state, demand) = self.frontend.answer(&running.state, input, &mut turn)?;
        let Turned {
            actions, spawned, ..
        } = turn.finish();
        *running = Running {
            state,
            actions,
            done: 0,
            demand,
            issued: false,
            cleared: false,
            trapping: running.trapping,
            spawned,
        };
        Ok(())
    }

    fn act(
        &self,
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
                let past = process.past.clone();
                let child = next.add(*pid, start.clone());
                child.past = past;
                child.links.extend(link.then_some(me));
                child
                    .watchers
                    .extend(monitor.map(|reference| (me, reference)));
                let process = next.at(me).expect("it is there");
                process.links.extend(link.then_some(*pid));
            }
            Action::Send { to, value } => {
                send(&mut next, me, *to, Payload::User(value.clone()));
            }
            Action::Signal { to, reason } => {
                let reason = reason.clone();
                send(&mut next, me, *to, Payload::Exit { from: me, reason });
            }
            Action::TrapExit(on) => {
                let process = next.at(me).expect("it is there");
                process.running.as_mut().expect("it runs").trapping = *on;
            }
        }
        let running = next.at(me).expect("it is there").running.as_mut();
        let running = running.expect("it runs");
        running.done += 1;
        running.cleared = false;
        next
    }

    /// An operation that changes nothing sees the latest version.
    fn read(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        operation: &Operation<F::Value>,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let mut look = |object: Object<F::Value>, past: &mut Past, history: &mut Vec<_>| {
            let thing = next.thing(&object).clone();
            past.extend(thing.published.iter().copied());
            let version = thing.version;
            history.push(Seen::Read { object, version });
            thing
        };
        let (mut past, mut history) = (process.past.clone(), process.history.clone());
        let answer =
            match operation {
                Operation::IsAlive(pid) => {
                    Answer::Bool(!look(Object::Life(*pid), &mut past, &mut history).dead)
                }
                Operation::WhereIs { name } => {
                    let bearer = look(Object::Name(name.clone()), &mut past, &mut history).bearer;
                    Answer::Pid(bearer.filter(|&bearer| {
                        !look(Object::Life(bearer), &mut past, &mut history).dead
                    }))
                }
                Operation::Get { table, key } => {
                    let cell = Object::Cell(table.clone(), key.clone());
                    Answer::Value(look(cell, &mut past, &mut history).value)
                }
                Operation::Count { counter } => {
                    let counter = Object::Counter(counter.clone());
                    Answer::Int(look(counter, &mut past, &mut history).count)
                }
                _ => unreachable!("not a read"),
            };
        let process = next.at(process.pid).expect("it is there");
        process.past = past;
        process.history = history;
        self.go_on(process, Input::Answer(&answer))?;
        Ok(next)
    }

    /// An object serves the request that a process has issued.
    fn serve(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        running: &Running<F>,
    ) -> Result<Option<Configuration<F>>, Fault> {
        let mut next = configuration.clone();
        let me = process.pid;
        let Demand::Ask(operation) = &running.demand else {
            unreachable!("only operations are issued")
        };
        let object = match operation {
            Operation::Link(pid)
            | Operation::Unlink(pid)
            | Operation::Monitor { pid, .. }
            | Operation::Demonitor { pid, .. } => Object::Life(*pid),
            Operation::Register { name, .. } | Operation::Unregister { name } => {
                Object::Name(name.clone())
            }
            Operation::Put { table, key, .. }
            | Operation::PutNew { table, key, .. }
            | Operation::Take { table, key } => Object::Cell(table.clone(), key.clone()),
            Operation::Add { counter, .. } => Object::Counter(counter.clone()),
            _ => unreachable!("a read is not issued"),
        };
        let thing = next.thing(&object);
        if !thing.outbox.is_empty() {
            return Ok(None); // one thing after the other
        }
        thing.history.push(Seen::Served(me));
        thing.past.extend(process.past.iter().copied());
        let mut answer = Answer::Ok;
        match operation {
            Operation::Link(pid) => {
                if thing.dead {
                    let reason = Reason::NoProcess;
                    send_from_life(&mut next, *pid, me, Payload::Exit { from: *pid, reason });
                } else if !thing.links.contains(&me) {
                    thing.links.push(me);
                }
                let process = next.at(me).expect("it is there");
                if !process.links.contains(pid) {
                    process.links.push(*pid);
                }
            }
            Operation::Unlink(pid) => {
                thing.links.retain(|link| *link != me);
                let process = next.at(me).expect("it is there");
                process.links.retain(|link| link != pid);
            }
            Operation::Monitor { pid, reference } => {
                if thing.dead {
                    let down = Payload::Down {
                        reference: *reference,
                        from: *pid,
                        reason: Reason::NoProcess,
                    };
                    send_from_life(&mut next, *pid, me, down);
                } else {
                    thing.watchers.push((me, *reference));
                }
            }
            Operation::Demonitor { reference, .. } => {
                thing
                    .watchers
                    .retain(|watcher| *watcher != (me, *reference));
            }
            Operation::Register { pid, .. } => {
                let bearer = thing.bearer;
                let taken = bearer.is_some_and(|bearer| look_at(&mut next, &object, bearer));
                if taken || !look_at(&mut next, &object, *pid) {
                    answer = Answer::Refused;
                } else {
                    let thing = next.thing(&object);
                    if thing.bearer != Some(*pid) {
                        thing.publish();
                    }
                    thing.bearer = Some(*pid);
                }
            }
            Operation::Unregister { .. } => {
                let bearer = thing.bearer;
                if bearer.is_some_and(|bearer| look_at(&mut next, &object, bearer)) {
                    let thing = next.thing(&object);
                    thing.bearer = None;
                    thing.publish();
                } else {
                    answer = Answer::Refused;
                }
            }
            Operation::Put { value, .. } => {
                if thing.value.as_ref() != Some(value) {
                    thing.publish();
                }
                thing.value = Some(value.clone());
            }
            Operation::PutNew { value, .. } => {
                answer = Answer::Bool(thing.value.is_none());
                if thing.value.is_none() {
                    thing.value = Some(value.clone());
                    thing.publish();
                }
            }
            Operation::Take { .. } => {
                let taken = thing.value.take();
                if taken.is_some() {
                    thing.publish();
                }
                answer = Answer::Value(taken);
            }
            Operation::Add { amount, .. } => {
                thing.count += amount;
                if *amount != 0 {
                    thing.publish();
                }
                answer = Answer::Int(thing.count);
            }
            _ => unreachable!("a read is not issued"),
        }
        let past = next.thing(&object).past.clone();
        let process = next.at(me).expect("it is there");
        process.past.extend(past);
        self.go_on(process, Input::Answer(&answer))?;
        Ok(Some(next))
    }

    /// The end of a process becomes known.
    fn die(
        &self,
        configuration: &Configuration<F>,
        pid: Pid,
        reason: &Reason<F::Value>,
    ) -> Configuration<F> {
        let mut next = configuration.clone();
        let process = next.at(pid).expect("it is there").clone();
        let life = next.thing(&Object::Life(pid));
        life.dead = true;
        life.history.push(Seen::Died);
        life.past.extend(process.past.iter().copied());
        life.publish();
        let watchers: Vec<_> = process
            .watchers
            .iter()
            .chain(&life.watchers)
            .copied()
            .collect();
        let links: Vec<_> = process.links.iter().chain(&life.links).copied().collect();
        let outbox = &mut life.outbox;
        for (watcher, reference) in watchers {
            let reason = reason.clone();
            let from = pid;
            outbox.push((
                watcher,
                Payload::Down {
                    reference,
                    from,
                    reason,
                },
            ));
        }
        let mut told = Vec::new();
        for link in links {
            if !told.contains(&link) {
                told.push(link);
                let reason = reason.clone();
                outbox.push((link, Payload::Exit { from: pid, reason }));
            }
        }
        next
    }

    /// Nothing can happen: the shortest long timeout fires, after everything.
    fn quiet_timeout(
        &mut self,
        configuration: &Configuration<F>,
        all: &mut Vec<Configuration<F>>,
    ) -> Result<(), Fault> {
        let mut shortest: Option<(u64, Pid)> = None;
        for process in &configuration.processes {
            let Some(running) = &process.running else {
                continue;
            };
            if let Demand::Receive {
                timeout_ms: Some(timeout_ms),
                ..
            } = running.demand
                && process.ended.is_none()
                && self.timeouts.when_quiet(timeout_ms)
            {
                let earlier = shortest.is_none_or(|(other, pid)| {
                    timeout_ms < other
                        || timeout_ms == other && self.pids.cmp(process.pid, pid).is_lt()
                });
                if earlier {
                    shortest = Some((timeout_ms, process.pid));
                }
            }
        }
        if let Some((_, pid)) = shortest {
            let mut next = configuration.clone();
            let mut everything = Past::new();
            for process in &next.processes {
                everything.extend(process.past.iter().copied());
            }
            for thing in &next.things {
                everything.extend(thing.past.iter().copied());
            }
            next.at(pid).expect("it is there").past = everything;
            all.push(self.time_out(&next, pid)?);
        }
        Ok(())
    }
}

fn is_kill<V>(payload: &Payload<V>) -> bool {
    matches!(
        payload,
        Payload::Exit {
            reason: Reason::Kill,
            ..
        }
    )
}

fn strikes<V: PartialEq>(payload: &Payload<V>, trapping: bool) -> bool {
    match payload {
        Payload::Exit { reason, .. } => {
            *reason == Reason::Kill || !trapping && *reason != Reason::Normal
        }
        _ => false,
    }
}

fn learn<V>(past: &mut Past, message: &Message<V>, receiver: Pid) {
    past.extend(message.past.iter().copied());
    past.insert((message.from, receiver, message.nth));
}

fn send<F: Frontend>(next: &mut Configuration<F>, from: Pid, to: Pid, payload: Payload<F::Value>) {
    let sender = next.at(from).expect("it is there");
    let past = sender.past.clone();
    let from_sender = Sender::Process(from);
    let nth = sender
        .past
        .iter()
        .filter(|(by, target, _)| *by == from_sender && *target == to)
        .count();
    sender.past.insert((from_sender, to, nth));
    if let Some(receiver) = next.at(to) {
        receiver.inbox.push(Message {
            from: from_sender,
            nth,
            payload,
            past,
        });
    }
}

fn send_from_life<F: Frontend>(
    next: &mut Configuration<F>,
    of: Pid,
    to: Pid,
    payload: Payload<F::Value>,
) {
    let life = next.thing(&Object::Life(of));
    let past = life.past.clone();
    let from = Sender::Life(of);
    let nth = life
        .past
        .iter()
        .filter(|(by, target, _)| *by == from && *target == to)
        .count();
    life.past.insert((from, to, nth));
    if let Some(receiver) = next.at(to) {
        receiver.inbox.push(Message {
            from,
            nth,
            payload,
            past,
        });
    }
}

/// A name looks at a life: is that process alive?
fn look_at<F: Frontend>(
    next: &mut Configuration<F>,
    name: &Object<F::Value>,
    process: Pid,
) -> bool {
    let life = next.thing(&Object::Life(process)).clone();
    let thing = next.thing(name);
    thing.past.extend(life.published.iter().copied());
    thing.history.push(Seen::Read {
        object: Object::Life(process),
        version: life.version,
    });
    !life.dead
}
