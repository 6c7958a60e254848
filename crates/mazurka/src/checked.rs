//! The result of a check.

use crate::Kind;
use mazurka_report::text::models_text;
use mazurka_report::{Exit, Outcome, Verdict};
use std::path::PathBuf;

/// The result of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The verdict.
    pub verdict: Verdict,
    /// The number of executions that were run to their ends.
    pub executions: u64,
    /// The number of steps explored.
    pub steps: u64,
    /// The number of local histories of all processes: for each, a process ran one step.
    pub histories: u64,
    /// The number of steps that processes ran, including those that returned a process to an earlier
    /// history.
    pub runs: u64,
    /// Errors and warnings.
    pub found: Vec<Finding>,
    /// The report, as the `mazurka` command prints it.
    pub report: String,
    pub(crate) exit: Exit,
    pub(crate) is_replay: bool,
}

/// An error or a warning.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// Its kind.
    pub kind: Kind,
    /// Whether it counts as an error.
    pub is_error: bool,
    /// The process it is about.
    pub process: String,
    /// The function that the process runs, or its name, if known.
    pub role: Option<String>,
    /// What happened, in one line.
    pub message: String,
    /// The number of executions that have it.
    pub count: u64,
    /// The file with the log of the shortest of them.
    pub log: Option<PathBuf>,
    /// The backtrace of a panic.
    pub backtrace: Option<String>,
}

impl Checked {
    /// Whether the check explored everything, or enough to find the expected errors, and found no
    /// other error.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.exit == Exit::Fine
    }

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.found.iter().filter(|finding| finding.is_error)
    }

    /// The result of checks under several delivery models.
    pub(crate) fn of_models(outcomes: &[Outcome], runs: u64, json: bool) -> Checked {
        let exit = Exit::gravest(outcomes.iter().map(Outcome::exit));
        let all: Vec<Checked> = { outcomes.iter() }
            .map(|outcome| Checked::new(outcome, runs, false))
            .collect();
        let sum = |number: fn(&Checked) -> u64| all.iter().map(number).sum();
        let gravest = all.iter().find(|checked| checked.exit == exit);
        Checked {
            verdict: gravest.map_or(Verdict::Verified, |checked| checked.verdict),
            exit,
            is_replay: false,
            executions: sum(|checked| checked.executions),
            steps: sum(|checked| checked.steps),
            histories: sum(|checked| checked.histories),
            runs,
            report: match json {
                true => Outcome::all_to_json(outcomes).unwrap_or_else(|error| error.to_string()),
                false => models_text(outcomes),
            },
            found: all.into_iter().flat_map(|checked| checked.found).collect(),
        }
    }

    /// The result of one check.
    pub(crate) fn new(outcome: &Outcome, runs: u64, json: bool) -> Checked {
        let progress = outcome.progress.unwrap_or_default();
        let report = match (outcome.fault(), json) {
            (_, true) => outcome.to_json().unwrap_or_else(|error| error.to_string()),
            (Some(fault), false) => {
                format!("{}: {fault}\n", outcome.subject.id)
            }
            (None, false) => outcome.to_text(),
        };
        Checked {
            verdict: outcome.verdict(),
            exit: outcome.exit(),
            is_replay: false,
            executions: progress.executions,
            steps: progress.transitions,
            histories: progress.behaviour_nodes,
            runs,
            found: outcome
                .found
                .iter()
                .map(|kept| Finding {
                    kind: kept.found.finding.kind,
                    is_error: kept.found.is_error,
                    process: kept.found.finding.process.clone(),
                    role: kept.found.finding.role.clone(),
                    message: kept.found.finding.message.clone(),
                    count: kept.found.count,
                    log: kept.file.clone(),
                    backtrace: kept.details.clone(),
                })
                .collect(),
            report,
        }
    }
}
