//! The three processes of Vidal 2022, Figure 1.

use crate::built::Built;
use crate::program::Program;
use mazurka::{Pid, interchangeable, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "selective",
    about: "three messages; a selective receive accepts two of them: one race (Vidal 2022, Figure 1)",
    delivery: mazurka::Delivery::Mailbox,
    wrong: None,
    parameters: &[],
    build: |_| {
        interchangeable::<Val>();
        Built::rust(proc1)
    },
    traces: |_, _| Some(2),
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Val(i64);

async fn proc1() {
    let p2 = spawn(proc2);
    spawn(move || proc3(p2));
    send(p2, Val(1));
}

async fn proc2() {
    receive! {
        Val(m) if m > 0 => {}
        "error" => {}
    }
}

async fn proc3(p2: Pid) {
    send(p2, Val(0));
    send(p2, Val(2));
}
