//! The arguments of `mazurka check`.

use super::{EXIT_CODES, Given, OfCheck, Output, ProgramArgs};
use anyhow::Result;
use clap::{Args, ValueEnum};
use mazurka_engine::Delivery;
use mazurka_report::{CheckOptions, Value, Voice, heading};
use std::path::PathBuf;
use std::time::Duration;

/// `mazurka check`
#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES, mut_arg("verbose", |arg| arg.short('v')))]
pub struct Check {
    /// What to explore.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// How to explore it.
    #[command(flatten)]
    pub settings: Given<OfCheck>,

    /// The format of the report
    #[arg(
        long,
        value_enum,
        default_value_t,
        help_heading = heading::REPORT,
        hide_short_help = true,
    )]
    pub format: Format,

    /// Write a progress line to the standard error every SECONDS seconds, even if it is no terminal
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = Duration::parse,
        allow_negative_numbers = true,
        help_heading = heading::REPORT,
        hide_short_help = true,
    )]
    pub log_every: Option<Duration>,

    /// The folder for the logs of errors, created when there is an error
    #[arg(
        long,
        value_name = "DIR",
        default_value = "mazurka-logs",
        help_heading = heading::FILES,
        hide_short_help = true,
    )]
    pub log_dir: PathBuf,

    /// Write no logs of errors
    #[arg(long, conflicts_with = "log_dir", help_heading = heading::FILES, hide_short_help = true)]
    pub no_logs: bool,

    /// Files beside the report.
    #[command(flatten)]
    pub output: Output,
}

impl Check {
    /// The options of the check of a program whose usual delivery model is `usual`.
    pub fn options(&self, usual: Delivery) -> Result<CheckOptions> {
        self.settings.onto(CheckOptions {
            voice: Voice::CommandLine,
            delivery: vec![usual],
            log_dir: (!self.no_logs).then(|| self.log_dir.clone()),
            diagram: self.output.pictures.diagram,
            tree: self.output.dot.is_some(),
            ..CheckOptions::default()
        })
    }
}

/// The format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    #[default]
    Text,
    /// One JSON object (docs/report-format.md)
    Json,
    /// Workflow annotations of GitHub, one per line
    Github,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use mazurka_engine::{Direction, Place, Sampler, Sampling, Strategy};
    use mazurka_lab::{Algorithm, Order};
    use mazurka_report::Plan;

    /// The plan of a command line of `check`.
    fn plan(options: Vec<String>) -> Result<Plan> {
        let line = ["mazurka", "check", "gallery:fan-in"].map(str::to_owned);
        let cli = Cli::try_parse_from(line.into_iter().chain(options))?;
        let Command::Check(check) = cli.command else {
            panic!("a check");
        };
        Ok(Plan::new(&check.options(Delivery::Mailbox)?)?)
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
            let arguments = expected.options().arguments(&CheckOptions::default());
            assert_eq!(plan(arguments).unwrap(), expected);
        }
    }
}
