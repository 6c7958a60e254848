//! Exit signals: before each of its actions, a process checks for one.

use super::configuration::Configuration;
use super::delivery::Offer;
use super::history::{Letter, Message, Seen, Sender, Tie};
use super::process::{Process, Running};
use super::{Successors, World};
use mazurka_engine::PidId;
use mazurka_engine::{Action, Demand, Frontend, LivenessOperation};
use mazurka_engine::{Payload, Reason};

impl<F: Frontend> World<'_, F> {
    /// The results of a signal check: a signal ends the process, or it may act.
    pub(super) fn check_for_signals(
        &self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        running: &Running<F>,
    ) -> Successors<F> {
        // A kill ends the process with either value of the flag. So a kill before the flag is set is
        // equivalent to a kill after it, and only the latter is tried.
        let sets_flag = matches!(running.next_action(), Some(Action::TrapExit(_)));
        // Likewise a signal before an unlink is equivalent to one after it, except the signal of that
        // link.
        let unlinked = match running.demand {
            Demand::Liveness(LivenessOperation::Unlink(of)) if running.next_action().is_none() => {
                Some(of)
            }
            _ => None,
        };
        let is_of_link = |message: &Message<F::Value>| match message.from {
            Sender::Courier {
                of,
                tie: Tie::Linked | Tie::Link(..),
                ..
            } => unlinked == Some(of),
            _ => false,
        };
        let strikes_here = |message: &Message<F::Value>| {
            strikes(&message.letter, running.trapping)
                && !(sets_flag && is_kill(&message.letter))
                && (unlinked.is_none() || is_of_link(message))
        };
        let offers = self.offers(process, running, strikes_here, true);
        let meet = |offer| match offer {
            Offer::Strike(at) => configuration.strike(process.pid, at),
            Offer::Message(_) => unreachable!("a signal check takes no message"),
            Offer::Nothing => {
                let mut next = configuration.clone();
                next.process(process.pid).running().cleared = true;
                next
            }
        };
        offers.into_iter().map(meet).collect()
    }
}

impl<F: Frontend> Configuration<F> {
    /// A signal in the inbox ends the process.
    pub(super) fn strike(&self, pid: PidId, at: usize) -> Self {
        let mut next = self.clone();
        let process = next.process(pid);
        let message = process.inbox.remove(at);
        let receives = process.running().is_receiving();
        if receives && process.running().mode.is_daemon() {
            process.in_a_row = message.in_a_row;
        }
        let running = process.running();
        // Handing over a message is an action followed by a wait.
        let after = running.done + usize::from(running.issued) + process.acted_before;
        process.history.push(Seen::Struck {
            from: message.from,
            nth: message.nth,
            after,
        });
        message.extend_past(&mut process.past, pid);
        let Letter::Payload(Payload::Exit { reason, .. }) = message.letter else {
            unreachable!("only signals end a process")
        };
        process.ended = Some(match reason {
            Reason::Kill => Reason::Killed,
            other => other,
        });
        next
    }
}

fn is_kill<V>(letter: &Letter<V>) -> bool {
    let Letter::Payload(Payload::Exit { reason, .. }) = letter else {
        return false;
    };
    matches!(reason, Reason::Kill)
}

/// Whether a message ends its target.
pub(super) fn strikes<V: PartialEq>(letter: &Letter<V>, trapping: bool) -> bool {
    match letter {
        Letter::Payload(Payload::Exit { reason, .. }) => {
            *reason == Reason::Kill || !trapping && *reason != Reason::Normal
        }
        _ => false,
    }
}
