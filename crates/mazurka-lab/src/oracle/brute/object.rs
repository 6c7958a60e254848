//! Shared objects and their states.

use super::history::{Past, Seen, Tie};
use mazurka_engine::PidId;
use mazurka_engine::{Frontend, KeyOf, ObjectStateOf, SharedObjects};
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Object<K> {
    Liveness(PidId),
    /// Brings the message that `to` gets about the end of `of` because of one tie.
    Courier {
        of: PidId,
        to: PidId,
        tie: Tie,
    },
    /// An object of the front-end.
    Shared(K),
}

/// An object: what is common to all, and its state.
pub(super) struct Thing<F: Frontend> {
    pub(super) object: Object<KeyOf<F>>,
    pub(super) history: Vec<Seen<KeyOf<F>>>,
    pub(super) version: usize,
    pub(super) past: Past,
    /// The causal past of the latest version.
    pub(super) published: Past,
    /// The number of consecutive timeouts of daemons before the last request that it served.
    pub(super) in_a_row: u32,
    /// The state of an object of the front-end.
    pub(super) state: Option<ObjectStateOf<F>>,
    /// Of a liveness object: the end of the process has been published.
    pub(super) dead: bool,
    /// Of a courier: its message has not arrived.
    pub(super) is_under_way: bool,
}

impl<F: Frontend> Thing<F> {
    pub(super) fn new(object: Object<KeyOf<F>>) -> Self {
        Thing {
            state: match &object {
                Object::Liveness(_) | Object::Courier { .. } => None,
                Object::Shared(key) => Some(F::Objects::initial(key)),
            },
            object,
            history: Vec::new(),
            version: 0,
            past: Past::new(),
            published: Past::new(),
            in_a_row: 0,
            dead: false,
            is_under_way: false,
        }
    }

    /// Hashes that identify its state.
    pub(super) fn digest(&self) -> [u64; 2] {
        [1_u8, 2].map(|salt| {
            let mut hasher = DefaultHasher::new();
            (salt, &self.object, &self.history).hash(&mut hasher);
            hasher.finish()
        })
    }

    /// Publishes a new version, which readers see from now on.
    pub(super) fn publish(&mut self) {
        self.version += 1;
        self.published = self.past.clone();
    }
}

impl<F: Frontend> Clone for Thing<F> {
    fn clone(&self) -> Self {
        Thing {
            object: self.object.clone(),
            history: self.history.clone(),
            version: self.version,
            past: self.past.clone(),
            published: self.published.clone(),
            in_a_row: self.in_a_row,
            state: self.state.clone(),
            dead: self.dead,
            is_under_way: self.is_under_way,
        }
    }
}
