//! The command line.

mod choice;
mod output;
mod sample;
mod tables;
mod values;

pub use choice::{Choice, arguments_for};
pub use output::{Output, Pictures};
pub use tables::{Compare, Papers, SleepSetRows, TableFormat};
pub use values::shape_name;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use mazurka_engine::{Delivery, Kind, Timeouts};
use mazurka_lab::Algorithm;
use mazurka_lab::oracle::Shape;
use mazurka_report::{CheckOptions, StopAt, Voice};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use values::{
    algorithm, delivery, file_name, kind, param, positive, seconds, shape, warning, whole,
};

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
  0  everything was looked at and nothing is wrong, or only what was expected
  1  a bug was found, or one that was expected is missing
  2  bad usage or input
  3  stopped early, by a bound, by Ctrl-C, or by SIGTERM or SIGHUP
  4  the program is not deterministic
  5  the program uses something that is not modelled";

const TIMEOUTS: &str = "When a timeout may fire: below-<N>ms, any-time, when-quiet or never";

const LATER_TIMEOUTS: &str = "When a timeout may fire that the log does not decide about: \
    below-<N>ms, any-time, when-quiet or never; without it as the log says, else below-1000ms";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run every execution of a program and report what goes wrong
    Check(Box<Check>),
    /// Run a program once, along a log if there is one, and write its trace
    Trace(Trace),
    /// List the receives of a trace with the messages that they could have taken instead, and the
    /// messages that were never received
    Races(Races),
    /// Write the logs that drive a program to the other outcomes of the races of a trace
    Variants(Variants),
    /// Run a program along a log or a trace again and say whether its error recurs
    Replay(Replay),
    /// Put the events of a trace in order
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
    Compare(Compare),
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

/// A program and its parameters.
#[derive(Args, Debug)]
pub struct ProgramArgs {
    /// The program: an .erl or .beam file, a folder of them, an Erlang module, or gallery:NAME
    /// (`mazurka gallery` lists them)
    #[arg(value_parser = file_name())]
    pub program: String,

    /// Where an Erlang program begins: MODULE:FUNCTION/0, or 'MODULE:FUNCTION(ARGUMENTS)' with
    /// Erlang terms. Without it `check` runs every exported function NAME_test/0
    /// and EUnit's generators NAME_test_/0
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// A folder with more modules of an Erlang program, looked into before those of OTP (may be
    /// given several times; -pa will do as well)
    #[arg(long = "pa", value_name = "DIR", value_parser = file_name())]
    pub paths: Vec<String>,

    /// Erlang processes that may wait for ever, as servers do: those that begin with a function
    /// of this module, or with this function, a fun made in it or a fun that calls it,
    /// MODULE:FUNCTION/ARITY (may be given several times)
    #[arg(long = "daemon", value_name = "WHAT")]
    pub daemons: Vec<String>,

    /// An Erlang process may exit for this reason, a term, or for a tuple that begins with it,
    /// as for normal and shutdown (may be given several times)
    #[arg(long = "treat-as-normal", value_name = "REASON")]
    pub normal: Vec<String>,

    /// A parameter of the program (may be given several times)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param)]
    pub params: Vec<(String, String)>,
}

/// What is explored.
#[derive(Args, Debug)]
pub struct Target {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// When a timeout may fire.
    #[arg(long, help = TIMEOUTS, value_name = "WHEN", default_value_t, value_parser = Timeouts::from_str)]
    pub timeouts: Timeouts,

    /// Stop after this many executions
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub max_executions: Option<u64>,
}

/// `mazurka check`
#[derive(Args, Debug)]
pub struct Check {
    /// What to explore.
    #[command(flatten)]
    pub target: Target,

    /// Which messages a receive may take; without it mailbox, or what `mazurka gallery` says of a
    /// program. Several, separated by commas, are all checked, and where they differ is reported
    #[arg(long, value_name = "MODEL,...", value_delimiter = ',', value_parser = delivery())]
    pub delivery: Vec<Delivery>,

    /// How to explore it.
    #[command(flatten)]
    pub choice: Choice,

    /// Cut executions short after this many steps
    #[arg(long, value_name = "N", default_value = "100000", value_parser = positive, allow_negative_numbers = true)]
    pub max_depth: u64,

    /// Cut executions short that have more than this many processes
    #[arg(long, value_name = "N", default_value = "2000", value_parser = positive, allow_negative_numbers = true)]
    pub max_processes: u64,

    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub max_seconds: Option<Duration>,

    /// Stop when this much memory, in MiB, is in use (Linux only)
    #[arg(long, value_name = "MIB", value_parser = positive, allow_negative_numbers = true)]
    pub max_memory: Option<u64>,

    /// Gather all distinct errors instead of stopping at the first, or when all expected
    /// kinds were found
    #[arg(long)]
    pub keep_going: bool,

    /// After a stuck process, explore this many more executions to look for errors of other kinds;
    /// 0 stops there
    #[arg(long, value_name = "N", default_value_t = CheckOptions::AFTER_STUCK)]
    pub after_stuck: u64,

    /// Treat this kind of warning as an error (may be given several times)
    #[arg(long = "error", value_name = "KIND", value_parser = warning())]
    pub errors: Vec<Kind>,

    /// Pass if and only if errors of this kind are found and no others (may be given several
    /// times, for several kinds)
    #[arg(long, value_name = "KIND", value_parser = kind())]
    pub expect: Vec<Kind>,

    /// Run every step of the program twice, to find out whether it is deterministic
    #[arg(long)]
    pub distrust: bool,

    /// Where the logs of errors go; made only if there is an error
    #[arg(long, value_name = "DIR", default_value = "mazurka-logs")]
    pub log_dir: PathBuf,

    /// Write no logs of errors
    #[arg(long, conflicts_with = "log_dir")]
    pub no_logs: bool,

    /// Say on the standard error every so many seconds how far it has come, also where that is no
    /// terminal
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub log_every: Option<Duration>,

    /// Report every step, the failing and the passing execution side by side, and all counts
    #[arg(short, long)]
    pub verbose: bool,

    /// The form of the report
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// What else to write.
    #[command(flatten)]
    pub output: Output,
}

impl Check {
    /// The delivery models to check, each once; `usual` if none is given.
    pub fn models(&self, usual: Delivery) -> Vec<Delivery> {
        let mut models = Vec::new();
        for &model in &self.delivery {
            if !models.contains(&model) {
                models.push(model);
            }
        }
        match models.is_empty() {
            true => vec![usual],
            false => models,
        }
    }

    /// What is asked for, under one of the delivery models. The logs of several go to folders of their
    /// own.
    pub fn options(&self, delivery: Delivery) -> CheckOptions {
        let log_dir = match self.models(delivery).len() {
            1 => self.log_dir.clone(),
            _ => self.log_dir.join(delivery.name()),
        };
        CheckOptions {
            voice: Voice::CommandLine,
            delivery,
            timeouts: self.target.timeouts,
            algorithm: self.choice.algorithm,
            order: self.choice.order,
            sleep_sets: self.choice.sleep_sets,
            blocking_avoidance: self.choice.blocking_avoidance,
            preemption_bound: self.choice.preemption_bound,
            strategy: self.choice.strategy,
            seed: self.choice.seed,
            valuations: self.choice.valuations,
            direct: self.choice.direct.clone(),
            threshold: self.choice.threshold,
            hunt: self.choice.hunt,
            sample: self.choice.sample.sample,
            sampler: self.choice.sample.sampler,
            bug_depth: self.choice.sample.bug_depth,
            max_depth: self.max_depth,
            max_processes: self.max_processes,
            max_executions: self.target.max_executions,
            max_seconds: self.max_seconds,
            max_memory: self.max_memory,
            keep_going: self.keep_going,
            after_stuck: self.after_stuck,
            errors: self.errors.clone(),
            expect: self.expect.clone(),
            distrust: self.distrust,
            log_dir: (!self.no_logs).then_some(log_dir),
            diagram: self.output.pictures.diagram,
            verbose: self.verbose,
            tree: self.output.dot.is_some(),
        }
    }
}

/// The form of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object, described in docs/report-format.md
    Json,
    /// Annotations for a workflow of GitHub, a line each
    Github,
}

/// How one execution is run.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// Which messages a receive may take; without it as the log says, else mailbox, or what
    /// `mazurka gallery` says of a program
    #[arg(long, value_name = "MODEL", value_parser = delivery())]
    pub delivery: Option<Delivery>,

    /// When a timeout may fire, where the log does not say.
    #[arg(long, help = LATER_TIMEOUTS, value_name = "WHEN", value_parser = Timeouts::from_str)]
    pub timeouts: Option<Timeouts>,

    /// Cut the execution short after this many steps
    #[arg(long, value_name = "N", default_value = "100000", value_parser = positive, allow_negative_numbers = true)]
    pub max_depth: u64,

    /// Cut the execution short if it has more than this many processes
    #[arg(long, value_name = "N", default_value = "2000", value_parser = positive, allow_negative_numbers = true)]
    pub max_processes: u64,

    /// Make choices at random, by this seed, where the log leaves any
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
}

/// `mazurka trace`
#[derive(Args, Debug)]
pub struct Trace {
    /// How to run it.
    #[command(flatten)]
    pub run: RunArgs,

    /// The log (or trace, or token of a log) to follow, as far as it goes
    #[arg(long, value_name = "FILE|TOKEN")]
    pub log: Option<PathBuf>,

    /// Where the trace goes; `-` is the standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    /// Pictures of it.
    #[command(flatten)]
    pub pictures: Pictures,
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

    /// Only the variants of this receive, named by its process and position (from 1) or by
    /// the message that it took (may be given several times)
    #[arg(long = "receive", value_name = "PROCESS:POSITION or TAG")]
    pub receives: Vec<String>,

    /// The directory that the files go to; made if it is not there
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
    /// Its log, which `mazurka trace` and `mazurka replay` follow
    #[default]
    Log,
    /// The partial trace itself
    Trace,
}

/// `mazurka replay`
#[derive(Args, Debug)]
pub struct Replay {
    /// How to run it.
    #[command(flatten)]
    pub run: RunArgs,

    /// The log to follow: a file with one or with a trace, or the token of a report
    #[arg(value_name = "FILE|TOKEN")]
    pub log: PathBuf,

    /// Show the execution up to a step, by its number, or up to an event, as PROCESS:NUMBER, and
    /// where every process stands there: what it waits for, and what lies in its mailbox
    #[arg(long, value_name = "STEP|EVENT", value_parser = StopAt::from_str, allow_negative_numbers = true)]
    pub stop_at: Option<StopAt>,

    /// Refuse a log that does not fit the program, instead of following it as far as it does
    #[arg(long)]
    pub strict: bool,

    /// Treat this kind of warning as an error (may be given several times)
    #[arg(long = "error", value_name = "KIND", value_parser = warning())]
    pub errors: Vec<Kind>,

    /// The form of the report
    #[arg(long, value_enum, default_value_t, conflicts_with = "stop_at")]
    pub format: Format,
    /// Pictures of it.
    #[command(flatten)]
    pub pictures: Pictures,
}

/// `mazurka linearise`
#[derive(Args, Debug)]
pub struct Linearise {
    /// The trace
    pub file: PathBuf,

    /// The order with the fewest context switches (the default)
    #[arg(long, group = "which")]
    pub fewest_switches: bool,

    /// An order at random
    #[arg(long, group = "which")]
    pub random: bool,

    /// The seed of --random
    #[arg(long, value_name = "N", requires = "random", default_value_t = 0, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,

    /// Every order
    #[arg(long, group = "which")]
    pub all: bool,

    /// No more than this many of --all
    #[arg(long, value_name = "N", requires = "all", value_parser = whole::<u64>, allow_negative_numbers = true)]
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
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole::<u64>, allow_negative_numbers = true)]
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
    /// Write one page for each command to this directory, instead of the main page to the
    /// standard output
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
