//! The objects with one key, and the operations on them. Each operation is one atomic step.

use smallvec::SmallVec;

use super::counter::{UpdateCounter, update_element};
use super::select::Search;
use crate::raise::Raise;
use crate::term::{Atom, Term, compare};

/// The objects with one key, in the order of insertion. Tables of type `set` and `ordered_set` have
/// at most one.
pub type Row = SmallVec<[Term; 1]>;

/// The type of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One object per key; `1` and `1.0` are different keys.
    Set,
    /// One object per key, ordered by keys; `1` and `1.0` are the same key.
    OrderedSet,
    /// Different objects may have the same key.
    Bag,
    /// Equal objects may have the same key.
    DuplicateBag,
}

impl Kind {
    /// Its name in options and in `ets:info/2`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Set => "set",
            Kind::OrderedSet => "ordered_set",
            Kind::Bag => "bag",
            Kind::DuplicateBag => "duplicate_bag",
        }
    }

    fn has_one(self) -> bool {
        matches!(self, Kind::Set | Kind::OrderedSet)
    }
}

/// What never changes in a table: which objects have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The type.
    pub kind: Kind,
    /// The index of the key in objects, from 0.
    pub key_index: usize,
}

impl Shape {
    /// The key of an object; `None` if the term is not a tuple of at least that size.
    pub fn key(self, object: &Term) -> Option<&Term> {
        match object {
            Term::Tuple(tuple) => tuple.get(self.key_index),
            _ => None,
        }
    }

    /// Whether two keys are the same.
    pub fn is_same(self, one: &Term, other: &Term) -> bool {
        match self.kind {
            Kind::OrderedSet => compare(one, other).is_eq(),
            _ => one == other,
        }
    }
}

/// An operation on the objects with one key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeyCall {
    /// `lookup/2`
    Lookup,
    /// `lookup_element/3,4`: the index of the element, from 0, and what to return without an object.
    LookupElement(usize, Option<Term>),
    /// `member/2`
    Member,
    /// `insert/2`
    Insert(Term),
    /// `insert_new/2`
    InsertNew(Term),
    /// `delete/2`
    Delete,
    /// `delete_object/2`
    DeleteObject(Term),
    /// `take/2`
    Take,
    /// `update_counter/3,4`
    UpdateCounter(UpdateCounter),
    /// Replaces an object by another one with the same key, if it is there.
    Replace(Term, Term),
    /// A search of the objects with this key.
    Search(Search),
    /// `update_element/3`: indices, from 0, and values.
    UpdateElement(Vec<(usize, Term)>),
}

impl KeyCall {
    /// Whether it changes nothing.
    pub fn is_read(&self) -> bool {
        match self {
            KeyCall::Lookup | KeyCall::LookupElement(..) | KeyCall::Member => true,
            KeyCall::Search(search) => search.is_read(),
            _ => false,
        }
    }

    /// Whether it may add a key to the table.
    pub fn may_add(&self) -> bool {
        match self {
            KeyCall::Insert(_) | KeyCall::InsertNew(_) => true,
            KeyCall::UpdateCounter(update) => update.has_default(),
            _ => false,
        }
    }

    /// Carries out the operation on the objects with `key`. Returns the result, and the new objects
    /// if they have changed.
    ///
    /// # Errors
    /// `badarg`, and nothing has changed.
    pub fn apply(
        &self,
        shape: Shape,
        key: &Term,
        row: &[Term],
    ) -> Result<(Term, Option<Row>), Raise> {
        let kept = |value: Term| Ok((value, None));
        let truth = |value| Term::Atom(Atom::bool(value));
        match self {
            KeyCall::Lookup => kept(Term::list(row.iter().cloned())),
            KeyCall::LookupElement(index, default) => kept(element(shape, row, *index, default)?),
            KeyCall::Member => kept(truth(!row.is_empty())),
            KeyCall::Insert(object) => Ok((truth(true), inserted(shape, row, object))),
            KeyCall::InsertNew(object) if row.is_empty() => {
                Ok((truth(true), inserted(shape, row, object)))
            }
            KeyCall::InsertNew(_) => kept(truth(false)),
            KeyCall::Delete => Ok((truth(true), (!row.is_empty()).then(Row::new))),
            KeyCall::DeleteObject(object) => {
                let rest: Row = row
                    .iter()
                    .filter(|other| *other != object)
                    .cloned()
                    .collect();
                let has_changed = rest.len() < row.len();
                Ok((truth(true), has_changed.then_some(rest)))
            }
            KeyCall::Take => {
                let objects = Term::list(row.iter().cloned());
                Ok((objects, (!row.is_empty()).then(Row::new)))
            }
            KeyCall::Replace(old, new) => {
                let replaced = |object: &Term| match object == old {
                    true => new.clone(),
                    false => object.clone(),
                };
                let all: Row = row.iter().map(replaced).collect();
                Ok((truth(true), (all[..] != *row).then_some(all)))
            }
            KeyCall::Search(search) => search.in_row(shape, key, row),
            KeyCall::UpdateCounter(update) if shape.kind.has_one() => update.apply(shape, row),
            KeyCall::UpdateElement(elements) if shape.kind.has_one() => {
                update_element(shape, row, elements)
            }
            KeyCall::UpdateCounter(_) | KeyCall::UpdateElement(_) => Err(Raise::badarg()),
        }
    }
}

/// An element of each object.
fn element(
    shape: Shape,
    row: &[Term],
    index: usize,
    default: &Option<Term>,
) -> Result<Term, Raise> {
    let elements = row.iter().map(|object| match object {
        Term::Tuple(tuple) => tuple.get(index).cloned().ok_or_else(Raise::badarg),
        _ => Err(Raise::badarg()),
    });
    let elements: Vec<Term> = elements.collect::<Result<_, _>>()?;
    match elements.into_iter() {
        none if none.len() == 0 => default.clone().ok_or_else(Raise::badarg),
        mut one if shape.kind.has_one() => one.next().ok_or_else(Raise::badarg),
        all => Ok(Term::list(all)),
    }
}

/// The objects after an insertion, if they change.
fn inserted(shape: Shape, row: &[Term], object: &Term) -> Option<Row> {
    let mut all: Row = match shape.kind.has_one() {
        true => Row::new(),
        false => row.into(),
    };
    let is_there = match shape.kind {
        Kind::DuplicateBag => false,
        _ => row.contains(object),
    };
    all.push(object.clone());
    (!is_there).then_some(all)
}
