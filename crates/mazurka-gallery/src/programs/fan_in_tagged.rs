//! Many senders, and one receiver that accepts the messages in a fixed order.

use super::size;
use crate::built::Built;
use crate::program::Program;
use crate::{Next, Pattern, Term, Turn, done, receive, start, tuple};

pub(super) const PROGRAM: Program = Program {
    name: "fan-in-tagged",
    about: "as fan-in, but a selective receive takes the messages in a fixed order: no race",
    delivery: mazurka::Delivery::Mailbox,
    wrong: None,
    parameters: &[size("n", 3, 0, "the number of senders")],
    build: |values| Built::actors(start!(receiver, values.get("n"))),
    traces: |_, _| Some(1),
};

fn receiver(args: &Term, turn: &mut Turn<'_>) -> Next {
    let n = args.int(0)?;
    for i in 1..=n {
        turn.spawn(start!(sender, turn.me(), i));
    }
    take(1, n)
}

fn take(i: i64, n: i64) -> Next {
    if i > n {
        return done();
    }
    receive(Pattern::from(tuple!["from", i]), move |_, _| take(i + 1, n))
}

fn sender(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.send(args.pid(0)?, tuple!["from", args.int(1)?]);
    done()
}
