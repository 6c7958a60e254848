//! Finds out how errors came about.

use crate::outcome::Kept;
use mazurka_engine::{Diagnosis, Effort, Finding, Frontend, Kind, Options, diagnose};
use mazurka_trace::{Log, Trace};
use std::collections::HashMap;
use std::rc::Rc;

/// The number of errors that are reported in full; nobody reads more of them.
pub(crate) const IN_FULL: usize = 10;
/// The number of errors of one execution that are diagnosed, to see whether they have one cause.
const OF_ONE_EXECUTION: usize = 3;

/// Adds their diagnoses to the errors that are reported in full. One that cannot be made is left
/// out: what was found stands without.
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
    // What was cut short has not come to its error, if it has one.
    if finding.kind == Kind::DepthBound {
        return None;
    }
    let effort = Effort::default();
    diagnose(frontend.afresh(), options, log, finding, effort).ok()
}

/// Whether an error of this kind is that a process waits.
pub(crate) fn waits_for_ever(kind: Kind) -> bool {
    matches!(kind, Kind::Deadlock | Kind::Stuck)
}
