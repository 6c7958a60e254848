//! A client that repeats a request after a timeout and then gets the reply to the first one.

use super::switch;
use crate::built::Built;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Pid, daemon, interchangeable, me, receive, send, spawn};
use std::time::Duration;

pub(super) const PROGRAM: Program = Program {
    name: "retry-timeout",
    about: "a client repeats its request when the reply is late",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "the late reply to the first request is mistaken for the reply to the second",
        when: |values, _| values.get("fixed") == 0,
    }),
    parameters: &[switch(
        "fixed",
        "1: the client accepts only the reply with the reference of its request",
    )],
    build: |values| {
        interchangeable::<Request>();
        interchangeable::<Reply>();
        let fixed = values.is_on("fixed");
        Built::rust(move || client(fixed))
    },
    traces: |_, _| None,
};

/// Short enough to be able to fire at any time.
const PATIENCE: Duration = Duration::from_millis(100);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Request {
    id: u32,
    client: Pid,
}

/// The reply to the request with this number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Reply(u32);

async fn client(fixed: bool) {
    let server = spawn(server);
    let client = me();
    send(server, Request { id: 1, client });
    receive! {
        Reply(id) if !fixed || id == 1 => return,
        after PATIENCE => send(server, Request { id: 2, client }),
    }
    let id = receive! { Reply(id) if !fixed || id == 2 => id };
    assert_eq!(id, 2, "this is the reply to the other request");
}

async fn server() {
    daemon();
    loop {
        let Request { id, client } = receive().await;
        send(client, Reply(id));
    }
}
