//! Operations on shared objects: the lives and names of processes, tables, counters.

use crate::ids::Pid;
use crate::message::Reason;

/// What a process can ask of a shared object. Front-ends may have pids of their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation<V, P = Pid> {
    /// Tie the asker to a process: an abnormal end of one strikes the other.
    Link(P),
    /// Undo a link.
    Unlink(P),
    /// With whom is the asker linked? Answers those that it made, or had since its spawn, in the
    /// order in which it got them, and then those that others made, in theirs. Whoever has ended is
    /// still among them.
    Links,
    /// Ask to be told when a process ends.
    Monitor {
        /// The process to watch.
        pid: P,
        /// Comes back in the `Down` message; unique per asker.
        reference: u64,
    },
    /// Undo a monitor; answers whether that is in time: the process lives, and no `Down` message
    /// has been sent or will be.
    Demonitor {
        /// The process watched.
        pid: P,
        /// The reference it was made with.
        reference: u64,
    },
    /// Has this process not ended yet?
    IsAlive(P),
    /// Give a process a name; fails if the name is taken or the process has ended.
    Register {
        /// The name.
        name: V,
        /// Its bearer.
        pid: P,
    },
    /// Take a name back; fails if nobody bears it.
    Unregister {
        /// The name.
        name: V,
    },
    /// Who bears this name?
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
    /// A pid that `map` knows nothing of.
    pub fn map_pids<Q, E>(self, map: impl Fn(P) -> Result<Q, E>) -> Result<Operation<V, Q>, E> {
        self.map(std::convert::identity, map)
    }

    /// The same operation in terms of other values and pids.
    ///
    /// # Errors
    /// A pid that `to_pid` knows nothing of.
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

/// What an object answers.
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

/// What arrives at an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request<V> {
    /// An operation that changes it.
    Operation(Operation<V>),
    /// To a life: with whom is its process linked?
    Links(OwnLinks),
    /// To a life: its process has ended.
    Die(End<V>),
}

/// What a process knows itself of its links; its life knows the rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct OwnLinks {
    /// The processes that it tied itself to, or was tied to at its spawn.
    pub made: Vec<Pid>,
    /// The processes whose ties to it it has undone.
    pub undone: Vec<Pid>,
}

/// The end of a process, as its life hears of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct End<V> {
    /// Why it ended.
    pub reason: Reason<V>,
    /// Its links, as far as it knows them itself.
    pub links: OwnLinks,
    /// Who has watched it since its spawn, with the reference.
    pub watchers: Vec<(Pid, u64)>,
}
