//! A lower bound on the number of traces, by bets on the dives.
//!
//! The values `x₁, x₂, …` of the dives are independent, never negative, and have the number of traces
//! `N` as their mean (Knuth 1975). Nothing else is known of their distribution. In a skewed tree
//! it has a long tail that few dives meet, so an interval from their standard error is too narrow and too
//! low. This bound needs no more than the above.
//!
//! **Claim.** `Bets::at_least` is at most `N` with probability 95 % or more, for any number of dives and
//! any rule to stop them.
//!
//! *Proof.* For a number `m` and a stake `λ` between 0 and 1 let
//! `W(m, λ) = Π (1 + λ (xᵢ / m − 1))`. Its factors are not negative, and if `m = N` the mean of each is 1: it is the
//! capital of a player who bets the share `λ` of it on each dive in a fair game. The mean `W(m)` over a fixed set of stakes
//! is a fair game, too. By Ville's inequality (1939), which is Markov's for all moments at once, a player
//! who starts with 1 in a fair game ever has 20 or more with probability 1/20 at most. So `W(N) < 20` after every dive
//! with probability 95 % or more. `W(m)` falls as `m` grows, because each factor does. So if `W(m) ≥ 20`, then
//! `W(m') ≥ 20` for every `m' < m`, and with probability 95 % or more `N` is none of these. ∎
//!
//! Rounding values down makes `W(m)` smaller and so the bound lower, never wrong. (The idea of such bounds:
//! Waudby-Smith and Ramdas 2023.)

use std::collections::BTreeMap;

/// Capital that a fair game reaches with a probability of at most 5 %.
const WIN: f64 = 20.0;

/// Shares of the capital that are bet: large ones win where all dives agree, small ones where few dives hold
/// nearly all traces.
const STAKES: [f64; 10] = [
    1.0,
    1.0 / 2.0,
    1.0 / 4.0,
    1.0 / 8.0,
    1.0 / 16.0,
    1.0 / 32.0,
    1.0 / 64.0,
    1.0 / 128.0,
    1.0 / 256.0,
    1.0 / 512.0,
];

/// Bits of the mantissa that are kept: values are rounded down by 1/256 at most, and whole numbers below 512
/// not at all.
const BITS_DROPPED: u32 = f64::MANTISSA_DIGITS - 1 - 8;

/// Larger values are rounded down to this one, so that sums of them stay finite.
const VALUE_MAX: f64 = 1e300;

/// Halvings of the interval in which the bound is searched for: enough for all digits of a report.
const HALVINGS: u32 = 60;

/// The dives so far: how often each value, rounded down, was seen. The memory is bounded by the number of
/// values that rounding leaves, 256 for each power of two.
#[derive(Clone, Debug, Default)]
pub(super) struct Bets {
    times: BTreeMap<u64, u64>,
}

impl Bets {
    /// Adds the value of a dive.
    pub(super) fn add(&mut self, value: f64) {
        let bits = value.clamp(0.0, VALUE_MAX).to_bits();
        *self.times.entry(bits >> BITS_DROPPED).or_default() += 1;
    }

    /// A number that the mean, a whole number of at least 1, is not below, with a confidence of 95 %.
    pub(super) fn at_least(&self) -> f64 {
        let values = self.times.iter().map(|(&bits, &times)| {
            let value = f64::from_bits(bits << BITS_DROPPED);
            (value, times as f64)
        });
        let values: Vec<(f64, f64)> = values.collect();
        let (sum, number) = values.iter().fold((0.0, 0.0), |(sum, number), (x, times)| {
            (sum + x * times, number + times)
        });
        // At the mean of the values no stake has won anything: the product of numbers whose mean
        // is 1 is at most 1.
        let (mut low, mut high) = (0.0, (sum / number).ln());
        if !(high > low && is_won(&values, low.exp())) {
            return 1.0;
        }
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            match is_won(&values, middle.exp()) {
                true => low = middle,
                false => high = middle,
            }
        }
        // All numbers up to here are excluded, and the bound is a whole number.
        low.exp().floor() + 1.0
    }
}

/// Whether `W(mean)` is at least 20.
fn is_won(values: &[(f64, f64)], mean: f64) -> bool {
    let logarithms = STAKES.map(|stake| {
        let factor = |x: f64| (1.0 - stake) + stake * (x / mean);
        values
            .iter()
            .map(|(x, times)| times * factor(*x).ln())
            .sum()
    });
    let greatest = logarithms.iter().copied().fold(f64::MIN, f64::max);
    let capital: f64 = logarithms
        .iter()
        .map(|log: &f64| (log - greatest).exp())
        .sum();
    greatest + (capital / STAKES.len() as f64).ln() >= WIN.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random::Random;

    fn of(values: impl IntoIterator<Item = f64>) -> f64 {
        let mut bets = Bets::default();
        values.into_iter().for_each(|value| bets.add(value));
        bets.at_least()
    }

    #[test]
    fn dives_that_agree_leave_little_doubt() {
        // Markov's inequality alone gives 50. Here the capital is divided among ten stakes.
        assert_eq!(of([1000.0]), 11.0);
        assert_eq!(of(vec![6.0; 100]), 6.0);
        assert_eq!(of(vec![1.0; 100]), 1.0);
        let many = of(vec![40_320.0; 1000]);
        assert!((40_000.0..=40_320.0).contains(&many), "{many}");
    }

    #[test]
    fn huge_values_stay_finite() {
        let bound = of(vec![f64::INFINITY; 200]);
        assert!((1e298..1e300).contains(&bound), "{bound}");
    }

    /// A dive has the value 1 with probability 0.999, and otherwise a value such that the mean is 100,000.
    /// Most runs of 100 dives see only ones; the bound must hold nevertheless.
    #[test]
    fn true_in_19_of_20_runs_of_the_most_skewed_tree() {
        const RUNS: u64 = 2_000;
        for (mean, rare) in [(100_000.0, 1000), (50.0, 50), (1_000.0, 3)] {
            let treasure = (mean - 1.0) * f64::from(rare) + 1.0;
            let holds = (0..RUNS).filter(|&run| {
                let mut random = Random::new(7, run);
                let dives = (0..100).map(|_| match random.below(rare as usize) {
                    0 => treasure,
                    _ => 1.0,
                });
                of(dives.collect::<Vec<_>>()) <= mean
            });
            let holds = holds.count() as u64;
            assert!(holds * 20 >= RUNS * 19, "{holds} of {RUNS}, 1 in {rare}");
        }
    }
}
