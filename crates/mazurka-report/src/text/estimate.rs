//! Estimated numbers as text.

use super::count;
use crate::outcome::Outcome;

/// `about 5040`: only the significant digits.
#[must_use]
pub fn about(number: f64) -> String {
    in_digits(number, f64::round)
}

/// A lower bound in as few digits, rounded down so that it stays a lower bound.
fn at_least(number: f64) -> String {
    in_digits(number, f64::floor)
}

fn in_digits(number: f64, round: fn(f64) -> f64) -> String {
    const DIGITS: i32 = 3;
    if !number.is_finite() {
        return "very many".to_owned();
    }
    // Larger numbers are easier to read as powers of ten.
    if number >= 1e9 {
        let power = number.log10().floor();
        let digits = round(number / 10_f64.powf(power) * 10.0) / 10.0;
        return format!("{:.1e}", digits * 10_f64.powf(power));
    }
    let beyond = number.abs().log10().floor() as i32 + 1 - DIGITS;
    let step = 10_f64.powi(beyond.max(0));
    format!("{:.0}", round(number / step) * step)
}

/// The result of a sample.
pub(super) fn sample(outcome: &Outcome) -> Option<String> {
    let sampled = outcome.sampled()?;
    let progress = outcome.progress?;
    let executions = count(progress.seen(), "execution");
    let distinct = sampled.distinct;
    let Some(estimate) = sampled.traces else {
        return Some(format!("{executions} sampled, {distinct} distinct."));
    };
    let (bound, traces) = (at_least(estimate.at_least), about(estimate.traces));
    Some(format!(
        "{executions} sampled, {distinct} distinct. There are at least {bound} in all (95 % \
         confidence), perhaps many more; the estimate is {traces}."
    ))
}

/// The estimated fraction explored of a check that a bound ended.
pub(super) fn fraction_explored(outcome: &Outcome) -> Option<String> {
    let percent = outcome.fraction_explored()? * 100.0;
    let percent = match percent {
        percent if percent >= 0.01 => format!("about {}", round(percent)),
        _ => "less than 0.01".to_owned(),
    };
    Some(format!("Explored {percent} % (estimate)."))
}

/// Rounds to two significant digits. Less than 100% never becomes 100%.
fn round(percent: f64) -> f64 {
    let digits = match percent {
        percent if percent >= 10.0 => 1.0,
        percent if percent >= 1.0 => 10.0,
        percent if percent >= 0.1 => 100.0,
        _ => 1000.0,
    };
    ((percent * digits).round() / digits).min(99.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_digits_than_mean_anything() {
        for (number, text) in [
            (1.0, "1"),
            (24.2, "24"),
            (720.0, "720"),
            (5_039.6, "5040"),
            (123_456.0, "123000"),
            (6.2e21, "6.2e21"),
            (f64::INFINITY, "very many"),
        ] {
            assert_eq!(about(number), text);
        }
        for (number, text) in [
            (5_039.6, "5030"),
            (123_999.0, "123000"),
            (6.19e21, "6.1e21"),
            (6.0, "6"),
        ] {
            assert_eq!(at_least(number), text);
        }
        assert_eq!(round(99.99), 99.0);
        assert_eq!(round(24.999_999), 25.0);
        assert_eq!(round(1.26), 1.3);
        assert_eq!(round(0.0234), 0.023);
    }
}
