//! Source-DPOR (Abdulla, Aronis, Jonsson and Sagonas 2014).
//!
//! Like DPOR, but a configuration gets another move only if none of the moves that it tries anyway can
//! be the first of a sequence that reverses the race. Its moves are then a *source set*.

use super::dpor::Backtrack;
use super::race::{self, Race};
use super::search::Method;
use super::state::{Move, State, place};
use super::trail::Trail;
use mazurka_engine::Frontend;
use mazurka_trace::Delivery;

pub(super) struct Source;

fn add<F: Frontend>(state: &State<F>, trail: &mut Trail<Backtrack>, races: &[Race]) {
    for race in races {
        let initials = initials(state, race);
        let before = &mut trail[race.at as usize - 1];
        let is_tried = |mv: &Move| before.note.to_try.contains(mv) || before.is_asleep(*mv);
        if !initials.iter().any(is_tried) {
            before.note.to_try.push(race.first(state));
        }
    }
}

impl<F: Frontend> Method<F> for Source {
    type Note = Backtrack;

    fn arrived(&mut self, state: &mut State<F>, trail: &mut Trail<Backtrack>) {
        let races = race::all_of_last(state, trail);
        add(state, trail, &races);
    }

    fn next(&mut self, trail: &mut Trail<Backtrack>) -> Option<Move> {
        trail.last_mut()?.next()
    }
}

/// The moves that can come first in an execution that reverses the race and keeps all transitions that
/// do not depend on it.
fn initials<F: Frontend>(state: &State<F>, race: &Race) -> Vec<Move> {
    // Under `mailbox` a kept transition may disable the move, so only those that it needs are kept.
    let keeps_all = state.graph().delivery != Delivery::Mailbox;
    let kept =
        |&at: &usize| race.needs.has(place(at)) || keeps_all && !state.path[at].past.has(race.at);
    let from = race.at as usize + 1;
    let kept: Vec<usize> = (from..state.path.len()).filter(kept).collect();
    let is_first =
        |past: &mazurka_engine::world::Bits| !kept.iter().any(|&before| past.has(place(before)));
    let mut initials: Vec<Move> = kept
        .iter()
        .filter(|&&place| is_first(&state.path[place].past))
        .map(|&place| state.path[place].made.mv)
        .collect();
    if is_first(&race.needs) {
        initials.push(race.mv);
    }
    initials
}
