//! An interleaving, one event per line.

use super::{Messages, shorten, style, styled};
use mazurka_trace::{At, Event, Interleaving, Pid, Trace};
use std::collections::HashMap;
use std::io::{self, Write};

/// How to write the events of a trace.
#[derive(Debug)]
pub struct Sequence<'t> {
    trace: &'t Trace,
    messages: Messages<'t>,
    /// Columns for the name of the process.
    name_width: usize,
    width: usize,
}

/// Processes with longer names do not line up.
const NAME_WIDTH_MAX: usize = 24;
const INDENT: &str = "    ";
/// What is left of a value even if the terminal is too narrow.
const VALUE_WIDTH_MIN: usize = 8;

impl<'t> Sequence<'t> {
    /// The events of `trace` will be written to a terminal of this width.
    #[must_use]
    pub fn new(trace: &'t Trace, width: usize) -> Self {
        let acting = trace
            .processes
            .iter()
            .filter(|(pid, events)| !events.is_empty() && !is_bookkeeping(pid.as_str()));
        let longest = acting.map(|(pid, _)| pid.as_str().chars().count()).max();
        Sequence {
            trace,
            messages: Messages::new(trace),
            name_width: longest.unwrap_or(0).min(NAME_WIDTH_MAX),
            width,
        }
    }

    /// Writes all events.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write(&self, out: &mut impl Write, events: &Interleaving) -> io::Result<()> {
        for (at, event) in placed(events) {
            if self.is_shown(&at, event) {
                self.write_event(out, &at, event)?;
            }
        }
        self.write_last_output(out)
    }

    /// What a front-end keeps for itself in shared objects says nothing to people.
    pub(crate) fn is_shown(&self, at: &At, event: &Event) -> bool {
        let other = match event {
            Event::Send { to, .. } => to.as_str(),
            Event::Receive { tag, .. } => self.messages.sender(tag),
            Event::Read { object, .. } => object.as_str(),
            _ => "",
        };
        !is_bookkeeping(at.pid.as_str()) && !is_bookkeeping(other)
    }

    /// Writes the events, without those in the middle if there are very many.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_ends(&self, out: &mut impl Write, events: &Interleaving) -> io::Result<()> {
        const FIRST: usize = 40;
        const LAST: usize = 160;
        let shown = placed(events).filter(|(at, event)| self.is_shown(at, event));
        let shown: Vec<(At, &Event)> = shown.collect();
        let left_out = shown.len().saturating_sub(FIRST + LAST);
        for (index, (at, event)) in shown.into_iter().enumerate() {
            if left_out > 0 && index == FIRST {
                writeln!(out, "{INDENT}… {left_out} events; the replay shows them")?;
            }
            if left_out == 0 || index < FIRST || index >= FIRST + left_out {
                self.write_event(out, &at, event)?;
            }
        }
        self.write_last_output(out)
    }

    /// Writes something that a process does at the end, and that is no event.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_end(&self, out: &mut impl Write, pid: &str, what: &str) -> io::Result<()> {
        let name = self.name(pid);
        let what = shorten(what, self.room(&name));
        writeln!(out, "{INDENT}{name}  {}", styled(style::BAD, what))
    }

    fn write_event(&self, out: &mut impl Write, at: &At, event: &Event) -> io::Result<()> {
        self.write_output(out, at)?;
        let name = self.name(at.pid.as_str());
        let place = self.trace.place(at).map(|place| format!("  {place}"));
        let place = place.unwrap_or_default();
        let room = self.room(&name).saturating_sub(place.chars().count());
        let line = self.describe(event).fit(room);
        match place.is_empty() {
            true => writeln!(out, "{INDENT}{name}  {line}"),
            false => writeln!(out, "{INDENT}{name}  {line}{}", styled(style::FAINT, place)),
        }
    }

    /// Writes what a process printed before an event.
    fn write_output(&self, out: &mut impl Write, at: &At) -> io::Result<()> {
        let name = self.name(at.pid.as_str());
        for text in self.trace.output(at) {
            for line in text.lines() {
                let line = shorten(line, self.room(&name).saturating_sub(2));
                writeln!(out, "{INDENT}{name}  | {line}")?;
            }
        }
        Ok(())
    }

    /// Writes what processes printed after their last events.
    fn write_last_output(&self, out: &mut impl Write) -> io::Result<()> {
        for pid in self.trace.notes.keys() {
            let events = self.trace.events_of(pid).len();
            self.write_output(out, &At::new(pid.clone(), events))?;
        }
        Ok(())
    }

    fn name(&self, pid: &str) -> String {
        format!("{:<1$}", shorten(pid, self.width), self.name_width)
    }

    fn room(&self, name: &str) -> usize {
        self.width
            .saturating_sub(INDENT.len() + name.chars().count() + 2)
    }

    /// An event in words.
    pub(crate) fn words(&self, event: &Event) -> String {
        self.describe(event).fit(self.width)
    }

    fn describe(&self, event: &Event) -> Line {
        let value = |tag| self.messages.value(tag);
        let from = |tag| format!(" from {}  [{tag}]", self.messages.sender(tag));
        match event {
            Event::Spawn { pid } => Line::new("spawn ", pid.as_str(), ""),
            Event::Send { tag, to, .. } => {
                Line::new("send ", value(tag), format!(" to {to}  [{tag}]"))
            }
            Event::Receive { tag, .. } => Line::new("receive ", value(tag), from(tag)),
            Event::Timeout { constraint, .. } if constraint.is_empty() => {
                Line::new("timeout", "", "")
            }
            // What takes nothing is a sleep.
            Event::Timeout { constraint, .. } if constraint == "nothing" => {
                Line::new("wake up", "", "")
            }
            Event::Timeout { constraint, .. } => Line::new("timeout of receive ", constraint, ""),
            Event::Killed { tag } => Line::new("killed by ", value(tag), from(tag)),
            Event::Read { object, version } => {
                Line::new("read ", object.as_str(), format!(", version {version}"))
            }
            Event::Choose { of, chosen } => {
                Line::new("choose ", chosen.to_string(), format!(" of {of}"))
            }
            Event::Publish => Line::new("publish a new version", "", ""),
            Event::Deliver { tag } => Line::new("deliver ", value(tag), from(tag)),
            Event::Exit { reason } if reason.starts_with("exit ") => Line::new("", reason, ""),
            Event::Exit { reason } => Line::new("exit ", reason, ""),
        }
    }
}

/// Whether this is a table or a counter in which a front-end keeps what it needs to know: its name
/// begins with a dollar sign.
pub(crate) fn is_bookkeeping(pid: &str) -> bool {
    ["table('$", "counter('$"]
        .iter()
        .any(|start| pid.starts_with(start))
}

/// The events of an interleaving, each with its place among those of its process.
pub(crate) fn placed(events: &Interleaving) -> impl Iterator<Item = (At, &Event)> {
    let mut done: HashMap<&Pid, usize> = HashMap::new();
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
        let room = width.saturating_sub(others).max(VALUE_WIDTH_MIN);
        let value = shorten(&self.value, room);
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
