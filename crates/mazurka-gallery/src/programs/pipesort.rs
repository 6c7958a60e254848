//! Sorting in a pipeline (a subject of Tasharofi et al. 2012, after Sen and Agha 2006).

use super::size;
use crate::built::Built;
use crate::count::factorial;
use crate::program::{Program, Values};
use mazurka::{Delivery, Pid, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "pipesort",
    about: "each stage of a pipeline keeps the least of its numbers (TransDPOR's pipesort)",
    delivery: mazurka::Delivery::Unordered,
    wrong: None,
    parameters: &[size("n", 4, 1, "the number of numbers")],
    build: |values| {
        interchangeable::<Push>();
        interchangeable::<Feed>();
        let n = values.get("n");
        Built::rust(move || source(n))
    },
    traces,
};

/// Each stage gets one number less than the previous one; under `unordered`, in any order.
fn traces(values: &Values, delivery: Delivery) -> Option<u128> {
    match delivery {
        Delivery::Unordered => (1..=values.get("n")).try_fold(1_u128, |product, numbers| {
            product.checked_mul(factorial(numbers)?)
        }),
        _ => Some(1),
    }
}

/// A number for the next stage.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Push(i64);

/// The number of numbers that are left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Feed(i64);

/// Sends one number at a time, the greatest first. Between two numbers the source sends itself the
/// count of those that are left.
async fn source(n: i64) {
    let first = spawn(move || stage(1, n));
    let mut left = n;
    while left > 0 {
        send(first, Push(left));
        send(me(), Feed(left - 1));
        Feed(left) = receive().await;
    }
}

async fn stage(place: i64, n: i64) {
    let Push(mut kept) = receive().await;
    let mut next: Option<Pid> = None;
    for _ in place..n {
        let Push(number) = receive().await;
        // The next stage is started when it is needed.
        let next = *next.get_or_insert_with(|| spawn(move || stage(place + 1, n)));
        send(next, Push(kept.max(number)));
        kept = kept.min(number);
    }
    assert_eq!(kept, place, "every number is at its place");
}
