//! The estimate of the number of traces from many dives.

use super::bound::Bets;

/// The number of traces, as estimated by dives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean of the dives: right on average, and too low in most runs if the tree is skewed.
    pub traces: f64,
    /// There are at least this many, with a confidence of 95 %. While dives are still being made
    /// it is the number of traces seen.
    pub at_least: f64,
    /// Number of dives.
    pub dives: u64,
}

/// The dives so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Dives {
    number: u64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    #[cfg(test)]
    spread: f64,
    bets: Bets,
}

impl Dives {
    /// Adds a dive that stands for this many traces.
    pub(super) fn add(&mut self, traces: f64) {
        self.number += 1;
        let from_old = traces - self.mean;
        self.mean += from_old / self.number as f64;
        #[cfg(test)]
        {
            // Welford 1962: precise in one pass.
            self.spread += from_old * (traces - self.mean);
        }
        self.bets.add(traces);
    }

    /// Number of dives.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The mean, and its standard error.
    #[cfg(test)]
    pub(super) fn mean(&self) -> (f64, f64) {
        let number = self.number as f64;
        let variance = self.spread / (number - 1.0);
        (self.mean, (variance / number).sqrt())
    }

    /// The estimate without computing the lower bound, given the number of traces seen.
    pub(super) fn so_far(&self, seen: u64) -> Option<Estimate> {
        let seen = seen as f64;
        (self.number > 0).then(|| Estimate {
            traces: self.mean.max(seen),
            at_least: seen,
            dives: self.number,
        })
    }

    /// The estimate with its lower bound, given the number of traces seen.
    pub(super) fn in_the_end(&self, seen: u64) -> Option<Estimate> {
        let so_far = self.so_far(seen)?;
        let at_least = self.bets.at_least().max(so_far.at_least);
        Some(Estimate {
            traces: so_far.traces.max(at_least),
            at_least,
            ..so_far
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dives: &[f64]) -> Dives {
        let mut all = Dives::default();
        dives.iter().for_each(|&dive| all.add(dive));
        all
    }

    #[test]
    fn the_mean_and_the_bound() {
        assert_eq!(Dives::default().in_the_end(1), None);
        let estimate = of(&[6.0; 100]).in_the_end(1).unwrap();
        assert_eq!((estimate.at_least, estimate.traces), (6.0, 6.0));
        let (mean, error) = of(&[2.0, 4.0, 6.0]).mean();
        assert!((mean - 4.0).abs() < 1e-12);
        assert!((error - (4.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn what_has_been_seen_is_there() {
        let estimate = of(&[2.0, 4.0, 6.0]).in_the_end(5).unwrap();
        assert_eq!((estimate.at_least, estimate.traces), (5.0, 5.0));
        let estimate = of(&[6.0; 100]).so_far(2).unwrap();
        assert_eq!((estimate.at_least, estimate.traces), (2.0, 6.0));
    }
}
