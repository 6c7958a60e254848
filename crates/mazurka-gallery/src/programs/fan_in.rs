//! Many senders, and one receiver that accepts the messages in any order.

use super::size;
use crate::built::Built;
use crate::count::factorial;
use crate::program::Program;
use crate::{Next, Pattern, Term, Turn, done, receive, start};

pub(super) const PROGRAM: Program = Program {
    name: "fan-in",
    about: "n processes send one message each to a receiver that accepts them in any order",
    delivery: mazurka::Delivery::Mailbox,
    wrong: None,
    parameters: &[size("n", 3, 0, "the number of senders")],
    build: |values| Built::actors(start!(receiver, values.get("n"))),
    traces: |values, _| factorial(values.get("n")),
};

fn receiver(args: &Term, turn: &mut Turn<'_>) -> Next {
    let n = args.int(0)?;
    for i in 1..=n {
        turn.spawn(start!(sender, turn.me(), i));
    }
    take(n)
}

fn take(left: i64) -> Next {
    if left == 0 {
        return done();
    }
    receive(Pattern::Any, move |_, _| take(left - 1))
}

fn sender(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.send(args.pid(0)?, Term::Int(args.int(1)?));
    done()
}
