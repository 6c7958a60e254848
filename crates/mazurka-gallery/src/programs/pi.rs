//! An approximation of π by several workers (a subject of Tasharofi et al. 2012).

use super::size;
use crate::count::factorial;
use crate::program::Program;
use crate::{Next, Pattern, Term, Turn, assert_that, done, pattern, receive, start, tuple};
use mazurka_engine::Pid;
use std::rc::Rc;

pub(super) const PROGRAM: Program = Program {
    name: "pi",
    about: "a master adds up what n workers integrate, then stops them (TransDPOR's pi)",
    wrong: None,
    parameters: &[size("n", 5, 1, "the number of workers")],
    entry: |values| start!(main, values.get("n")),
    traces: |values, _| factorial(values.get("n")),
};

/// π is the integral of 4 / (1 + x²) from 0 to 1; the sum has so many terms.
const INTERVALS: i64 = 1000;

/// All numbers are in billionths, so that no sum depends on the order of its terms.
const UNIT: i64 = 1_000_000_000;

const PI: i64 = 3_141_592_654;

/// The workers are there before the master is.
fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    let n = args.int(0)?;
    let workers = (0..n)
        .map(|i| Term::Pid(turn.spawn(start!(worker, i, n))))
        .collect();
    turn.spawn(start!(master, Term::Tuple(workers)));
    done()
}

fn master(args: &Term, turn: &mut Turn<'_>) -> Next {
    let Term::Tuple(workers) = args.at(0)? else {
        return done();
    };
    let workers: Rc<[Pid]> = workers.iter().map(Term::as_pid).collect::<Result<_, _>>()?;
    for &worker in workers.iter() {
        turn.send(worker, tuple!["integrate", turn.me()]);
    }
    add_up(workers, 0, 0)
}

fn add_up(workers: Rc<[Pid]>, sums: usize, total: i64) -> Next {
    receive(pattern!["sum", Pattern::Integer], move |message, turn| {
        let (sums, total) = (sums + 1, total + message.int(1)?);
        if sums < workers.len() {
            return add_up(workers.clone(), sums, total);
        }
        for &worker in workers.iter() {
            turn.send(worker, Term::Atom("stop"));
        }
        let error = (total / INTERVALS - PI).abs();
        assert_that(error < 1000, "the sum is near π")?;
        done()
    })
}

fn worker(args: &Term, _: &mut Turn<'_>) -> Next {
    let (i, n) = (args.int(0)?, args.int(1)?);
    receive(
        pattern!["integrate", Pattern::Process],
        move |message, turn| {
            turn.send(message.pid(1)?, tuple!["sum", share(i, n)]);
            receive(Pattern::from("stop"), |_, _| done())
        },
    )
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
