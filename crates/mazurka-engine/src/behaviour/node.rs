//! A node: a local history of one process, and what it needs to continue.

use crate::answer::Answer;
use crate::frontend::{Frontend, Mode, ObjectStateOf, OperationOf, STATE_BYTES};
use crate::ids::{ConstraintId, NodeId, PidId, RootId, ValueId};
use crate::liveness::{LivenessOperation, Tie, Ties};
use crate::message::Reason;
use crate::object::ObjectState;
use smallvec::SmallVec;
use std::rc::Rc;

/// What a process waits for, in terms of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// A message that satisfies a constraint, or a timeout.
    Receive {
        /// The constraint.
        constraint: ConstraintId,
        /// The timeout, if it has one.
        timeout_ms: Option<u64>,
    },
    /// The answer of the object to which it has sent a request.
    Answer,
    /// The receipt of the message that it has sent last.
    HandedOver {
        /// The receiver.
        to: PidId,
        /// The message.
        value: ValueId,
    },
    /// A version of an object.
    Read {
        /// The object.
        object: PidId,
    },
    /// Any request: an object that is idle.
    Serve,
    /// A choice of the process itself.
    Choose {
        /// The number of alternatives.
        of: u32,
        /// If the alternatives are whether it is disturbed: the number of disturbances in an
        /// execution.
        limit: Option<u32>,
    },
    /// Nothing: it has ended.
    Ended(Ending),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Normally, or by a signal.
    Fine,
    /// By an error.
    Crash,
    /// By a failed assertion.
    Assertion,
}

impl Ending {
    pub(super) fn of<V>(reason: &Reason<V>) -> Self {
        match reason {
            Reason::Crash(_) => Ending::Crash,
            Reason::Assertion(_) => Ending::Assertion,
            _ => Ending::Fine,
        }
    }
}

/// A visible effect, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Spawn {
        pid: PidId,
        root: RootId,
        link: bool,
        monitor: Option<u64>,
    },
    Send {
        to: PidId,
        value: ValueId,
    },
    TrapExit(bool),
    /// Starts a courier. Part of the read, or of the end, that calls for it: no signal check comes
    /// before it.
    Courier(PidId),
    /// A process is about to link to another: a signal may end it before, but not between the link and
    /// the start of its courier.
    Link(PidId),
    /// Undoes a link.
    Unlink(PidId),
}

impl Effect {
    /// Whether it is an action of the program.
    pub(crate) fn is_action(&self) -> bool {
        !matches!(
            self,
            Effect::Courier(_) | Effect::Link(_) | Effect::Unlink(_)
        )
    }
}

/// The effects of a node. Most nodes have one or none, which need no allocation.
pub(crate) type Effects = SmallVec<[Effect; 1]>;

/// The state of a process that the engine keeps, not the front-end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Local {
    pub spawned: u32,
    pub trapping: bool,
    pub mode: Mode,
    /// Whether the timeout of its receive waits until nothing else can happen.
    pub patient: bool,
    pub ties: Ties,
}

/// The state from which a node can continue.
pub(super) enum Snapshot<F: Frontend> {
    /// User code.
    User(F::State),
    /// User code that reads a shared object. The rest is boxed, because most nodes do not read and
    /// should be small.
    Reading(F::State, Box<ReadSoFar<F>>),
    /// User code that reads liveness, or whether a courier has delivered its message.
    Liveness(F::State, LivenessOperation),
    /// A shared object. Boxed, because most nodes are not objects and should be small.
    Object(Box<ObjectState<F>>),
    /// A process that has ended.
    Over {
        reason: Reason<F::Value>,
        /// The state in which its own code ended, if that has notes. Boxed, because most have none.
        state: Option<Box<F::State>>,
    },
}

/// A read of shared objects, and what it has seen so far.
pub(super) struct ReadSoFar<F: Frontend> {
    pub(super) operation: OperationOf<F>,
    pub(super) seen: Vec<Answer<F::Value>>,
}

impl<F: Frontend> ReadSoFar<F> {
    /// The operation, and what it has seen with this answer.
    pub(super) fn and(&self, answer: &Answer<F::Value>) -> (OperationOf<F>, Vec<Answer<F::Value>>) {
        let seen = self.seen.iter().chain([answer]).cloned();
        (self.operation.clone(), seen.collect())
    }
}

/// The part of an input that the process can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// It consumed this message, or read this answer.
    Value(ValueId),
    Timeout,
    /// It chose this alternative.
    Choice(u32),
    /// This signal ended it after the first `after` of the node's effects.
    Killed {
        value: ValueId,
        after: u32,
    },
}

pub(crate) struct Node<F: Frontend> {
    pub(super) snapshot: Snapshot<F>,
    pub effects: Effects,
    pub wait: Wait,
    /// Whether readers of this object see a new version.
    pub publishes: bool,
    /// Whether the first effect is the receipt for a sender that waits for it. That is not an
    /// action of the process but part of the receive.
    pub acknowledges: bool,
    /// Before the effects.
    pub before: Rc<Local>,
    /// After them.
    pub after: Rc<Local>,
    pub(super) pid: PidId,
    pub(super) edge: Edge,
    pub(super) parent: NodeId,
    pub(super) first_child: NodeId,
    pub(super) next_sibling: NodeId,
    /// Whether the timeout of its receive is an idle round, if that is known. If it is, the receive has no
    /// timeout any more.
    pub(super) settled: bool,
    pub polls: bool,
    /// Whether it belongs to the tree; if not, its place is free.
    pub(super) alive: bool,
    pub(super) kept: bool,
}

impl<F: Frontend> Node<F> {
    /// A node without children, effects or changes of its local state.
    #[inline(always)]
    pub(super) fn new(
        pid: PidId,
        edge: Edge,
        snapshot: Snapshot<F>,
        wait: Wait,
        local: Rc<Local>,
    ) -> Self {
        Node {
            snapshot,
            effects: Effects::new(),
            wait,
            publishes: false,
            acknowledges: false,
            before: Rc::clone(&local),
            after: local,
            pid,
            edge,
            parent: NodeId::NONE,
            first_child: NodeId::NONE,
            next_sibling: NodeId::NONE,
            settled: false,
            polls: false,
            alive: true,
            kept: false,
        }
    }

    /// Why the process ended, if this is its end.
    pub(crate) fn end(&self) -> Option<&Reason<F::Value>> {
        match &self.snapshot {
            Snapshot::Over { reason, .. } => Some(reason),
            _ => None,
        }
    }

    /// The state of user code.
    pub(crate) fn state(&self) -> Option<&F::State> {
        match &self.snapshot {
            Snapshot::User(state) | Snapshot::Reading(state, _) | Snapshot::Liveness(state, _) => {
                Some(state)
            }
            Snapshot::Over { state, .. } => state.as_deref(),
            Snapshot::Object(_) => None,
        }
    }

    /// The state of an object of the front-end.
    pub(crate) fn object_state(&self) -> Option<&ObjectStateOf<F>> {
        match &self.snapshot {
            Snapshot::Object(object) => match &**object {
                ObjectState::Shared { state, .. } => Some(state),
                ObjectState::Liveness(_) | ObjectState::Courier { .. } => None,
            },
            _ => None,
        }
    }

    /// The operation on liveness for which the process reads.
    pub(crate) fn liveness_operation(&self) -> Option<LivenessOperation> {
        match self.snapshot {
            Snapshot::Liveness(_, operation) => Some(operation),
            _ => None,
        }
    }

    /// Number of first effects that are part of the input: the receipt for a message, or the start of a
    /// courier. No signal check comes before them.
    pub(crate) fn part_of_input(&self) -> u32 {
        let is_part = self.acknowledges || matches!(self.effects.first(), Some(Effect::Courier(_)));
        u32::from(is_part)
    }

    /// Whether the message that the courier of this link or monitor brings has an effect on the process
    /// after the first `done` effects.
    pub(crate) fn expects(&self, of: PidId, tie: Tie, done: u32) -> bool {
        let done = done as usize;
        if done >= self.effects.len() {
            return self.after.ties.expect(of, tie);
        }
        let is_unlink = |effect: &Effect| *effect == Effect::Unlink(of);
        self.before.ties.expect(of, tie)
            && !(tie.is_link() && self.effects[..done].iter().any(is_unlink))
    }

    /// Whether a signal ended the process and not its own code.
    pub(crate) fn was_killed(&self) -> bool {
        matches!(self.edge, Edge::Killed { .. })
    }

    /// The operation for which the process or object reads.
    pub(super) fn reads_for(&self) -> Option<&OperationOf<F>> {
        match &self.snapshot {
            Snapshot::Reading(_, so_far) => Some(&so_far.operation),
            Snapshot::Object(object) => match &**object {
                ObjectState::Shared {
                    pending: Some(pending),
                    ..
                } => Some(&pending.operation),
                _ => None,
            },
            Snapshot::User(_) | Snapshot::Liveness(..) | Snapshot::Over { .. } => None,
        }
    }

    /// Whether the process has made some of the reads of an operation, but not all.
    pub(crate) fn is_reading_on(&self) -> bool {
        matches!(&self.snapshot, Snapshot::Reading(_, so_far) if !so_far.seen.is_empty())
    }

    /// The estimated memory of the node.
    #[inline]
    pub(super) fn bytes(&self, frontend: &F) -> usize {
        let snapshot = match &self.snapshot {
            Snapshot::User(state) | Snapshot::Reading(state, _) | Snapshot::Liveness(state, _) => {
                frontend.hints().state_bytes(state)
            }
            Snapshot::Over {
                state: Some(state), ..
            } => frontend.hints().state_bytes(state),
            Snapshot::Object(_) | Snapshot::Over { state: None, .. } => STATE_BYTES,
        };
        let effects = size_of_val(self.effects.as_slice());
        size_of::<Self>()
            .saturating_add(effects)
            .saturating_add(snapshot)
    }
}
