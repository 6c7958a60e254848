//! Explorations and checks by any algorithm.

use crate::algorithm::{Algorithm, AlgorithmOptions};
use crate::published;
use mazurka_engine::{
    Fault, Frontend, Guide, Observer, Options, Progress, Report, Settings, Stopped, Watcher,
    check_by,
};
use std::ops::ControlFlow;

/// Explores a program with the algorithm that `by` names. The guide, the strategy and sampling
/// apply to the optimal algorithm only.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
pub fn explore<F: Frontend>(
    frontend: F,
    guide: impl Guide,
    by: &AlgorithmOptions,
    options: &Options,
    observer: &mut impl Observer<F>,
) -> Result<(Stopped, Progress), Fault> {
    match by.algorithm {
        Algorithm::Optimal => mazurka_engine::explore(frontend, guide, options, observer),
        _ => published::explore(frontend, by, options, observer),
    }
}

/// Explores a program with the algorithm that `by` names, and collects the findings. `watch` is
/// called every few steps and may stop the exploration.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
pub fn check<F: Frontend>(
    frontend: F,
    guide: impl Guide,
    by: &AlgorithmOptions,
    settings: &Settings,
    watch: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Report, Fault> {
    check_with(frontend, guide, by, settings, watch)
}

/// The same, and every error is reported to `watch` when it is found.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
pub fn check_with<F: Frontend>(
    frontend: F,
    guide: impl Guide,
    by: &AlgorithmOptions,
    settings: &Settings,
    watch: impl Watcher,
) -> Result<Report, Fault> {
    check_by(settings, watch, |observer| {
        explore(frontend, guide, by, &settings.explore, observer)
    })
}
