//! One check: verdict, counts, options, environment and coverage.

use super::data::{Clause, Failure, Rows, Run, Warning};
use super::failure::Failures;
use crate::outcome::Outcome;
use crate::text::{
    DETAILS, count, headline, left_out, noun, process_with_role, rows, shorten, stopped_daemons,
    visible, without_colours,
};
use crate::verdict::Verdict;
use crate::voice::on_off;
use mazurka_engine::{Kind, Timeouts};

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

/// Rows of the text report that are settings, not results.
const OPTIONS: [&str; 2] = ["delivery", "timeouts"];

fn counts(outcome: &Outcome) -> Rows {
    let is_count = |(name, _): &(&str, String)| !OPTIONS.contains(name) && !DETAILS.contains(name);
    let mut rows: Rows = rows(outcome).into_iter().filter(is_count).collect();
    rows.extend(stopped_daemons(outcome).map(|names| ("stopped daemons", visible(&names))));
    if let Some(bytes) = outcome.peak_memory {
        rows.push(("peak memory", format!("{} MiB", bytes >> 20)));
    }
    rows
}

fn options(outcome: &Outcome) -> Rows {
    let options = &outcome.options;
    let is_option = |(name, _): &(&str, String)| OPTIONS.contains(name);
    let mut all: Rows = vec![("algorithm", outcome.plan.to_string())];
    all.extend(rows(outcome).into_iter().filter(is_option));
    all.extend([
        ("max-depth", options.max_depth.to_string()),
        ("max-processes", options.max_processes.to_string()),
        ("keep-going", on_off(options.keep_going)),
    ]);
    let mut given = |name, value: Option<String>| all.extend(value.map(|value| (name, value)));
    let number = |value: Option<u64>| value.map(|value| value.to_string());
    given("max-executions", number(options.max_executions));
    given(
        "max-memory",
        number(options.max_memory).map(|mib| mib + " MiB"),
    );
    let seconds = options.max_seconds.map(|limit| limit.as_secs_f64());
    given("max-seconds", seconds.map(|seconds| seconds.to_string()));
    given("hunt", options.hunt.then(|| on_off(true)));
    given("distrust", options.distrust.then(|| on_off(true)));
    given("error", kinds(&options.errors));
    given("expect", kinds(&options.expect));
    all
}

fn kinds(kinds: &[Kind]) -> Option<String> {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    (!names.is_empty()).then(|| names.join(", "))
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
