//! The messages of a trace, by tag, and the changes of its shared objects.

use super::{Names, abbreviate};
use mazurka_trace::{At, Event, ProcessName, Tag, Trace};
use std::collections::HashMap;

/// The messages of a trace and their senders.
#[derive(Debug)]
pub struct Messages<'t> {
    by_tag: HashMap<&'t Tag, Message<'t>>,
    /// The request behind each change of an object, in order.
    changes: HashMap<&'t ProcessName, Vec<Option<&'t Tag>>>,
}

#[derive(Debug)]
struct Message<'t> {
    sent: At,
    sender: &'t ProcessName,
    value: &'t str,
}

impl<'t> Messages<'t> {
    /// The messages of `trace`.
    #[must_use]
    pub fn new(trace: &'t Trace) -> Messages<'t> {
        let mut by_tag = HashMap::new();
        let mut changes: HashMap<&ProcessName, Vec<Option<&Tag>>> = HashMap::new();
        for (pid, events) in &trace.processes {
            let mut request = None;
            for (index, event) in events.iter().enumerate() {
                match event {
                    Event::Send { tag, value, .. } => {
                        let message = Message {
                            sent: At::new(pid.clone(), index),
                            sender: pid,
                            value,
                        };
                        by_tag.insert(tag, message);
                    }
                    Event::Receive { tag, .. } => request = Some(tag),
                    Event::Publish => changes.entry(pid).or_default().push(request),
                    _ => {}
                }
            }
        }
        Messages { by_tag, changes }
    }

    /// The value of a message, or a placeholder if it has none.
    #[must_use]
    pub fn value(&self, tag: &Tag) -> &'t str {
        match self.by_tag.get(tag) {
            Some(message) if !message.value.is_empty() => message.value,
            _ => "a message",
        }
    }

    /// The event that sent it.
    #[must_use]
    pub fn sent(&self, tag: &Tag) -> Option<&At> {
        self.by_tag.get(tag).map(|message| &message.sent)
    }

    /// The process that sent it.
    #[must_use]
    pub fn sender(&self, tag: &Tag) -> &'t str {
        self.by_tag
            .get(tag)
            .map_or("an unknown process", |message| message.sender.as_str())
    }

    /// A version of an object, described by the request that published it.
    #[must_use]
    pub fn after_change(&self, names: &Names, object: &ProcessName, version: u32) -> String {
        let made = (version as usize).checked_sub(1);
        let request = made.and_then(|made| *self.changes.get(object)?.get(made)?);
        match request {
            Some(tag) => {
                let value = abbreviate(self.value(tag), 40);
                let sender = names.of(&self.sender(tag).into());
                format!("after {value} from {sender}")
            }
            None => "before any change".to_owned(),
        }
    }
}
