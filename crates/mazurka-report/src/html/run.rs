//! One check: verdict, counts, options, environment and coverage.

use super::data::{Clause, Failure, Rows, Run, Warning};
use super::failure::Failures;
use crate::options::{CheckOptions, SETTINGS};
use crate::outcome::Outcome;
use crate::setting::heading;
use crate::text::{
    DETAILS, count, headline, left_out, noun, process_with_role, rows, shorten, stopped_daemons,
    visible, without_colours,
};
use crate::verdict::Verdict;
use mazurka_engine::Timeouts;

/// The maximum number of warnings listed; the JSON report has all.
const WARNINGS_MAX: usize = 200;

/// A check as the page has it.
pub(super) fn run(outcome: &Outcome) -> Run {
    let mut failures = Failures::new(outcome);
    let cases = outcome.cases();
    let errors: Vec<Failure> = cases.iter().map(|case| failures.failure(case)).collect();
    let (executions, sources) = failures.finish();
    Run {
        name: visible(&outcome.subject.to_string()),
        program: outcome.subject.id.clone(),
        params: outcome.subject.params.clone(),
        tone: tone(outcome),
        headline: verdict(outcome),
        left_out: left_out_of(outcome),
        replay_flags: match outcome.options.timeouts == Timeouts::default() {
            true => String::new(),
            false => format!(" --timeouts {}", outcome.options.timeouts),
        },
        counts: counts(outcome),
        options: options(outcome),
        environment: environment(outcome),
        executions,
        errors,
        warnings: warnings(outcome),
        clauses: clauses(outcome),
        sources,
    }
}

fn tone(outcome: &Outcome) -> &'static str {
    match outcome.verdict() {
        Verdict::Verified | Verdict::AsExpected => "good",
        Verdict::Wrong | Verdict::Missing | Verdict::Unreproducible | Verdict::Fault => "bad",
        Verdict::Stopped => "unclear",
    }
}

fn verdict(outcome: &Outcome) -> String {
    match outcome.fault() {
        Some(fault) => format!("Cannot be run: {fault}"),
        None => without_colours(&headline(outcome)),
    }
}

fn left_out_of(outcome: &Outcome) -> Option<String> {
    match outcome.fault() {
        Some(_) => None,
        None => left_out(outcome).map(|text| without_colours(&text)),
    }
}

/// Whether a row of the text report is a setting, not a result.
fn is_option(outcome: &Outcome, name: &str) -> bool {
    let mut premises = outcome.premises.iter();
    ["delivery", "timeouts"].contains(&name) || premises.any(|premise| premise.name == name)
}

fn counts(outcome: &Outcome) -> Rows {
    let is_count =
        |(name, _): &(&str, String)| !is_option(outcome, name) && !DETAILS.contains(name);
    let mut rows: Rows = rows(outcome).into_iter().filter(is_count).collect();
    rows.extend(stopped_daemons(outcome).map(|names| ("stopped daemons", visible(&names))));
    if let Some(bytes) = outcome.peak_memory {
        rows.push(("peak memory", format!("{} MiB", bytes >> 20)));
    }
    rows
}

fn options(outcome: &Outcome) -> Rows {
    let options = &outcome.options;
    let mut all: Rows = vec![("algorithm", outcome.plan.to_string())];
    let rows = rows(outcome).into_iter();
    all.extend(rows.filter(|(name, _)| is_option(outcome, name)));
    let usual = CheckOptions::default();
    for setting in SETTINGS {
        let words = setting.words(options);
        let is_shown = match setting.heading {
            heading::BOUNDS | heading::ERRORS => !words.is_empty(),
            heading::SEARCH => setting.is_flag() && words != setting.words(&usual),
            // The algorithm, the delivery model and the timeouts are shown above.
            _ => false,
        };
        if is_shown {
            all.push((setting.name, words.join(", ")));
        }
    }
    all
}

fn environment(outcome: &Outcome) -> Rows {
    let system = format!("{} ({})", std::env::consts::OS, std::env::consts::ARCH);
    let mut rows = vec![
        ("mazurka", env!("CARGO_PKG_VERSION").to_owned()),
        ("system", system),
    ];
    let files = &outcome.subject.sources;
    if !files.is_empty() {
        rows.push(("source files", count(files.len() as u64, "file")));
    }
    rows
}

fn warnings(outcome: &Outcome) -> Vec<Warning> {
    let warning = |kept: &crate::outcome::Kept| Warning {
        kind: kept.found.finding.kind.name(),
        process: process_with_role(&kept.found.finding),
        message: shorten(&kept.found.finding.message, 400),
        found_in: count(kept.found.count, noun(outcome)),
    };
    outcome.warnings().take(WARNINGS_MAX).map(warning).collect()
}

/// The clauses, those that never took a message first.
fn clauses(outcome: &Outcome) -> Vec<Clause> {
    let mut clauses: Vec<&mazurka_engine::Clause> = outcome.clauses.iter().collect();
    clauses.sort_by_key(|clause| (clause.taken > 0, &clause.place, &clause.function));
    let clause = |clause: &mazurka_engine::Clause| Clause {
        place: visible(&clause.place),
        function: visible(&clause.function),
        taken: clause.taken,
    };
    clauses.into_iter().map(clause).collect()
}
