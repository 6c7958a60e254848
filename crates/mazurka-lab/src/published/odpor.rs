//! Optimal DPOR (Abdulla, Aronis, Jonsson and Sagonas 2014).
//!
//! When an execution is complete, each of its races is turned into a sequence that reverses
//! it and keeps all that did not depend on it. The wakeup tree of the configuration before the
//! race takes the sequence, unless something that sleeps there or is already in the tree leads
//! to the same executions. No execution is begun in vain.

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

/// What optimal DPOR remembers of a configuration.
#[derive(Default)]
pub(super) struct Wakeup {
    /// What is still to be tried, the current move's branch included.
    tree: WakeupTree,
    /// The races of the transition that led here. They are reversed anew in every execution:
    /// what can be kept depends on all of it.
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
            // Now it is known which objects it reads and changes.
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
        // From the last to the first, so that the path is taken back only once.
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
            // At least one, so that somebody asks whether to go on.
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

/// Reverses a race: all of the execution that does not depend on the transition that the move
/// now comes before, then the move.
fn reverse<F: Frontend>(
    state: &mut State<F>,
    execution: &[Transition],
    race: &Race,
) -> Result<Sequence, Fault> {
    // A move that reads or changes objects must be made to know which.
    let mv = race.mv;
    let is_plain = !rules_out(state) && mv.pick != LATEST && !state.world.is_object(mv.pid);
    match is_plain {
        true => Ok(in_mind(execution, race)),
        false => in_fact(state, execution, race),
    }
}

/// Whether what one process does may make impossible what another could do.
fn rules_out<F: Frontend>(state: &State<F>) -> bool {
    state.graph().delivery == Delivery::Mailbox
}

/// Nothing that is kept can make the move impossible, or change what it does.
fn in_mind(execution: &[Transition], race: &Race) -> Sequence {
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

/// By making the moves.
fn in_fact<F: Frontend>(
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
        // Something that was kept rules it out: first what it needs, then the move, then what
        // is still possible.
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

/// Makes the moves of an execution again that are wanted and possible without the transition
/// that a race is about. Whatever depends on what is left out is left out, too.
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

/// Whether a sequence that reverses a race is possible after some moves that it does not depend
/// on.
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
