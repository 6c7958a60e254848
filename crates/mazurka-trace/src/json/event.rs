//! The JSON object of an event.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Accepts, Event, ProcessName, Tag};

/// All fields that an event may have. One of them names the kind of event; the others
/// belong to it or are absent.
#[derive(Default, Serialize, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "an event, such as {\"spawn\": \"p2\"}"
)]
pub(crate) struct EventFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    spawn: Option<ProcessName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    send: Option<Tag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<ProcessName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receive: Option<Tag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepts: Option<AcceptsField>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    killed: Option<Tag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<ProcessName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choose: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    publish: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deliver: Option<Tag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<String>,
}

impl EventFields {
    fn kinds(&self) -> Vec<&'static str> {
        present(&[
            ("spawn", self.spawn.is_some()),
            ("send", self.send.is_some()),
            ("receive", self.receive.is_some()),
            ("timeout", self.timeout.is_some()),
            ("killed", self.killed.is_some()),
            ("read", self.read.is_some()),
            ("choose", self.choose.is_some()),
            ("publish", self.publish.is_some()),
            ("deliver", self.deliver.is_some()),
            ("exit", self.exit.is_some()),
        ])
    }

    fn details(&self) -> Vec<&'static str> {
        present(&[
            ("to", self.to.is_some()),
            ("value", self.value.is_some()),
            ("accepts", self.accepts.is_some()),
            ("constraint", self.constraint.is_some()),
            ("version", self.version.is_some()),
            ("chosen", self.chosen.is_some()),
        ])
    }
}

fn present(fields: &[(&'static str, bool)]) -> Vec<&'static str> {
    fields
        .iter()
        .filter(|(_, present)| *present)
        .map(|(name, _)| *name)
        .collect()
}

impl TryFrom<EventFields> for Event {
    type Error = String;

    fn try_from(fields: EventFields) -> Result<Event, String> {
        fields.event(&[])
    }
}

impl EventFields {
    /// Converts the fields into an event. `before` are the earlier events of the same process.
    pub(super) fn event(self, before: &[Event]) -> Result<Event, String> {
        let fields = self;
        let kinds = fields.kinds();
        let [kind] = kinds[..] else {
            return Err(match kinds[..] {
                [] => {
                    "an event needs one of the fields spawn, send, receive, timeout, killed, read, \
                       choose, publish, deliver, exit"
                        .to_owned()
                }
                _ => format!(
                    "an event has one kind: split {} into separate events",
                    kinds.join(" and ")
                ),
            });
        };
        let belongs: &[&str] = match kind {
            "send" => &["to", "value"],
            "receive" | "timeout" => &["accepts", "constraint"],
            "read" => &["version"],
            "choose" => &["chosen"],
            _ => &[],
        };
        if let Some(stray) = fields
            .details()
            .into_iter()
            .find(|name| !belongs.contains(name))
        {
            return Err(format!(
                "the field `{stray}` does not belong to a `{kind}` event: remove it"
            ));
        }
        let missing = |name: &str| format!("a `{kind}` event needs the field `{name}`: add it");

        let accepts = match fields.accepts {
            None => Accepts::All,
            Some(AcceptsField::Given(accepts)) => accepts,
            Some(AcceptsField::As(AsEvent { at })) => {
                let same = before.get(at).and_then(Event::accepts);
                same.cloned().ok_or_else(|| {
                    format!(
                        "`accepts` refers to index {at}, but this process has no earlier receive \
                         or timeout with that index (indices start at 0)"
                    )
                })?
            }
        };
        let constraint = fields.constraint.unwrap_or_default();
        let event = if let Some(pid) = fields.spawn {
            Event::Spawn { pid }
        } else if let Some(tag) = fields.send {
            let to = fields.to.ok_or_else(|| missing("to"))?;
            Event::Send {
                tag,
                to,
                value: fields.value.unwrap_or_default(),
            }
        } else if let Some(tag) = fields.receive {
            Event::Receive {
                tag,
                accepts,
                constraint,
            }
        } else if let Some(fired) = fields.timeout {
            if !fired {
                return Err("`timeout` is always true: remove the event if none fired".to_owned());
            }
            Event::Timeout {
                accepts,
                constraint,
            }
        } else if let Some(tag) = fields.killed {
            Event::Killed { tag }
        } else if let Some(object) = fields.read {
            Event::Read {
                object,
                version: fields.version.ok_or_else(|| missing("version"))?,
            }
        } else if let Some(of) = fields.choose {
            Event::Choose {
                of,
                chosen: fields.chosen.ok_or_else(|| missing("chosen"))?,
            }
        } else if let Some(published) = fields.publish {
            if !published {
                return Err(
                    "`publish` is always true: remove the event if nothing was published"
                        .to_owned(),
                );
            }
            Event::Publish
        } else if let Some(tag) = fields.deliver {
            Event::Deliver { tag }
        } else {
            Event::Exit {
                reason: fields.exit.unwrap_or_default(),
            }
        };
        Ok(event)
    }
}

/// The `accepts` field in a file.
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "`accepts` is \"all\", a list of tags, {\"except\": [tags]} or {\"as\": number}"
)]
enum AcceptsField {
    As(AsEvent),
    Given(Accepts),
}

/// Refers to the `accepts` of an earlier event of the process by its index, from 0.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AsEvent {
    #[serde(rename = "as")]
    at: usize,
}

/// Lists shorter than this are repeated; longer ones are written once and then referred to.
const SHARED_TAGS_MIN: usize = 8;

/// Writes the events of one process. Each long list of tags is written only once.
pub(super) struct EventWriter {
    /// The index of the event where each shared list was written.
    written: HashMap<(*const BTreeSet<Tag>, bool), usize>,
}

impl EventWriter {
    pub(super) fn new() -> Self {
        EventWriter {
            written: HashMap::new(),
        }
    }

    /// The fields of the event that has this index in its process.
    pub(super) fn fields(&mut self, at: usize, event: &Event) -> EventFields {
        let shared = match event.accepts() {
            Some(Accepts::Only(tags)) => Some((tags, true)),
            Some(Accepts::Except(tags)) => Some((tags, false)),
            _ => None,
        };
        let mut fields = EventFields::from(event.clone());
        if let Some((tags, is_only)) = shared.filter(|(tags, _)| tags.len() >= SHARED_TAGS_MIN) {
            match self.written.entry((Arc::as_ptr(tags), is_only)) {
                Entry::Occupied(first) => {
                    let at = *first.get();
                    fields.accepts = Some(AcceptsField::As(AsEvent { at }));
                }
                Entry::Vacant(new) => {
                    new.insert(at);
                }
            }
        }
        fields
    }
}

/// Fields that are empty or have the default value are omitted.
impl From<Event> for EventFields {
    fn from(event: Event) -> EventFields {
        let text = |text: String| Some(text).filter(|text| !text.is_empty());
        let some = |accepts: Accepts| match accepts {
            Accepts::All => None,
            accepts => Some(AcceptsField::Given(accepts)),
        };
        let fields = EventFields::default();
        match event {
            Event::Spawn { pid } => EventFields {
                spawn: Some(pid),
                ..fields
            },
            Event::Send { tag, to, value } => EventFields {
                send: Some(tag),
                to: Some(to),
                value: text(value),
                ..fields
            },
            Event::Receive {
                tag,
                accepts,
                constraint,
            } => EventFields {
                receive: Some(tag),
                accepts: some(accepts),
                constraint: text(constraint),
                ..fields
            },
            Event::Timeout {
                accepts,
                constraint,
            } => EventFields {
                timeout: Some(true),
                accepts: some(accepts),
                constraint: text(constraint),
                ..fields
            },
            Event::Killed { tag } => EventFields {
                killed: Some(tag),
                ..fields
            },
            Event::Read { object, version } => EventFields {
                read: Some(object),
                version: Some(version),
                ..fields
            },
            Event::Choose { of, chosen } => EventFields {
                choose: Some(of),
                chosen: Some(chosen),
                ..fields
            },
            Event::Publish => EventFields {
                publish: Some(true),
                ..fields
            },
            Event::Deliver { tag } => EventFields {
                deliver: Some(tag),
                ..fields
            },
            Event::Exit { reason } => EventFields {
                exit: Some(reason),
                ..fields
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        for json in [
            r#"{"spawn":"p2"}"#,
            r#"{"send":"7","to":"p3","value":"hello"}"#,
            r#"{"send":"7","to":"p3"}"#,
            r#"{"receive":"5"}"#,
            r#"{"receive":"5","accepts":{"except":["4"]},"constraint":"{ok, _}"}"#,
            r#"{"timeout":true,"accepts":[]}"#,
            r#"{"killed":"3"}"#,
            r#"{"read":"name(foo)","version":1}"#,
            r#"{"choose":3,"chosen":2}"#,
            r#"{"publish":true}"#,
            r#"{"deliver":"2"}"#,
            r#"{"exit":"normal"}"#,
        ] {
            let event: Event = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&event).unwrap(), json);
        }
    }

    fn check_error(json: &str, expected: &str) {
        let error = serde_json::from_str::<Event>(json).unwrap_err().to_string();
        assert!(error.contains(expected), "{json} gave: {error}");
    }

    #[test]
    fn malformed() {
        check_error("{}", "an event needs one of the fields spawn");
        check_error(
            r#"{"spawn":"p","exit":"x"}"#,
            "split spawn and exit into separate events",
        );
        check_error(
            r#"{"spawn":"p","to":"q"}"#,
            "the field `to` does not belong to a `spawn` event",
        );
        check_error(r#"{"send":"1"}"#, "a `send` event needs the field `to`");
        check_error(
            r#"{"read":"o"}"#,
            "a `read` event needs the field `version`",
        );
        check_error(
            r#"{"choose":3}"#,
            "a `choose` event needs the field `chosen`",
        );
        check_error(r#"{"chosen":3}"#, "an event needs one of the fields spawn");
        check_error(r#"{"choose":-1,"chosen":0}"#, "expected u32");
        check_error(r#"{"timeout":false}"#, "`timeout` is always true");
        check_error(r#"{"publish":false}"#, "`publish` is always true");
        check_error(
            r#"{"publish":true,"version":1}"#,
            "the field `version` does not belong to a `publish` event",
        );
        check_error(r#"{"recieve":"1"}"#, "unknown field `recieve`");
        check_error(r#"{"receive":1}"#, "expected a string");
        check_error(
            r#"{"receive":"1","receive":"1"}"#,
            "duplicate field `receive`",
        );
    }
}
