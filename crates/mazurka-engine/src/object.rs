//! The shared objects as transducers: a state, a request, and what comes of it.
//!
//! A name is taken as long as its bearer lives: the end of a process frees its name
//! without touching it, because whoever looks at a name looks at its bearer's life too.
//!
//! A tie between two processes is remembered where it was made: by the process that made it
//! (it comes with its end, and with its question for its links), and by the life of the other one. Undoing it is remembered in the
//! same two places. A tie that one side undoes and the other makes again later counts as
//! undone.

use crate::ids::{ObjectKey, Pid};
use crate::message::{Payload, Reason};
use crate::operation::{Answer, End, Operation, OwnLinks, Request};

/// What an object remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ObjectState<V> {
    Life {
        dead: bool,
        /// Who has tied itself to the process, and who has undone a tie.
        links: Vec<Pid>,
        unlinked: Vec<Pid>,
        /// Who watches it, and who has stopped.
        watchers: Vec<(Pid, u64)>,
        unwatched: Vec<(Pid, u64)>,
    },
    Name {
        bearer: Option<Pid>,
        /// A request that waits to hear of a life.
        pending: Option<Pending>,
    },
    Cell(Option<V>),
    Counter(i64),
}

/// A request to a name that cannot be served before a life is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    from: Pid,
    /// Who shall bear the name; nobody when it is taken back.
    wanted: Option<Pid>,
    /// Whose life is looked at: the bearer's first. In this order the two looks are as
    /// good as one: a dead bearer stays dead until the other is seen alive.
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
    /// The process whose life the object must look at before it can go on.
    pub looks_at: Option<Pid>,
}

impl<V: Clone + Eq> ObjectState<V> {
    pub(crate) fn initial(key: ObjectKey) -> Self {
        match key {
            ObjectKey::Life(_) => ObjectState::Life {
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
            ObjectState::Life { dead, .. } => Answer::Bool(!dead),
            ObjectState::Name { bearer, .. } => Answer::Pid(*bearer),
            ObjectState::Cell(value) => Answer::Value(value.clone()),
            ObjectState::Counter(count) => Answer::Int(*count),
        }
    }

    /// A life: with whom its process is linked, which knows its own part itself.
    fn links(&self, own: &OwnLinks) -> Vec<Pid> {
        let ObjectState::Life {
            links, unlinked, ..
        } = self
        else {
            unreachable!("only a life has links")
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
            looks_at: None,
        };
        let answer = match (&mut served.state, request) {
            (ObjectState::Life { .. }, request) => {
                let ObjectKey::Life(me) = key else {
                    unreachable!("a life belongs to a process")
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
                    Some(life) => {
                        *pending = Some(Pending {
                            from,
                            wanted,
                            at_bearer: bearer.is_some(),
                        });
                        served.looks_at = Some(life);
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
                unreachable!("only a life ends or has links")
            }
        };
        if let Some(answer) = answer {
            served.sends.push((from, Payload::Answer(answer)));
        }
        served
    }

    /// Goes on with the pending request of a name, now that a life is known.
    pub(crate) fn looked(&self, lives: bool) -> Served<V> {
        let ObjectState::Name {
            bearer,
            pending: Some(pending),
        } = self
        else {
            unreachable!("only a name with a pending request looks at a life")
        };
        let (after, answer) = match (pending.at_bearer, lives, pending.wanted) {
            // The name is free after all: does the one who shall bear it live?
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
                    looks_at: Some(wanted),
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
            looks_at: None,
        }
    }
}

impl<V: Clone + Eq> Served<V> {
    /// A life: its process has ended, and those tied to it are told.
    fn die(&mut self, me: Pid, end: &End<V>) {
        // Links before monitors: so does Erlang, which tells one who has both in this order.
        for link in self.state.links(&end.links) {
            let reason = end.reason.clone();
            self.sends.push((link, Payload::Exit { from: me, reason }));
        }
        let ObjectState::Life {
            dead,
            watchers,
            unwatched,
            ..
        } = &mut self.state
        else {
            unreachable!("only a life ends")
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

    /// A life: `from` ties itself to its process, or undoes that. One who comes too late gets its
    /// answer first: it may go on before it is told that there is no such process.
    fn tie(&mut self, me: Pid, from: Pid, operation: &Operation<V>) {
        let ObjectState::Life {
            dead,
            links,
            unlinked,
            watchers,
            unwatched,
        } = &mut self.state
        else {
            unreachable!("only a life has ties")
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
            other => unreachable!("not an operation on a life: {}", kind(other)),
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
