//! Leader election in a ring whose members compare the numbers of their neighbours (Dolev,
//! Klawe and Rodeh 1982; a subject of Tasharofi et al. 2012, after Sen and Agha 2006).

use super::size;
use crate::built::Built;
use crate::program::{Mistake, Parameter, Program, Wrong};
use mazurka::{Delivery, Pid, daemon, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "leader",
    about: "n nodes in a ring elect the greatest by their neighbours' numbers (TransDPOR's leader)",
    delivery: mazurka::Delivery::Unordered,
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "messages overtake each other, so nodes compare numbers of different rounds",
        when: |values, delivery| values.get("n") > 1 && delivery == Delivery::Unordered,
    }),
    parameters: &[Parameter {
        // Each node starts the next one, so the length of pids grows with the number of nodes.
        max: 100,
        ..size("n", 4, 1, "the number of nodes")
    }],
    build: |values| {
        interchangeable::<Message>();
        let n = values.get("n");
        Built::rust(move || main(n))
    },
    // Each node receives messages only from its predecessor.
    traces: |_, delivery| (delivery != Delivery::Unordered).then_some(1),
};

/// The message of a candidate to the next one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Message {
    /// The number that it represents.
    First(i64),
    /// The number of the candidate before it.
    Second(i64),
}

async fn main(n: i64) {
    spawn(move || first(n));
}

async fn first(n: i64) {
    node(1, n, me()).await;
}

/// Each node starts the next one; the last has the first as its neighbour.
async fn node(number: i64, n: i64, first: Pid) {
    daemon();
    let next = match number < n {
        true => spawn(move || node(number + 1, n, first)),
        false => first,
    };
    send(next, Message::First(number));
    let mut candidate = Candidate { number, near: None };
    // In every round a candidate gets the numbers of the two candidates before it. It remains a
    // candidate if the nearer one has the greatest number of the three, and represents that number
    // from then on.
    loop {
        match receive().await {
            // Its own number has come back: it is the only candidate left.
            Message::First(number) if number == candidate.number => {
                spawn(move || elected(number, n));
            }
            Message::First(number) => {
                if candidate.near.is_some() {
                    spawn(|| messages(false));
                }
                candidate.near = Some(number);
                send(next, Message::Second(number));
            }
            Message::Second(number) => match candidate.near {
                Some(near) if near > number && near > candidate.number => {
                    candidate = Candidate {
                        number: near,
                        near: None,
                    };
                    send(next, Message::First(near));
                }
                Some(_) => break,
                None => {
                    spawn(|| messages(false));
                    break;
                }
            },
        }
    }
    // No longer a candidate, it forwards messages.
    loop {
        let message: Message = receive().await;
        send(next, message);
    }
}

/// The state of a candidate.
struct Candidate {
    /// The number that it represents: initially its own.
    number: i64,
    /// The number of the candidate before it, in this round.
    near: Option<i64>,
}

/// Assertions run in separate processes, so that the nodes continue if one fails.
async fn elected(number: i64, n: i64) {
    assert_eq!(number, n, "the greatest is the leader");
}

async fn messages(are_in_order: bool) {
    assert!(are_in_order);
}
