//! The input that a process, or a shared object, got or could have got.

use super::super::names::process_of_liveness;
use super::super::{Messages, Names, abbreviate};
use mazurka_trace::{At, Event, ProcessName, Tag, Trace};

/// The input that answered a demand in an execution, as a verb and its object.
pub(super) struct Outcome<'t> {
    trace: &'t Trace,
    messages: Messages<'t>,
    names: &'t Names,
    pid: ProcessName,
    outside: Option<&'t str>,
    event: Option<&'t Event>,
}

/// The maximum width of a value in a sentence.
const VALUE_MAX: usize = 60;

impl<'t> Outcome<'t> {
    pub(super) fn new(trace: &'t Trace, names: &'t Names, at: &At) -> Self {
        Outcome {
            trace,
            messages: Messages::new(trace),
            names,
            pid: at.pid.clone(),
            outside: trace.outside(at),
            event: trace.event(at),
        }
    }

    /// The process that made the demand.
    pub(super) fn pid(&self) -> &ProcessName {
        &self.pid
    }

    pub(super) fn event(&self) -> Option<&'t Event> {
        self.event
    }

    /// What happens from outside, if that is what was chosen.
    pub(super) fn outside(&self) -> Option<&'t str> {
        self.outside
    }

    pub(super) fn is_from_outside(&self) -> bool {
        self.outside.is_some()
    }

    /// The message that was taken, or the signal that ended the process.
    pub(super) fn tag(&self) -> Option<&'t Tag> {
        self.event.and_then(Event::consumes)
    }

    /// The event that sent it.
    pub(super) fn sent(&self) -> Option<&At> {
        self.messages.sent(self.tag()?)
    }

    /// Its source line.
    pub(super) fn sent_at(&self) -> Option<&str> {
        self.trace.place(self.sent()?)
    }

    /// The value of the message.
    pub(super) fn value(&self) -> Option<&'t str> {
        Some(self.messages.value(self.tag()?))
    }

    pub(super) fn sender(&self) -> Option<ProcessName> {
        Some(self.messages.sender(self.tag()?).into())
    }

    /// The process that ends, if this is its liveness object publishing the end.
    fn ending(&self) -> Option<ProcessName> {
        let bearer = process_of_liveness(&self.pid)?;
        (self.sender()? == bearer && self.value()?.starts_with("end(")).then_some(bearer)
    }

    /// `takes Reply(1) from server, sent at bank.rs:12`
    pub(super) fn sentence(&self) -> String {
        let place = self.sent_at();
        let place = place.map_or_else(String::new, |place| format!(", sent at {place}"));
        match self.event {
            Some(Event::Receive { .. } | Event::Deliver { .. }) if self.ending().is_none() => {
                format!("takes {}{place}", self.what(VALUE_MAX))
            }
            Some(Event::Read { object, .. }) if process_of_liveness(object).is_none() => {
                format!("reads {} {}", self.names.of(object), self.what(VALUE_MAX))
            }
            _ => format!("{}{place}", self.what(VALUE_MAX)),
        }
    }

    /// The same in `available` columns, after a verb and without the place.
    pub(super) fn what(&self, available: usize) -> String {
        let of = |pid: &ProcessName| self.names.of(pid);
        let message = |tag: &Tag, available: usize| {
            let from = format!(" from {}", of(&self.messages.sender(tag).into()));
            let available = available.saturating_sub(from.chars().count()).max(16);
            format!("{}{from}", abbreviate(self.messages.value(tag), available))
        };
        match self.event {
            _ if self.ending().is_some() => {
                let process = self.ending().map(|pid| of(&pid)).unwrap_or_default();
                format!("{process} ends first")
            }
            Some(Event::Receive { tag, .. } | Event::Deliver { tag }) => {
                match process_of_liveness(&self.pid) {
                    Some(_) => format!("{} first", message(tag, available.saturating_sub(6))),
                    None => message(tag, available),
                }
            }
            Some(Event::Killed { tag }) => {
                format!(
                    "is killed by {}",
                    message(tag, available.saturating_sub(13))
                )
            }
            Some(Event::Timeout { constraint, .. }) if constraint == "nothing" => "wakes up".into(),
            Some(Event::Timeout { .. }) => "times out".into(),
            Some(Event::Read { object, version }) => match (process_of_liveness(object), version) {
                (Some(process), 0) => format!("{} was alive", of(&process)),
                (Some(process), _) => format!("{} had ended", of(&process)),
                _ => self.messages.after_change(self.names, object, *version),
            },
            Some(Event::Choose { of, chosen }) => match self.outside() {
                Some("") => "goes on".into(),
                Some(what) => format!("{what} from outside"),
                None => format!("{chosen} of {of}"),
            },
            Some(Event::Send { tag, to, .. }) => {
                let value = abbreviate(self.messages.value(tag), 40);
                format!("goes on and sends {value} to {}", of(to))
            }
            Some(Event::Spawn { pid }) => format!("goes on and spawns {}", of(pid)),
            Some(Event::Exit { reason }) => format!("ends: {}", abbreviate(reason, 40)),
            Some(Event::Publish) => "changes".into(),
            None => "waits there for ever".into(),
        }
    }
}
