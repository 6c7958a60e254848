//! What a long execution repeats: where a program that does not end spends its steps.

use crate::frontend::Frontend;
use crate::view::Execution;
use mazurka_trace::{Event, ProcessName};
use rustc_hash::FxHashMap;

/// What a process did again and again in one execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The process.
    pub process: ProcessName,
    /// Its name in reports, if it has one.
    pub role: Option<String>,
    /// What it did.
    pub what: Repeated,
    /// Where: `file:line`.
    pub place: Option<String>,
    /// How often.
    pub times: u64,
}

/// A kind of event that is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Repeated {
    /// A timeout fires.
    Timeout,
    /// A process is started.
    Spawn,
    /// A process sends a message to itself.
    SendToItself,
    /// A process sends a message to another process.
    Send,
    /// A message is received.
    Receive,
}

impl Repeated {
    fn of(event: &Event, process: &ProcessName) -> Option<Repeated> {
        Some(match event {
            Event::Timeout { .. } => Repeated::Timeout,
            Event::Spawn { .. } => Repeated::Spawn,
            Event::Send { to, .. } if to == process => Repeated::SendToItself,
            Event::Send { .. } => Repeated::Send,
            Event::Receive { .. } => Repeated::Receive,
            _ => return None,
        })
    }
}

impl Repeats {
    /// Fewer repetitions are not worth mentioning.
    const TIMES_MIN: u64 = 100;

    /// The most frequent event of an execution. In an execution that was not cut short only timeouts
    /// count: it has an end, and only a process that waits for nothing repeats them.
    pub(crate) fn of<F: Frontend>(execution: &Execution<'_, F>) -> Option<Repeats> {
        let trace = execution.trace();
        let mut most: Option<Repeats> = None;
        for (process, events) in &trace.processes {
            if trace.objects.contains(process) {
                continue;
            }
            let notes = trace.notes.get(process);
            let places =
                { notes.into_iter().flatten() }.map(|note| (note.at, note.place.as_deref()));
            let places: FxHashMap<usize, Option<&str>> = places.collect();
            let mut times: FxHashMap<(Repeated, Option<&str>), u64> = FxHashMap::default();
            for (at, event) in events.iter().enumerate() {
                if let Some(what) = Repeated::of(event, process) {
                    let place = places.get(&at).copied().flatten();
                    *times.entry((what, place)).or_default() += 1;
                }
            }
            let counts = |what| execution.cut_short || what == Repeated::Timeout;
            let own = { times.into_iter() }
                .filter(|((what, _), _)| counts(*what))
                // Of equally frequent events, the first in the order of the kinds and places.
                .max_by(|(one, times), (other, more)| times.cmp(more).then(other.cmp(one)));
            if let Some(((what, place), times)) = own
                && most.as_ref().is_none_or(|most| most.times < times)
            {
                most = Some(Repeats {
                    process: process.clone(),
                    role: None,
                    what,
                    place: place.map(str::to_owned),
                    times,
                });
            }
        }
        let mut most = most.filter(|most| most.times >= Repeats::TIMES_MIN)?;
        most.role = execution.names().remove(&most.process);
        Some(most)
    }
}

/// Keeps what the longest executions repeat, and examines few of them.
#[derive(Default)]
pub(crate) struct Repetition {
    found: Option<Repeats>,
    /// The length of the last execution that was examined.
    steps: usize,
    was_cut_short: bool,
}

impl Repetition {
    /// Examines an execution that was cut short if it is the first one, and others each time that the
    /// length has doubled.
    #[inline]
    pub(crate) fn note<F: Frontend>(&mut self, execution: &Execution<'_, F>) {
        let is_first_cut = execution.cut_short && !self.was_cut_short;
        let is_longer = execution.len() as u64 >= Repeats::TIMES_MIN.max(2 * self.steps as u64);
        if is_first_cut || is_longer && !self.was_cut_short {
            self.steps = execution.len();
            self.was_cut_short = execution.cut_short;
            self.found = Repeats::of(execution);
        }
    }

    pub(crate) fn finish(self) -> Option<Repeats> {
        self.found
    }
}
