//! The arguments that choose an algorithm and its settings.

use super::heading;
use super::sample::{self, SampleArgs};
use super::values::{algorithm, order, place, strategy, switch, whole};
use clap::Args;
use mazurka_engine::{Place, Strategy, Valuations};
use mazurka_lab::{Algorithm, Order};
use mazurka_report::{Plan, on_off};

/// An algorithm and its settings, as given. [`Plan`] validates them and fills in the defaults.
#[derive(Args, Debug)]
pub struct Choice {
    /// Let several searches take turns until one finds an error, for --max-seconds [default: 60]
    #[arg(long, help_heading = heading::SEARCH)]
    pub hunt: bool,

    /// The order in which executions are explored (docs/directed.md) [default: dfs, or best-first
    /// with --valuation]
    #[arg(long, value_parser = strategy(), help_heading = heading::SEARCH, hide_short_help = true)]
    pub strategy: Option<Strategy>,

    /// What makes an execution promising: one or more names, each with an optional weight
    /// (docs/directed.md)
    #[arg(
        long = "valuation",
        value_name = "NAME[:WEIGHT],...",
        help_heading = heading::SEARCH,
        hide_short_help = true,
    )]
    pub valuations: Option<Valuations>,

    /// Which choices the valuations direct [default: frontier,prefer]
    #[arg(
        long,
        value_name = "PLACE,...",
        value_delimiter = ',',
        value_parser = place(),
        help_heading = heading::SEARCH,
        hide_short_help = true,
    )]
    pub direct: Vec<Place>,

    /// best-first leaves an execution when its value is worse than the best known one by more than
    /// this percentage of it; 0 with --valuation distance is A* [default: run each to its end]
    #[arg(
        long,
        value_name = "PERCENT",
        value_parser = whole::<u32>,
        allow_negative_numbers = true,
        help_heading = heading::SEARCH,
        hide_short_help = true,
    )]
    pub threshold: Option<u32>,

    /// The seed of --strategy random, --strategy mcts and --sample [default: 0]
    #[arg(
        long,
        value_name = "N",
        value_parser = whole::<u64>,
        allow_negative_numbers = true,
        help_heading = heading::SEARCH,
        hide_short_help = true,
    )]
    pub seed: Option<u64>,

    /// Sampling.
    #[command(flatten)]
    pub sample: SampleArgs,

    /// The algorithm that finds executions (docs/algorithms.md)
    #[arg(
        long,
        default_value_t,
        value_parser = algorithm(),
        help_heading = heading::ALGORITHMS,
        hide_short_help = true,
    )]
    pub algorithm: Algorithm,

    /// The order in which a published algorithm tries messages: fifo (send order), eca (first those
    /// to the earliest created process) or lca (to the latest created one) [default: fifo]
    #[arg(long, value_parser = order(), help_heading = heading::ALGORITHMS, hide_short_help = true)]
    pub order: Option<Order>,

    /// Whether dpor, transdpor and naive use sleep sets; without them they run equivalent
    /// executions several times [default: off for naive, on for the others]
    #[arg(
        long,
        value_name = "ON/OFF",
        value_parser = switch(),
        help_heading = heading::ALGORITHMS,
        hide_short_help = true,
    )]
    pub sleep_sets: Option<bool>,

    /// Whether interleavings skips schedules in which a process is chosen and can only wait
    /// [default: on]
    #[arg(
        long,
        value_name = "ON/OFF",
        value_parser = switch(),
        help_heading = heading::ALGORITHMS,
        hide_short_help = true,
    )]
    pub blocking_avoidance: Option<bool>,

    /// How many times a schedule of interleavings may interrupt a process that could continue
    #[arg(
        long,
        value_name = "N",
        value_parser = whole::<u32>,
        allow_negative_numbers = true,
        help_heading = heading::ALGORITHMS,
        hide_short_help = true,
    )]
    pub preemption_bound: Option<u32>,
}

/// The arguments of `mazurka check` that give this plan.
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
    // With valuations the default strategy is `best-first`.
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

    /// The plan of a command line of `check`.
    fn plan(options: &str) -> Result<Plan> {
        let line = format!("mazurka check gallery:fan-in {options}");
        let cli = Cli::try_parse_from(line.split_whitespace())?;
        let Command::Check(check) = cli.command else {
            panic!("`{line}` is a check");
        };
        Ok(Plan::new(&check.options(Delivery::Mailbox))?)
    }

    #[test]
    fn arguments_give_the_same_plan() {
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
