//! Sampling, for programs with too many executions to run them all.
//!
//! A *sampler* runs as many executions as it is asked for, each from the beginning, and leaves
//! to chance which of the steps that could be made next is made. *Dives* into the tree that
//! exploration would walk through tell how many traces there are in all.
//!
//! | module | says |
//! | --- | --- |
//! | `sampler` | which samplers there are, and what can be set about them |
//! | `ground` | the one graph on which samples and dives are made |
//! | `moves` | what could happen next |
//! | `walk` | one execution, step by step |
//! | `uniform`, `pct`, `pos` | which step is made |
//! | `chains` | how `pct` cuts what happens into chains |
//! | `trace_hash` | a number for each trace |
//! | `dive` | Knuth's estimator of the size of a tree |
//! | `estimate` | what many dives tell |
//! | `bound` | a lower bound that holds for every tree |
//! | `run` | as many samples as were asked for |

mod bound;
mod chains;
mod dive;
mod estimate;
mod ground;
mod moves;
mod pct;
mod pos;
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
