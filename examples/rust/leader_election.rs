//! Chang and Roberts elect a leader on a ring (1979).
//!
//! Every node has an id and knows only its successor. A node that wakes up stands for election:
//! it sends its id around. Each node forwards ids above its own and drops those below. An id
//! that returns to its node is the largest, and its node announces itself as the leader.
//!
//! A node may receive an id from its neighbour before it wakes up by itself. It takes part from
//! then on, and does not stand again when it wakes up. If the id is below its own, it must send
//! its own id *now*, instead of the one it drops. The broken node forgets that. If it wakes up
//! first this makes no difference; otherwise no leader is elected.
//!
//! ```text
//! cargo run -p mazurka --example leader_election              # as published: verified
//! cargo run -p mazurka --example leader_election -- broken    # no leader is elected
//! ```

use mazurka::prelude::*;
use std::process::ExitCode;

type Id = u32;

/// The nodes in the order of the ring. An id meets both smaller and larger ones on its way.
const RING: [Id; 4] = [2, 4, 1, 3];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Message {
    /// There is no leader any more, so find one.
    WakeUp,
    Candidate(Id),
    Leader(Id),
}

/// The report of a node when the election is over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Elected {
    node: Id,
    leader: Id,
}

/// What a node that has not taken part yet does with an id below its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overtaking {
    Stand,
    OnlySwallow,
}

async fn node(id: Id, observer: Pid, overtaking: Overtaking) {
    let next = receive::<Pid>().await;
    let mut takes_part = false;
    let leader = loop {
        receive! {
            Message::WakeUp => {
                if !takes_part {
                    send(next, Message::Candidate(id));
                }
                takes_part = true;
            }
            Message::Candidate(other) => {
                if other > id {
                    send(next, Message::Candidate(other));
                } else if other == id {
                    send(next, Message::Leader(id));
                } else if !takes_part && overtaking == Overtaking::Stand {
                    send(next, Message::Candidate(id));
                }
                takes_part = true;
            }
            Message::Leader(leader) => break leader,
        }
    };
    if leader != id {
        send(next, Message::Leader(leader));
    }
    send(observer, Elected { node: id, leader });
}

/// Wakes all nodes up, and receives from each which node leads.
async fn election(overtaking: Overtaking) {
    let observer = me();
    let nodes = RING.map(|id| spawn(move || node(id, observer, overtaking)));
    for (at, &node) in nodes.iter().enumerate() {
        send(node, nodes[(at + 1) % nodes.len()]);
        send(node, Message::WakeUp);
    }
    for id in RING {
        let elected = receive_when(move |elected: &Elected| elected.node == id).await;
        assert_eq!(Some(elected.leader), RING.into_iter().max());
    }
}

async fn broken() {
    election(Overtaking::OnlySwallow).await;
}

async fn fixed() {
    election(Overtaking::Stand).await;
}

fn main() -> ExitCode {
    let check = mazurka::Check::new();
    match std::env::args().nth(1).as_deref() {
        Some("broken") => check.main(broken),
        _ => check.main(fixed),
    }
}

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{errors, explore};

    /// A node receives its neighbour's n messages in order, and the wake-up before, between or
    /// after them: n + 1 ways. Along the ring, from the node that receives from 4, where C and L are
    /// candidate and leader:
    ///
    /// * 1 receives C4 L4. Awake first (1 way) it sends C1 C4 L4, else (2 ways) C4 L4.
    /// * 3 sends C3 C4 L4 if it receives C1 (1 · 4 ways) or is awake first (2 · 1), that is 6 ways,
    ///   and C4 L4 in the other 2 · 2.
    /// * 2 adds C2 if it is awake first. So 4 receives C2 and C3 in 6 · 1 ways, one of them in
    ///   6 · 3 + 4 · 1, and none in 4 · 2.
    /// * 4 receives these, C4 and L4. If there are none it must have been awake first.
    ///
    /// Under `Mailbox` a wake-up arrives before messages sent after it, so there are fewer ways.
    #[test]
    fn fixed_elects_the_largest() {
        let p2p = 6 * 5 + 22 * 4 + 8;
        for (delivery, executions) in [(Delivery::P2p, p2p), (Delivery::Mailbox, 14)] {
            let checked = explore(delivery, fixed);
            assert!(checked.passed(), "{}", checked.report);
            assert_eq!(checked.executions, executions);
        }
    }

    /// Counted in the same way. If 4 is awake first, 3 sends C3 C4 L4 in 1 + 2 · 1 ways and C4 L4 in
    /// 3 + 2 · 2, and the wake-up of 2 has 4 or 3 places. If not, 4 sends nothing: if 3 is
    /// awake before it receives C1, 4 receives C2 C3 or only C3, with 2 or 1 places for its wake-up
    /// after the first; otherwise 4 receives C2.
    #[test]
    fn broken_elects_nobody_if_the_largest_hears_a_candidate_before_it_wakes_up() {
        let p2p = (3 * 4 + 7 * 3, 2 + 1 + 1);
        for (delivery, (elected, not)) in [(Delivery::P2p, p2p), (Delivery::Mailbox, (7, 2))] {
            let checked = explore(delivery, broken);
            assert_eq!(checked.executions, elected + not);
            let mut expected = vec![(Kind::Deadlock, "P", not)];
            expected.extend(["P.1", "P.2", "P.3", "P.4"].map(|node| (Kind::Stuck, node, not)));
            assert_eq!(errors(&checked), expected);
        }
    }
}
