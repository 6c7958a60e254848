//! Interned values: each is stored once, under a small number that is reused when it is dropped.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Interned values of one type. Two are equal if and only if their numbers are.
pub(crate) struct Table<T> {
    /// A dropped value is freed only when its number is reused: freeing and allocating together is
    /// cheap.
    things: Vec<T>,
    by_thing: FxHashMap<T, u32>,
    marks: Vec<Mark>,
    free: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// Its number is free.
    Gone,
    There,
    /// It stays at the next sweep.
    Kept,
}

impl<T: Clone + Eq + Hash> Table<T> {
    pub(crate) fn new() -> Self {
        Table {
            things: Vec::new(),
            by_thing: FxHashMap::default(),
            marks: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(crate) fn find(&self, thing: &T) -> Option<u32> {
        self.by_thing.get(thing).copied()
    }

    /// Adds a value that is not in the table.
    pub(crate) fn add(&mut self, thing: T) -> u32 {
        let id = match self.free.pop() {
            Some(id) => {
                self.things[id as usize] = thing.clone();
                self.marks[id as usize] = Mark::There;
                id
            }
            None => {
                let id = u32::try_from(self.things.len()).expect("fewer than 2^32 of a kind");
                self.things.push(thing.clone());
                self.marks.push(Mark::There);
                id
            }
        };
        self.by_thing.insert(thing, id);
        id
    }

    #[inline]
    pub(crate) fn get(&self, id: usize) -> &T {
        &self.things[id]
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.by_thing.len()
    }

    /// Number of ids ever assigned.
    #[cfg(test)]
    pub(crate) fn numbers(&self) -> usize {
        self.things.len()
    }

    /// Estimated memory of all values.
    pub(crate) fn bytes(&self) -> usize {
        // Each is stored twice: in the list and as a key of the map.
        self.len() * (2 * size_of::<T>() + OVERHEAD)
    }

    /// Marks a value that stays at the next sweep.
    #[inline]
    pub(crate) fn keep(&mut self, id: usize) {
        debug_assert!(
            self.marks[id] != Mark::Gone,
            "a value in use was not dropped"
        );
        self.marks[id] = Mark::Kept;
    }

    /// Drops every value that is not marked, and clears the marks. Calls `gone` with the numbers of
    /// those dropped.
    pub(crate) fn sweep(&mut self, mut gone: impl FnMut(usize)) {
        for (id, mark) in self.marks.iter_mut().enumerate() {
            match *mark {
                Mark::Gone => {}
                Mark::Kept => *mark = Mark::There,
                Mark::There => {
                    *mark = Mark::Gone;
                    self.by_thing.remove(&self.things[id]);
                    self.free.push(u32::try_from(id).expect("was a number"));
                    gone(id);
                }
            }
        }
    }
}

/// Memory of a value beyond its own size, in the table and in what it points to. A generous guess.
const OVERHEAD: usize = 96;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_again() {
        let mut table = Table::new();
        let ids = ["a", "b", "c"].map(|thing| table.add(thing));
        assert_eq!(ids, [0, 1, 2]);
        table.keep(1);
        let mut gone = Vec::new();
        table.sweep(|id| gone.push(id));
        assert_eq!(gone, [0, 2]);
        assert_eq!((table.find(&"a"), table.find(&"b")), (None, Some(1)));
        assert_eq!(table.add("d"), 2);
        assert_eq!(table.add("a"), 0);
        assert_eq!((table.len(), table.numbers()), (3, 3));
        assert_eq!((*table.get(0), *table.get(2)), ("a", "d"));
        // A mark lasts for one sweep.
        table.sweep(|_| {});
        assert_eq!((table.len(), table.numbers()), (0, 3));
    }
}
