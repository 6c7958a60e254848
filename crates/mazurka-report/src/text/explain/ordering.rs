//! Why either outcome of a race can happen.

use super::super::names::process_of_liveness;
use super::Explained;
use super::outcome::Outcome;
use mazurka_trace::{At, Delivery, Event, Trace};

/// A sentence that explains it.
pub(super) fn why(
    explained: &Explained<'_>,
    failing: &Outcome<'_>,
    passing: &Outcome<'_>,
) -> String {
    let concurrent =
        |what: &str| format!("{what} are concurrent: nothing makes one happen before the other.");
    match (failing.event(), passing.event()) {
        (Some(Event::Choose { .. }), _) if failing.is_from_outside() => {
            "A kill from outside can come at any time.".into()
        }
        (Some(Event::Choose { .. }), _) => "The program chooses, and may choose either.".into(),
        (Some(Event::Receive { .. }), Some(Event::Receive { .. })) => {
            match process_of_liveness(failing.pid()) {
                Some(pid) => {
                    let process = explained.names.of(&pid);
                    concurrent(&format!("The end of {process} and this call"))
                }
                None => two_messages(explained, failing, passing),
            }
        }
        (Some(Event::Timeout { .. }), Some(Event::Receive { .. }))
        | (Some(Event::Receive { .. }), Some(Event::Timeout { .. })) => {
            "The message may arrive before the timeout or after it.".into()
        }
        (Some(Event::Read { object, .. }), Some(Event::Read { .. })) => {
            match process_of_liveness(object) {
                Some(pid) => {
                    let process = explained.names.of(&pid);
                    concurrent(&format!("This step and the end of {process}"))
                }
                None => concurrent("The read and the change"),
            }
        }
        (Some(Event::Killed { .. }), _) | (_, Some(Event::Killed { .. })) => {
            concurrent("The exit signal and this step")
        }
        _ => concurrent("The two"),
    }
}

fn two_messages(explained: &Explained<'_>, failing: &Outcome<'_>, passing: &Outcome<'_>) -> String {
    let delivery = explained.trace.delivery;
    let concurrent = "The two sends are concurrent: nothing makes one happen before the other.";
    let (Some(taken), Some(other)) = (failing.sent(), passing.sent()) else {
        return concurrent.into();
    };
    let both_there = |trace: &Trace| {
        let is_send = |at: &At, tag| match (trace.event(at), tag) {
            (Some(Event::Send { tag: sent, .. }), Some(tag)) => sent == tag,
            _ => false,
        };
        is_send(taken, failing.tag()) && is_send(other, passing.tag())
    };
    let traces = [
        Some(explained.trace),
        explained.parting().map(|parting| &parting.passing),
    ];
    let both = traces.into_iter().flatten().find(|trace| both_there(trace));
    let Some(causality) = both.and_then(|trace| trace.check().ok()) else {
        return "Neither message depends on the other.".into();
    };
    if taken.pid == other.pid {
        let sender = explained.names.of(&taken.pid);
        return format!(
            "Both come from {sender}; under {delivery} delivery one may overtake the other."
        );
    }
    let is_ordered =
        causality.happened_before(taken, other) || causality.happened_before(other, taken);
    match (is_ordered, delivery) {
        (false, _) => concurrent.into(),
        (true, Delivery::Unordered | Delivery::P2p) => format!(
            "One was sent before the other, but under {delivery} delivery messages of two senders \
             may overtake each other."
        ),
        // A selective receive may have skipped it.
        (true, Delivery::Causal | Delivery::Mailbox) => {
            "One was sent before the other, but the receive can take either.".into()
        }
    }
}
