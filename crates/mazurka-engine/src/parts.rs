//! Parts of messages that constraints require. By comparing them, most messages that a constraint refuses
//! are found without user code and without stored verdicts.

use crate::frontend::{Frontend, RequiredPart};
use crate::ids::{ConstraintId, ValueId};
use crate::message::Payload;

/// The parts that constraints require, and the hashes of these parts in messages.
#[derive(Default)]
pub(crate) struct Parts {
    /// By constraint: the index of a column, and the hash that it requires there.
    required: Vec<Option<(usize, u64)>>,
    columns: Vec<Column>,
}

/// The hashes of one part of all messages.
struct Column {
    place: u32,
    /// By message.
    hashes: Vec<u64>,
}

/// The front-end has not been asked yet.
const NOT_ASKED: u64 = 0;
/// The front-end does not know the hash.
const UNKNOWN: u64 = 1;
const FIRST_HASH: u64 = 2;

/// Messages that a constraint refuses because they lack the part that it requires.
#[derive(Clone, Copy)]
pub(crate) struct Lacking<'p> {
    hashes: &'p [u64],
    required: u64,
}

impl Lacking<'_> {
    /// Whether the message is known to be one of them.
    #[inline]
    pub(crate) fn has(self, value: ValueId) -> bool {
        let hash = self.hashes.get(value.index()).copied();
        hash.is_some_and(|hash| hash >= FIRST_HASH && hash != self.required)
    }
}

impl Parts {
    /// Records what a new constraint requires.
    pub(crate) fn require(&mut self, by: ConstraintId, part: Option<RequiredPart>) {
        let required = part.map(|part| (self.column(part.place), stored(Some(part.hash))));
        if self.required.len() <= by.index() {
            self.required.resize(by.index() + 1, None);
        }
        self.required[by.index()] = required;
    }

    fn column(&mut self, place: u32) -> usize {
        let mut columns = self.columns.iter();
        columns
            .position(|column| column.place == place)
            .unwrap_or_else(|| {
                self.columns.push(Column {
                    place,
                    hashes: Vec::new(),
                });
                self.columns.len() - 1
            })
    }

    /// The messages that are known to lack what a constraint requires, if it requires a part.
    #[inline]
    pub(crate) fn lacking(&self, by: ConstraintId) -> Option<Lacking<'_>> {
        let (column, required) = self.required[by.index()]?;
        let hashes = &self.columns[column].hashes;
        Some(Lacking { hashes, required })
    }

    /// Whether a message lacks the part that a constraint requires.
    pub(crate) fn refuse<F: Frontend>(
        &mut self,
        frontend: &F,
        message: &Payload<F::Value>,
        value: ValueId,
        by: ConstraintId,
    ) -> bool {
        let Some((column, required)) = self.required[by.index()] else {
            return false;
        };
        let hash = self.columns[column].hash(frontend, message, value);
        hash != UNKNOWN && hash != required
    }

    /// The same, without storing anything.
    pub(crate) fn would_refuse<F: Frontend>(
        &self,
        frontend: &F,
        message: &Payload<F::Value>,
        value: ValueId,
        by: ConstraintId,
    ) -> bool {
        let Some((column, required)) = self.required[by.index()] else {
            return false;
        };
        let Column { place, hashes } = &self.columns[column];
        let hash = match hashes.get(value.index()) {
            Some(&hash) if hash != NOT_ASKED => hash,
            _ => stored(frontend.hints().part(message, *place)),
        };
        hash != UNKNOWN && hash != required
    }

    /// Drops the hashes of these messages.
    pub(crate) fn forget(&mut self, values: &[usize]) {
        for column in &mut self.columns {
            for &value in values {
                if let Some(hash) = column.hashes.get_mut(value) {
                    *hash = NOT_ASKED;
                }
            }
        }
    }

    /// The estimated memory of the hashes.
    pub(crate) fn bytes(&self) -> usize {
        let hashes = self.columns.iter().map(|column| column.hashes.len());
        hashes.sum::<usize>() * size_of::<u64>()
    }
}

impl Column {
    fn hash<F: Frontend>(
        &mut self,
        frontend: &F,
        message: &Payload<F::Value>,
        value: ValueId,
    ) -> u64 {
        if self.hashes.len() <= value.index() {
            self.hashes.resize(value.index() + 1, NOT_ASKED);
        }
        let hash = &mut self.hashes[value.index()];
        if *hash == NOT_ASKED {
            *hash = stored(frontend.hints().part(message, self.place));
        }
        *hash
    }
}

/// A hash as it is stored: different from [`NOT_ASKED`] and [`UNKNOWN`].
fn stored(hash: Option<u64>) -> u64 {
    hash.map_or(UNKNOWN, |hash| hash.max(FIRST_HASH))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hashes of a message, and the part that a constraint requires, are dropped with it.
    #[test]
    fn ids_are_used_again() {
        let mut parts = Parts::default();
        let (by, value) = (ConstraintId(0), ValueId(3));
        let part = RequiredPart { place: 7, hash: 0 };
        parts.require(by, Some(part));
        parts.columns[0].hashes = vec![NOT_ASKED, UNKNOWN, stored(Some(0)), stored(Some(9))];
        let lacking = parts.lacking(by).expect("it requires a part");
        let known = [0, 1, 2, 3, 4].map(|value| lacking.has(ValueId(value)));
        assert_eq!(known, [false, false, false, true, false]);
        parts.forget(&[3, 4]);
        let lacking = parts.lacking(by).expect("it requires a part");
        assert!(!lacking.has(value));
        parts.require(by, None);
        assert!(parts.lacking(by).is_none());
    }
}
