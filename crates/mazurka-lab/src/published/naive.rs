//! Every order in which messages can be consumed: every possible move from every
//! configuration. With sleep sets (Godefroid 1991), no complete execution is seen twice.

use super::search::Method;
use super::state::{Move, State};
use super::trail::Trail;
use mazurka_engine::Frontend;

pub(super) struct Naive;

impl<F: Frontend> Method<F> for Naive {
    /// Number of moves that have been tried or left out.
    type Note = usize;

    fn arrived(&mut self, _: &mut State<F>, _: &mut Trail<usize>) {}

    fn next(&mut self, trail: &mut Trail<usize>) -> Option<Move> {
        let here = trail.last_mut()?;
        while let Some(&mv) = here.enabled.get(here.note) {
            here.note += 1;
            if !here.is_asleep(mv) {
                return Some(mv);
            }
        }
        None
    }
}
