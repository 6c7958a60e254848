//! The arguments of sampling.

use super::heading;
use super::values::{positive, sampler, small_positive};
use clap::Args;
use mazurka_engine::{Sampler, Sampling};

/// Whether and how to sample, as given.
#[derive(Args, Debug)]
pub struct SampleArgs {
    /// Run N random executions instead of all, and estimate how many there are; verifies nothing
    /// (exit code 3 if no error is found)
    #[arg(
        long,
        value_name = "N",
        value_parser = positive,
        allow_negative_numbers = true,
        help_heading = heading::SAMPLING,
        hide_short_help = true,
    )]
    pub sample: Option<u64>,

    /// How --sample chooses the next step: uniform (a random walk), pct (finds errors that need few
    /// events in a certain order with a known probability) or pos (random priorities per event)
    /// (docs/sampling.md) [default: uniform]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = sampler(),
        help_heading = heading::SAMPLING,
        hide_short_help = true,
    )]
    pub sampler: Option<Sampler>,

    /// For --sampler pct: how many events must come in a certain order for the error to show
    /// [default: 3]
    #[arg(
        long,
        value_name = "N",
        value_parser = small_positive,
        allow_negative_numbers = true,
        help_heading = heading::SAMPLING,
        hide_short_help = true,
    )]
    pub bug_depth: Option<u32>,
}

/// The arguments that give this sampling.
pub fn arguments_for(sampling: Sampling) -> Vec<String> {
    let mut words = vec!["--sample".to_owned(), sampling.executions.to_string()];
    words.extend(["--sampler".to_owned(), sampling.sampler.to_string()]);
    if let Sampler::Pct { bug_depth } = sampling.sampler {
        words.extend(["--bug-depth".to_owned(), bug_depth.to_string()]);
    }
    words.extend(["--seed".to_owned(), sampling.seed.to_string()]);
    words
}
