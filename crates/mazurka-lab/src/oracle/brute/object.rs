//! Shared objects and their states.

use super::history::{Past, Seen};
use mazurka_engine::Operation;
use mazurka_engine::Payload;
use mazurka_engine::Pid;
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Object<V> {
    Liveness(Pid),
    Name(V),
    Cell(V, V),
    Counter(V),
}

impl<V: Clone> Object<V> {
    /// The object that serves an operation that is not a read.
    pub(super) fn that_serves(operation: &Operation<V>) -> Self {
        match operation {
            Operation::Register { name, .. } | Operation::Unregister { name } => {
                Object::Name(name.clone())
            }
            Operation::Put { table, key, .. }
            | Operation::PutNew { table, key, .. }
            | Operation::Take { table, key } => Object::Cell(table.clone(), key.clone()),
            Operation::Add { counter, .. } => Object::Counter(counter.clone()),
            Operation::WhereIs { .. } | Operation::Get { .. } | Operation::Count { .. } => {
                unreachable!("a read is not served")
            }
        }
    }
}

/// The state of an object of any kind; each kind uses its own fields.
#[derive(Clone)]
pub(super) struct Thing<V> {
    pub(super) object: Object<V>,
    pub(super) history: Vec<Seen<V>>,
    pub(super) version: usize,
    pub(super) past: Past,
    /// The causal past of the latest version.
    pub(super) published: Past,
    /// Liveness: the end of the process has been published.
    pub(super) dead: bool,
    /// Liveness: the processes that linked to or monitor the process, and those that undid it.
    pub(super) links: Vec<Pid>,
    pub(super) unlinked: Vec<Pid>,
    pub(super) watchers: Vec<(Pid, u64)>,
    pub(super) unwatched: Vec<(Pid, u64)>,
    /// Liveness: the messages that it still has to send, in order.
    pub(super) outbox: Vec<(Pid, Payload<V>)>,
    /// The number of consecutive timeouts of daemons before the last request that it served.
    pub(super) in_a_row: u32,
    /// Name: the process that has it.
    pub(super) bearer: Option<Pid>,
    /// Cell: its value.
    pub(super) value: Option<V>,
    /// Counter: its count.
    pub(super) count: i64,
}

impl<V> Thing<V> {
    pub(super) fn new(object: Object<V>) -> Self {
        Thing {
            object,
            history: Vec::new(),
            version: 0,
            past: Past::new(),
            published: Past::new(),
            dead: false,
            links: Vec::new(),
            unlinked: Vec::new(),
            watchers: Vec::new(),
            unwatched: Vec::new(),
            outbox: Vec::new(),
            in_a_row: 0,
            bearer: None,
            value: None,
            count: 0,
        }
    }

    /// Hashes that identify its state: its history and its outbox.
    pub(super) fn digest(&self) -> [u64; 2]
    where
        V: Hash,
    {
        [1_u8, 2].map(|salt| {
            let mut hasher = DefaultHasher::new();
            (salt, &self.object, &self.history).hash(&mut hasher);
            self.outbox.len().hash(&mut hasher);
            hasher.finish()
        })
    }

    /// Publishes a new version, which readers see from now on.
    pub(super) fn publish(&mut self) {
        self.version += 1;
        self.published = self.past.clone();
    }
}
