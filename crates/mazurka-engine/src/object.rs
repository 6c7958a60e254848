//! The shared objects as transducers: a state and a request give a new state and messages.
//!
//! A name is taken as long as its bearer is alive. The end of a process frees its name without
//! changing the name object, because every read of a name also reads its bearer's liveness.
//!
//! A link or monitor is stored in two places: in the process that made it, which passes it on with
//! its end and when it asks for its links, and in the liveness object of the other process. Undoing
//! it is stored in the same two places. A link that one side undoes and the other makes again later
//! counts as undone.

use crate::ids::{ObjectKey, Pid};
use crate::message::{Payload, Reason};
use crate::operation::{Answer, End, Operation, OwnLinks, Request};

/// The state of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ObjectState<V> {
    Liveness {
        dead: bool,
        /// The processes that have linked to this one, and those that have unlinked.
        links: Vec<Pid>,
        unlinked: Vec<Pid>,
        /// The processes that monitor it, and those that have stopped, each with its reference.
        watchers: Vec<(Pid, u64)>,
        unwatched: Vec<(Pid, u64)>,
    },
    Name {
        bearer: Option<Pid>,
        /// A request that waits for a read of a liveness object.
        pending: Option<Pending>,
    },
    Cell(Option<V>),
    Counter(i64),
}

/// A request to a name that cannot be served before a liveness object has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    from: Pid,
    /// The process to register; `None` to unregister.
    wanted: Option<Pid>,
    /// Whether the liveness being read is the bearer's, which comes first, or that of `wanted`. In
    /// this order the two reads act as one: an ended bearer is still ended when `wanted` is read.
    at_bearer: bool,
}

/// What an object does with one input.
#[derive(Debug)]
pub(crate) struct Served<V> {
    pub state: ObjectState<V>,
    /// Messages to send, in this order.
    pub sends: Vec<(Pid, Payload<V>)>,
    /// Whether readers can see a difference: a new version.
    pub publishes: bool,
    /// The process whose liveness the object must read before it can continue.
    pub reads_liveness_of: Option<Pid>,
}

impl<V: Clone + Eq> ObjectState<V> {
    pub(crate) fn initial(key: ObjectKey) -> Self {
        match key {
            ObjectKey::Life(_) => ObjectState::Liveness {
                dead: false,
                links: Vec::new(),
                unlinked: Vec::new(),
                watchers: Vec::new(),
                unwatched: Vec::new(),
            },
            ObjectKey::Name(_) => ObjectState::Name {
                bearer: None,
                pending: None,
            },
            ObjectKey::Cell { .. } => ObjectState::Cell(None),
            ObjectKey::Counter(_) => ObjectState::Counter(0),
        }
    }

    /// The answer to an operation that changes nothing.
    pub(crate) fn read(&self) -> Answer<V> {
        match self {
            ObjectState::Liveness { dead, .. } => Answer::Bool(!dead),
            ObjectState::Name { bearer, .. } => Answer::Pid(*bearer),
            ObjectState::Cell(value) => Answer::Value(value.clone()),
            ObjectState::Counter(count) => Answer::Int(*count),
        }
    }

    /// The links of the process that this liveness object belongs to; `own` is what the process
    /// itself has stored.
    fn links(&self, own: &OwnLinks) -> Vec<Pid> {
        let ObjectState::Liveness {
            links, unlinked, ..
        } = self
        else {
            unreachable!("only a liveness object has links")
        };
        let mut linked = Vec::new();
        let made = own.made.iter().filter(|link| !unlinked.contains(link));
        let others = links.iter().filter(|link| !own.undone.contains(link));
        for &link in made.chain(others) {
            if !linked.contains(&link) {
                linked.push(link);
            }
        }
        linked
    }

    /// Serves a request of `from`.
    pub(crate) fn serve(&self, key: ObjectKey, from: Pid, request: &Request<V>) -> Served<V> {
        let mut served = Served {
            state: self.clone(),
            sends: Vec::new(),
            publishes: false,
            reads_liveness_of: None,
        };
        let answer = match (&mut served.state, request) {
            (ObjectState::Liveness { .. }, request) => {
                let ObjectKey::Life(me) = key else {
                    unreachable!("a liveness object belongs to a process")
                };
                match request {
                    Request::Die(end) => {
                        served.die(me, end);
                        None
                    }
                    Request::Links(own) => Some(Answer::Pids(served.state.links(own))),
                    Request::Operation(operation) => {
                        served.tie(me, from, operation);
                        None
                    }
                }
            }
            (ObjectState::Name { bearer, pending }, Request::Operation(operation)) => {
                let wanted = match operation {
                    Operation::Register { pid, .. } => Some(*pid),
                    Operation::Unregister { .. } => None,
                    other => unreachable!("not an operation on a name: {}", kind(other)),
                };
                match bearer.or(wanted) {
                    None => Some(Answer::Refused),
                    Some(process) => {
                        *pending = Some(Pending {
                            from,
                            wanted,
                            at_bearer: bearer.is_some(),
                        });
                        served.reads_liveness_of = Some(process);
                        None
                    }
                }
            }
            (ObjectState::Cell(value), Request::Operation(operation)) => match operation {
                Operation::Put { value: new, .. } => {
                    served.publishes = value.as_ref() != Some(new);
                    *value = Some(new.clone());
                    Some(Answer::Ok)
                }
                Operation::PutNew { value: new, .. } => {
                    let free = value.is_none();
                    if free {
                        *value = Some(new.clone());
                        served.publishes = true;
                    }
                    Some(Answer::Bool(free))
                }
                Operation::Take { .. } => {
                    let taken = value.take();
                    served.publishes = taken.is_some();
                    Some(Answer::Value(taken))
                }
                other => unreachable!("not an operation on a table: {}", kind(other)),
            },
            (ObjectState::Counter(count), Request::Operation(operation)) => match operation {
                Operation::Add { amount, .. } => {
                    *count = count.wrapping_add(*amount);
                    served.publishes = *amount != 0;
                    Some(Answer::Int(*count))
                }
                other => unreachable!("not an operation on a counter: {}", kind(other)),
            },
            (_, Request::Die(_) | Request::Links(_)) => {
                unreachable!("only a liveness object records an end or has links")
            }
        };
        if let Some(answer) = answer {
            served.sends.push((from, Payload::Answer(answer)));
        }
        served
    }

    /// Continues the pending request of a name, now that a liveness object has been read.
    pub(crate) fn liveness_read(&self, alive: bool) -> Served<V> {
        let ObjectState::Name {
            bearer,
            pending: Some(pending),
        } = self
        else {
            unreachable!("only a name with a pending request reads a liveness object")
        };
        let (after, answer) = match (pending.at_bearer, alive, pending.wanted) {
            // The bearer has ended, so the name is free. Is the process to register alive?
            (true, false, Some(wanted)) => {
                return Served {
                    state: ObjectState::Name {
                        bearer: *bearer,
                        pending: Some(Pending {
                            at_bearer: false,
                            ..*pending
                        }),
                    },
                    sends: Vec::new(),
                    publishes: false,
                    reads_liveness_of: Some(wanted),
                };
            }
            (true, true, None) => (None, Answer::Ok),
            (false, true, wanted) => (wanted, Answer::Ok),
            (true, true, Some(_)) | (_, false, _) => (*bearer, Answer::Refused),
        };
        Served {
            publishes: after != *bearer,
            state: ObjectState::Name {
                bearer: after,
                pending: None,
            },
            sends: vec![(pending.from, Payload::Answer(answer))],
            reads_liveness_of: None,
        }
    }
}

impl<V: Clone + Eq> Served<V> {
    /// Records that the process has ended, and sends exit signals to its links and `Down` messages
    /// to its monitors.
    fn die(&mut self, me: Pid, end: &End<V>) {
        // Links before monitors: a process that has both gets them in this order in Erlang, too.
        for link in self.state.links(&end.links) {
            let reason = end.reason.clone();
            self.sends.push((link, Payload::Exit { from: me, reason }));
        }
        let ObjectState::Liveness {
            dead,
            watchers,
            unwatched,
            ..
        } = &mut self.state
        else {
            unreachable!("only a liveness object records an end")
        };
        *dead = true;
        self.publishes = true;
        for watcher in end
            .watchers
            .iter()
            .filter(|w| !unwatched.contains(w))
            .chain(watchers.iter())
        {
            let (to, reference) = *watcher;
            let reason = end.reason.clone();
            let from = me;
            self.sends.push((
                to,
                Payload::Down {
                    reference,
                    from,
                    reason,
                },
            ));
        }
    }

    /// `from` links to the process, monitors it, or undoes that. If the process has ended, the answer
    /// is sent first: `from` may continue before the `NoProcess` message arrives.
    fn tie(&mut self, me: Pid, from: Pid, operation: &Operation<V>) {
        let ObjectState::Liveness {
            dead,
            links,
            unlinked,
            watchers,
            unwatched,
        } = &mut self.state
        else {
            unreachable!("only a liveness object has links and monitors")
        };
        let reason = Reason::NoProcess;
        let mut answer = Answer::Ok;
        let mut too_late = None;
        match operation {
            Operation::Link(_) if *dead => {
                too_late = Some(Payload::Exit { from: me, reason });
            }
            Operation::Link(_) => {
                unlinked.retain(|link| *link != from);
                if !links.contains(&from) {
                    links.push(from);
                }
            }
            Operation::Unlink(_) => {
                links.retain(|link| *link != from);
                if !unlinked.contains(&from) {
                    unlinked.push(from);
                }
            }
            Operation::Monitor { reference, .. } if *dead => {
                too_late = Some(Payload::Down {
                    reference: *reference,
                    from: me,
                    reason,
                });
            }
            Operation::Monitor { reference, .. } => watchers.push((from, *reference)),
            Operation::Demonitor { reference, .. } => {
                watchers.retain(|watcher| *watcher != (from, *reference));
                unwatched.push((from, *reference));
                answer = Answer::Bool(!*dead);
            }
            other => unreachable!("not an operation on a liveness object: {}", kind(other)),
        }
        let payloads = std::iter::once(Payload::Answer(answer)).chain(too_late);
        self.sends.extend(payloads.map(|payload| (from, payload)));
    }
}

fn kind<V>(operation: &Operation<V>) -> &'static str {
    match operation {
        Operation::Link(_) => "link",
        Operation::Unlink(_) => "unlink",
        Operation::Links => "links",
        Operation::Monitor { .. } => "monitor",
        Operation::Demonitor { .. } => "demonitor",
        Operation::IsAlive(_) => "is alive",
        Operation::Register { .. } => "register",
        Operation::Unregister { .. } => "unregister",
        Operation::WhereIs { .. } => "where is",
        Operation::Put { .. } => "put",
        Operation::PutNew { .. } => "put new",
        Operation::Take { .. } => "take",
        Operation::Get { .. } => "get",
        Operation::Add { .. } => "add",
        Operation::Count { .. } => "count",
    }
}
