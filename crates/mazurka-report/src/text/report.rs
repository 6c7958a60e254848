//! The report of a check.

use super::{counts, daemons, errors, headline, style, styled, visible, warnings, wrap};
use crate::outcome::Outcome;
use crate::verdict::Verdict;
use std::io::{self, Write};

impl Outcome {
    /// Writes the text report, with colours: each error with the race that decides and how it fails,
    /// the verdict, and the warnings; all counts if requested.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(fault) = self.fault() {
            let heading = styled(style::BAD, "Cannot be run:");
            let (program, fault) = (visible(&self.subject.id), visible(&fault.to_string()));
            let text = format!("{heading} {program}: {fault}");
            return writeln!(out, "{}", wrap(&text, 0, 2));
        }
        // A single error needs no headline.
        let is_one_error = self.verdict() == Verdict::Wrong
            && self.options.expect.is_empty()
            && self.cases().len() == 1;
        if !is_one_error {
            writeln!(out, "{}", wrap(&headline::headline(self), 0, 2))?;
            if let Some(left_out) = headline::left_out(self) {
                writeln!(out, "{}", wrap(&left_out, 0, 0))?;
            }
        }
        if self.errors().next().is_some() {
            if !is_one_error {
                writeln!(out)?;
            }
            errors::write(out, self)?;
        }
        if self.options.verbose || self.errors().next().is_none() {
            writeln!(out)?;
            counts::write(out, self)?;
        }
        daemons::write(out, self)?;
        warnings::write(out, self)
    }

    /// The same without colours.
    #[must_use]
    pub fn to_text(&self) -> String {
        super::plain(|out| self.write_text(out))
    }
}
