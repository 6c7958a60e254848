//! Optimal DPOR (Abdulla, Aronis, Jonsson and Sagonas 2014).
//!
//! For each race of a complete execution there is a sequence that reverses the race and keeps all
//! transitions that do not depend on it. The sequence is added to the wakeup tree of the configuration
//! before the race, unless a move in the sleep set or a branch of the tree leads to the same executions.
//! No execution is blocked.

use super::race::{self, Race};
use super::search::{Flow, Method, Watched};
use super::state::{LATEST, Made, Move, State, Transition, place};
use super::trail::Trail;
use super::wakeup::{Branch, Sequence, WakeupTree};
use mazurka_engine::Observer;
use mazurka_engine::world::Bits;
use mazurka_engine::{Fault, Frontend};
use mazurka_trace::Delivery;
use std::cmp::Reverse;
use std::ops::ControlFlow;

pub(super) struct Odpor;

/// What optimal DPOR stores for a configuration.
#[derive(Default)]
pub(super) struct Wakeup {
    /// The sequences still to try, including the branch of the current move.
    tree: WakeupTree,
    /// The races of the transition that led here. They are reversed again in every execution, because
    /// the kept transitions depend on the whole execution.
    races: Vec<Race>,
}

impl<F: Frontend> Method<F> for Odpor {
    type Note = Wakeup;

    fn arrived(&mut self, state: &mut State<F>, trail: &mut Trail<Wakeup>) {
        let races = race::all_of_last(state, trail);
        let (here, before) = trail.split_last_mut().expect("just arrived");
        here.note.races = races;
        if let Some(before) = before.last_mut()
            && let Some(current) = before.note.tree.branches.first_mut()
        {
            here.note.tree = std::mem::take(&mut current.rest);
            // The move has been made, so the objects that it reads and changes are known.
            current.made = state.path.last().expect("it led here").made.clone();
        }
    }

    fn next(&mut self, trail: &mut Trail<Wakeup>) -> Option<Move> {
        let here = trail.last_mut()?;
        if here.tried > 0 {
            here.note.tree.branches.remove(0);
        } else if here.note.tree.branches.is_empty() {
            let first = here.first_awake()?;
            here.note.tree.branches.push(Branch {
                made: Made::without_objects(first),
                rest: WakeupTree::default(),
            });
        }
        let next = here.note.tree.branches.first()?;
        Some(next.made.mv)
    }

    fn complete<O: Observer<F>>(
        &mut self,
        state: &mut State<F>,
        trail: &mut Trail<Wakeup>,
        watched: &mut Watched<'_, O>,
    ) -> Result<Flow, Fault> {
        let races = trail
            .iter()
            .flat_map(|configuration| &configuration.note.races);
        let mut races: Vec<Race> = races.cloned().collect();
        // From the last to the first, so that the path is undone only once.
        races.sort_by_key(|race| Reverse(race.at));
        let execution = state.path.clone();
        for race in races {
            let made = state.moves;
            let before = &mut trail[race.at as usize - 1];
            let sequence = reverse(state, &execution, &race)?;
            let mut is_covered = false;
            for asleep in &before.sleep {
                let fits = |sequence: &Sequence| fits(state, &race, &[asleep.mv], sequence);
                is_covered = is_covered || sequence.may_begin_with(asleep, fits)?;
            }
            if !is_covered {
                let fits =
                    |moves: &[Move], sequence: &Sequence| fits(state, &race, moves, sequence);
                before.note.tree.insert(sequence, fits)?;
            }
            // At least one, so that the observer is asked whether to continue.
            let made = (state.moves - made).max(1);
            if let ControlFlow::Break(stopped) = watched.repeated(state, made) {
                return Ok(ControlFlow::Break(stopped));
            }
        }
        for transition in &execution[state.path.len()..] {
            state.make(transition.made.mv)?;
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The sequence that reverses a race: all transitions of the execution that do not depend on the
/// transition at `race.at`, then `race.mv`.
fn reverse<F: Frontend>(
    state: &mut State<F>,
    execution: &[Transition],
    race: &Race,
) -> Result<Sequence, Fault> {
    // The objects that a move reads or changes are known only after it was made.
    let mv = race.mv;
    let is_plain = !rules_out(state) && mv.pick != LATEST && !state.world.is_object(mv.pid);
    match is_plain {
        true => Ok(reverse_without_moves(execution, race)),
        false => reverse_by_moves(state, execution, race),
    }
}

/// Whether a move of one process may disable a move of another.
fn rules_out<F: Frontend>(state: &State<F>) -> bool {
    state.graph().delivery == Delivery::Mailbox
}

/// Reverses a race if no kept transition can disable the move or change its effects.
fn reverse_without_moves(execution: &[Transition], race: &Race) -> Sequence {
    let mut sequence = Sequence::new();
    let after = execution.iter().enumerate().skip(race.at as usize + 1);
    for (number, Transition { made, past, .. }) in after {
        if !past.has(race.at) {
            sequence.push(number, made.clone(), |earlier| past.has(place(earlier)));
        }
    }
    let mv = Made::without_objects(race.mv);
    sequence.push(execution.len(), mv, |earlier| {
        race.needs.has(place(earlier))
    });
    sequence
}

/// Reverses a race by making the moves.
fn reverse_by_moves<F: Frontend>(
    state: &mut State<F>,
    execution: &[Transition],
    race: &Race,
) -> Result<Sequence, Fault> {
    let begin = race.at as usize;
    back_to(state, begin);
    let mut left_out = Bits::default();
    keep(state, execution, race, &mut left_out, |_| true)?;
    if state.is_enabled(race.mv) {
        state.make(race.mv)?;
    } else {
        // A kept transition disables the move. So make first the transitions that the move needs, then
        // the move, then those that are still enabled.
        back_to(state, begin);
        let mut left_out = Bits::default();
        let needed = |place| race.needs.has(place);
        keep(state, execution, race, &mut left_out, needed)?;
        state.make(race.mv)?;
        keep(state, execution, race, &mut left_out, |place| {
            !needed(place)
        })?;
    }
    let mut sequence = Sequence::new();
    for number in begin..state.path.len() {
        let Transition { made, past, .. } = &state.path[number];
        sequence.push(number, made.clone(), |earlier| past.has(place(earlier)));
    }
    back_to(state, begin);
    Ok(sequence)
}

/// Makes the `wanted` moves of an execution again, except the transition at `race.at` and those that
/// depend on a transition that was left out.
fn keep<F: Frontend>(
    state: &mut State<F>,
    execution: &[Transition],
    race: &Race,
    left_out: &mut Bits,
    wanted: impl Fn(u32) -> bool,
) -> Result<(), Fault> {
    left_out.set(race.at, true);
    let after = execution.iter().enumerate().skip(race.at as usize + 1);
    for (at, Transition { made, past, .. }) in after {
        let place = place(at);
        if !wanted(place) {
            continue;
        }
        let others = made.mv.pid != race.mv.pid || race.needs.has(place);
        match others && !past.meets(left_out) && state.is_enabled(made.mv) {
            true => state.make(made.mv)?,
            false => left_out.set(place, true),
        }
    }
    Ok(())
}

/// Whether a sequence that reverses a race is enabled after `moves`, on which it does not depend.
fn fits<F: Frontend>(
    state: &mut State<F>,
    race: &Race,
    moves: &[Move],
    sequence: &Sequence,
) -> Result<bool, Fault> {
    if !rules_out(state) {
        return Ok(true);
    }
    let begin = race.at as usize;
    back_to(state, begin);
    let mut fits = true;
    for mv in moves.iter().copied().chain(sequence.moves()) {
        fits = fits && state.is_enabled(mv);
        if fits {
            state.make(mv)?;
        }
    }
    back_to(state, begin);
    Ok(fits)
}

fn back_to<F: Frontend>(state: &mut State<F>, length: usize) {
    while state.path.len() > length {
        state.undo();
    }
}
