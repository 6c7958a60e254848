//! Dining philosophers; the forks are processes.

use super::{size, switch};
use crate::built::Built;
use crate::count::power;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Pid, daemon, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "philosophers",
    about: "n philosophers at a round table share n forks and eat once each",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Deadlock,
        about: "every philosopher has taken the left fork and waits for the right one",
        when: |values, _| values.get("fixed") == 0,
    }),
    parameters: &[
        size("n", 3, 2, "the number of philosophers"),
        switch(
            "fixed",
            "1: the last philosopher takes the right fork first",
        ),
    ],
    build: |values| {
        interchangeable::<Hand>();
        interchangeable::<Taken>();
        interchangeable::<Sated>();
        let (n, fixed) = (values.count("n"), values.is_on("fixed"));
        Built::rust(move || table(n, fixed))
    },
    // Each fork goes first to one of its two neighbours. It is impossible that all go first to the
    // right; that all go first to the left is the deadlock, and impossible if fixed.
    traces: |values, _| {
        let impossible = 1 + u128::try_from(values.get("fixed")).ok()?;
        power(2, values.get("n"))?.checked_sub(impossible)
    },
};

/// A message of a philosopher to a fork.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Hand {
    Take(Pid),
    Put(Pid),
}

/// The philosopher has this fork.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Taken(Pid);

/// The philosopher with this number has eaten.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sated(usize);

async fn table(n: usize, fixed: bool) {
    let table = me();
    let forks: Vec<Pid> = (0..n).map(|_| spawn(fork)).collect();
    let right = forks.iter().cycle().skip(1);
    for ((i, &left), &right) in (1..).zip(&forks).zip(right) {
        let (first, second) = match fixed && i == n {
            true => (right, left),
            false => (left, right),
        };
        spawn(move || philosopher(table, i, first, second));
    }
    // Receive in a fixed order, so that the table adds no races.
    for i in 1..=n {
        receive! { Sated(who) if who == i => {} }
    }
}

async fn philosopher(table: Pid, i: usize, first: Pid, second: Pid) {
    for fork in [first, second] {
        send(fork, Hand::Take(me()));
        receive! { Taken(taken) if taken == fork => {} }
    }
    for fork in [first, second] {
        send(fork, Hand::Put(me()));
    }
    send(table, Sated(i));
}

async fn fork() {
    daemon();
    loop {
        let holder = receive! { Hand::Take(by) => by };
        send(holder, Taken(me()));
        // The request of the other philosopher waits in the mailbox.
        receive! { Hand::Put(by) if by == holder => {} }
    }
}
