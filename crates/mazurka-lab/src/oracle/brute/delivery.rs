//! The delivery models: which of the messages that wait a process is offered. The heart of
//! the oracle, word for word as they are defined.

use super::World;
use super::configuration::Configuration;
use super::history::{Message, Sender};
use super::process::{Process, Running};
use super::signal::strikes;
use mazurka_engine::Payload;
use mazurka_engine::Pid;
use mazurka_engine::{Demand, Frontend};
use mazurka_trace::Delivery;

/// What a receive, or a look for signals, may meet with. Messages by their place in the
/// inbox.
pub(super) enum Offer {
    /// A message to consume.
    Message(usize),
    /// A signal that ends the process.
    Strike(usize),
    /// Nothing: the receive times out, the look finds no signal.
    Nothing,
}

impl<F: Frontend> World<'_, F> {
    /// What a process that receives may meet with.
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
        let wanted = |payload: &Payload<F::Value>| match payload {
            Payload::Exit { .. } if strikes(payload, running.trapping) => true,
            Payload::Exit { .. } if !running.trapping => false,
            Payload::Answer(_) => false,
            payload => {
                let matched = self.frontend.matches(payload, constraint);
                matched.expect("all is modelled")
            }
        };
        let any_time = timeout_ms.is_some_and(|ms| self.may_fire(process, ms));
        let may_time_out = any_time || self.is_due(configuration, process);
        self.offers(process, running, wanted, may_time_out)
    }

    /// What a process may meet with that waits until its message is received: the news of that,
    /// or a signal.
    pub(super) fn offers_to_sender(
        &self,
        process: &Process<F>,
        running: &Running<F>,
    ) -> Vec<Offer> {
        let wanted = |payload: &Payload<F::Value>| {
            matches!(payload, Payload::Answer(_)) || strikes(payload, running.trapping)
        };
        self.offers(process, running, wanted, false)
    }

    /// What of the inbox may be taken now, if these messages are wanted.
    pub(super) fn offers(
        &self,
        process: &Process<F>,
        running: &Running<F>,
        wanted: impl Fn(&Payload<F::Value>) -> bool,
        may_find_nothing: bool,
    ) -> Vec<Offer> {
        let inbox = &process.inbox;
        let matching: Vec<usize> = (0..inbox.len())
            .filter(|&at| wanted(&inbox[at].payload))
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
            .map(|&at| match strikes(&inbox[at].payload, running.trapping) {
                true => Offer::Strike(at),
                false => Offer::Message(at),
            })
            .collect();
        let too_late = self.delivery == Delivery::Mailbox && !matching.is_empty();
        if may_find_nothing && !too_late {
            offers.push(Offer::Nothing);
        }
        offers
    }
}

/// `p2p`: no earlier one of the same sender matches. A life speaks for its process.
fn is_first_of_channel<V>(inbox: &[Message<V>], matching: &[usize], at: usize) -> bool {
    let channel = |at: usize| match inbox[at].from {
        Sender::Process(pid) | Sender::Life(pid) | Sender::Receiver(pid) => pid,
    };
    !matching
        .iter()
        .any(|&other| other < at && channel(other) == channel(at))
}

/// `causal`: another one that matches was sent before, and its sender knew.
fn is_after_another<V>(inbox: &[Message<V>], matching: &[usize], at: usize, receiver: Pid) -> bool {
    let past = &inbox[at].past;
    matching.iter().any(|&other| {
        let other = &inbox[other];
        past.contains(&(other.from, receiver, other.nth))
    })
}
