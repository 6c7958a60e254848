//! TransDPOR (Tasharofi, Karmani, Lauterburg, Legay, Marinov and Agha 2012).
//!
//! Like DPOR, but a configuration gets at most one new move at a time: its *freeze* flag is set when a
//! move is added and cleared when that move is made. Messages to one process all race with each other,
//! so a move that was left out is found again after that one if it is needed.
//!
//! The flag must not be set for a move in the sleep set of that configuration: it will not be made, so
//! nothing would be found after it.
//!
//! The order in which races are examined decides which moves are left out. The races of a message are
//! examined when it is sent. The other inputs of a process are examined only when everything after its
//! first input was explored and no move was added. That gives the paper's ten paths of its registry
//! example (the figure with the algorithm, implemented literally, gives thirteen).

use super::dpor::Backtrack;
use super::race::{self, Race};
use super::search::Method;
use super::state::{Move, State};
use super::trail::Trail;
use mazurka_engine::Frontend;

pub(super) struct TransDpor;

fn add<F: Frontend>(state: &State<F>, trail: &mut Trail<Backtrack>, races: &[Race]) {
    for race in races.iter().filter(|race| race.is_last) {
        let first = race.first(state);
        let before = &mut trail[race.at as usize - 1];
        // Only messages to one process all race with each other.
        let frozen = race.is_of_one_process && before.note.freeze;
        if !frozen && !before.is_asleep(first) && before.note.add(first) {
            before.note.freeze |= race.is_of_one_process;
        }
    }
}

impl<F: Frontend> Method<F> for TransDpor {
    type Note = Backtrack;

    fn arrived(&mut self, state: &mut State<F>, trail: &mut Trail<Backtrack>) {
        let races = race::of_last(state, trail);
        add(state, trail, &races);
    }

    fn next(&mut self, trail: &mut Trail<Backtrack>) -> Option<Move> {
        let here = trail.last_mut()?;
        if !here.note.freeze
            && let Some(&tried) = here.note.done.last()
        {
            let is_new = |mv: &Move| !here.note.to_try.contains(mv) && !here.is_asleep(*mv);
            let other = here.instead_of(tried).find(is_new);
            here.note.to_try.extend(other);
        }
        here.note.freeze = false;
        here.next()
    }
}
