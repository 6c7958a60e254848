//! What many dives tell about the number of traces.

/// How many traces there are, as far as dives tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// About so many.
    pub traces: f64,
    /// With a confidence of 95 %, so many at least ...
    pub low: f64,
    /// ... and so many at most.
    pub high: f64,
    /// How many dives this is based on.
    pub dives: u64,
}

/// 95 % of a normal distribution is within so many standard deviations of its mean.
const DEVIATIONS: f64 = 1.96;

/// The dives so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dives {
    number: u64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    spread: f64,
}

impl Dives {
    /// A dive stands for so many traces (Welford 1962: precise in one pass).
    pub(super) fn add(&mut self, traces: f64) {
        self.number += 1;
        let from_old = traces - self.mean;
        self.mean += from_old / self.number as f64;
        self.spread += from_old * (traces - self.mean);
    }

    /// How many there are.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The mean, and its standard error.
    pub(super) fn mean(&self) -> (f64, f64) {
        let number = self.number as f64;
        let variance = self.spread / (number - 1.0);
        (self.mean, (variance / number).sqrt())
    }

    /// What they tell, given that so many traces have been seen. One dive says nothing about how
    /// far off it is.
    pub(super) fn estimate(&self, seen: u64) -> Option<Estimate> {
        if self.number < 2 {
            return None;
        }
        let (mean, error) = self.mean();
        // The interval is that of the logarithm: what a dive stands for is a product, its
        // distribution has a long tail upwards, and there is no such thing as less than no traces.
        let factor = (DEVIATIONS * error / mean).exp();
        let seen = seen as f64;
        Some(Estimate {
            traces: mean.max(seen),
            low: (mean / factor).max(seen),
            high: (mean * factor).max(seen),
            dives: self.number,
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
    fn dives_that_agree_leave_no_doubt() {
        assert_eq!(of(&[6.0]).estimate(1), None);
        let estimate = of(&[6.0, 6.0, 6.0]).estimate(1).unwrap();
        assert_eq!(
            (estimate.low, estimate.traces, estimate.high),
            (6.0, 6.0, 6.0)
        );
    }

    #[test]
    fn the_interval_is_around_the_mean_by_factors() {
        let (mean, error) = of(&[2.0, 4.0, 6.0]).mean();
        assert!((mean - 4.0).abs() < 1e-12);
        assert!((error - (4.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        let estimate = of(&[2.0, 4.0, 6.0]).estimate(1).unwrap();
        let (below, above) = (mean / estimate.low, estimate.high / mean);
        assert!((below - above).abs() < 1e-12 && above > 1.7, "{estimate:?}");
    }

    #[test]
    fn what_has_been_seen_is_there() {
        let estimate = of(&[2.0, 4.0, 6.0]).estimate(5).unwrap();
        assert_eq!((estimate.low, estimate.traces), (5.0, 5.0));
    }
}
