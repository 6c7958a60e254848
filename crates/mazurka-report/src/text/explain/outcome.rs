//! What a process, or a shared object, could have got instead.

use super::super::sequence::bearer_of_life;
use super::super::story::after_change;
use super::super::{Messages, Names, shorten, width};
use mazurka_trace::{At, Event, Tag, Trace};

/// What came of a demand in an execution: a verb, and what it is about.
pub(super) struct Outcome<'t> {
    trace: &'t Trace,
    messages: Messages<'t>,
    names: Names<'t>,
    event: Option<&'t Event>,
}

impl<'t> Outcome<'t> {
    pub(super) fn new(trace: &'t Trace, names: Names<'t>, at: &At) -> Self {
        Outcome {
            trace,
            messages: Messages::new(trace),
            names,
            event: trace.event(at),
        }
    }

    pub(super) fn event(&self) -> Option<&'t Event> {
        self.event
    }

    /// The message that was taken, or that struck.
    pub(super) fn tag(&self) -> Option<&'t Tag> {
        self.event.and_then(Event::consumes)
    }

    /// Where that was sent.
    pub(super) fn sent(&self) -> Option<&At> {
        self.messages.sent(self.tag()?)
    }

    /// `takes Reply(1) from server P.1, sent at bank.rs:12`
    pub(super) fn told(&self) -> String {
        let from = |tag: &Tag| {
            let place = self.messages.sent(tag).and_then(|at| self.trace.place(at));
            let place = place.map_or_else(String::new, |place| format!(", sent at {place}"));
            let room = width().saturating_sub(48).max(24);
            let value = shorten(self.messages.value(tag), room);
            let sender = self.names.of(&self.messages.sender(tag).into());
            format!("{value} from {sender}{place}")
        };
        match self.event {
            Some(Event::Receive { tag, .. } | Event::Deliver { tag }) => {
                format!("takes {}", from(tag))
            }
            Some(Event::Killed { tag }) => format!("is struck by {}", from(tag)),
            Some(Event::Timeout { constraint, .. }) if constraint == "nothing" => "wakes up".into(),
            Some(Event::Timeout { .. }) => "times out".into(),
            Some(Event::Read { object, version }) => match (bearer_of_life(object), version) {
                (Some(process), 0) => format!("finds {} alive", self.names.of(&process)),
                (Some(process), _) => format!("finds {} ended", self.names.of(&process)),
                _ => {
                    let change = after_change(self.trace, self.names, object, *version);
                    format!("reads {object} {change}")
                }
            },
            Some(Event::Choose { of, chosen }) => format!("chooses {chosen} of {of}"),
            Some(Event::Send { tag, to, .. }) => {
                let value = shorten(self.messages.value(tag), 60);
                format!(
                    "goes on unharmed, and sends {value} to {}",
                    self.names.of(to)
                )
            }
            Some(Event::Spawn { pid }) => {
                format!("goes on unharmed, and spawns {}", self.names.of(pid))
            }
            Some(Event::Exit { reason }) => format!("ends: {}", shorten(reason, 60)),
            Some(Event::Publish) => "changes".into(),
            None => "waits there for ever".into(),
        }
    }
}
