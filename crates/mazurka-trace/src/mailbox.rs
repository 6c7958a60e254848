//! The orders of sends that `mailbox` delivery demands.

use crate::bits::Bits;
use crate::graph::Graph;
use crate::index::{EventId, Index, ProcessId};

/// Adds to `graph`: if a receive consumed `m` while `m'` matched and was not consumed
/// before, the send of `m` before that of `m'`; a timeout before the send of every such
/// message. `m'` may have been sent after the receive; then the order holds anyway.
///
/// There can be as many orders as receives × messages, but most follow from others: if
/// the next receive took `m₂` and would have taken `m'` as well, `m` before `m₂` and `m₂`
/// before `m'` say it all. Only what does not follow in this way is added, which is one
/// edge per receive if nothing is selective.
pub(crate) fn add_mailbox_orders(graph: &mut Graph, index: &Index, matching: &[Bits]) {
    for p in index.processes() {
        let choices: Vec<EventId> = index
            .events_of(p)
            .filter(|e| index.event(*e).accepts().is_some())
            .collect();
        for (place, &choice) in choices.iter().enumerate() {
            add_orders_of(graph, index, matching, p, choice, &choices[place + 1..]);
        }
    }
}

fn add_orders_of(
    graph: &mut Graph,
    index: &Index,
    matching: &[Bits],
    p: ProcessId,
    choice: EventId,
    later: &[EventId],
) {
    let mut passed = matching[choice.ix()].clone();
    let first = match index.consumed(choice) {
        Some(message) => {
            passed.remove(message.slot);
            message.send
        }
        None => choice,
    };
    let follows = |e: &&EventId| match index.consumed(**e) {
        Some(message) => passed.contains(message.slot),
        // A later timeout comes after `first` and before whatever it would have taken.
        None => true,
    };
    if let Some(&next) = later.iter().find(follows) {
        passed.subtract(&matching[next.ix()]);
        if let Some(message) = index.consumed(next) {
            graph.add(first, message.send);
            passed.remove(message.slot);
        }
    }
    for slot in passed.iter() {
        graph.add(first, index.message(index.inbox(p).messages[slot]).send);
    }
}
