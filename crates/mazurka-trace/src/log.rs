//! Logs: the inputs of each process, which suffice to drive an execution.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Delivery, Event, Params, ProcessName, Tag, Trace};

/// The input sequence of each process, full or partial.
///
/// Vidal's logs (González-Abril and Vidal 2021, Def. 3) also list spawns and sends. Ours do not:
/// a process is a deterministic transducer, and pids and tags are logical, so spawns and sends
/// follow from the inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Log {
    /// The program it belongs to, if known (`gallery:bank`).
    pub program: Option<String>,
    /// The program's parameters.
    pub params: Params,
    /// The delivery model of the execution, if known.
    pub delivery: Option<Delivery>,
    /// When timeouts could fire in the execution, as spelled on the command line, if known.
    pub timeouts: Option<String>,
    /// The error that the execution shows, if known.
    pub error: Option<LoggedError>,
    /// The inputs of each process in order. An absent process has none.
    pub processes: BTreeMap<ProcessName, Vec<LogEntry>>,
}

/// The error that the execution of a log shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedError {
    /// The kind of error, as named in reports.
    pub kind: String,
    /// The process that the error concerns.
    pub process: ProcessName,
    /// What happened, in one line. If it ends with `…`, the rest of the message is unknown.
    #[serde(default)]
    pub message: String,
}

impl LoggedError {
    /// Whether the logged message is `message`, or a prefix of it followed by `…`. Does not
    /// compare kind and process.
    pub fn has_message(&self, message: &str) -> bool {
        match self.message.strip_suffix('…') {
            Some(prefix) => message.starts_with(prefix),
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
    /// An exit signal ended the process.
    Killed {
        /// The signal.
        tag: Tag,
        /// The number of spawns and sends that the process performed between its previous input
        /// and this one. A signal may arrive between any two actions, so the log must record
        /// where it did.
        after: u32,
    },
    /// A shared object was read.
    Read {
        /// The object.
        object: ProcessName,
        /// The version seen: the number of publications of the object before the read. 0 is the
        /// initial state.
        version: u32,
    },
    /// The process chose one of several alternatives.
    Choose {
        /// The number of alternatives.
        of: u32,
        /// The index of the chosen alternative, from 0.
        chosen: u32,
    },
}

impl Trace {
    /// The log of the trace: its inputs. Deliveries and exits are omitted, and so are spawns,
    /// sends and publications, which follow from the inputs.
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
            params: Params::from_iter([("n", "2")]),
            delivery: Some(Delivery::Causal),
            timeouts: None,
            error: None,
            processes: BTreeMap::from([("o".into(), of_object), ("q".into(), inputs)]),
        };
        assert_eq!(trace.log(), expected);
    }
}
