//! A shared counter: additions race with each other, reads only with additions.

use super::size;
use crate::built::Built;
use crate::count::{choose, factorial};
use crate::program::Program;
use mazurka::{Counter, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "counter",
    about: "n processes add one to a shared counter while another one reads it",
    delivery: mazurka::Delivery::Mailbox,
    wrong: None,
    parameters: &[
        size("n", 2, 0, "the number of processes that add"),
        size("reads", 1, 0, "the number of reads"),
    ],
    build: |values| {
        let (n, reads) = (values.count("n"), values.count("reads"));
        Built::rust(move || reader(n, reads))
    },
    // The additions occur in any order, and the reads anywhere between them.
    traces: |values, _| {
        let (n, reads) = (values.get("n"), values.get("reads"));
        factorial(n)?.checked_mul(choose(n + reads, reads)?)
    },
};

/// Processes refer to the counter by its name.
fn hits() -> Counter {
    Counter::new("hits")
}

async fn reader(n: usize, reads: usize) {
    for _ in 0..n {
        spawn(adder);
    }
    let mut last = 0;
    for _ in 0..reads {
        let count = hits().get().await;
        // The counter never decreases.
        assert!(count >= last);
        last = count;
    }
}

async fn adder() {
    hits().add(1).await;
}
