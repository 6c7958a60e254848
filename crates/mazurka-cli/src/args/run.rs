//! The arguments of commands that run one execution: `mazurka trace` and `mazurka replay`.

use super::values::{delivery, positive, warning, whole};
use super::{Format, Pictures, ProgramArgs, heading};
use clap::Args;
use mazurka_engine::{Delivery, Kind, Timeouts};
use mazurka_report::StopAt;
use std::path::PathBuf;
use std::str::FromStr;

const LATER_TIMEOUTS: &str = "When a timeout that is not in the log may fire: below-<N>ms, \
    any-time, when-quiet or never [default: the setting in the log, else below-1000ms]";

/// How one execution is run.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// The delivery model: which messages a receive may take [default: the model in the log, else
    /// mailbox or the model `mazurka gallery NAME` shows]
    #[arg(long, value_name = "MODEL", value_parser = delivery(), help_heading = heading::SEMANTICS)]
    pub delivery: Option<Delivery>,

    /// When a timeout that is not in the log may fire.
    #[arg(
        long,
        help = LATER_TIMEOUTS,
        value_name = "WHEN",
        value_parser = Timeouts::from_str,
        help_heading = heading::SEMANTICS,
        hide_short_help = true,
    )]
    pub timeouts: Option<Timeouts>,

    /// Cut the execution short after this many steps
    #[arg(
        long,
        value_name = "N",
        default_value = "100000",
        value_parser = positive,
        allow_negative_numbers = true,
        help_heading = heading::BOUNDS,
        hide_short_help = true,
    )]
    pub max_depth: u64,

    /// Cut the execution short if it has more than this many processes
    #[arg(
        long,
        value_name = "N",
        default_value = "2000",
        value_parser = positive,
        allow_negative_numbers = true,
        help_heading = heading::BOUNDS,
        hide_short_help = true,
    )]
    pub max_processes: u64,

    /// Make choices that are not in the log at random, with this seed
    #[arg(
        long,
        value_name = "N",
        value_parser = whole::<u64>,
        allow_negative_numbers = true,
        help_heading = heading::SEMANTICS,
        hide_short_help = true,
    )]
    pub seed: Option<u64>,
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

    /// Treat this kind of warning as an error (repeatable)
    #[arg(
        long = "error",
        value_name = "KIND",
        value_parser = warning(),
        help_heading = heading::ERRORS,
        hide_short_help = true,
    )]
    pub errors: Vec<Kind>,

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
