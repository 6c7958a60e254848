//! Random Erlang programs, translated from the engine's random scripts.
//!
//! Exploration finds exactly the traces that brute force finds on the same bytecode, none twice. If
//! each instruction of the script is one operation in Erlang, these are also the traces of the script.
//!
//! Every outcome of a run on the real machine is among those that exploration finds.
//!
//! `MAZURKA_ERLANG_PROGRAMS` is the number of programs of each shape, `MAZURKA_ERLANG_SEED` the first
//! seed, and `MAZURKA_ERLANG_RUNS` the number of runs of each program on the real machine.

mod batch;
mod brute;
mod known;
mod real;
mod shapes;
mod traces;
mod translate;

use std::env;

/// A number that the user may set.
fn setting(name: &str, default: u64) -> u64 {
    let text = env::var(name).unwrap_or_default();
    match text.is_empty() {
        true => default,
        false => text.parse().unwrap_or_else(|_| panic!("{name} is {text}")),
    }
}
