//! TransDPOR (Tasharofi, Karmani, Lauterburg, Legay, Marinov and Agha 2012).
//!
//! As DPOR, but a configuration gets at most one further move at a time: its *freeze* flag is
//! set when it gets one and taken back when that one is made. Messages to one process all race
//! with each other, so what was left out is found again from there if it is needed.
//!
//! The flag must not be set for a move that sleeps in that configuration: it will not be
//! made, so nothing would be found from there.
//!
//! Which race is looked at first decides what is left out. A message is looked at when it is
//! sent; what a process could have consumed instead, only when all that its choice led to has
//! been seen and has added nothing. That gives the paper's ten paths of its registry example
//! (the figure with the algorithm, taken by the letter, gives thirteen).

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
