//! The settings of a check, and the errors for settings that cannot be combined.

use crate::voice::Voice;
use mazurka_engine::{
    Delivery, Kind, Place, Sampler, Settings, Strategy, Timeouts, Valuation, Valuations,
};
use mazurka_lab::{Algorithm, Order};
use std::path::PathBuf;
use std::time::Duration;

/// The settings of a check. `None` means not given; [`crate::Plan`] fills in the defaults of the
/// algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckOptions {
    /// Where these settings were given, which determines how reports and errors spell them.
    pub voice: Voice,
    /// Which messages a receive may take.
    pub delivery: Delivery,
    /// When timeouts may fire.
    pub timeouts: Timeouts,
    /// The algorithm that finds executions.
    pub algorithm: Algorithm,
    /// The order in which the published algorithms try messages.
    pub order: Option<Order>,
    /// Whether sleep sets are used.
    pub sleep_sets: Option<bool>,
    /// Whether to leave out schedules in which a process only finds that it must wait.
    pub blocking_avoidance: Option<bool>,
    /// How often a process that could have continued may be preempted.
    pub preemption_bound: Option<u32>,
    /// The order in which the optimal algorithm explores executions.
    pub strategy: Option<Strategy>,
    /// The seed of a random strategy, if it is not in the strategy, or of a sample.
    pub seed: Option<u64>,
    /// How executions are scored. Without a strategy, valuations imply `best-first`.
    pub valuations: Option<Valuations>,
    /// The decisions that the valuations influence; if empty, [`Place::USUAL`].
    pub direct: Vec<Place>,
    /// `best-first` abandons an execution when its score falls more than this percentage behind the
    /// best known score. `None` if it is not given, or is in the strategy.
    pub threshold: Option<u32>,
    /// Run several searches in turns, until one finds an error.
    pub hunt: bool,
    /// Run this many random executions instead of exploring.
    pub sample: Option<u64>,
    /// How each of them is chosen.
    pub sampler: Option<Sampler>,
    /// The depth of the bugs that [`Sampler::Pct`] searches for: the number of events that must happen
    /// in a certain order.
    pub bug_depth: Option<u32>,
    /// Steps after which executions are cut short.
    pub max_depth: u64,
    /// Number of processes and shared objects above which executions are cut short.
    pub max_processes: u64,
    /// Number of executions after which the check stops.
    pub max_executions: Option<u64>,
    /// Time after which the check stops.
    pub max_seconds: Option<Duration>,
    /// Memory in use, in MiB, at which the check stops.
    pub max_memory: Option<u64>,
    /// Collect all distinct errors instead of stopping as soon as the verdict is clear.
    pub keep_going: bool,
    /// After an execution with a stuck process and no other error, explore this many more, to look
    /// for errors of other kinds.
    pub after_stuck: u64,
    /// Warnings to treat as errors.
    pub errors: Vec<Kind>,
    /// The kinds of errors that are expected. If there are any, a check passes only if all of them
    /// were found, and no others.
    pub expect: Vec<Kind>,
    /// Run every step of the program twice, to test whether it is deterministic.
    pub distrust: bool,
    /// The directory for logs of errors, created only if there is an error. `None` writes no logs.
    pub log_dir: Option<PathBuf>,
    /// Draw the execution of each error in the text report.
    pub diagram: bool,
    /// Write every step, both executions beside each other, and all counts.
    pub verbose: bool,
    /// Keep the tree of executions.
    pub tree: bool,
}

impl CheckOptions {
    /// The default of [`CheckOptions::delivery`]: within one node, or one operating system process.
    pub const DELIVERY: Delivery = Delivery::Mailbox;
    /// The default of [`CheckOptions::max_depth`].
    pub const MAX_DEPTH: u64 = 100_000;
    /// The default of [`CheckOptions::max_processes`].
    pub const MAX_PROCESSES: u64 = 2_000;

    /// The default of [`CheckOptions::after_stuck`].
    pub const AFTER_STUCK: u64 = Settings::AFTER_STUCK;

    /// Refuses bounds of 0, which would stop a check before its first step.
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

/// Settings that cannot be combined, or that are not supported here. Each is spelled in the
/// [`Voice`] in which it was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// A setting that does not apply to the algorithm.
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
    /// A seed for an algorithm that makes no random choices.
    #[error(
        "{seed} is for {only} with {random}, {algorithm} leaves nothing to chance: leave out one \
         of the two"
    )]
    NothingToChance {
        /// The seed.
        seed: String,
        /// The algorithm that uses it.
        only: String,
        /// The strategy that uses it.
        random: String,
        /// The algorithm that has none.
        algorithm: String,
    },
    /// A setting that refines another one, which was not given.
    #[error("{setting} says nothing without {missing}: leave it out, or add {missing}")]
    SaysNothing {
        /// The setting.
        setting: String,
        /// The setting that it refines.
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
    /// A bound on memory on a system that does not report memory use.
    #[error("{setting}: this system does not tell how much memory is in use")]
    MemoryUnknown {
        /// The setting.
        setting: String,
    },
}
