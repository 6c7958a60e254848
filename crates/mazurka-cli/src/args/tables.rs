//! The arguments of the commands that print tables.

use super::values::{algorithm, order, positive};
use super::{Given, OfCompare, ProgramArgs};
use crate::commands::lab::subject_names;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use mazurka_lab::{Algorithm, Order};
use mazurka_report::Value;
use std::path::PathBuf;
use std::time::Duration;

/// `mazurka lab compare`
#[derive(Args, Debug)]
pub struct Compare {
    /// What to explore.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// How to explore it.
    #[command(flatten)]
    pub settings: Given<OfCompare>,

    /// Only these algorithms, separated by commas. Without it all but interleavings, which
    /// has far more schedules than others have executions and must be named
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = algorithm())]
    pub algorithms: Vec<Algorithm>,

    /// The orders in which messages are tried, separated by commas; a row for each, where
    /// the algorithm has an order
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "fifo", value_parser = order())]
    pub orders: Vec<Order>,

    /// Rows with sleep sets, without, or both, where they can be turned on and off (dpor,
    /// transdpor and naive); without it as the algorithm is commonly used
    #[arg(long, value_enum)]
    pub sleep_sets: Option<SleepSetRows>,

    /// Stop each row at its first error instead of exploring everything
    #[arg(long)]
    pub to_first_error: bool,

    /// The form of the table
    #[arg(long, value_enum, default_value_t)]
    pub format: TableFormat,
}

/// The rows of an algorithm that can run with and without sleep sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SleepSetRows {
    /// With sleep sets: what has been explored from a configuration before is skipped
    On,
    /// Without sleep sets: it is explored again, so that equivalent executions are repeated
    Off,
    /// One row with and one without sleep sets
    Both,
}

impl SleepSetRows {
    /// Whether each row has sleep sets.
    pub fn each(self) -> &'static [bool] {
        match self {
            SleepSetRows::On => &[true],
            SleepSetRows::Off => &[false],
            SleepSetRows::Both => &[true, false],
        }
    }
}

/// The form of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// For people
    #[default]
    Text,
    /// For documents
    Markdown,
    /// For spreadsheets
    Csv,
    /// One JSON object, described in docs/report-format.md
    Json,
}

/// `mazurka lab papers`
#[derive(Args, Debug)]
pub struct Papers {
    /// Only this subject (may be given several times)
    #[arg(long = "subject", value_name = "NAME", value_parser = PossibleValuesParser::new(subject_names()))]
    pub subjects: Vec<String>,

    /// Only this table of Tasharofi et al. 2012: 1 is without sleep sets, 2 with them
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=2), allow_negative_numbers = true)]
    pub table: Option<u8>,

    /// Count schedules for preemption bounds 0 to 7 instead, as Christakis et al. 2013 did,
    /// and draw them to this file
    #[arg(long, value_name = "FILE.svg", conflicts_with_all = ["subjects", "table"])]
    pub preemption_plot: Option<PathBuf>,

    /// Replace FILE.svg even if Mazurka did not write it
    #[arg(long, requires = "preemption_plot")]
    pub force: bool,

    /// Search for the bugs of Laurent 2023 with every strategy and valuation instead
    #[arg(long, conflicts_with_all = ["subjects", "table", "preemption_plot"])]
    pub directed: bool,

    /// Number of seeds for random and mcts; --directed shows the mean over them
    #[arg(long, value_name = "N", default_value = "100", value_parser = positive, requires = "directed", allow_negative_numbers = true)]
    pub seeds: u64,

    /// Stop each run after this many seconds
    #[arg(long, value_name = "S", default_value = "60", value_parser = Duration::parse, allow_negative_numbers = true)]
    pub max_seconds: Duration,

    /// The form of the table
    #[arg(long, value_enum, default_value_t)]
    pub format: TableFormat,
}
