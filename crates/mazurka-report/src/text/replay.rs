//! The report of an execution along a log.

use super::story::{write_advice, write_details, write_diagram, write_race, write_sequence};
use super::{process_with_role, shorten, style, styled};
use crate::follow::Followed;
use mazurka_engine::Finding;
use std::io::{self, Write};

impl Followed {
    /// Writes what happened and what is wrong with it. It has colours in it.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let delivery = self.trace.delivery;
        writeln!(out, "{} under {delivery} delivery:\n", self.subject.id)?;
        let ends: Vec<&Finding> = self.errors.iter().map(|(finding, _)| finding).collect();
        write_sequence(out, &self.trace, &ends, true)?;
        writeln!(out)?;
        for (finding, details) in &self.errors {
            write_finding(out, &styled(style::BAD, finding.kind), finding)?;
            write_race(out, &self.subject, &self.trace, finding)?;
            write_advice(out, finding, &self.subject.daemon_hint)?;
            write_details(out, details.as_deref())?;
        }
        for finding in &self.warnings {
            let kind = format!("warning: {}", finding.kind);
            write_finding(out, &styled(style::WARN, kind), finding)?;
        }
        if self.errors.is_empty() {
            writeln!(out, "{}", styled(style::GOOD, "Nothing goes wrong."))?;
        }
        Ok(())
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
        let findings: Vec<&Finding> = self.errors.iter().map(|(finding, _)| finding).collect();
        write_diagram(out, &self.trace, &findings, None)
    }
}

fn write_finding(out: &mut impl Write, kind: &str, finding: &Finding) -> io::Result<()> {
    let process = process_with_role(finding);
    let message = shorten(&finding.message, usize::MAX);
    writeln!(out, "{kind} in process {process}: {message}")
}
