//! A race beside a process that polls: who looks at every poll first never gets to the race.

use super::size;
use crate::built::Built;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Pid, interchangeable, me, receive, send, spawn};
use std::time::Duration;

pub(super) const PROGRAM: Program = Program {
    name: "polling",
    about: "any-assert, whose process then stops another one, which polls up to n times",
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
    // The poller finds that it must stop at one of its polls, or at none; if the assertion fails
    // there is nothing to find.
    traces: |values, _| Some(u128::try_from(values.get("n")).ok()? + 2),
};

/// What is sent, and what is expected not to be the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Value(i64);

/// What the poller looks for.
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
