//! The failing and the passing execution beside each other, from where they part.

use super::super::{Sequence, count, style, styled, width};
use super::{Explained, steps};
use crate::diagnosis::waits_for_ever;
use mazurka_engine::{Finding, Parting};
use mazurka_trace::{At, Causality, Trace};
use std::collections::HashMap;
use std::io::{self, Write};

/// The number of lines that are written of each.
const LINES: usize = 16;
/// On narrower terminals one comes below the other.
const NARROW: usize = 90;
const GAP: &str = " │ ";

/// Writes both, if there is a passing one.
pub(super) fn write(
    out: &mut impl Write,
    explained: &Explained<'_>,
    ends: &[&Finding],
) -> io::Result<()> {
    let Some(parting) = explained.parting() else {
        return Ok(());
    };
    let Some(from) = explained.number(&parting.at) else {
        return Ok(());
    };
    let is_narrow = width() < NARROW;
    let column = match is_narrow {
        true => width().saturating_sub(4),
        false => (width() - 4 - GAP.chars().count()) / 2,
    };
    let failing = failing(explained, ends, from, column);
    let passing = passing(explained, parting, column);
    let heading = styled(style::BOLD, format!("From step {from} on:"));
    writeln!(out, "\n  {heading}")?;
    let fails = "✗ it fails";
    let passes = match parting.all_is_well {
        true => "✓ the nearest execution without an error",
        false => "✓ the nearest execution without this error",
    };
    if is_narrow {
        writeln!(out, "    {}", styled(style::BAD, fails))?;
        for line in failing {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "    {}", styled(style::GOOD, passes))?;
        for line in passing {
            writeln!(out, "    {line}")?;
        }
        return Ok(());
    }
    let fails = styled(style::BAD, format!("{fails:<column$}"));
    writeln!(out, "    {fails}{GAP}{}", styled(style::GOOD, passes))?;
    for row in 0..failing.len().max(passing.len()) {
        let cell = |lines: &[String]| lines.get(row).cloned().unwrap_or_default();
        let line = format!("    {:<column$}{GAP}{}", cell(&failing), cell(&passing));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn failing(
    explained: &Explained<'_>,
    ends: &[&Finding],
    from: usize,
    column: usize,
) -> Vec<String> {
    let trace = explained.trace;
    let mut lines = lines(explained, trace, &explained.shown[from - 1..], column);
    let waiting = ends.iter().filter(|end| waits_for_ever(end.kind));
    lines.extend(waiting.map(|end| {
        let name = explained.names.of(&end.process.as_str().into());
        super::super::shorten(&format!("{name}: {}", end.message), column)
    }));
    lines
}

fn passing(explained: &Explained<'_>, parting: &Parting, column: usize) -> Vec<String> {
    let trace = &parting.passing;
    let Ok(causality) = trace.check() else {
        return Vec::new();
    };
    let order = causality.fewest_switches(Causality::SWITCH_BUDGET);
    let mut seen: HashMap<mazurka_trace::ProcessName, usize> = HashMap::new();
    let mut beyond = Vec::new();
    for (pid, _) in order.interleaving.events {
        let next = seen.entry(pid.clone()).or_default();
        let index = *next;
        *next += 1;
        if index >= parting.common.get(&pid).copied().unwrap_or(0) {
            beyond.push(At { pid, index });
        }
    }
    let shown = steps::shown(trace, &beyond);
    lines(explained, trace, &shown, column)
}

fn lines(explained: &Explained<'_>, trace: &Trace, shown: &[At], column: usize) -> Vec<String> {
    let sequence = Sequence::named(trace, explained.names.clone(), width());
    let line = |at: &At| {
        let event = trace.event(at)?;
        Some(sequence.short(at, event, column))
    };
    let mut lines: Vec<String> = shown.iter().filter_map(line).take(LINES).collect();
    if shown.len() > LINES {
        let more = count((shown.len() - LINES) as u64, "more event");
        lines.push(format!("… {more}"));
    }
    lines
}
