//! Pseudo-random numbers, repeatable by their seed.

use crate::guide::mix;

/// A pseudo-random sequence.
pub(super) struct Chance {
    seed: u64,
    drawn: u64,
}

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Chance { seed, drawn: 0 }
    }

    /// The next number, less than `below`.
    pub(super) fn draw(&mut self, below: usize) -> usize {
        self.drawn += 1;
        mix(self.seed ^ self.drawn.rotate_left(32)) as usize % below
    }
}
