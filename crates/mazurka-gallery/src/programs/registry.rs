//! The registry example of the TransDPOR paper (Tasharofi et al. 2012, Figure 1).

use super::size;
use crate::built::Built;
use crate::count::factorial;
use crate::program::Program;
use mazurka::{Delivery, Pid, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "registry",
    about: "a master registers itself, then starts n workers that register too (TransDPOR, Figure 1)",
    delivery: mazurka::Delivery::Unordered,
    wrong: None,
    parameters: &[size("n", 2, 0, "the number of workers")],
    build: |values| {
        interchangeable::<RegisterAt>();
        interchangeable::<Member>();
        let n = values.count("n");
        Built::rust(move || master(n))
    },
    // The master registers before it wakes the workers: under causal delivery it is always the
    // first.
    traces: |values, delivery| match delivery {
        Delivery::Unordered | Delivery::P2p => factorial(values.get("n") + 1),
        Delivery::Causal | Delivery::Mailbox => factorial(values.get("n")),
    },
};

async fn master(n: usize) {
    start_group(n);
}

/// Registers the process at a new registry and starts `n` workers that register too.
pub(super) fn start_group(n: usize) {
    let registry = spawn(move || registry(n + 1));
    send(registry, Member(me()));
    let workers: Vec<Pid> = (0..n).map(|_| spawn(worker)).collect();
    for worker in workers {
        send(worker, RegisterAt(registry));
    }
}

/// Requests that a process register at a registry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RegisterAt(pub(super) Pid);

/// Registers a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Member(pub(super) Pid);

/// Receives `members` registrations.
pub(super) async fn registry(members: usize) {
    for _ in 0..members {
        receive::<Member>().await;
    }
}

async fn worker() {
    let RegisterAt(registry) = receive().await;
    send(registry, Member(me()));
}
