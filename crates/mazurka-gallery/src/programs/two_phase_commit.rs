//! Two-phase commit, with a participant that may leave before it votes.

use super::{size, switch};
use crate::count::factorial;
use crate::program::{Mistake, Program, Values, Wrong};
use crate::{
    Next, Pattern, Term, Turn, assert_that, done, pattern, receive, receive_after, start, tuple,
};
use mazurka_engine::{Delivery, Pid};
use std::rc::Rc;

pub(super) const PROGRAM: Program = Program {
    name: "two-phase-commit",
    about: "a coordinator collects the votes of n participants, then tells them the decision",
    wrong: Some(Wrong {
        kind: Mistake::Deadlock,
        about: "the coordinator waits for ever for the vote of a participant that is gone",
        when: |values, _| values.get("crash") == 1 && values.get("timeout") == 0,
    }),
    parameters: &[
        size("n", 2, 1, "the number of participants"),
        switch("crash", "1: the last participant ends without a vote"),
        switch(
            "timeout",
            "1: the coordinator gives up after five seconds and aborts",
        ),
    ],
    entry: |values| {
        let get = |name| values.get(name);
        start!(coordinator, get("n"), get("crash"), get("timeout"))
    },
    traces,
};

/// Long enough to fire only when nothing else can happen.
const PATIENCE_MS: u64 = 5000;

/// Votes and acknowledgements come in any order.
fn traces(values: &Values, _: Delivery) -> Option<u128> {
    let (n, crash, timeout) = (values.get("n"), values.get("crash"), values.get("timeout"));
    let orders = factorial(n - crash)?;
    match crash == 1 && timeout == 0 {
        true => Some(orders),
        false => orders.checked_mul(orders),
    }
}

fn coordinator(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (n, crash, timeout) = (args.int(0)?, args.int(1)?, args.int(2)?);
    let participants: Rc<[Pid]> = (1..=n)
        .map(|i| {
            let leaves = i64::from(crash == 1 && i == n);
            turn.spawn(start!(participant, turn.me(), leaves))
        })
        .collect();
    for &participant in participants.iter() {
        turn.send(participant, Term::Atom("prepare"));
    }
    let gone = usize::from(crash == 1);
    collect_votes(0, participants, gone, timeout == 1)
}

fn collect_votes(votes: usize, participants: Rc<[Pid]>, gone: usize, timeout: bool) -> Next {
    let vote = Pattern::from(tuple!["vote", "yes"]);
    let others = participants.clone();
    let on_vote = move |_: &Term, turn: &mut Turn<'_>| {
        if votes + 1 == participants.len() {
            return decide("commit", &participants, 0, turn);
        }
        collect_votes(votes + 1, participants.clone(), gone, timeout)
    };
    match timeout {
        false => receive(vote, on_vote),
        true => receive_after(vote, PATIENCE_MS, on_vote, move |turn| {
            decide("abort", &others, gone, turn)
        }),
    }
}

/// Tells everyone; those that are gone will not answer.
fn decide(decision: &'static str, participants: &[Pid], gone: usize, turn: &mut Turn<'_>) -> Next {
    for &participant in participants {
        turn.send(participant, tuple!["decision", decision]);
    }
    collect_acks(participants.len() - gone, decision)
}

fn collect_acks(left: usize, decision: &'static str) -> Next {
    if left == 0 {
        return done();
    }
    receive(pattern!["ack", Pattern::Any], move |message, _| {
        let agrees = *message.at(1)? == Term::Atom(decision);
        assert_that(agrees, "all participants do what was decided")?;
        collect_acks(left - 1, decision)
    })
}

fn participant(args: &Term, _: &mut Turn<'_>) -> Next {
    let (coordinator, leaves) = (args.pid(0)?, args.int(1)? == 1);
    receive(Pattern::from("prepare"), move |_, turn| {
        if leaves {
            return done();
        }
        turn.send(coordinator, tuple!["vote", "yes"]);
        receive(pattern!["decision", Pattern::Any], move |message, turn| {
            turn.send(coordinator, tuple!["ack", message.at(1)?.clone()]);
            done()
        })
    })
}
