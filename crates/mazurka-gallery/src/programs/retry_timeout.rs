//! A client that loses patience, asks again, and hears the reply to its first request.

use super::switch;
use crate::program::{Mistake, Program, Wrong};
use crate::{
    Next, Pattern, Term, Turn, assert_equal, done, pattern, receive, receive_after, start, tuple,
};
use mazurka_engine::Pid;

pub(super) const PROGRAM: Program = Program {
    name: "retry-timeout",
    about: "a client asks again when a reply is late",
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "the late reply to the first request is taken for the reply to the second",
        when: |values, _| values.get("fixed") == 0,
    }),
    parameters: &[switch(
        "fixed",
        "1: the client takes only the reply that carries its reference",
    )],
    entry: |values| start!(client, values.get("fixed")),
    traces: |_, _| None,
};

/// Short enough to be able to fire at any time.
const PATIENCE_MS: u64 = 100;

fn client(args: &Term, turn: &mut Turn<'_>) -> Next {
    let fixed = args.int(0)? == 1;
    let server = turn.spawn(start!(server));
    request(server, 1, turn);
    receive_after(
        reply_to(1, fixed),
        PATIENCE_MS,
        |_, _| done(),
        move |turn| {
            request(server, 2, turn);
            receive(reply_to(2, fixed), |message, _| {
                assert_equal("the request that this is the reply to", message.int(1)?, 2)?;
                done()
            })
        },
    )
}

fn request(server: Pid, reference: i64, turn: &mut Turn<'_>) {
    turn.send(server, tuple!["request", turn.me(), reference]);
}

fn reply_to(reference: i64, fixed: bool) -> Pattern {
    match fixed {
        true => Pattern::from(tuple!["reply", reference]),
        false => pattern!["reply", Pattern::Integer],
    }
}

fn server(_: &Term, turn: &mut Turn<'_>) -> Next {
    turn.daemon();
    let request = pattern!["request", Pattern::Process, Pattern::Integer];
    receive(request, |message, turn| {
        turn.send(message.pid(1)?, tuple!["reply", message.int(2)?]);
        server(message, turn)
    })
}
