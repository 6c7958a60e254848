//! The commands, each in a module of its own.

mod check;
mod completions;
mod drive;
mod gallery;
pub mod lab;
mod linearise;
mod man;
mod output;
mod races;
mod replay;
mod trace;
mod variants;

use crate::args::Command;
use anyhow::Result;
use mazurka_report::Exit;
use std::io::Write;

/// Runs a command.
pub fn run(command: &Command) -> Result<Exit> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Races(args) => races::run(args),
        Command::Variants(args) => variants::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Linearise(args) => linearise::run(args),
        Command::Gallery(args) => gallery::run(args),
        Command::Lab(command) => lab::run(command),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}

/// The standard output, coloured if it is a terminal and NO_COLOR is not set.
fn stdout() -> impl Write {
    anstream::AutoStream::auto(std::io::stdout()).lock()
}
