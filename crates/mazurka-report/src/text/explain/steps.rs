//! Every event that leads to an error, numbered.

use super::super::names::process_of_liveness;
use super::super::{Sequence, count, style, styled, width};
use super::Explained;
use crate::diagnosis::waits_for_ever;
use mazurka_engine::Finding;
use mazurka_trace::{At, Event, Trace};
use std::io::{self, Write};

/// The events of an order that are shown and numbered. The answer of a shared object is shown where it
/// is received; automatic consequences of a request or an end are not shown.
pub(crate) fn shown(trace: &Trace, order: &[At]) -> Vec<At> {
    let sequence = Sequence::new(trace, 0);
    let says_something = |at: &&At| match trace.event(at) {
        None | Some(Event::Publish) => false,
        Some(Event::Send { .. }) if trace.objects.contains(&at.pid) => false,
        Some(Event::Send { to, .. }) if process_of_liveness(to).is_some() => false,
        // The start and the end of a courier.
        Some(Event::Spawn { pid }) if process_of_liveness(pid).is_some() => false,
        Some(Event::Read { .. }) if process_of_liveness(&at.pid).is_some() => false,
        Some(event) => sequence.is_shown(at, event),
    };
    order.iter().filter(says_something).cloned().collect()
}

/// Writes the events that lead to the error, and the processes that wait for ever at the end.
pub(super) fn write(
    out: &mut impl Write,
    explained: &Explained<'_>,
    ends: &[&Finding],
) -> io::Result<()> {
    let Explained { trace, shown, .. } = explained;
    let heading = styled(style::BOLD, "All steps that lead to it");
    let leading = explained.diagnosis.map(|diagnosis| diagnosis.order.len());
    let others = leading.map_or(0, |leading| trace.event_count().saturating_sub(leading));
    match others {
        0 => writeln!(out, "\n  {heading}:")?,
        _ => {
            let others = count(others as u64, "event");
            writeln!(out, "\n  {heading} (not {others} that do not):")?;
        }
    }
    let parting = explained.parting_step();
    let sequence = Sequence::named(trace, explained.names.clone(), width());
    let digits = shown.len().to_string().len();
    for (number, at) in (1..).zip(shown) {
        let Some(event) = trace.event(at) else {
            continue;
        };
        let is_end = |finding: &&&Finding| finding.process == at.pid.as_str();
        let is_last = trace.events_of(&at.pid).len() == at.index + 1;
        let fails = is_last
            && ends
                .iter()
                .any(|end| is_end(&end) && !waits_for_ever(end.kind));
        let mark = match number {
            _ if fails => styled(style::BAD, "✗"),
            _ if parting == Some(number) => styled(style::WARN, "▶"),
            _ => " ".to_owned(),
        };
        let before = format!("  {mark} {number:>digits$}  ");
        sequence.write_event(out, &before, at, event)?;
    }
    for end in ends.iter().filter(|end| waits_for_ever(end.kind)) {
        let before = format!("  {} {:digits$}  ", styled(style::BAD, "✗"), "");
        sequence.write_end_after(out, &before, &end.process, &end.message)?;
    }
    Ok(())
}
