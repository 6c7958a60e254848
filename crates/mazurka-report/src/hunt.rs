//! A hunt: its searches, and the settings that it cannot be combined with.

use crate::options::CheckOptions;
use crate::options_error::OptionsError;
use crate::plan::Plan;
use mazurka_engine::{Hunter, Strategy, Valuation, Valuations};
use mazurka_lab::Algorithm;
use std::time::Duration;

/// The time limit of a hunt unless another one is set.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// The time limit of a hunt.
pub(crate) fn time(options: &CheckOptions) -> Duration {
    options.max_seconds.unwrap_or(USUAL_TIME)
}

/// The plans of the hunters. Each finds some errors much sooner than the others. `distance` is not
/// among them, because many programs report no distances.
pub(crate) fn plans(options: &CheckOptions) -> Vec<Plan> {
    let seed = options.seed.unwrap_or_default();
    let best = Strategy::BestFirst { threshold: None };
    let ways = [
        (Strategy::Dfs, None),
        (best, Some(Valuation::SimilarityAvoidance)),
        (Strategy::Random { seed }, None),
        (best, Some(Valuation::FlipParallel)),
        (Strategy::Mcts { seed }, None),
        (best, Some(Valuation::MinMatch)),
        (best, Some(Valuation::ActorSymmetry)),
        (best, Some(Valuation::FewSwitches)),
    ];
    ways.into_iter()
        .map(|(strategy, valuation)| Plan {
            strategy,
            direction: valuation
                .map_or(Valuations::none(), Valuations::from)
                .into(),
            ..Plan::of(Algorithm::Optimal)
        })
        .collect()
}

/// The engine's form of a plan.
pub(crate) fn hunter(plan: &Plan) -> Hunter {
    Hunter {
        strategy: plan.strategy,
        direction: plan.direction,
    }
}

/// Refuses settings that cannot be combined with a hunt.
pub(crate) fn check(given: &CheckOptions) -> Result<(), OptionsError> {
    const OF_ITS_OWN: &str = ", it has several of its own";
    const FIRST_ERROR: &str = ", a hunt ends with the first error";
    let others = [
        ("algorithm", given.algorithm != Algorithm::Optimal, ""),
        ("order", given.order.is_some(), ""),
        ("sleep-sets", given.sleep_sets.is_some(), ""),
        ("blocking-avoidance", given.blocking_avoidance.is_some(), ""),
        ("preemption-bound", given.preemption_bound.is_some(), ""),
        ("strategy", given.strategy.is_some(), OF_ITS_OWN),
        ("valuation", given.valuations.is_some(), OF_ITS_OWN),
        ("direct", !given.direct.is_empty(), OF_ITS_OWN),
        ("threshold", given.threshold.is_some(), OF_ITS_OWN),
        ("sample", given.sample.is_some(), ""),
        ("sampler", given.sampler.is_some(), ""),
        ("bug-depth", given.bug_depth.is_some(), ""),
        ("keep-going", given.keep_going, FIRST_ERROR),
    ];
    match others.into_iter().find(|(_, is_set, _)| *is_set) {
        Some((other, _, why)) => Err(OptionsError::Excluded {
            one: given.name("hunt"),
            other: given.name(other),
            why,
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voice::Voice;
    use mazurka_engine::{Sampler, Valuations};
    use mazurka_lab::Order;

    /// A hunt refuses every setting that determines how to explore.
    #[test]
    fn what_does_not_go_with_a_hunt() {
        type Set = fn(&mut CheckOptions);
        let others: [(&str, Set); 13] = [
            ("algorithm", |o| o.algorithm = Algorithm::Dpor),
            ("order", |o| o.order = Some(Order::Lca)),
            ("sleep-sets", |o| o.sleep_sets = Some(true)),
            ("blocking-avoidance", |o| o.blocking_avoidance = Some(true)),
            ("preemption-bound", |o| o.preemption_bound = Some(1)),
            ("strategy", |o| o.strategy = Some(Strategy::Dfs)),
            ("valuation", |o| o.valuations = Some(Valuations::none())),
            ("direct", |o| o.direct = vec![mazurka_engine::Place::Next]),
            ("threshold", |o| o.threshold = Some(0)),
            ("sample", |o| o.sample = Some(1)),
            ("sampler", |o| o.sampler = Some(Sampler::Pos)),
            ("bug-depth", |o| o.bug_depth = Some(1)),
            ("keep-going", |o| o.keep_going = true),
        ];
        let hunt = CheckOptions {
            hunt: true,
            voice: Voice::CommandLine,
            ..CheckOptions::default()
        };
        assert_eq!(check(&hunt), Ok(()));
        for (name, set) in others {
            let mut options = hunt.clone();
            set(&mut options);
            let error = check(&options).unwrap_err().to_string();
            let both = format!("--hunt and --{name} do not go together");
            assert!(error.starts_with(&both), "{error}");
        }
    }

    /// Another seed changes only the random searches of a hunt.
    #[test]
    fn the_seed_is_that_of_all() {
        let seeded = CheckOptions {
            seed: Some(7),
            ..CheckOptions::default()
        };
        let (plans, others) = (plans(&CheckOptions::default()), plans(&seeded));
        let differ = plans
            .iter()
            .zip(&others)
            .filter(|(one, other)| one != other);
        let differ: Vec<_> = differ.map(|(_, other)| other.strategy).collect();
        let expected = [Strategy::Random { seed: 7 }, Strategy::Mcts { seed: 7 }];
        assert_eq!(differ, expected);
    }
}
