//! The arguments that choose an algorithm and set it up.

use super::values::{algorithm, order, strategy, switch, whole};
use clap::Args;
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

    /// Whether dpor, transdpor and naive use sleep sets: on skips what has been explored from
    /// a configuration before, off explores it again, so that equivalent executions are
    /// completed several times [default: off for naive, else on]
    #[arg(long, value_name = "ON/OFF", value_parser = switch())]
    pub sleep_sets: Option<bool>,

    /// Whether interleavings avoids blocking: on leaves out schedules in which a process is
    /// chosen only to find that it must wait, off runs them too [default: on]
    #[arg(long, value_name = "ON/OFF", value_parser = switch())]
    pub blocking_avoidance: Option<bool>,

    /// How often interleavings may interrupt a process that could have gone on
    #[arg(long, value_name = "N", value_parser = whole::<u32>, allow_negative_numbers = true)]
    pub preemption_bound: Option<u32>,

    /// The order in which the optimal algorithm looks at executions [default: dfs]
    #[arg(long, value_parser = strategy())]
    pub strategy: Option<Strategy>,

    /// The seed of --strategy random [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
}
