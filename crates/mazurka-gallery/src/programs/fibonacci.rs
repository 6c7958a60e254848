//! Fibonacci numbers with an actor for every call (a subject of Tasharofi et al. 2012).

use super::size;
use crate::count::power;
use crate::program::{Parameter, Program};
use crate::{Next, Pattern, Term, Turn, assert_equal, done, pattern, receive, start, tuple};

pub(super) const PROGRAM: Program = Program {
    name: "fibonacci",
    about: "an actor for every call computes the n-th Fibonacci number (TransDPOR's fib)",
    wrong: None,
    parameters: &[Parameter {
        // There are about twice as many actors as the number is great.
        max: 20,
        ..size("n", 5, 0, "which number")
    }],
    entry: |values| start!(main, values.get("n")),
    // The calls that make two others get their results in either order; there is one less
    // of them than of those that are answered at once, and each of these counts for one.
    traces: |values, _| power(2, (fibonacci(values.get("n")) - 1).max(0)),
};

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    let n = args.int(0)?;
    let root = turn.spawn(start!(call, turn.me()));
    turn.send(root, tuple!["fib", n]);
    receive(pattern!["result", Pattern::Integer], move |message, _| {
        assert_equal("the number", message.int(1)?, fibonacci(n))?;
        done()
    })
}

fn call(args: &Term, _: &mut Turn<'_>) -> Next {
    let parent = args.pid(0)?;
    receive(pattern!["fib", Pattern::Integer], move |message, turn| {
        let n = message.int(1)?;
        if n <= 2 {
            turn.send(parent, tuple!["result", n.min(1)]);
            return done();
        }
        for smaller in [n - 1, n - 2] {
            let child = turn.spawn(start!(call, turn.me()));
            turn.send(child, tuple!["fib", smaller]);
        }
        result(move |one, _| {
            result(move |other, turn| {
                turn.send(parent, tuple!["result", one + other]);
                done()
            })
        })
    })
}

fn result(then: impl Fn(i64, &mut Turn<'_>) -> Next + 'static) -> Next {
    receive(
        pattern!["result", Pattern::Integer],
        move |message, turn| then(message.int(1)?, turn),
    )
}

/// What the actors ought to find.
fn fibonacci(n: i64) -> i64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}
