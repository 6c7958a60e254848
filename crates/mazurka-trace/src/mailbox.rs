//! The order constraints between sends that `mailbox` delivery adds.

use crate::graph::Graph;
use crate::index::{EventId, Index};
use crate::matching::{Matching, Waiting};

/// Adds these edges to `graph`. If a receive consumed `m`, and `m'` also matches and was not consumed
/// earlier, then the send of `m` comes before the send of `m'`. A timeout comes before the send of
/// every such `m'`. If `m'` was sent after the receive, the order holds anyway.
///
/// There can be receives × messages such orders, but most are implied by others: if the next
/// receive consumed `m₂` and also accepts `m'`, the edges from `m` to `m₂` and from `m₂` to `m'`
/// imply the one from `m` to `m'`. Only edges that are not implied in this way are added: one per receive if
/// no receive is selective.
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
    let first = before_skipped(index, choice);
    let mut skipped = skipped(index, matching, waiting, choice).peekable();
    if skipped.peek().is_none() {
        return;
    }
    let inbox = index.inbox(index.owner(choice));
    let mut add = |slot: usize| graph.add(first, index.message(inbox.messages[slot]).send);
    // A later timeout comes after `first` and before the send of every message it accepts.
    let follows = |e: &EventId| match index.consumed(*e) {
        Some(message) => matching.accepts(choice, message.slot),
        None => true,
    };
    let later = index.events_after(choice);
    let mut later_choices = later.filter(|e| index.event(*e).accepts().is_some());
    let Some(next) = later_choices.find(follows) else {
        return skipped.for_each(add);
    };
    let taken_next = index.consumed(next).map(|message| message.slot);
    if let Some(slot) = taken_next {
        add(slot);
    }
    if matching.share_set(choice, next) {
        // Everything is implied except for messages consumed in between as exit signals.
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
    skipped
        .filter(|slot| Some(*slot) != taken_next)
        .filter(|slot| !(matching.accepts(next, *slot) && waits_then(*slot)))
        .for_each(add);
}

/// The event that comes before the sends of all messages that a receive or timeout skipped: the
/// send of the message it consumed, or the timeout itself.
pub(crate) fn before_skipped(index: &Index, choice: EventId) -> EventId {
    index.consumed(choice).map_or(choice, |taken| taken.send)
}

/// The messages that a receive or timeout also accepts but did not consume.
fn skipped<'w>(
    index: &'w Index,
    matching: &'w Matching,
    waiting: &'w Waiting<'_>,
    choice: EventId,
) -> impl Iterator<Item = usize> + 'w {
    let taken = index.consumed(choice).map(|message| message.slot);
    let accepted = waiting.accepted(matching, choice);
    accepted.filter(move |slot| Some(*slot) != taken)
}
