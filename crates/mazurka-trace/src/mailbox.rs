//! The orders of sends that `mailbox` delivery demands.

use crate::graph::Graph;
use crate::index::{EventId, Index};
use crate::matching::{Matching, Waiting};

/// Adds to `graph`: if a receive consumed `m` while `m'` matched and was not consumed
/// before, the send of `m` before that of `m'`; a timeout before the send of every such
/// message. `m'` may have been sent after the receive; then the order holds anyway.
///
/// There can be as many orders as receives × messages, but most follow from others: if
/// the next receive took `m₂` and would have taken `m'` as well, `m` before `m₂` and `m₂`
/// before `m'` say it all. Only what does not follow in this way is added, which is one
/// edge per receive if nothing is selective.
pub(crate) fn add_mailbox_orders(graph: &mut Graph, index: &Index, matching: &Matching) {
    for p in index.processes() {
        let mut waiting = Waiting::new(index.inbox(p));
        for e in index.events_of(p) {
            if index.event(e).accepts().is_some() {
                add_orders_of(graph, index, matching, &waiting, e);
            }
            waiting.pass(index, e);
        }
    }
}

fn add_orders_of(
    graph: &mut Graph,
    index: &Index,
    matching: &Matching,
    waiting: &Waiting<'_>,
    choice: EventId,
) {
    let first = before_passed(index, choice);
    let mut passed = passed(index, matching, waiting, choice).peekable();
    if passed.peek().is_none() {
        return;
    }
    let inbox = index.inbox(index.owner(choice));
    let mut add = |slot: usize| graph.add(first, index.message(inbox.messages[slot]).send);
    // A later timeout comes after `first` and before whatever it would have taken.
    let follows = |e: &EventId| match index.consumed(*e) {
        Some(message) => matching.accepts(choice, message.slot),
        None => true,
    };
    let later = index.events_after(choice);
    let mut later_choices = later.filter(|e| index.event(*e).accepts().is_some());
    let Some(next) = later_choices.find(follows) else {
        return passed.for_each(add);
    };
    let taken_next = index.consumed(next).map(|message| message.slot);
    if let Some(slot) = taken_next {
        add(slot);
    }
    if matching.are_alike(choice, next) {
        // All follows but for what was consumed in between, by being killed.
        let between = index.events_after(choice).take_while(|e| *e < next);
        let consumed = between.filter_map(|e| index.consumed(e));
        let slots = consumed.map(|message| message.slot);
        slots
            .filter(|slot| matching.accepts(choice, *slot))
            .for_each(add);
        return;
    }
    let waits_then = |slot: usize| {
        let consumed = index.message(inbox.messages[slot]).consumed;
        consumed.is_none_or(|consumed| consumed >= next)
    };
    passed
        .filter(|slot| Some(*slot) != taken_next)
        .filter(|slot| !(matching.accepts(next, *slot) && waits_then(*slot)))
        .for_each(add);
}

/// What comes before the sends of all that a receive or timeout passed over: the send of what it
/// took, or the timeout itself.
pub(crate) fn before_passed(index: &Index, choice: EventId) -> EventId {
    index.consumed(choice).map_or(choice, |taken| taken.send)
}

/// The messages that a receive or timeout would have accepted as well.
fn passed<'w>(
    index: &'w Index,
    matching: &'w Matching,
    waiting: &'w Waiting<'_>,
    choice: EventId,
) -> impl Iterator<Item = usize> + 'w {
    let taken = index.consumed(choice).map(|message| message.slot);
    let accepted = waiting.accepted(matching, choice);
    accepted.filter(move |slot| Some(*slot) != taken)
}
