//! One execution, step by step.

use super::ground::Ground;
use super::moves::{Menu, Move, Moves};
use super::random::Random;
use crate::frontend::{Fault, Frontend};
use crate::graph::Graph;
use std::ops::ControlFlow;

/// Decides which step is made.
pub(super) trait Picker {
    /// What it chooses from.
    const MENU: Menu;

    /// An execution begins.
    fn begin(&mut self, random: &mut Random);

    /// The number of the move to make.
    fn choose(&mut self, graph: &Graph, moves: &[Move], random: &mut Random) -> usize;

    /// It has been made, as the last step of the graph.
    fn made(&mut self, graph: &Graph, made: Move);

    /// The execution has come to its end after so many moves.
    fn ended(&mut self, moves: u64) {
        let _ = moves;
    }
}

/// What became of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// It is the current graph.
    Over { cut_short: bool },
    /// Something should have been known from the beginning, and now is.
    Surprised,
    /// Somebody wants to stop.
    Stopped,
}

/// Walks from the beginning to the end of one execution.
pub(super) fn walk<F: Frontend, P: Picker>(
    ground: &mut Ground<F>,
    moves: &mut Moves,
    picker: &mut P,
    mut random: Random,
    mut go_on: impl FnMut(&Ground<F>) -> ControlFlow<()>,
) -> Result<Walked, Fault> {
    ground.rewind();
    picker.begin(&mut random);
    let mut made = 0;
    let cut_short = loop {
        if ground.is_surprised() {
            return Ok(Walked::Surprised);
        }
        if go_on(ground) == ControlFlow::Break(()) {
            return Ok(Walked::Stopped);
        }
        moves.find(ground, P::MENU, &mut random)?;
        if moves.list.is_empty() {
            break false;
        }
        if ground.is_cut() {
            break true;
        }
        let chosen = picker.choose(&ground.graph, &moves.list, &mut random);
        let mv = moves.list[chosen];
        ground.step(mv.slot, mv.pick)?;
        picker.made(&ground.graph, mv);
        made += 1;
    };
    picker.ended(made);
    Ok(Walked::Over { cut_short })
}
