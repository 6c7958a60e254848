//! Tables, and the operations on all of their keys.

use super::row::{KeyCall, Kind, Row, Shape};
use super::select::Search;
use super::tree::{Direction, Tree};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Atom, Term};

/// The objects of a table. A clone is a small copy.
#[derive(Clone, Debug)]
pub struct Table {
    shape: Shape,
    /// While the table is fixed, deleted keys stay as rows without objects, so that `next` finds its
    /// way from a deleted key.
    rows: Tree,
    /// The number of objects.
    objects: usize,
    fixed: bool,
}

/// An operation on a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TableCall {
    /// An operation on the objects with one key.
    Key(Term, KeyCall),
    /// `insert/2` of a list.
    Insert(Vec<Term>),
    /// `insert_new/2` of a list.
    InsertNew(Vec<Term>),
    /// `first/1`; `last/1` in the other direction.
    First(Direction),
    /// `next/2`; `prev/2` in the other direction.
    Next(Term, Direction),
    /// `slot/2`
    Slot(usize),
    /// The functions with match specifications.
    Search(Search),
    /// Deletes all objects; returns their number.
    Clear,
    /// The number of objects.
    Size,
}

impl TableCall {
    /// Whether it changes nothing.
    pub fn is_read(&self) -> bool {
        match self {
            TableCall::Key(_, call) => call.is_read(),
            TableCall::Search(search) => search.is_read(),
            TableCall::Insert(_) | TableCall::InsertNew(_) | TableCall::Clear => false,
            TableCall::First(_) | TableCall::Next(..) | TableCall::Slot(_) | TableCall::Size => {
                true
            }
        }
    }

    /// Carries out the operation. Returns the result, and whether the table has changed.
    ///
    /// # Errors
    /// `badarg`, and nothing has changed.
    pub fn apply(&self, table: &mut Table) -> Result<(Term, bool), Raise> {
        let kept = |value: Term| Ok((value, false));
        match self {
            TableCall::Key(key, call) => table.key(key, call),
            TableCall::Insert(objects) => table.insert(objects),
            TableCall::InsertNew(objects) => {
                let keys = objects.iter().filter_map(|object| table.shape.key(object));
                let mut rows = keys.map(|key| table.row(key));
                match rows.any(|row| !row.is_empty()) {
                    true => kept(Atom::FALSE.into()),
                    false => table.insert(objects),
                }
            }
            TableCall::First(direction) => kept(table.next(None, *direction)?),
            TableCall::Next(key, direction) => kept(table.next(Some(key), *direction)?),
            TableCall::Slot(index) => kept(table.slot(*index)?),
            TableCall::Search(search) => search.apply(table),
            TableCall::Clear => {
                let count = table.objects;
                table.clear();
                Ok((size(count), count > 0))
            }
            TableCall::Size => kept(size(table.objects)),
        }
    }
}

impl TableCall {
    /// The result of an operation that changes several keys of this table, and the operations on single
    /// keys that it consists of.
    ///
    /// # Errors
    /// `badarg`.
    pub fn split(&self, table: &Table) -> Result<(Term, Vec<(Term, KeyCall)>), Raise> {
        let value = self.apply(&mut table.clone())?.0;
        let calls = match self {
            TableCall::Insert(objects) => table.insertions(objects)?,
            TableCall::InsertNew(objects) if value == Term::Atom(Atom::TRUE) => {
                table.insertions(objects)?
            }
            TableCall::Clear => {
                let keys = table.keys();
                keys.into_iter().map(|key| (key, KeyCall::Delete)).collect()
            }
            TableCall::Search(search) => search.changes(table)?,
            _ => Vec::new(),
        };
        Ok((value, calls))
    }
}

impl Table {
    /// An empty table.
    pub fn new(shape: Shape) -> Table {
        Table {
            shape,
            rows: Tree::new(shape.kind == Kind::OrderedSet),
            objects: 0,
            fixed: false,
        }
    }

    /// The table with these rows, a list of keys and lists of objects. If it is fixed, rows without
    /// objects are deleted keys.
    pub fn of_rows(shape: Shape, rows: &Term, fixed: bool) -> Table {
        let mut table = Table {
            fixed,
            ..Table::new(shape)
        };
        for row in rows.elements() {
            if let Term::Tuple(row) = row
                && let [key, objects] = &***row
            {
                let objects: Row = objects.elements().cloned().collect();
                match objects.is_empty() {
                    true if fixed => table.rows.insert(key.clone(), objects),
                    true => {}
                    false => table.set_row(key, objects),
                }
            }
        }
        table
    }

    /// Its type and key position.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.objects
    }

    /// Whether it has no objects.
    pub fn is_empty(&self) -> bool {
        self.objects == 0
    }

    /// The objects with a key.
    pub fn row(&self, key: &Term) -> &[Term] {
        self.rows.get(key).map_or(&[], |row| row)
    }

    /// Sets the objects with a key.
    pub fn set_row(&mut self, key: &Term, row: Row) {
        let before = self.row(key).len();
        self.objects = self.objects - before + row.len();
        match row.first() {
            // The key in an object replaces one that is equal but another term.
            Some(object) => {
                let key = self.shape.key(object).unwrap_or(key).clone();
                self.rows.insert(key, row);
            }
            None if self.fixed && before > 0 => self.rows.insert(key.clone(), row),
            None => self.rows.remove(key),
        }
    }

    /// The next key that has objects, with them.
    pub(super) fn next_row(
        &self,
        after: Option<&Term>,
        direction: Direction,
    ) -> Option<(&Term, &Row)> {
        // Only tables of type `ordered_set` can be iterated in the other direction.
        let direction = match self.shape.kind {
            Kind::OrderedSet => direction,
            _ => Direction::Up,
        };
        let mut found = self.rows.next(after, direction);
        while let Some((key, row)) = found
            && row.is_empty()
        {
            found = self.rows.next(Some(key), direction);
        }
        found
    }

    /// Carries out an operation on one key.
    pub(super) fn key(&mut self, key: &Term, call: &KeyCall) -> Result<(Term, bool), Raise> {
        let (value, row) = call.apply(self.shape, key, self.row(key))?;
        let has_changed = row.is_some();
        if let Some(row) = row {
            self.set_row(key, row);
        }
        Ok((value, has_changed))
    }

    fn insert(&mut self, objects: &[Term]) -> Result<(Term, bool), Raise> {
        let mut has_changed = false;
        for (key, call) in &self.insertions(objects)? {
            meter::work(1)?;
            has_changed |= self.key(key, call)?.1;
        }
        Ok((Atom::TRUE.into(), has_changed))
    }

    /// The insertions of single objects that an insertion of a list consists of.
    fn insertions(&self, objects: &[Term]) -> Result<Vec<(Term, KeyCall)>, Raise> {
        let shape = self.shape;
        let with_key = |object: &Term| -> Result<(Term, KeyCall), Raise> {
            let key = shape.key(object).ok_or_else(Raise::badarg)?.clone();
            Ok((key, KeyCall::Insert(object.clone())))
        };
        let calls: Result<Vec<_>, Raise> = objects.iter().map(with_key).collect();
        let mut calls = calls?;
        if shape.kind == Kind::Bag {
            // The real machine inserts lists into bags from the end.
            calls.reverse();
        }
        Ok(calls)
    }

    /// The keys that have objects.
    fn keys(&self) -> Vec<Term> {
        let mut keys: Vec<Term> = Vec::new();
        while let Some((key, _)) = self.next_row(keys.last(), Direction::Up) {
            keys.push(key.clone());
        }
        keys
    }

    fn next(&self, after: Option<&Term>, direction: Direction) -> Result<Term, Raise> {
        if let Some(key) = after
            && self.shape.kind != Kind::OrderedSet
            && self.rows.get(key).is_none()
        {
            return Err(Raise::badarg());
        }
        Ok(match self.next_row(after, direction) {
            Some((key, _)) => key.clone(),
            None => end_of_table(),
        })
    }

    /// The objects with the key at an index. One index after the last key is the end of the table.
    fn slot(&self, index: usize) -> Result<Term, Raise> {
        match self.rows.at(index) {
            Some(row) => Ok(Term::list(row.iter().cloned())),
            None if index == self.rows.len() => Ok(end_of_table()),
            None => Err(Raise::badarg()),
        }
    }

    fn clear(&mut self) {
        *self = Table {
            fixed: self.fixed,
            ..Table::new(self.shape)
        };
    }
}

/// `'$end_of_table'`
pub(crate) fn end_of_table() -> Term {
    Term::atom("$end_of_table")
}

fn size(count: usize) -> Term {
    Term::Int(i64::try_from(count).unwrap_or(i64::MAX))
}
