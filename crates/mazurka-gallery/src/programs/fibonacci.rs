//! Fibonacci numbers with an actor for every call (a subject of Tasharofi et al. 2012).

use super::size;
use crate::built::Built;
use crate::count::power;
use crate::program::{Parameter, Program};
use mazurka::{Pid, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "fibonacci",
    about: "an actor for every call computes the n-th Fibonacci number (TransDPOR's fib)",
    delivery: mazurka::Delivery::Unordered,
    wrong: None,
    parameters: &[Parameter {
        // There are about twice as many actors as the number is great.
        max: 20,
        ..size("n", 5, 0, "which number")
    }],
    build: |values| {
        interchangeable::<Call>();
        interchangeable::<Return>();
        let n = values.get("n");
        Built::rust(move || main(n))
    },
    // The calls that make two others get their results in either order; there is one less
    // of them than of those that are answered at once, and each of these counts for one.
    traces: |values, _| power(2, (fibonacci(values.get("n")) - 1).max(0)),
};

/// Asks for the number of this index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Call(i64);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Return(i64);

async fn main(n: i64) {
    let main = me();
    let root = spawn(move || call(main));
    send(root, Call(n));
    let Return(number) = receive().await;
    assert_eq!(number, fibonacci(n));
}

async fn call(parent: Pid) {
    let Call(n) = receive().await;
    if n <= 2 {
        return send(parent, Return(n.min(1)));
    }
    let me = me();
    for smaller in [n - 1, n - 2] {
        let child = spawn(move || call(me));
        send(child, Call(smaller));
    }
    let (Return(one), Return(other)) = (receive().await, receive().await);
    send(parent, Return(one + other));
}

/// What the actors ought to find.
fn fibonacci(n: i64) -> i64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}
