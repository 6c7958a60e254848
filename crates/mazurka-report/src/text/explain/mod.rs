//! How an error came about: the race that decides, what leads to it, and how it goes well.

mod ordering;
mod outcome;
mod race;
mod sides;
mod steps;

use super::{Names, style, styled, wrap};
use crate::outcome::Kept;
use mazurka_engine::{Diagnosis, Finding, Kind, NoReturn};
use mazurka_trace::{At, Trace};
use race::Race;
use std::collections::HashMap;
use std::io::{self, Write};

/// An error with its diagnosis.
pub(crate) struct Explained<'e> {
    trace: &'e Trace,
    diagnosis: &'e Diagnosis,
    names: Names<'e>,
    /// The numbers of the events that lead to the error, as they are shown.
    numbers: HashMap<At, usize>,
}

impl<'e> Explained<'e> {
    /// Of an error that has a diagnosis, with numbers for what leads to it.
    pub(crate) fn new(kept: &'e Kept) -> Option<Self> {
        let diagnosis = kept.diagnosis.as_ref()?;
        let trace = &*kept.found.trace;
        let shown = steps::shown(trace, &diagnosis.order);
        let numbers = shown.into_iter().cloned().zip(1..).collect();
        Some(Explained::numbered(trace, diagnosis, numbers))
    }

    /// With other numbers for its events.
    pub(super) fn numbered(
        trace: &'e Trace,
        diagnosis: &'e Diagnosis,
        numbers: HashMap<At, usize>,
    ) -> Self {
        Explained {
            trace,
            diagnosis,
            names: Names::new(&diagnosis.names),
            numbers,
        }
    }

    /// The race that decides, if one is known.
    pub(crate) fn race(&self) -> Option<Race> {
        Race::new(self)
    }

    /// The number of the step at which failing and passing execution part.
    pub(crate) fn parting_step(&self) -> Option<usize> {
        self.number(&self.diagnosis.parting.as_ref()?.at)
    }

    /// Writes how it came about. `ends` are the findings of this execution. If that was shown
    /// before and no race decides, there is nothing new to be seen in it.
    pub(super) fn write(
        &self,
        out: &mut impl Write,
        ends: &[&Finding],
        is_known: bool,
    ) -> io::Result<()> {
        race::write(out, self)?;
        if !is_known || self.diagnosis.parting.is_some() {
            steps::write(out, self, ends)?;
            sides::write(out, self, ends)?;
        }
        self.write_no_return(out)
    }

    /// Writes the race that decides.
    pub(super) fn write_race(&self, out: &mut impl Write) -> io::Result<()> {
        race::write(out, self)
    }

    /// Writes the same without events, for readers who see them elsewhere.
    pub(super) fn write_in_short(&self, out: &mut impl Write) -> io::Result<()> {
        race::write(out, self)?;
        self.write_no_return(out)
    }

    /// From where on all is lost.
    fn write_no_return(&self, out: &mut impl Write) -> io::Result<()> {
        let heading = styled(style::BOLD, "Point of no return:");
        let step = self.parting_step();
        let told = match (self.diagnosis.no_return, step) {
            (NoReturn::Always, _) => {
                "the start. All executions of the program were explored, and all have this error."
                    .to_owned()
            }
            (NoReturn::AtParting, Some(step)) => format!(
                "step {step}. All executions that begin with steps 1 to {step} were explored, and \
                 all have this error."
            ),
            (NoReturn::Unknown, Some(step)) => format!(
                "not known, but not before step {step}. There are more ways to go on from there \
                 than were explored for this."
            ),
            (NoReturn::AtParting | NoReturn::Unknown, None) => {
                "not known. There are more ways to go on than were explored for this.".to_owned()
            }
        };
        writeln!(out, "{}", wrap(&format!("{heading} {told}"), 2, 4))
    }

    /// The number under which an event is shown, or the next one of its process that is.
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

/// Whether an error is that a process waits.
fn waits_for_ever(finding: &Finding) -> bool {
    matches!(finding.kind, Kind::Deadlock | Kind::Stuck)
}
