//! A program with its parameters, ready to be explored.

use crate::actor::{Actors, Start};
use std::fmt;

/// A program on the front-end that it is written for.
///
/// Whoever explores it takes the front-end out and has code of its own for each, so that
/// nothing is looked up on the way.
#[derive(Clone)]
pub enum Built {
    /// In continuation-passing style, for measuring the engine.
    Actors(Actors),
    /// In async functions.
    Rust(mazurka::Program),
}

impl Built {
    /// The program on [`Actors`] that begins with this process.
    pub(crate) fn actors(entry: Start) -> Self {
        Built::Actors(Actors::new(entry))
    }

    /// The program whose entry process runs this.
    pub(crate) fn rust(entry: impl mazurka::Body) -> Self {
        Built::Rust(mazurka::Program::new(entry))
    }
}

impl fmt::Debug for Built {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Built::Actors(actors) => actors.fmt(f),
            Built::Rust(_) => f.write_str("Rust(..)"),
        }
    }
}
