//! A configuration: all processes and objects at one moment of an interleaving.

use super::World;
use super::history::{Letter, Message, Past, Seen, Sender};
use super::object::{Object, Thing};
use super::process::Process;
use mazurka_engine::CanonicalTrace;
use mazurka_engine::Payload;
use mazurka_engine::{Frontend, KeyOf};
use mazurka_engine::{PidId, PidTable};
use mazurka_trace::Delivery;
use std::rc::Rc;

pub(super) struct Configuration<F: Frontend> {
    pub(super) processes: Vec<Rc<Process<F>>>,
    pub(super) things: Vec<Thing<F>>,
    /// The logical time.
    pub(super) now_ms: u64,
    /// The sends that happened before the time advanced to `now_ms`. They are in the causal past of each
    /// process that observes the time.
    pub(super) known_by_now: Past,
    /// Number of disturbances so far.
    pub(super) disturbances: u32,
}

impl<F: Frontend> Clone for Configuration<F> {
    fn clone(&self) -> Self {
        Configuration {
            processes: self.processes.clone(),
            things: self.things.clone(),
            now_ms: self.now_ms,
            known_by_now: self.known_by_now.clone(),
            disturbances: self.disturbances,
        }
    }
}

impl<F: Frontend> Configuration<F> {
    /// The initial configuration.
    pub(super) fn begin(frontend: &F) -> Self {
        let mut configuration = Configuration {
            processes: Vec::new(),
            things: Vec::new(),
            now_ms: 0,
            known_by_now: Past::default(),
            disturbances: 0,
        };
        configuration.add(PidTable::ENTRY, frontend.entry());
        configuration
    }

    pub(super) fn add(&mut self, pid: PidId, start: F::Start) -> &mut Process<F> {
        self.processes.push(Rc::new(Process::new(pid, start)));
        Rc::make_mut(self.processes.last_mut().expect("just pushed"))
    }

    pub(super) fn process(&mut self, pid: PidId) -> &mut Process<F> {
        self.find(pid).expect("it has been spawned")
    }

    fn find(&mut self, pid: PidId) -> Option<&mut Process<F>> {
        let found = self.processes.iter_mut().find(|process| process.pid == pid);
        found.map(|process| {
            let process = Rc::make_mut(process);
            process.digest.set(None);
            process
        })
    }

    /// The state of an object, created on first use.
    pub(super) fn thing(&mut self, object: &Object<KeyOf<F>>) -> &mut Thing<F> {
        let at = self.things.iter().position(|thing| thing.object == *object);
        let at = at.unwrap_or_else(|| {
            self.things.push(Thing::new(object.clone()));
            self.things.len() - 1
        });
        &mut self.things[at]
    }

    /// Puts a message into a mailbox, at once. A message to a process that does not exist is lost.
    pub(super) fn send(&mut self, from: Sender, to: PidId, payload: Payload<F::Value>) {
        self.send_and(from, to, Letter::Payload(payload), false);
    }

    /// Confirms to `to` that `from` has received the message that `to` handed over.
    pub(super) fn confirm(&mut self, from: PidId, to: PidId) {
        self.send_and(Sender::Receiver(from), to, Letter::Receipt, false);
    }

    /// The same for a message whose sender will wait until it is received.
    pub(super) fn hand_over(&mut self, from: PidId, to: PidId, value: F::Value) {
        self.send_and(
            Sender::Process(from),
            to,
            Letter::Payload(Payload::User(value)),
            true,
        );
    }

    fn send_and(
        &mut self,
        from: Sender,
        to: PidId,
        letter: Letter<F::Value>,
        is_handed_over: bool,
    ) {
        let (known, in_a_row) = match from {
            Sender::Process(pid) | Sender::Receiver(pid) => {
                let process = self.process(pid);
                (&mut process.past, process.in_a_row)
            }
            Sender::Courier { of, to, tie } => {
                let courier = self.thing(&Object::Courier { of, to, tie });
                (&mut courier.past, courier.in_a_row)
            }
        };
        let past: Past = known.clone();
        let same_channel = |(by, target, _): &&(Sender, PidId, usize)| *by == from && *target == to;
        let nth = past.iter().filter(same_channel).count();
        known.insert((from, to, nth));
        if let Some(receiver) = self.find(to) {
            receiver.inbox.push(Message {
                from,
                nth,
                letter,
                past,
                in_a_row,
                is_handed_over,
            });
        }
    }

    /// Identifies the configuration: two hashes of the histories, the time, and under `mailbox` the
    /// order of waiting messages. They are sums, because the order in which processes were added does
    /// not matter.
    pub(super) fn fingerprint(&self, delivery: Delivery) -> [u64; 2] {
        let processes = self
            .processes
            .iter()
            .map(|process| process.digest(delivery));
        let things = self.things.iter().filter(|thing| !thing.history.is_empty());
        let things = things.map(Thing::digest);
        let start = [self.now_ms, self.now_ms.rotate_left(32)];
        processes.chain(things).fold(start, |[a, b], [c, d]| {
            [a.wrapping_add(c), b.wrapping_add(d)]
        })
    }

    /// Its trace: the histories as text. The liveness of a process is left out if it only recorded the
    /// end, because every process has that.
    pub(super) fn canonical(&self, world: &World<'_, F>) -> CanonicalTrace {
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
