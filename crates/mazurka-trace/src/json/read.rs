//! Reads traces and logs. Errors address the person who wrote the file.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use thiserror::Error;

use super::{EntryFields, EventFields, FORMAT_VERSION};
use crate::{
    At, Delivery, Event, Log, LogEntry, LoggedError, Note, ObjectNote, Params, ProcessName, Trace,
    TraceError,
};

/// Why a text is not a trace or a log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The text is not JSON, or does not have the documented form.
    #[error("line {line}, column {column}{}: {message}", place(.at))]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The process and the event (or log entry) that was being read.
        at: Option<At>,
        /// What is wrong and how to fix it.
        message: String,
    },
    /// The text is a different kind of document.
    #[error(
        "this is not a mazurka {expected} but a {found}: give a file whose field \"mazurka\" is \"{expected}\""
    )]
    WrongKind {
        /// `trace` or `log`.
        expected: &'static str,
        /// The kind named in the file.
        found: String,
    },
    /// The text lacks the fields `mazurka` and `version`.
    #[error(
        "this is not a mazurka {expected}: add \"mazurka\": \"{expected}\" and \"version\": {FORMAT_VERSION}, \
         or give another file"
    )]
    Unmarked {
        /// `trace` or `log`.
        expected: &'static str,
    },
    /// The format version is not supported.
    #[error("format version {found} is not supported: this mazurka reads version {FORMAT_VERSION}")]
    UnknownVersion {
        /// The version named in the file.
        found: String,
    },
    /// The file does not name the initial process, and there is not exactly one candidate.
    #[error("the initial process is ambiguous: add the field \"initial\" ({})", unspawned(.candidates))]
    NoInitial {
        /// The processes that no event spawns and that are not objects.
        candidates: Vec<ProcessName>,
    },
    /// The text has the documented form, but its content is not a valid trace.
    #[error("not a valid trace: {0}")]
    Invalid(#[from] TraceError),
}

fn place(at: &Option<At>) -> String {
    at.as_ref()
        .map_or_else(String::new, |at| format!(" ({at})"))
}

fn unspawned(candidates: &[ProcessName]) -> String {
    let names: Vec<&str> = candidates.iter().map(ProcessName::as_str).collect();
    match names[..] {
        [] => "every process is spawned by another or is an object".to_owned(),
        _ => format!("no process spawns {}", names.join(", ")),
    }
}

impl Trace {
    /// Reads a trace and checks it.
    pub fn from_json(text: &str) -> Result<Trace, ReadError> {
        let document: Document<Event> = read(text, "trace")?;
        let initial = match document.initial {
            Some(initial) => initial,
            None => find_initial(&document.objects, &document.processes)?,
        };
        let mut notes = document.notes;
        for of_process in notes.values_mut() {
            of_process.sort_by_key(|note| note.at);
        }
        let trace = Trace {
            program: document.program,
            params: document.params,
            delivery: document.delivery.unwrap_or_default(),
            initial,
            objects: document.objects,
            object_notes: document.object_notes,
            notes,
            processes: document.processes,
        };
        trace.check()?;
        Ok(trace)
    }
}

impl Log {
    /// Reads a log. Does not check that the log fits its program.
    pub fn from_json(text: &str) -> Result<Log, ReadError> {
        let document: Document<LogEntry> = read(text, "log")?;
        Ok(Log {
            program: document.program,
            params: document.params,
            delivery: document.delivery,
            timeouts: document.timeouts,
            error: document.error,
            processes: document.processes,
        })
    }
}

/// The only process that no event spawns and that is not an object.
fn find_initial(
    objects: &BTreeSet<ProcessName>,
    processes: &BTreeMap<ProcessName, Vec<Event>>,
) -> Result<ProcessName, ReadError> {
    let spawned: BTreeSet<&ProcessName> = processes
        .values()
        .flatten()
        .filter_map(Event::spawns)
        .collect();
    let mut candidates: Vec<ProcessName> = processes
        .keys()
        .filter(|pid| !spawned.contains(pid) && !objects.contains(*pid))
        .cloned()
        .collect();
    match candidates.len() {
        1 => Ok(candidates.remove(0)),
        _ => Err(ReadError::NoInitial { candidates }),
    }
}

fn read<T: Item>(text: &str, kind: &'static str) -> Result<Document<T>, ReadError> {
    // The version determines the meaning of the other fields, and it may come after them: read it
    // first. Text that is not a JSON object is left to the second pass, which reports the position
    // of the error.
    if let Ok(header) = serde_json::from_str::<Header>(text) {
        header.check(kind)?;
    }
    let at = RefCell::new(None);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    DocumentSeed {
        kind,
        at: &at,
        items: PhantomData,
    }
    .deserialize(&mut deserializer)
    .and_then(|document| deserializer.end().map(|()| document))
    .map_err(|error| malformed(&error, at.into_inner()))
}

fn malformed(error: &serde_json::Error, at: Option<At>) -> ReadError {
    let (line, column) = (error.line(), error.column());
    // serde_json appends the position to its text; we put it in front.
    let text = error.to_string();
    let message = text
        .strip_suffix(&format!(" at line {line} column {column}"))
        .unwrap_or(&text);
    ReadError::Malformed {
        line,
        column,
        at,
        message: message.to_owned(),
    }
}

/// The two fields that every Mazurka document has.
#[derive(Deserialize)]
struct Header {
    mazurka: Option<Value>,
    version: Option<Value>,
}

impl Header {
    fn check(self, expected: &'static str) -> Result<(), ReadError> {
        let (Some(Value::String(found)), Some(version)) = (self.mazurka, self.version) else {
            return Err(ReadError::Unmarked { expected });
        };
        if found != expected {
            return Err(ReadError::WrongKind { expected, found });
        }
        if version.as_u64() != Some(FORMAT_VERSION) {
            let found = version.to_string();
            return Err(ReadError::UnknownVersion { found });
        }
        Ok(())
    }
}

/// An element in the list of a process: an event, or a log entry.
trait Item: Sized {
    type Fields: DeserializeOwned;

    /// Converts the fields into an item. `before` are the earlier items of the list.
    fn from_fields(fields: Self::Fields, before: &[Self]) -> Result<Self, String>;
}

impl Item for Event {
    type Fields = EventFields;

    fn from_fields(fields: EventFields, before: &[Event]) -> Result<Event, String> {
        fields.event(before)
    }
}

impl Item for LogEntry {
    type Fields = EntryFields;

    fn from_fields(fields: EntryFields, _: &[LogEntry]) -> Result<LogEntry, String> {
        fields.try_into()
    }
}

struct Document<T> {
    program: Option<String>,
    params: Params,
    delivery: Option<Delivery>,
    timeouts: Option<String>,
    error: Option<LoggedError>,
    initial: Option<ProcessName>,
    objects: BTreeSet<ProcessName>,
    object_notes: BTreeMap<ProcessName, ObjectNote>,
    processes: BTreeMap<ProcessName, Vec<T>>,
    notes: BTreeMap<ProcessName, Vec<Note>>,
}

/// The position of the reader. It is kept outside of serde, whose errors contain lines but not
/// processes.
type Place<'a> = &'a RefCell<Option<At>>;

struct DocumentSeed<'a, T> {
    kind: &'static str,
    at: Place<'a>,
    items: PhantomData<T>,
}

const TRACE_FIELDS: &[&str] = &[
    "mazurka",
    "version",
    "program",
    "params",
    "delivery",
    "initial",
    "objects",
    "object_notes",
    "processes",
    "notes",
];
const LOG_FIELDS: &[&str] = &[
    "mazurka",
    "version",
    "program",
    "params",
    "delivery",
    "timeouts",
    "error",
    "processes",
];

impl<'de, T: Item> DeserializeSeed<'de> for DocumentSeed<'_, T> {
    type Value = Document<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Document<T>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Item> Visitor<'de> for DocumentSeed<'_, T> {
    type Value = Document<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a mazurka {}, which is a JSON object", self.kind)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document<T>, A::Error> {
        let fields = if self.kind == "trace" {
            TRACE_FIELDS
        } else {
            LOG_FIELDS
        };
        let mut seen = BTreeSet::new();
        let mut document = Document {
            program: None,
            params: Params::default(),
            delivery: None,
            timeouts: None,
            error: None,
            initial: None,
            objects: BTreeSet::new(),
            object_notes: BTreeMap::new(),
            processes: BTreeMap::new(),
            notes: BTreeMap::new(),
        };
        while let Some(key) = map.next_key::<String>()? {
            let Some(&field) = fields.iter().find(|field| **field == key) else {
                return Err(A::Error::unknown_field(&key, fields));
            };
            if !seen.insert(field) {
                return Err(A::Error::duplicate_field(field));
            }
            match field {
                "program" => document.program = Some(map.next_value()?),
                "params" => document.params = map.next_value()?,
                "delivery" => document.delivery = Some(map.next_value()?),
                "timeouts" => document.timeouts = Some(map.next_value()?),
                "error" => document.error = Some(map.next_value()?),
                "initial" => document.initial = Some(map.next_value()?),
                "objects" => document.objects = map.next_value()?,
                "object_notes" => document.object_notes = map.next_value()?,
                "notes" => document.notes = map.next_value()?,
                "processes" => {
                    document.processes = map.next_value_seed(ProcessesSeed {
                        at: self.at,
                        items: PhantomData,
                    })?;
                }
                // `read` has already checked the header.
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match fields.iter().find(|field| {
            ["mazurka", "version", "processes"].contains(field) && !seen.contains(*field)
        }) {
            Some(missing) => Err(A::Error::missing_field(missing)),
            None => Ok(document),
        }
    }
}

struct ProcessesSeed<'a, T> {
    at: Place<'a>,
    items: PhantomData<T>,
}

impl<'de, T: Item> DeserializeSeed<'de> for ProcessesSeed<'_, T> {
    type Value = BTreeMap<ProcessName, Vec<T>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Item> Visitor<'de> for ProcessesSeed<'_, T> {
    type Value = BTreeMap<ProcessName, Vec<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a list of events for each process")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut processes = BTreeMap::new();
        while let Some(pid) = map.next_key::<ProcessName>()? {
            if processes.contains_key(&pid) {
                return Err(A::Error::custom(format!(
                    "the process `{pid}` is listed twice: put its events into one list"
                )));
            }
            let seed = EventsSeed {
                pid: pid.clone(),
                at: self.at,
                items: PhantomData,
            };
            processes.insert(pid, map.next_value_seed(seed)?);
            *self.at.borrow_mut() = None;
        }
        Ok(processes)
    }
}

struct EventsSeed<'a, T> {
    pid: ProcessName,
    at: Place<'a>,
    items: PhantomData<T>,
}

impl<'de, T: Item> DeserializeSeed<'de> for EventsSeed<'_, T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Item> Visitor<'de> for EventsSeed<'_, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the list of events of `{}`", self.pid)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        loop {
            *self.at.borrow_mut() = Some(At {
                pid: self.pid.clone(),
                index: items.len(),
            });
            let Some(fields) = seq.next_element()? else {
                return Ok(items);
            };
            let item = T::from_fields(fields, &items).map_err(A::Error::custom)?;
            items.push(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Accepts;

    /// The example of `docs/trace-format.md`.
    const TRACE: &str = r#"{
  "mazurka": "trace",
  "version": 1,
  "delivery": "p2p",
  "initial": "p1",
  "objects": ["name(foo)"],
  "object_notes": {"name(foo)": {"title": "name foo"}},
  "processes": {
    "name(foo)": [
      {"receive": "6"},
      {"publish": true}
    ],
    "p1": [
      {"spawn": "p3"},
      {"send": "1", "to": "p3", "value": "hello"},
      {"send": "2", "to": "p3"},
      {"send": "3", "to": "p3"},
      {"send": "6", "to": "name(foo)"}
    ],
    "p3": [
      {"deliver": "2"},
      {"receive": "2", "accepts": {"except": ["1"]}, "constraint": "{ok, _}"},
      {"receive": "1", "accepts": ["1", "9"]},
      {"timeout": true, "accepts": []},
      {"read": "name(foo)", "version": 1},
      {"killed": "3"},
      {"exit": "killed"}
    ]
  }
}
"#;

    const LOG: &str = r#"{
  "mazurka": "log",
  "version": 1,
  "program": "gallery:bank",
  "params": {"accounts": "2"},
  "delivery": "mailbox",
  "processes": {
    "P": [
      {"receive": "P.1#0"},
      {"timeout": true},
      {"killed": "P.2#1", "after": 2},
      {"read": "name(foo)", "version": 1}
    ],
    "P.1": []
  }
}
"#;

    #[test]
    fn written_as_read() {
        assert_eq!(Trace::from_json(TRACE).unwrap().to_json(), TRACE);
        assert_eq!(Log::from_json(LOG).unwrap().to_json(), LOG);
        let bare = "{\n  \"mazurka\": \"log\",\n  \"version\": 1,\n  \"processes\": {}\n}\n";
        assert_eq!(Log::from_json(bare).unwrap().to_json(), bare);
    }

    #[test]
    fn defaults() {
        let trace = Trace::from_json(
            r#"{"version": 1, "mazurka": "trace", "objects": ["o"], "processes":
                {"a": [], "b": [{"spawn": "a"}, {"timeout": true}], "o": []}}"#,
        )
        .unwrap();
        assert_eq!(trace.initial, "b".into());
        assert_eq!(trace.delivery, Delivery::P2p);
        let timeout = Event::Timeout {
            accepts: Accepts::All,
            constraint: String::new(),
        };
        assert_eq!(trace.processes["b"][1], timeout);
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(
            Trace::from_json(text).unwrap_err().to_string(),
            expected,
            "for {text}"
        );
    }

    fn check_body(body: &str, expected: &str) {
        check(
            &format!("{{\"mazurka\": \"trace\", \"version\": 1,\n{body}}}"),
            expected,
        );
    }

    #[test]
    fn not_a_mazurka_trace() {
        check(
            "{}",
            "this is not a mazurka trace: add \"mazurka\": \"trace\" and \"version\": 1, or give another file",
        );
        check(
            LOG,
            "this is not a mazurka trace but a log: give a file whose field \"mazurka\" is \"trace\"",
        );
        check(
            r#"{"mazurka": "trace", "version": 2, "news": 1}"#,
            "format version 2 is not supported: this mazurka reads version 1",
        );
        check("", "line 1, column 0: EOF while parsing a value");
        check(
            "[]",
            "line 1, column 0: invalid type: sequence, expected a mazurka trace, which is a JSON object",
        );
    }

    #[test]
    fn malformed() {
        check_body(
            r#""processes": {}, "x": 1"#,
            "line 2, column 20: unknown field `x`, expected one of \
            `mazurka`, `version`, `program`, `params`, `delivery`, `initial`, `objects`, `object_notes`, `processes`, `notes`",
        );
        check_body(
            r#""initial": "p""#,
            "line 2, column 15: missing field `processes`",
        );
        check_body(
            r#""delivery": "fifo", "processes": {}"#,
            "line 2, column 18: unknown variant `fifo`, expected one of `unordered`, `p2p`, `causal`, `mailbox`",
        );
        check_body(
            "\"processes\": {\"p\": [{\"exit\": \"\"},\n {\"spawn\": \"q\", \"to\": \"r\"}]}",
            "line 3, column 27 (p event 2): the field `to` does not belong to a `spawn` event: remove it",
        );
        check_body(
            "\"processes\": {\"p\": [{\"exit\": }]}",
            "line 2, column 30 (p event 1): expected value",
        );
        check_body(
            "\"processes\": {\"p\": [], \"p\": []}",
            "line 2, column 26: the process `p` is listed twice: put its events into one list",
        );
        check_body(
            "\"processes\": {\"p\": []}} {",
            "line 2, column 25: trailing characters",
        );
    }

    /// A set of tags that several receives share is written once.
    #[test]
    fn long_sets_are_written_once() {
        let tags: Vec<String> = (0..10).map(|tag| format!("t{tag}")).collect();
        let sends = tags
            .iter()
            .map(|tag| format!(r#"{{"send": "{tag}", "to": "p"}}"#));
        let receives = tags.iter().map(|tag| {
            let accepts = if tag == "t0" {
                format!("[\"{}\"]", tags.join("\", \""))
            } else {
                r#"{"as": 10}"#.to_owned()
            };
            format!(r#"{{"receive": "{tag}", "accepts": {accepts}}}"#)
        });
        let events: Vec<String> = sends.chain(receives).collect();
        let text = format!(
            "{{\n  \"mazurka\": \"trace\",\n  \"version\": 1,\n  \"delivery\": \"p2p\",\n  \
             \"initial\": \"p\",\n  \"objects\": [],\n  \"processes\": {{\n    \"p\": [\n      {}\n    ]\n  }}\n}}\n",
            events.join(",\n      ")
        );
        let trace = Trace::from_json(&text).unwrap();
        assert_eq!(trace.to_json(), text);
        assert!(
            trace.processes["p"][19]
                .accepts()
                .unwrap()
                .accepts(&"t3".into())
        );
        check_body(
            r#""processes": {"p": [{"send": "1", "to": "p"}, {"receive": "1", "accepts": {"as": 1}}]}"#,
            "line 2, column 85 (p event 2): `accepts` refers to index 1, but this process has no \
             earlier receive or timeout with that index (indices start at 0)",
        );
    }

    #[test]
    fn initial_must_be_evident() {
        check_body(
            r#""processes": {"p": [], "q": []}"#,
            "the initial process is ambiguous: add the field \"initial\" (no process spawns p, q)",
        );
        check_body(
            r#""processes": {}"#,
            "the initial process is ambiguous: add the field \"initial\" (every process is spawned by another \
             or is an object)",
        );
    }

    #[test]
    fn invalid_trace() {
        check_body(
            r#""processes": {"p": [{"receive": "1"}]}"#,
            "not a valid trace: p event 1: receives message 1, which no process sends",
        );
    }
}
