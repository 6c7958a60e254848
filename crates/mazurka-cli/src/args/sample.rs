//! The arguments that ask for a sample.

use super::values::{positive, sampler, small_positive};
use clap::Args;
use mazurka_engine::{Sampler, Sampling};

/// Whether to sample, and how, as given.
#[derive(Args, Debug)]
pub struct SampleArgs {
    /// Run this many executions, left to chance, instead of exploring all; also says about how
    /// many there are. Nothing is verified that way: it ends with exit code 3 if nothing was found
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub sample: Option<u64>,

    /// How --sample chooses: uniform takes any of the next steps, pct finds errors that depend on
    /// the order of few events with a known probability, pos gives independent steps no
    /// influence on each other; docs/sampling.md describes each [default: uniform]
    #[arg(long, value_name = "NAME", value_parser = sampler())]
    pub sampler: Option<Sampler>,

    /// How many events must come in a certain order for the errors that --sampler pct looks for
    /// [default: 3]
    #[arg(long, value_name = "N", value_parser = small_positive, allow_negative_numbers = true)]
    pub bug_depth: Option<u32>,
}

/// The arguments that ask for this sample.
pub fn arguments_for(sampling: Sampling) -> Vec<String> {
    let mut words = vec!["--sample".to_owned(), sampling.executions.to_string()];
    words.extend(["--sampler".to_owned(), sampling.sampler.to_string()]);
    if let Sampler::Pct { bug_depth } = sampling.sampler {
        words.extend(["--bug-depth".to_owned(), bug_depth.to_string()]);
    }
    words.extend(["--seed".to_owned(), sampling.seed.to_string()]);
    words
}
