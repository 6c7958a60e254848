//! The report of an execution along a log.

use super::explain::{Explained, names, shown};
use super::story::{
    ordered, write_advice, write_details, write_diagram, write_places, write_sequence,
};
use super::{Names, count, process_with_role, style, styled, visible, wrap};
use crate::drive::{DriveOutcome, Recurrence};
use crate::order::order;
use mazurka_engine::Finding;
use mazurka_trace::{At, Causality, LoggedError};
use std::io::{self, Write};

/// The number of departures shown; the others follow from them.
const DEPARTURES: usize = 3;

impl DriveOutcome {
    /// Writes the execution, where it departs from the log, and its errors, with colours.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let delivery = self.trace.delivery;
        let text = format!("{} under {delivery} delivery:", visible(&self.subject.id));
        writeln!(out, "{}\n", wrap(&text, 0, 2))?;
        let ends: Vec<&Finding> = self.errors.iter().map(|wrong| &wrong.finding).collect();
        match self.steps() {
            Ok(steps) => write_sequence(out, &self.trace, self.names(), &steps, &ends)?,
            Err(why) => writeln!(out, "    (its steps are not shown: {why})")?,
        }
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
                    let text = format!("The log has: {}", visible(logged));
                    writeln!(out, "{}", wrap(&text, 2, 4))?;
                }
                _ => write_finding(out, &kind, finding)?,
            }
            let diagnosis = wrong.diagnosis.as_ref();
            if diagnosis.is_some() {
                let steps = self.steps().unwrap_or_default();
                let names = self.names();
                let explained = Explained::ordered(&self.trace, diagnosis, names, &steps);
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

    /// Draws the execution, with colours.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_diagram(&self, out: &mut impl Write) -> io::Result<()> {
        let findings: Vec<&Finding> = self.errors.iter().map(|wrong| &wrong.finding).collect();
        let first = self.errors.first();
        let diagnosis = first.and_then(|wrong| wrong.diagnosis.as_ref());
        write_diagram(out, &self.trace, &findings, diagnosis)
    }

    /// The names of the processes.
    pub(super) fn names(&self) -> Names {
        let diagnosis = self
            .errors
            .iter()
            .find_map(|wrong| wrong.diagnosis.as_ref());
        let findings = self.errors.iter().map(|wrong| &wrong.finding);
        names(&self.trace, diagnosis, findings.chain(&self.warnings))
    }

    /// The events that are shown, in order: first those that lead to the first error, as in the
    /// report of a check.
    pub(crate) fn steps(&self) -> Result<Vec<At>, String> {
        let causality = ordered(&self.trace)?;
        Ok(shown(&self.trace, &self.order(&causality)))
    }

    /// The same with the events that are not shown.
    pub(crate) fn order(&self, causality: &Causality<'_>) -> Vec<At> {
        let diagnosis = self
            .errors
            .first()
            .and_then(|wrong| wrong.diagnosis.as_ref());
        let first = diagnosis.map_or(&[][..], |diagnosis| &diagnosis.order);
        order(causality, first, Causality::SWITCH_BUDGET)
    }

    /// Writes where the program departs from the log, if it does.
    pub(super) fn write_departures(&self, out: &mut impl Write) -> io::Result<()> {
        let heading = styled(style::WARN, "The program departs from the log:");
        for (number, departure) in self.departures.iter().take(DEPARTURES).enumerate() {
            if number == 0 {
                writeln!(out, "\n{heading}")?;
            }
            let text = visible(&departure.to_string());
            let place = departure
                .place
                .as_ref()
                .filter(|place| !text.contains(*place));
            let place = place.map_or_else(String::new, |place| format!(" ({place})"));
            writeln!(out, "{}", wrap(&format!("{text}{place}."), 2, 4))?;
            if departure.exists {
                let process = &departure.process;
                let left = departure.logged + 1 - departure.position;
                let inputs = count(left as u64, "input");
                let text = format!(
                    "From there on {process} goes on by itself; the rest of its log, {inputs}, is \
                     not used."
                );
                writeln!(out, "{}", wrap(&text, 4, 4))?;
            }
        }
        let more = self.departures.len().saturating_sub(DEPARTURES);
        if more > 0 {
            writeln!(out, "  After that {more} more depart from their logs.")?;
        }
        if let Some(beyond) = &self.beyond {
            let place = self.trace.place(&beyond.at);
            let place = place.map_or_else(String::new, |place| format!(" ({place})"));
            let text = format!(
                "{} goes on after the end of its log: {}{place} is its input {}, and the log has {}.",
                beyond.at.pid,
                beyond.at,
                beyond.position,
                beyond.position - 1
            );
            writeln!(out, "\n{heading}\n{}", wrap(&text, 2, 4))?;
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
    let message = visible(message);
    let text = format!("{gone} {kind} in process {process}: {message}");
    writeln!(out, "{}", wrap(&text, 0, 2))
}

fn write_finding(out: &mut impl Write, kind: &str, finding: &Finding) -> io::Result<()> {
    let process = process_with_role(finding);
    let message = visible(&finding.message);
    let text = format!("{kind} in process {process}: {message}");
    writeln!(out, "{}", wrap(&text, 0, 2))
}
