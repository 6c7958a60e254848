//! A hunt: who takes part, and what it cannot be combined with.

use crate::options::{CheckOptions, OptionsError};
use crate::plan::Plan;
use mazurka_engine::{Algorithm, Hunter, Place, Strategy, Valuation};
use std::time::Duration;

/// How long a hunt goes on if nothing is said.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// How long a hunt goes on.
pub(crate) fn time(options: &CheckOptions) -> Duration {
    options.max_seconds.unwrap_or(USUAL_TIME)
}

/// The plans of those who take part. They differ as much as they can: each is good at something
/// that the others are bad at.
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
        (best, Some(Valuation::FewSwitches)),
        (best, Some(Valuation::Distance)),
    ];
    ways.into_iter()
        .map(|(strategy, valuation)| Plan {
            strategy,
            direction: match valuation {
                Some(valuation) => mazurka_engine::Direction::new(valuation.into(), &Place::ALL),
                None => mazurka_engine::Direction::default(),
            },
            ..Plan::of(Algorithm::Optimal)
        })
        .collect()
}

/// The engine's words for a plan.
pub(crate) fn hunter(plan: &Plan) -> Hunter {
    Hunter {
        strategy: plan.strategy,
        direction: plan.direction,
    }
}

/// Whether a hunt goes together with all else that is set.
pub(crate) fn check(given: &CheckOptions) -> Result<(), OptionsError> {
    let voice = given.voice;
    let others = [
        ("algorithm", given.algorithm != Algorithm::Optimal, ""),
        (
            "strategy",
            given.strategy.is_some(),
            ", it has several of its own",
        ),
        (
            "valuation",
            given.valuations.is_some(),
            ", it has several of its own",
        ),
        ("sample", given.sample.is_some(), ""),
        (
            "keep-going",
            given.keep_going,
            ", a hunt ends with the first error",
        ),
    ];
    match others.into_iter().find(|(_, is_set, _)| *is_set) {
        Some((other, _, why)) => Err(OptionsError::Excluded {
            one: voice.name("hunt"),
            other: voice.name(other),
            why,
        }),
        None => Ok(()),
    }
}
