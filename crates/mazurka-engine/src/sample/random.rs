//! Random numbers, the same on every machine.

use crate::guide::mix;

/// A counter, well mixed (`SplitMix64`; Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(super) struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    /// The `nth` sequence of numbers of a seed. Sequences are independent of each other, so what
    /// one execution draws has no influence on the next.
    pub(super) fn new(seed: u64, nth: u64) -> Random {
        Random {
            seed: mix(mix(seed) ^ nth),
            drawn: 0,
        }
    }

    /// Any number.
    pub(super) fn next(&mut self) -> u64 {
        self.drawn += 1;
        mix(self.seed ^ mix(self.drawn))
    }

    /// A number below `bound`, which must not be 0. The bias is below `bound` / 2⁶⁴.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_about_as_likely() {
        let mut seen = [0_u32; 5];
        for nth in 0..100 {
            let mut random = Random::new(7, nth);
            (0..50).for_each(|_| seen[random.below(5)] += 1);
        }
        // 1000 each; the standard deviation is 28.
        assert!(
            seen.iter().all(|&count| count.abs_diff(1000) < 120),
            "{seen:?}"
        );
    }

    #[test]
    fn a_seed_says_it_all() {
        let draw = |seed, nth| Random::new(seed, nth).next();
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }
}
