//! Dining philosophers; the forks are processes.

use super::{size, switch};
use crate::count::power;
use crate::program::{Mistake, Program, Wrong};
use crate::{Next, Pattern, Term, Turn, done, pattern, receive, start, tuple};
use mazurka_engine::Pid;
use std::rc::Rc;

pub(super) const PROGRAM: Program = Program {
    name: "philosophers",
    about: "n philosophers at a round table share n forks and eat once each",
    wrong: Some(Wrong {
        kind: Mistake::Deadlock,
        about: "everyone has taken the left fork and waits for the right one",
        when: |values, _| values.get("fixed") == 0,
    }),
    parameters: &[
        size("n", 3, 2, "the number of philosophers"),
        switch(
            "fixed",
            "1: the last philosopher takes the right fork first",
        ),
    ],
    entry: |values| start!(table, values.get("n"), values.get("fixed")),
    // Each fork goes first to one or the other. That all go first to the right is
    // impossible; that all go first to the left is the deadlock, and impossible if fixed.
    traces: |values, _| {
        let impossible = 1 + u128::try_from(values.get("fixed")).ok()?;
        power(2, values.get("n"))?.checked_sub(impossible)
    },
};

fn table(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (n, fixed) = (args.int(0)?, args.int(1)? == 1);
    let forks: Rc<[Pid]> = (0..n).map(|_| turn.spawn(start!(fork))).collect();
    let right = forks.iter().cycle().skip(1);
    for ((i, &left), &right) in (1..=n).zip(forks.iter()).zip(right) {
        let (first, second) = match fixed && i == n {
            true => (right, left),
            false => (left, right),
        };
        turn.spawn(start!(philosopher, turn.me(), i, first, second));
    }
    wait_for(1, n)
}

/// In a fixed order, so that the table adds no races of its own.
fn wait_for(i: i64, n: i64) -> Next {
    if i > n {
        return done();
    }
    receive(Pattern::from(tuple!["sated", i]), move |_, _| {
        wait_for(i + 1, n)
    })
}

fn philosopher(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (table, i) = (args.pid(0)?, args.int(1)?);
    let (first, second) = (args.pid(2)?, args.pid(3)?);
    take(first, turn, move |turn| {
        take(second, turn, move |turn| {
            turn.send(first, tuple!["put", turn.me()]);
            turn.send(second, tuple!["put", turn.me()]);
            turn.send(table, tuple!["sated", i]);
            done()
        })
    })
}

fn take(fork: Pid, turn: &mut Turn<'_>, then: impl Fn(&mut Turn<'_>) -> Next + 'static) -> Next {
    turn.send(fork, tuple!["take", turn.me()]);
    receive(Pattern::from(tuple!["taken", fork]), move |_, turn| {
        then(turn)
    })
}

fn fork(_: &Term, turn: &mut Turn<'_>) -> Next {
    turn.daemon();
    receive(pattern!["take", Pattern::Process], |message, turn| {
        let holder = message.pid(1)?;
        turn.send(holder, tuple!["taken", turn.me()]);
        receive(Pattern::from(tuple!["put", holder]), |message, turn| {
            fork(message, turn)
        })
    })
}
