//! A table that can grow while it is read: entries are written once and never move.

use std::sync::OnceLock;

/// Number of entries in the first block. Each further block is twice as large as the previous one.
const FIRST_BLOCK: usize = 256;
/// Number of blocks, which together have a slot for every `u32`.
const BLOCKS: usize = 25;

type Block<T> = Box<[OnceLock<T>]>;

/// Entries by number. Reading needs no lock. References to entries are valid as long as the table.
pub(crate) struct Blocks<T> {
    blocks: [OnceLock<Block<T>>; BLOCKS],
}

impl<T> Blocks<T> {
    pub(crate) fn new() -> Blocks<T> {
        Blocks {
            blocks: [const { OnceLock::new() }; BLOCKS],
        }
    }

    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        let (block, index) = block_and_index(number);
        self.blocks[block].get()?.get(index)?.get()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        let blocks = self.blocks.iter().filter_map(OnceLock::get);
        blocks.flat_map(|block| block.iter().filter_map(OnceLock::get))
    }

    pub(crate) fn get_or_init(&self, number: u32, init: impl FnOnce() -> T) -> &T {
        let (block, index) = block_and_index(number);
        let block = self.blocks[block].get_or_init(|| {
            std::iter::repeat_with(OnceLock::new)
                .take(FIRST_BLOCK << block)
                .collect()
        });
        block[index].get_or_init(init)
    }
}

/// The block of an entry and its index in that block.
fn block_and_index(number: u32) -> (usize, usize) {
    let position = number as usize / FIRST_BLOCK + 1;
    let block = position.ilog2() as usize;
    (block, number as usize - FIRST_BLOCK * ((1 << block) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_written_once() {
        let blocks = Blocks::new();
        for number in [0, 255, 256, 767, 768, 70_000] {
            assert!(blocks.get(number).is_none());
            assert_eq!(*blocks.get_or_init(number, || number), number);
            assert_eq!(*blocks.get_or_init(number, || 0), number);
        }
        assert!(blocks.get(70_001).is_none());
    }

    #[test]
    fn every_number_has_a_slot() {
        assert_eq!(block_and_index(0), (0, 0));
        assert_eq!(block_and_index(255), (0, 255));
        assert_eq!(block_and_index(256), (1, 0));
        assert_eq!(block_and_index(767), (1, 511));
        assert_eq!(block_and_index(768), (2, 0));
        assert!(block_and_index(u32::MAX).0 < BLOCKS);
    }
}
