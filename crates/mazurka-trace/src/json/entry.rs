//! The JSON object of a log entry.

use serde::{Deserialize, Serialize};

use crate::{LogEntry, ProcessName, Tag};

/// All fields that a log entry may have. As with events, each kind of entry has its own fields.
#[derive(Default, Serialize, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "an entry, such as {\"receive\": \"p2#0\"}"
)]
pub(crate) struct EntryFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    receive: Option<Tag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    killed: Option<Tag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<ProcessName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choose: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<u32>,
}

impl TryFrom<EntryFields> for LogEntry {
    type Error = String;

    fn try_from(fields: EntryFields) -> Result<LogEntry, String> {
        match fields {
            EntryFields {
                receive: Some(tag),
                timeout: None,
                killed: None,
                after: None,
                read: None,
                version: None,
                choose: None,
                chosen: None,
            } => Ok(LogEntry::Receive(tag)),
            EntryFields {
                receive: None,
                timeout: Some(true),
                killed: None,
                after: None,
                read: None,
                version: None,
                choose: None,
                chosen: None,
            } => Ok(LogEntry::Timeout),
            EntryFields {
                receive: None,
                timeout: None,
                killed: Some(tag),
                after: Some(after),
                read: None,
                version: None,
                choose: None,
                chosen: None,
            } => Ok(LogEntry::Killed { tag, after }),
            EntryFields {
                receive: None,
                timeout: None,
                killed: None,
                after: None,
                read: Some(object),
                version: Some(version),
                choose: None,
                chosen: None,
            } => Ok(LogEntry::Read { object, version }),
            EntryFields {
                receive: None,
                timeout: None,
                killed: None,
                after: None,
                read: None,
                version: None,
                choose: Some(of),
                chosen: Some(chosen),
            } => match chosen < of {
                true => Ok(LogEntry::Choose { of, chosen }),
                false => Err(format!(
                    "an entry chooses alternative {chosen} of {of}: alternatives are numbered from 0"
                )),
            },
            _ => Err(
                "a log entry is one of {\"receive\": tag}, {\"timeout\": true}, \
                      {\"killed\": tag, \"after\": number}, {\"read\": object, \"version\": number}, \
                      {\"choose\": number, \"chosen\": number}"
                    .to_owned(),
            ),
        }
    }
}

impl From<LogEntry> for EntryFields {
    fn from(entry: LogEntry) -> EntryFields {
        let fields = EntryFields::default();
        match entry {
            LogEntry::Receive(tag) => EntryFields {
                receive: Some(tag),
                ..fields
            },
            LogEntry::Timeout => EntryFields {
                timeout: Some(true),
                ..fields
            },
            LogEntry::Killed { tag, after } => EntryFields {
                killed: Some(tag),
                after: Some(after),
                ..fields
            },
            LogEntry::Read { object, version } => EntryFields {
                read: Some(object),
                version: Some(version),
                ..fields
            },
            LogEntry::Choose { of, chosen } => EntryFields {
                choose: Some(of),
                chosen: Some(chosen),
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
            r#"{"receive":"P.1#0"}"#,
            r#"{"timeout":true}"#,
            r#"{"killed":"P.2#1","after":2}"#,
            r#"{"read":"name(foo)","version":1}"#,
            r#"{"choose":3,"chosen":2}"#,
        ] {
            let entry: LogEntry = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&entry).unwrap(), json);
        }
    }

    #[test]
    fn malformed() {
        for json in [
            "{}",
            r#"{"timeout":false}"#,
            r#"{"killed":"1"}"#,
            r#"{"read":"o"}"#,
            r#"{"receive":"1","timeout":true}"#,
            r#"{"receive":"1","after":1}"#,
            r#"{"choose":3}"#,
            r#"{"chosen":3}"#,
            r#"{"choose":3,"chosen":1,"version":1}"#,
        ] {
            let error = serde_json::from_str::<LogEntry>(json)
                .unwrap_err()
                .to_string();
            assert!(
                error.contains("a log entry is one of"),
                "{json} gave: {error}"
            );
        }
        assert!(serde_json::from_str::<LogEntry>(r#"{"send":"1"}"#).is_err());
        let error = serde_json::from_str::<LogEntry>(r#"{"choose":3,"chosen":3}"#);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("chooses alternative 3 of 3"), "{error}");
    }
}
