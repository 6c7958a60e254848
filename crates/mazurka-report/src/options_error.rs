//! Settings that cannot be used.

use mazurka_engine::Valuation;

/// Settings that cannot be combined, or that are not supported here. Each is spelled in the
/// [`Voice`](crate::Voice) in which it was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// A setting that does not apply to the algorithm.
    #[error("{setting} does not apply to {algorithm}{why}: leave it out, or {instead}")]
    DoesNotApply {
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
        "{seed} is for {only} with {random}, {algorithm} makes no random choices: leave out one \
         of the two"
    )]
    NotRandom {
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
    #[error("{setting} has no effect without {missing}: leave it out, or add {missing}")]
    NoEffect {
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
    #[error("{setting} applies to sampling only: leave it out, or add {sample}")]
    SamplingOnly {
        /// The setting.
        setting: String,
        /// What to add to make use of it.
        sample: String,
    },
    /// A setting that is about exploring, where executions are sampled.
    #[error(
        "{setting} applies to exploration only, and {sample} samples instead: leave out one of the two"
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
         `mazurka::distance(n)`; an Erlang process has one if it may reach an instruction of the program's \
         own code that fails, such as `badmatch` or `error/1`: leave `{valuation}` out, or use another \
         valuation such as `similarity-avoidance`"
    )]
    NoDistances {
        /// The setting.
        setting: String,
        /// The valuation.
        valuation: Valuation,
    },
    /// A bound on memory on a system that does not report memory use.
    #[error("{setting}: this system does not report how much memory is in use")]
    MemoryUnknown {
        /// The setting.
        setting: String,
    },
}
