//! Searches for an execution without the error.

use super::STEPS_PER_NODE;
use super::error::{Error, Outcome};
use super::failing::Failing;
use crate::frontend::Frontend;
use crate::observe::{Observer, Progress};
use crate::view::Execution;
use mazurka_trace::{ProcessName, Trace};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// An execution without the error.
pub(super) struct Passing {
    /// Number of the failing execution's first steps, in its order, that it has as well.
    pub(super) common: usize,
    pub(super) trace: Trace,
    pub(super) names: BTreeMap<ProcessName, String>,
    pub(super) all_is_well: bool,
}

/// After an execution with only another error, explore this many more to find one without errors.
const PATIENCE: u64 = 200;

pub(super) struct Judge<'j> {
    failing: &'j Failing,
    error: &'j Error<'j>,
    budget: u64,
    made_before: u64,
    pub(super) passing: Option<Passing>,
    patience: u64,
}

impl<'j> Judge<'j> {
    pub(super) fn new(
        failing: &'j Failing,
        error: &'j Error<'j>,
        budget: u64,
        made_before: u64,
    ) -> Self {
        Judge {
            failing,
            error,
            budget,
            made_before,
            passing: None,
            patience: PATIENCE,
        }
    }

    /// What the exploration has cost so far.
    pub(super) fn cost(&self, progress: &Progress) -> u64 {
        let made = progress.behaviour_nodes.saturating_sub(self.made_before);
        let steps = progress.transitions + progress.repeated + STEPS_PER_NODE * made;
        steps.saturating_mul(self.failing.weight())
    }
}

impl<F: Frontend> Observer<F> for Judge<'_> {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        let outcome = match execution.cut_short {
            true => Outcome::Fails, // its end is unknown, so it cannot count as passing
            false => self.error.outcome(execution),
        };
        let all_is_well = outcome == Outcome::Passes;
        if outcome > Outcome::Fails && (self.passing.is_none() || all_is_well) {
            self.passing = Some(Passing {
                common: self.failing.common_steps(execution),
                trace: execution.trace(),
                names: execution.names(),
                all_is_well,
            });
        }
        if self.passing.is_some() && !all_is_well && self.patience > 0 {
            self.patience -= 1;
            return ControlFlow::Continue(());
        }
        match self.passing {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        match self.cost(progress) > self.budget {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
