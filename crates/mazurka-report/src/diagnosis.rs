//! Finds out how errors came about.

use crate::outcome::Kept;
use mazurka_engine::{Diagnosis, Effort, Frontend, Kind, Options, diagnose};
use std::rc::Rc;

/// So many errors are reported in full; nobody reads more of them.
pub(crate) const IN_FULL: usize = 10;

/// Adds their diagnoses to the errors that are reported in full. One that cannot be made is left
/// out: what was found stands without.
pub(crate) fn add<F: Frontend>(frontend: &F, options: &Options, found: &mut [Kept]) {
    let errors = found.iter().filter(|kept| kept.found.is_error).count();
    for at in 0..errors.min(IN_FULL) {
        let (before, rest) = found.split_at_mut(at);
        let kept = &mut rest[0];
        let same = before.iter().find(|other| have_one_story(other, kept));
        kept.diagnosis = match same {
            Some(other) => other.diagnosis.clone(),
            None => made(frontend, options, kept),
        };
    }
}

fn made<F: Frontend>(frontend: &F, options: &Options, kept: &Kept) -> Option<Diagnosis> {
    let finding = &kept.found.finding;
    // What was cut short has not come to its error, if it has one.
    if finding.kind == Kind::DepthBound {
        return None;
    }
    let effort = Effort::default();
    diagnose(frontend.afresh(), options, &kept.log, finding, effort).ok()
}

/// Whether two errors are of one execution, and come about in the same way: several processes that
/// wait for ever wait for one another.
pub(crate) fn have_one_story(a: &Kept, b: &Kept) -> bool {
    let waits = |kept: &Kept| matches!(kept.found.finding.kind, Kind::Deadlock | Kind::Stuck);
    is_same_execution(a, b) && waits(a) && waits(b)
}

/// Whether two findings are of one execution.
pub(crate) fn is_same_execution(a: &Kept, b: &Kept) -> bool {
    Rc::ptr_eq(&a.found.trace, &b.found.trace) || a.found.trace == b.found.trace
}
