//! A fault-tolerant leader election for Erlang with two errors: the algorithm that Arts, Claessen and
//! Svensson (2005) analyse, as tested by Tasharofi et al. (2012).
//!
//! Every process starts as a candidate and tries once to capture all the others. A candidate
//! surrenders to one that has captured more, or as many and has the higher rank. It hands over the
//! processes it has captured, and forwards later messages. A process that has captured a majority, or
//! all processes that are not down, is elected and notifies the others.
//!
//! The first error: a candidate that does not surrender sends no answer, and captures no process after
//! its start. So two candidates can each capture half of the others and wait for more. The second
//! error: a restarted process does not remember to which candidate it surrendered, so a message to its
//! earlier incarnation can help a second leader to a majority.

use super::switch;
use crate::built::Built;
use crate::program::{Mistake, Parameter, Program, Wrong};
use mazurka::{Pid, daemon, interchangeable, me, receive, send, sleep, spawn};
use std::collections::BTreeSet;
use std::time::Duration;

pub(super) const PROGRAM: Program = Program {
    name: "le-erlang",
    about: "n processes elect a leader by capturing a majority; one may fail (TransDPOR)",
    delivery: mazurka::Delivery::Unordered,
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "with four or more processes, none may be elected; with three or more and a failure, two may be",
        when: |values, _| values.get("n") + values.get("failure") >= 4,
    }),
    parameters: &[
        Parameter {
            name: "n",
            default: 3,
            min: 2,
            max: 20,
            about: "the number of processes",
        },
        switch("failure", "1: the first process crashes and is restarted"),
    ],
    build: |values| {
        interchangeable::<Start>();
        interchangeable::<Message>();
        interchangeable::<Leader>();
        let (n, failure) = (values.count("n"), values.is_on("failure"));
        Built::rust(move || main(n, failure))
    },
    traces: |_, _| None,
};

/// Long enough to fire only when nothing else can happen.
const PATIENCE: Duration = Duration::from_secs(5);

/// Processes are identified by their ranks, from 1.
type Rank = usize;

/// All processes, in the order of their ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Start(Vec<Pid>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Message {
    /// A candidate, which has captured this number of processes, tries to capture the receiver.
    Capture { from: Rank, has_captured: usize },
    /// A process surrenders and hands over the processes it has captured.
    Accept {
        from: Rank,
        captured: BTreeSet<Rank>,
    },
    /// A process is elected.
    Elect { from: Rank },
    /// A process has crashed.
    Down { who: Rank },
    /// From the saboteur.
    Crash,
    /// From the entry process, when nothing else can happen.
    WhoLeads,
}

/// The leader that a process knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Leader {
    of: Rank,
    leader: Option<Rank>,
}

async fn main(n: usize, failure: bool) {
    let main = me();
    let start = |rank| spawn(move || node(main, rank));
    let nodes: Vec<Pid> = (1..=n).map(start).collect();
    for &node in &nodes {
        send(node, Start(nodes.clone()));
    }
    if failure {
        let victim = nodes[0];
        spawn(move || saboteur(victim));
    }
    sleep(PATIENCE).await;
    for &node in &nodes {
        send(node, Message::WhoLeads);
    }
    let mut leaders = BTreeSet::new();
    // Receive the answers in a fixed order, which adds no races.
    for rank in 1..=n {
        receive! {
            Leader { of, leader } if of == rank => leaders.insert(leader),
            // This process has failed with its own assertion.
            after PATIENCE => return,
        };
    }
    // All processes have the same leader.
    assert!(!leaders.contains(&None));
    assert!(leaders.len() == 1);
}

async fn saboteur(victim: Pid) {
    send(victim, Message::Crash);
}

async fn node(main: Pid, rank: Rank) {
    daemon();
    let Start(peers) = receive().await;
    let mut node = Node::new(main, rank, peers);
    node.capture_all();
    loop {
        match receive().await {
            Message::Capture { from, has_captured } => node.on_capture(from, has_captured),
            Message::Accept { from, captured } => node.on_accept(from, captured),
            Message::Elect { from } => node.on_elect(from),
            Message::Down { who } => node.on_down(who),
            Message::Crash => node.restart(),
            Message::WhoLeads => node.send_leader(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Candidate,
    /// It has surrendered to another candidate.
    CapturedBy(Rank),
    Elected,
    /// It knows the leader.
    SurrenderedTo(Rank),
}

/// A process of the election.
struct Node {
    main: Pid,
    rank: Rank,
    peers: Vec<Pid>,
    role: Role,
    captured: BTreeSet<Rank>,
    down: BTreeSet<Rank>,
}

impl Node {
    fn new(main: Pid, rank: Rank, peers: Vec<Pid>) -> Self {
        Node {
            main,
            rank,
            peers,
            role: Role::Candidate,
            captured: BTreeSet::new(),
            down: BTreeSet::new(),
        }
    }

    fn on_capture(&mut self, from: Rank, has_captured: usize) {
        self.down.remove(&from);
        match self.role {
            Role::Candidate => {
                if (self.captured.len(), self.rank) < (has_captured, from) {
                    self.accept(from, self.rank, self.captured.clone());
                    self.role = Role::CapturedBy(from);
                }
            }
            Role::Elected => self.send(from, Message::Elect { from: self.rank }),
            Role::CapturedBy(_) | Role::SurrenderedTo(_) => {}
        }
    }

    fn on_accept(&mut self, from: Rank, captured: BTreeSet<Rank>) {
        self.down.remove(&from);
        match self.role {
            Role::Candidate => {
                self.captured.insert(from);
                self.captured.extend(captured);
                self.count();
            }
            Role::CapturedBy(leader) => self.accept(leader, from, captured),
            Role::Elected => self.send(from, Message::Elect { from: self.rank }),
            Role::SurrenderedTo(_) => {}
        }
    }

    fn on_elect(&mut self, from: Rank) {
        self.down.remove(&from);
        // The process that crashes is never elected, so the other leader still exists.
        assert_ne!(self.role, Role::Elected, "there is one leader");
        self.role = Role::SurrenderedTo(from);
        self.captured.clear();
    }

    fn on_down(&mut self, who: Rank) {
        self.captured.remove(&who);
        self.down.insert(who);
        match self.role {
            Role::Candidate => self.count(),
            Role::SurrenderedTo(leader) if leader == who => {
                self.role = Role::Candidate;
                self.capture_all();
                self.count();
            }
            _ => {}
        }
    }

    /// Checks whether that is enough to be elected.
    fn count(&mut self) {
        let (all, with_me) = (self.peers.len(), self.captured.len() + 1);
        if 2 * with_me > all || with_me + self.down.len() == all {
            self.role = Role::Elected;
            self.send_all(&Message::Elect { from: self.rank });
        }
    }

    /// Crashes and restarts. The processes that monitor it are notified at some time. The restarted
    /// process has lost its state, but receives messages that were sent before the crash.
    fn restart(&mut self) {
        self.send_all(&Message::Down { who: self.rank });
        *self = Node::new(self.main, self.rank, std::mem::take(&mut self.peers));
        self.capture_all();
    }

    fn send_leader(&self) {
        let leader = match self.role {
            Role::Elected => Some(self.rank),
            Role::SurrenderedTo(leader) => Some(leader),
            Role::Candidate | Role::CapturedBy(_) => None,
        };
        let of = self.rank;
        send(self.main, Leader { of, leader });
    }

    fn capture_all(&self) {
        self.send_all(&Message::Capture {
            from: self.rank,
            has_captured: self.captured.len(),
        });
    }

    fn accept(&self, to: Rank, from: Rank, captured: BTreeSet<Rank>) {
        self.send(to, Message::Accept { from, captured });
    }

    fn send_all(&self, message: &Message) {
        for &peer in self.peers.iter().filter(|&&peer| peer != me()) {
            send(peer, message.clone());
        }
    }

    fn send(&self, to: Rank, message: Message) {
        send(self.peers[to - 1], message);
    }
}
