//! Estimates the number of executions and the time left.
//!
//! The explorer estimates the fraction explored, assuming equal subtrees. Subtrees are seldom equal,
//! so the forecast changes; its recent range shows how reliable it is.

use mazurka_engine::Progress;
use std::time::Duration;

/// Observes an exploration and estimates the rest.
#[derive(Clone, Debug, Default)]
pub struct Forecaster {
    /// The time at which the current period ends; each is twice as long as the one before.
    ends: Duration,
    before: Option<Range>,
    current: Option<Range>,
}

/// An estimate of the rest, assuming equal subtrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The total number of executions.
    pub executions: f64,
    /// The lowest and the highest estimate of that, over at least the last half of the time.
    pub lately: (f64, f64),
    /// The time left.
    pub left: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Range {
    low: f64,
    high: f64,
}

/// There is no forecast before this time, because it would be too unreliable.
const WAIT: Duration = Duration::from_secs(1);

impl Forecaster {
    /// Updates the forecast with the progress after this time.
    pub fn look(&mut self, progress: &Progress, elapsed: Duration) -> Option<Forecast> {
        let fraction = progress.fraction.min(1.0);
        let seen = progress.seen();
        if fraction <= 0.0 || seen == 0 || elapsed < WAIT {
            return None;
        }
        let executions = seen as f64 / fraction;
        if elapsed >= self.ends {
            self.ends = elapsed * 2;
            self.before = self.current.take();
        }
        let at_first = Range {
            low: executions,
            high: executions,
        };
        let current = self.current.unwrap_or(at_first);
        let current = current.with(executions);
        self.current = Some(current);
        let lately = match self.before {
            Some(before) => current.with(before.low).with(before.high),
            None => current,
        };
        let left = elapsed.as_secs_f64() * (1.0 - fraction) / fraction;
        Some(Forecast {
            executions,
            lately: (lately.low, lately.high),
            left: Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX),
        })
    }
}

impl Range {
    fn with(self, value: f64) -> Range {
        Range {
            low: self.low.min(value),
            high: self.high.max(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(
        forecaster: &mut Forecaster,
        executions: u64,
        fraction: f64,
        at: u64,
    ) -> Option<Forecast> {
        let progress = Progress {
            executions,
            fraction,
            ..Progress::default()
        };
        forecaster.look(&progress, Duration::from_secs(at))
    }

    #[test]
    fn says_what_is_left() {
        let mut forecaster = Forecaster::default();
        assert_eq!(look(&mut forecaster, 10, 0.1, 0), None, "too early");
        assert_eq!(look(&mut forecaster, 0, 0.0, 5), None, "nothing to go by");
        let forecast = look(&mut forecaster, 250, 0.25, 10).unwrap();
        assert_eq!(forecast.executions, 1000.0);
        assert_eq!(forecast.left, Duration::from_secs(30));
        assert_eq!(forecast.lately, (1000.0, 1000.0));
    }

    #[test]
    fn keeps_the_range_of_recent_forecasts() {
        let mut forecaster = Forecaster::default();
        look(&mut forecaster, 10, 0.5, 1);
        let forecast = look(&mut forecaster, 100, 0.25, 2).unwrap();
        assert_eq!(forecast.lately, (20.0, 400.0));
        for at in 4..=9 {
            look(&mut forecaster, 100, 0.25, at);
        }
        let forecast = look(&mut forecaster, 100, 0.5, 10).unwrap();
        assert_eq!(forecast.lately, (200.0, 400.0), "old forecasts are dropped");
    }
}
