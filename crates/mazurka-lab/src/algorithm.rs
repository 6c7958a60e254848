//! The algorithms and their settings.

use mazurka_engine::by_name;
use std::fmt;
use std::str::FromStr;

/// How executions are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// The engine's own: every trace once, in any order, without a record of explored traces.
    #[default]
    Optimal,
    /// Optimal DPOR: source sets with wakeup trees (Abdulla, Aronis, Jonsson, Sagonas 2014).
    Odpor,
    /// Source-DPOR (the same authors).
    Source,
    /// TransDPOR (Tasharofi, Karmani, Lauterburg, Legay, Marinov, Agha 2012).
    TransDpor,
    /// Dynamic partial order reduction (Flanagan, Godefroid 2005), for actors.
    Dpor,
    /// Every order in which messages can be consumed.
    Naive,
    /// Every schedule of visible actions (Christakis, Gotovos, Sagonas 2013).
    Interleavings,
}

/// An algorithm and its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlgorithmOptions {
    /// How executions are found.
    pub algorithm: Algorithm,
    /// The order in which a published algorithm tries messages.
    pub order: Order,
    /// Whether it uses sleep sets, if they are optional for it.
    pub sleep_sets: bool,
    /// `interleavings`: do not schedule a process that would only find that it must wait.
    pub blocking_avoidance: bool,
    /// `interleavings`: the maximum number of switches away from a process that could have continued.
    pub preemption_bound: Option<u32>,
}

impl Default for AlgorithmOptions {
    fn default() -> Self {
        AlgorithmOptions {
            algorithm: Algorithm::default(),
            order: Order::default(),
            sleep_sets: true,
            blocking_avoidance: true,
            preemption_bound: None,
        }
    }
}

/// An algorithm with sleep sets, if it can use them, and otherwise with its default settings.
impl From<Algorithm> for AlgorithmOptions {
    fn from(algorithm: Algorithm) -> Self {
        AlgorithmOptions {
            algorithm,
            ..AlgorithmOptions::default()
        }
    }
}

/// Whether an algorithm uses sleep sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SleepSets {
    /// Sleep sets are a part of the algorithm.
    Always,
    /// It does not use them.
    Never,
    /// They can be turned on and off.
    Optional {
        /// Whether they are on by default.
        by_default: bool,
    },
}

impl Algorithm {
    /// All of them, the most economical first.
    pub const ALL: [Algorithm; 7] = [
        Algorithm::Optimal,
        Algorithm::Odpor,
        Algorithm::Source,
        Algorithm::TransDpor,
        Algorithm::Dpor,
        Algorithm::Naive,
        Algorithm::Interleavings,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Optimal => "optimal",
            Algorithm::Odpor => "odpor",
            Algorithm::Source => "source",
            Algorithm::TransDpor => "transdpor",
            Algorithm::Dpor => "dpor",
            Algorithm::Naive => "naive",
            Algorithm::Interleavings => "interleavings",
        }
    }

    /// Whether it uses sleep sets.
    #[must_use]
    pub fn sleep_sets(self) -> SleepSets {
        match self {
            Algorithm::Odpor | Algorithm::Source => SleepSets::Always,
            Algorithm::TransDpor | Algorithm::Dpor => SleepSets::Optional { by_default: true },
            Algorithm::Naive => SleepSets::Optional { by_default: false },
            Algorithm::Optimal | Algorithm::Interleavings => SleepSets::Never,
        }
    }

    /// Whether the [`Order`] in which messages are tried applies to it.
    #[must_use]
    pub fn has_order(self) -> bool {
        !matches!(self, Algorithm::Optimal | Algorithm::Interleavings)
    }

    /// Whether blocking avoidance and preemption bounds apply to it.
    #[must_use]
    pub fn has_schedules(self) -> bool {
        self == Algorithm::Interleavings
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        by_name("algorithm", text, &Algorithm::ALL, Algorithm::name)
    }
}

/// The order in which the messages that could be consumed are tried (Lauterburg, Karmani,
/// Marinov, Agha 2010).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// By the time they were sent.
    #[default]
    Fifo,
    /// First those to the process that was created earliest.
    Eca,
    /// First those to the process that was created latest.
    Lca,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 3] = [Order::Fifo, Order::Eca, Order::Lca];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Order::Fifo => "fifo",
            Order::Eca => "eca",
            Order::Lca => "lca",
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        by_name("order", text, &Order::ALL, Order::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        for order in Order::ALL {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
    }

    #[test]
    fn errors_list_what_there_is() {
        assert_eq!(
            "lifo".parse::<Order>().unwrap_err(),
            "unknown order `lifo`: use fifo, eca or lca"
        );
    }
}
