//! Interned things: each once, under a small number that is used again when it is let go.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Every thing seen and not let go. Equality is equality of numbers.
pub(crate) struct Table<T> {
    /// What was let go stays until its number is used again: so memory is given back and
    /// taken again in the same breath.
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
    /// It stays when others are let go.
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

    /// Adds a thing that is not there.
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

    /// How many things there are.
    pub(crate) fn len(&self) -> usize {
        self.by_thing.len()
    }

    /// How many numbers have ever been given.
    #[cfg(test)]
    pub(crate) fn numbers(&self) -> usize {
        self.things.len()
    }

    /// The estimated memory of all things, as far as one cannot see it in them.
    pub(crate) fn bytes(&self) -> usize {
        // Each is there twice: to be found by its number, and to find its number.
        self.len() * (2 * size_of::<T>() + OVERHEAD)
    }

    /// Marks a thing that is to stay.
    #[inline]
    pub(crate) fn keep(&mut self, id: usize) {
        debug_assert!(
            self.marks[id] != Mark::Gone,
            "what is in use was not let go"
        );
        self.marks[id] = Mark::Kept;
    }

    /// Lets go of everything that is not marked, and takes the marks away. `gone` hears of the
    /// numbers.
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

/// What a thing costs beyond its own size, in the table and in what it points to. A guess on
/// the large side.
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
