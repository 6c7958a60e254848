//! A table that grows while others read it: entries are made once and never move.

use std::sync::OnceLock;

/// How many entries the first shelf holds. Each further shelf holds twice as many as the one
/// before.
const FIRST_SHELF: usize = 256;
/// Enough shelves for every `u32`.
const SHELVES: usize = 25;

type Shelf<T> = Box<[OnceLock<T>]>;

/// Entries by number. References to them live as long as the table.
pub(super) struct Shelves<T> {
    shelves: [OnceLock<Shelf<T>>; SHELVES],
}

impl<T> Shelves<T> {
    pub(super) fn new() -> Shelves<T> {
        Shelves {
            shelves: [const { OnceLock::new() }; SHELVES],
        }
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        let (shelf, place) = place_of(number);
        self.shelves[shelf].get()?.get(place)?.get()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        let shelves = self.shelves.iter().filter_map(OnceLock::get);
        shelves.flat_map(|shelf| shelf.iter().filter_map(OnceLock::get))
    }

    pub(super) fn get_or_make(&self, number: u32, make: impl FnOnce() -> T) -> &T {
        let (shelf, place) = place_of(number);
        let shelf = self.shelves[shelf].get_or_init(|| {
            std::iter::repeat_with(OnceLock::new)
                .take(FIRST_SHELF << shelf)
                .collect()
        });
        shelf[place].get_or_init(make)
    }
}

/// The shelf and the place on it.
fn place_of(number: u32) -> (usize, usize) {
    let position = number as usize / FIRST_SHELF + 1;
    let shelf = position.ilog2() as usize;
    (shelf, number as usize - FIRST_SHELF * ((1 << shelf) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_made_once() {
        let shelves = Shelves::new();
        for number in [0, 255, 256, 767, 768, 70_000] {
            assert!(shelves.get(number).is_none());
            assert_eq!(*shelves.get_or_make(number, || number), number);
            assert_eq!(*shelves.get_or_make(number, || 0), number);
        }
        assert!(shelves.get(70_001).is_none());
        assert!(place_of(u32::MAX).0 < SHELVES);
    }
}
