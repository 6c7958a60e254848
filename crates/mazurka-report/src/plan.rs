//! An algorithm with all its settings.

use crate::hunt;
use crate::options::CheckOptions;
use crate::options_error::OptionsError;
use crate::sampling::{NO_STRATEGY, sampling};
use crate::text::listed;
use crate::voice::Voice;
use mazurka_engine::{Direction, Options, Place, Sampler, Sampling, Strategy};
use mazurka_lab::{Algorithm, AlgorithmOptions, Order, SleepSets};
use std::fmt;

type Result<T> = std::result::Result<T, OptionsError>;

/// How to explore. Settings that do not apply to the algorithm are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The algorithm that finds executions.
    pub algorithm: Algorithm,
    /// The order in which messages are tried.
    pub order: Option<Order>,
    /// Whether it uses sleep sets.
    pub sleep_sets: Option<bool>,
    /// Whether to leave out schedules in which a process only finds that it must wait.
    pub blocking_avoidance: Option<bool>,
    /// How often a process may be preempted, if there is a bound.
    pub preemption_bound: Option<u32>,
    /// The order in which executions are explored.
    pub strategy: Strategy,
    /// How executions are scored, and which decisions use the scores.
    pub direction: Direction,
    /// How to sample, if executions are sampled instead of explored.
    pub sampling: Option<Sampling>,
}

impl Plan {
    /// The plan for these options.
    ///
    /// # Errors
    /// The options cannot be combined.
    pub fn new(given: &CheckOptions) -> Result<Plan> {
        given.bounds_are_above_zero()?;
        tree(given)?;
        if given.hunt {
            hunt::check(given)?;
            return Ok(Plan::of(Algorithm::Optimal));
        }
        let sampling = sampling(given)?;
        // First, because valuations may imply a strategy.
        let direction = direction(given)?;
        Ok(Plan {
            algorithm: given.algorithm,
            order: order(given)?,
            sleep_sets: sleep_sets(given)?,
            blocking_avoidance: blocking_avoidance(given)?,
            preemption_bound: preemption_bound(given)?,
            strategy: match sampling {
                Some(_) => NO_STRATEGY,
                None => strategy(given)?,
            },
            direction,
            sampling,
        })
    }

    /// An algorithm with its default settings.
    #[must_use]
    pub fn of(algorithm: Algorithm) -> Plan {
        Plan {
            algorithm,
            order: algorithm.has_order().then(Order::default),
            sleep_sets: sleep_sets_unless_given(algorithm),
            blocking_avoidance: algorithm.has_schedules().then_some(true),
            preemption_bound: None,
            strategy: Strategy::default(),
            direction: Direction::default(),
            sampling: None,
        }
    }

    /// The seed of its random choices, if it makes any.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        match self.sampling {
            Some(sampling) => Some(sampling.seed),
            None => self.strategy.seed(),
        }
    }

    /// The percentage by which an execution may be worse than the best one, if there is a limit.
    #[must_use]
    pub fn threshold(&self) -> Option<u32> {
        match self.strategy {
            Strategy::BestFirst { threshold } => threshold,
            _ => None,
        }
    }

    /// The places where valuations direct the search; none without valuations.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        match self.direction.valuations.is_empty() {
            true => Vec::new(),
            false => self.direction.places().collect(),
        }
    }

    /// The settings that give this plan.
    #[must_use]
    pub fn options(&self) -> CheckOptions {
        let valuations = Some(self.direction.valuations).filter(|those| !those.is_empty());
        // With valuations the default strategy is `best-first`.
        let is_default = self.strategy == Strategy::default() && valuations.is_none();
        CheckOptions {
            algorithm: self.algorithm,
            order: self.order,
            sleep_sets: self.sleep_sets,
            blocking_avoidance: self.blocking_avoidance,
            preemption_bound: self.preemption_bound,
            strategy: (!is_default).then_some(self.strategy),
            seed: self.seed(),
            threshold: self.threshold(),
            valuations,
            direct: self.places(),
            sample: self.sampling.map(|sampling| sampling.executions),
            sampler: self.sampling.map(|sampling| sampling.sampler),
            bug_depth: self.sampling.and_then(|sampling| match sampling.sampler {
                Sampler::Pct { bug_depth } => Some(bug_depth),
                _ => None,
            }),
            ..CheckOptions::default()
        }
    }

    /// One plan for each combination of these orders and sleep set settings that applies to the
    /// algorithm. If `sleep_sets` is empty, the default is used.
    #[must_use]
    pub fn rows(algorithm: Algorithm, orders: &[Order], sleep_sets: &[bool]) -> Vec<Plan> {
        let plan = Plan::of(algorithm);
        let orders: Vec<Option<Order>> = match algorithm.has_order() {
            true => orders.iter().copied().map(Some).collect(),
            false => vec![None],
        };
        let sleep_sets: Vec<Option<bool>> = match algorithm.sleep_sets() {
            SleepSets::Optional { .. } if !sleep_sets.is_empty() => {
                sleep_sets.iter().copied().map(Some).collect()
            }
            _ => vec![plan.sleep_sets],
        };
        let with = |order, sleep_sets| Plan {
            order,
            sleep_sets,
            ..plan
        };
        orders
            .iter()
            .flat_map(|&order| sleep_sets.iter().map(move |&sets| with(order, sets)))
            .collect()
    }

    /// Sets the engine's options accordingly.
    pub fn set_up(&self, options: &mut Options) {
        options.strategy = self.strategy;
        options.direction = self.direction;
        options.sampling = self.sampling;
    }

    /// The algorithm and its settings.
    #[must_use]
    pub fn algorithm_options(&self) -> AlgorithmOptions {
        let default = AlgorithmOptions::default();
        AlgorithmOptions {
            algorithm: self.algorithm,
            order: self.order.unwrap_or(default.order),
            sleep_sets: self.sleep_sets.unwrap_or(default.sleep_sets),
            blocking_avoidance: self
                .blocking_avoidance
                .unwrap_or(default.blocking_avoidance),
            preemption_bound: self.preemption_bound,
        }
    }
}

/// `dpor, fifo order, without sleep sets`; `optimal, best-first by depth at frontier, threshold 2%`
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |on| if on { "with" } else { "without" };
        write!(f, "{}", self.algorithm)?;
        if let Some(order) = self.order {
            write!(f, ", {order} order")?;
        }
        if let Some(on) = self.sleep_sets {
            write!(f, ", {} sleep sets", with(on))?;
        }
        if let Some(on) = self.blocking_avoidance {
            write!(f, ", {} blocking avoidance", with(on))?;
        }
        if let Some(bound) = self.preemption_bound {
            write!(f, ", at most {bound} preemptions")?;
        }
        let has_valuations = !self.direction.valuations.is_empty();
        if self.strategy != Strategy::Dfs || has_valuations {
            write!(f, ", {}", self.strategy)?;
        }
        if has_valuations {
            write!(f, " by {}", self.direction.valuations)?;
            let places: Vec<&str> = self.direction.places().map(Place::name).collect();
            if places != Place::USUAL.map(Place::name) {
                write!(f, " at {}", listed(&places, "and"))?;
            }
        }
        match self.strategy {
            Strategy::BestFirst {
                threshold: Some(threshold),
            } => write!(f, ", threshold {threshold}%"),
            Strategy::Random { seed } | Strategy::Mcts { seed } => write!(f, ", seed {seed}"),
            Strategy::BestFirst { threshold: None } | Strategy::Dfs | Strategy::Bfs => Ok(()),
        }
    }
}

/// Refuses a tree of executions for other algorithms than the optimal one, which have none.
fn tree(given: &CheckOptions) -> Result<()> {
    if !given.tree {
        return Ok(());
    }
    if given.hunt {
        return Err(OptionsError::Excluded {
            one: given.name("dot"),
            other: given.name("hunt"),
            why: ", a hunt has several trees",
        });
    }
    if let Some(sample) = given.sample {
        return Err(OptionsError::ExploringOnly {
            setting: given.name("dot"),
            sample: given.spell("sample", sample),
        });
    }
    match given.algorithm {
        Algorithm::Optimal => Ok(()),
        _ => {
            let optimal = given.spell("algorithm", Algorithm::Optimal);
            let why = ", which has no tree of executions";
            Err(does_not_apply(
                given,
                "dot",
                why,
                format!("choose {optimal}"),
            ))
        }
    }
}

fn order(given: &CheckOptions) -> Result<Option<Order>> {
    if given.algorithm.has_order() {
        return Ok(Some(given.order.unwrap_or_default()));
    }
    match given.order {
        None => Ok(None),
        Some(_) => Err(does_not_apply(
            given,
            "order",
            "",
            choose(given.voice, Algorithm::has_order),
        )),
    }
}

fn sleep_sets(given: &CheckOptions) -> Result<Option<bool>> {
    let optional = |other: Algorithm| matches!(other.sleep_sets(), SleepSets::Optional { .. });
    match (given.algorithm.sleep_sets(), given.sleep_sets) {
        (_, None) => Ok(sleep_sets_unless_given(given.algorithm)),
        (SleepSets::Optional { .. }, Some(on)) => Ok(Some(on)),
        (SleepSets::Always, Some(true)) => Ok(Some(true)),
        (SleepSets::Always, Some(false)) => Err(OptionsError::SleepSetsNeeded {
            setting: given.spell("sleep-sets", false),
            algorithm: given.spell("algorithm", given.algorithm),
            instead: choose(given.voice, optional),
        }),
        (SleepSets::Never, Some(_)) => Err(does_not_apply(
            given,
            "sleep-sets",
            ", which has no use for them",
            choose(given.voice, optional),
        )),
    }
}

fn sleep_sets_unless_given(algorithm: Algorithm) -> Option<bool> {
    match algorithm.sleep_sets() {
        SleepSets::Always => Some(true),
        SleepSets::Never => None,
        SleepSets::Optional { by_default } => Some(by_default),
    }
}

fn blocking_avoidance(given: &CheckOptions) -> Result<Option<bool>> {
    match given.blocking_avoidance {
        on if given.algorithm.has_schedules() => Ok(Some(on.unwrap_or(true))),
        None => Ok(None),
        Some(_) => Err(needs_schedules(given, "blocking-avoidance")),
    }
}

fn preemption_bound(given: &CheckOptions) -> Result<Option<u32>> {
    match given.preemption_bound {
        Some(_) if !given.algorithm.has_schedules() => {
            Err(needs_schedules(given, "preemption-bound"))
        }
        bound => Ok(bound),
    }
}

fn strategy(given: &CheckOptions) -> Result<Strategy> {
    let (voice, algorithm) = (given.voice, given.algorithm);
    let unless_given = match given.valuations {
        Some(_) => BEST_FIRST,
        None => Strategy::default(),
    };
    let strategy = match given.strategy.unwrap_or(unless_given) {
        Strategy::BestFirst { threshold } => Strategy::BestFirst {
            threshold: given.threshold.or(threshold),
        },
        other => match given.seed {
            Some(seed) => other.with_seed(seed),
            None => other,
        },
    };
    threshold(given, strategy)?;
    frontier(given, strategy)?;
    let random = given.spell("strategy", Strategy::Random { seed: 0 });
    let only = given.spell("algorithm", Algorithm::Optimal);
    let is_optimal = algorithm == Algorithm::Optimal;
    match strategy {
        Strategy::Random { .. } | Strategy::Mcts { .. } if is_optimal => Ok(strategy),
        _ if is_optimal && given.seed.is_some() => Err(OptionsError::DoesNotApply {
            setting: given.name("seed"),
            algorithm: given.spell("strategy", strategy),
            why: ", which makes no random choices",
            instead: format!("add {random}"),
        }),
        _ if is_optimal => Ok(strategy),
        Strategy::Dfs if given.seed.is_none() => Ok(strategy),
        Strategy::Dfs => Err(OptionsError::NotRandom {
            seed: given.name("seed"),
            only,
            random,
            algorithm: voice.value(algorithm),
        }),
        _ => Err(OptionsError::DepthFirstOnly {
            strategy: given.spell("strategy", strategy),
            only,
            algorithm: voice.value(algorithm),
        }),
    }
}

/// Refuses a threshold without the strategy `best-first`, which scores prefixes, or without valuations
/// that apply to the frontier.
fn threshold(given: &CheckOptions, strategy: Strategy) -> Result<()> {
    let in_strategy = matches!(strategy, Strategy::BestFirst { threshold: Some(_) });
    if given.threshold.is_none() && !in_strategy {
        return Ok(());
    }
    let missing = if given.strategy.is_some() && !is_best_first(strategy) {
        given.spell("strategy", BEST_FIRST)
    } else if given.valuations.is_none() {
        given.name("valuation")
    } else if !given.direct.is_empty() && !given.direct.contains(&Place::Frontier) {
        given.spell("direct", Place::Frontier)
    } else {
        return Ok(());
    };
    Err(OptionsError::NoEffect {
        setting: given.name("threshold"),
        missing,
    })
}

/// Refuses valuations that apply only to the frontier with a strategy that does not use them there.
fn frontier(given: &CheckOptions, strategy: Strategy) -> Result<()> {
    let elsewhere = given.direct.iter().any(|&place| place != Place::Frontier);
    if given.direct.is_empty() || elsewhere || is_best_first(strategy) {
        return Ok(());
    }
    Err(OptionsError::DoesNotApply {
        setting: given.spell("direct", Place::Frontier),
        algorithm: given.spell("strategy", strategy),
        why: ", which does not ask valuations there",
        instead: format!("choose {}", given.spell("strategy", BEST_FIRST)),
    })
}

const BEST_FIRST: Strategy = Strategy::BestFirst { threshold: None };

fn is_best_first(strategy: Strategy) -> bool {
    matches!(strategy, Strategy::BestFirst { .. })
}

fn direction(given: &CheckOptions) -> Result<Direction> {
    let Some(valuations) = given.valuations else {
        return match given.direct.is_empty() {
            true => Ok(Direction::default()),
            false => Err(OptionsError::NoEffect {
                setting: given.name("direct"),
                missing: given.name("valuation"),
            }),
        };
    };
    if given.algorithm != Algorithm::Optimal {
        let optimal = given.spell("algorithm", Algorithm::Optimal);
        let instead = format!("choose {optimal}");
        return Err(does_not_apply(given, "valuation", "", instead));
    }
    Ok(match given.direct.is_empty() {
        true => Direction::from(valuations),
        false => Direction::new(valuations, &given.direct),
    })
}

fn does_not_apply(
    given: &CheckOptions,
    setting: &str,
    why: &'static str,
    instead: String,
) -> OptionsError {
    OptionsError::DoesNotApply {
        setting: given.name(setting),
        algorithm: given.spell("algorithm", given.algorithm),
        why,
        instead,
    }
}

fn needs_schedules(given: &CheckOptions, setting: &str) -> OptionsError {
    let instead = given.spell("algorithm", Algorithm::Interleavings);
    does_not_apply(given, setting, "", format!("add {instead}"))
}

/// `choose dpor, naive or source`
fn choose(voice: Voice, which: impl Fn(Algorithm) -> bool) -> String {
    let names: Vec<String> = Algorithm::ALL
        .into_iter()
        .filter(|&algorithm| which(algorithm))
        .map(|algorithm| voice.value(algorithm))
        .collect();
    format!("choose {}", listed(&names, "or"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use mazurka_engine::Valuation;

    /// What is wrong with these options, in both voices.
    #[track_caller]
    pub(crate) fn refused(options: CheckOptions, command: &str, library: &str) {
        for (voice, text) in [(Voice::CommandLine, command), (Voice::Library, library)] {
            let options = CheckOptions {
                voice,
                ..options.clone()
            };
            assert_eq!(Plan::new(&options).unwrap_err().to_string(), text);
        }
    }

    fn with(algorithm: Algorithm) -> CheckOptions {
        CheckOptions {
            algorithm,
            ..CheckOptions::default()
        }
    }

    #[test]
    fn defaults_are_what_is_commonly_used() {
        for algorithm in Algorithm::ALL {
            assert_eq!(Plan::new(&with(algorithm)).unwrap(), Plan::of(algorithm));
        }
        assert_eq!(Plan::of(Algorithm::Dpor).sleep_sets, Some(true));
        assert_eq!(Plan::of(Algorithm::Naive).sleep_sets, Some(false));
        assert_eq!(Plan::of(Algorithm::Optimal).order, None);
    }

    #[test]
    fn reads_well() {
        let text = |options: CheckOptions| Plan::new(&options).unwrap().to_string();
        assert_eq!(text(with(Algorithm::Optimal)), "optimal");
        assert_eq!(
            text(CheckOptions {
                order: Some(Order::Lca),
                sleep_sets: Some(false),
                ..with(Algorithm::Dpor)
            }),
            "dpor, lca order, without sleep sets"
        );
        assert_eq!(
            text(CheckOptions {
                preemption_bound: Some(2),
                ..with(Algorithm::Interleavings)
            }),
            "interleavings, with blocking avoidance, at most 2 preemptions"
        );
        let by_matches = CheckOptions {
            valuations: Some(Valuation::MaxMatch.into()),
            ..CheckOptions::default()
        };
        assert_eq!(text(by_matches.clone()), "optimal, best-first by max-match");
        assert_eq!(
            text(CheckOptions {
                direct: vec![Place::Next, Place::Frontier],
                threshold: Some(2),
                ..by_matches.clone()
            }),
            "optimal, best-first by max-match at frontier and next, threshold 2%"
        );
        assert_eq!(
            text(CheckOptions {
                strategy: Some(Strategy::Mcts { seed: 0 }),
                seed: Some(9),
                direct: vec![Place::Prefer],
                ..by_matches.clone()
            }),
            "optimal, mcts by max-match at prefer, seed 9"
        );
        assert_eq!(
            text(CheckOptions {
                strategy: Some(Strategy::Dfs),
                ..by_matches
            }),
            "optimal, dfs by max-match"
        );
    }

    #[test]
    fn a_seed_may_be_in_the_strategy() {
        let random = |in_strategy, apart| {
            let options = CheckOptions {
                strategy: Some(Strategy::Random { seed: in_strategy }),
                seed: apart,
                ..CheckOptions::default()
            };
            Plan::new(&options).unwrap().strategy
        };
        assert_eq!(random(7, None), Strategy::Random { seed: 7 });
        assert_eq!(random(0, Some(7)), Strategy::Random { seed: 7 });
    }

    #[test]
    fn directions_that_lead_nowhere() {
        refused(
            CheckOptions {
                valuations: Some(Valuation::MaxMatch.into()),
                ..with(Algorithm::Dpor)
            },
            "--valuation does not apply to --algorithm dpor: leave it out, or choose --algorithm \
             optimal",
            "valuation(..) does not apply to algorithm(Algorithm::Dpor): leave it out, or choose \
             algorithm(Algorithm::Optimal)",
        );
        refused(
            CheckOptions {
                direct: vec![Place::Next],
                ..with(Algorithm::Optimal)
            },
            "--direct has no effect without --valuation: leave it out, or add --valuation",
            "direct(..) has no effect without valuation(..): leave it out, or add valuation(..)",
        );
        refused(
            CheckOptions {
                threshold: Some(1),
                strategy: Some(Strategy::Mcts { seed: 0 }),
                ..with(Algorithm::Optimal)
            },
            "--threshold has no effect without --strategy best-first: leave it out, or add \
             --strategy best-first",
            "threshold(..) has no effect without strategy(Strategy::BestFirst { .. }): leave it \
             out, or add strategy(Strategy::BestFirst { .. })",
        );
    }

    #[test]
    fn valuations_that_nobody_hears() {
        let valuations = Some(Valuation::MaxMatch.into());
        let best = |threshold| Some(Strategy::BestFirst { threshold });
        for (strategy, threshold) in [
            (None, Some(1)),
            (best(None), Some(1)),
            (best(Some(1)), None),
        ] {
            refused(
                CheckOptions {
                    strategy,
                    threshold,
                    ..CheckOptions::default()
                },
                "--threshold has no effect without --valuation: leave it out, or add --valuation",
                "threshold(..) has no effect without valuation(..): leave it out, or add \
                 valuation(..)",
            );
        }
        refused(
            CheckOptions {
                valuations,
                threshold: Some(1),
                direct: vec![Place::Next, Place::Prefer],
                ..CheckOptions::default()
            },
            "--threshold has no effect without --direct frontier: leave it out, or add --direct \
             frontier",
            "threshold(..) has no effect without direct(&[Place::Frontier]): leave it out, or add \
             direct(&[Place::Frontier])",
        );
        let at = |places: &[Place], strategy| CheckOptions {
            valuations,
            strategy: Some(strategy),
            direct: places.to_vec(),
            ..CheckOptions::default()
        };
        refused(
            at(&[Place::Frontier], Strategy::Dfs),
            "--direct frontier does not apply to --strategy dfs, which does not ask valuations \
             there: leave it out, or choose --strategy best-first",
            "direct(&[Place::Frontier]) does not apply to strategy(Strategy::Dfs), which does not \
             ask valuations there: leave it out, or choose strategy(Strategy::BestFirst { .. })",
        );
        for strategy in Strategy::NAMES.map(|name| name.parse().unwrap()) {
            let at_frontier = Plan::new(&at(&[Place::Frontier], strategy));
            assert_eq!(at_frontier.is_ok(), is_best_first(strategy), "{strategy}");
            assert!(Plan::new(&at(&Place::ALL, strategy)).is_ok(), "{strategy}");
        }
    }

    #[test]
    fn valuations_go_best_first_unless_told_otherwise() {
        let plan = |strategy, threshold| {
            let options = CheckOptions {
                valuations: Some(Valuation::MaxMatch.into()),
                strategy,
                threshold,
                ..CheckOptions::default()
            };
            Plan::new(&options).unwrap().strategy
        };
        let best = |threshold| Strategy::BestFirst { threshold };
        assert_eq!(plan(None, None), best(None));
        assert_eq!(plan(None, Some(2)), best(Some(2)));
        assert_eq!(plan(Some(best(Some(1))), None), best(Some(1)));
        assert_eq!(plan(Some(best(Some(1))), Some(2)), best(Some(2)));
        assert_eq!(plan(Some(Strategy::Bfs), None), Strategy::Bfs);
    }

    #[test]
    fn what_does_not_go_together() {
        refused(
            CheckOptions {
                order: Some(Order::Fifo),
                ..with(Algorithm::Optimal)
            },
            "--order does not apply to --algorithm optimal: leave it out, or choose odpor, source, \
             transdpor, dpor or naive",
            "order(..) does not apply to algorithm(Algorithm::Optimal): leave it out, or choose \
             Algorithm::Odpor, Algorithm::Source, Algorithm::TransDpor, Algorithm::Dpor or \
             Algorithm::Naive",
        );
        refused(
            CheckOptions {
                sleep_sets: Some(false),
                ..with(Algorithm::Odpor)
            },
            "--sleep-sets off is not for --algorithm odpor, sleep sets are a part of it: leave it \
             out, or choose transdpor, dpor or naive",
            "sleep_sets(false) is not for algorithm(Algorithm::Odpor), sleep sets are a part of \
             it: leave it out, or choose Algorithm::TransDpor, Algorithm::Dpor or \
             Algorithm::Naive",
        );
        refused(
            CheckOptions {
                sleep_sets: Some(true),
                ..with(Algorithm::Interleavings)
            },
            "--sleep-sets does not apply to --algorithm interleavings, which has no use for them: \
             leave it out, or choose transdpor, dpor or naive",
            "sleep_sets(..) does not apply to algorithm(Algorithm::Interleavings), which has no \
             use for them: leave it out, or choose Algorithm::TransDpor, Algorithm::Dpor or \
             Algorithm::Naive",
        );
        refused(
            CheckOptions {
                preemption_bound: Some(1),
                ..with(Algorithm::Dpor)
            },
            "--preemption-bound does not apply to --algorithm dpor: leave it out, or add \
             --algorithm interleavings",
            "preemption_bound(..) does not apply to algorithm(Algorithm::Dpor): leave it out, or \
             add algorithm(Algorithm::Interleavings)",
        );
    }

    #[test]
    fn strategies_are_for_the_optimal_algorithm() {
        refused(
            CheckOptions {
                strategy: Some(Strategy::Bfs),
                ..with(Algorithm::Dpor)
            },
            "--strategy bfs is for --algorithm optimal only, dpor goes depth first: leave out one \
             of the two",
            "strategy(Strategy::Bfs) is for algorithm(Algorithm::Optimal) only, Algorithm::Dpor \
             goes depth first: leave out one of the two",
        );
        refused(
            CheckOptions {
                seed: Some(1),
                ..with(Algorithm::Dpor)
            },
            "--seed is for --algorithm optimal with --strategy random, dpor makes no random \
             choices: leave out one of the two",
            "seed(..) is for algorithm(Algorithm::Optimal) with strategy(Strategy::Random { .. }), \
             Algorithm::Dpor makes no random choices: leave out one of the two",
        );
        refused(
            CheckOptions {
                seed: Some(1),
                ..with(Algorithm::Optimal)
            },
            "--seed does not apply to --strategy dfs, which makes no random choices: leave it \
             out, or add --strategy random",
            "seed(..) does not apply to strategy(Strategy::Dfs), which makes no random choices: \
             leave it out, or add strategy(Strategy::Random { .. })",
        );
    }
}
