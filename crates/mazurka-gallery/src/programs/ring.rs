//! Leader election in a ring (Chang and Roberts 1979).

use super::size;
use crate::built::Built;
use crate::program::Program;
use mazurka::{Delivery, Pid, interchangeable, me, receive, receive_within, send, spawn};
use std::time::Duration;

pub(super) const PROGRAM: Program = Program {
    name: "ring",
    about: "n processes in a ring elect the one with the greatest number (Chang and Roberts)",
    delivery: mazurka::Delivery::Mailbox,
    wrong: None,
    parameters: &[size("n", 3, 1, "the number of processes")],
    build: |values| {
        interchangeable::<Next>();
        interchangeable::<Round>();
        interchangeable::<Leader>();
        interchangeable::<Ended>();
        let n = values.get("n");
        Built::rust(move || main(n))
    },
    // Each process receives messages only from its predecessor.
    traces: |_, delivery| (delivery != Delivery::Unordered).then_some(1),
};

/// The next process in the ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Next(Pid);

/// A message that goes around the ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Round {
    Candidate(i64),
    Elected(i64),
}

/// A process is the leader.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Leader(i64);

/// A process knows the leader and ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ended {
    id: i64,
    leader: i64,
}

async fn main(n: i64) {
    let main = me();
    // The greatest number comes first, so that each number travels as far as possible.
    let ids = (1..=n).rev();
    let nodes: Vec<Pid> = ids.map(|id| spawn(move || node(main, id))).collect();
    for (&node, &next) in nodes.iter().zip(nodes.iter().cycle().skip(1)) {
        send(node, Next(next));
    }
    let Leader(leader) = receive().await;
    assert_eq!(leader, n, "the greatest is the leader");
    for i in 1..=n {
        let leader = receive! { Ended { id, leader } if id == i => leader };
        assert_eq!(leader, n, "all agree");
    }
    // All processes have ended, so the message of a second leader would be here.
    let second = receive_within::<Leader>(Duration::ZERO).await;
    assert_eq!(second, None, "there is one leader");
}

async fn node(main: Pid, id: i64) {
    let Next(next) = receive().await;
    send(next, Round::Candidate(id));
    loop {
        match receive().await {
            Round::Candidate(other) if other > id => send(next, Round::Candidate(other)),
            Round::Candidate(other) if other == id => {
                send(main, Leader(id));
                send(next, Round::Elected(id));
            }
            // A smaller number is dropped.
            Round::Candidate(_) => {}
            Round::Elected(leader) => {
                if leader != id {
                    send(next, Round::Elected(leader));
                }
                return send(main, Ended { id, leader });
            }
        }
    }
}
