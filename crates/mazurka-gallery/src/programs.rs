//! The programs, each in a file of its own, which holds its processes as functions.
//!
//! An assertion is told from a crash by its text, which begins with `assertion`, or by the
//! source; but whoever runs the `mazurka` command may have no source. So programs do not use
//! `assert!` with a text, which loses that beginning: they say `assert_eq!` and `assert_ne!`,
//! with or without a text, or plain `assert!`.

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

/// A parameter that says how many.
const fn size(name: &'static str, default: i64, min: i64, about: &'static str) -> Parameter {
    Parameter {
        name,
        default,
        min,
        max: 1000,
        about,
    }
}

/// A parameter that is on or off.
const fn switch(name: &'static str, about: &'static str) -> Parameter {
    Parameter {
        name,
        default: 0,
        min: 0,
        max: 1,
        about,
    }
}
