//! The samplers and their settings.

use crate::named::by_name;
use std::fmt;
use std::str::FromStr;

/// How a sampled execution is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sampler {
    /// A random walk: each possible next step is equally likely.
    #[default]
    Uniform,
    /// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte 2010) on
    /// chains of messages (Ozkan, Majumdar, Niksic, Tabaei Befrouei, Weissenbacher 2018).
    Pct {
        /// Number of events whose order decides whether the errors searched for occur.
        bug_depth: u32,
    },
    /// Partial order sampling (Yuan, Yang, Gu 2018).
    Pos,
}

impl Sampler {
    /// The bug depth of [`Sampler::Pct`] if none is given.
    pub const BUG_DEPTH: u32 = 3;

    /// All of them, with the usual bug depth.
    pub const ALL: [Sampler; 3] = [
        Sampler::Uniform,
        Sampler::Pct {
            bug_depth: Sampler::BUG_DEPTH,
        },
        Sampler::Pos,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Sampler::Uniform => "uniform",
            Sampler::Pct { .. } => "pct",
            Sampler::Pos => "pos",
        }
    }
}

impl fmt::Display for Sampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Sampler {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        by_name("sampler", text, &Sampler::ALL, Sampler::name)
    }
}

/// What to sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// How many executions.
    pub executions: u64,
    /// How each is chosen.
    pub sampler: Sampler,
    /// Seed of the random choices.
    pub seed: u64,
}
