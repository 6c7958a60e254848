//! Decides whether an interleaving is possible, by simulating it.
//!
//! It shares only types with the check of traces, so that each check can test the other.

use std::collections::{BTreeSet, HashMap, HashSet};

use thiserror::Error;

use crate::{Accepts, At, Delivery, Event, Interleaving, ProcessName, Tag};

/// Why an interleaving is not possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InterleavingError {
    /// The initial process is listed as an object.
    #[error("process {pid}: it is the initial process and so cannot be an object")]
    InitialIsObject {
        /// The process.
        pid: ProcessName,
    },
    /// An event is not possible at its position.
    #[error("step {}, {at}: {broken}", .step + 1)]
    Step {
        /// Index into the events of the interleaving, from 0.
        step: usize,
        /// The event's position in its process.
        at: At,
        /// The rule it breaks.
        broken: Broken,
    },
}

/// The rule that an event breaks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// The process does not exist yet (Vidal 2022, Def. 1, condition 1).
    #[error("it acts before it is spawned")]
    NotSpawned,
    /// The spawned process already exists (condition 4).
    #[error("spawns {0}, which already exists")]
    AlreadyExists(ProcessName),
    /// An earlier send has the same tag (condition 4).
    #[error("sends message {0}, but an earlier send has the same tag; tags are unique")]
    TagReused(Tag),
    /// No earlier event sends the message (condition 2).
    #[error("uses message {0}, which was not sent yet")]
    NotSent(Tag),
    /// The message was sent to another process (condition 2).
    #[error("uses message {tag}, which was sent to {to}")]
    WrongTarget {
        /// The message.
        tag: Tag,
        /// The process it was sent to.
        to: ProcessName,
    },
    /// An earlier event consumed the message.
    #[error("uses message {0}, which was already consumed")]
    AlreadyConsumed(Tag),
    /// An earlier event delivered the message.
    #[error("delivers message {0} a second time")]
    AlreadyDelivered(Tag),
    /// The message does not satisfy the constraint (condition 2).
    #[error("receives message {0}, which does not satisfy the receive's constraint")]
    NotAccepted(Tag),
    /// The delivery model puts another message first (condition 3 for `p2p`).
    #[error(
        "receives message {tag}, but under {delivery} delivery it must consume {waiting} first"
    )]
    Overtakes {
        /// The message received.
        tag: Tag,
        /// A matching message that the model puts first.
        waiting: Tag,
        /// The model.
        delivery: Delivery,
    },
    /// Under `mailbox` a matching message waits, so the timeout cannot fire.
    #[error("times out under mailbox delivery while the matching message {0} waits")]
    TimeoutWithMatch(Tag),
    /// A read names a process that is not an object.
    #[error("reads {0}, which is not an object")]
    NotAnObject(ProcessName),
    /// The process that publishes is not an object.
    #[error("publishes a new version, but {0} is not an object")]
    PublisherNotAnObject(ProcessName),
    /// The read names a version that is not the latest.
    #[error("reads version {version} of {object}, but the latest is {latest}")]
    NotLatest {
        /// The object.
        object: ProcessName,
        /// The version read.
        version: u32,
        /// The version it should have read.
        latest: u32,
    },
    /// The index of a chosen alternative is out of range.
    #[error("chooses alternative {chosen} of {of}: alternatives are numbered from 0")]
    NoSuchAlternative {
        /// The index that was chosen.
        chosen: u32,
        /// The number of alternatives.
        of: u32,
    },
}

impl Interleaving {
    /// Checks that such an execution is possible under the delivery model (Vidal 2022, Def. 1).
    ///
    /// Takes time proportional to events × waiting messages, and under `causal` also events ×
    /// processes.
    pub fn check(&self) -> Result<(), InterleavingError> {
        if self.objects.contains(&self.initial) {
            return Err(InterleavingError::InitialIsObject {
                pid: self.initial.clone(),
            });
        }
        let mut run = Run::new(self);
        let mut counts: HashMap<&ProcessName, usize> = HashMap::new();
        for (step, (pid, event)) in self.events.iter().enumerate() {
            let count = counts.entry(pid).or_default();
            run.step(pid, event).map_err(|broken| {
                let at = At {
                    pid: pid.clone(),
                    index: *count,
                };
                InterleavingError::Step { step, at, broken }
            })?;
            *count += 1;
        }
        Ok(())
    }
}

/// The state of an execution.
struct Run<'i> {
    delivery: Delivery,
    objects: &'i BTreeSet<ProcessName>,
    processes: HashMap<&'i ProcessName, Process>,
    messages: HashMap<&'i Tag, Message<'i>>,
    /// The messages sent to each process and not consumed, the oldest first. A message may be sent
    /// before its target is spawned.
    waiting: HashMap<&'i ProcessName, Vec<&'i Tag>>,
}

struct Process {
    number: usize,
    clock: Clock,
    /// The number of publications, and the clock of the last one.
    version: u32,
    version_clock: Clock,
}

struct Message<'i> {
    from: usize,
    to: &'i ProcessName,
    clock: Clock,
    consumed: bool,
    delivered: bool,
}

impl<'i> Run<'i> {
    fn new(of: &'i Interleaving) -> Run<'i> {
        let mut run = Run {
            delivery: of.delivery,
            objects: &of.objects,
            processes: HashMap::new(),
            messages: HashMap::new(),
            waiting: HashMap::new(),
        };
        let spawned = of.events.iter().filter_map(|(_, event)| event.spawns());
        let spawned: HashSet<&ProcessName> = spawned.collect();
        let objects = of.objects.iter().filter(|pid| !spawned.contains(pid));
        for pid in objects.chain([&of.initial]) {
            run.start(pid, Clock::default());
        }
        run
    }

    fn start(&mut self, pid: &'i ProcessName, clock: Clock) {
        let number = self.processes.len();
        self.processes.insert(
            pid,
            Process {
                number,
                clock,
                version: 0,
                version_clock: Clock::default(),
            },
        );
    }

    fn step(&mut self, pid: &'i ProcessName, event: &'i Event) -> Result<(), Broken> {
        let Some(process) = self.processes.get_mut(pid) else {
            return Err(Broken::NotSpawned);
        };
        // Only `causal` needs clocks.
        if self.delivery == Delivery::Causal {
            process.clock.tick(process.number);
        }
        let (number, clock) = (process.number, process.clock.clone());
        match event {
            Event::Spawn { pid: child } if self.processes.contains_key(child) => {
                return Err(Broken::AlreadyExists(child.clone()));
            }
            Event::Spawn { pid: child } => self.start(child, clock),
            Event::Send { tag, .. } if self.messages.contains_key(tag) => {
                return Err(Broken::TagReused(tag.clone()));
            }
            Event::Send { tag, to, .. } => {
                let message = Message {
                    from: number,
                    to,
                    clock,
                    consumed: false,
                    delivered: false,
                };
                self.messages.insert(tag, message);
                self.waiting.entry(to).or_default().push(tag);
            }
            Event::Receive { tag, accepts, .. } => {
                self.check_usable(pid, tag)?;
                self.check_choice(pid, tag, accepts)?;
                self.consume(pid, tag);
            }
            Event::Timeout { accepts, .. } => self.check_timeout(pid, accepts)?,
            Event::Killed { tag } => {
                self.check_usable(pid, tag)?;
                self.consume(pid, tag);
            }
            Event::Read { object, version } => self.read(pid, object, *version)?,
            Event::Choose { of, chosen } if chosen >= of => {
                let (of, chosen) = (*of, *chosen);
                return Err(Broken::NoSuchAlternative { chosen, of });
            }
            Event::Publish => self.publish(pid)?,
            Event::Deliver { tag } => {
                self.check_usable(pid, tag)?;
                let message = self.messages.get_mut(tag);
                if message.is_some_and(|message| std::mem::replace(&mut message.delivered, true)) {
                    return Err(Broken::AlreadyDelivered(tag.clone()));
                }
            }
            Event::Choose { .. } | Event::Exit { .. } => {}
        }
        Ok(())
    }

    /// Checks that the message was sent to the process and was not consumed.
    fn check_usable(&self, pid: &ProcessName, tag: &Tag) -> Result<(), Broken> {
        match self.messages.get(tag) {
            None => Err(Broken::NotSent(tag.clone())),
            Some(message) if message.to != pid => Err(Broken::WrongTarget {
                tag: tag.clone(),
                to: message.to.clone(),
            }),
            Some(message) if message.consumed => Err(Broken::AlreadyConsumed(tag.clone())),
            Some(_) => Ok(()),
        }
    }

    /// Checks that the message satisfies the constraint and that the model puts no other first.
    fn check_choice(&self, pid: &ProcessName, tag: &Tag, accepts: &Accepts) -> Result<(), Broken> {
        if !accepts.accepts(tag) {
            return Err(Broken::NotAccepted(tag.clone()));
        }
        let taken = &self.messages[tag];
        let comes_first = |other: &&Tag| {
            let other = &self.messages[*other];
            match self.delivery {
                Delivery::Unordered => false,
                Delivery::P2p => other.from == taken.from,
                Delivery::Causal => other.clock.at(other.from) <= taken.clock.at(other.from),
                Delivery::Mailbox => true,
            }
        };
        // In every model, only a message that was sent earlier can come first.
        let earlier = self
            .waiting(pid)
            .iter()
            .copied()
            .take_while(|other| *other != tag);
        match earlier
            .filter(|other| accepts.accepts(other))
            .find(comes_first)
        {
            Some(waiting) => {
                let (tag, waiting) = (tag.clone(), waiting.clone());
                Err(Broken::Overtakes {
                    tag,
                    waiting,
                    delivery: self.delivery,
                })
            }
            None => Ok(()),
        }
    }

    /// Under `mailbox` a message is in the mailbox as soon as it is sent, so a matching one prevents
    /// the timeout. In the other models it may still be on its way.
    fn check_timeout(&self, pid: &ProcessName, accepts: &Accepts) -> Result<(), Broken> {
        match self.waiting(pid).iter().find(|tag| accepts.accepts(tag)) {
            Some(tag) if self.delivery == Delivery::Mailbox => {
                Err(Broken::TimeoutWithMatch((*tag).clone()))
            }
            _ => Ok(()),
        }
    }

    fn waiting(&self, pid: &ProcessName) -> &[&'i Tag] {
        self.waiting.get(pid).map_or(&[], Vec::as_slice)
    }

    fn consume(&mut self, pid: &ProcessName, tag: &Tag) {
        if let Some(waiting) = self.waiting.get_mut(pid) {
            waiting.retain(|other| *other != tag);
        }
        if let (Some(message), Some(process)) =
            (self.messages.get_mut(tag), self.processes.get_mut(pid))
        {
            message.consumed = true;
            process.clock.join(&message.clock);
        }
    }

    fn publish(&mut self, pid: &ProcessName) -> Result<(), Broken> {
        let Some(object) = self
            .processes
            .get_mut(pid)
            .filter(|_| self.objects.contains(pid))
        else {
            return Err(Broken::PublisherNotAnObject(pid.clone()));
        };
        object.version += 1;
        object.version_clock = object.clock.clone();
        Ok(())
    }

    fn read(
        &mut self,
        pid: &ProcessName,
        object: &ProcessName,
        version: u32,
    ) -> Result<(), Broken> {
        let Some(read) = self
            .processes
            .get(object)
            .filter(|_| self.objects.contains(object))
        else {
            return Err(Broken::NotAnObject(object.clone()));
        };
        if read.version != version {
            return Err(Broken::NotLatest {
                object: object.clone(),
                version,
                latest: read.version,
            });
        }
        let seen = read.version_clock.clone();
        if let Some(process) = self.processes.get_mut(pid) {
            process.clock.join(&seen);
        }
        Ok(())
    }
}

/// The number of events of each process in the causal past. Missing entries are 0.
#[derive(Clone, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn at(&self, number: usize) -> u32 {
        self.0.get(number).copied().unwrap_or(0)
    }

    fn tick(&mut self, number: usize) {
        self.0.resize(self.0.len().max(number + 1), 0);
        self.0[number] += 1;
    }

    fn join(&mut self, other: &Clock) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(tick, other)| *tick = (*tick).max(*other));
    }
}

#[cfg(test)]
mod tests {
    use crate::Delivery::{self, Causal, Mailbox, P2p, Unordered};
    use crate::testing::interleaving;

    fn check(delivery: Delivery, text: &str, expected: &str) {
        let error = interleaving(delivery, &["o"], text).check().unwrap_err();
        assert_eq!(error.to_string(), expected, "for {text}");
    }

    fn check_ok(delivery: Delivery, text: &str) {
        assert_eq!(
            interleaving(delivery, &["o"], text).check(),
            Ok(()),
            "for {text}"
        );
    }

    #[test]
    fn processes() {
        check(
            P2p,
            "p: exit\n q: exit",
            "step 2, q event 1: it acts before it is spawned",
        );
        check(
            P2p,
            "p: spawn q, spawn q",
            "step 2, p event 2: spawns q, which already exists",
        );
        check(
            P2p,
            "p: spawn p",
            "step 1, p event 1: spawns p, which already exists",
        );
        check(
            P2p,
            "p: exit\n o: publish\n p: spawn o",
            "step 2, o event 1: it acts before it is spawned",
        );
        check(
            P2p,
            "o: exit",
            "process o: it is the initial process and so cannot be an object",
        );
    }

    #[test]
    fn messages() {
        check(
            P2p,
            "p: send 1 to p, send 1 to o",
            "step 2, p event 2: sends message 1, but an earlier send has the same tag; tags are unique",
        );
        check(
            P2p,
            "p: receive 1, send 1 to p",
            "step 1, p event 1: uses message 1, which was not sent yet",
        );
        check(
            P2p,
            "p: send 1 to o, killed 1",
            "step 2, p event 2: uses message 1, which was sent to o",
        );
        check(
            P2p,
            "p: send 1 to p, receive 1, receive 1",
            "step 3, p event 3: uses message 1, which was already consumed",
        );
        check(
            P2p,
            "p: send 1 to p, receive 1, deliver 1",
            "step 3, p event 3: uses message 1, which was already consumed",
        );
        check(
            P2p,
            "p: send 1 to p, deliver 1, deliver 1",
            "step 3, p event 3: delivers message 1 a second time",
        );
        check(
            P2p,
            "p: send 1 to p, receive 1 of 2",
            "step 2, p event 2: receives message 1, which does not satisfy the receive's constraint",
        );
    }

    #[test]
    fn reads() {
        check(
            P2p,
            "p: read p 0",
            "step 1, p event 1: reads p, which is not an object",
        );
        let stale = "p: send 1 to o\n o: receive 1, publish\n p: read o 0";
        check(
            P2p,
            stale,
            "step 4, p event 2: reads version 0 of o, but the latest is 1",
        );
        check_ok(
            P2p,
            "p: send 1 to o, read o 0\n o: receive 1, publish\n p: read o 1",
        );
        // A request may publish no version, or several.
        check_ok(P2p, "p: send 1 to o\n o: receive 1\n p: read o 0");
        check(
            P2p,
            "p: send 1 to o\n o: receive 1\n p: read o 1",
            "step 3, p event 2: reads version 1 of o, but the latest is 0",
        );
        check_ok(P2p, "p: read o 0\n o: publish, publish\n p: read o 2");
    }

    #[test]
    fn publications() {
        check(
            P2p,
            "p: publish",
            "step 1, p event 1: publishes a new version, but p is not an object",
        );
        check(
            P2p,
            "p: spawn q\n q: publish",
            "step 2, q event 1: publishes a new version, but q is not an object",
        );
    }

    #[test]
    fn choices() {
        check_ok(Mailbox, "p: choose 0 of 1, choose 2 of 3");
        check(
            P2p,
            "p: choose 3 of 3",
            "step 1, p event 1: chooses alternative 3 of 3: alternatives are numbered from 0",
        );
        check(
            P2p,
            "p: exit, choose 0 of 0",
            "step 2, p event 2: chooses alternative 0 of 0: alternatives are numbered from 0",
        );
    }

    #[test]
    fn order_of_a_sender() {
        let swapped = "p: spawn q, send 1 to q, send 2 to q\n q: receive 2";
        check_ok(Unordered, swapped);
        for delivery in [P2p, Causal, Mailbox] {
            let expected = format!(
                "step 4, q event 1: receives message 2, but under {delivery} delivery it must consume 1 first"
            );
            check(delivery, swapped, &expected);
            check_ok(
                delivery,
                "p: spawn q, send 1 to q, send 2 to q\n q: receive 2 except 1, receive 1",
            );
        }
    }

    #[test]
    fn causal_order() {
        let triangle = "p: spawn q, spawn r, send 1 to q, send 3 to r\n r: receive 3, send 2 to q\n q: receive 2";
        check_ok(P2p, triangle);
        check(
            Causal,
            triangle,
            "step 7, q event 1: receives message 2, but under causal delivery it must consume 1 first",
        );
        let by_read = "p: spawn q, send 1 to q, send 3 to o\n o: receive 3, publish\n q: read o 1, send 2 to q, receive 2";
        check_ok(P2p, by_read);
        check(
            Causal,
            by_read,
            "step 8, q event 3: receives message 2, but under causal delivery it must consume 1 first",
        );
        // The read does not see messages that the object received after it published.
        let unseen = "p: spawn q, send 1 to q, send 3 to o\n o: publish, receive 3\n q: read o 1, send 2 to q, receive 2";
        check_ok(Causal, unseen);
    }

    #[test]
    fn mailbox_order() {
        let apart = "p: spawn q, spawn r, send 1 to q\n r: send 2 to q\n q: receive 2";
        check_ok(Causal, apart);
        check(
            Mailbox,
            apart,
            "step 5, q event 1: receives message 2, but under mailbox delivery it must consume 1 first",
        );
        let late = "p: send 1 to p, timeout";
        check_ok(Causal, late);
        check(
            Mailbox,
            late,
            "step 2, p event 2: times out under mailbox delivery while the matching message 1 waits",
        );
        check_ok(Mailbox, "p: timeout, send 1 to p, timeout of 2");
    }
}
