//! Nondeterministic choices of a program, all of whose results are explored.

use crate::Answer;
use crate::stage::{Demand, Given};
use crate::waiting::wait;

/// Chooses a number below `n`; each of them is explored. Use it for what the program does not
/// determine: whether a disk fails, which key a user asks for.
///
/// # Panics
/// If `n` is 0.
pub async fn choose(n: u32) -> u32 {
    assert!(n > 0, "mazurka::choose(0): there is nothing to choose");
    match wait("choose", || Demand::Choose(n)).await {
        Given::Answer(Answer::Int(chosen)) => {
            u32::try_from(chosen).expect("the engine chooses below n")
        }
        _ => unreachable!("the engine answers a choice with a number"),
    }
}
