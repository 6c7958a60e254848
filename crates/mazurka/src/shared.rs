//! Tables and counters that all processes share, each operation on them a step of its own.

use crate::message::{Key, Message, Original, Value};
use crate::stage::Given;
use crate::ties::ask;
use crate::{Answer, Operation};
use std::marker::PhantomData;

/// A table that all processes share. Tables with equal names are the same table, and equal keys the
/// same key. Values need only be messages: `get` and `take` return what was put.
///
/// Operations on different keys commute. For one key, every order of operations that the program can
/// distinguish is explored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table<K, V> {
    name: Value,
    entries: PhantomData<fn(K) -> V>,
}

impl<K: Key, V: Message> Table<K, V> {
    /// The table of this name, empty at first.
    #[must_use]
    pub fn new(name: impl Key) -> Self {
        Table {
            name: Value::key(name),
            entries: PhantomData,
        }
    }

    /// Sets the value of a key.
    pub async fn put(&self, key: K, value: V) {
        let (table, key) = (self.name.clone(), Value::key(key));
        let value = Value::new(value);
        ask("Table::put", Operation::Put { table, key, value }).await;
    }

    /// Sets the value of a key if it has none. Returns whether it had none.
    pub async fn put_new(&self, key: K, value: V) -> bool {
        let (table, key) = (self.name.clone(), Value::key(key));
        let value = Value::new(value);
        let answer = ask("Table::put_new", Operation::PutNew { table, key, value }).await;
        matches!(answer, Given::Answer(Answer::Bool(true)))
    }

    /// The value of a key.
    pub async fn get(&self, key: K) -> Option<V> {
        let (table, key) = (self.name.clone(), Value::key(key));
        value(&ask("Table::get", Operation::Get { table, key }).await)
    }

    /// Removes a key and returns its value.
    pub async fn take(&self, key: K) -> Option<V> {
        let (table, key) = (self.name.clone(), Value::key(key));
        value(&ask("Table::take", Operation::Take { table, key }).await)
    }
}

fn value<V: Message>(answer: &Given) -> Option<V> {
    match answer {
        Given::Answer(Answer::Value(Some(Original(value)))) => value.get(),
        _ => None,
    }
}

/// A counter that all processes share. Counters with equal names are the same counter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counter {
    name: Value,
}

impl Counter {
    /// The counter of this name, 0 at first.
    #[must_use]
    pub fn new(name: impl Key) -> Self {
        Counter {
            name: Value::key(name),
        }
    }

    /// Adds to the counter and returns the new count.
    pub async fn add(&self, amount: i64) -> i64 {
        let counter = self.name.clone();
        number(&ask("Counter::add", Operation::Add { counter, amount }).await)
    }

    /// The current count.
    pub async fn get(&self) -> i64 {
        let counter = self.name.clone();
        number(&ask("Counter::get", Operation::Count { counter }).await)
    }
}

fn number(answer: &Given) -> i64 {
    match answer {
        Given::Answer(Answer::Int(number)) => *number,
        _ => unreachable!("counters answer with numbers"),
    }
}
