//! The report of an execution along a log.

use super::explain::Explained;
use super::story::{
    in_order, ordered, write_advice, write_details, write_diagram, write_places, write_sequence,
};
use super::{Sequence, count, process_with_role, shorten, style, styled};
use crate::follow::{Followed, Recurrence};
use mazurka_engine::Finding;
use mazurka_trace::{At, LoggedError};
use std::collections::HashMap;
use std::io::{self, Write};

/// So many departures are told; the others follow from them.
const DEPARTURES: usize = 3;

impl Followed {
    /// Writes what happened, where that departs from the log, and what is wrong with it. It has
    /// colours in it.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let delivery = self.trace.delivery;
        writeln!(out, "{} under {delivery} delivery:\n", self.subject.id)?;
        let ends: Vec<&Finding> = self.errors.iter().map(|wrong| &wrong.finding).collect();
        write_sequence(out, &self.trace, &ends, true)?;
        self.write_departures(out)?;
        writeln!(out)?;
        let recurrence = self.recurrence();
        if let (Recurrence::Gone, Some(logged)) = (recurrence, &self.logged) {
            write_gone(out, logged)?;
        }
        for (at, wrong) in self.errors.iter().enumerate() {
            let finding = &wrong.finding;
            let kind = styled(style::BAD, finding.kind);
            match recurrence {
                Recurrence::Recurs(same) if same == at => {
                    let recurs = styled(style::BAD, "The error recurs:");
                    write_finding(out, &format!("{recurs} {kind}"), finding)?;
                }
                Recurrence::Changed(alike) if alike == at => {
                    let recurs = styled(style::BAD, "An error of the same kind recurs:");
                    write_finding(out, &format!("{recurs} {kind}"), finding)?;
                    let logged = self.logged.as_ref().map_or("", |logged| &logged.message);
                    writeln!(out, "  The log has: {}", shorten(logged, usize::MAX))?;
                }
                _ => write_finding(out, &kind, finding)?,
            }
            let diagnosis = wrong.diagnosis.as_ref();
            if let Some(diagnosis) = diagnosis {
                let explained = Explained::numbered(&self.trace, diagnosis, self.numbers());
                explained.write_race(out)?;
            }
            write_places(out, &self.subject, &self.trace, finding, diagnosis)?;
            write_advice(out, finding, &self.subject.daemon_hint)?;
            write_details(out, wrong.details.as_deref())?;
        }
        for finding in &self.warnings {
            let kind = format!("warning: {}", finding.kind);
            write_finding(out, &styled(style::WARN, kind), finding)?;
        }
        if self.errors.is_empty() {
            writeln!(out, "{}", styled(style::GOOD, "Nothing goes wrong."))?;
        }
        match recurrence {
            Recurrence::Gone => self.write_no_proof(out),
            _ => Ok(()),
        }
    }

    /// The same without colours.
    #[must_use]
    pub fn to_text(&self) -> String {
        super::plain(|out| self.write_text(out))
    }

    /// Draws what happened. It has colours in it.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_diagram(&self, out: &mut impl Write) -> io::Result<()> {
        let findings: Vec<&Finding> = self.errors.iter().map(|wrong| &wrong.finding).collect();
        let first = self.errors.first();
        let diagnosis = first.and_then(|wrong| wrong.diagnosis.as_ref());
        write_diagram(out, &self.trace, &findings, diagnosis)
    }

    /// The numbers of the events as they are shown.
    fn numbers(&self) -> HashMap<At, usize> {
        let Ok(causality) = ordered(&self.trace) else {
            return HashMap::new();
        };
        let order = in_order(&causality);
        let sequence = Sequence::new(&self.trace, 0);
        let steps = sequence.steps(&order).map(|(at, _)| at);
        steps.zip(1..).collect()
    }

    /// Writes where the program departs from the log, if it does.
    pub(super) fn write_departures(&self, out: &mut impl Write) -> io::Result<()> {
        let heading = styled(style::WARN, "The program departs from the log:");
        for (number, departure) in self.departures.iter().take(DEPARTURES).enumerate() {
            if number == 0 {
                writeln!(out, "\n{heading}")?;
            }
            let text = shorten(&departure.to_string(), usize::MAX);
            let place = departure
                .place
                .as_ref()
                .filter(|place| !text.contains(*place));
            let place = place.map_or_else(String::new, |place| format!(" ({place})"));
            writeln!(out, "  {text}{place}.")?;
            if departure.exists {
                let process = &departure.process;
                let left = departure.logged + 1 - departure.position;
                let inputs = count(left as u64, "input");
                writeln!(
                    out,
                    "    From there on {process} goes on by itself; the rest of its log, {inputs}, is \
                     put aside."
                )?;
            }
        }
        let more = self.departures.len().saturating_sub(DEPARTURES);
        if more > 0 {
            writeln!(out, "  After that {more} more depart from their logs.")?;
        }
        if let Some(beyond) = &self.beyond {
            let place = self.trace.place(&beyond.at);
            let place = place.map_or_else(String::new, |place| format!(" ({place})"));
            writeln!(
                out,
                "\n{heading}\n  {} goes on after the end of its log: {}{place} is its input {}, and \
                 the log has {}.",
                beyond.at.pid,
                beyond.at,
                beyond.position,
                beyond.position - 1
            )?;
        }
        Ok(())
    }

    fn write_no_proof(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "This is one execution, so it proves nothing about the others."
        )?;
        match &self.check_line {
            Some(line) => writeln!(out, "  {} {line}", styled(style::BOLD, "Check all:")),
            None => Ok(()),
        }
    }
}

fn write_gone(out: &mut impl Write, logged: &LoggedError) -> io::Result<()> {
    let LoggedError {
        kind,
        process,
        message,
    } = logged;
    let gone = styled(style::GOOD, "The error is gone:");
    let message = shorten(message, usize::MAX);
    writeln!(out, "{gone} {kind} in process {process}: {message}")
}

fn write_finding(out: &mut impl Write, kind: &str, finding: &Finding) -> io::Result<()> {
    let process = process_with_role(finding);
    let message = shorten(&finding.message, usize::MAX);
    writeln!(out, "{kind} in process {process}: {message}")
}
