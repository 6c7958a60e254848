//! The oracle: random programs, every interleaving of them, and a comparison of what
//! exploration finds with what there is.

mod brute;
mod canonical;
mod compare;
mod generate;
mod script;

pub use brute::{TooLarge, brute};
pub use canonical::CanonicalTrace;
pub use compare::{Case, Difference, Tally, check_case, check_searches};
pub use generate::{Shape, generate};
pub use script::{Instruction, Pattern, Script, Start, Target, Term};
