//! Explains an error: the race that decides, the events that lead to it, and the passing execution.

mod flow;
mod ordering;
mod outcome;
mod race;
mod sides;
mod steps;
mod waits;

pub(crate) use steps::shown;
pub(super) use waits::Waits;

use super::story::{in_order, ordered};
use super::{Messages, Names, placed, style, styled, wrap};
use crate::outcome::Kept;
use mazurka_engine::{Diagnosis, Finding, NoReturn, Parting};
use mazurka_trace::{At, ProcessName, Trace};
use race::Race;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// An error with its diagnosis.
pub(crate) struct Explained<'e> {
    trace: &'e Trace,
    diagnosis: Option<&'e Diagnosis>,
    messages: Messages<'e>,
    pub(super) names: Names,
    /// The events that are shown, in order.
    shown: Vec<At>,
    /// Their numbers, from 1.
    numbers: HashMap<At, usize>,
}

impl<'e> Explained<'e> {
    /// The explanation of an error, whose events are those that lead to it. `None` if its execution
    /// cannot be put in order.
    pub(crate) fn new(kept: &'e Kept) -> Option<Self> {
        let (trace, diagnosis) = (&*kept.found.trace, kept.diagnosis.as_ref());
        let order = match diagnosis {
            Some(diagnosis) => diagnosis.order.clone(),
            None => {
                let order = in_order(&ordered(trace).ok()?);
                placed(&order).map(|(at, _)| at).collect()
            }
        };
        let names = names(trace, diagnosis, [&kept.found.finding]);
        Some(Explained::ordered(trace, diagnosis, names, &order))
    }

    /// The same with other events, in this order.
    pub(super) fn ordered(
        trace: &'e Trace,
        diagnosis: Option<&'e Diagnosis>,
        names: Names,
        order: &[At],
    ) -> Self {
        let shown = steps::shown(trace, order);
        Explained {
            trace,
            diagnosis,
            messages: Messages::new(trace),
            names,
            numbers: shown.iter().cloned().zip(1..).collect(),
            shown,
        }
    }

    fn parting(&self) -> Option<&'e Parting> {
        self.diagnosis?.parting.as_ref()
    }

    /// The name of a process.
    pub(crate) fn name(&self, pid: &ProcessName) -> String {
        self.names.of(pid)
    }

    /// The race that decides, if one is known.
    pub(crate) fn race(&self) -> Option<Race> {
        Race::new(self)
    }

    /// The number of the step at which failing and passing execution part.
    pub(crate) fn parting_step(&self) -> Option<usize> {
        self.number(&self.parting()?.at)
    }

    /// Writes the race that decides, and the point of no return.
    pub(super) fn write_race(&self, out: &mut impl Write) -> io::Result<()> {
        race::write(out, self)
    }

    /// Writes what happens, a line for each message.
    pub(super) fn write_flow(&self, out: &mut impl Write, ends: &[&Finding]) -> io::Result<()> {
        flow::write(out, self, ends)
    }

    /// Writes every event that leads to the error, and then both executions beside each other.
    pub(super) fn write_events(&self, out: &mut impl Write, ends: &[&Finding]) -> io::Result<()> {
        steps::write(out, self, ends)?;
        sides::write(out, self, ends)
    }

    /// The point of no return, as a sentence that begins with `once`.
    fn no_return(&self, once: &str) -> Option<String> {
        match (self.diagnosis?.no_return, self.parting()) {
            (NoReturn::AtParting, Some(_)) => {
                Some(format!("Once {once}, every continuation fails."))
            }
            (NoReturn::Unknown, Some(_)) => Some(format!(
                "Some continuations may pass even once {once}: not all were explored."
            )),
            _ => None,
        }
    }

    /// The number of an event or, if it is not shown, of the next event of its process that is.
    fn number(&self, at: &At) -> Option<usize> {
        let events = self.trace.events_of(&at.pid).len();
        let later = (at.index..events).map(|index| At {
            pid: at.pid.clone(),
            index,
        });
        later
            .into_iter()
            .find_map(|at| self.numbers.get(&at).copied())
    }
}

/// The names of processes: those of the diagnosis, or else those in findings.
pub(crate) fn names<'f>(
    trace: &Trace,
    diagnosis: Option<&Diagnosis>,
    findings: impl IntoIterator<Item = &'f Finding>,
) -> Names {
    let findings = findings.into_iter();
    let roles = findings.filter_map(|finding| {
        let role = finding.role.as_deref()?;
        let name = match role.rsplit_once("registered as ") {
            Some((_, name)) => name,
            None => role,
        };
        Some((finding.process.as_str().into(), name))
    });
    let mut given: BTreeMap<ProcessName, &str> = roles.collect();
    if let Some(diagnosis) = diagnosis {
        let names = diagnosis.names.iter();
        given.extend(names.map(|(pid, name)| (pid.clone(), name.as_str())));
    }
    Names::new(given.iter().map(|(pid, name)| (pid, *name)), trace)
}

/// A bold heading and a sentence.
fn paragraph(heading: &str, text: &str) -> String {
    wrap(&format!("{} {text}", styled(style::BOLD, heading)), 2, 4)
}
