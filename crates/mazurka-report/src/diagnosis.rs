//! Finds out how errors came about.

use crate::outcome::Kept;
use mazurka_engine::{Diagnosis, Effort, Finding, Frontend, Kind, Options, diagnose};
use mazurka_trace::Log;
use std::rc::Rc;

/// So many errors are reported in full; nobody reads more of them.
pub(crate) const IN_FULL: usize = 10;

/// Adds their diagnoses to the errors that are reported in full. One that cannot be made is left
/// out: what was found stands without.
pub(crate) fn add<F: Frontend>(frontend: &F, options: &Options, found: &mut [Kept]) {
    let errors = found.iter().filter(|kept| kept.found.is_error).count();
    for at in 0..errors.min(IN_FULL) {
        let (log, finding) = (&found[at].log, &found[at].found.finding);
        found[at].diagnosis = made(frontend, options, log, finding);
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

/// Whether two errors come about in the same way: processes wait for ever in one execution, and one
/// race decides about both.
pub(crate) fn have_one_story(a: &Kept, b: &Kept) -> bool {
    let waits = |kept: &Kept| matches!(kept.found.finding.kind, Kind::Deadlock | Kind::Stuck);
    let parting = |kept: &Kept| Some(kept.diagnosis.as_ref()?.parting.as_ref()?.at.clone());
    let one_race = parting(a).is_some() && parting(a) == parting(b);
    is_same_execution(a, b) && waits(a) && waits(b) && one_race
}

/// Whether two findings are of one execution.
pub(crate) fn is_same_execution(a: &Kept, b: &Kept) -> bool {
    Rc::ptr_eq(&a.found.trace, &b.found.trace) || a.found.trace == b.found.trace
}
