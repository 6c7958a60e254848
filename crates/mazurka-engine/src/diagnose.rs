//! Why an execution fails: where it parts from the nearest one that does not.

use mazurka_trace::{At, Pid, Trace};
use std::collections::BTreeMap;

/// What is known about how a failing execution came to fail.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The events of the failing execution that lead to the error, in an order with few switches
    /// between processes. All that is said here of steps and beginnings means this order.
    pub order: Vec<At>,
    /// Where the nearest execution without the error goes another way, if one is known.
    pub parting: Option<Parting>,
    /// From where on all is lost.
    pub no_return: NoReturn,
}

/// Where two executions part, a failing and a passing one.
#[derive(Clone, Debug)]
pub struct Parting {
    /// An execution without the error that shares as much of the failing one's order as any.
    pub passing: Trace,
    /// How many events of each process both have in common: all those that come before the
    /// parting.
    pub common: BTreeMap<Pid, usize>,
    /// The first event of the failing execution that the passing one does not have: what a
    /// process, or a shared object, took, read or chose, or a timeout. At the same place of the
    /// same process the passing one has another event, or none if that process waits there for
    /// ever.
    pub at: At,
}

/// The point of no return of a failing execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoReturn {
    /// The parting: every execution that begins with the failing one up to and including that
    /// event has the error; all were explored.
    AtParting,
    /// It was not explored to the end whether there is one before the error itself.
    Unknown,
    /// The beginning: every execution of the program has the error; all were explored.
    Always,
}
