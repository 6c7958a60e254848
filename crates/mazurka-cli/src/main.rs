//! The `mazurka` command: checks, replays and explains message-passing programs.

mod args;
mod commands;
mod exit;
mod measure;
mod papers;
mod program;
mod table;
mod watch;

use args::Cli;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match commands::run(&cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => exit::of_error(&error).into(),
    }
}
