//! Exit signals: a process that is about to act looks whether one strikes.

use super::configuration::Configuration;
use super::delivery::Offer;
use super::history::Seen;
use super::process::{Process, Running};
use super::{Successors, World};
use mazurka_engine::Pid;
use mazurka_engine::{Action, Frontend};
use mazurka_engine::{Payload, Reason};

impl<F: Frontend> World<'_, F> {
    /// The process is struck, or finds that it may act.
    pub(super) fn look_for_signals(
        &self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        running: &Running<F>,
    ) -> Successors<F> {
        // A kill strikes with either flag: before or after setting it is the same, so after.
        let sets_flag = matches!(running.next_action(), Some(Action::TrapExit(_)));
        let strikes_here = |payload: &Payload<F::Value>| {
            strikes(payload, running.trapping) && !(sets_flag && is_kill(payload))
        };
        let offers = self.offers(process, running, strikes_here, true);
        let meet = |offer| match offer {
            Offer::Strike(at) => configuration.strike(process.pid, at),
            Offer::Message(_) => unreachable!("it looks for what strikes"),
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
    pub(super) fn strike(&self, pid: Pid, at: usize) -> Self {
        let mut next = self.clone();
        let process = next.process(pid);
        let message = process.inbox.remove(at);
        let receives = process.running().is_receiving();
        if receives && process.running().daemon {
            process.in_a_row = message.in_a_row;
        }
        let running = process.running();
        // To hand a message over is to act, and then to wait.
        let after = running.done + usize::from(running.issued);
        process.history.push(Seen::Struck {
            from: message.from,
            nth: message.nth,
            after,
        });
        message.teach(&mut process.past, pid);
        let Payload::Exit { reason, .. } = message.payload else {
            unreachable!("only signals strike")
        };
        process.ended = Some(match reason {
            Reason::Kill => Reason::Killed,
            other => other,
        });
        next
    }
}

fn is_kill<V>(payload: &Payload<V>) -> bool {
    let Payload::Exit { reason, .. } = payload else {
        return false;
    };
    matches!(reason, Reason::Kill)
}

/// Whether a message ends its target.
pub(super) fn strikes<V: PartialEq>(payload: &Payload<V>, trapping: bool) -> bool {
    match payload {
        Payload::Exit { reason, .. } => {
            *reason == Reason::Kill || !trapping && *reason != Reason::Normal
        }
        _ => false,
    }
}
