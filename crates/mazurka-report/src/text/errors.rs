//! The errors of a report, each with its story.

use super::headline::noun;
use super::story::{write_advice, write_details, write_diagram, write_race, write_sequence};
use super::{count, process_with_role, shorten, style, styled, width};
use crate::outcome::{Kept, Outcome};
use mazurka_engine::{Finding, Kind};
use std::io::{self, Write};
use std::rc::Rc;

/// So many errors get a story; nobody reads more of them.
const STORIES: usize = 10;

/// Writes all errors.
pub(super) fn write(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let errors: Vec<&Kept> = outcome.errors().collect();
    for number in 0..errors.len().min(STORIES) {
        writeln!(out)?;
        write_error(out, outcome, &errors, number)?;
    }
    write_further(out, outcome, &errors)
}

fn write_error(
    out: &mut impl Write,
    outcome: &Outcome,
    errors: &[&Kept],
    index: usize,
) -> io::Result<()> {
    let kept = errors[index];
    let finding = &kept.found.finding;
    let heading = heading(outcome, index + 1, finding.kind);
    let process = process_with_role(finding);
    writeln!(out, "{heading} in process {process}")?;
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
            if outcome.options.diagram {
                writeln!(out)?;
                write_diagram(out, trace, &findings, kept.diagnosis.as_ref())?;
            }
        }
    }
    writeln!(out)?;
    write_race(out, &outcome.subject, trace, finding)?;
    write_advice(out, finding, &outcome.subject.daemon_hint)?;
    write_details(out, kept.details.as_deref())?;
    if let Some(line) = &kept.replay {
        writeln!(out, "  {} {line}", styled(style::BOLD, "Replay:"))?;
    }
    Ok(())
}

/// A line for each error that gets no story, within reason.
fn write_further(out: &mut impl Write, outcome: &Outcome, errors: &[&Kept]) -> io::Result<()> {
    const LINES: usize = 40;
    let further = errors.get(STORIES..).unwrap_or_default();
    if !further.is_empty() {
        writeln!(out)?;
    }
    for (number, kept) in (STORIES + 1..).zip(further.iter().take(LINES)) {
        let finding = &kept.found.finding;
        let heading = heading(outcome, number, finding.kind);
        let process = process_with_role(finding);
        let message = shorten(&finding.message, width());
        writeln!(out, "{heading} in process {process}: {message}")?;
    }
    if further.len() > LINES {
        writeln!(
            out,
            "and {} more errors; {} has all",
            further.len() - LINES,
            outcome.options.voice.json()
        )?;
    }
    Ok(())
}

/// `Error 1: deadlock`
fn heading(outcome: &Outcome, number: usize, kind: Kind) -> String {
    let expected = match outcome.options.expect.contains(&kind) {
        true => " (expected)",
        false => "",
    };
    styled(style::BAD, format!("Error {number}: {kind}{expected}"))
}
