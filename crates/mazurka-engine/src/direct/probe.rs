//! Whether a program reports distances, which the valuation `distance` needs.

use super::valuation::{Valuation, Valuations};
use crate::explore::Explorer;
use crate::frontend::{Fault, Frontend};
use crate::guide::SendersFirst;
use crate::observe::{Observer, Progress, STEPS_BETWEEN_REPORTS};
use crate::options::Options;
use crate::strategy::Strategy;
use crate::view::Execution;
use std::ops::ControlFlow;

/// An endless execution is given up after this many steps, the default of
/// [`Options::max_depth`].
const STEPS_MAX: u64 = 100_000;

/// Runs the first execution of a program and returns whether any process reports a
/// [distance](crate::Hints::distance) in it.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
pub fn reports_distances<F: Frontend>(frontend: &F, options: &Options) -> Result<bool, Fault> {
    let options = Options {
        strategy: Strategy::Dfs,
        direction: Valuations::from(Valuation::Distance).into(),
        ..options.clone()
    };
    let mut explorer = Explorer::new(frontend.fresh_copy(), SendersFirst, options);
    explorer.run(&mut OneExecution)?;
    Ok(explorer.into_world().behaviours.reports_distances)
}

/// Stops after the first execution.
struct OneExecution;

impl<F: Frontend> Observer<F> for OneExecution {
    fn execution(&mut self, _: &Execution<'_, F>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        match progress.transitions + STEPS_BETWEEN_REPORTS > STEPS_MAX {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
