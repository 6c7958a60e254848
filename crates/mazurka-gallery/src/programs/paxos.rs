//! Paxos for a single value (Lamport 1998): a majority of acceptors chooses one.
//!
//! The tree of executions is skewed, because a proposer that is refused gives up at once. So estimates
//! of its size are inaccurate in most runs.

use super::size;
use crate::built::Built;
use crate::program::Program;
use mazurka::{Pid, daemon, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "paxos",
    about: "proposers ask acceptors to choose their value; no two learn different values (Paxos)",
    delivery: mazurka::Delivery::Mailbox,
    wrong: None,
    parameters: &[
        size("proposers", 2, 1, "the number of proposers"),
        size("acceptors", 3, 1, "the number of acceptors"),
    ],
    build: |values| {
        let (proposers, acceptors) = (values.count("proposers"), values.count("acceptors"));
        Built::rust(move || learner(proposers, acceptors))
    },
    traces: |_, _| None,
};

type Ballot = usize;
type Value = usize;

/// A request of a proposer to an acceptor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Request {
    /// Promise not to take part in an earlier ballot.
    Prepare(Ballot, Pid),
    /// Accept a value in a ballot.
    Accept(Ballot, Value, Pid),
}

/// The answer of an acceptor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Answer {
    /// It promises not to take part in an earlier ballot, and reports what it accepted before.
    Promised(Pid, Option<(Ballot, Value)>),
    Accepted(Pid),
    /// It refuses, because it takes part in a later ballot.
    Refused(Pid),
}

/// The value that the proposer with this number learned, if one was chosen in its ballot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Learned(usize, Option<Value>);

async fn learner(proposers: usize, acceptors: usize) {
    let learner = me();
    let acceptors: Vec<Pid> = (0..acceptors).map(|_| spawn(acceptor)).collect();
    for i in 1..=proposers {
        let acceptors = acceptors.clone();
        spawn(move || proposer(learner, i, acceptors));
    }
    let mut chosen = None;
    // Receive in a fixed order, so that the learner adds no races.
    for i in 1..=proposers {
        let value = receive! { Learned(who, value) if who == i => value };
        if let (Some(before), Some(value)) = (chosen, value) {
            assert_eq!(before, value, "one value is chosen");
        }
        chosen = chosen.or(value);
    }
}

/// Proposes its number, in the ballot with that number.
async fn proposer(learner: Pid, i: usize, acceptors: Vec<Pid>) {
    let learned = propose(i, &acceptors).await;
    send(learner, Learned(i, learned));
}

async fn propose(i: usize, acceptors: &[Pid]) -> Option<Value> {
    let majority = acceptors.len() / 2 + 1;
    for &acceptor in acceptors {
        send(acceptor, Request::Prepare(i, me()));
    }
    let mut promises = Vec::new();
    for &acceptor in acceptors {
        receive! {
            Answer::Promised(from, before) if from == acceptor => promises.push(before),
            Answer::Refused(from) if from == acceptor => {}
        }
    }
    if promises.len() < majority {
        return None;
    }
    let (_, value) = promises.into_iter().flatten().max().unwrap_or((i, i));
    for &acceptor in acceptors {
        send(acceptor, Request::Accept(i, value, me()));
    }
    let mut accepted = 0;
    for &acceptor in acceptors {
        receive! {
            Answer::Accepted(from) if from == acceptor => accepted += 1,
            Answer::Refused(from) if from == acceptor => {}
        }
    }
    (accepted >= majority).then_some(value)
}

async fn acceptor() {
    daemon();
    let (mut promised, mut accepted) = (0, None);
    loop {
        let (proposer, answer) = match receive().await {
            Request::Prepare(ballot, from) if ballot > promised => {
                promised = ballot;
                (from, Answer::Promised(me(), accepted))
            }
            Request::Accept(ballot, value, from) if ballot >= promised => {
                promised = ballot;
                accepted = Some((ballot, value));
                (from, Answer::Accepted(me()))
            }
            Request::Prepare(_, from) | Request::Accept(_, _, from) => {
                (from, Answer::Refused(me()))
            }
        };
        send(proposer, answer);
    }
}
