//! The command line.

mod check;
mod output;
mod program;
mod run;
mod settings;
mod tables;
mod values;

pub use check::{Check, Format};
pub use output::{Output, Pictures};
pub use program::ProgramArgs;
pub use run::{Replay, RunArgs, Trace};
pub use settings::{Given, OfCheck, OfCompare, OfReplay, OfRun, Offer};
pub use tables::{Compare, Papers, SleepSetRows, TableFormat};
pub use values::shape_name;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use mazurka_engine::Delivery;
use mazurka_lab::Algorithm;
use mazurka_lab::oracle::Shape;
use mazurka_report::Value;
use std::path::PathBuf;
use values::{algorithm, delivery, positive, shape};

/// Runs every causally different execution of a message-passing program, each once, and
/// reports the ones that go wrong.
#[derive(Debug, Parser)]
#[command(name = "mazurka", version, propagate_version = true, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  no error in any execution; or, with --expect, exactly the expected kinds
  1  an error was found, or an expected one was not
  2  bad usage or input
  3  stopped early, by a bound or by Ctrl-C, SIGTERM or SIGHUP
  4  the program is not deterministic
  5  the program uses something that is not modelled";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run every execution of a program and report what goes wrong
    Check(Box<Check>),
    /// Run a program once, along a log if one is given, and write its trace
    Trace(Trace),
    /// List the receives of a trace with the messages they could have taken instead, and the
    /// messages that were never received
    Races(Races),
    /// Write a log for each race of a trace that drives the program to the other outcome
    Variants(Variants),
    /// Run a program along a log or trace and report whether its error recurs
    Replay(Replay),
    /// Print the events of a trace in one order
    Linearise(Linearise),
    /// List the example programs, or describe one
    Gallery(Gallery),
    /// Compare algorithms with each other, with published figures, and with brute force
    #[command(subcommand)]
    Lab(Lab),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Write the manual pages
    Man(Man),
}

/// `mazurka lab`
#[derive(Debug, Subcommand)]
pub enum Lab {
    /// Run a program with several algorithms and show side by side what they need
    Compare(Box<Compare>),
    /// Run the subjects of published evaluations and show the published figures beside ours
    Papers(Papers),
    /// Compare exploration with brute force on random programs
    Oracle(Oracle),
}

/// Commands that were moved to `mazurka lab`.
const MOVED: [&str; 3] = ["compare", "papers", "oracle"];

/// Adds to clap's error about a command that was moved where it is now.
pub fn explain(error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    match MOVED.contains(&name.as_str()) {
        true => Cli::command().error(
            ErrorKind::InvalidSubcommand,
            format!("`mazurka {name}` was moved: use `mazurka lab {name}`"),
        ),
        false => error,
    }
}

/// `mazurka races`
#[derive(Args, Debug)]
pub struct Races {
    /// The trace
    pub file: PathBuf,
}

/// `mazurka variants`
#[derive(Args, Debug)]
pub struct Variants {
    /// The trace
    pub file: PathBuf,

    /// Only the variants of this receive, given by its process and position (from 1) or by the tag
    /// of the message it took (repeatable)
    #[arg(long = "receive", value_name = "PROCESS:POSITION or TAG")]
    pub receives: Vec<String>,

    /// The folder for the files, created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Replace files that Mazurka did not write
    #[arg(long)]
    pub force: bool,

    /// What to write
    #[arg(long, value_enum, default_value_t)]
    pub format: VariantFormat,
}

/// What to write of a variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum VariantFormat {
    /// Its log, for `mazurka trace` and `mazurka replay`
    #[default]
    Log,
    /// The partial trace itself
    Trace,
}

/// `mazurka linearise`
#[derive(Args, Debug)]
pub struct Linearise {
    /// The trace
    pub file: PathBuf,

    /// Print the order with the fewest context switches (the default)
    #[arg(long, group = "which")]
    pub fewest_switches: bool,

    /// Print a random order
    #[arg(long, group = "which")]
    pub random: bool,

    /// The seed of --random
    #[arg(
        long,
        value_name = "N",
        requires = "random",
        default_value_t = 0,
        value_parser = u64::parse,
        allow_negative_numbers = true,
    )]
    pub seed: u64,

    /// Print every order
    #[arg(long, group = "which")]
    pub all: bool,

    /// Print at most this many orders with --all
    #[arg(
        long,
        value_name = "N",
        requires = "all",
        value_parser = u64::parse,
        allow_negative_numbers = true,
    )]
    pub limit: Option<u64>,
}

/// `mazurka gallery`
#[derive(Args, Debug)]
pub struct Gallery {
    /// Describe this program only
    pub name: Option<String>,
}

/// `mazurka lab oracle`
#[derive(Args, Debug)]
pub struct Oracle {
    /// How many random programs for each delivery model
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub cases: u64,

    /// The first program's seed
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0,
        value_parser = u64::parse,
        allow_negative_numbers = true,
    )]
    pub seed: u64,

    /// Only this delivery model (may be given several times)
    #[arg(long, value_name = "MODEL", value_parser = delivery())]
    pub delivery: Vec<Delivery>,

    /// Only programs of this shape (may be given several times)
    #[arg(long, value_parser = shape())]
    pub shape: Vec<Shape>,

    /// Only this algorithm (may be given several times)
    #[arg(long, value_name = "NAME", value_parser = algorithm())]
    pub algorithm: Vec<Algorithm>,
}

/// `mazurka completions`
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// `mazurka man`
#[derive(Args, Debug)]
pub struct Man {
    /// Write one page per command to this folder, instead of the main page to the standard output
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Replace files that Mazurka did not write
    #[arg(long, requires = "output")]
    pub force: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consistent() {
        Cli::command().debug_assert();
    }
}
