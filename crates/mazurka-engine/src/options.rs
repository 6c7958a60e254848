//! How to explore.

use crate::brake::Brake;
use crate::direct::{Direction, Valuation};
use crate::sample::Sampling;
use crate::strategy::Strategy;
use crate::timeouts::Timeouts;
use mazurka_trace::Delivery;

/// How to explore.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which messages a receive may consume.
    pub delivery: Delivery,
    /// When timeouts may fire.
    pub timeouts: Timeouts,
    /// In which order the optimal algorithm works through its frontier.
    pub strategy: Strategy,
    /// Which prefixes are promising. A [`Directed`](crate::Directed) guide uses it, too.
    pub direction: Direction,
    /// A strategy other than `dfs` chooses each of this many prefixes. After `n` prefixes, each choice
    /// is followed by `n / free_choices` prefixes depth first.
    pub free_choices: u64,
    /// Sample this many random executions instead of exploring.
    pub sampling: Option<Sampling>,
    /// Steps in one execution; longer ones are cut short.
    pub max_depth: Option<usize>,
    /// Processes, and objects that they share, in one execution; those with more are cut short.
    pub max_processes: Option<usize>,
    /// Executions.
    pub max_executions: Option<u64>,
    /// Memory for behaviour nodes and what they refer to, in bytes, before those not in use are
    /// dropped.
    pub node_memory: usize,
    /// Run every step of user code twice, to check that it is deterministic.
    pub distrust: bool,
    /// Stops long steps: front-ends ask it whether to continue.
    pub brake: Brake,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            delivery: Delivery::P2p,
            timeouts: Timeouts::default(),
            strategy: Strategy::Dfs,
            direction: Direction::default(),
            // Enough for the errors that directing finds soon (docs/results/directed.md), and few enough for
            // long runs: about 1,800 choices in 100,000 executions.
            free_choices: 256,
            sampling: None,
            max_depth: Some(100_000),
            max_processes: Some(2_000),
            max_executions: None,
            node_memory: 64 << 20,
            distrust: false,
            brake: Brake::default(),
        }
    }
}

impl Options {
    /// Whether the search uses [distances](crate::Hints::distance), which can be expensive to compute.
    pub(crate) fn use_distances(&self) -> bool {
        self.direction.valuations.weight(Valuation::Distance) > 0
            || matches!(self.strategy, Strategy::Mcts { .. })
    }
}
