//! Why nothing orders the two outcomes of a race.

use super::Explained;
use super::outcome::Outcome;
use mazurka_trace::{At, Delivery, Event, Trace};

/// A sentence that says it.
pub(super) fn why(
    explained: &Explained<'_>,
    failing: &Outcome<'_>,
    passing: &Outcome<'_>,
) -> String {
    match (failing.event(), passing.event()) {
        (Some(Event::Choose { .. }), _) => "The program leaves it to chance.".into(),
        (Some(Event::Receive { .. }), Some(Event::Receive { .. })) => {
            two_messages(explained, failing, passing)
        }
        (Some(Event::Timeout { .. }), Some(Event::Receive { .. }))
        | (Some(Event::Receive { .. }), Some(Event::Timeout { .. })) => {
            "Nothing orders them: the message may come before the time is up, or after.".into()
        }
        (Some(Event::Read { .. }), Some(Event::Read { .. })) => {
            "Nothing orders them: the read and the change do not know of each other.".into()
        }
        (Some(Event::Killed { .. }), _) | (_, Some(Event::Killed { .. })) => {
            "Nothing orders them: a signal strikes whenever it comes.".into()
        }
        _ => "Nothing orders them.".into(),
    }
}

fn two_messages(explained: &Explained<'_>, failing: &Outcome<'_>, passing: &Outcome<'_>) -> String {
    let delivery = explained.trace.delivery;
    let (Some(taken), Some(other)) = (failing.sent(), passing.sent()) else {
        return "Nothing orders them.".into();
    };
    let parting = explained.diagnosis.parting.as_ref();
    let both_there = |trace: &Trace| {
        let is_send = |at: &At, tag| match (trace.event(at), tag) {
            (Some(Event::Send { tag: sent, .. }), Some(tag)) => sent == tag,
            _ => false,
        };
        is_send(taken, failing.tag()) && is_send(other, passing.tag())
    };
    let traces = [
        Some(explained.trace),
        parting.map(|parting| &parting.passing),
    ];
    let both = traces.into_iter().flatten().find(|trace| both_there(trace));
    let names = &explained.names;
    let (one, two) = (names.of(&taken.pid), names.of(&other.pid));
    let Some(causality) = both.and_then(|trace| trace.check().ok()) else {
        return "Nothing orders them: the second is sent whatever became of the first.".into();
    };
    if taken.pid == other.pid {
        return format!(
            "Nothing orders them: both come from {one}, but with {delivery} delivery messages of \
             one sender may overtake each other."
        );
    }
    let told = |first: &str, second: &str| {
        let rule = match delivery {
            Delivery::Unordered | Delivery::P2p => {
                format!("with {delivery} delivery messages of two senders may overtake each other")
            }
            // A selective receive may have passed over it.
            Delivery::Causal | Delivery::Mailbox => "the receive could wait for either".to_owned(),
        };
        format!(
            "Nothing orders them: {second} had heard from {first} when it sent its message, but \
             {rule}."
        )
    };
    match () {
        () if causality.happened_before(taken, other) => told(&one, &two),
        () if causality.happened_before(other, taken) => told(&two, &one),
        () => format!(
            "Nothing orders them: when they were sent, neither {one} nor {two} had heard of the \
             other's message."
        ),
    }
}
