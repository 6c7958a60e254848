//! The messages of a trace, by tag.

use mazurka_trace::{At, Event, Pid, Tag, Trace};
use std::collections::HashMap;

/// Who sent what.
#[derive(Debug)]
pub struct Messages<'t> {
    by_tag: HashMap<&'t Tag, Message<'t>>,
}

#[derive(Debug)]
struct Message<'t> {
    sent: At,
    sender: &'t Pid,
    value: &'t str,
}

impl<'t> Messages<'t> {
    /// The messages of `trace`.
    #[must_use]
    pub fn new(trace: &'t Trace) -> Messages<'t> {
        let mut by_tag = HashMap::new();
        for (sender, events) in &trace.processes {
            for (index, event) in events.iter().enumerate() {
                if let Event::Send { tag, value, .. } = event {
                    let sent = At::new(sender.clone(), index);
                    let message = Message {
                        sent,
                        sender,
                        value,
                    };
                    by_tag.insert(tag, message);
                }
            }
        }
        Messages { by_tag }
    }

    /// The value of a message, or words for one that has none.
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

    /// Who sent it.
    #[must_use]
    pub fn sender(&self, tag: &Tag) -> &'t str {
        self.by_tag
            .get(tag)
            .map_or("nobody", |message| message.sender.as_str())
    }
}
