//! Random Erlang programs, made of the engine's random scripts.
//!
//! Exploration of each finds exactly the traces that brute force finds on the same bytecode, none
//! twice; where Erlang does for each instruction what the script does, these are the traces of the
//! script itself.
//!
//! And what comes out when they run on the real machine is among what exploration finds.
//!
//! `MAZURKA_ERLANG_PROGRAMS` is how many programs of each shape are made, and `MAZURKA_ERLANG_SEED`
//! where they begin; `MAZURKA_ERLANG_RUNS` is how often each runs on the real machine.

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
