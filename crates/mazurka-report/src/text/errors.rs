//! The errors of a report: what failed, the race that decides, how it fails, how to replay it.

use super::explain::{Explained, Waits, names};
use super::headline::{found_in, with_article};
use super::source::place_in;
use super::story::{write_advice, write_details, write_diagram, write_places};
use super::ways::{numbers, ways};
use super::{Names, abbreviate, models, shorten, style, styled, visible, width, wrap};
use crate::case::Case;
use crate::diagnosis::{IN_FULL, waits_for_ever};
use crate::outcome::{Kept, Outcome, Recurs};
use crate::voice::Voice;
use mazurka_engine::{Finding, Kind};
use std::io::{self, Write};

/// Writes all errors.
pub(super) fn write(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let cases = outcome.cases();
    let is_only = cases.len() == 1;
    for (number, case) in (1..).zip(cases.iter().take(IN_FULL)) {
        if number > 1 {
            writeln!(out)?;
        }
        let number = (!is_only).then_some(number);
        write_case(out, outcome, case, number)?;
    }
    write_further(out, outcome, cases.get(IN_FULL..).unwrap_or_default())
}

/// What the texts about one error have in common.
struct Context<'c> {
    /// All findings of the execution.
    ends: Vec<&'c Finding>,
    names: Names,
    /// Which process waits for which at the end of the execution.
    waits: Option<Waits<'c>>,
}

impl<'c> Context<'c> {
    fn new(case: &Case<'c>) -> Self {
        let (trace, diagnosis) = (&case.lead.found.trace, case.lead.diagnosis.as_ref());
        let ends: Vec<&Finding> = case.here().map(|kept| &kept.found.finding).collect();
        Context {
            names: names(trace, diagnosis, ends.iter().copied()),
            waits: Waits::new(trace, diagnosis, &ends),
            ends,
        }
    }

    /// The waits, if the error is that a process waits for ever.
    fn own_waits(&self, case: &Case<'_>) -> Option<&Waits<'c>> {
        { self.waits.as_ref() }.filter(|_| waits_for_ever(case.lead.found.finding.kind))
    }
}

fn write_case(
    out: &mut impl Write,
    outcome: &Outcome,
    case: &Case<'_>,
    number: Option<usize>,
) -> io::Result<()> {
    let kept = case.lead;
    let (trace, diagnosis) = (&kept.found.trace, kept.diagnosis.as_ref());
    let context = Context::new(case);
    let (names, waits) = (&context.names, context.own_waits(case));
    let headline = waits.and_then(|waits| waits.headline(names));
    write_headline(out, number, &kept.found.finding, names, headline)?;
    if let Some(waits) = waits {
        waits.write(out, names)?;
    }
    write_symptoms(out, case, names, waits.is_some())?;
    if let Some(explained) = Explained::new(kept) {
        writeln!(out)?;
        explained.write_race(out)?;
        writeln!(out)?;
        explained.write_flow(out, &context.ends)?;
        if outcome.options.verbose {
            explained.write_events(out, &context.ends)?;
            writeln!(out)?;
            let finding = &kept.found.finding;
            write_places(out, &outcome.subject, trace, finding, diagnosis)?;
        }
    } else {
        let events = trace.event_count();
        writeln!(
            out,
            "\n  (The execution has {events} events, too many to show.)"
        )?;
    }
    if outcome.options.diagram {
        writeln!(out)?;
        write_diagram(out, trace, &context.ends, diagnosis)?;
    }
    writeln!(out)?;
    if !waits.is_some_and(Waits::is_circular) {
        write_advice(out, &kept.found.finding, &outcome.subject.daemon_hint)?;
    }
    if let Some(dependence) = models::dependence(outcome, kept) {
        let heading = styled(style::BOLD, "Delivery:");
        writeln!(out, "{}", wrap(&format!("{heading} {dependence}"), 2, 4))?;
    }
    write_details(out, kept.details.as_deref())?;
    if let Some(Recurs::No { instead }) = &kept.recurs {
        let heading = styled(style::BAD, "Not reproducible:");
        let text = format!(
            "{heading} the execution was replayed once, and then {}. The program does not do the \
             same on the same inputs: it depends on something else.",
            visible(instead)
        );
        writeln!(out, "{}", wrap(&text, 2, 4))?;
    }
    writeln!(out, "{}", wrap(&found_in(outcome, case), 2, 2))?;
    if let Some(line) = &kept.replay {
        writeln!(out, "  {} {line}", styled(style::BOLD, "Replay:"))?;
    }
    write_look(out, outcome)
}

/// `✗ main (P) crashes: {badmatch, 2}          cache.erl:23`
fn write_headline(
    out: &mut impl Write,
    number: Option<usize>,
    finding: &Finding,
    names: &Names,
    headline: Option<String>,
) -> io::Result<()> {
    let place = place_in(&finding.message);
    const LINES_MAX: usize = 4;
    let text = headline.unwrap_or_else(|| sentence(finding, names));
    let text = match text.chars().count() > LINES_MAX * width() {
        true => abbreviate(&text, LINES_MAX * width()),
        false => text,
    };
    let number = number.map_or_else(String::new, |number| format!("{number}. "));
    let text = wrap(&format!("✗ {number}{}", visible(&text)), 0, 4);
    let last = text.lines().last().unwrap_or_default().chars().count();
    write!(out, "{}", styled(style::BAD, &text))?;
    let Some(place) = place.filter(|place| !text.contains(place)) else {
        return writeln!(out);
    };
    let place = visible(&place);
    let columns = place.chars().count();
    match (width().saturating_sub(last)).checked_sub(columns + 2) {
        Some(gap) => writeln!(out, "{}{place}", " ".repeat(gap + 2)),
        None => writeln!(out, "\n    at {place}"),
    }
}

/// A finding without its place: `main (P) crashes: {badmatch, 2}`.
fn sentence(finding: &Finding, names: &Names) -> String {
    let who = names.with_pid(&finding.process.as_str().into());
    let message = match place_in(&finding.message) {
        Some(place) => {
            let message = &finding.message[..finding.message.len() - place.len()];
            message.strip_suffix(" at ").unwrap_or(message)
        }
        None => &finding.message,
    };
    match finding.kind {
        Kind::Crash => format!("{who} crashes: {message}"),
        Kind::Assertion => format!("{who} fails: {message}"),
        Kind::Deadlock | Kind::Stuck => format!("{who} {message}"),
        Kind::Orphan | Kind::DeadLetter => format!("{who}: {message}"),
        Kind::DepthBound => message.to_owned(),
    }
}

/// Writes the other errors with the same cause.
fn write_symptoms(
    out: &mut impl Write,
    case: &Case<'_>,
    names: &Names,
    waits_are_written: bool,
) -> io::Result<()> {
    const SHOWN: usize = 5;
    let is_written = |kept: &Kept| {
        let here = std::rc::Rc::ptr_eq(&kept.found.trace, &case.lead.found.trace);
        here && waits_are_written && crate::diagnosis::waits_for_ever(kept.found.finding.kind)
    };
    let others = case.others.iter().copied();
    let others = others.filter(|kept| !is_written(kept));
    let all = ways([case.lead].into_iter().chain(others));
    for (number, ways) in all.iter().take(SHOWN + 1).enumerate() {
        let finding = &ways[0].found.finding;
        let numbers = numbers(ways);
        let text = match (number, numbers) {
            (0, None) => continue,
            (0, Some(numbers)) => numbers,
            (_, numbers) => {
                let place = place_in(&finding.message);
                let place = place.map_or_else(String::new, |place| format!(" at {place}"));
                let text = abbreviate(&sentence(finding, names), 2 * width());
                let numbers = numbers.map_or_else(String::new, |numbers| format!(", {numbers}"));
                format!("also {text}{place}{numbers}")
            }
        };
        writeln!(out, "{}", wrap(&visible(&text), 4, 6))?;
    }
    let unshown = all.iter().skip(SHOWN + 1).map(Vec::len).sum::<usize>() as u64;
    match unshown + case.not_kept() {
        0 => Ok(()),
        more => writeln!(out, "    also {more} more symptoms of this error"),
    }
}

/// Writes how to see more of an error.
fn write_look(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let text = match (outcome.options.voice, outcome.options.verbose) {
        (_, true) => return Ok(()),
        (Voice::CommandLine, false) => "--verbose lists every step, --html FILE draws them",
        (Voice::Library | Voice::Environment, false) => {
            "verbose(true) or MAZURKA_VERBOSE=1 lists every step"
        }
    };
    writeln!(out, "  {}   {text}", styled(style::BOLD, "Look:"))
}

/// The explanation of an error, without colours and without its events.
pub(crate) fn explanation(outcome: &Outcome, case: &Case<'_>) -> String {
    let kept = case.lead;
    let finding = &kept.found.finding;
    super::plain(|out| {
        let (trace, diagnosis) = (&kept.found.trace, kept.diagnosis.as_ref());
        let Context { names, waits, .. } = Context::new(case);
        let is_circular = waits.as_ref().is_some_and(Waits::is_circular);
        if let Some(waits) = &waits {
            waits.write(out, &names)?;
        }
        write_symptoms(out, case, &names, true)?;
        if let Some(explained) = Explained::new(kept) {
            explained.write_race(out)?;
        }
        write_places(out, &outcome.subject, trace, finding, diagnosis)?;
        if !is_circular {
            write_advice(out, finding, &outcome.subject.daemon_hint)?;
        }
        if let Some(dependence) = models::dependence(outcome, kept) {
            writeln!(out, "  Delivery: {dependence}")?;
        }
        write_details(out, kept.details.as_deref())
    })
}

/// An error in one line, without its place.
pub(crate) fn title(case: &Case<'_>) -> String {
    let context = Context::new(case);
    let names = &context.names;
    let headline = { context.own_waits(case) }.and_then(|waits| waits.headline(names));
    visible(&headline.unwrap_or_else(|| sentence(&case.lead.found.finding, names)))
}

/// Writes a line for each error that is not reported in full, up to a limit.
fn write_further(out: &mut impl Write, outcome: &Outcome, further: &[Case<'_>]) -> io::Result<()> {
    const LINES: usize = 40;
    if !further.is_empty() {
        writeln!(out)?;
    }
    for (number, case) in (IN_FULL + 1..).zip(further.iter().take(LINES)) {
        let finding = &case.lead.found.finding;
        let kind = with_article(finding.kind);
        let line = format!("✗ {number}. {kind}: {}", title(case));
        writeln!(out, "{}", styled(style::BAD, shorten(&line, width())))?;
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
