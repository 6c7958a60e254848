//! The arguments of commands that run one execution: `mazurka trace` and `mazurka replay`.

use super::{Format, Given, OfReplay, OfRun, Pictures, ProgramArgs};
use clap::Args;
use mazurka_report::{StopAt, heading};
use std::path::PathBuf;
use std::str::FromStr;

/// How one execution is run.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// How to run it.
    #[command(flatten)]
    pub settings: Given<OfRun>,
}

/// `mazurka trace`
#[derive(Args, Debug)]
pub struct Trace {
    /// How to run it.
    #[command(flatten)]
    pub run: RunArgs,

    /// The log to drive the program along, full or partial: a log file, a trace file or a token
    #[arg(long, value_name = "FILE|TOKEN")]
    pub log: Option<PathBuf>,

    /// The file for the trace; `-` is the standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    /// Diagrams of the execution.
    #[command(flatten)]
    pub pictures: Pictures,
}

/// `mazurka replay`
#[derive(Args, Debug)]
pub struct Replay {
    /// How to run it.
    #[command(flatten)]
    pub run: RunArgs,

    /// The log of the execution: a log file, a trace file, or the token of a report
    #[arg(value_name = "FILE|TOKEN")]
    pub log: PathBuf,

    /// Show the execution up to a step number or up to an event, as PROCESS:NUMBER, and the state of
    /// every process there: what it waits for and what is in its mailbox
    #[arg(
        long,
        value_name = "STEP|EVENT",
        value_parser = StopAt::from_str,
        allow_negative_numbers = true,
    )]
    pub stop_at: Option<StopAt>,

    /// Refuse a log that does not fit the program, instead of using it as far as it fits
    #[arg(long)]
    pub strict: bool,

    /// What counts as an error.
    #[command(flatten)]
    pub errors: Given<OfReplay>,

    /// The format of the report
    #[arg(
        long,
        value_enum,
        default_value_t,
        conflicts_with = "stop_at",
        help_heading = heading::REPORT,
    )]
    pub format: Format,

    /// Diagrams of the execution.
    #[command(flatten)]
    pub pictures: Pictures,
}
