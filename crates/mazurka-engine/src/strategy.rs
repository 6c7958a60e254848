//! In which order executions are explored.

use std::fmt;
use std::str::FromStr;

/// In which order the frontier is worked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Depth first: memory that does not grow with the number of executions.
    #[default]
    Dfs,
    /// Breadth first.
    Bfs,
    /// Each execution to its end with random choices, then one at random of those that are left;
    /// repeatable by its seed.
    Random {
        /// Another seed, another order.
        seed: u64,
    },
    /// The most promising beginning first, by the valuations.
    BestFirst {
        /// How much worse than the best beginning known an execution may become before it is left
        /// for that one. Without it every execution is run to its end.
        threshold: Option<u32>,
    },
    /// Monte Carlo tree search: near executions that were rewarding, and where few have been run.
    Mcts {
        /// Another seed, other executions.
        seed: u64,
    },
}

impl Strategy {
    /// The names of all strategies.
    pub const NAMES: [&str; 5] = ["dfs", "bfs", "random", "best-first", "mcts"];

    /// Whether anything is left to chance.
    #[must_use]
    pub fn seed(self) -> Option<u64> {
        match self {
            Strategy::Random { seed } | Strategy::Mcts { seed } => Some(seed),
            Strategy::Dfs | Strategy::Bfs | Strategy::BestFirst { .. } => None,
        }
    }

    /// The same with another seed.
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
