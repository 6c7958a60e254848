//! A random walk: each possible next step is equally likely.

use super::possible::{Menu, PossibleStep};
use super::random::Random;
use super::walk::Picker;
use crate::graph::Graph;

/// The random walk.
pub(super) struct Uniform;

impl Picker for Uniform {
    const MENU: Menu = Menu::Everything;

    fn begin(&mut self, _: &mut Random) {}

    fn choose(&mut self, _: &Graph, steps: &[PossibleStep], random: &mut Random) -> usize {
        random.below(steps.len())
    }

    fn made(&mut self, _: &Graph, _: PossibleStep) {}
}
