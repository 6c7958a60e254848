//! The answers of shared objects.

use crate::ids::PidId;

/// The answer of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer<V> {
    /// Done.
    Ok,
    /// Refused (Erlang's `badarg`).
    Refused,
    /// Yes or no.
    Bool(bool),
    /// A process, if there is one.
    Pid(Option<PidId>),
    /// Processes.
    Pids(Vec<PidId>),
    /// A value, if there is one.
    Value(Option<V>),
    /// A number.
    Int(i64),
}
