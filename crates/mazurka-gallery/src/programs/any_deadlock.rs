//! A receive from any sender that takes the wrong message: a common error with MPI's any-source
//! receives.

use crate::built::Built;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Pid, hand_over, interchangeable, me, receive, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "any-deadlock",
    about: "a process receives a message from any sender but assumes a certain one; sends wait until they are received",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Deadlock,
        about: "it receives the other message first and sends to a process that is blocked in a send itself",
        when: |_, _| true,
    }),
    parameters: &[],
    build: |_| {
        interchangeable::<From>();
        Built::rust(p0)
    },
    traces: |_, _| Some(2),
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct From(Pid);

async fn p0() {
    let p0 = me();
    let p1 = spawn(move || p1(p0));
    spawn(move || p2(p0));
    receive! { From(_) => {} }
    hand_over(p1, From(p0)).await;
    receive! { From(_) => {} }
}

async fn p1(p0: Pid) {
    hand_over(p0, From(me())).await;
    receive! { From(sender) if sender == p0 => {} }
}

async fn p2(p0: Pid) {
    hand_over(p0, From(me())).await;
}
