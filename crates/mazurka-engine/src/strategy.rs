//! The order in which the frontier is explored.

use std::fmt;
use std::str::FromStr;

/// The order in which the items of the frontier are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Depth first: the frontier is never longer than one execution.
    #[default]
    Dfs,
    /// Breadth first.
    Bfs,
    /// Runs each execution to its end with random choices, then continues a random item.
    Random {
        /// Seed of the pseudo-random choices.
        seed: u64,
    },
    /// The prefix with the best value first, by the valuations.
    BestFirst {
        /// In percent: leave an execution for the best item of the frontier as soon as its value is
        /// worse than that item's by more than this share of it. At 0, with the valuation `distance`,
        /// this is A*. Without a threshold every execution is run to its end.
        threshold: Option<u32>,
    },
    /// Monte Carlo tree search: continues executions that had high rewards, or that were tried
    /// seldom.
    Mcts {
        /// Seed of the pseudo-random choices.
        seed: u64,
    },
}

impl Strategy {
    /// The names of all strategies.
    pub const NAMES: [&str; 5] = ["dfs", "bfs", "random", "best-first", "mcts"];

    /// The seed, if the strategy is random.
    #[must_use]
    pub fn seed(self) -> Option<u64> {
        match self {
            Strategy::Random { seed } | Strategy::Mcts { seed } => Some(seed),
            Strategy::Dfs | Strategy::Bfs | Strategy::BestFirst { .. } => None,
        }
    }

    /// Whether executions are left for better items before they end.
    pub(crate) fn has_threshold(self) -> bool {
        matches!(self, Strategy::BestFirst { threshold: Some(_) })
    }

    /// The same strategy with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Strategy {
        match self {
            Strategy::Random { .. } => Strategy::Random { seed },
            Strategy::Mcts { .. } => Strategy::Mcts { seed },
            Strategy::Dfs | Strategy::Bfs | Strategy::BestFirst { .. } => self,
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::Dfs => "dfs",
            Strategy::Bfs => "bfs",
            Strategy::Random { .. } => "random",
            Strategy::BestFirst { .. } => "best-first",
            Strategy::Mcts { .. } => "mcts",
        })
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "dfs" => Ok(Strategy::Dfs),
            "bfs" => Ok(Strategy::Bfs),
            "random" => Ok(Strategy::Random { seed: 0 }),
            "best-first" => Ok(Strategy::BestFirst { threshold: None }),
            "mcts" => Ok(Strategy::Mcts { seed: 0 }),
            other => Err(format!(
                "unknown strategy `{other}`: use {}",
                Strategy::NAMES.join(", ")
            )),
        }
    }
}
