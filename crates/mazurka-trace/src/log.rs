//! Logs: the inputs of each process, enough to drive an execution.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Delivery, Event, ProcessName, Tag, Trace};

/// The input sequence of each process, full or partial.
///
/// Vidal's logs (González-Abril and Vidal 2021, Def. 3) list spawns and sends as well.
/// Ours do not: a process is a deterministic transducer and pids and tags are logical, so
/// they follow from the inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Log {
    /// The program it belongs to, if known (`gallery:bank`).
    pub program: Option<String>,
    /// The program's parameters.
    pub params: BTreeMap<String, String>,
    /// The delivery model it was made under, if known.
    pub delivery: Option<Delivery>,
    /// When timeouts could fire in the execution it is of, in the words of the command line, if
    /// known.
    pub timeouts: Option<String>,
    /// What is wrong with the execution it is of, if known.
    pub error: Option<LoggedError>,
    /// The inputs of each process in order. A process that is absent has none.
    pub processes: BTreeMap<ProcessName, Vec<LogEntry>>,
}

/// What a log remembers of the error that its execution shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedError {
    /// What kind of error, as reports name it.
    pub kind: String,
    /// The process it is about.
    pub process: ProcessName,
    /// What happened, in one line. Where it ends with `…`, only its beginning is known.
    #[serde(default)]
    pub message: String,
}

impl LoggedError {
    /// Whether an error with this message is meant, its kind and process being the same.
    pub fn has_message(&self, message: &str) -> bool {
        match self.message.strip_suffix('…') {
            Some(beginning) => message.starts_with(beginning),
            None => self.message == message,
        }
    }
}

/// One input of a process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(
    try_from = "crate::json::EntryFields",
    into = "crate::json::EntryFields"
)]
pub enum LogEntry {
    /// A receive consumed this message.
    Receive(Tag),
    /// A receive timed out.
    Timeout,
    /// An exit signal struck.
    Killed {
        /// The signal.
        tag: Tag,
        /// How many spawns and sends the process performed between its previous input and
        /// this one: a signal may strike anywhere, so its place must be told.
        after: u32,
    },
    /// A shared object was read.
    Read {
        /// The object.
        object: ProcessName,
        /// The version seen: the number of publications of the object before; 0 is the
        /// initial state.
        version: u32,
    },
    /// The process chose one of several ways.
    Choose {
        /// How many ways there were.
        of: u32,
        /// Which one it chose, from 0.
        chosen: u32,
    },
}

impl Trace {
    /// The log of the trace: its inputs alone. Deliveries and exits are dropped, and so
    /// are spawns, sends and publications, which follow from the inputs.
    pub fn log(&self) -> Log {
        let processes = self
            .processes
            .iter()
            .map(|(pid, events)| (pid.clone(), entries(events)))
            .filter(|(_, entries)| !entries.is_empty())
            .collect();
        Log {
            program: self.program.clone(),
            params: self.params.clone(),
            delivery: Some(self.delivery),
            timeouts: None,
            error: None,
            processes,
        }
    }
}

fn entries(events: &[Event]) -> Vec<LogEntry> {
    let mut entries = Vec::new();
    let mut actions = 0;
    for event in events {
        let entry = match event {
            Event::Spawn { .. } | Event::Send { .. } => {
                actions += 1;
                continue;
            }
            Event::Publish | Event::Deliver { .. } | Event::Exit { .. } => continue,
            Event::Receive { tag, .. } => LogEntry::Receive(tag.clone()),
            Event::Timeout { .. } => LogEntry::Timeout,
            Event::Killed { tag } => LogEntry::Killed {
                tag: tag.clone(),
                after: actions,
            },
            Event::Read { object, version } => LogEntry::Read {
                object: object.clone(),
                version: *version,
            },
            Event::Choose { of, chosen } => LogEntry::Choose {
                of: *of,
                chosen: *chosen,
            },
        };
        entries.push(entry);
        actions = 0;
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_inputs_only() {
        let trace = Trace::from_json(
            r#"{"mazurka": "trace", "version": 1, "delivery": "causal", "objects": ["o"],
                "program": "gallery:x", "params": {"n": "2"}, "processes": {
                "o": [{"receive": "4"}, {"send": "5", "to": "p"}, {"publish": true}, {"killed": "6"}],
                "p": [{"spawn": "q"}, {"send": "1", "to": "q"}, {"send": "2", "to": "q"},
                      {"send": "4", "to": "o"}, {"send": "6", "to": "o"}, {"exit": "normal"}],
                "q": [{"deliver": "1"}, {"receive": "1"}, {"timeout": true}, {"read": "o", "version": 0},
                      {"choose": 3, "chosen": 2}, {"spawn": "r"}, {"send": "3", "to": "p"}, {"killed": "2"}, {"exit": "killed"}],
                "r": []}}"#,
        )
        .unwrap();
        let of_object = vec![
            LogEntry::Receive("4".into()),
            LogEntry::Killed {
                tag: "6".into(),
                after: 1,
            },
        ];
        let inputs = vec![
            LogEntry::Receive("1".into()),
            LogEntry::Timeout,
            LogEntry::Read {
                object: "o".into(),
                version: 0,
            },
            LogEntry::Choose { of: 3, chosen: 2 },
            LogEntry::Killed {
                tag: "2".into(),
                after: 2,
            },
        ];
        let expected = Log {
            program: Some("gallery:x".into()),
            params: BTreeMap::from([("n".into(), "2".into())]),
            delivery: Some(Delivery::Causal),
            timeouts: None,
            error: None,
            processes: BTreeMap::from([("o".into(), of_object), ("q".into(), inputs)]),
        };
        assert_eq!(trace.log(), expected);
    }
}
