//! Two receives from any sender, and an assertion that holds for one order of the messages only.

use crate::built::Built;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Pid, distance, hand_over, interchangeable, me, receive, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "any-assert",
    about: "a process receives two messages from any sender and asserts that 1 is not the last",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "1 comes last",
        when: |_, _| true,
    }),
    parameters: &[],
    build: |_| {
        interchangeable::<Value>();
        Built::rust(p0)
    },
    traces: |_, _| Some(2),
};

/// A message. The value 1 must not be the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Value(i64);

async fn p0() {
    let p0 = me();
    spawn(move || sender(p0, 1));
    spawn(move || sender(p0, 0));
    distance(2);
    receive! { Value(_) => {} }
    distance(1);
    let last = receive! { Value(last) => last };
    assert_ne!(last, 1, "1 comes first");
}

async fn sender(p0: Pid, value: i64) {
    hand_over(p0, Value(value)).await;
}
