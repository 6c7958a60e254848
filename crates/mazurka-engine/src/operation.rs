//! Operations on shared objects: the liveness and the names of processes, tables, counters.

use crate::ids::Pid;
use crate::message::Reason;

/// An operation on a shared object. Front-ends may use their own type of pids.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation<V, P = Pid> {
    /// Link the asker to a process: if one ends abnormally, the other gets an exit signal.
    Link(P),
    /// Undo a link.
    Unlink(P),
    /// The processes that the asker is linked to. First the links that it made, or has had since its
    /// spawn, in that order; then the links that others made, in the order of their requests.
    /// Processes that have ended are included.
    Links,
    /// Monitor a process: the asker gets a `Down` message when it ends.
    Monitor {
        /// The process to monitor.
        pid: P,
        /// Comes back in the `Down` message; unique per asker.
        reference: u64,
    },
    /// Undo a monitor. Answers true if the process has not ended: no `Down` message has been sent or
    /// will be.
    Demonitor {
        /// The process that is monitored.
        pid: P,
        /// The reference it was made with.
        reference: u64,
    },
    /// Whether this process has not ended yet.
    IsAlive(P),
    /// Give a process a name; fails if the name is taken or the process has ended.
    Register {
        /// The name.
        name: V,
        /// The process to register.
        pid: P,
    },
    /// Unregister a name; fails if no process has it.
    Unregister {
        /// The name.
        name: V,
    },
    /// The process that has this name.
    WhereIs {
        /// The name.
        name: V,
    },
    /// Set a key of a table.
    Put {
        /// The table.
        table: V,
        /// The key.
        key: V,
        /// Its new value.
        value: V,
    },
    /// Set a key of a table if it has no value; answers whether it did.
    PutNew {
        /// The table.
        table: V,
        /// The key.
        key: V,
        /// Its new value.
        value: V,
    },
    /// Remove a key of a table; answers the value it had.
    Take {
        /// The table.
        table: V,
        /// The key.
        key: V,
    },
    /// The value of a key of a table.
    Get {
        /// The table.
        table: V,
        /// The key.
        key: V,
    },
    /// Add to a counter; answers the new count.
    Add {
        /// The counter.
        counter: V,
        /// What to add.
        amount: i64,
    },
    /// The value of a counter.
    Count {
        /// The counter.
        counter: V,
    },
}

impl<V, P> Operation<V, P> {
    /// Whether it changes nothing: then it picks a published version of its object and
    /// commutes with every other read.
    #[must_use]
    pub fn is_read(&self) -> bool {
        matches!(
            self,
            Operation::IsAlive(_)
                | Operation::WhereIs { .. }
                | Operation::Get { .. }
                | Operation::Count { .. }
        )
    }

    /// The same operation in terms of other pids.
    ///
    /// # Errors
    /// `map` does not know a pid.
    pub fn map_pids<Q, E>(self, map: impl Fn(P) -> Result<Q, E>) -> Result<Operation<V, Q>, E> {
        self.map(std::convert::identity, map)
    }

    /// The same operation in terms of other values and pids.
    ///
    /// # Errors
    /// `to_pid` does not know a pid.
    pub fn map<W, Q, E>(
        self,
        to: impl Fn(V) -> W,
        to_pid: impl Fn(P) -> Result<Q, E>,
    ) -> Result<Operation<W, Q>, E> {
        Ok(match self {
            Operation::Link(pid) => Operation::Link(to_pid(pid)?),
            Operation::Unlink(pid) => Operation::Unlink(to_pid(pid)?),
            Operation::Links => Operation::Links,
            Operation::Monitor { pid, reference } => Operation::Monitor {
                pid: to_pid(pid)?,
                reference,
            },
            Operation::Demonitor { pid, reference } => Operation::Demonitor {
                pid: to_pid(pid)?,
                reference,
            },
            Operation::IsAlive(pid) => Operation::IsAlive(to_pid(pid)?),
            Operation::Register { name, pid } => Operation::Register {
                name: to(name),
                pid: to_pid(pid)?,
            },
            Operation::Unregister { name } => Operation::Unregister { name: to(name) },
            Operation::WhereIs { name } => Operation::WhereIs { name: to(name) },
            Operation::Put { table, key, value } => Operation::Put {
                table: to(table),
                key: to(key),
                value: to(value),
            },
            Operation::PutNew { table, key, value } => Operation::PutNew {
                table: to(table),
                key: to(key),
                value: to(value),
            },
            Operation::Take { table, key } => Operation::Take {
                table: to(table),
                key: to(key),
            },
            Operation::Get { table, key } => Operation::Get {
                table: to(table),
                key: to(key),
            },
            Operation::Add { counter, amount } => Operation::Add {
                counter: to(counter),
                amount,
            },
            Operation::Count { counter } => Operation::Count {
                counter: to(counter),
            },
        })
    }
}

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
    Pid(Option<Pid>),
    /// Processes.
    Pids(Vec<Pid>),
    /// A value, if there is one.
    Value(Option<V>),
    /// A number.
    Int(i64),
}

/// A request to an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request<V> {
    /// An operation that changes it.
    Operation(Operation<V>),
    /// To a liveness object: the links of its process.
    Links(OwnLinks),
    /// To a liveness object: its process has ended.
    Die(End<V>),
}

/// The links that a process has stored itself; its liveness object has the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct OwnLinks {
    /// The processes that it linked to, or was linked to at its spawn.
    pub made: Vec<Pid>,
    /// The processes that it has unlinked from.
    pub undone: Vec<Pid>,
}

/// The end of a process, as it is sent to its liveness object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct End<V> {
    /// Why it ended.
    pub reason: Reason<V>,
    /// The links that it has stored itself.
    pub links: OwnLinks,
    /// The processes that have monitored it since its spawn, each with its reference.
    pub watchers: Vec<(Pid, u64)>,
}
