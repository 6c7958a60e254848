//! Diagnoses errors: which race decides about them.

use crate::outcome::Kept;
use mazurka_engine::{Diagnosis, Effort, Finding, Frontend, Kind, Options, diagnose};
use mazurka_trace::{Log, Trace};
use std::collections::HashMap;
use std::rc::Rc;

/// The maximum number of errors that are reported in full, to keep reports readable.
pub(crate) const IN_FULL: usize = 10;
/// The maximum number of errors of one execution that are diagnosed, to see whether they have the
/// same cause.
const OF_ONE_EXECUTION: usize = 3;

/// Adds diagnoses to the errors that are reported in full. An error that cannot be diagnosed is
/// reported without one.
pub(crate) fn add<F: Frontend>(frontend: &F, options: &Options, found: &mut [Kept]) {
    let mut of_execution: HashMap<*const Trace, usize> = HashMap::new();
    let mut made = 0;
    for kept in found.iter_mut().filter(|kept| kept.found.is_error) {
        let before = of_execution
            .entry(Rc::as_ptr(&kept.found.trace))
            .or_default();
        let is_symptom = *before > 0 && waits_for_ever(kept.found.finding.kind);
        if made == IN_FULL || is_symptom || *before == OF_ONE_EXECUTION {
            continue;
        }
        *before += 1;
        made += 1;
        let log = kept.found.trace.log();
        kept.diagnosis = self::made(frontend, options, &log, &kept.found.finding);
    }
}

/// The diagnosis of an error in the execution of this log, if one can be made.
pub(crate) fn made<F: Frontend>(
    frontend: &F,
    options: &Options,
    log: &Log,
    finding: &Finding,
) -> Option<Diagnosis> {
    // An execution that was cut short did not reach its error, if it has one.
    if finding.kind == Kind::DepthBound {
        return None;
    }
    let effort = Effort::default();
    diagnose(frontend.fresh_copy(), options, log, finding, effort).ok()
}

/// Whether errors of this kind are processes that wait for ever.
pub(crate) fn waits_for_ever(kind: Kind) -> bool {
    matches!(kind, Kind::Deadlock | Kind::Stuck)
}
