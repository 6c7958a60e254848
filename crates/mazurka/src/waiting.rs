//! The future behind every wait of a process: it makes a demand and is woken with the answer.

use crate::message::Incoming;
use crate::stage::{self, Demand, Given, Wake};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Makes a demand of the program's process and waits for its answer.
///
/// It holds a closure that makes the demand instead of the demand, to keep futures small.
#[must_use = "it does nothing unless it is awaited"]
pub(crate) struct Waiting<D, A> {
    call: &'static str,
    demand: Option<D>,
    /// Decides whether the process would take a message.
    takes: A,
}

/// A demand whose process is not asked which messages it takes.
pub(crate) fn wait<D: FnOnce() -> Demand>(
    call: &'static str,
    demand: D,
) -> Waiting<D, impl Fn(&Incoming) -> bool> {
    wait_asked(call, demand, |_| false)
}

/// A demand whose process is asked which messages it takes.
pub(crate) fn wait_asked<D: FnOnce() -> Demand, A: Fn(&Incoming) -> bool>(
    call: &'static str,
    demand: D,
    takes: A,
) -> Waiting<D, A> {
    Waiting {
        call,
        demand: Some(demand),
        takes,
    }
}

/// Nothing in it is pinned.
impl<D, A> Unpin for Waiting<D, A> {}

impl<D: FnOnce() -> Demand, A: Fn(&Incoming) -> bool> Future for Waiting<D, A> {
    type Output = Given;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Given> {
        if let Some(demand) = self.demand.take() {
            stage::demand(self.call, demand());
            return Poll::Pending;
        }
        match stage::woken() {
            Some(Wake::Given(given)) => Poll::Ready(given),
            Some(Wake::Probe(message)) => {
                let verdict = (self.takes)(&message);
                stage::answer_probe(verdict);
                Poll::Pending
            }
            None => Poll::Pending,
        }
    }
}
