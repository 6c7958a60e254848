//! Dynamic partial order reduction (Flanagan and Godefroid 2005), for actors.
//!
//! From each configuration one move is made. If a message races with a transition of the path, the
//! configuration before that transition gets another move to try: the receive of that message, or the
//! first transition that it needs.

use super::race::{self, Race};
use super::search::Method;
use super::state::{Move, State};
use super::trail::{Configuration, Trail};
use mazurka_engine::Frontend;

pub(super) struct Dpor;

/// The moves to try from a configuration, and those that have been tried.
#[derive(Default)]
pub(super) struct Backtrack {
    pub to_try: Vec<Move>,
    pub done: Vec<Move>,
    /// TransDPOR: no move is added before the newest one has been made.
    pub freeze: bool,
}

impl Backtrack {
    /// Adds a move to try. Returns whether it is new.
    pub(super) fn add(&mut self, mv: Move) -> bool {
        let new = !self.to_try.contains(&mv);
        if new {
            self.to_try.push(mv);
        }
        new
    }
}

impl Configuration<Backtrack> {
    /// The next move to try, in the order in which they were added.
    pub(super) fn next(&mut self) -> Option<Move> {
        if self.note.to_try.is_empty() {
            self.note.to_try.extend(self.first_awake());
        }
        let to_try = self.note.to_try.iter().copied();
        let next = to_try
            .filter(|mv| !self.note.done.contains(mv))
            .find(|mv| !self.is_asleep(*mv))?;
        self.note.done.push(next);
        Some(next)
    }
}

fn add<F: Frontend>(state: &State<F>, trail: &mut Trail<Backtrack>, races: &[Race]) {
    for race in races.iter().filter(|race| race.is_last) {
        trail[race.at as usize - 1].note.add(race.first(state));
    }
}

impl<F: Frontend> Method<F> for Dpor {
    type Note = Backtrack;

    fn arrived(&mut self, state: &mut State<F>, trail: &mut Trail<Backtrack>) {
        // The paper examines all pending messages. Those that were pending before and are for another
        // process have been examined before.
        let races = race::all_of_last(state, trail);
        add(state, trail, &races);
    }

    fn next(&mut self, trail: &mut Trail<Backtrack>) -> Option<Move> {
        trail.last_mut()?.next()
    }
}
