//! Quicksort with an actor for every part (a subject of Tasharofi et al. 2012).

use super::size;
use crate::built::Built;
use crate::count::power;
use crate::program::Program;
use mazurka::{Pid, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "quicksort",
    about: "an actor for every part of a list of n numbers sorts it (TransDPOR's quicksort)",
    delivery: mazurka::Delivery::Unordered,
    wrong: None,
    parameters: &[size("n", 6, 1, "the number of numbers")],
    build: |values| {
        interchangeable::<Sort>();
        interchangeable::<Sorted>();
        let n = values.count("n");
        Built::rust(move || main(n))
    },
    // Every part with two or more numbers receives its halves in either order.
    traces: |values, _| power(2, values.get("n") - 1),
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sort {
    unsorted: Vec<i64>,
    /// The process that requested it.
    parent: Option<Pid>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sorted(Vec<i64>);

async fn main(n: usize) {
    let (unsorted, parent) = (numbers(n), None);
    send(spawn(sorter), Sort { unsorted, parent });
}

/// Distinct, unsorted numbers: powers of a primitive root of the prime 1009. The first six are split
/// evenly, but not as evenly as possible.
fn numbers(n: usize) -> Vec<i64> {
    std::iter::successors(Some(92), |number| Some(number * 11 % 1009))
        .take(n)
        .collect()
}

async fn sorter() {
    let Sort { unsorted, parent } = receive().await;
    let sorted = match unsorted.len() < 2 {
        true => unsorted,
        false => sort(&unsorted).await,
    };
    match parent {
        Some(parent) => send(parent, Sorted(sorted)),
        // The root reports to no process. It checks the list itself.
        None => assert!(sorted.is_sorted()),
    }
}

async fn sort(unsorted: &[i64]) -> Vec<i64> {
    for unsorted in split(unsorted) {
        let parent = Some(me());
        send(spawn(sorter), Sort { unsorted, parent });
    }
    // They arrive in either order; their first elements show which is the lower half.
    let mut halves = [receive().await, receive().await].map(|Sorted(half)| half);
    halves.sort_by_key(|half| half[0]);
    halves.concat()
}

/// The pivot goes to the shorter half, so that neither is empty.
fn split(unsorted: &[i64]) -> [Vec<i64>; 2] {
    let pivot = unsorted[0];
    let (mut low, mut high): (Vec<_>, Vec<_>) =
        unsorted[1..].iter().partition(|&&number| number < pivot);
    match high.len() <= low.len() {
        true => high.push(pivot),
        false => low.push(pivot),
    }
    [low, high]
}
