//! The first lines of a report: the verdict, and what was not explored.

use super::{count, estimate, listed, shorten, style, styled, visible};
use crate::case::Case;
use crate::outcome::{End, Kept, Outcome};
use crate::verdict::Verdict;
use mazurka_engine::{Delivery, Kind, Repeated};

/// The verdict of a check in one line.
pub(crate) fn headline(outcome: &Outcome) -> String {
    let seen = Seen::new(outcome);
    let (executions, noun) = (&seen.executions, seen.noun);
    match outcome.verdict() {
        Verdict::Wrong => {
            let found = styled(style::BAD, "Error found:");
            format!("{found} {}", seen.with(&wrong(outcome)))
        }
        Verdict::Unreproducible => {
            let bad = styled(style::BAD, "Not deterministic:");
            let cases = outcome.cases();
            let lost = cases.iter().filter(|case| case.lead.is_unreproducible());
            let errors = count(lost.count() as u64, "error");
            format!("{bad} {errors} in {executions}, not seen again in a replay.")
        }
        Verdict::AsExpected => {
            let good = styled(style::GOOD, "As expected:");
            format!("{good} {}", seen.with(&kinds(&outcome.expected())))
        }
        Verdict::Missing => missing(outcome, &seen),
        Verdict::Verified if seen.number == 1 => {
            let verified = verified(outcome);
            format!("{verified} there is 1 {noun}, and nothing goes wrong in it.")
        }
        Verdict::Verified => {
            let verified = verified(outcome);
            format!("{verified} nothing goes wrong in any of the {executions}.")
        }
        Verdict::Stopped | Verdict::Fault => {
            let stopped = styled(style::WARN, "Stopped early");
            let nothing = match outcome.missing() {
                missing if missing.is_empty() => format!("nothing wrong in {executions}"),
                missing => format!("expected {}, none found in {executions}", kinds(&missing)),
            };
            if outcome.end == End::Sampled {
                let sampled = styled(style::WARN, "Sampled:");
                return format!("{sampled} {nothing}, but not all were explored.");
            }
            format!(
                "{stopped} by {}: {nothing}, but not all were explored.",
                bound(outcome)
            )
        }
    }
}

/// The executions that the headline counts.
struct Seen {
    number: u64,
    noun: &'static str,
    /// `3 executions`
    executions: String,
    /// Whether these are all executions.
    all: bool,
}

impl Seen {
    fn new(outcome: &Outcome) -> Seen {
        let progress = outcome.progress.unwrap_or_default();
        let number = progress.seen();
        let noun = noun(outcome);
        Seen {
            number,
            noun,
            executions: count(number, noun),
            all: outcome.end == End::Complete,
        }
    }

    /// `what`, with the executions in which it was found.
    fn with(&self, what: &str) -> String {
        let (executions, noun) = (&self.executions, self.noun);
        match (self.all, self.number) {
            (true, 1) => format!("{what} in the only {noun}."),
            (true, _) => format!("{what}; all {executions} explored."),
            (false, 1) => format!("{what} in the first {noun}."),
            (false, _) => format!("{what} in the first {executions}."),
        }
    }
}

/// `Verified within one node:`. A result for `mailbox` need not hold where messages of two senders may
/// overtake each other; a result for any other model also holds for `mailbox`. What else it depends on
/// follows after commas.
fn verified(outcome: &Outcome) -> String {
    let assumed = match outcome.options.model() {
        Delivery::Mailbox => " within one node",
        Delivery::Causal | Delivery::P2p | Delivery::Unordered => "",
    };
    let premises = outcome.premises.iter();
    let premises: String = premises
        .map(|premise| format!(", {}", premise.verified))
        .collect();
    styled(style::GOOD, format!("Verified{assumed}{premises}:"))
}

fn wrong(outcome: &Outcome) -> String {
    let is_unexpected = |kept: &Kept| !outcome.options.expect.contains(&kept.found.finding.kind);
    let cases = outcome.cases();
    let cases = cases
        .iter()
        .filter(|case| case.findings().any(is_unexpected));
    let number = cases.count() as u64;
    let errors = count(number, "error");
    match (outcome.options.expect.is_empty(), number) {
        (true, _) => errors,
        (false, 1) => format!("{errors} that was not expected"),
        (false, _) => format!("{errors} that were not expected"),
    }
}

fn missing(outcome: &Outcome, seen: &Seen) -> String {
    let missing = outcome.missing();
    let expected = styled(style::BAD, format!("Expected {}", kinds(&missing)));
    let (executions, noun) = (&seen.executions, seen.noun);
    match (seen.number, missing.len()) {
        (1, 1) => format!("{expected}, but the only {noun} has none."),
        (1, _) => format!("{expected}, but the only {noun} has none of them."),
        (_, 1) => format!("{expected}, but none of the {executions} has one."),
        _ => format!("{expected}, but none of the {executions} has any of them."),
    }
}

/// `a crash and a deadlock`
fn kinds(kinds: &[Kind]) -> String {
    let words: Vec<&str> = kinds.iter().map(|&kind| with_article(kind)).collect();
    listed(&words, "and")
}

pub(super) fn with_article(kind: Kind) -> &'static str {
    match kind {
        Kind::Crash => "a crash",
        Kind::Assertion => "a failed assertion",
        Kind::Deadlock => "a deadlock",
        Kind::Stuck => "a stuck process",
        Kind::Orphan => "an orphan message",
        Kind::DeadLetter => "a dead letter",
        Kind::DepthBound => "a cut at the depth bound",
    }
}

/// What ended the check and, if that was inside a step, the place.
fn bound(outcome: &Outcome) -> String {
    match &outcome.stopped_in {
        Some(place) => format!("{}, inside a step: {place}", bound_alone(outcome)),
        None => bound_alone(outcome),
    }
}

fn bound_alone(outcome: &Outcome) -> String {
    let options = &outcome.options;
    let set = |setting, value: u64| options.voice.set_anywhere(setting, value);
    match &outcome.end {
        End::DepthBound if is_crowded(outcome) => format!(
            "the bound on processes ({})",
            set("max-processes", options.max_processes)
        ),
        End::DepthBound => format!("the depth bound ({})", set("max-depth", options.max_depth)),
        End::ExecutionBound => format!(
            "the bound on executions ({})",
            set("max-executions", options.max_executions.unwrap_or_default())
        ),
        End::PreemptionBound => format!(
            "the preemption bound ({})",
            set("preemption-bound", preemptions(outcome))
        ),
        End::TimeBound => {
            let max = options.max_seconds.unwrap_or_default();
            let set = options.voice.set_anywhere("max-seconds", max);
            format!("the bound on time ({set})")
        }
        End::MemoryBound => match options.max_memory {
            Some(max) => format!("the bound on memory ({})", set("max-memory", max)),
            None => "the memory that the system has left".to_owned(),
        },
        End::Sampled => format!(
            "the size of the sample ({})",
            set("sample", options.sample.unwrap_or_default())
        ),
        End::Interrupted => "Ctrl-C".to_owned(),
        End::FirstError => "the first error".to_owned(),
        End::Complete => "nothing".to_owned(),
        End::Fault(fault) => fault.to_string(),
    }
}

fn preemptions(outcome: &Outcome) -> u64 {
    outcome.plan.preemption_bound.unwrap_or_default().into()
}

/// Whether executions were cut short because of their number of processes.
fn is_crowded(outcome: &Outcome) -> bool {
    outcome.progress.unwrap_or_default().crowded > 0
}

/// What was not explored, unless everything was.
pub(crate) fn left_out(outcome: &Outcome) -> Option<String> {
    let cut = format!("{} {}", cut_short(outcome), repeats(outcome));
    let cut = cut.trim();
    // The headline of a check that was stopped names the bound already.
    let is_in_headline = outcome.verdict() == Verdict::Stopped;
    if let Some(sample) = estimate::sample(outcome) {
        let stopped = match outcome.end {
            End::TimeBound | End::MemoryBound | End::Interrupted if !is_in_headline => {
                format!("Stopped early by {}. ", bound(outcome))
            }
            _ => String::new(),
        };
        return Some(format!("{stopped}{sample} {cut}").trim_end().to_owned());
    }
    let fraction = estimate::fraction_explored(outcome);
    let fraction = fraction.map(|text| format!(" {text}")).unwrap_or_default();
    let text = match &outcome.end {
        End::Complete => return None,
        End::FirstError => {
            let stopped = stopped_at_first_error(outcome);
            format!("{}{} {cut}", stopped[..1].to_uppercase(), &stopped[1..])
        }
        End::DepthBound => cut.to_owned(),
        End::Fault(fault) => format!("Not everything was explored: {fault}. {cut}"),
        End::PreemptionBound => format!(
            "Schedules with more than {} were not explored. {cut}",
            count(preemptions(outcome), "preemption"),
        ),
        _ if is_in_headline => format!("{}.{fraction} {cut}", unexplored(outcome)),
        _ => format!(
            "Stopped early by {}. {}.{fraction} {cut}",
            bound(outcome),
            unexplored(outcome)
        ),
    };
    Some(text.trim_end().to_owned())
}

/// `A crash in 1 of 2 executions explored; stopped at the first error`
pub(super) fn found_in(outcome: &Outcome, case: &Case<'_>) -> String {
    let kind = case.lead.found.finding.kind;
    let expected = match outcome.options.expect.contains(&kind) {
        true => " (expected)",
        false => "",
    };
    let article = with_article(kind);
    let what = format!("{}{}{expected}", article[..1].to_uppercase(), &article[1..]);
    let found = case.executions();
    let progress = outcome.progress.as_ref();
    let all = progress
        .map_or(found, |progress| progress.seen())
        .max(found);
    let noun = noun(outcome);
    let executions = match (&outcome.end, all) {
        (End::Complete, 1) => format!("in the only {noun}."),
        (End::Complete, all) => format!("in {found} of {all} {noun}s; all were explored."),
        (End::FirstError, 1) => format!(
            "in the first {noun} explored; {}",
            stopped_at_first_error(outcome)
        ),
        (End::FirstError, all) => format!(
            "in {found} of {all} {noun}s explored; {}",
            stopped_at_first_error(outcome)
        ),
        (_, 1) => format!("in the first {noun} explored."),
        (_, all) => format!("in {found} of the first {all} {noun}s."),
    };
    let is_one_error = outcome.cases().len() == 1 && outcome.options.expect.is_empty();
    match (&outcome.end, is_one_error) {
        (End::Complete | End::FirstError, _) | (_, false) => format!("{what} {executions}"),
        // In this case no headline states it.
        (_, true) => {
            let left_out = left_out(outcome).unwrap_or_default();
            format!("{what} {executions} {left_out}")
        }
    }
}

/// States that the check stopped at the first error, and how to continue.
fn stopped_at_first_error(outcome: &Outcome) -> String {
    let stopped = match outcome.went_on_after_stuck() {
        None | Some(0) => "stopped at the first error".to_owned(),
        Some(more) => format!(
            "stopped {} after the first stuck process, without an error of another kind",
            count(more, noun(outcome))
        ),
    };
    match outcome.options.hunt {
        // A hunt cannot continue after an error.
        true => format!("{stopped}."),
        false => {
            let go_on = outcome.options.voice.turn_on("keep-going");
            format!("{stopped} ({go_on} explores the rest).")
        }
    }
}

fn cut_short(outcome: &Outcome) -> String {
    let progress = outcome.progress.unwrap_or_default();
    if progress.cut_short == 0 {
        return String::new();
    }
    let were = match progress.cut_short {
        1 => "was",
        _ => "were",
    };
    let at = match is_crowded(outcome) {
        true => format!("at more than {} processes", outcome.options.max_processes),
        false => format!("after {} steps", outcome.options.max_depth),
    };
    format!(
        "{} {were} cut short {at}: what comes later, and the races there, was not explored.",
        count(progress.cut_short, noun(outcome)),
    )
}

/// What a long execution repeats.
fn repeats(outcome: &Outcome) -> String {
    let Some(repeats) = &outcome.repeats else {
        return String::new();
    };
    let process = visible(&repeats.process.to_string());
    let process = match &repeats.role {
        Some(role) => format!("{} ({process})", shorten(role, 60)),
        None => process,
    };
    let what = match repeats.what {
        Repeated::Timeout => "times out",
        Repeated::Spawn => "spawns a process",
        Repeated::SendToItself => "sends to itself",
        Repeated::Send => "sends",
        Repeated::Receive => "receives",
    };
    let place = repeats.place.as_deref().map(visible);
    let place = place
        .map(|place| format!(" at {place}"))
        .unwrap_or_default();
    let times = repeats.times;
    format!("What repeats: {process} {what}{place}, {times} times in one execution.")
}

/// What is known about executions that were not explored.
fn unexplored(outcome: &Outcome) -> String {
    match outcome.unexplored() {
        Some(0) => "The last execution was not finished".to_owned(),
        Some(1) => "At least 1 more execution was not explored".to_owned(),
        Some(more) => format!("At least {more} more executions were not explored"),
        None => format!("An unknown number of {}s was not explored", noun(outcome)),
    }
}

/// What the algorithm runs: executions, or schedules, many of which may be equivalent.
pub(crate) fn noun(outcome: &Outcome) -> &'static str {
    match outcome.plan.algorithm.has_schedules() {
        true => "schedule",
        false => "execution",
    }
}
