//! Two-phase commit, with a participant that may leave before it votes.

use super::{size, switch};
use crate::built::Built;
use crate::count::factorial;
use crate::program::{Mistake, Program, Values, Wrong};
use mazurka::{Delivery, Pid, interchangeable, me, receive, receive_within, send, spawn};
use std::time::Duration;

pub(super) const PROGRAM: Program = Program {
    name: "two-phase-commit",
    about: "a coordinator collects the votes of n participants, then sends them the decision",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Deadlock,
        about: "the coordinator waits forever for the vote of a participant that has ended",
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
    build: |values| {
        interchangeable::<Decision>();
        interchangeable::<Ack>();
        let (crash, timeout) = (values.is_on("crash"), values.is_on("timeout"));
        let n = values.count("n");
        Built::rust(move || coordinator(n, crash, timeout))
    },
    traces,
};

/// Long enough to fire only when nothing else can happen.
const PATIENCE: Duration = Duration::from_secs(5);

/// Votes and acknowledgements arrive in any order.
fn traces(values: &Values, _: Delivery) -> Option<u128> {
    let (n, crash, timeout) = (values.get("n"), values.get("crash"), values.get("timeout"));
    let orders = factorial(n - crash)?;
    match crash == 1 && timeout == 0 {
        true => Some(orders),
        false => orders.checked_mul(orders),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Prepare;

/// A vote for commit. No participant votes against it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Yes;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Decision {
    Commit,
    Abort,
}

/// A participant has carried out the decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ack(Decision);

async fn coordinator(n: usize, crash: bool, timeout: bool) {
    let coordinator = me();
    let start = |i| spawn(move || participant(coordinator, crash && i == n));
    let participants: Vec<Pid> = (1..=n).map(start).collect();
    for &participant in &participants {
        send(participant, Prepare);
    }
    let decision = collect_votes(n, timeout).await;
    for participant in participants {
        send(participant, decision);
    }
    // The participant that has ended does not answer.
    for _ in 0..n - usize::from(crash) {
        let Ack(done) = receive().await;
        assert_eq!(done, decision, "all participants do what was decided");
    }
}

async fn collect_votes(n: usize, timeout: bool) -> Decision {
    for _ in 0..n {
        let vote = match timeout {
            true => receive_within(PATIENCE).await,
            false => Some(receive().await),
        };
        let Some(Yes) = vote else {
            return Decision::Abort;
        };
    }
    Decision::Commit
}

async fn participant(coordinator: Pid, leaves: bool) {
    let Prepare = receive().await;
    if leaves {
        return;
    }
    send(coordinator, Yes);
    let decision: Decision = receive().await;
    send(coordinator, Ack(decision));
}
