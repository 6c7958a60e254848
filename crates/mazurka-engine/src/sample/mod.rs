//! Sampling, for programs with too many executions to run them all.
//!
//! A *sampler* runs the requested number of executions, each from its start, and chooses at random
//! among the possible next steps. *Dives* into the tree that the explorer would walk through
//! estimate how many traces there are in all.
//!
//! | module | contents |
//! | --- | --- |
//! | `sampler` | the samplers and their settings |
//! | `possible` | the possible next steps |
//! | `walk` | one execution, step by step |
//! | `uniform`, `pct`, `pos` | which step is made |
//! | `chains` | the partition of events into chains, for `pct` |
//! | `trace_hash` | a number for each trace |
//! | `dive` | Knuth's estimator of the size of a tree |
//! | `estimate` | the estimate from many dives |
//! | `bound` | a lower bound that holds for every tree |
//! | `run` | all samples of a run |

mod bound;
mod chains;
mod dive;
mod estimate;
mod pct;
mod pos;
mod possible;
mod random;
mod run;
mod sampler;
mod trace_hash;
mod uniform;
mod walk;

#[cfg(test)]
mod tests;

pub use estimate::Estimate;
pub use run::Sampled;
pub(crate) use run::sample;
pub use sampler::{Sampler, Sampling};
