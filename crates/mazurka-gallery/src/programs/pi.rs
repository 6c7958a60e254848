//! An approximation of π by several workers (a subject of Tasharofi et al. 2012).

use super::size;
use crate::built::Built;
use crate::count::factorial;
use crate::program::Program;
use mazurka::{Pid, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "pi",
    about: "a master adds up the partial sums of n workers, then stops them (TransDPOR's pi)",
    delivery: mazurka::Delivery::Unordered,
    wrong: None,
    parameters: &[size("n", 5, 1, "the number of workers")],
    build: |values| {
        interchangeable::<Integrate>();
        interchangeable::<Sum>();
        let n = values.get("n");
        Built::rust(move || main(n))
    },
    traces: |values, _| factorial(values.get("n")),
};

/// π is the integral of 4 / (1 + x²) from 0 to 1; the sum has this number of terms.
const INTERVALS: i64 = 1000;

/// All numbers are in billionths, so that no sum depends on the order of its terms.
const UNIT: i64 = 1_000_000_000;

const PI: i64 = 3_141_592_654;

/// The master's request to a worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Integrate {
    master: Pid,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Stop;

/// The partial sum of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sum(i64);

/// Starts the workers before the master.
async fn main(n: i64) {
    let workers: Vec<Pid> = (0..n).map(|i| spawn(move || worker(i, n))).collect();
    spawn(move || master(workers));
}

async fn master(workers: Vec<Pid>) {
    for &worker in &workers {
        send(worker, Integrate { master: me() });
    }
    let mut total = 0;
    for _ in &workers {
        let Sum(sum) = receive().await;
        total += sum;
    }
    for worker in workers {
        send(worker, Stop);
    }
    let error = (total / INTERVALS - PI).abs();
    assert!(error < 1000);
}

async fn worker(i: i64, n: i64) {
    let Integrate { master } = receive().await;
    send(master, Sum(share(i, n)));
    let Stop = receive().await;
}

/// Every n-th term from the i-th on: 4 / (1 + x²) in the middle of an interval, where x is
/// (2k + 1) / 2m for the k-th of m intervals.
fn share(i: i64, n: i64) -> i64 {
    let square = |number: i64| number * number;
    let width = square(2 * INTERVALS);
    (0..INTERVALS)
        .filter(|k| k % n == i)
        .map(|k| 4 * UNIT * width / (width + square(2 * k + 1)))
        .sum()
}
