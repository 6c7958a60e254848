//! The visible effects of a process.

use super::run::Frontend;
use crate::ids::PidId;
use crate::message::Reason;

/// Actions of a front-end's processes.
pub type ActionsOf<F> = Vec<Action<<F as Frontend>::Value, <F as Frontend>::Start>>;

/// A visible effect of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action<V, S> {
    /// A new process.
    Spawn {
        /// Its pid.
        pid: PidId,
        /// What it runs.
        start: S,
        /// Whether it is linked to its parent from the start.
        link: bool,
        /// The reference of the parent's monitor, if it has one from the start.
        monitor: Option<u64>,
    },
    /// A message.
    Send {
        /// The receiver.
        to: PidId,
        /// The message.
        value: V,
    },
    /// An exit signal.
    Signal {
        /// The receiver.
        to: PidId,
        /// The exit reason.
        reason: Reason<V>,
    },
    /// Turns the trapping of exit signals on or off. A trapped signal is a message.
    TrapExit(bool),
}
