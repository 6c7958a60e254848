//! A program with its parameters, ready to be explored.

use crate::actor::{Actors, Start};
use std::fmt;

/// A program on its front-end.
///
/// Callers match on this and explore each front-end with its own generic instance, without dynamic
/// dispatch.
#[derive(Clone)]
pub enum Built {
    /// In continuation-passing style, for measuring the engine.
    Actors(Actors),
    /// In async functions.
    Rust(mazurka::Program),
}

impl Built {
    /// The program on [`Actors`] with this entry process.
    pub(crate) fn actors(entry: Start) -> Self {
        Built::Actors(Actors::new(entry))
    }

    /// The program whose entry process runs this function.
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
