//! The warnings of a report, a line each.

use super::headline::noun;
use super::{count, process_with_role, shorten, style, styled, width};
use crate::outcome::Outcome;
use std::io::{self, Write};

/// Writes the warnings, within reason.
pub(super) fn write(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
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
            "and {} more warnings; {} has all",
            warnings - SHOWN,
            outcome.options.voice.json()
        )?;
    }
    if let Some(kept) = outcome.warnings().next() {
        let make = outcome.options.voice.set("error", kept.found.finding.kind);
        writeln!(
            out,
            "  ({make} makes this kind an error, with its story and a log.)"
        )?;
    }
    Ok(())
}
