//! Random programs for a small scripted language, and the front-end that runs them.
//!
//! It uses nothing but the engine's front-end trait, so that brute force can share it with the
//! explorers. The unit tests of the engine include this folder by its path.

mod case;
mod generate;
mod mix;
mod script;

pub use case::Case;
pub use generate::{Shape, generate};
pub use mix::mix;
pub use script::{Instruction, Pattern, Script, Start, Target, Term};
