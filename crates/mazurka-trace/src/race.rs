//! Message races and race variants.

use std::collections::{BTreeMap, BTreeSet};

use crate::index::{EventId, MessageId, ProcessId};
use crate::matching::Waiting;
use crate::{Accepts, At, Causality, Delivery, Event, ProcessName, Tag, Trace};

/// The messages that a receive (or timeout) could have consumed instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceSet {
    /// The receive or the timeout.
    pub at: At,
    /// The message it consumed; `None` for a timeout.
    pub consumed: Option<Tag>,
    /// The messages it could have consumed instead. Never empty.
    pub others: BTreeSet<Tag>,
}

impl Causality<'_> {
    /// The race set (Vidal 2022, Def. 8) of the receive or timeout at this position:
    /// the messages that it could have consumed instead. Empty for other events.
    ///
    /// These are the messages for which [`variant`](Causality::variant) is valid under the
    /// delivery model of the trace. Under `mailbox` the set can be smaller than the declarative
    /// Def. 7 allows: that definition may also drop events that do not depend on the receive but
    /// determine the order of sends.
    pub fn race_set(&self, at: &At) -> BTreeSet<Tag> {
        let racing = self.index.find(at).map(|e| {
            let waiting = Waiting::before(&self.index, e);
            self.racing(e, &waiting)
        });
        let racing = racing.into_iter().flatten();
        racing
            .map(|id| self.index.message(id).tag.clone())
            .collect()
    }

    /// Every race set that is not empty, process by process.
    ///
    /// For each receive this takes time proportional to the number of processes that sent messages
    /// to its process; under `unordered`, to the number of messages; under `causal`, to the square
    /// of the number of senders in the worst case. Under `mailbox` it also depends on the number of
    /// extra order edges between the competing sends.
    pub fn races(&self) -> Vec<RaceSet> {
        let mut races = Vec::new();
        for p in self.index.processes() {
            let mut waiting = Waiting::new(self.index.inbox(p));
            for e in self.index.events_of(p) {
                let others = self.racing(e, &waiting);
                if !others.is_empty() {
                    let tag = |id| self.index.message(id).tag.clone();
                    races.push(RaceSet {
                        at: self.index.at(e),
                        consumed: self.index.consumed(e).map(|message| message.tag.clone()),
                        others: others.into_iter().map(tag).collect(),
                    });
                }
                waiting.pass(&self.index, e);
            }
        }
        races
    }

    /// The race variant (Vidal 2022, Def. 9): removes the receive (or timeout) at this position
    /// and everything that happened after it, then adds a receive of `tag` there. `None` if `tag`
    /// is not in the race set.
    ///
    /// The variant is a valid, partial trace. Its [`Trace::log`] drives the program to the other
    /// choice. It has no deliveries, since those belong to the original order.
    pub fn variant(&self, at: &At, tag: &Tag) -> Option<Trace> {
        let receive = self.index.find(at)?;
        let racing = self.racing(receive, &Waiting::before(&self.index, receive));
        let mut racing = racing.into_iter().map(|id| self.index.message(id).tag);
        if !racing.any(|racing| racing == tag) {
            return None;
        }
        let (Event::Receive {
            accepts,
            constraint,
            ..
        }
        | Event::Timeout {
            accepts,
            constraint,
        }) = self.index.event(receive)
        else {
            return None;
        };
        let (tag, accepts, constraint) = (tag.clone(), accepts.clone(), constraint.clone());
        let mut processes = self.kept_processes(receive);
        processes
            .entry(at.pid.clone())
            .or_default()
            .push(Event::Receive {
                tag,
                accepts,
                constraint,
            });
        Some(Trace {
            processes,
            ..self.trace.clone_without_processes()
        })
    }

    /// All events that do not depend on `dropped`, without deliveries. Program order is part of
    /// happened-before, so these events are a prefix of each process.
    fn kept_processes(&self, dropped: EventId) -> BTreeMap<ProcessName, Vec<Event>> {
        let exists = |p: &ProcessId| {
            self.index
                .spawn(*p)
                .is_none_or(|spawn| !self.depends(spawn, dropped))
        };
        let events = |p| {
            let kept = self
                .index
                .events_of(p)
                .take_while(|e| !self.depends(*e, dropped));
            kept.map(|e| self.index.event(e))
                .filter(|event| !matches!(event, Event::Deliver { .. }))
                .cloned()
                .collect()
        };
        self.index
            .processes()
            .filter(exists)
            .map(|p| (self.index.pid(p).clone(), events(p)))
            .collect()
    }

    /// Whether the event at this position could consume the same messages with either constraint:
    /// under `unordered`, any message that it accepts; otherwise, of each sender, the first one.
    pub(crate) fn is_same_choice(&self, at: &At, a: &Accepts, b: &Accepts) -> bool {
        let Some(e) = self.index.find(at) else {
            return true;
        };
        let inbox = self.index.inbox(self.index.owner(e));
        let waits = |consumed: Option<EventId>| consumed.is_none_or(|consumed| consumed >= e);
        inbox.senders.iter().all(|sender| {
            let slots = inbox.messages[sender.clone()].iter();
            let messages = slots.map(|id| self.index.message(*id));
            let mut takeable = messages
                .filter(|message| waits(message.consumed) && !self.depends(message.send, e))
                .map(|message| (a.accepts(message.tag), b.accepts(message.tag)));
            match self.trace.delivery {
                Delivery::Unordered => takeable.all(|(by_a, by_b)| by_a == by_b),
                _ => {
                    let first = takeable.find(|(by_a, by_b)| *by_a || *by_b);
                    first.is_none_or(|(by_a, by_b)| by_a && by_b)
                }
            }
        })
    }

    /// The messages that race with the one that `e` consumed, given the messages that wait before
    /// `e`.
    ///
    /// They are the first messages, in the delivery model's order of sends, among those that
    /// match and do not depend on `e`. The message that `e` consumed takes part in that order, so
    /// it may come before others.
    fn racing(&self, e: EventId, waiting: &Waiting<'_>) -> Vec<MessageId> {
        if self.index.event(e).accepts().is_none() {
            return Vec::new();
        }
        let inbox = self.index.inbox(self.index.owner(e));
        let send = |id: MessageId| self.index.message(id).send;
        let free = |id: &MessageId| !self.depends(send(*id), e);

        let slots = match self.trace.delivery {
            Delivery::Unordered => waiting.accepted(&self.matching, e).collect(),
            _ => waiting.firsts(&self.matching, e),
        };
        let messages = slots.into_iter().map(|slot| inbox.messages[slot]);
        let firsts: Vec<MessageId> = messages.filter(free).collect();
        let consumed = self.index.consumed(e).map(|message| message.send);
        let others = firsts
            .iter()
            .copied()
            .filter(|id| Some(send(*id)) != consumed);
        match self.trace.delivery {
            Delivery::Unordered | Delivery::P2p => others.collect(),
            Delivery::Causal => {
                let overtakes = |id: &MessageId| {
                    let mut sends = firsts.iter().map(|id| send(*id));
                    sends
                        .any(|earlier| self.clocks.happened_before(&self.index, earlier, send(*id)))
                };
                others.filter(|id| !overtakes(id)).collect()
            }
            Delivery::Mailbox if firsts.len() < 2 => others.collect(),
            Delivery::Mailbox => {
                let sends: Vec<EventId> = firsts.iter().map(|id| send(*id)).collect();
                let later = self.ordered_after(&sends, e);
                let is_other = |id: MessageId| Some(send(id)) != consumed;
                let others = firsts.into_iter().zip(later);
                { others }
                    .filter_map(|(id, later)| (!later && is_other(id)).then_some(id))
                    .collect()
            }
        }
    }
}

impl Trace {
    fn clone_without_processes(&self) -> Trace {
        Trace {
            program: self.program.clone(),
            params: self.params.clone(),
            delivery: self.delivery,
            initial: self.initial.clone(),
            objects: self.objects.clone(),
            object_notes: self.object_notes.clone(),
            processes: BTreeMap::new(),
            // Notes of the original need not hold in the variant.
            notes: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Delivery::{Causal, Mailbox, P2p, Unordered};
    use crate::testing::{example, trace};

    fn tags(text: &str) -> BTreeSet<Tag> {
        text.split_whitespace().map(Tag::from).collect()
    }

    fn check(delivery: Delivery, text: &str, at: At, expected: &str) {
        let trace = trace(delivery, text);
        let causality = trace.check().unwrap();
        assert_eq!(
            causality.race_set(&at),
            tags(expected),
            "of {at} under {delivery} in {text}"
        );
    }

    /// Vidal 2022, Example 5.
    #[test]
    fn race_sets_of_the_example() {
        let example = example();
        let causality = example.check().unwrap();
        assert_eq!(causality.race_set(&At::new("p3", 2)), tags("6 8"));
        let races: Vec<(At, BTreeSet<Tag>)> = causality
            .races()
            .into_iter()
            .map(|race| (race.at, race.others))
            .collect();
        let expected = [
            (At::new("p3", 0), tags("2")),
            (At::new("p3", 2), tags("6 8")),
            (At::new("p3", 3), tags("6")),
            (At::new("p3", 5), tags("7 8")),
        ];
        assert_eq!(races, expected);
        assert_eq!(
            causality.race_set(&At::new("p3", 1)),
            tags(""),
            "a send has no race set"
        );
        assert_eq!(
            causality.race_set(&At::new("p3", 9)),
            tags(""),
            "no event there"
        );
    }

    /// A choice has no race set, and a variant keeps it unless it depends on the removed receive.
    #[test]
    fn choices_do_not_race() {
        let trace = trace(
            P2p,
            "p: spawn q, spawn r, receive 1, choose 0 of 2
             q: choose 1 of 3, send 1 to p
             r: choose 2 of 3, send 2 to p",
        );
        let causality = trace.check().unwrap();
        assert_eq!(causality.race_set(&At::new("q", 0)), tags(""));
        assert_eq!(causality.race_set(&At::new("p", 2)), tags("2"));
        let variant = causality.variant(&At::new("p", 2), &"2".into()).unwrap();
        assert_eq!(variant.events_of(&"p".into()).len(), 3);
        assert_eq!(variant.events_of(&"q".into()).len(), 2);
        assert_eq!(variant.events_of(&"r".into()).len(), 2);
    }

    /// Vidal 2022, Example 6.
    #[test]
    fn variant_of_the_example() {
        let example = example();
        let causality = example.check().unwrap();
        let variant = causality.variant(&At::new("p3", 2), &"6".into()).unwrap();
        let sequences: Vec<String> = variant
            .processes
            .iter()
            .map(|(pid, events)| {
                let events: Vec<String> = events.iter().map(Event::to_string).collect();
                format!("{pid}: {}", events.join(", "))
            })
            .collect();
        let expected = [
            "p1: spawn p3, spawn p2, spawn p4, spawn p5",
            "p2: send 2 to p3",
            "p3: receive 1, send 3 to p4, receive 6",
            "p4: receive 3, send 6 to p3",
            "p5: send 1 to p3, send 4 to p3, send 8 to p3",
        ];
        assert_eq!(sequences, expected);
        let Event::Receive {
            accepts,
            constraint,
            ..
        } = &variant.processes["p3"][2]
        else {
            panic!()
        };
        assert!(!accepts.accepts(&"4".into()));
        assert_eq!(constraint, "anything but v4");
        assert!(variant.check().is_ok());
        assert_eq!(
            causality.variant(&At::new("p3", 2), &"7".into()),
            None,
            "7 does not race"
        );
        assert_eq!(
            causality.variant(&At::new("p3", 1), &"6".into()),
            None,
            "a send has no variant"
        );
    }

    #[test]
    fn a_variant_drops_what_depends_on_the_receive() {
        let trace = trace(
            P2p,
            "p: spawn q, send 1 to p, receive 1, spawn r, send 3 to q
             q: send 2 to p, deliver 3, receive 3, exit
             r: send 4 to p",
        );
        let causality = trace.check().unwrap();
        let variant = causality.variant(&At::new("p", 2), &"2".into()).unwrap();
        let expected = "p: spawn q, send 1 to p, receive 2\n q: send 2 to p";
        assert_eq!(variant, crate::testing::trace(P2p, expected));
    }

    const TWO_SENDERS: &str = "p: spawn q, receive 1, receive 2, receive 3\n q: spawn r, send 1 to p, send 2 to p\n r: send 3 to p";

    #[test]
    fn race_sets_by_delivery_model() {
        check(Unordered, TWO_SENDERS, At::new("p", 1), "2 3");
        check(P2p, TWO_SENDERS, At::new("p", 1), "3");
        check(Mailbox, TWO_SENDERS, At::new("p", 1), "3");
        // Here 3 is sent in reaction to a message sent after 1.
        let triangle = "p: spawn q, receive 1, receive 3\n q: spawn r, send 1 to p, send 2 to r\n r: receive 2, send 3 to p";
        check(P2p, triangle, At::new("p", 1), "3");
        check(Causal, triangle, At::new("p", 1), "");
        check(Mailbox, triangle, At::new("p", 1), "");
    }

    #[test]
    fn timeouts() {
        let text =
            "p: spawn q, timeout of 1 3, receive 2\n q: send 1 to p, send 2 to p, send 3 to p";
        check(Unordered, text, At::new("p", 1), "1 3");
        check(
            P2p,
            &text.replace("receive 2", "receive 2 of 2"),
            At::new("p", 1),
            "1",
        );
        check(
            Mailbox,
            &text.replace("receive 2", "receive 2 of 2"),
            At::new("p", 1),
            "1",
        );
        let trace = trace(Unordered, text);
        let variant = trace
            .check()
            .unwrap()
            .variant(&At::new("p", 1), &"3".into())
            .unwrap();
        let expected = "p: spawn q, receive 3 of 1 3\n q: send 1 to p, send 2 to p, send 3 to p";
        assert_eq!(variant, crate::testing::trace(Unordered, expected));
    }

    /// An object serves two requests; a third process saw the state after the first.
    #[test]
    fn objects() {
        let text = "p: spawn q, spawn r, send 1 to o\n q: send 2 to o\n r: read o 1, send 3 to p\n [o]: receive 1, publish, receive 2, publish";
        check(P2p, text, At::new("o", 0), "2");
        check(P2p, text, At::new("o", 1), "");
        let trace = trace(P2p, text);
        let variant = trace
            .check()
            .unwrap()
            .variant(&At::new("o", 0), &"2".into())
            .unwrap();
        assert_eq!(
            variant.processes["r"],
            [],
            "it read a version published after the dropped receive"
        );
        assert_eq!(variant.processes["o"].len(), 1);
    }

    /// Receives of other processes also order sends: s received x before y, so 1 was sent before 2.
    /// (Def. 7 alone could drop the receives of s and find the race.)
    #[test]
    fn mailbox_orders_from_other_processes() {
        let text = "p: spawn q, spawn r, spawn s, receive 1, receive 2
                    q: send 1 to p, send x to s
                    r: send y to s, send 2 to p
                    s: receive x, receive y";
        check(Causal, text, At::new("p", 3), "2");
        check(Mailbox, text, At::new("p", 3), "");
        check(
            Mailbox,
            &text.replace("receive x, receive y", "receive y, receive x"),
            At::new("p", 3),
            "2",
        );
    }

    /// Chains of orders through timeouts, and through several receives of one process.
    #[test]
    fn mailbox_chains() {
        let by_timeout = "p: spawn q, spawn r, spawn s, receive 1, receive 2
                          q: send 1 to p, send x to s
                          r: send y to s, send 2 to p
                          s: receive x of x, timeout of y";
        check(Causal, by_timeout, At::new("p", 3), "2");
        check(Mailbox, by_timeout, At::new("p", 3), "");
        check(
            Mailbox,
            &by_timeout.replace("timeout of y", "timeout of z"),
            At::new("p", 3),
            "2",
        );
        let by_receives = "p: spawn q, spawn r, spawn s, spawn t, receive 1, receive 2
                           q: send 1 to p, send x to s
                           r: send y to s, send z to s
                           t: send w to s, send 2 to p
                           s: receive x of x y, receive y of y, receive z of z w, receive w";
        check(Causal, by_receives, At::new("p", 4), "2");
        check(Mailbox, by_receives, At::new("p", 4), "");
        check(
            Mailbox,
            &by_receives.replace("z of z w", "z of z"),
            At::new("p", 4),
            "2",
        );
    }
}
