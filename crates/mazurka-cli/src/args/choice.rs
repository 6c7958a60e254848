//! The arguments that choose an algorithm and set it up.

use super::values::{algorithm, order, strategy};
use clap::{Args, ValueEnum};
use mazurka_engine::{Algorithm, Order, Strategy};

/// An algorithm and its settings, as given. [`crate::plan::Plan`] says what they amount to.
#[derive(Args, Debug)]
pub struct Choice {
    /// How executions are found; docs/algorithms.md describes each
    #[arg(long, default_value_t, value_parser = algorithm())]
    pub algorithm: Algorithm,

    /// The order in which the algorithms of the literature try messages: by the time they
    /// were sent, or first those to the earliest or the latest created process [default: fifo]
    #[arg(long, value_parser = order())]
    pub order: Option<Order>,

    /// Whether dpor, transdpor and naive use sleep sets [default: off for naive, else on]
    #[arg(long, value_enum)]
    pub sleep_sets: Option<Switch>,

    /// Whether interleavings leaves out schedules in which a process only finds that it must
    /// wait [default: on]
    #[arg(long, value_enum)]
    pub blocking_avoidance: Option<Switch>,

    /// How often interleavings may interrupt a process that could have gone on
    #[arg(long, value_name = "N")]
    pub preemption_bound: Option<u32>,

    /// The order in which the optimal algorithm looks at executions [default: dfs]
    #[arg(long, value_parser = strategy())]
    pub strategy: Option<Strategy>,

    /// The seed of --strategy random [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// With it
    On,
    /// Without it
    Off,
}

impl Switch {
    /// Whether it is on.
    pub fn is_on(self) -> bool {
        self == Switch::On
    }
}
