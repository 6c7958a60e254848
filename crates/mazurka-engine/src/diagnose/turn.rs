//! A guide that stays close to the failing execution, except at one step.

use super::failing::Failing;
use crate::frontend::Frontend;
use crate::graph::Pick;
use crate::guide::{Candidate, Guide, SendersFirst, Standing};
use crate::ids::PidId;
use rustc_hash::FxHashMap;

/// Prefers the candidates that the failing execution consumed. At one step, the turned one, it
/// prefers all other candidates.
pub(super) struct Turned<'f> {
    picks: &'f FxHashMap<(PidId, u32), Pick>,
    turned: Option<(PidId, u32)>,
}

impl<'f> Turned<'f> {
    /// Turned at the step with index `after`, from 0.
    pub(super) fn new(failing: &'f Failing, after: usize) -> Self {
        let turned = failing.steps.get(after);
        Turned {
            picks: &failing.picks,
            turned: turned.map(|step| (step.entry.pid, step.events_before)),
        }
    }
}

impl Guide for Turned<'_> {
    fn process_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> u64 {
        SendersFirst.process_key(standing)
    }

    fn candidate_key<F: Frontend>(&self, candidate: &mut Candidate<'_, F>) -> u64 {
        let place = (candidate.receiver(), candidate.events());
        let is_as_before = self.picks.get(&place) == Some(&candidate.pick());
        u64::from(is_as_before == (self.turned == Some(place)))
    }
}
