//! A race beside a process that polls. A search that explores every poll first takes long to reach the
//! race.

use super::size;
use crate::built::Built;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Pid, interchangeable, me, receive, send, spawn};
use std::time::Duration;

pub(super) const PROGRAM: Program = Program {
    name: "polling",
    about: "like any-assert, but the process then stops another one, which polls up to n times",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "1 comes last",
        when: |_, _| true,
    }),
    parameters: &[size("n", 200, 1, "the number of polls")],
    build: |values| {
        interchangeable::<Value>();
        let polls = values.get("n");
        Built::rust(move || p0(polls))
    },
    // The poller receives the stop message at one of its polls, or at none. If the assertion
    // fails, there is no stop message.
    traces: |values, _| Some(u128::try_from(values.get("n")).ok()? + 2),
};

/// A message. The value 1 must not be the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Value(i64);

/// The message that ends the polling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Stop;

async fn p0(polls: i64) {
    let p0 = me();
    spawn(move || sender(p0, 1));
    spawn(move || sender(p0, 0));
    let poller = spawn(move || poller(polls));
    receive! { Value(_) => {} }
    let last = receive! { Value(last) => last };
    assert_ne!(last, 1, "1 comes first");
    send(poller, Stop);
}

async fn sender(p0: Pid, value: i64) {
    send(p0, Value(value));
}

async fn poller(polls: i64) {
    for _ in 0..polls {
        receive! {
            Stop => return,
            after Duration::ZERO => {}
        }
    }
}
