//! The events that lead to an error: one line for each message, sent and received, and one for each
//! other event that can go either way.

use super::super::names::process_of_liveness;
use super::super::source::place_in;
use super::super::{abbreviate, count, shorten, style, styled, width};
use super::Explained;
use super::outcome::Outcome;
use crate::diagnosis::waits_for_ever;
use mazurka_engine::{Finding, INTERNAL};
use mazurka_trace::{At, Event, ProcessName, Tag, Trace};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

/// One line.
struct Row {
    number: usize,
    mark: Mark,
    /// `client P.2 → store`, or one process.
    who: String,
    what: String,
    /// What the passing execution has instead.
    passing: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Decisive,
    Fails,
}

/// If there are more rows, only some are written: the first, those around the race, the last.
const ALL: usize = 24;
const FIRST: usize = 6;
const AROUND: usize = 5;
const LAST: usize = 8;
/// Columns for who sends to whom, at most.
const WHO_MAX: usize = 32;

/// Writes the lines.
pub(super) fn write(
    out: &mut impl Write,
    explained: &Explained<'_>,
    ends: &[&Finding],
) -> io::Result<()> {
    let rows = Rows::new(explained, ends).made();
    if rows.is_empty() {
        return Ok(());
    }
    let heading = styled(style::BOLD, "How it fails");
    let events = count(explained.shown.len() as u64, "step");
    writeln!(out, "  {heading} ({} of {events}):", rows.len())?;
    let digits = rows.iter().map(|row| row.number.to_string().len()).max();
    let digits = digits.unwrap_or(1);
    let widest = rows.iter().map(|row| row.who.chars().count()).max();
    let who = widest.unwrap_or(0).min(WHO_MAX);
    let decisive = rows.iter().position(|row| row.mark == Mark::Decisive);
    let is_written = |at: usize| {
        let near = decisive.is_some_and(|decisive| at.abs_diff(decisive) <= AROUND);
        rows.len() <= ALL || at < FIRST || near || at + LAST >= rows.len()
    };
    let mut left_out = 0;
    for (at, row) in rows.iter().enumerate() {
        if !is_written(at) {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            writeln!(out, "    {:digits$}  … {left_out} more", "")?;
            left_out = 0;
        }
        row.write(out, digits, who)?;
    }
    Ok(())
}

impl Row {
    fn write(&self, out: &mut impl Write, digits: usize, who_width: usize) -> io::Result<()> {
        let mark = match self.mark {
            Mark::None => " ".to_owned(),
            Mark::Decisive => styled(style::WARN, "▶"),
            Mark::Fails => styled(style::BAD, "✗"),
        };
        let indent = 4 + digits + 2;
        let who = shorten(&self.who, who_width);
        let before = format!("  {mark} {:>digits$}  {who:<who_width$}  ", self.number);
        let available = width().saturating_sub(indent + who_width + 2).max(12);
        let Some(passing) = &self.passing else {
            let what = abbreviate(&self.what, available);
            return writeln!(out, "{}", format!("{before}{what}").trim_end());
        };
        let label = "passing: ";
        let beside = available.saturating_sub(label.len() + 2);
        let columns = |text: &str| text.chars().count();
        let (what, whole) = (
            abbreviate(&self.what, available),
            abbreviate(passing, available),
        );
        if columns(&what) + columns(&whole) <= beside {
            let column = (beside - columns(&whole)).min(14);
            let passing = styled(style::GOOD, format!("{label}{whole}"));
            return writeln!(out, "{before}{what:<column$}  {passing}");
        }
        // The decisive row gets the full width.
        if self.mark == Mark::Decisive {
            let passing = abbreviate(passing, available.saturating_sub(label.len()));
            writeln!(out, "{before}{what}")?;
            let below = " ".repeat(indent + who_width + 2);
            return writeln!(
                out,
                "{below}{}",
                styled(style::GOOD, format!("{label}{passing}"))
            );
        }
        let half = beside / 2;
        let what = abbreviate(&self.what, half);
        let passing = abbreviate(passing, beside - half);
        writeln!(
            out,
            "{before}{what}  {}",
            styled(style::GOOD, format!("{label}{passing}"))
        )
    }
}

/// Makes the rows.
struct Rows<'r, 'e> {
    explained: &'r Explained<'e>,
    ends: &'r [&'r Finding],
    parting: Option<&'r At>,
    /// The values that the passing execution sends, by sender, receiver and number.
    passing: HashMap<(&'r ProcessName, &'r ProcessName, usize), &'r str>,
    /// The same numbers of the failing execution, by tag.
    nth: HashMap<&'e Tag, usize>,
    /// Messages that are received among the events shown.
    received: HashSet<&'e Tag>,
}

impl<'r, 'e> Rows<'r, 'e> {
    fn new(explained: &'r Explained<'e>, ends: &'r [&'r Finding]) -> Self {
        let parting = explained.parting();
        let mut passing = HashMap::new();
        if let Some(parting) = parting {
            number_messages(&parting.passing, |from, to, nth, _, value| {
                passing.insert((from, to, nth), value);
            });
        }
        let mut nth = HashMap::new();
        number_messages(explained.trace, |_, _, number, tag, _| {
            nth.insert(tag, number);
        });
        let trace: &'e Trace = explained.trace;
        let events = explained.shown.iter().filter_map(|at| trace.event(at));
        Rows {
            explained,
            ends,
            parting: parting.map(|parting| &parting.at),
            passing,
            nth,
            received: events.filter_map(Event::consumes).collect(),
        }
    }

    fn made(&self) -> Vec<Row> {
        let steps = (1..).zip(&self.explained.shown);
        let mut is_after = false;
        let mut rows = Vec::new();
        for (number, at) in steps {
            let is_decisive = self.parting == Some(at);
            let Some(event) = self.explained.trace.event(at) else {
                continue;
            };
            let Some((who, what, message)) = self.described(at, event, is_decisive) else {
                continue;
            };
            let mark = match self.fails(at) {
                true => Mark::Fails,
                false if is_decisive => Mark::Decisive,
                false => Mark::None,
            };
            let passing = match (is_decisive, is_after) {
                (true, _) => self.explained.parting().map(|parting| {
                    let names = &self.explained.names;
                    Outcome::new(&parting.passing, names, at).what(60)
                }),
                (false, true) => message.and_then(|tag| self.instead(at, event, tag)),
                (false, false) => None,
            };
            is_after |= is_decisive;
            rows.push(Row {
                number,
                mark,
                who,
                what,
                passing,
            });
        }
        rows
    }

    /// The process, what it does, and the message concerned; `None` if the event is not shown.
    fn described(
        &self,
        at: &At,
        event: &'e Event,
        is_decisive: bool,
    ) -> Option<(String, String, Option<&'e Tag>)> {
        let Explained {
            trace,
            messages,
            names,
            ..
        } = self.explained;
        let who = names.of(&at.pid);
        let is_object = |pid: &ProcessName| trace.objects.contains(pid);
        let alone = |what: String| Some((who.clone(), what, None));
        match trace.outside(at) {
            Some("") if !is_decisive => return None,
            Some(what) => {
                let what = if what.is_empty() { "nothing" } else { what };
                return Some((format!("outside → {who}"), what.to_owned(), None));
            }
            None => {}
        }
        match event {
            Event::Receive { tag, .. } | Event::Killed { tag } => {
                let sender = ProcessName::from(messages.sender(tag));
                let value = messages.value(tag);
                if let Some(bearer) = process_of_liveness(&at.pid) {
                    let what = Outcome::new(trace, names, at).what(60);
                    return is_decisive.then_some((names.of(&bearer), what, None));
                }
                let nods = ["ok", "true", "receipt"].contains(&value);
                if nods && !is_decisive && (is_object(&sender) || value == "receipt") {
                    return None;
                }
                let from = match process_of_liveness(&sender) {
                    Some(process) => names.of(&process),
                    None => names.of(&sender),
                };
                let what = match event {
                    Event::Killed { .. } => format!("killed by {value}"),
                    _ => value.to_owned(),
                };
                Some((format!("{from} → {who}"), what, Some(tag)))
            }
            Event::Send { tag, to, value } => {
                if self.received.contains(tag) || is_object(to) || is_object(&at.pid) {
                    return None;
                }
                let other = self.explained.parting().and_then(|parting| {
                    let event = parting.passing.event(&parting.at);
                    event.and_then(Event::consumes)
                });
                let waits = self.ends.iter().any(|end| waits_for_ever(end.kind));
                let is_told = value != "receipt" && (waits || other == Some(tag));
                let who = format!("{who} → {}", names.of(to));
                is_told.then(|| (who, format!("{value} (not received)"), Some(tag)))
            }
            Event::Timeout { constraint, .. } if constraint == "nothing" => {
                alone("wakes up".to_owned())
            }
            // The program knows nothing of this receive.
            Event::Timeout { constraint, .. }
                if constraint.starts_with(INTERNAL) && !is_decisive =>
            {
                None
            }
            Event::Timeout { .. } => alone("times out".to_owned()),
            Event::Read { object, version } => match process_of_liveness(object) {
                Some(_) if !is_decisive => None,
                Some(_) => alone(Outcome::new(trace, names, at).what(60)),
                None => {
                    let change = messages.after_change(names, object, *version);
                    alone(format!("reads {} {change}", names.of(object)))
                }
            },
            Event::Choose { of, chosen } => alone(format!("chooses {chosen} of {of}")),
            Event::Exit { reason } => {
                let is_fine = reason == "normal" && !self.fails(at);
                // The place is in the headline.
                let reason = match place_in(reason) {
                    Some(place) => reason[..reason.len() - place.len()].trim_end_matches(" at "),
                    None => reason,
                };
                (!is_fine).then(|| (who, reason.to_owned(), None))
            }
            Event::Spawn { .. } | Event::Publish | Event::Deliver { .. } => None,
        }
    }

    /// Whether this is the end of a process that fails.
    fn fails(&self, at: &At) -> bool {
        let is_last = self.explained.trace.events_of(&at.pid).len() == at.index + 1;
        let failing = |end: &&Finding| end.process == at.pid.as_str() && !waits_for_ever(end.kind);
        is_last && self.ends.iter().any(failing)
    }

    /// The value that the passing execution sends instead between the same processes, if it differs.
    fn instead(&self, at: &At, event: &Event, tag: &Tag) -> Option<String> {
        let sender = ProcessName::from(self.explained.messages.sender(tag));
        let to = match event {
            Event::Send { to, .. } => to,
            _ => &at.pid,
        };
        let nth = *self.nth.get(tag)?;
        let value = *self.passing.get(&(&sender, to, nth))?;
        let is_other = value != self.explained.messages.value(tag) && value != "receipt";
        is_other.then(|| value.to_owned())
    }
}

/// Calls `visit` for each message, with its index among the messages from its sender to its receiver.
fn number_messages<'t>(
    trace: &'t Trace,
    mut visit: impl FnMut(&'t ProcessName, &'t ProcessName, usize, &'t Tag, &'t str),
) {
    for (from, events) in &trace.processes {
        let mut sent: HashMap<&ProcessName, usize> = HashMap::new();
        for event in events {
            if let Event::Send { tag, to, value } = event {
                let nth = sent.entry(to).or_default();
                visit(from, to, *nth, tag, value);
                *nth += 1;
            }
        }
    }
}
