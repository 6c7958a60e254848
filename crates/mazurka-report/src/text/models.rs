//! How an error depends on the delivery model, as text.

use super::{count, listed};
use crate::models::{Dependence, WithinOneNode};
use crate::outcome::{Kept, Outcome};
use mazurka_engine::Delivery;

/// One or two sentences; `None` if the error does not depend on the model.
pub(super) fn dependence(outcome: &Outcome, kept: &Kept) -> Option<String> {
    let dependence = kept.dependence.as_ref()?;
    let mailbox = outcome.options.voice.set("delivery", Delivery::Mailbox);
    let needs = needs(dependence);
    Some(match dependence.within_one_node {
        WithinOneNode::Yes => {
            format!(
                "Also possible within one node ({mailbox}): this execution needs no overtaking."
            )
        }
        WithinOneNode::OtherExecution => format!(
            "This execution needs {needs}. Within one node ({mailbox}) the error happens, too, in \
             other executions."
        ),
        WithinOneNode::Never { executions } => format!(
            "This needs {needs}. It cannot happen within one node: {mailbox} has {}, and none \
             has this error.",
            count(executions, "execution")
        ),
        WithinOneNode::Unknown { executions } => format!(
            "This execution needs {needs}, which cannot happen within one node ({mailbox}). \
             Whether another one has the error there is not known: {} were looked at.",
            count(executions, "execution")
        ),
    })
}

/// The property of the execution that `mailbox` delivery does not allow.
fn needs(dependence: &Dependence) -> &'static str {
    match (
        dependence.possible_under.contains(&Delivery::P2p),
        dependence.has_timeout,
    ) {
        (false, _) => "messages of one sender to overtake each other",
        (true, false) => "messages of different senders to overtake each other",
        (true, true) => "messages of different senders, or a timeout, to overtake a message",
    }
}

/// `only under p2p`, of an error that not all of the models have.
pub(super) fn only_under(kept: &Kept) -> String {
    let names: Vec<&str> = kept.found_under.iter().map(|model| model.name()).collect();
    format!("only under {}", listed(&names, "and"))
}
