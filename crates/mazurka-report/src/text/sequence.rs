//! An interleaving, one event per line.

use super::names::process_of_liveness;
use super::{Messages, Names, abbreviate, shorten, shorten_place, style, styled};
use anstream::adapter::strip_str;
use mazurka_trace::{At, Event, Interleaving, ProcessName, Tag, Trace};
use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, Write};

/// How to write the events of a trace.
#[derive(Debug)]
pub struct Sequence<'t> {
    trace: &'t Trace,
    messages: Messages<'t>,
    names: Names,
    /// Columns for the name of the process.
    name_width: usize,
    /// Columns for the number of the step; none if steps have no numbers.
    number_width: usize,
    width: usize,
    has_tags: bool,
}

/// Longer names of processes are not aligned.
const NAME_WIDTH_MAX: usize = 24;
const INDENT: &str = "    ";
/// The minimum width of a value, even if the terminal is too narrow.
const VALUE_WIDTH_MIN: usize = 8;

impl<'t> Sequence<'t> {
    /// The events of `trace` will be written to a terminal of this width.
    #[must_use]
    pub fn new(trace: &'t Trace, width: usize) -> Self {
        Sequence::named(trace, Names::none(trace), width)
    }

    /// The same, with names of processes.
    #[must_use]
    pub fn named(trace: &'t Trace, names: Names, width: usize) -> Self {
        let acting = trace
            .processes
            .iter()
            .filter(|(pid, events)| !events.is_empty() && !trace.is_bookkeeping(pid.as_str()));
        let longest = acting.map(|(pid, _)| names.of(pid).chars().count()).max();
        Sequence {
            trace,
            messages: Messages::new(trace),
            names,
            name_width: longest.unwrap_or(0).min(NAME_WIDTH_MAX),
            number_width: 0,
            width,
            has_tags: false,
        }
    }

    /// With a number before each event.
    #[must_use]
    pub fn numbered(self) -> Self {
        let number_width = self.trace.event_count().to_string().len();
        Sequence {
            number_width,
            ..self
        }
    }

    /// With the tag of each message, for commands that take one.
    #[must_use]
    pub fn tagged(self) -> Self {
        Sequence {
            has_tags: true,
            ..self
        }
    }

    /// Writes all events.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write(&self, out: &mut impl Write, events: &Interleaving) -> io::Result<()> {
        self.write_first(out, events, usize::MAX)?;
        self.write_last_output(out)
    }

    /// Writes the first `steps` events that are shown, and what was printed before each.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_first(
        &self,
        out: &mut impl Write,
        events: &Interleaving,
        steps: usize,
    ) -> io::Result<()> {
        for (number, (at, event)) in (1..).zip(self.steps(events).take(steps)) {
            self.write_event(out, &self.before(number), &at, event)?;
        }
        Ok(())
    }

    /// The events that are shown, in order.
    pub fn steps<'e>(
        &self,
        events: &'e Interleaving,
    ) -> impl Iterator<Item = (At, &'e Event)> + use<'_, 'e, 't> {
        placed(events).filter(|(at, event)| self.is_shown(at, event))
    }

    /// Whether an event is shown. Internal shared objects of a front-end are not, nor events in which
    /// nothing happens from outside.
    pub(crate) fn is_shown(&self, at: &At, event: &Event) -> bool {
        let other = match event {
            Event::Send { to, .. } => to.as_str(),
            Event::Receive { tag, .. } => self.messages.sender(tag),
            Event::Read { object, .. } => object.as_str(),
            _ => "",
        };
        !self.trace.is_bookkeeping(at.pid.as_str())
            && !self.trace.is_bookkeeping(other)
            && self.trace.outside(at) != Some("")
    }

    /// Writes the events that are shown of this order, numbered from 1.
    pub(super) fn write_steps(&self, out: &mut impl Write, order: &[At]) -> io::Result<()> {
        for (number, at) in (1..).zip(order) {
            if let Some(event) = self.trace.event(at) {
                self.write_event(out, &self.before(number), at, event)?;
            }
        }
        self.write_last_output(out)
    }

    /// Writes a line about the end of a process that is not an event.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_end(&self, out: &mut impl Write, pid: &str, what: &str) -> io::Result<()> {
        self.write_end_after(out, &self.before(""), pid, what)
    }

    /// The same, with a text before the line.
    pub(super) fn write_end_after(
        &self,
        out: &mut impl Write,
        before: &str,
        pid: &str,
        what: &str,
    ) -> io::Result<()> {
        let name = self.name(&pid.into());
        let what = shorten(what, self.available(before, &name));
        writeln!(out, "{before}{name}  {}", styled(style::BAD, what))
    }

    /// Writes an event, with a text before its line.
    pub(super) fn write_event(
        &self,
        out: &mut impl Write,
        before: &str,
        at: &At,
        event: &Event,
    ) -> io::Result<()> {
        self.write_output(out, before, at)?;
        let name = self.name(&at.pid);
        let available = self.available(before, &name);
        let line = self.line(at, event, &self.names);
        match self.trace.place(at) {
            Some(place) => {
                let (line, place) = beside(&line, place, available);
                let place = styled(style::FAINT, place);
                writeln!(out, "{before}{name}  {line}  {place}")?;
            }
            None => writeln!(
                out,
                "{before}{name}  {}",
                shorten(&line.fit(available), available)
            )?,
        }
        match self.trace.events_of(&at.pid).len() == at.index + 1 {
            true => self.write_output(out, before, &At::new(at.pid.clone(), at.index + 1)),
            false => Ok(()),
        }
    }

    /// An event in `width` columns: the process and what it does, without tags and without the names of
    /// other processes.
    pub(super) fn short(&self, at: &At, event: &Event, width: usize) -> String {
        let name = self.names.of(&at.pid);
        let available = width.saturating_sub(name.chars().count() + 2);
        let line = self
            .line(at, event, &Names::none(self.trace))
            .fit(available);
        let line = format!("{name}: {line}");
        shorten(&line, width)
    }

    /// Writes what a process printed before an event.
    fn write_output(&self, out: &mut impl Write, before: &str, at: &At) -> io::Result<()> {
        let name = self.name(&at.pid);
        let before = " ".repeat(visible(before));
        for text in self.trace.output(at) {
            for line in text.lines() {
                let line = shorten(line, self.available(&before, &name).saturating_sub(2));
                writeln!(out, "{before}{name}  | {line}")?;
            }
        }
        Ok(())
    }

    /// Writes what processes printed after their last events, if those are not shown.
    fn write_last_output(&self, out: &mut impl Write) -> io::Result<()> {
        for pid in self.trace.notes.keys() {
            let events = self.trace.events_of(pid);
            let last = events.last().map(|event| (events.len() - 1, event));
            let is_written =
                last.is_some_and(|(at, event)| self.is_shown(&At::new(pid.clone(), at), event));
            if !is_written {
                let at = At::new(pid.clone(), events.len());
                self.write_output(out, &self.before(""), &at)?;
            }
        }
        Ok(())
    }

    /// The text before the name of a process: the number of the step, if steps are numbered.
    fn before(&self, number: impl Display) -> String {
        match self.number_width {
            0 => INDENT.to_owned(),
            width => format!("{INDENT}{number:>width$}  "),
        }
    }

    fn name(&self, pid: &ProcessName) -> String {
        let name = shorten(&self.names.of(pid), self.width);
        format!("{name:<0$}", self.name_width)
    }

    fn available(&self, before: &str, name: &str) -> usize {
        let taken = visible(before) + name.chars().count() + 2;
        self.width.saturating_sub(taken)
    }

    /// An event in `width` columns.
    pub(crate) fn described(&self, event: &Event, width: usize) -> String {
        self.describe(event, &self.names).fit(width)
    }

    fn line(&self, at: &At, event: &Event, names: &Names) -> Line {
        match self.trace.outside(at) {
            Some(what) => Line::new("", what, " from outside"),
            None => self.describe(event, names),
        }
    }

    fn describe(&self, event: &Event, names: &Names) -> Line {
        let value = |tag| self.messages.value(tag);
        let tagged = |tag: &Tag| match self.has_tags {
            true => format!("  [{tag}]"),
            false => String::new(),
        };
        let from = |tag: &Tag| {
            let sender = names.of(&self.messages.sender(tag).into());
            format!(" from {sender}{}", tagged(tag))
        };
        match event {
            Event::Spawn { pid } => Line::new("spawn ", names.of(pid), ""),
            Event::Send { tag, to, .. } => {
                let to = names.of(to);
                Line::new("send ", value(tag), format!(" to {to}{}", tagged(tag)))
            }
            Event::Receive { tag, .. } => Line::new("receive ", value(tag), from(tag)),
            Event::Timeout { constraint, .. } if constraint.is_empty() => {
                Line::new("timeout", "", "")
            }
            // A receive that accepts no message is a sleep.
            Event::Timeout { constraint, .. } if constraint == "nothing" => {
                Line::new("wake up", "", "")
            }
            Event::Timeout { constraint, .. } => Line::new("timeout of receive ", constraint, ""),
            Event::Killed { tag } => Line::new("killed by ", value(tag), from(tag)),
            Event::Read { object, version } => match (process_of_liveness(object), version) {
                (Some(process), 0) => Line::new("find ", names.of(&process), " alive"),
                (Some(process), _) => Line::new("find ", names.of(&process), " ended"),
                _ => {
                    let change = self.messages.after_change(names, object, *version);
                    Line::new("read ", names.of(object), format!(" {change}"))
                }
            },
            Event::Choose { of, chosen } => {
                Line::new("choose ", chosen.to_string(), format!(" of {of}"))
            }
            Event::Publish => Line::new("change", "", ""),
            Event::Deliver { tag } => Line::new("deliver ", value(tag), from(tag)),
            Event::Exit { reason } if reason.starts_with("exit ") => Line::new("", reason, ""),
            Event::Exit { reason } => Line::new("exit ", reason, ""),
        }
    }
}

/// An event and its place in `available` columns, with a gap of two. The place is cut first, down to the
/// name of its file.
fn beside(line: &Line, place: &str, available: usize) -> (String, String) {
    const GAP: usize = 2;
    let columns = |text: &str| text.chars().count();
    let file = place.rsplit('/').next().unwrap_or(place);
    let all = available.saturating_sub(GAP + columns(place));
    let whole = line.fit(all);
    if columns(&whole) <= all {
        return (whole, shorten(place, usize::MAX));
    }
    let place = shorten_place(place, (columns(file) + 1).min(available / 2));
    let available = available.saturating_sub(GAP + columns(&place));
    (shorten(&line.fit(available), available), place)
}

/// The width of a text in columns, without its colours.
fn visible(text: &str) -> usize {
    strip_str(text).to_string().chars().count()
}

/// The events of an interleaving, each with its index among those of its process.
pub(crate) fn placed(events: &Interleaving) -> impl Iterator<Item = (At, &Event)> {
    let mut done: HashMap<&ProcessName, usize> = HashMap::new();
    events.events.iter().map(move |(pid, event)| {
        let index = done.entry(pid).or_default();
        let at = At::new(pid.clone(), *index);
        *index += 1;
        (at, event)
    })
}

/// A line whose middle may be shortened.
struct Line {
    before: &'static str,
    value: String,
    after: String,
}

impl Line {
    fn new(before: &'static str, value: impl Into<String>, after: impl Into<String>) -> Line {
        Line {
            before,
            value: value.into(),
            after: after.into(),
        }
    }

    fn fit(&self, width: usize) -> String {
        let others = self.before.len() + self.after.chars().count();
        let available = width.saturating_sub(others).max(VALUE_WIDTH_MIN);
        let value = abbreviate(&self.value, available);
        let after = shorten(&self.after, usize::MAX);
        format!("{}{value}{after}", self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(json: &str, width: usize) -> String {
        let trace = Trace::from_json(json).unwrap();
        let events = trace.check().unwrap().fewest_switches(1000).interleaving;
        let mut out = Vec::new();
        Sequence::new(&trace, width)
            .tagged()
            .write(&mut out, &events)
            .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn one_line_per_event() {
        let json = r#"{"mazurka": "trace", "version": 1, "processes": {
            "P": [{"spawn": "P.1"}, {"send": "P#0", "to": "P.1", "value": "a long long long value"},
                  {"exit": "normal"}],
            "P.1": [{"receive": "P#0"}, {"timeout": true, "constraint": "{ok, _}"}]}}"#;
        let expected = "    P    spawn P.1
    P    send a long long… to P.1  [P#0]
    P    exit normal
    P.1  receive a long l… from P  [P#0]
    P.1  timeout of receive {ok, _}
";
        assert_eq!(written(json, 40), expected);
        let wide = written(json, 200);
        assert!(
            wide.contains("send a long long long value to P.1  [P#0]\n"),
            "{wide}"
        );
    }
}
