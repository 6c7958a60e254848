//! The shared objects as transducers: a state and a request give a new state and messages.
//!
//! A name is taken as long as its bearer is alive. The end of a process frees its name without
//! changing the name object, because every read of a name also reads its bearer's liveness.

use crate::ids::{ObjectKey, Pid};
use crate::liveness::{LivenessServed, LivenessState};
use crate::message::Payload;
use crate::operation::{Answer, Operation, Request};

/// The state of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ObjectState<V> {
    Liveness(LivenessState),
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
            ObjectKey::Life(_) => ObjectState::Liveness(LivenessState::default()),
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
            ObjectState::Liveness(state) => Answer::Bool(state.is_alive()),
            ObjectState::Name { bearer, .. } => Answer::Pid(*bearer),
            ObjectState::Cell(value) => Answer::Value(value.clone()),
            ObjectState::Counter(count) => Answer::Int(*count),
        }
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
            (ObjectState::Liveness(state), Request::Liveness(request)) => {
                let ObjectKey::Life(me) = key else {
                    unreachable!("a liveness object belongs to a process")
                };
                let LivenessServed { sends, publishes } = state.serve(me, from, request);
                served.sends = sends;
                served.publishes = publishes;
                None
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
            (_, Request::Liveness(_)) | (ObjectState::Liveness(_), _) => {
                unreachable!("only a liveness object serves requests about liveness")
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

fn kind<V>(operation: &Operation<V>) -> &'static str {
    match operation {
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
