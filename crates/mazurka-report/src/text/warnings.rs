//! The warnings of a report, a line each.

use super::headline::noun;
use super::{abbreviate, count, process_with_role, style, styled, width, wrap};
use crate::outcome::Outcome;
use std::io::{self, Write};

/// Writes the warnings, up to a limit.
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
        let message = abbreviate(&finding.message, 2 * width());
        let executions = count(kept.found.count, noun(outcome));
        let text = format!("{kind} in process {process}: {message} (in {executions})");
        writeln!(out, "{}", wrap(&text, 0, 2))?;
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
            "  ({make} makes this kind an error, explained and with a log.)"
        )?;
    }
    Ok(())
}
