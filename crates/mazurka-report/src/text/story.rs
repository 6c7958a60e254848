//! One execution: its sequence of events, its picture, and the details of its error.

use super::{Messages, Names, Sequence, shorten, source, visible, width, wrap};
use crate::diagram::Diagram;
use crate::subject::Subject;
use mazurka_engine::{Diagnosis, Finding, Kind};
use mazurka_trace::{At, Causality, Event, Interleaving, Trace};
use std::io::{self, Write};

/// Executions with more events are not put in order, because that takes too long.
pub(crate) const EVENTS_MAX: usize = 3_000;

/// Writes every event of an execution that ends in `findings`, numbered, in this order.
pub(super) fn write_sequence(
    out: &mut impl Write,
    trace: &Trace,
    names: Names,
    order: &[At],
    findings: &[&Finding],
) -> io::Result<()> {
    let sequence = Sequence::named(trace, names, width()).numbered();
    sequence.write_steps(out, order)?;
    for finding in findings {
        if matches!(
            finding.kind,
            Kind::Deadlock | Kind::Stuck | Kind::DepthBound
        ) {
            sequence.write_end(out, &finding.process, &finding.message)?;
        }
    }
    Ok(())
}

/// Draws an execution that ends in `findings`.
pub(super) fn write_diagram(
    out: &mut impl Write,
    trace: &Trace,
    findings: &[&Finding],
    diagnosis: Option<&Diagnosis>,
) -> io::Result<()> {
    match Diagram::new(trace, findings, diagnosis) {
        Ok(diagram) => diagram.write(out, width()),
        Err(error) => writeln!(out, "    (no diagram: {error})"),
    }
}

/// Writes the source lines of an error and of the race that decides.
pub(super) fn write_places(
    out: &mut impl Write,
    subject: &Subject,
    trace: &Trace,
    finding: &Finding,
    diagnosis: Option<&Diagnosis>,
) -> io::Result<()> {
    let mut places = Vec::new();
    places.extend(source::place_in(&finding.message));
    let parting = diagnosis.and_then(|diagnosis| diagnosis.parting.as_ref());
    if let Some(parting) = parting {
        for trace in [trace, &parting.passing] {
            let messages = Messages::new(trace);
            let event = trace.event(&parting.at);
            let taken = event.and_then(Event::consumes);
            let sent = taken.and_then(|tag| messages.sent(tag));
            let at = [Some(&parting.at), sent].into_iter().flatten();
            places.extend(at.filter_map(|at| trace.place(at)).map(str::to_owned));
        }
    }
    source::write_lines(out, &subject.sources, &places)
}

/// The causal order of an execution, or why it cannot be put in order.
pub(crate) fn ordered(trace: &Trace) -> Result<Causality<'_>, String> {
    let events = trace.event_count();
    if events > EVENTS_MAX {
        return Err(format!("it has {events} events, too many"));
    }
    trace.check().map_err(|error| error.to_string())
}

/// The order in which the events of an execution are shown.
pub(crate) fn in_order(causality: &Causality<'_>) -> Interleaving {
    causality
        .fewest_switches(Causality::SWITCH_BUDGET)
        .interleaving
}

/// `P.1 (worker)`
#[must_use]
pub fn process_with_role(finding: &Finding) -> String {
    match &finding.role {
        Some(role) if !role.is_empty() => {
            format!("{} ({})", visible(&finding.process), shorten(role, 60))
        }
        _ => visible(&finding.process),
    }
}

/// Writes what the user can do about a finding, besides fixing the program.
pub(super) fn write_advice(
    out: &mut impl Write,
    finding: &Finding,
    daemon_hint: &str,
) -> io::Result<()> {
    // A process that waits until its message is received is not an idle server.
    if finding.kind == Kind::Stuck && !finding.message.ends_with("to be received") {
        let process = &finding.process;
        let hint = daemon_hint.replace('\n', " ");
        let text =
            format!("If {process} is a server that may wait for ever, mark it as a daemon: {hint}");
        writeln!(out, "{}", wrap(&text, 2, 2))?;
    }
    Ok(())
}

/// Writes the host's details of an error, unchanged.
pub(super) fn write_details(out: &mut impl Write, details: Option<&str>) -> io::Result<()> {
    for line in details.unwrap_or_default().lines() {
        let line = visible(&line.replace('\t', "    "));
        writeln!(out, "{}", format!("  {line}").trim_end())?;
    }
    Ok(())
}
