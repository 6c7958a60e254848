//! Shared objects in behaviour trees: a state and an input give a new state and messages.
//!
//! Liveness is built in. The other objects are those of the front-end; here is what all of them have in
//! common: a request that waits for what it must read first.

use crate::answer::Answer;
use crate::frontend::{
    Asked, Frontend, KeyOf, ObjectStateOf, OperationOf, Served, SharedObjects, Source,
};
use crate::ids::PidId;
use crate::liveness::{Courier, End};
use crate::message::Payload;

/// The state of an object.
pub(crate) enum ObjectState<F: Frontend> {
    /// The end of its process, once it is known.
    Liveness(Option<End<F::Value>>),
    /// A courier that has brought its message, or not.
    Courier { sent: bool },
    Shared {
        state: ObjectStateOf<F>,
        /// A request that is served in more than one step, because the object must read others. Boxed,
        /// because most states have none and should be small.
        pending: Option<Box<Pending<F>>>,
    },
}

/// A request that cannot be served before something has been read.
pub(crate) struct Pending<F: Frontend> {
    by: PidId,
    pub(crate) operation: OperationOf<F>,
    /// What has been read so far.
    seen: Vec<Answer<F::Value>>,
}

/// What an object does with one input.
pub(crate) struct Reaction<F: Frontend> {
    pub state: ObjectState<F>,
    /// The answer, and the process that gets it.
    pub answer: Option<(PidId, Answer<F::Value>)>,
    /// The message of a courier, and the process that gets it.
    pub brings: Option<(Courier, Payload<F::Value>)>,
    /// The couriers that it starts.
    pub couriers: Vec<Courier>,
    /// Whether readers can see a difference: a new version.
    pub publishes: bool,
    /// What the object must read before it can continue.
    pub reads: Option<Source<KeyOf<F>>>,
}

impl<F: Frontend> ObjectState<F> {
    /// An object of the front-end that is idle in this state.
    pub(crate) fn idle(state: ObjectStateOf<F>) -> Self {
        let pending = None;
        ObjectState::Shared { state, pending }
    }
}

impl<F: Frontend> Reaction<F> {
    /// The state of an object before its first request.
    pub(crate) fn none(state: ObjectState<F>) -> Self {
        Reaction {
            state,
            answer: None,
            brings: None,
            couriers: Vec::new(),
            publishes: false,
            reads: None,
        }
    }
}

/// Serves a request, or continues to serve it, with what the object has seen for it.
pub(crate) fn serve<F: Frontend>(
    key: &KeyOf<F>,
    state: &ObjectStateOf<F>,
    request: Asked<'_, OperationOf<F>>,
    seen: Vec<Answer<F::Value>>,
) -> Reaction<F> {
    let by = request.by;
    match F::Objects::serve(key, state, request, &seen) {
        Served::Read(source) => Reaction {
            reads: Some(source),
            ..Reaction::none(ObjectState::Shared {
                state: state.clone(),
                pending: Some(Box::new(Pending {
                    by,
                    operation: request.operation.clone(),
                    seen,
                })),
            })
        },
        Served::Done {
            state,
            answer,
            publishes,
        } => Reaction {
            answer: Some((by, answer)),
            publishes,
            ..Reaction::none(ObjectState::idle(state))
        },
    }
}

impl<F: Frontend> Pending<F> {
    /// Continues to serve the request, now that the object has seen `answer`.
    pub(crate) fn resume(
        &self,
        key: &KeyOf<F>,
        state: &ObjectStateOf<F>,
        answer: Answer<F::Value>,
    ) -> Reaction<F> {
        let mut seen = self.seen.clone();
        seen.push(answer);
        let request = Asked {
            by: self.by,
            operation: &self.operation,
        };
        serve(key, state, request, seen)
    }
}
