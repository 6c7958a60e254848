//! The oracle: random programs, all their traces by brute force, and a comparison of these with
//! the traces that an exploration finds.

mod brute;
mod compare;
mod program;
mod share;

pub use brute::{TooLarge, brute};
pub use compare::{Difference, Tally, check_case, check_searches};
pub use mazurka_engine::CanonicalTrace;
pub use program::{Case, Instruction, Pattern, Script, Shape, Start, Target, Term, generate, mix};
