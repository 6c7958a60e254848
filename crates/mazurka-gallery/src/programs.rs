//! The programs, one file each. The functions of a file are the processes of its program.
//!
//! Reports distinguish an assertion from a crash by its message, which starts with `assertion`, or by
//! the source. Users of the `mazurka` command may not have the source of the gallery. So programs do
//! not use `assert!` with a message, which replaces the text `assertion`: they use `assert_eq!` and
//! `assert_ne!`, with or without a message, or `assert!` without one.

use crate::program::{Parameter, Program};

mod any_assert;
mod any_deadlock;
mod attach;
mod bank;
mod chameneos;
mod client_server;
mod counter;
mod fan_in;
mod fan_in_tagged;
mod fibonacci;
mod heat;
mod hidden_race;
mod le_erlang;
mod leader;
mod lost_update;
mod minesweeper;
mod name_race;
mod nondeterministic;
mod pairs;
mod paxos;
mod philosophers;
mod pi;
mod pidigits;
mod ping_pong_register;
mod pipesort;
mod polling;
mod quicksort;
mod registry;
mod regsim_2_level;
mod retry_timeout;
mod ring;
mod selective;
mod shortpath;
mod supervisor;
mod two_phase_commit;

pub(crate) static PROGRAMS: &[Program] = &[
    fan_in::PROGRAM,
    fan_in_tagged::PROGRAM,
    pairs::PROGRAM,
    registry::PROGRAM,
    regsim_2_level::PROGRAM,
    selective::PROGRAM,
    bank::PROGRAM,
    ping_pong_register::PROGRAM,
    philosophers::PROGRAM,
    ring::PROGRAM,
    two_phase_commit::PROGRAM,
    paxos::PROGRAM,
    client_server::PROGRAM,
    fibonacci::PROGRAM,
    quicksort::PROGRAM,
    pi::PROGRAM,
    pipesort::PROGRAM,
    chameneos::PROGRAM,
    leader::PROGRAM,
    shortpath::PROGRAM,
    lost_update::PROGRAM,
    retry_timeout::PROGRAM,
    supervisor::PROGRAM,
    name_race::PROGRAM,
    counter::PROGRAM,
    minesweeper::PROGRAM,
    le_erlang::PROGRAM,
    pidigits::PROGRAM,
    attach::PROGRAM,
    any_deadlock::PROGRAM,
    any_assert::PROGRAM,
    hidden_race::PROGRAM,
    heat::PROGRAM,
    polling::PROGRAM,
    nondeterministic::PROGRAM,
];

/// A parameter for a count.
const fn size(name: &'static str, default: i64, min: i64, about: &'static str) -> Parameter {
    Parameter {
        name,
        default,
        min,
        max: 1000,
        about,
    }
}

/// A switch: a parameter that is 0 or 1.
const fn switch(name: &'static str, about: &'static str) -> Parameter {
    Parameter {
        name,
        default: 0,
        min: 0,
        max: 1,
        about,
    }
}
