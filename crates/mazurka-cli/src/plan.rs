//! An algorithm with everything that is set about it.

use crate::args::{Choice, SleepSetRows};
use anyhow::{Result, bail, ensure};
use mazurka_engine::{Algorithm, Options, Order, SleepSets, Strategy};
use std::fmt;

/// How to explore. What means nothing to the algorithm is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How executions are found.
    pub algorithm: Algorithm,
    /// The order in which messages are tried.
    pub order: Option<Order>,
    /// Whether it uses sleep sets.
    pub sleep_sets: Option<bool>,
    /// Whether schedules in which a process only finds that it must wait are left out.
    pub blocking_avoidance: Option<bool>,
    /// How often a process may be interrupted, if there is a bound.
    pub preemption_bound: Option<u32>,
    /// The order in which executions are looked at.
    pub strategy: Strategy,
}

impl Plan {
    /// What the arguments amount to, if they go together.
    pub fn new(choice: &Choice) -> Result<Plan> {
        Ok(Plan {
            algorithm: choice.algorithm,
            order: order(choice)?,
            sleep_sets: sleep_sets(choice)?,
            blocking_avoidance: blocking_avoidance(choice)?,
            preemption_bound: preemption_bound(choice)?,
            strategy: strategy(choice)?,
        })
    }

    /// An algorithm as it is commonly used.
    pub fn of(algorithm: Algorithm) -> Plan {
        Plan {
            algorithm,
            order: algorithm.has_order().then(Order::default),
            sleep_sets: sleep_sets_unless_given(algorithm),
            blocking_avoidance: algorithm.has_schedules().then_some(true),
            preemption_bound: None,
            strategy: Strategy::default(),
        }
    }

    /// An algorithm in each of these orders and ways to use sleep sets, as far as they mean
    /// anything to it.
    pub fn rows(
        algorithm: Algorithm,
        orders: &[Order],
        sleep_sets: Option<SleepSetRows>,
    ) -> Vec<Plan> {
        let plan = Plan::of(algorithm);
        let orders: Vec<Option<Order>> = match algorithm.has_order() {
            true => orders.iter().copied().map(Some).collect(),
            false => vec![None],
        };
        let sleep_sets = match (algorithm.sleep_sets(), sleep_sets) {
            (SleepSets::Optional { .. }, Some(SleepSetRows::On)) => vec![Some(true)],
            (SleepSets::Optional { .. }, Some(SleepSetRows::Off)) => vec![Some(false)],
            (SleepSets::Optional { .. }, Some(SleepSetRows::Both)) => vec![Some(true), Some(false)],
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

    /// Sets the engine up for it.
    pub fn set_up(&self, options: &mut Options) {
        options.algorithm = self.algorithm;
        options.strategy = self.strategy;
        options.preemption_bound = self.preemption_bound;
        if let Some(order) = self.order {
            options.order = order;
        }
        if let Some(on) = self.sleep_sets {
            options.sleep_sets = on;
        }
        if let Some(on) = self.blocking_avoidance {
            options.blocking_avoidance = on;
        }
    }

    /// The arguments of `mazurka check` that ask for it.
    pub fn arguments(&self) -> Vec<String> {
        let mut words = vec!["--algorithm".to_owned(), self.algorithm.to_string()];
        let mut add = |option: &str, value: Option<String>| {
            if let Some(value) = value {
                words.extend([option.to_owned(), value]);
            }
        };
        add("--order", self.order.map(|order| order.to_string()));
        add("--sleep-sets", self.sleep_sets.map(on_off));
        add("--blocking-avoidance", self.blocking_avoidance.map(on_off));
        add(
            "--preemption-bound",
            self.preemption_bound.map(|n| n.to_string()),
        );
        if self.strategy != Strategy::default() {
            add("--strategy", Some(self.strategy.to_string()));
        }
        if let Strategy::Random { seed } = self.strategy {
            add("--seed", Some(seed.to_string()));
        }
        words
    }
}

/// `dpor, fifo order, without sleep sets`
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
        Ok(())
    }
}

/// `on` or `off`.
pub fn on_off(on: bool) -> String {
    let word = if on { "on" } else { "off" };
    word.to_owned()
}

fn order(choice: &Choice) -> Result<Option<Order>> {
    let algorithm = choice.algorithm;
    if algorithm.has_order() {
        return Ok(Some(choice.order.unwrap_or_default()));
    }
    ensure!(
        choice.order.is_none(),
        "--order means nothing to --algorithm {algorithm}: leave it out, or choose {}",
        names(Algorithm::has_order),
    );
    Ok(None)
}

fn sleep_sets(choice: &Choice) -> Result<Option<bool>> {
    let algorithm = choice.algorithm;
    let optional = |other: Algorithm| matches!(other.sleep_sets(), SleepSets::Optional { .. });
    match (algorithm.sleep_sets(), choice.sleep_sets) {
        (_, None) => Ok(sleep_sets_unless_given(algorithm)),
        (SleepSets::Optional { .. }, Some(on)) => Ok(Some(on)),
        (SleepSets::Always, Some(true)) => Ok(Some(true)),
        (SleepSets::Always, Some(false)) => bail!(
            "--sleep-sets off is not for --algorithm {algorithm}, sleep sets are a part of it: \
             leave it out, or choose {}",
            names(optional),
        ),
        (SleepSets::Never, Some(_)) => bail!(
            "--sleep-sets means nothing to --algorithm {algorithm}, which has no use for them: \
             leave it out, or choose {}",
            names(optional),
        ),
    }
}

fn sleep_sets_unless_given(algorithm: Algorithm) -> Option<bool> {
    match algorithm.sleep_sets() {
        SleepSets::Always => Some(true),
        SleepSets::Never => None,
        SleepSets::Optional { by_default } => Some(by_default),
    }
}

fn blocking_avoidance(choice: &Choice) -> Result<Option<bool>> {
    if choice.algorithm.has_schedules() {
        return Ok(Some(choice.blocking_avoidance.unwrap_or(true)));
    }
    ensure!(
        choice.blocking_avoidance.is_none(),
        needs_schedules("--blocking-avoidance", choice.algorithm)
    );
    Ok(None)
}

fn preemption_bound(choice: &Choice) -> Result<Option<u32>> {
    ensure!(
        choice.preemption_bound.is_none() || choice.algorithm.has_schedules(),
        needs_schedules("--preemption-bound", choice.algorithm)
    );
    Ok(choice.preemption_bound)
}

fn needs_schedules(option: &str, algorithm: Algorithm) -> String {
    format!(
        "{option} means nothing to --algorithm {algorithm}: leave it out, or add --algorithm {}",
        names(Algorithm::has_schedules)
    )
}

fn strategy(choice: &Choice) -> Result<Strategy> {
    let algorithm = choice.algorithm;
    let strategy = match choice.strategy.unwrap_or_default() {
        Strategy::Random { .. } => Strategy::Random {
            seed: choice.seed.unwrap_or_default(),
        },
        other => other,
    };
    if algorithm == Algorithm::Optimal {
        ensure!(
            choice.seed.is_none() || matches!(strategy, Strategy::Random { .. }),
            "--seed means nothing to --strategy {strategy}, which leaves nothing to chance: \
             leave it out, or add --strategy random",
        );
        return Ok(strategy);
    }
    ensure!(
        strategy == Strategy::Dfs,
        "--strategy {strategy} is for --algorithm {} only, {algorithm} goes depth first: leave \
         out one of the two",
        Algorithm::Optimal,
    );
    ensure!(
        choice.seed.is_none(),
        "--seed is for --algorithm {} with --strategy random, {algorithm} leaves nothing to \
         chance: leave out one of the two",
        Algorithm::Optimal,
    );
    Ok(strategy)
}

/// `dpor, naive or source`
fn names(which: impl Fn(Algorithm) -> bool) -> String {
    let names: Vec<&str> = Algorithm::ALL
        .into_iter()
        .filter(|&algorithm| which(algorithm))
        .map(Algorithm::name)
        .collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    /// What a command line of `check` amounts to.
    fn plan(options: &str) -> Result<Plan> {
        let line = format!("mazurka check gallery:fan-in {options}");
        let cli = Cli::try_parse_from(line.split_whitespace())?;
        let Command::Check(check) = cli.command else {
            panic!("`{line}` is a check");
        };
        Plan::new(&check.choice)
    }

    #[test]
    fn defaults_are_what_is_commonly_used() {
        for algorithm in Algorithm::ALL {
            let given = plan(&format!("--algorithm {algorithm}")).unwrap();
            assert_eq!(given, Plan::of(algorithm));
        }
        assert_eq!(Plan::of(Algorithm::Dpor).sleep_sets, Some(true));
        assert_eq!(Plan::of(Algorithm::Naive).sleep_sets, Some(false));
        assert_eq!(Plan::of(Algorithm::Optimal).order, None);
    }

    #[test]
    fn arguments_ask_for_the_same_plan() {
        let both = Some(SleepSetRows::Both);
        let mut plans: Vec<Plan> = Algorithm::ALL
            .into_iter()
            .flat_map(|algorithm| Plan::rows(algorithm, &Order::ALL, both))
            .collect();
        assert_eq!(plans.len(), 1 + 3 + 3 + 6 + 6 + 6 + 1);
        plans.push(Plan {
            strategy: Strategy::Random { seed: 7 },
            ..Plan::of(Algorithm::Optimal)
        });
        plans.push(Plan {
            blocking_avoidance: Some(false),
            preemption_bound: Some(2),
            ..Plan::of(Algorithm::Interleavings)
        });
        for expected in plans {
            assert_eq!(plan(&expected.arguments().join(" ")).unwrap(), expected);
        }
    }

    #[test]
    fn reads_well() {
        let text = |options| plan(options).unwrap().to_string();
        assert_eq!(text(""), "optimal");
        assert_eq!(
            text("--algorithm dpor --order lca --sleep-sets off"),
            "dpor, lca order, without sleep sets"
        );
        assert_eq!(
            text("--algorithm interleavings --preemption-bound 2"),
            "interleavings, with blocking avoidance, at most 2 preemptions"
        );
    }
}
