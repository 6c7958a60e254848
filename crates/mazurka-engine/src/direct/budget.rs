//! What choices may cost.
//!
//! To go to a beginning that is not near, steps are done again; so they are on the way back to what
//! was left for it. To know what is promising, steps are valued, which takes about as long as doing
//! them, and so does putting a beginning in order. A search that finds nothing shall cost little more
//! than depth first all the same, so there are choices only while they have cost little.
//!
//! That is little beside what the whole exploration will cost, because the first choices are the
//! ones that matter. How many executions there will be is known early, and often exactly, from how
//! much of all there is they were (Knuth's estimator).

use crate::observe::Progress;

/// For so many new steps, done or expected, one may be spent.
const NEW_FOR_SPENT: f64 = 12.0;
/// So many new steps of an execution that is expected count. The first ones have far more.
const NEW_EXPECTED: f64 = 3.0;
/// For a step that was new no more than so many: what is expected may be wrong.
const SPENT_FOR_NEW: f64 = 3.0;

/// What choices have cost so far.
pub(super) struct Budget {
    spent: u64,
    /// So many steps may be spent in any case.
    allowance: u64,
}

impl Budget {
    pub(super) fn new(allowance: u64) -> Self {
        let spent = 0;
        Budget { spent, allowance }
    }

    pub(super) fn spend(&mut self, steps: u64) {
        self.spent = self.spent.saturating_add(steps);
    }

    /// Whether there may be a choice at this price, if the newest beginning leads to so much of all
    /// there is.
    #[inline]
    pub(super) fn allows(&self, price: u64, progress: &Progress, newest: Option<f64>) -> bool {
        let spent = self.spent.saturating_add(price);
        if spent <= self.allowance {
            return true;
        }
        let (spent, new) = (spent as f64, progress.transitions as f64);
        // That beginning is as good as an execution.
        let executions = progress.seen() as f64 + f64::from(u8::from(newest.is_some()));
        let of_all = progress.fraction + newest.unwrap_or(0.0);
        let expected = f64::min(new, executions * NEW_EXPECTED);
        // Multiplied by how much of all there was, which is cheaper than to divide by it.
        spent <= new * SPENT_FOR_NEW
            && spent * NEW_FOR_SPENT * of_all <= f64::max(new * of_all, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(spent: u64, executions: u64, transitions: u64, share: f64) -> bool {
        let progress = Progress {
            executions,
            transitions,
            fraction: share,
            ..Progress::default()
        };
        let allowance = 20;
        let budget = Budget {
            spent: spent / 2,
            allowance,
        };
        budget.allows(spent - spent / 2, &progress, None)
    }

    #[test]
    fn a_little_in_any_case() {
        assert!(allows(20, 0, 0, 0.0));
        assert!(!allows(21, 0, 0, 0.0));
    }

    #[test]
    fn one_for_twelve_in_any_case() {
        assert!(allows(100, 200, 1200, 1.0));
        assert!(!allows(101, 200, 1200, 1.0));
    }

    #[test]
    fn more_if_much_is_expected() {
        // 3,000 steps of 1,000 executions are expected.
        assert!(allows(250, 10, 100, 0.01));
        assert!(!allows(251, 10, 100, 0.01));
        // There are few steps yet.
        assert!(allows(240, 10, 80, 0.01));
        assert!(!allows(241, 10, 80, 0.01));
    }

    #[test]
    fn short_executions_count_for_less() {
        assert!(allows(125, 100, 150, 0.1));
        assert!(!allows(126, 100, 150, 0.1));
    }

    #[test]
    fn before_the_first_end_a_beginning_tells() {
        let budget = Budget {
            spent: 30,
            allowance: 0,
        };
        let progress = Progress {
            transitions: 10,
            ..Progress::default()
        };
        assert!(budget.allows(0, &progress, Some(1.0 / 120.0)));
        assert!(!budget.allows(0, &progress, Some(1.0 / 119.0)));
    }
}
