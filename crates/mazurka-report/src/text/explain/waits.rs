//! Which processes wait for which others at the end of an execution.
//!
//! A process waits for the one that sends it that message in the passing execution. If that is not
//! known, it waits for the last process that it sent something to and that has not answered.

use super::super::source::place_in;
use super::super::{Names, abbreviate, listed, shorten, shorten_place, style, styled, width};
use crate::diagnosis::waits_for_ever;
use mazurka_engine::{Diagnosis, Finding};
use mazurka_trace::{Event, ProcessName, Trace};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// The processes that wait for ever, and the processes that they wait for.
pub(in super::super) struct Waits<'w> {
    trace: &'w Trace,
    /// The findings of the processes that should not wait.
    findings: BTreeMap<ProcessName, &'w Finding>,
    /// The process that each process waits for, if known.
    edges: HashMap<ProcessName, ProcessName>,
    /// The processes that wait for each other, in order.
    cycle: Vec<ProcessName>,
}

/// The maximum number of lines.
const LINES: usize = 12;

impl<'w> Waits<'w> {
    /// The waits of an execution with these findings. `None` if no process waits for ever.
    pub(in super::super) fn new(
        trace: &'w Trace,
        diagnosis: Option<&Diagnosis>,
        findings: &[&'w Finding],
    ) -> Option<Self> {
        let waiting = { findings.iter() }.filter(|finding| waits_for_ever(finding.kind));
        let findings: BTreeMap<ProcessName, &Finding> = waiting
            .map(|&finding| (ProcessName::from(finding.process.as_str()), finding))
            .collect();
        if findings.is_empty() {
            return None;
        }
        let passing = diagnosis.and_then(|diagnosis| diagnosis.parting.as_ref());
        let passing = passing.map(|parting| &parting.passing);
        let senders = senders_of(trace);
        let senders_passing = passing.map(senders_of);
        let processes = trace.processes.iter();
        let waiting =
            processes.filter(|(pid, events)| !trace.objects.contains(*pid) && !has_ended(events));
        let edges = waiting.filter_map(|(pid, events)| {
            let shown = passing.zip(senders_passing.as_ref());
            let shown =
                shown.and_then(|(passing, senders)| shown_by(passing, senders, pid, events));
            let whom = shown.or_else(|| unanswered(trace, &senders, events));
            Some((pid.clone(), whom.filter(|whom| whom != pid)?))
        });
        let edges: HashMap<ProcessName, ProcessName> = edges.collect();
        let cycle = cycle(&edges, findings.keys());
        Some(Waits {
            trace,
            findings,
            edges,
            cycle,
        })
    }

    /// The error in one sentence, if more than one process is involved.
    pub(in super::super) fn headline(&self, names: &Names) -> Option<String> {
        if !self.cycle.is_empty() {
            let who: Vec<String> = self.cycle.iter().map(|pid| names.of(pid)).collect();
            return Some(match who.len() {
                ..=3 => format!("Deadlock: {} wait for each other", listed(&who, "and")),
                many => format!("Deadlock: {many} processes wait for each other in a circle"),
            });
        }
        let (pid, finding) = self.findings.iter().next()?;
        (self.findings.len() == 1 && !self.edges.contains_key(pid)).then(|| {
            let who = names.with_pid(pid);
            // In the message, a hint may follow the pattern.
            let text = without_place(finding);
            match text.split_once("; ") {
                Some((waits, hint)) => format!("{who} {waits}, which no process sends; {hint}"),
                None => format!("{who} {text}, which no process sends"),
            }
        })
    }

    /// Whether processes wait for each other.
    pub(in super::super) fn is_circular(&self) -> bool {
        !self.cycle.is_empty()
    }

    /// Writes which processes wait for which others, unless the headline states it.
    pub(in super::super) fn write(&self, out: &mut impl Write, names: &Names) -> io::Result<()> {
        let others = self.findings.keys().filter(|pid| !self.cycle.contains(pid));
        let all: Vec<&ProcessName> = self.cycle.iter().chain(others).collect();
        if all.len() == 1 && !self.edges.contains_key(all[0]) {
            return Ok(());
        }
        let who = |pid: &ProcessName| shorten(&names.of(pid), 24);
        let shown = &all[..all.len().min(LINES)];
        let widest = shown.iter().map(|pid| who(pid).chars().count()).max();
        let column = widest.unwrap_or(0);
        let lines: Vec<(String, String)> = { shown.iter() }
            .map(|pid| {
                let whom = self.edges.get(*pid).map(|whom| match self.has_ended(whom) {
                    true => format!("waits for {}, which has ended", names.of(whom)),
                    false => format!("waits for {}", names.of(whom)),
                });
                let whom = whom.unwrap_or_else(|| "waits; no process sends to it".to_owned());
                let available = width().saturating_sub(6 + column + 2 + 2 + WHAT_MIN);
                (who(pid), shorten(&whom, available))
            })
            .collect();
        let whom_column = lines.iter().map(|(_, whom)| whom.chars().count()).max();
        let whom_column = whom_column.unwrap_or(0);
        for (pid, (who, whom)) in shown.iter().zip(&lines) {
            let available = width().saturating_sub(6 + column + 2 + whom_column + 2);
            let what = self
                .findings
                .get(*pid)
                .map(|finding| what(finding, available));
            let line = match what {
                Some(what) => {
                    let what = styled(style::FAINT, what);
                    format!("{who:<column$}  {whom:<whom_column$}  {what}")
                }
                None => format!("{who:<column$}  {whom}"),
            };
            writeln!(out, "      {line}")?;
        }
        match all.len() - shown.len() {
            0 => Ok(()),
            more => writeln!(out, "      and {more} more"),
        }
    }

    fn has_ended(&self, pid: &ProcessName) -> bool {
        has_ended(self.trace.events_of(pid))
    }
}

/// The minimum width of the text for what a process waits for.
const WHAT_MIN: usize = 12;

/// What a process waits for in a few columns: the place of the receive, or its pattern.
fn what(finding: &Finding, available: usize) -> String {
    match place_in(&finding.message) {
        Some(place) => format!("at {}", shorten_place(&place, available.saturating_sub(3))),
        None => {
            let what = finding.message.strip_prefix("waits for ever for ");
            abbreviate(what.unwrap_or(&finding.message), available.max(WHAT_MIN))
        }
    }
}

fn without_place(finding: &Finding) -> &str {
    match place_in(&finding.message) {
        Some(place) => {
            finding.message[..finding.message.len() - place.len()].trim_end_matches(" at ")
        }
        None => &finding.message,
    }
}

fn has_ended(events: &[Event]) -> bool {
    matches!(events.last(), Some(Event::Exit { .. }))
}

type Senders<'t> = HashMap<&'t mazurka_trace::Tag, &'t ProcessName>;

/// The sender of each message.
fn senders_of(trace: &Trace) -> Senders<'_> {
    let mut senders = HashMap::new();
    for (pid, events) in &trace.processes {
        for event in events {
            if let Some((tag, _)) = event.sends() {
                senders.insert(tag, pid);
            }
        }
    }
    senders
}

/// The sender of the message that the process takes next in the passing execution, if it does the same
/// there until then.
fn shown_by(
    passing: &Trace,
    senders: &Senders<'_>,
    pid: &ProcessName,
    events: &[Event],
) -> Option<ProcessName> {
    let there = passing.events_of(pid);
    let same = |(one, other): (&Event, &Event)| match (one, other) {
        (Event::Timeout { .. }, Event::Timeout { .. }) => true,
        _ if one.consumes().is_some() => one.consumes() == other.consumes(),
        _ => one == other,
    };
    if there.len() <= events.len() || !events.iter().zip(there).all(same) {
        return None;
    }
    let taken = there[events.len()].consumes()?;
    let sender = *senders.get(taken)?;
    (!passing.objects.contains(sender)).then(|| sender.clone())
}

/// The last process to which this one sent something since it last received from there.
fn unanswered(trace: &Trace, senders: &Senders<'_>, events: &[Event]) -> Option<ProcessName> {
    let mut asked: Vec<&ProcessName> = Vec::new();
    for event in events {
        if let Some((_, to)) = event.sends() {
            asked.retain(|pid| *pid != to);
            asked.push(to);
        }
        if let Some(sender) = event.consumes().and_then(|tag| senders.get(tag)) {
            asked.retain(|pid| pid != sender);
        }
    }
    let mut asked = asked.into_iter().rev();
    asked.find(|pid| !trace.objects.contains(*pid)).cloned()
}

/// A cycle of processes that wait for each other, if one is reachable from these.
fn cycle<'p>(
    edges: &HashMap<ProcessName, ProcessName>,
    starts: impl Iterator<Item = &'p ProcessName>,
) -> Vec<ProcessName> {
    for start in starts {
        let mut path: Vec<&ProcessName> = vec![start];
        while let Some(next) = edges.get(path[path.len() - 1]) {
            if let Some(at) = path.iter().position(|pid| *pid == next) {
                return path[at..].iter().map(|&pid| pid.clone()).collect();
            }
            path.push(next);
        }
    }
    Vec::new()
}
