//! A process that reads state that the engine cannot see.

use crate::built::Built;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Pid, me, receive, send, spawn};
use std::sync::atomic::{AtomicI64, Ordering};

pub(super) const PROGRAM: Program = Program {
    name: "nondeterministic",
    about: "a process sends a number from a hidden global variable",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Nondeterminism,
        about: "the process sends a different message each time it runs, on the same inputs (found with --distrust)",
        when: |_, _| true,
    }),
    parameters: &[],
    build: |_| Built::rust(receiver),
    traces: |_, _| None,
};

/// Hidden state, which a deterministic process must not read.
static HIDDEN: AtomicI64 = AtomicI64::new(0);

async fn receiver() {
    let receiver = me();
    spawn(move || sender(receiver));
    receive::<i64>().await;
}

async fn sender(receiver: Pid) {
    let number = HIDDEN.fetch_add(1, Ordering::Relaxed);
    send(receiver, number);
}
