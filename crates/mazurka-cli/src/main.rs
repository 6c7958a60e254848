//! The `mazurka` command: checks, replays and explains message-passing programs.

mod args;
mod commands;
mod exit;
mod program;
mod table;
mod watch;

use args::Cli;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Erlang's own tools write -pa.
    let arguments = std::env::args_os().map(|argument| match argument == "-pa" {
        true => "--pa".into(),
        false => argument,
    });
    let cli = Cli::try_parse_from(arguments).unwrap_or_else(|error| args::explain(error).exit());
    match commands::run(&cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => exit::of_error(&error).into(),
    }
}
