//! One execution, step by step.

use super::possible::{Menu, PossibleStep, PossibleSteps};
use super::random::Random;
use crate::frontend::{Fault, Frontend};
use crate::graph::Graph;
use crate::world::World;
use std::ops::ControlFlow;

/// Decides which step is made.
pub(super) trait Picker {
    /// What it chooses from.
    const MENU: Menu;

    /// An execution starts.
    fn begin(&mut self, random: &mut Random);

    /// The index of the step to make.
    fn choose(&mut self, graph: &Graph, steps: &[PossibleStep], random: &mut Random) -> usize;

    /// The chosen step was made; it is the last of the graph.
    fn made(&mut self, graph: &Graph, made: PossibleStep);

    /// The execution is over, after this many choices.
    fn ended(&mut self, choices: u64) {
        let _ = choices;
    }
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// The current graph is an execution.
    Over { cut_short: bool },
    /// A process missed a signal, and is interruptible from now on.
    MissedSignal,
    /// The observer wants to stop.
    Stopped,
}

/// Walks from the start to the end of one execution.
pub(super) fn walk<F: Frontend, P: Picker>(
    world: &mut World<F>,
    possible: &mut PossibleSteps,
    picker: &mut P,
    mut random: Random,
    mut go_on: impl FnMut(&World<F>) -> ControlFlow<()>,
) -> Result<Walked, Fault> {
    world.begin_walk(false);
    world.evict();
    picker.begin(&mut random);
    let mut made = 0;
    let cut_short = loop {
        if world.has_missed() {
            world.restart();
            return Ok(Walked::MissedSignal);
        }
        if go_on(world) == ControlFlow::Break(()) {
            return Ok(Walked::Stopped);
        }
        possible.find(world, P::MENU, &mut random)?;
        if possible.list.is_empty() {
            break false;
        }
        if world.is_cut() {
            break true;
        }
        let chosen = picker.choose(&world.graph, &possible.list, &mut random);
        let step = possible.list[chosen];
        world.step(step.slot, step.pick)?;
        picker.made(&world.graph, step);
        made += 1;
    };
    picker.ended(made);
    Ok(Walked::Over { cut_short })
}
