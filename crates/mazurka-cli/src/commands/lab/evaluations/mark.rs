//! How measured figures compare with published ones.

use super::Published;
use crate::commands::lab::measure::Measured;

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// All published figures are the same.
    Equal,
    /// The authors' exploration did not finish, and ours goes at least as far.
    Agrees,
    /// Some figure is another.
    Differs,
    /// Our exploration did not finish, and is not beyond the published figures.
    Open,
}

impl Mark {
    /// Compares.
    pub fn new(published: &Published, measured: &Measured) -> Mark {
        let Some(figures) = measured.figures else {
            return Mark::Open;
        };
        let pairs = [
            (Some(published.paths), figures.paths),
            (published.transitions, figures.transitions),
        ];
        let all = |holds: fn(u64, u64) -> bool| {
            let holds = |&(published, measured): &(Option<u64>, u64)| {
                published.is_none_or(|published| holds(published, measured))
            };
            pairs.iter().all(holds)
        };
        match (measured.end.is_early(), published.at_least) {
            (false, false) if all(|published, measured| published == measured) => Mark::Equal,
            (_, true) if all(|published, measured| published <= measured) => Mark::Agrees,
            (true, true) => Mark::Open,
            (true, false) if all(|published, measured| published >= measured) => Mark::Open,
            _ => Mark::Differs,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Equal => "equal",
            Mark::Agrees => "agrees",
            Mark::Differs => "differs",
            Mark::Open => "open",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::lab::evaluations::{ROWS, Row};
    use crate::commands::lab::measure::{Ended, Figures};

    fn row(subject: &str) -> &'static Row {
        ROWS.iter().find(|row| row.subject == subject).unwrap()
    }

    fn measured(end: Ended, paths: u64, transitions: u64) -> Measured {
        let figures = Figures {
            paths,
            blocked: 0,
            transitions,
            errors: 0,
            seconds: 0.1,
            memory: None,
        };
        Measured {
            end,
            figures: Some(figures),
        }
    }

    #[test]
    fn marks() {
        // 40 paths and 203 transitions with the start.
        let fib = row("fib5").dpor.without(1);
        let complete = |paths, transitions| measured(Ended::Complete, paths, transitions);
        let stopped = |p, t| measured(Ended::Early("time-bound".to_owned()), p, t);
        assert_eq!(Mark::new(&fib, &complete(40, 202)), Mark::Equal);
        assert_eq!(Mark::new(&fib, &complete(40, 203)), Mark::Differs);
        assert_eq!(Mark::new(&fib, &complete(39, 202)), Mark::Differs);
        assert_eq!(Mark::new(&fib, &stopped(39, 202)), Mark::Open);
        assert_eq!(Mark::new(&fib, &stopped(41, 202)), Mark::Differs);
        let figure = row("registry").dpor;
        assert_eq!(Mark::new(&figure, &complete(24, 99)), Mark::Equal);
        // At least 211,750 paths and 590,835 transitions.
        let unfinished = row("regsim").dpor;
        assert_eq!(
            Mark::new(&unfinished, &stopped(300_000, 600_000)),
            Mark::Agrees
        );
        assert_eq!(Mark::new(&unfinished, &stopped(9, 9)), Mark::Open);
        assert_eq!(Mark::new(&unfinished, &complete(9, 9)), Mark::Differs);
    }
}
