//! What a process waits for, and what answers it.

use super::objects::{NoObjects, OperationOf};
use super::run::Frontend;
use crate::answer::Answer;
use crate::ids::PidId;
use crate::liveness::LivenessOperation;
use crate::message::{Payload, Reason};

/// A demand of a front-end's processes.
pub type DemandOf<F> = Demand<<F as Frontend>::Value, <F as Frontend>::Constraint, OperationOf<F>>;

/// What a process waits for: values `V`, constraints `C`, operations `O` on shared objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand<V, C, O = NoObjects> {
    /// A message that satisfies the constraint, or the timeout.
    Receive {
        /// Which messages it takes.
        constraint: C,
        /// The timeout in milliseconds, if there is one.
        timeout_ms: Option<u64>,
    },
    /// The answer of the liveness object of a process: links, monitors, liveness checks.
    Liveness(LivenessOperation),
    /// The answer of a shared object.
    Ask(O),
    /// A rendezvous: the process sends a message and waits until it is received. The answer is
    /// [`Answer::Ok`]. The receiver cannot distinguish the message from one sent without waiting.
    HandOver {
        /// The receiver.
        to: PidId,
        /// The message.
        value: V,
    },
    /// A choice between this many alternatives, at least one; all are explored. The answer is
    /// [`Answer::Int`] with the index of the alternative, from 0.
    Choose(u32),
    /// Whether something happens to the process here that comes from outside the program, such as
    /// being killed. The answer is [`Answer::Int`]: 1 if it does, otherwise 0. All executions are
    /// explored in which at most `limit` such disturbances happen, in all processes together.
    Disturb {
        /// The number of disturbances in an execution. All demands of a program have the same limit.
        limit: u32,
    },
    /// Nothing: the process has ended.
    Exit(Reason<V>),
}

/// What answers a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a, V> {
    /// The message consumed by a receive.
    Message(&'a Payload<V>),
    /// The receive's timeout fired.
    Timeout,
    /// The answer to a [`Liveness`](Demand::Liveness), an [`Ask`](Demand::Ask), a [`HandOver`](Demand::HandOver), a
    /// [`Choose`](Demand::Choose) or [`Disturb`](Demand::Disturb).
    Answer(&'a Answer<V>),
}
