//! The errors of a report, each with its story.

use super::explain::Explained;
use super::headline::noun;
use super::story::{write_advice, write_details, write_diagram, write_places, write_sequence};
use super::{process_with_role, shorten, style, styled, width};
use crate::diagnosis::{IN_FULL, have_one_story, is_same_execution};
use crate::outcome::{End, Kept, Outcome, Recurs};
use mazurka_engine::{Finding, Kind};
use std::io::{self, Write};

/// Writes all errors.
pub(super) fn write(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let errors: Vec<&Kept> = outcome.errors().collect();
    for number in 0..errors.len().min(IN_FULL) {
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
    let executions = of_executions(outcome, kept);
    let trace = &kept.found.trace;
    let same = |other: &&&Kept| is_same_execution(other, kept);
    let shown = errors[..index].iter().position(|other| same(&other));
    let told = errors[..index]
        .iter()
        .position(|other| have_one_story(other, kept));
    match (shown, told) {
        (_, Some(told)) => writeln!(
            out,
            "  In {executions}; the shortest, and how it comes about, is that of error {}.",
            told + 1
        )?,
        (Some(shown), None) => writeln!(
            out,
            "  In {executions}; the shortest is that of error {}.\n",
            shown + 1
        )?,
        (None, None) => writeln!(out, "  In {executions}. The shortest one found:\n")?,
    }
    if told.is_none() {
        let findings = errors.iter().filter(same);
        let findings: Vec<&Finding> = findings.map(|other| &other.found.finding).collect();
        match Explained::new(kept) {
            Some(explained) => explained.write(out, &findings, shown.is_some())?,
            None => write_sequence(out, trace, &findings, false)?,
        }
        write_places(
            out,
            &outcome.subject,
            trace,
            finding,
            kept.diagnosis.as_ref(),
        )?;
        if outcome.options.diagram {
            writeln!(out)?;
            write_diagram(out, trace, &findings, kept.diagnosis.as_ref())?;
        }
        write_advice(out, finding, &outcome.subject.daemon_hint)?;
    }
    write_details(out, kept.details.as_deref())?;
    if let Some(Recurs::No { instead }) = &kept.recurs {
        let heading = styled(style::BAD, "Not reproducible:");
        writeln!(
            out,
            "  {heading} the execution was replayed once, and then {}.\n  The program does not do the \
             same on the same inputs: it depends on something else.",
            shorten(instead, usize::MAX)
        )?;
    }
    if let Some(line) = &kept.replay {
        writeln!(out, "  {} {line}", styled(style::BOLD, "Replay:"))?;
    }
    Ok(())
}

/// `1 of 2 executions`
fn of_executions(outcome: &Outcome, kept: &Kept) -> String {
    let found = kept.found.count;
    let progress = outcome.progress.as_ref();
    let all = progress.map_or(found, |progress| progress.seen());
    let noun = noun(outcome);
    match (&outcome.end, all.max(found)) {
        (End::Complete, 1) => format!("the only {noun}"),
        (End::Complete, all) => format!("{found} of {all} {noun}s"),
        (_, 1) => format!("the first {noun}"),
        (_, all) => format!("{found} of the first {all} {noun}s"),
    }
}

/// How an error came about, without colours and without its events.
pub(crate) fn explanation(outcome: &Outcome, kept: &Kept) -> String {
    let finding = &kept.found.finding;
    super::plain(|out| {
        if let Some(explained) = Explained::new(kept) {
            explained.write_in_short(out)?;
        }
        let (trace, diagnosis) = (&kept.found.trace, kept.diagnosis.as_ref());
        write_places(out, &outcome.subject, trace, finding, diagnosis)?;
        write_advice(out, finding, &outcome.subject.daemon_hint)?;
        write_details(out, kept.details.as_deref())
    })
}

/// A line for each error that gets no story, within reason.
fn write_further(out: &mut impl Write, outcome: &Outcome, errors: &[&Kept]) -> io::Result<()> {
    const LINES: usize = 40;
    let further = errors.get(IN_FULL..).unwrap_or_default();
    if !further.is_empty() {
        writeln!(out)?;
    }
    for (number, kept) in (IN_FULL + 1..).zip(further.iter().take(LINES)) {
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
