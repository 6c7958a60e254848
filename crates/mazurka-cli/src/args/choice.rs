//! The arguments that choose an algorithm and set it up.

use super::sample::{self, SampleArgs};
use super::values::{algorithm, order, place, strategy, switch, whole};
use clap::Args;
use mazurka_engine::{Place, Strategy, Valuations};
use mazurka_lab::{Algorithm, Order};
use mazurka_report::{Plan, on_off};

/// An algorithm and its settings, as given. [`Plan`] says what they amount to.
#[derive(Args, Debug)]
pub struct Choice {
    /// How executions are found; docs/algorithms.md describes each
    #[arg(long, default_value_t, value_parser = algorithm())]
    pub algorithm: Algorithm,

    /// The order in which the algorithms of the literature try messages: by the time they
    /// were sent, or first those to the earliest or the latest created process [default: fifo]
    #[arg(long, value_parser = order())]
    pub order: Option<Order>,

    /// Whether dpor, transdpor and naive use sleep sets: on skips what has been explored from
    /// a configuration before, off explores it again, so that equivalent executions are
    /// completed several times [default: off for naive, else on]
    #[arg(long, value_name = "ON/OFF", value_parser = switch())]
    pub sleep_sets: Option<bool>,

    /// Whether interleavings avoids blocking: on leaves out schedules in which a process is
    /// chosen only to find that it must wait, off runs them too [default: on]
    #[arg(long, value_name = "ON/OFF", value_parser = switch())]
    pub blocking_avoidance: Option<bool>,

    /// How often interleavings may interrupt a process that could have gone on
    #[arg(long, value_name = "N", value_parser = whole::<u32>, allow_negative_numbers = true)]
    pub preemption_bound: Option<u32>,

    /// The order in which the optimal algorithm explores executions [default: dfs, or best-first
    /// with --valuation]
    #[arg(long, value_parser = strategy())]
    pub strategy: Option<Strategy>,

    /// The seed of --strategy random or mcts, and of --sample [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,

    /// Which executions are promising: a weighted sum of valuations, such as
    /// similarity-avoidance:3,min-match; docs/directed.md describes each
    #[arg(long = "valuation", value_name = "NAME[:WEIGHT],...")]
    pub valuations: Option<Valuations>,

    /// The choices that the valuations influence [default: frontier,prefer]
    #[arg(long, value_name = "PLACE,...", value_delimiter = ',', value_parser = place())]
    pub direct: Vec<Place>,

    /// best-first leaves an execution when its value is worse than the best known one by more than
    /// this percentage of it; 0 with --valuation distance is A* [default: run each to its end]
    #[arg(long, value_name = "PERCENT", value_parser = whole::<u32>, allow_negative_numbers = true)]
    pub threshold: Option<u32>,

    /// Run several searches in turn until the first error, for at most --max-seconds
    /// [default: 60]
    #[arg(long)]
    pub hunt: bool,

    /// Whether to sample.
    #[command(flatten)]
    pub sample: SampleArgs,
}

/// The arguments of `mazurka check` that ask for a plan.
pub fn arguments_for(plan: &Plan) -> Vec<String> {
    let mut words = vec!["--algorithm".to_owned(), plan.algorithm.to_string()];
    let mut add = |option: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([option.to_owned(), value]);
        }
    };
    add("--order", plan.order.map(|order| order.to_string()));
    add("--sleep-sets", plan.sleep_sets.map(on_off));
    add("--blocking-avoidance", plan.blocking_avoidance.map(on_off));
    add(
        "--preemption-bound",
        plan.preemption_bound.map(|n| n.to_string()),
    );
    let direction = plan.direction;
    let has_valuations = !direction.valuations.is_empty();
    // Valuations alone imply `best-first`.
    if plan.strategy != Strategy::default() || has_valuations {
        add("--strategy", Some(plan.strategy.to_string()));
    }
    add("--seed", plan.strategy.seed().map(|seed| seed.to_string()));
    if let Strategy::BestFirst { threshold } = plan.strategy {
        add("--threshold", threshold.map(|n| n.to_string()));
    }
    if has_valuations {
        add("--valuation", Some(direction.valuations.to_string()));
        let places = direction.places().map(Place::name);
        add("--direct", Some(places.collect::<Vec<_>>().join(",")));
    }
    if let Some(sampling) = plan.sampling {
        words.extend(sample::arguments_for(sampling));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use anyhow::Result;
    use clap::Parser;
    use mazurka_engine::{Delivery, Direction, Sampler, Sampling};

    /// What a command line of `check` amounts to.
    fn plan(options: &str) -> Result<Plan> {
        let line = format!("mazurka check gallery:fan-in {options}");
        let cli = Cli::try_parse_from(line.split_whitespace())?;
        let Command::Check(check) = cli.command else {
            panic!("`{line}` is a check");
        };
        Ok(Plan::new(&check.options(Delivery::Mailbox))?)
    }

    #[test]
    fn arguments_ask_for_the_same_plan() {
        let mut plans: Vec<Plan> = Algorithm::ALL
            .into_iter()
            .flat_map(|algorithm| Plan::rows(algorithm, &Order::ALL, &[true, false]))
            .collect();
        assert_eq!(plans.len(), 1 + 3 + 3 + 6 + 6 + 6 + 1);
        plans.push(Plan {
            strategy: Strategy::Random { seed: 7 },
            ..Plan::of(Algorithm::Optimal)
        });
        plans.push(Plan {
            strategy: Strategy::BestFirst { threshold: Some(3) },
            direction: Direction::new(
                "max-match,distance:2".parse().unwrap(),
                &[Place::Frontier, Place::Prefer],
            ),
            ..Plan::of(Algorithm::Optimal)
        });
        plans.push(Plan {
            direction: Direction::new("anti-poll".parse().unwrap(), &Place::ALL),
            ..Plan::of(Algorithm::Optimal)
        });
        plans.push(Plan {
            blocking_avoidance: Some(false),
            preemption_bound: Some(2),
            ..Plan::of(Algorithm::Interleavings)
        });
        let samplers = [
            Sampler::Uniform,
            Sampler::Pct { bug_depth: 5 },
            Sampler::Pos,
        ];
        plans.extend(samplers.map(|sampler| Plan {
            sampling: Some(Sampling {
                executions: 10,
                sampler,
                seed: 7,
            }),
            ..Plan::of(Algorithm::Optimal)
        }));
        for expected in plans {
            let line = arguments_for(&expected).join(" ");
            assert_eq!(plan(&line).unwrap(), expected);
        }
    }
}
