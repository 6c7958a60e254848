//! Independent pairs of processes.

use super::size;
use crate::built::Built;
use crate::program::Program;
use crate::{Next, Pattern, Term, Turn, done, pattern, receive, start, tuple};

pub(super) const PROGRAM: Program = Program {
    name: "pairs",
    about: "n independent pairs of processes play ping-pong: no race for any n",
    delivery: mazurka::Delivery::Mailbox,
    wrong: None,
    parameters: &[size("n", 3, 0, "the number of pairs")],
    build: |values| Built::actors(start!(main, values.get("n"))),
    traces: |_, _| Some(1),
};

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    for _ in 0..args.int(0)? {
        turn.spawn(start!(ping));
    }
    done()
}

fn ping(_: &Term, turn: &mut Turn<'_>) -> Next {
    let pong = turn.spawn(start!(pong));
    turn.send(pong, tuple!["ping", turn.me()]);
    receive(Pattern::from("pong"), |_, _| done())
}

fn pong(_: &Term, _: &mut Turn<'_>) -> Next {
    receive(pattern!["ping", Pattern::Process], |message, turn| {
        turn.send(message.pid(1)?, Term::Atom("pong"));
        done()
    })
}
