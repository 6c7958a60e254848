//! Optimal DPOR (Abdulla, Aronis, Jonsson and Sagonas 2014).
//!
//! When an execution is complete, each of its races is turned into a sequence that reverses
//! it and keeps all that did not depend on it. The wakeup tree of the configuration before the
//! race takes the sequence, unless something that sleeps there or is already in the tree leads
//! to the same executions. No execution is begun in vain.

use super::race::{self, Race};
use super::search::Algorithm;
use super::state::{Made, Move, State, Transition};
use super::trail::Trail;
use super::wakeup::{Branch, Sequence, Tree};
use crate::bits::Bits;
use crate::frontend::{Fault, Frontend};
use mazurka_trace::Delivery;
use smallvec::SmallVec;

pub(super) struct Odpor;

/// What optimal DPOR remembers of a configuration.
#[derive(Default)]
pub(super) struct Wakeup {
    /// What is still to be tried, the current move's branch included.
    tree: Tree,
    /// The races of the transition that led here that have not been dealt with.
    races: Vec<Race>,
}

impl<F: Frontend> Algorithm<F> for Odpor {
    type Note = Wakeup;

    fn arrived(&mut self, state: &mut State<F>, trail: &mut Trail<Wakeup>) {
        let mut races = race::instead_of_last(state, trail);
        races.extend(race::of_last(state, trail));
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
                made: Made {
                    mv: first,
                    reads: SmallVec::new(),
                    publishes: SmallVec::new(),
                },
                rest: Tree::default(),
            });
        }
        let next = here.note.tree.branches.first()?;
        Some(next.made.mv)
    }

    fn complete(&mut self, state: &mut State<F>, trail: &mut Trail<Wakeup>) -> Result<(), Fault> {
        let mut races = Vec::new();
        for stop in trail.iter_mut() {
            races.extend(stop.note.races.iter().cloned());
        }
        if races.is_empty() {
            return Ok(());
        }
        // From the last to the first, so that the path is taken back only once.
        races.sort_by_key(|race| std::cmp::Reverse(race.at));
        let execution = state.path.clone();
        for race in races {
            let place = race.at as usize;
            back_to(state, place);
            let sequence = reverse(state, &execution, &race)?;
            let before = &mut trail[place - 1];
            let mut is_covered = false;
            for asleep in &before.sleep {
                let fits = |sequence: &Sequence| fits(state, &[asleep.mv], sequence);
                is_covered = is_covered || sequence.may_begin_with(asleep, fits)?;
            }
            if !is_covered {
                let tree = &mut before.note.tree;
                tree.insert(sequence, |moves, sequence| fits(state, moves, sequence))?;
            }
        }
        for transition in &execution[state.path.len()..] {
            state.make(transition.made.mv)?;
        }
        Ok(())
    }
}

/// Reverses a race: all of the execution that does not depend on the transition that the move
/// now comes before, then the move. The path leads to the configuration before that transition.
fn reverse<F: Frontend>(
    state: &mut State<F>,
    execution: &[Transition],
    race: &Race,
) -> Result<Sequence, Fault> {
    let begin = state.path.len();
    let mut left_out = Bits::default();
    keep(state, execution, race, &mut left_out, |_| true)?;
    if state.is_enabled(race.mv) {
        state.make(race.mv)?;
    } else {
        // Something that was kept rules it out: first what it needs, then the move, then what
        // is still possible.
        back_to(state, begin);
        let mut left_out = Bits::default();
        keep(state, execution, race, &mut left_out, |place| {
            race.needs.has(place)
        })?;
        state.make(race.mv)?;
        keep(state, execution, race, &mut left_out, |place| {
            !race.needs.has(place)
        })?;
    }
    let mut sequence = Sequence::new();
    for number in begin..state.path.len() {
        let transition = &state.path[number];
        sequence.push(number, transition.made.clone(), |earlier| {
            transition.past.has(small(earlier))
        });
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
    for (place, Transition { made, past, .. }) in execution.iter().enumerate() {
        let place = small(place);
        if place <= race.at || !wanted(place) {
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

/// Whether a sequence is possible after some moves that it does not depend on.
fn fits<F: Frontend>(
    state: &mut State<F>,
    moves: &[Move],
    sequence: &Sequence,
) -> Result<bool, Fault> {
    // Only under `mailbox` do other processes rule anything out.
    if state.graph.delivery != Delivery::Mailbox {
        return Ok(true);
    }
    let begin = state.path.len();
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

fn small(place: usize) -> u32 {
    u32::try_from(place).expect("a short path")
}
