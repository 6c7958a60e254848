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
        // The number of actors is about twice the Fibonacci number.
        max: 20,
        ..size("n", 5, 0, "the index of the number")
    }],
    build: |values| {
        interchangeable::<Call>();
        interchangeable::<Return>();
        let n = values.get("n");
        Built::rust(move || main(n))
    },
    // An inner call gets its two results in either order. There is one inner call less than
    // there are leaves, and the number of leaves is the Fibonacci number.
    traces: |values, _| power(2, (fibonacci(values.get("n")) - 1).max(0)),
};

/// Requests the Fibonacci number with this index.
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

/// The expected result.
fn fibonacci(n: i64) -> i64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}
