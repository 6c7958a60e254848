//! Traces: the events of each process, without a global order.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

use crate::{At, Delivery, Event, Params, ProcessName, Tag};

/// A map from processes to their events: one class of causally equivalent executions
/// (Vidal 2022, Def. 4), possibly a partial one.
///
/// The fields are plain data and may be inconsistent. [`Trace::check`] decides whether they form a
/// trace, and returns a [`Causality`](crate::Causality), which has the operations that need one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trace {
    /// The program it belongs to, if known (`gallery:bank`).
    pub program: Option<String>,
    /// The program's parameters.
    pub params: Params,
    /// The delivery model of the execution.
    pub delivery: Delivery,
    /// The process that exists from the start.
    pub initial: ProcessName,
    /// The built-in processes (shared objects). They exist from the start, too, unless they
    /// are spawned.
    pub objects: BTreeSet<ProcessName>,
    /// How objects are shown to people, if not by their names. Does not affect the meaning of the
    /// trace.
    pub object_notes: BTreeMap<ProcessName, ObjectNote>,
    /// The events of each process, in program order. A process without events may be absent.
    pub processes: BTreeMap<ProcessName, Vec<Event>>,
    /// Additional information about the events of a process, for people, in the order of the
    /// events. Notes do not affect the meaning of the trace.
    pub notes: BTreeMap<ProcessName, Vec<Note>>,
}

/// How a shared object is shown to people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectNote {
    /// The object in words, if not its name: `name server` for `name(server)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether it is internal to the front-end: reports leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bookkeeping: bool,
}

/// Additional information about an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The index of the event in its process, from 0. Output after the last event has the index
    /// after it.
    pub at: usize,
    /// The source location of the event: `file:line`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What the process printed immediately before the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// If the event is a choice of what happens to the process from outside: what does, for example
    /// `kill`. Empty if nothing does; reports leave such an event out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<String>,
}

/// A message that was sent and never consumed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Orphan {
    /// The message.
    pub tag: Tag,
    /// Its send.
    pub sent: At,
    /// The process that did not consume it.
    pub to: ProcessName,
}

impl Trace {
    /// A trace without program, events or objects.
    pub fn new(delivery: Delivery, initial: impl Into<ProcessName>) -> Self {
        Trace {
            program: None,
            params: Params::default(),
            delivery,
            initial: initial.into(),
            objects: BTreeSet::new(),
            object_notes: BTreeMap::new(),
            processes: BTreeMap::new(),
            notes: BTreeMap::new(),
        }
    }

    /// Whether this is an object that is internal to the front-end.
    pub fn is_bookkeeping(&self, pid: &str) -> bool {
        self.object_notes
            .get(pid)
            .is_some_and(|note| note.bookkeeping)
    }

    /// The source location of an event, if known.
    pub fn place(&self, at: &At) -> Option<&str> {
        self.notes_at(at).find_map(|note| note.place.as_deref())
    }

    /// What a process printed immediately before an event.
    pub fn output(&self, at: &At) -> impl Iterator<Item = &str> {
        self.notes_at(at).filter_map(|note| note.output.as_deref())
    }

    /// What happens to a process from outside in an event, if that is what was chosen: `kill`. Empty if
    /// nothing does.
    pub fn outside(&self, at: &At) -> Option<&str> {
        self.notes_at(at).find_map(|note| note.outside.as_deref())
    }

    fn notes_at(&self, at: &At) -> impl Iterator<Item = &Note> {
        let index = at.index;
        let notes = self.notes.get(&at.pid).map_or(&[][..], Vec::as_slice);
        let first = notes.partition_point(|note| note.at < index);
        notes[first..]
            .iter()
            .take_while(move |note| note.at == index)
    }

    /// The events of `pid`; none if the trace has no such process.
    pub fn events_of(&self, pid: &ProcessName) -> &[Event] {
        self.processes.get(pid).map_or(&[], Vec::as_slice)
    }

    /// The event at this position, if there is one.
    pub fn event(&self, at: &At) -> Option<&Event> {
        self.events_of(&at.pid).get(at.index)
    }

    /// Every event with its position, process by process.
    pub fn events(&self) -> impl Iterator<Item = (At, &Event)> {
        self.processes.iter().flat_map(|(pid, events)| {
            events.iter().enumerate().map(|(index, event)| {
                (
                    At {
                        pid: pid.clone(),
                        index,
                    },
                    event,
                )
            })
        })
    }

    /// The number of events.
    pub fn event_count(&self) -> usize {
        self.processes.values().map(Vec::len).sum()
    }

    /// The messages that were sent and never consumed (Vidal 2022, Example 4), in the
    /// order of [`Trace::events`]. Takes linear time.
    pub fn orphans(&self) -> Vec<Orphan> {
        let consumed: HashSet<&Tag> = self
            .processes
            .values()
            .flatten()
            .filter_map(Event::consumes)
            .collect();
        let orphan = |(sent, event): (At, &Event)| match event {
            Event::Send { tag, to, .. } if !consumed.contains(tag) => Some(Orphan {
                tag: tag.clone(),
                sent,
                to: to.clone(),
            }),
            _ => None,
        };
        self.events().filter_map(orphan).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::example;

    /// Vidal 2022, Example 4: 7 and 8 are orphans.
    #[test]
    fn orphans_of_the_example() {
        let orphans: Vec<String> = example()
            .orphans()
            .iter()
            .map(|orphan| format!("{} to {}, {}", orphan.tag, orphan.to, orphan.sent))
            .collect();
        assert_eq!(orphans, ["7 to p3, p1 event 6", "8 to p3, p5 event 3"]);
    }

    #[test]
    fn the_example_file_is_unchanged_when_written() {
        assert_eq!(example().to_json(), crate::testing::EXAMPLE);
    }
}
