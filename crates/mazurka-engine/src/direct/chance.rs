//! Repeatable chance.

use crate::guide::mix;

/// Numbers that look random.
pub(super) struct Chance {
    seed: u64,
    drawn: u64,
}

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Chance { seed, drawn: 0 }
    }

    /// A number below `below`.
    pub(super) fn draw(&mut self, below: usize) -> usize {
        self.drawn += 1;
        mix(self.seed ^ self.drawn.rotate_left(32)) as usize % below
    }
}
