//! The delivery models: which waiting messages a receive may consume. This follows their definitions
//! literally.

use super::World;
use super::configuration::Configuration;
use super::history::{Letter, Message, Seen, Sender};
use super::process::{Process, Running};
use super::signal::strikes;
use mazurka_engine::Payload;
use mazurka_engine::Pid;
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
        let wanted = |letter: &Letter<F::Value>| match letter {
            Letter::Payload(Payload::Exit { .. }) if strikes(letter, running.trapping) => true,
            Letter::Payload(Payload::Exit { .. }) if !running.trapping => false,
            Letter::Receipt => false,
            Letter::Payload(payload) => {
                let matched = self.frontend.matches(payload, constraint);
                matched.expect("all is modelled")
            }
        };
        let any_time = timeout_ms.is_some_and(|ms| self.may_fire(process, ms));
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
        let wanted = |letter: &Letter<F::Value>| {
            matches!(letter, Letter::Receipt) || strikes(letter, running.trapping)
        };
        self.offers(process, running, wanted, false)
    }

    /// The messages and signals in the inbox that may be consumed now, if these messages match.
    pub(super) fn offers(
        &self,
        process: &Process<F>,
        running: &Running<F>,
        wanted: impl Fn(&Letter<F::Value>) -> bool,
        may_find_nothing: bool,
    ) -> Vec<Offer> {
        let inbox = &process.inbox;
        let matching: Vec<usize> = (0..inbox.len())
            .filter(|&at| wanted(&inbox[at].letter))
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
    /// liveness of a process sends after the process.
    fn has_surely_arrived(&self, message: &Message<F::Value>) -> bool {
        let is_own = message.from == Sender::Process(self.pid);
        let later = |seen: &Seen<KeyOf<F>>| match (seen, message.from) {
            (Seen::Message { from, nth }, sender) if *from == sender => *nth > message.nth,
            (
                Seen::Message {
                    from: Sender::Liveness(of),
                    ..
                },
                Sender::Process(sender),
            ) => *of == sender,
            _ => false,
        };
        is_own || self.history.iter().any(later)
    }
}

/// `p2p`: no earlier message of the same sender matches. The liveness of a process counts as the same
/// sender.
fn is_first_of_channel<V>(inbox: &[Message<V>], matching: &[usize], at: usize) -> bool {
    let channel = |at: usize| match inbox[at].from {
        Sender::Process(pid) | Sender::Liveness(pid) | Sender::Receiver(pid) => pid,
    };
    !matching
        .iter()
        .any(|&other| other < at && channel(other) == channel(at))
}

/// `causal`: the send of another matching message happened before the send of this one.
fn is_after_another<V>(inbox: &[Message<V>], matching: &[usize], at: usize, receiver: Pid) -> bool {
    let past = &inbox[at].past;
    matching.iter().any(|&other| {
        let other = &inbox[other];
        past.contains(&(other.from, receiver, other.nth))
    })
}
