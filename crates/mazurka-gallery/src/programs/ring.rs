//! Leader election in a ring (Chang and Roberts 1979).

use super::size;
use crate::program::Program;
use crate::{
    Next, Pattern, Term, Turn, assert_equal, assert_that, done, pattern, receive, receive_after,
    start, tuple,
};
use mazurka_engine::{Delivery, Pid};

pub(super) const PROGRAM: Program = Program {
    name: "ring",
    about: "n processes in a ring elect the one with the greatest number (Chang and Roberts)",
    wrong: None,
    parameters: &[size("n", 3, 1, "the number of processes")],
    entry: |values| start!(main, values.get("n")),
    // Each process hears of its predecessor only.
    traces: |_, delivery| (delivery != Delivery::Unordered).then_some(1),
};

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    let n = args.int(0)?;
    // The greatest first: then each number travels as far as it can.
    let nodes: Vec<_> = (1..=n)
        .rev()
        .map(|id| turn.spawn(start!(node, turn.me(), id)))
        .collect();
    for (&node, &next) in nodes.iter().zip(nodes.iter().cycle().skip(1)) {
        turn.send(node, tuple!["next", next]);
    }
    receive(pattern!["leader", Pattern::Integer], move |message, _| {
        assert_equal("the leader", message.int(1)?, n)?;
        all_agree(1, n)
    })
}

fn all_agree(i: i64, n: i64) -> Next {
    if i > n {
        // All have ended, so a second leader has said so by now.
        return receive_after(
            pattern!["leader", Pattern::Integer],
            0,
            |_, _| {
                assert_that(false, "there is one leader")?;
                done()
            },
            |_| done(),
        );
    }
    receive(pattern!["ended", i, Pattern::Integer], move |message, _| {
        assert_equal("the leader of one of them", message.int(2)?, n)?;
        all_agree(i + 1, n)
    })
}

fn node(args: &Term, _: &mut Turn<'_>) -> Next {
    let (main, id) = (args.pid(0)?, args.int(1)?);
    receive(pattern!["next", Pattern::Process], move |message, turn| {
        let next = message.pid(1)?;
        turn.send(next, tuple!["candidate", id]);
        elect(main, id, next)
    })
}

fn elect(main: Pid, id: i64, next: Pid) -> Next {
    let clauses = [
        pattern!["candidate", Pattern::Integer],
        pattern!["elected", Pattern::Integer],
    ];
    receive(Pattern::one_of(clauses), move |message, turn| {
        let other = message.int(1)?;
        if message.is_tagged("elected") {
            if other != id {
                turn.send(next, message.clone());
            }
            turn.send(main, tuple!["ended", id, other]);
            return done();
        }
        if other > id {
            turn.send(next, message.clone());
        } else if other == id {
            turn.send(main, tuple!["leader", id]);
            turn.send(next, tuple!["elected", id]);
        }
        elect(main, id, next)
    })
}
