//! The operations on names, tables and counters.

use crate::ids::PidId;

/// An operation on a name, a key of a table or a counter. Front-ends may use their own types of values
/// and pids.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation<V, P = PidId> {
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
    /// Add 1 to a counter, and raise it to `least` if it is less; answers the new count.
    Advance {
        /// The counter.
        counter: V,
        /// The least new count.
        least: i64,
    },
    /// Set a counter; answers the count before.
    Exchange {
        /// The counter.
        counter: V,
        /// The new count.
        count: i64,
    },
    /// Set a counter if it has the expected count; answers the count before.
    CompareExchange {
        /// The counter.
        counter: V,
        /// The expected count.
        expected: i64,
        /// The new count.
        count: i64,
    },
    /// The value of a counter.
    Count {
        /// The counter.
        counter: V,
    },
}

impl<V, P> Operation<V, P> {
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
            Operation::Advance { counter, least } => Operation::Advance {
                counter: to(counter),
                least,
            },
            Operation::Exchange { counter, count } => Operation::Exchange {
                counter: to(counter),
                count,
            },
            Operation::CompareExchange {
                counter,
                expected,
                count,
            } => Operation::CompareExchange {
                counter: to(counter),
                expected,
                count,
            },
            Operation::Count { counter } => Operation::Count {
                counter: to(counter),
            },
        })
    }
}
