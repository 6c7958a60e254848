//! The events that lead to an error, numbered.

use super::super::sequence::bearer_of_life;
use super::super::{Sequence, count, style, styled, width};
use super::{Explained, waits_for_ever};
use mazurka_engine::Finding;
use mazurka_trace::{At, Event, Trace};
use std::io::{self, Write};

/// The events of an order that say something to people. What a shared object answers is shown
/// where the answer is received, and what follows from a request or an end by itself is not shown.
pub(super) fn shown<'o>(trace: &Trace, order: &'o [At]) -> Vec<&'o At> {
    let sequence = Sequence::new(trace, 0);
    let says_something = |at: &&At| match trace.event(at) {
        None | Some(Event::Publish) => false,
        Some(Event::Send { .. }) if trace.objects.contains(&at.pid) => false,
        Some(Event::Send { to, .. }) if bearer_of_life(to).is_some() => false,
        Some(event) => sequence.is_shown(at, event),
    };
    order.iter().filter(says_something).collect()
}

/// Of more steps than these only some are written: the first, those around the parting, the last.
const ALL: usize = 70;
const FIRST: usize = 8;
const AROUND: usize = 10;
const LAST: usize = 30;

/// Writes the events that lead to the error, and who waits for ever in the end.
pub(super) fn write(
    out: &mut impl Write,
    explained: &Explained<'_>,
    ends: &[&Finding],
) -> io::Result<()> {
    let Explained {
        trace, diagnosis, ..
    } = explained;
    let shown = shown(trace, &diagnosis.order);
    let heading = styled(style::BOLD, "What leads to it:");
    let others = trace.event_count().saturating_sub(diagnosis.order.len());
    match others {
        0 => writeln!(out, "  {heading}")?,
        _ => {
            let others = count(others as u64, "other event");
            writeln!(out, "  {heading} ({others} of this execution left out)")?;
        }
    }
    let parting = explained.parting_step();
    let is_written = |number: usize| {
        let from_parting = parting.is_some_and(|at| number.abs_diff(at) <= AROUND);
        shown.len() <= ALL || number <= FIRST || from_parting || number + LAST > shown.len()
    };
    let sequence = Sequence::named(trace, explained.names, width());
    let digits = shown.len().to_string().len();
    let mut left_out = 0;
    for (number, at) in (1..).zip(&shown) {
        let Some(event) = trace.event(at) else {
            continue;
        };
        if !is_written(number) {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            let steps = count(left_out, "step");
            writeln!(out, "      … {steps}; the replay shows them")?;
            left_out = 0;
        }
        let is_end = |finding: &&&Finding| finding.process == at.pid.as_str();
        let is_last = trace.events_of(&at.pid).len() == at.index + 1;
        let fails = is_last && ends.iter().any(|end| is_end(&end) && !waits_for_ever(end));
        let mark = match number {
            _ if fails => styled(style::BAD, "✗"),
            _ if parting == Some(number) => styled(style::WARN, "▶"),
            _ => " ".to_owned(),
        };
        let before = format!("  {mark} {number:>digits$}  ");
        sequence.write_event(out, &before, at, event)?;
    }
    for end in ends.iter().filter(|end| waits_for_ever(end)) {
        let before = format!("  {} {:digits$}  ", styled(style::BAD, "✗"), "");
        sequence.write_end_after(out, &before, &end.process, &end.message)?;
    }
    writeln!(out)
}
