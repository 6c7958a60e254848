//! The report of a check.

use super::{count, process_with_role, shorten, style, styled, width, write_race, write_sequence};
use crate::outcome::{End, Kept, Outcome};
use anyhow::Result;
use mazurka_engine::{Algorithm, Delivery, Finding, Kind, Timeouts};
use std::io::Write;
use std::rc::Rc;

/// Writes the verdict, the counts, and each error with its story.
pub fn write_verdict(out: &mut impl Write, outcome: &Outcome<'_>) -> Result<()> {
    writeln!(out, "{}", headline(outcome))?;
    if let Some(left_out) = left_out(outcome) {
        writeln!(out, "{left_out}")?;
    }
    writeln!(out)?;
    write_counts(out, outcome)?;
    let errors: Vec<&Kept> = outcome.errors().collect();
    for number in 0..errors.len().min(STORIES) {
        writeln!(out)?;
        write_error(out, outcome, &errors, number)?;
    }
    write_further_errors(out, &errors)?;
    write_warnings(out, outcome)
}

/// So many errors get a story; nobody reads more of them.
const STORIES: usize = 10;

/// A line for each error that gets no story, within reason.
fn write_further_errors(out: &mut impl Write, errors: &[&Kept]) -> Result<()> {
    const LINES: usize = 40;
    let further = errors.get(STORIES..).unwrap_or_default();
    if !further.is_empty() {
        writeln!(out)?;
    }
    for (number, kept) in (STORIES + 1..).zip(further.iter().take(LINES)) {
        let finding = &kept.found.finding;
        let heading = styled(style::BAD, format!("Error {number}: {}", finding.kind));
        let process = process_with_role(finding);
        let message = shorten(&finding.message, width());
        writeln!(out, "{heading} in process {process}: {message}")?;
    }
    if further.len() > LINES {
        writeln!(
            out,
            "and {} more errors; --format json has all",
            further.len() - LINES
        )?;
    }
    Ok(())
}

fn headline(outcome: &Outcome<'_>) -> String {
    let progress = outcome.progress.unwrap_or_default();
    let seen = progress.executions + progress.cut_short;
    let noun = noun(outcome);
    let executions = count(seen, noun);
    let errors = outcome.errors().count() as u64;
    if errors > 0 {
        let found = styled(style::BAD, "Error found:");
        let what = count(errors, "distinct error");
        return match outcome.end {
            End::Complete if seen == 1 => format!("{found} {what} in the only {noun}."),
            End::Complete => format!("{found} {what}; all {executions} explored."),
            _ if seen == 1 => format!("{found} {what} in the first {noun}."),
            _ => format!("{found} {what} in the first {executions}."),
        };
    }
    if outcome.end == End::Complete {
        let verified = styled(style::GOOD, "Verified:");
        return match seen {
            1 => format!("{verified} there is 1 {noun}, and nothing goes wrong in it."),
            _ => format!("{verified} nothing goes wrong in any of the {executions}."),
        };
    }
    let stopped = styled(style::WARN, "Stopped early");
    let bound = bound(outcome);
    format!("{stopped} by {bound}: nothing wrong in {executions}, but not all were explored.")
}

/// What ended the check.
fn bound(outcome: &Outcome<'_>) -> String {
    let args = outcome.args;
    match &outcome.end {
        End::DepthBound => format!("the depth bound (--max-depth {})", args.max_depth),
        End::ExecutionBound => format!(
            "the bound on executions (--max-executions {})",
            args.target.max_executions.unwrap_or_default()
        ),
        End::PreemptionBound => format!(
            "the preemption bound (--preemption-bound {})",
            outcome.plan.preemption_bound.unwrap_or_default()
        ),
        End::TimeBound => format!(
            "the bound on time (--max-seconds {})",
            args.max_seconds.unwrap_or_default().as_secs_f64()
        ),
        End::MemoryBound => format!(
            "the bound on memory (--max-memory {})",
            args.max_memory.unwrap_or_default()
        ),
        End::Interrupted => "Ctrl-C".to_owned(),
        End::FirstError => "the first error".to_owned(),
        End::Complete => "nothing".to_owned(),
        End::Fault(fault) => fault.to_string(),
    }
}

/// What was not explored, unless everything was.
fn left_out(outcome: &Outcome<'_>) -> Option<String> {
    let progress = outcome.progress.unwrap_or_default();
    let unexplored = unexplored(outcome);
    let cut = match progress.cut_short {
        0 => String::new(),
        cut => format!(
            "Left out: the rest of {} cut short after {} steps, and what only races behind the \
             bound lead to.",
            count(cut, noun(outcome)),
            outcome.args.max_depth
        ),
    };
    let text = match outcome.end {
        End::Complete => return None,
        End::FirstError => {
            format!("Stopped there; {unexplored} not explored (--keep-going goes on). {cut}")
        }
        End::DepthBound => cut,
        End::PreemptionBound => format!(
            "{}: schedules with more than {}. {cut}",
            match outcome.errors().next() {
                Some(_) => "Not explored",
                None => "Left out",
            },
            count(
                outcome.plan.preemption_bound.unwrap_or_default().into(),
                "preemption"
            ),
        ),
        _ if outcome.errors().next().is_some() => format!(
            "Stopped early by {}; {unexplored} not explored. {cut}",
            bound(outcome)
        ),
        _ => format!("Left out: {unexplored}. {cut}"),
    };
    Some(text.trim_end().to_owned())
}

/// What there is to know of executions not explored.
fn unexplored(outcome: &Outcome<'_>) -> String {
    match outcome.unexplored() {
        Some(beginnings) => format!("at least {} of executions", count(beginnings, "beginning")),
        None => format!("an unknown number of {}s", noun(outcome)),
    }
}

/// What the algorithm runs: executions, or schedules, many of which may be equivalent.
fn noun(outcome: &Outcome<'_>) -> &'static str {
    match outcome.plan.algorithm.has_schedules() {
        true => "schedule",
        false => "execution",
    }
}

fn write_counts(out: &mut impl Write, outcome: &Outcome<'_>) -> Result<()> {
    let progress = outcome.progress.unwrap_or_default();
    let mut program = outcome.chosen.id().to_owned();
    for (name, value) in outcome.chosen.params() {
        program += &format!(" {name}={value}");
    }
    let executions = match outcome.plan.algorithm.has_schedules() {
        true => "schedules",
        false => "executions",
    };
    let mut rows = vec![
        ("program", program),
        (executions, progress.executions.to_string()),
        ("transitions", progress.transitions.to_string()),
        ("behaviour nodes", progress.behaviour_nodes.to_string()),
        ("seconds", format!("{:.3}", outcome.seconds)),
        ("delivery", delivery(outcome.args.target.delivery)),
        ("timeouts", timeouts(outcome.args.target.timeouts)),
    ];
    if progress.blocked > 0 {
        let blocked = format!("{} (begun and given up, same as others)", progress.blocked);
        rows.insert(2, ("blocked", blocked));
    }
    if progress.cut_short > 0 {
        rows.insert(2, ("cut short", progress.cut_short.to_string()));
    }
    if outcome.plan.algorithm != Algorithm::Optimal {
        rows.insert(1, ("algorithm", outcome.plan.to_string()));
    }
    for (name, value) in rows {
        writeln!(out, "  {name:<16} {value}")?;
    }
    Ok(())
}

fn delivery(model: Delivery) -> String {
    let means = match model {
        Delivery::Unordered => "a receive takes any matching message",
        Delivery::P2p => "a receive takes the first matching message of any sender",
        Delivery::Causal => "a receive takes a matching message with none sent causally before it",
        Delivery::Mailbox => "a receive takes the matching message that was sent first",
    };
    format!("{model} ({means})")
}

fn timeouts(setting: Timeouts) -> String {
    let means = match setting {
        Timeouts::Below(limit) => {
            format!("below {limit} ms at any time, longer ones when nothing else can happen")
        }
        Timeouts::AnyTime => "all at any time".to_owned(),
        Timeouts::WhenQuiet => "only when nothing else can happen".to_owned(),
        Timeouts::Never => "none fires".to_owned(),
    };
    format!("{setting} ({means})")
}

fn write_error(
    out: &mut impl Write,
    outcome: &Outcome<'_>,
    errors: &[&Kept],
    index: usize,
) -> Result<()> {
    let kept = errors[index];
    let finding = &kept.found.finding;
    let heading = format!("Error {}: {}", index + 1, finding.kind);
    let process = process_with_role(finding);
    writeln!(out, "{} in process {process}", styled(style::BAD, heading))?;
    writeln!(out, "  {}", shorten(&finding.message, usize::MAX))?;
    let executions = count(kept.found.count, noun(outcome));
    let trace = &kept.found.trace;
    let same = |other: &Kept| Rc::ptr_eq(&other.found.trace, trace) || other.found.trace == *trace;
    match errors[..index].iter().position(|other| same(other)) {
        Some(shown) => writeln!(
            out,
            "  In {executions}; the shortest is that of error {}.",
            shown + 1
        )?,
        None => {
            writeln!(out, "  In {executions}. The shortest one found:\n")?;
            let findings = errors.iter().filter(|other| same(other));
            let findings: Vec<&Finding> = findings.map(|other| &other.found.finding).collect();
            write_sequence(out, trace, &findings, false)?;
        }
    }
    writeln!(out)?;
    write_race(out, trace, finding)?;
    write_advice(out, finding)?;
    if let Some(line) = outcome.replay_line(kept) {
        writeln!(out, "  {} {line}", styled(style::BOLD, "Replay:"))?;
    }
    Ok(())
}

/// What the user can do about it, besides mending the program.
pub fn write_advice(out: &mut impl Write, finding: &Finding) -> Result<()> {
    if finding.kind == Kind::Stuck {
        let process = &finding.process;
        writeln!(
            out,
            "  If {process} is a server that may wait for ever, mark it as a daemon: in the code of\n  \
             the program, call `turn.daemon()` when the process starts to serve."
        )?;
    }
    Ok(())
}

fn write_warnings(out: &mut impl Write, outcome: &Outcome<'_>) -> Result<()> {
    const SHOWN: usize = 20;
    let warnings = outcome.warnings().count();
    if warnings > 0 {
        writeln!(out)?;
    }
    for kept in outcome.warnings().take(SHOWN) {
        let finding = &kept.found.finding;
        let kind = styled(style::WARN, format!("Warning: {}", finding.kind));
        let process = process_with_role(finding);
        let message = shorten(&finding.message, width());
        let executions = count(kept.found.count, noun(outcome));
        writeln!(
            out,
            "{kind} in process {process}: {message} (in {executions})"
        )?;
    }
    if warnings > SHOWN {
        writeln!(
            out,
            "and {} more warnings; --format json has all",
            warnings - SHOWN
        )?;
    }
    if let Some(kept) = outcome.warnings().next() {
        let kind = kept.found.finding.kind;
        writeln!(
            out,
            "  (--error {kind} makes this kind an error, with its story and a log.)"
        )?;
    }
    Ok(())
}
