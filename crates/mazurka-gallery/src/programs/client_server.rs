//! Clients that repeatedly send a request to a server and wait for the reply.

use super::size;
use crate::built::Built;
use crate::count::merges;
use crate::program::Program;
use crate::{Next, Pattern, Term, Turn, done, pattern, receive, start, tuple};
use mazurka_engine::PidId;

pub(super) const PROGRAM: Program = Program {
    name: "client-server",
    about: "each client sends several requests to the server and waits for each reply",
    delivery: mazurka::Delivery::Mailbox,
    wrong: None,
    parameters: &[
        size("clients", 2, 0, "the number of clients"),
        size("rounds", 2, 0, "the number of requests of each client"),
    ],
    build: |values| Built::actors(start!(server, values.get("clients"), values.get("rounds"))),
    traces: |values, _| merges(values.get("clients"), values.get("rounds")),
};

fn server(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (clients, rounds) = (args.int(0)?, args.int(1)?);
    for _ in 0..clients {
        turn.spawn(start!(client, turn.me(), rounds));
    }
    serve(clients * rounds)
}

fn serve(left: i64) -> Next {
    if left == 0 {
        return done();
    }
    receive(
        pattern!["request", Pattern::Process],
        move |message, turn| {
            turn.send(message.pid(1)?, Term::Atom("reply"));
            serve(left - 1)
        },
    )
}

fn client(args: &Term, turn: &mut Turn<'_>) -> Next {
    request(args.pid(0)?, args.int(1)?, turn)
}

fn request(server: PidId, left: i64, turn: &mut Turn<'_>) -> Next {
    if left == 0 {
        return done();
    }
    turn.send(server, tuple!["request", turn.me()]);
    receive(Pattern::from("reply"), move |_, turn| {
        request(server, left - 1, turn)
    })
}
