//! The options about sampling, validated.

use crate::options::CheckOptions;
use crate::options_error::OptionsError;
use mazurka_engine::{Sampler, Sampling, Strategy};
use mazurka_lab::Algorithm;

/// Whether to sample, and how.
///
/// # Errors
/// The options cannot be combined.
pub(crate) fn sampling(given: &CheckOptions) -> Result<Option<Sampling>, OptionsError> {
    let Some(executions) = given.sample else {
        let without = [
            ("sampler", given.sampler.is_some()),
            ("bug-depth", given.bug_depth.is_some()),
        ];
        return match without.into_iter().find(|&(_, is_given)| is_given) {
            None => Ok(None),
            Some((setting, _)) => Err(OptionsError::SamplingOnly {
                setting: given.name(setting),
                sample: given.spell("sample", EXAMPLE),
            }),
        };
    };
    let explores = [
        (given.algorithm != Algorithm::Optimal).then(|| given.spell("algorithm", given.algorithm)),
        given.order.map(|_| given.name("order")),
        given.sleep_sets.map(|on| given.spell("sleep-sets", on)),
        given
            .blocking_avoidance
            .map(|on| given.spell("blocking-avoidance", on)),
        given
            .preemption_bound
            .map(|bound| given.spell("preemption-bound", bound)),
        given
            .strategy
            .map(|strategy| given.spell("strategy", strategy)),
        given.valuations.map(|_| given.name("valuation")),
        given.threshold.map(|_| given.name("threshold")),
    ];
    if let Some(setting) = explores.into_iter().flatten().next() {
        let sample = given.spell("sample", executions);
        return Err(OptionsError::ExploringOnly { setting, sample });
    }
    Ok(Some(Sampling {
        executions,
        sampler: sampler(given)?,
        seed: given.seed.unwrap_or_default(),
    }))
}

/// The sample size that error texts suggest: informative, and quick.
const EXAMPLE: u64 = 1_000;

fn sampler(given: &CheckOptions) -> Result<Sampler, OptionsError> {
    let sampler = given.sampler.unwrap_or_default();
    match (sampler, given.bug_depth) {
        (Sampler::Pct { bug_depth }, given) => Ok(Sampler::Pct {
            bug_depth: given.unwrap_or(bug_depth),
        }),
        (sampler, None) => Ok(sampler),
        (sampler, Some(_)) => {
            let pct = Sampler::Pct {
                bug_depth: Sampler::BUG_DEPTH,
            };
            Err(OptionsError::DoesNotApply {
                setting: given.name("bug-depth"),
                algorithm: given.spell("sampler", sampler),
                why: "",
                instead: format!("add {}", given.spell("sampler", pct)),
            })
        }
    }
}

/// The strategy of a check that samples, which does not use it.
pub(crate) const NO_STRATEGY: Strategy = Strategy::Dfs;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::plan::tests::refused;

    fn of(sample: u64) -> CheckOptions {
        CheckOptions {
            sample: Some(sample),
            ..CheckOptions::default()
        }
    }

    #[test]
    fn what_is_not_given_is_as_usual() {
        let plan = Plan::new(&of(10)).unwrap();
        let usual = Sampling {
            executions: 10,
            sampler: Sampler::Uniform,
            seed: 0,
        };
        assert_eq!(plan.sampling, Some(usual));
        let pct = CheckOptions {
            sampler: Some(Sampler::Pct { bug_depth: 3 }),
            bug_depth: Some(5),
            seed: Some(7),
            ..of(10)
        };
        let sampling = Plan::new(&pct).unwrap().sampling.unwrap();
        assert_eq!(sampling.sampler, Sampler::Pct { bug_depth: 5 });
        assert_eq!(sampling.seed, 7);
        assert_eq!(Plan::new(&CheckOptions::default()).unwrap().sampling, None);
    }

    #[test]
    fn what_does_not_go_together() {
        refused(
            CheckOptions {
                algorithm: Algorithm::Dpor,
                ..of(10)
            },
            "--algorithm dpor applies to exploration only, and --sample 10 samples instead: leave out \
             one of the two",
            "algorithm(Algorithm::Dpor) applies to exploration only, and sample(10) samples instead: \
             leave out one of the two",
        );
        refused(
            CheckOptions {
                strategy: Some(Strategy::Bfs),
                ..of(10)
            },
            "--strategy bfs applies to exploration only, and --sample 10 samples instead: leave out one \
             of the two",
            "strategy(Strategy::Bfs) applies to exploration only, and sample(10) samples instead: leave \
             out one of the two",
        );
        refused(
            CheckOptions {
                sampler: Some(Sampler::Pos),
                ..CheckOptions::default()
            },
            "--sampler applies to sampling only: leave it out, or add --sample 1000",
            "sampler(..) applies to sampling only: leave it out, or add sample(1000)",
        );
        refused(
            CheckOptions {
                bug_depth: Some(2),
                sampler: Some(Sampler::Pos),
                ..of(10)
            },
            "--bug-depth does not apply to --sampler pos: leave it out, or add --sampler pct",
            "bug_depth(..) does not apply to sampler(Sampler::Pos): leave it out, or add \
             sampler(Sampler::Pct { .. })",
        );
    }
}
