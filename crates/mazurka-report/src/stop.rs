//! An execution up to some point: the state of each process there.

use crate::drive::DriveOutcome;
use crate::text::shown;
use mazurka_trace::{At, Causality, Delivery, Event, ProcessName, Tag, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// Where to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopAt {
    /// After the step with this number, from 1, as a replay shows them.
    Step(usize),
    /// After this event.
    Event(At),
}

/// `12`, `P.1 event 3` or `P.1:3`
impl FromStr for StopAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let number = |text: &str| text.trim().parse().ok().filter(|number| *number > 0);
        if let Some(step) = number(text) {
            return Ok(StopAt::Step(step));
        }
        let parts = text.rsplit_once(" event ").or(text.rsplit_once(':'));
        let event = parts.and_then(|(pid, at)| Some((pid.trim(), number(at)?)));
        match event {
            Some((pid, position)) if !pid.is_empty() => {
                Ok(StopAt::Event(At::new(pid, position - 1)))
            }
            _ => Err(
                "give the number of a step, from 1, or an event as PROCESS:NUMBER, for example \
                 12 or P.1:3"
                    .to_owned(),
            ),
        }
    }
}

/// Why an execution cannot be stopped there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StopError {
    /// There is no such step.
    #[error("there is no step {step}: this execution has {steps}")]
    NoStep {
        /// The step.
        step: usize,
        /// The number of steps.
        steps: usize,
    },
    /// There is no such process.
    #[error("there is no process {process} in this execution: it has {}", known.join(", "))]
    NoProcess {
        /// The process.
        process: String,
        /// The processes of the execution.
        known: Vec<String>,
    },
    /// There is no such event.
    #[error("there is no {at}: {} has {events} events in this execution", at.pid)]
    NoEvent {
        /// The event.
        at: At,
        /// The number of events of its process.
        events: usize,
    },
    /// The event is internal to the front-end.
    #[error("{at} is not shown: choose one that is")]
    Hidden {
        /// The event.
        at: At,
    },
    /// The execution cannot be put in order.
    #[error("this execution cannot be put in order: {why}")]
    NoOrder {
        /// Why.
        why: String,
    },
}

/// The state of each process at some point of an execution.
#[derive(Clone, Debug)]
pub(crate) struct Stopped {
    /// The number of steps up to there.
    pub steps: usize,
    /// The total number of steps.
    pub of: usize,
    /// The last of them.
    pub at: At,
    pub processes: Vec<Stand>,
}

/// The state of a process.
#[derive(Clone, Debug)]
pub(crate) struct Stand {
    pub pid: ProcessName,
    pub doing: Doing,
    /// Its place in the source.
    pub place: Option<String>,
    /// The messages in its mailbox, in the order in which they were sent, and whether each may be
    /// taken next.
    pub mailbox: Vec<(Tag, bool)>,
}

/// What a process does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// It waits: `waits for {ok, _}`.
    Waits(String),
    /// This event, which needs no other process.
    Next(At),
    /// Nothing: it has ended.
    Ended(String),
}

impl DriveOutcome {
    /// Checks that there is such a point in this execution.
    ///
    /// # Errors
    /// There is no such point.
    pub fn can_stop(&self, stop: &StopAt) -> Result<(), StopError> {
        self.stopped(stop).map(drop)
    }

    pub(crate) fn stopped(&self, stop: &StopAt) -> Result<Stopped, StopError> {
        let trace = &self.trace;
        if let StopAt::Event(at) = stop {
            exists(trace, at)?;
        }
        let no_order = |why: String| StopError::NoOrder { why };
        let causality = crate::text::ordered(trace).map_err(no_order)?;
        let order = self.order(&causality);
        let steps = shown(trace, &order);
        let last = match stop {
            StopAt::Step(step) if *step > steps.len() => {
                return Err(StopError::NoStep {
                    step: *step,
                    steps: steps.len(),
                });
            }
            StopAt::Step(step) => step - 1,
            StopAt::Event(at) => match steps.iter().position(|other| other == at) {
                Some(last) => last,
                None => return Err(StopError::Hidden { at: at.clone() }),
            },
        };
        let at = steps[last].clone();
        let mut so_far = SoFar::default();
        for here in &order {
            let Some(event) = trace.event(here) else {
                continue;
            };
            so_far.add(&here.pid, event);
            if *here == at {
                break;
            }
        }
        let begun = so_far.begun(trace);
        let stand = |pid: &ProcessName| self.stand(&causality, &so_far, pid);
        Ok(Stopped {
            steps: last + 1,
            of: steps.len(),
            at,
            processes: begun.iter().map(stand).collect(),
        })
    }

    fn stand(&self, causality: &Causality<'_>, so_far: &SoFar, pid: &ProcessName) -> Stand {
        let trace = &self.trace;
        let done = so_far.done.get(pid).copied().unwrap_or(0);
        let at = At::new(pid.clone(), done);
        let next = trace.event(&at);
        let (doing, accepts, place) = match (next, self.waiting.get(pid)) {
            (
                Some(Event::Receive {
                    constraint,
                    accepts,
                    ..
                }),
                _,
            ) => (Doing::Waits(waits_for(constraint)), Some(accepts), None),
            (
                Some(Event::Timeout {
                    constraint,
                    accepts,
                }),
                _,
            ) => {
                let what = format!("{}, or for its timeout", waits_for(constraint));
                (Doing::Waits(what), Some(accepts), None)
            }
            (Some(_), _) => (Doing::Next(at.clone()), None, None),
            (None, Some(waiting)) => {
                let what = match waiting.has_timeout {
                    true => format!("{}, or for its timeout", waiting.what),
                    false => waiting.what.clone(),
                };
                let place = waiting.place.clone();
                (Doing::Waits(what), Some(&waiting.accepts), place)
            }
            (None, None) => {
                let reason = trace.events_of(pid).iter().find_map(|event| match event {
                    Event::Exit { reason } => Some(reason.clone()),
                    _ => None,
                });
                (Doing::Ended(reason.unwrap_or_default()), None, None)
            }
        };
        let waiting: Vec<&(Tag, At)> = so_far.mailbox(pid).collect();
        let accepted = |tag: &Tag| accepts.is_some_and(|accepts| accepts.accepts(tag));
        let fitting: Vec<&(Tag, At)> = { waiting.iter() }
            .filter(|(tag, _)| accepted(tag))
            .copied()
            .collect();
        let may_be_taken = |message: &(Tag, At)| {
            let earlier = fitting.iter().take_while(|other| **other != message);
            accepted(&message.0)
                && !{ earlier }
                    .any(|(_, sent)| is_first(trace.delivery, causality, sent, &message.1))
        };
        Stand {
            mailbox: { waiting.iter() }
                .map(|message| (message.0.clone(), may_be_taken(message)))
                .collect(),
            place: place.or_else(|| trace.place(&at).map(str::to_owned)),
            pid: pid.clone(),
            doing,
        }
    }
}

fn waits_for(constraint: &str) -> String {
    match constraint {
        "" => "waits for any message".to_owned(),
        _ => format!("waits for {constraint}"),
    }
}

/// Whether, of two messages that match, the one sent at `here`, which was sent first, must be taken
/// before the one sent at `there`.
fn is_first(delivery: Delivery, causality: &Causality<'_>, here: &At, there: &At) -> bool {
    match delivery {
        Delivery::Unordered => false,
        Delivery::P2p => here.pid == there.pid,
        Delivery::Causal => here.pid == there.pid || causality.happened_before(here, there),
        Delivery::Mailbox => true,
    }
}

fn exists(trace: &Trace, at: &At) -> Result<(), StopError> {
    let events = trace.processes.get(&at.pid).map(Vec::len);
    match events {
        None => Err(StopError::NoProcess {
            process: at.pid.to_string(),
            known: trace.processes.keys().map(ProcessName::to_string).collect(),
        }),
        Some(events) if at.index >= events => Err(StopError::NoEvent {
            at: at.clone(),
            events,
        }),
        Some(_) => Ok(()),
    }
}

/// What has happened up to some point.
#[derive(Default)]
struct SoFar {
    /// The number of events of each process.
    done: BTreeMap<ProcessName, usize>,
    spawned: BTreeSet<ProcessName>,
    /// The messages sent: receiver, tag and the event that sent it.
    sent: Vec<(ProcessName, (Tag, At))>,
    consumed: BTreeSet<Tag>,
}

impl SoFar {
    /// Adds an event. Returns its index among those of its process.
    fn add(&mut self, pid: &ProcessName, event: &Event) -> usize {
        let done = self.done.entry(pid.clone()).or_default();
        let index = *done;
        *done += 1;
        self.spawned.extend(event.spawns().cloned());
        self.consumed.extend(event.consumes().cloned());
        if let Event::Send { tag, to, .. } = event {
            let at = At::new(pid.clone(), index);
            self.sent.push((to.clone(), (tag.clone(), at)));
        }
        index
    }

    /// The processes that have been started.
    fn begun(&self, trace: &Trace) -> Vec<ProcessName> {
        let all = trace
            .processes
            .keys()
            .filter(|pid| **pid == trace.initial || self.spawned.contains(*pid));
        all.cloned().collect()
    }

    fn mailbox(&self, pid: &ProcessName) -> impl Iterator<Item = &(Tag, At)> {
        let to_it = self.sent.iter().filter(move |(to, _)| to == pid);
        let messages = to_it.map(|(_, message)| message);
        messages.filter(|(tag, _)| !self.consumed.contains(tag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_events() {
        let stop = |text: &str| text.parse::<StopAt>();
        let event = |pid: &str, index| Ok(StopAt::Event(At::new(pid, index)));
        assert_eq!(stop("12"), Ok(StopAt::Step(12)));
        assert_eq!(stop("P.1 event 3"), event("P.1", 2));
        assert_eq!(stop(" P.1:3 "), event("P.1", 2));
        assert_eq!(stop("table(t)[a:b]:1"), event("table(t)[a:b]", 0));
        for wrong in ["", "0", "-1", "P.1", "P.1:0", ":3", "P event x"] {
            let error = stop(wrong).unwrap_err();
            assert!(
                error.contains("for example 12 or P.1:3"),
                "{wrong}: {error}"
            );
        }
    }
}
