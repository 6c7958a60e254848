//! What can be set about a check, and what is wrong with settings that do not go together.

use crate::voice::Voice;
use mazurka_engine::{
    Delivery, Kind, Place, Sampler, Settings, Strategy, Timeouts, Valuation, Valuations,
};
use mazurka_lab::{Algorithm, Order};
use std::path::PathBuf;
use std::time::Duration;

/// How a check was asked for. What is `None` was not given; [`crate::Plan`] says what the
/// choice of an algorithm amounts to.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckOptions {
    /// Where these settings were given, and so how they are spelled in reports and errors.
    pub voice: Voice,
    /// Which messages a receive may take.
    pub delivery: Delivery,
    /// When timeouts may fire.
    pub timeouts: Timeouts,
    /// How executions are found.
    pub algorithm: Algorithm,
    /// The order in which the algorithms of the literature try messages.
    pub order: Option<Order>,
    /// Whether sleep sets are used.
    pub sleep_sets: Option<bool>,
    /// Whether schedules in which a process only finds that it must wait are left out.
    pub blocking_avoidance: Option<bool>,
    /// How often a process may be interrupted that could have gone on.
    pub preemption_bound: Option<u32>,
    /// The order in which the optimal algorithm looks at executions.
    pub strategy: Option<Strategy>,
    /// The seed of a random strategy, if it is not in the strategy, or of a sample.
    pub seed: Option<u64>,
    /// Which executions are promising. Without a strategy, they imply `best-first`.
    pub valuations: Option<Valuations>,
    /// Where the valuations count; at the usual places if this is empty.
    pub direct: Vec<Place>,
    /// In percent of the best value known: how much worse an execution may become before `best-first`
    /// leaves it, if it is not in the strategy.
    pub threshold: Option<u32>,
    /// Look for errors in several ways by turns, until the first one.
    pub hunt: bool,
    /// Run so many executions, left to chance, instead of exploring.
    pub sample: Option<u64>,
    /// How each of them is chosen.
    pub sampler: Option<Sampler>,
    /// How many events must come in a certain order for the errors that [`Sampler::Pct`] looks
    /// for.
    pub bug_depth: Option<u32>,
    /// Steps after which executions are cut short.
    pub max_depth: u64,
    /// Processes, and objects that they share, beyond which executions are cut short.
    pub max_processes: u64,
    /// Executions after which it stops.
    pub max_executions: Option<u64>,
    /// Time after which it stops.
    pub max_seconds: Option<Duration>,
    /// Memory in use, in MiB, at which it stops.
    pub max_memory: Option<u64>,
    /// Gather all distinct errors instead of stopping as soon as the verdict is clear.
    pub keep_going: bool,
    /// After an execution with a stuck process and no other error, explore this many more, to look
    /// for errors of other kinds.
    pub after_stuck: u64,
    /// Warnings to treat as errors.
    pub errors: Vec<Kind>,
    /// The kinds of errors that the program is meant to have. If there are any, a check
    /// passes only if all of them were found, and no others.
    pub expect: Vec<Kind>,
    /// Run every step of the program twice, to find out whether it is deterministic.
    pub distrust: bool,
    /// Where the logs of errors go; made only if there is an error. `None` writes no logs.
    pub log_dir: Option<PathBuf>,
    /// Draw the execution of each error in the report for people.
    pub diagram: bool,
    /// Write every step, both executions beside each other, and all counts.
    pub verbose: bool,
    /// Keep the tree of executions.
    pub tree: bool,
}

impl CheckOptions {
    /// The usual [`CheckOptions::delivery`]: within one node, or one operating system process.
    pub const DELIVERY: Delivery = Delivery::Mailbox;
    /// The usual [`CheckOptions::max_depth`].
    pub const MAX_DEPTH: u64 = 100_000;
    /// The usual [`CheckOptions::max_processes`].
    pub const MAX_PROCESSES: u64 = 2_000;

    /// The usual [`CheckOptions::after_stuck`].
    pub const AFTER_STUCK: u64 = Settings::AFTER_STUCK;

    /// A bound of nothing would stop a check before it has begun.
    pub(crate) fn bounds_are_above_zero(&self) -> Result<(), OptionsError> {
        let bounds = [
            ("max-depth", self.max_depth == 0),
            ("max-processes", self.max_processes == 0),
            ("max-executions", self.max_executions == Some(0)),
            ("max-seconds", self.max_seconds == Some(Duration::ZERO)),
            ("max-memory", self.max_memory == Some(0)),
            ("sample", self.sample == Some(0)),
        ];
        match bounds.into_iter().find(|&(_, is_zero)| is_zero) {
            Some((name, _)) => Err(OptionsError::Zero {
                setting: self.voice.set(name, 0_u64),
            }),
            None => Ok(()),
        }
    }
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            voice: Voice::default(),
            delivery: CheckOptions::DELIVERY,
            timeouts: Timeouts::default(),
            algorithm: Algorithm::default(),
            order: None,
            sleep_sets: None,
            blocking_avoidance: None,
            preemption_bound: None,
            strategy: None,
            seed: None,
            valuations: None,
            direct: Vec::new(),
            threshold: None,
            hunt: false,
            sample: None,
            sampler: None,
            bug_depth: None,
            max_depth: CheckOptions::MAX_DEPTH,
            max_processes: CheckOptions::MAX_PROCESSES,
            max_executions: None,
            max_seconds: None,
            max_memory: None,
            keep_going: false,
            after_stuck: CheckOptions::AFTER_STUCK,
            errors: Vec::new(),
            expect: Vec::new(),
            distrust: false,
            log_dir: None,
            diagram: false,
            verbose: false,
            tree: false,
        }
    }
}

/// Settings that do not go together, or that cannot be honoured here. Each is spelled in the
/// [`Voice`] in which it was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// A setting that the algorithm has no use for.
    #[error("{setting} means nothing to {algorithm}{why}: leave it out, or {instead}")]
    MeansNothing {
        /// The setting.
        setting: String,
        /// The algorithm, or the strategy.
        algorithm: String,
        /// Why, if that is not clear.
        why: &'static str,
        /// What to choose to make use of it.
        instead: String,
    },
    /// Sleep sets cannot be turned off.
    #[error(
        "{setting} is not for {algorithm}, sleep sets are a part of it: leave it out, or {instead}"
    )]
    SleepSetsNeeded {
        /// The setting.
        setting: String,
        /// The algorithm.
        algorithm: String,
        /// What to choose to make use of it.
        instead: String,
    },
    /// A strategy for an algorithm that has its own.
    #[error(
        "{strategy} is for {only} only, {algorithm} goes depth first: leave out one of the two"
    )]
    DepthFirstOnly {
        /// The strategy.
        strategy: String,
        /// The algorithm that has strategies.
        only: String,
        /// The algorithm that has none.
        algorithm: String,
    },
    /// A seed for an algorithm that leaves nothing to chance.
    #[error(
        "{seed} is for {only} with {random}, {algorithm} leaves nothing to chance: leave out one \
         of the two"
    )]
    NothingToChance {
        /// The seed.
        seed: String,
        /// The algorithm that has a use for it.
        only: String,
        /// The strategy that has a use for it.
        random: String,
        /// The algorithm that has none.
        algorithm: String,
    },
    /// A setting that says more about another one, which is not there.
    #[error("{setting} says nothing without {missing}: leave it out, or add {missing}")]
    SaysNothing {
        /// The setting.
        setting: String,
        /// What it is about.
        missing: String,
    },
    /// Two settings that exclude each other.
    #[error("{one} and {other} do not go together{why}: leave out one of the two")]
    Excluded {
        /// One of them.
        one: String,
        /// The other.
        other: String,
        /// Why, if that is not clear.
        why: &'static str,
    },
    /// A setting that is about sampling, where everything is explored.
    #[error("{setting} says how to sample: leave it out, or add {sample}")]
    SamplingOnly {
        /// The setting.
        setting: String,
        /// What to add to make use of it.
        sample: String,
    },
    /// A setting that is about exploring, where executions are sampled.
    #[error(
        "{setting} says how to explore, and {sample} explores nothing: leave out one of the two"
    )]
    ExploringOnly {
        /// The setting.
        setting: String,
        /// The other setting.
        sample: String,
    },
    /// A bound that leaves nothing to explore.
    #[error("{setting} leaves nothing to explore: give a number above 0, or leave it out")]
    Zero {
        /// The setting.
        setting: String,
    },
    /// A valuation that cannot be computed for the program.
    #[error(
        "{setting}: the valuation `{valuation}` cannot be computed for this program, because no process \
         reports a distance in its first execution. Programs of the Rust library report one with \
         `mazurka::distance(n)`, Erlang programs cannot: leave `{valuation}` out, or use another valuation \
         such as `similarity-avoidance`"
    )]
    NoDistances {
        /// The setting.
        setting: String,
        /// The valuation.
        valuation: Valuation,
    },
    /// A bound on memory where the system does not tell.
    #[error("{setting}: this system does not tell how much memory is in use")]
    MemoryUnknown {
        /// The setting.
        setting: String,
    },
}
