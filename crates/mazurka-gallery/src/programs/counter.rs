//! A shared counter: additions race with each other, reads only with additions.

use super::size;
use crate::count::{choose, factorial};
use crate::program::Program;
use crate::{Next, Term, Turn, ask, assert_that, done, number, start};
use mazurka_engine::Operation;

pub(super) const PROGRAM: Program = Program {
    name: "counter",
    about: "n processes add one to a shared counter while another one reads it",
    wrong: None,
    parameters: &[
        size("n", 2, 0, "the number of processes that add"),
        size("reads", 1, 0, "how often the counter is read"),
    ],
    entry: |values| start!(reader, values.get("n"), values.get("reads")),
    // The additions in any order, and the reads somewhere between them.
    traces: |values, _| {
        let (n, reads) = (values.get("n"), values.get("reads"));
        factorial(n)?.checked_mul(choose(n + reads, reads)?)
    },
};

const COUNTER: Term = Term::Atom("hits");

fn reader(args: &Term, turn: &mut Turn<'_>) -> Next {
    for _ in 0..args.int(0)? {
        turn.spawn(start!(adder));
    }
    read(args.int(1)?, 0)
}

fn read(left: i64, last: i64) -> Next {
    if left == 0 {
        return done();
    }
    ask(Operation::Count { counter: COUNTER }, move |answer, _| {
        let count = number(answer)?;
        assert_that(count >= last, "the counter never goes down")?;
        read(left - 1, count)
    })
}

fn adder(_: &Term, _: &mut Turn<'_>) -> Next {
    let add = Operation::Add {
        counter: COUNTER,
        amount: 1,
    };
    ask(add, |_, _| done())
}
