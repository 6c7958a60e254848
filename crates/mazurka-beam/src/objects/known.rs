//! The keys that tables may have, and the names that processes may have.
//!
//! An operation that sees a whole table reads the object of every key at one moment. So it must know
//! the keys that any process may have inserted, also in executions not explored yet. They are learned:
//! every key that a process inserts is recorded. If it is new and a process has already read the whole
//! table without it, exploration starts over ([`Fault::Again`](mazurka_engine::Fault::Again)). The same
//! holds for names and `registered/0`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ets::{Request, TableId, What};
use crate::term::{Atom, Map, PidTerm, Term};

/// The keys of all tables, and all names, in all executions.
#[derive(Debug, Default)]
pub struct Known {
    tables: FxHashMap<TableId, Keys>,
    names: Keys,
    /// Children of supervisors, in any execution.
    supervised: FxHashSet<PidTerm>,
    /// Processes that others give a name which a pattern has, and that name.
    named: FxHashSet<(PidTerm, Atom)>,
}

#[derive(Debug, Default)]
struct Keys {
    /// Maps keys to nothing.
    keys: Map,
    /// The keys as a list, if a process has read all of them.
    read: Option<Rc<[Term]>>,
}

impl Keys {
    /// All keys, in the order of terms.
    fn all(&mut self) -> Rc<[Term]> {
        let all = self.keys.iter().map(|(key, _)| key.clone());
        Rc::clone(self.read.get_or_insert_with(|| all.collect()))
    }
}

/// What a request adds to the known keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// Nothing that matters to what was done before.
    Nothing,
    /// A key without which the whole table was read.
    MissingKey,
}

impl Known {
    /// Records the key that a request may add, and completes the keys of a read of a whole table.
    pub fn complete<P>(&mut self, request: &mut Request<P>) -> Learned {
        match &mut request.what {
            What::Key { table, key, call } if call.may_add() => self.add(Some(*table), key),
            What::Whole { table, keys, .. } => {
                *keys = self.tables.entry(*table).or_default().all();
                Learned::Nothing
            }
            _ => Learned::Nothing,
        }
    }

    /// Records a name that a process may get.
    pub fn add_name(&mut self, name: &Term) -> Learned {
        self.add(None, name)
    }

    /// Records the child of a supervisor, before it starts.
    pub fn add_supervised(&mut self, pid: PidTerm) {
        self.supervised.insert(pid);
    }

    /// Whether a process is the child of a supervisor.
    pub fn is_supervised(&self, pid: PidTerm) -> bool {
        self.supervised.contains(&pid)
    }

    /// Records that a process registers another one under a name that a pattern has. The other one
    /// counts as named from its start, since it does not see when that happens. Exploration must start
    /// over if that is new.
    pub fn add_named(&mut self, pid: PidTerm, name: Atom) -> Learned {
        match self.named.insert((pid, name)) {
            true => Learned::MissingKey,
            false => Learned::Nothing,
        }
    }

    /// Whether another process registers this one under this name.
    pub fn is_named(&self, pid: PidTerm, name: Atom) -> bool {
        self.named.contains(&(pid, name))
    }

    /// All names that processes may have.
    pub fn names(&mut self) -> Rc<[Term]> {
        self.names.all()
    }

    /// Records a key of a table, or a name.
    fn add(&mut self, table: Option<TableId>, key: &Term) -> Learned {
        let known = match table {
            Some(table) => self.tables.entry(table).or_default(),
            None => &mut self.names,
        };
        if known.keys.contains_key(key) {
            return Learned::Nothing;
        }
        known.keys = known.keys.insert(key.clone(), Term::Nil);
        if known.read.is_none() {
            return Learned::Nothing;
        }
        // All reads of whole tables, and of all names, will be made again.
        self.tables.values_mut().for_each(|known| known.read = None);
        self.names.read = None;
        Learned::MissingKey
    }
}
