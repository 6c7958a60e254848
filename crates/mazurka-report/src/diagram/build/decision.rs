//! The choice that leads to an error.

use crate::text::{Messages, Names, shorten};
use mazurka_engine::Parting;
use mazurka_trace::{At, Event, Tag, Trace};

/// The event that could have had another outcome.
pub(super) struct Decision {
    pub at: At,
    /// The message that was taken.
    pub took: Option<Tag>,
    /// The messages that could have been taken.
    pub instead: Vec<Tag>,
    /// The other outcome, as text to append to that of the event.
    pub remark: String,
}

/// The number of other messages that are named.
const NAMED: usize = 3;
const VALUE_WIDTH: usize = 40;

impl Decision {
    /// As the passing execution went.
    pub fn new(trace: &Trace, names: &Names, parting: &Parting) -> Decision {
        let at = parting.at.clone();
        let took = trace.event(&at).and_then(Event::consumes).cloned();
        let from = from(trace, names, took.as_ref());
        let passing = &parting.passing;
        let messages = Messages::new(passing);
        let mut instead = Vec::new();
        let could = match passing.event(&at) {
            Some(Event::Receive { tag, .. }) => {
                instead.push(tag.clone());
                format!("could have taken {}", listed(&messages, names, &instead))
            }
            Some(Event::Killed { tag }) => {
                instead.push(tag.clone());
                format!(
                    "could have been killed by {}",
                    listed(&messages, names, &instead)
                )
            }
            Some(Event::Timeout { .. }) => "could have timed out".to_owned(),
            Some(Event::Read { object, version }) => {
                let seen = messages.after_change(names, object, *version);
                format!("could have read {} {seen}", names.of(object))
            }
            Some(Event::Choose { .. }) if passing.outside(&at) == Some("") => {
                "could have gone on".to_owned()
            }
            Some(Event::Choose { chosen, .. }) => format!("could have chosen {chosen}"),
            Some(other) => format!(
                "could have gone on: {}",
                shorten(&other.to_string(), VALUE_WIDTH)
            ),
            None => "could have waited on".to_owned(),
        };
        Decision {
            at,
            took,
            instead,
            remark: format!("{from}; {could}"),
        }
    }
}

fn from(trace: &Trace, names: &Names, tag: Option<&Tag>) -> String {
    let messages = Messages::new(trace);
    tag.map_or_else(String::new, |tag| {
        format!(" from {}", names.of(&messages.sender(tag).into()))
    })
}

/// `Done(1) from P.1 or Done(2) from P.2`
fn listed(messages: &Messages<'_>, names: &Names, tags: &[Tag]) -> String {
    let name = |tag| {
        let value = shorten(messages.value(tag), VALUE_WIDTH);
        format!("{value} from {}", names.of(&messages.sender(tag).into()))
    };
    let mut named: Vec<String> = tags.iter().take(NAMED).map(name).collect();
    if tags.len() > NAMED {
        named.push(format!("{} others", tags.len() - NAMED));
    }
    crate::text::listed(&named, "or")
}
