//! The arguments of `mazurka check`.

use super::values::{delivery, kind, positive, seconds, warning};
use super::{Choice, EXIT_CODES, Output, Target, heading};
use clap::{Args, ValueEnum};
use mazurka_engine::{Delivery, Kind};
use mazurka_report::{CheckOptions, Voice};
use std::path::PathBuf;
use std::time::Duration;

/// `mazurka check`
#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES)]
pub struct Check {
    /// What to explore.
    #[command(flatten)]
    pub target: Target,

    /// The delivery model: which messages a receive may take. With several, each is checked and the
    /// differences are reported [default: mailbox, or the model `mazurka gallery NAME` shows]
    #[arg(
        long,
        value_name = "MODEL,...",
        value_delimiter = ',',
        value_parser = delivery(),
        help_heading = heading::SEMANTICS,
    )]
    pub delivery: Vec<Delivery>,

    /// Stop after this many seconds
    #[arg(
        long,
        value_name = "S",
        value_parser = seconds,
        allow_negative_numbers = true,
        help_heading = heading::BOUNDS,
    )]
    pub max_seconds: Option<Duration>,

    /// Stop when this many MiB of memory are in use (Linux only)
    #[arg(
        long,
        value_name = "MIB",
        value_parser = positive,
        allow_negative_numbers = true,
        help_heading = heading::BOUNDS,
        hide_short_help = true,
    )]
    pub max_memory: Option<u64>,

    /// Cut executions short after this many steps
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

    /// Cut executions short that have more than this many processes
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

    /// Explore everything and report all distinct errors, instead of stopping at the first error (or
    /// when all expected kinds are found)
    #[arg(long, help_heading = heading::ERRORS)]
    pub keep_going: bool,

    /// Pass if and only if errors of this kind are found and no others (repeatable)
    #[arg(long, value_name = "KIND", value_parser = kind(), help_heading = heading::ERRORS)]
    pub expect: Vec<Kind>,

    /// Treat this kind of warning as an error (repeatable)
    #[arg(
        long = "error",
        value_name = "KIND",
        value_parser = warning(),
        help_heading = heading::ERRORS,
        hide_short_help = true,
    )]
    pub errors: Vec<Kind>,

    /// After a stuck process, explore this many more executions to find errors of other kinds
    #[arg(
        long,
        value_name = "N",
        default_value_t = CheckOptions::AFTER_STUCK,
        help_heading = heading::ERRORS,
        hide_short_help = true,
    )]
    pub after_stuck: u64,

    /// Run every step of the program twice, to test whether it is deterministic
    #[arg(long, help_heading = heading::ERRORS, hide_short_help = true)]
    pub distrust: bool,

    /// How to explore it.
    #[command(flatten)]
    pub choice: Choice,

    /// Report every step, the failing and the passing execution side by side, and all counts
    #[arg(short, long, help_heading = heading::REPORT)]
    pub verbose: bool,

    /// The format of the report
    #[arg(
        long,
        value_enum,
        default_value_t,
        help_heading = heading::REPORT,
        hide_short_help = true,
    )]
    pub format: Format,

    /// Write a progress line to the standard error every SECONDS seconds, even if it is no terminal
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = seconds,
        allow_negative_numbers = true,
        help_heading = heading::REPORT,
        hide_short_help = true,
    )]
    pub log_every: Option<Duration>,

    /// The folder for the logs of errors, created when there is an error
    #[arg(
        long,
        value_name = "DIR",
        default_value = "mazurka-logs",
        help_heading = heading::FILES,
        hide_short_help = true,
    )]
    pub log_dir: PathBuf,

    /// Write no logs of errors
    #[arg(long, conflicts_with = "log_dir", help_heading = heading::FILES, hide_short_help = true)]
    pub no_logs: bool,

    /// Files beside the report.
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

    /// The options of the check under one delivery model. With several models each has a log folder of
    /// its own.
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

/// The format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    #[default]
    Text,
    /// One JSON object (docs/report-format.md)
    Json,
    /// Workflow annotations of GitHub, one per line
    Github,
}
