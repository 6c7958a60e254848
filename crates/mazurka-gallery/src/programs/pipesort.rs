//! Sorting in a pipeline (a subject of Tasharofi et al. 2012, after Sen and Agha 2006).

use super::size;
use crate::count::factorial;
use crate::program::{Program, Values};
use crate::{Next, Pattern, Term, Turn, assert_equal, done, pattern, receive, start, tuple};
use mazurka_engine::{Delivery, Pid};

pub(super) const PROGRAM: Program = Program {
    name: "pipesort",
    about: "each stage of a pipeline keeps the least of its numbers (TransDPOR's pipesort)",
    wrong: None,
    parameters: &[size("n", 4, 1, "how many numbers")],
    entry: |values| start!(source, values.get("n")),
    traces,
};

/// Each stage gets one number less than the one before it, in any order if the order in
/// which they were sent does not count.
fn traces(values: &Values, delivery: Delivery) -> Option<u128> {
    match delivery {
        Delivery::Unordered => (1..=values.get("n")).try_fold(1_u128, |product, numbers| {
            product.checked_mul(factorial(numbers)?)
        }),
        _ => Some(1),
    }
}

fn source(args: &Term, turn: &mut Turn<'_>) -> Next {
    let n = args.int(0)?;
    let first = turn.spawn(start!(stage, 1, n));
    feed(n, first, turn)
}

/// One number at a time, the greatest first. In between the source reminds itself of what
/// is left.
fn feed(left: i64, first: Pid, turn: &mut Turn<'_>) -> Next {
    if left == 0 {
        return done();
    }
    turn.send(first, tuple!["push", left]);
    turn.send(turn.me(), tuple!["feed", left - 1]);
    receive(pattern!["feed", Pattern::Integer], move |message, turn| {
        feed(message.int(1)?, first, turn)
    })
}

fn stage(args: &Term, _: &mut Turn<'_>) -> Next {
    let (place, n) = (args.int(0)?, args.int(1)?);
    pushed(move |number, _| keep(place, n, number, n - place, None))
}

/// Passes the greater of two numbers on. The next stage is made when it is needed.
fn keep(place: i64, n: i64, kept: i64, left: i64, next: Option<Pid>) -> Next {
    if left == 0 {
        assert_equal(&format!("the number at place {place}"), kept, place)?;
        return done();
    }
    pushed(move |number, turn| {
        let next = next.unwrap_or_else(|| turn.spawn(start!(stage, place + 1, n)));
        turn.send(next, tuple!["push", kept.max(number)]);
        keep(place, n, kept.min(number), left - 1, Some(next))
    })
}

fn pushed(then: impl Fn(i64, &mut Turn<'_>) -> Next + 'static) -> Next {
    receive(pattern!["push", Pattern::Integer], move |message, turn| {
        then(message.int(1)?, turn)
    })
}
