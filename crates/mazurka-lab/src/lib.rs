//! The laboratory: published algorithms and the oracle, beside the engine's own algorithm.
//!
//! | module | contents |
//! | --- | --- |
//! | `algorithm` | the names of all algorithms, and their settings |
//! | `published` | the algorithms of the literature, one file each, on the engine's graphs |
//! | [`oracle`] | random programs, brute force, and a comparison of both with every algorithm |
//!
//! The published algorithms reach the engine through [`mazurka_engine::world`] only. Brute force
//! uses nothing of the engine but the front-end trait.

mod algorithm;
mod explore;
pub mod oracle;
mod published;

pub use algorithm::{Algorithm, AlgorithmOptions, Order, SleepSets};
pub use explore::{check, check_with, explore};
