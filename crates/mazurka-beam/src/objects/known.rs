//! The keys that tables may have.
//!
//! An operation that sees a whole table reads the object of every key at one moment. So it must know
//! the keys that any process may have inserted, also in executions not explored yet. They are learned:
//! every key that a process inserts is recorded. If it is new and a process has already read the whole
//! table without it, exploration starts over ([`Fault::Again`](mazurka_engine::Fault::Again)).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::ets::{Request, TableId, What};
use crate::term::{Map, Term};

/// The keys of all tables, in all executions.
#[derive(Debug, Default)]
pub struct Known(FxHashMap<TableId, Keys>);

#[derive(Debug, Default)]
struct Keys {
    /// Maps keys to nothing.
    keys: Map,
    /// The keys as a list, if a process has read the whole table.
    read: Option<Rc<[Term]>>,
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
            What::Key { table, key, call } if call.may_add() => {
                let known = self.0.entry(*table).or_default();
                if known.keys.contains_key(key) {
                    return Learned::Nothing;
                }
                known.keys = known.keys.insert(key.clone(), Term::Nil);
                let is_missed = known.read.is_some();
                if is_missed {
                    // All reads of whole tables will be made again.
                    self.0.values_mut().for_each(|known| known.read = None);
                    return Learned::MissingKey;
                }
                Learned::Nothing
            }
            What::Whole { table, keys, .. } => {
                let known = self.0.entry(*table).or_default();
                let all = known.keys.iter().map(|(key, _)| key.clone());
                let all = known.read.get_or_insert_with(|| all.collect());
                keys.clone_from(all);
                Learned::Nothing
            }
            _ => Learned::Nothing,
        }
    }
}
