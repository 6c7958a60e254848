//! The delivery models: which waiting messages a receive may consume. This follows their definitions
//! literally.

use super::World;
use super::configuration::Configuration;
use super::history::{Letter, Message, Seen, Sender};
use super::object::Object;
use super::process::{Process, Running};
use super::signal::strikes;
use mazurka_engine::Payload;
use mazurka_engine::PidId;
use mazurka_engine::{Demand, Frontend, KeyOf};
use mazurka_trace::Delivery;

/// A possible result of a receive or of a signal check. Messages are given by their index in the
/// inbox.
pub(super) enum Offer {
    /// A message to consume.
    Message(usize),
    /// A signal that ends the process.
    Strike(usize),
    /// Nothing: the receive times out, or the signal check finds no signal.
    Nothing,
}

impl<F: Frontend> World<'_, F> {
    /// The possible results of a receive.
    pub(super) fn offers_to_receive(
        &self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        running: &Running<F>,
    ) -> Vec<Offer> {
        let Demand::Receive {
            constraint,
            timeout_ms,
        } = &running.demand
        else {
            unreachable!("only a receive is offered messages")
        };
        let wanted = |message: &Message<F::Value>| match &message.letter {
            letter @ Letter::Payload(Payload::Exit { .. }) if strikes(letter, running.trapping) => {
                true
            }
            Letter::Payload(Payload::Exit { .. }) if !running.trapping => false,
            Letter::Receipt => false,
            Letter::Payload(payload) => {
                let matched = self.frontend.matches(payload, constraint);
                matched.expect("all is modelled")
            }
        };
        let any_time = timeout_ms.is_some_and(|ms| self.may_fire(process, ms));
        let any_time = any_time && !process.polls;
        let may_time_out = any_time || self.is_due(configuration, process);
        self.offers(process, running, wanted, may_time_out)
    }

    /// The possible inputs of a process that waits until its message is received: the confirmation, or
    /// a signal.
    pub(super) fn offers_to_sender(
        &self,
        process: &Process<F>,
        running: &Running<F>,
    ) -> Vec<Offer> {
        let wanted = |message: &Message<F::Value>| {
            matches!(message.letter, Letter::Receipt) || strikes(&message.letter, running.trapping)
        };
        self.offers(process, running, wanted, false)
    }

    /// The messages and signals in the inbox that may be consumed now, if `wanted` accepts them.
    pub(super) fn offers(
        &self,
        process: &Process<F>,
        running: &Running<F>,
        wanted: impl Fn(&Message<F::Value>) -> bool,
        may_find_nothing: bool,
    ) -> Vec<Offer> {
        let inbox = &process.inbox;
        let matching: Vec<usize> = (0..inbox.len())
            .filter(|&at| process.expects(&inbox[at]) && wanted(&inbox[at]))
            .collect();
        let allowed = matching.iter().filter(|&&at| match self.delivery {
            Delivery::Unordered => true,
            Delivery::P2p => is_first_of_channel(inbox, &matching, at),
            Delivery::Causal => {
                is_first_of_channel(inbox, &matching, at)
                    && !is_after_another(inbox, &matching, at, process.pid)
            }
            Delivery::Mailbox => at == matching[0],
        });
        let mut offers: Vec<Offer> = allowed
            .map(|&at| match strikes(&inbox[at].letter, running.trapping) {
                true => Offer::Strike(at),
                false => Offer::Message(at),
            })
            .collect();
        let has_arrived = |at: &usize| match self.delivery {
            Delivery::Unordered => false,
            Delivery::P2p => process.has_surely_arrived(&inbox[*at]),
            Delivery::Causal => {
                let message = &inbox[*at];
                process
                    .past
                    .contains(&(message.from, process.pid, message.nth))
            }
            Delivery::Mailbox => true,
        };
        if may_find_nothing && !matching.iter().any(has_arrived) {
            offers.push(Offer::Nothing);
        }
        offers
    }
}

impl<F: Frontend> Process<F> {
    /// `p2p`: it has sent the message itself, or has consumed a later one of the same sender. The
    /// messages of couriers come after all messages of the ended process.
    fn has_surely_arrived(&self, message: &Message<F::Value>) -> bool {
        let is_own = message.from == Sender::Process(self.pid);
        let later = |seen: &Seen<KeyOf<F>>| match (seen, message.from) {
            (Seen::Message { from, nth }, sender) if *from == sender => *nth > message.nth,
            (
                Seen::Message {
                    from: Sender::Courier { of: ended, tie, .. },
                    ..
                },
                Sender::Courier { of, tie: first, .. },
            ) => *ended == of && first.comes_before(*tie),
            (
                Seen::Message {
                    from: Sender::Courier { of, .. },
                    ..
                },
                Sender::Process(sender),
            ) => *of == sender,
            _ => false,
        };
        let was_seen_to_arrive = |seen: &Seen<KeyOf<F>>| match (seen, message.from) {
            (
                Seen::Read {
                    object: Object::Courier { of, to, tie },
                    version: 1..,
                },
                sender,
            ) => {
                sender
                    == Sender::Courier {
                        of: *of,
                        to: *to,
                        tie: *tie,
                    }
            }
            _ => false,
        };
        let mut history = self.history.iter();
        is_own || history.any(|seen| later(seen) || was_seen_to_arrive(seen))
    }
}

/// `p2p`: no earlier message of the same sender matches. The messages of couriers come after all
/// messages of the ended process, and a `Down` message comes after an exit signal.
fn is_first_of_channel<V>(inbox: &[Message<V>], matching: &[usize], at: usize) -> bool {
    let channel = |at: usize| match inbox[at].from {
        Sender::Process(pid) | Sender::Receiver(pid) => pid,
        Sender::Courier { of, .. } => of,
    };
    let is_of_courier = |at: usize| matches!(inbox[at].from, Sender::Courier { .. });
    let tie_before = |other: usize, at: usize| match (inbox[other].from, inbox[at].from) {
        (Sender::Courier { tie: first, .. }, Sender::Courier { tie, .. }) => {
            first.comes_before(tie)
        }
        _ => false,
    };
    !matching.iter().any(|&other| {
        other < at
            && channel(other) == channel(at)
            && (!is_of_courier(other) || tie_before(other, at))
    })
}

/// `causal`: the send of another matching message happened before the send of this one.
fn is_after_another<V>(
    inbox: &[Message<V>],
    matching: &[usize],
    at: usize,
    receiver: PidId,
) -> bool {
    let past = &inbox[at].past;
    matching.iter().any(|&other| {
        let other = &inbox[other];
        past.contains(&(other.from, receiver, other.nth))
    })
}
