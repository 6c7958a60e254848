//! Table identifiers.

use std::fmt;

use super::row::{Kind, Shape};
use crate::term::{PidTerm, Reference, Term};

/// The identifier of a table: a reference that contains the type and the key position of its table.
/// A process that has it knows which key an object has, without asking the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TableId(Reference);

/// Marks the last word of a table identifier. References of other kinds count from 0.
const MARK: u32 = 1 << 31;
const KIND_SHIFT: u32 = 29;
const POSITION_SHIFT: u32 = 23;
const POSITION_MAX: usize = 63;
const COUNT_MASK: u32 = (1 << POSITION_SHIFT) - 1;

impl TableId {
    /// The identifier made of a new reference; `None` if the key position is larger than 64.
    pub fn new(reference: Reference, shape: Shape) -> Option<TableId> {
        let [high, middle, count] = reference.0;
        let position = u32::try_from(shape.key_index).ok()?;
        if shape.key_index > POSITION_MAX {
            return None;
        }
        let kind = match shape.kind {
            Kind::Set => 0,
            Kind::OrderedSet => 1,
            Kind::Bag => 2,
            Kind::DuplicateBag => 3,
        };
        let last = MARK | kind << KIND_SHIFT | position << POSITION_SHIFT | count & COUNT_MASK;
        Some(TableId(Reference([high, middle, last])))
    }

    /// The identifier that a term is.
    pub fn of(term: &Term) -> Option<TableId> {
        match term {
            Term::Reference(reference) if reference.0[2] & MARK != 0 => Some(TableId(*reference)),
            _ => None,
        }
    }

    /// It as a term.
    pub fn term(self) -> Term {
        Term::Reference(self.0)
    }

    /// The process that created it, and the number of its reference among those of the process.
    pub fn origin(self) -> (PidTerm, u32) {
        (self.0.creator(), self.0.count() & COUNT_MASK)
    }

    /// The type and key position of the table.
    pub fn shape(self) -> Shape {
        let last = self.0.0[2];
        let kind = match last >> KIND_SHIFT & 3 {
            0 => Kind::Set,
            1 => Kind::OrderedSet,
            2 => Kind::Bag,
            _ => Kind::DuplicateBag,
        };
        let key_index = (last >> POSITION_SHIFT) as usize & POSITION_MAX;
        Shape { kind, key_index }
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_contains_the_shape() {
        for kind in [Kind::Set, Kind::OrderedSet, Kind::Bag, Kind::DuplicateBag] {
            for key_index in [0, 1, 63] {
                let shape = Shape { kind, key_index };
                let reference = Reference::of(PidTerm::entry(), 7);
                let id = TableId::new(reference, shape).expect("small enough");
                assert_eq!(TableId::of(&id.term()), Some(id));
                assert_eq!(id.shape(), shape);
            }
        }
        assert_eq!(TableId::of(&Term::Reference(Reference([0, 1, 7]))), None);
    }
}
