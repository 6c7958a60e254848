//! The report of a check.

use super::{counts, daemons, errors, headline, style, styled, warnings};
use crate::outcome::{End, Outcome};
use std::io::{self, Write};

impl Outcome {
    /// Writes the report for people: the verdict, the counts, each error with its story, and
    /// the warnings. It has colours in it.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        if let End::Fault(fault) = &self.end {
            let heading = styled(style::BAD, "Cannot be run:");
            return writeln!(out, "{heading} {}: {fault}", self.subject.id);
        }
        writeln!(out, "{}", headline::headline(self))?;
        if let Some(left_out) = headline::left_out(self) {
            writeln!(out, "{left_out}")?;
        }
        daemons::write(out, self)?;
        writeln!(out)?;
        counts::write(out, self)?;
        errors::write(out, self)?;
        warnings::write(out, self)
    }

    /// The same without colours.
    #[must_use]
    pub fn to_text(&self) -> String {
        super::plain(|out| self.write_text(out))
    }
}
