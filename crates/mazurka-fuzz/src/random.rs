//! The random number generator.

/// SplitMix64 (Steele, Lea, Flood 2014), with the same output on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator for one input of a run.
    #[must_use]
    pub fn of_input(seed: u64, number: u64) -> Random {
        let mut random = Random(seed);
        Random(random.next() ^ number.wrapping_mul(0xd134_2543_de82_ef95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        self.next() as u8
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        // Small numbers and those near powers of two are as likely as all others together.
        match self.below(4) {
            0 => self.below(10) as u64,
            1 => (1_u64 << self.below(64)).wrapping_sub(1),
            2 => 1_u64 << self.below(64),
            _ => self.next(),
        }
    }

    /// True with probability 1 / `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A random element. There must be at least one.
    pub fn pick<'t, T>(&mut self, among: &'t [T]) -> &'t T {
        &among[self.below(among.len())]
    }
}
