//! Checked traces, and the causal order of their events.

use std::cell::OnceCell;
use std::fmt;

use crate::clock::Clocks;
use crate::extra_edges::ExtraEdges;
use crate::graph::Graph;
use crate::index::{EventId, Index};
use crate::mailbox::add_mailbox_orders;
use crate::matching::{Matching, Waiting};
use crate::{At, Delivery, Tag, Trace, TraceError};

/// A valid trace with the causal order of its events. [`Trace::check`] creates it. Every operation
/// that needs a valid trace is a method of this type.
pub struct Causality<'t> {
    pub(crate) trace: &'t Trace,
    pub(crate) index: Index<'t>,
    pub(crate) clocks: Clocks,
    /// For each receive and timeout, the messages that satisfy its constraint.
    pub(crate) matching: Matching,
    /// Happened-before, plus an edge from each read to the next version of its object.
    pub(crate) causes: Graph,
    /// Every order that an interleaving of the trace must respect.
    pub(crate) orders: Graph,
    /// The position of each event in one such interleaving.
    pub(crate) places: Vec<u32>,
    /// Computed when a race set is first requested.
    pub(crate) extra_edges: OnceCell<ExtraEdges>,
}

impl Trace {
    /// Checks that this is a trace (Vidal 2022, Def. 4): that at least one valid interleaving
    /// under its delivery model has these events.
    ///
    /// Partial traces are traces: the processes need not have ended.
    ///
    /// Takes time and memory proportional to receives × processes, for vector clocks. Under
    /// `mailbox`, a selective receive also takes time proportional to the number of messages it
    /// skips, divided by 64.
    pub fn check(&self) -> Result<Causality<'_>, TraceError> {
        let index = Index::new(self)?;
        let mut causes = Graph::happened_before(&index);
        let sorted = causes.sort(&index).map_err(TraceError::Cycle)?;
        let clocks = Clocks::new(&index, &causes, &sorted);
        let matching = Matching::new(&index);
        check_overtaking(&index, &clocks, &matching, self.delivery)?;

        causes.add_next_versions(&index);
        let mut orders = causes.clone();
        orders.add_deliveries(&index);
        if self.delivery == Delivery::Mailbox {
            add_mailbox_orders(&mut orders, &index, &matching);
        }
        let sorted = orders.sort(&index).map_err(TraceError::Cycle)?;
        let mut places = vec![0; index.event_count()];
        for (place, e) in (0..).zip(sorted) {
            places[e.ix()] = place;
        }
        Ok(Causality {
            trace: self,
            index,
            clocks,
            matching,
            causes,
            orders,
            places,
            extra_edges: OnceCell::new(),
        })
    }
}

/// Checks that no receive skips a message that the delivery model puts first (for `p2p` this is
/// Vidal 2022, Def. 1, condition 3).
fn check_overtaking(
    index: &Index,
    clocks: &Clocks,
    matching: &Matching,
    delivery: Delivery,
) -> Result<(), TraceError> {
    if delivery == Delivery::Unordered {
        return Ok(());
    }
    for p in index.processes() {
        let mut waiting = Waiting::new(index.inbox(p));
        for e in index.events_of(p) {
            if let Some(overtaken) = overtaken(index, clocks, matching, delivery, &waiting, e) {
                let taken = index.consumed(e).map(|message| message.tag.clone());
                return Err(TraceError::Overtakes {
                    tag: taken.unwrap_or_else(|| overtaken.clone()),
                    at: index.at(e),
                    waiting: overtaken,
                    delivery,
                });
            }
            waiting.pass(index, e);
        }
    }
    Ok(())
}

/// A message that the receive should have consumed first.
fn overtaken(
    index: &Index,
    clocks: &Clocks,
    matching: &Matching,
    delivery: Delivery,
    waiting: &Waiting<'_>,
    e: EventId,
) -> Option<Tag> {
    let taken = index.consumed(e)?;
    let message = |slot: usize| {
        let inbox = index.inbox(index.owner(e));
        index.message(inbox.messages[slot])
    };
    // If any message of a sender precedes the consumed one, that sender's first message does.
    let of_same_sender = waiting.first_of_same_sender(matching, e, taken.slot);
    let first = match delivery {
        Delivery::Unordered => None,
        Delivery::P2p => of_same_sender.filter(|slot| *slot < taken.slot),
        // `mailbox` is stricter than `causal`; its extra orders are checked later, as part of
        // the order graph. An error found here has a simpler explanation.
        Delivery::Causal | Delivery::Mailbox => {
            let firsts = waiting.firsts(matching, e).into_iter();
            let precedes = |send| clocks.happened_before(index, send, taken.send);
            { firsts }.find(|slot| precedes(message(*slot).send))
        }
    };
    first.map(|slot| message(slot).tag.clone())
}

impl fmt::Debug for Causality<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The other fields follow from the trace.
        f.debug_tuple("Causality").field(self.trace).finish()
    }
}

impl<'t> Causality<'t> {
    /// The trace.
    pub fn trace(&self) -> &'t Trace {
        self.trace
    }

    /// Whether `a` happened before `b` (Vidal 2022, Def. 2): whether a chain of program
    /// order, spawns, messages and versions read leads from `a` to `b`. False if either position
    /// has no event. Takes constant time.
    pub fn happened_before(&self, a: &At, b: &At) -> bool {
        match (self.index.find(a), self.index.find(b)) {
            (Some(a), Some(b)) => self.clocks.happened_before(&self.index, a, b),
            _ => false,
        }
    }

    /// Whether `a` and `b` are different events and neither happened before the other. False if
    /// either position has no event.
    pub fn concurrent(&self, a: &At, b: &At) -> bool {
        let exist = self.index.find(a).is_some() && self.index.find(b).is_some();
        exist && a != b && !self.happened_before(a, b) && !self.happened_before(b, a)
    }

    /// Whether `e` is `cause` or happened after it.
    pub(crate) fn depends(&self, e: EventId, cause: EventId) -> bool {
        e == cause || self.clocks.happened_before(&self.index, cause, e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{example, trace};

    /// Vidal 2022, Examples 4 and 5.
    #[test]
    fn happened_before_in_the_example() {
        let example = example();
        let causality = example.check().unwrap();
        let (s2, s3, r2) = (At::new("p2", 0), At::new("p3", 1), At::new("p3", 2));
        let (s6, s7) = (At::new("p4", 1), At::new("p1", 5));
        assert!(causality.concurrent(&s2, &s3));
        assert!(causality.happened_before(&s3, &s6));
        assert!(causality.concurrent(&r2, &s6));
        assert!(causality.happened_before(&r2, &s7));
        assert!(!causality.happened_before(&s7, &r2));
        assert!(!causality.happened_before(&r2, &r2) && !causality.concurrent(&r2, &r2));
        let nowhere = At::new("p9", 0);
        assert!(!causality.happened_before(&nowhere, &r2) && !causality.concurrent(&nowhere, &r2));
    }

    #[test]
    fn reads_and_deliveries() {
        let text = "p: spawn q, send 1 to o, send 2 to q, send 3 to o\n q: read o 0, deliver 2, read o 1\n [o]: receive 1, publish, receive 3";
        let trace = trace(Delivery::P2p, text);
        let causality = trace.check().unwrap();
        let (old, new, change) = (At::new("q", 0), At::new("q", 2), At::new("o", 1));
        assert!(causality.happened_before(&change, &new));
        assert!(causality.happened_before(&At::new("o", 0), &new));
        assert!(
            causality.concurrent(&At::new("o", 2), &new),
            "the object received 3 after it published"
        );
        assert!(
            causality.concurrent(&old, &change),
            "ordered, but not causally"
        );
        assert!(
            causality.concurrent(&At::new("p", 2), &At::new("q", 1)),
            "a delivery causes nothing"
        );
    }

    /// Thousands of events: the test finishes only if no algorithm is worse than quadratic.
    #[test]
    fn large() {
        for delivery in Delivery::ALL {
            let senders = 20;
            let each = 100;
            let mut text = String::from("m:");
            (0..senders).for_each(|s| text += &format!(" spawn w{s},"));
            (0..each)
                .for_each(|n| (0..senders).for_each(|s| text += &format!(" receive {s}-{n},")));
            text += " timeout";
            for s in 0..senders {
                text += &format!("\nw{s}: ");
                (0..each).for_each(|n| text += &format!("send {s}-{n} to m,"));
            }
            let trace = trace(delivery, &text);
            let causality = trace.check().unwrap();
            let races = causality.races();
            assert!(races.len() > 1000, "{delivery}: {}", races.len());
            assert_eq!(causality.random_linearisation(1).check(), Ok(()));
            assert_eq!(causality.fewest_switches(1000).interleaving.check(), Ok(()));
            assert!(
                causality
                    .variant(&races[0].at, races[0].others.first().unwrap())
                    .is_some()
            );
        }
    }
}
