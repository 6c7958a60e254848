//! A fault-tolerant leader election for Erlang with two mistakes in it: the one that Arts,
//! Claessen and Svensson (2005) analyse, as Tasharofi et al. (2012) test it.
//!
//! Everyone begins as a candidate and tries once to capture all the others. A candidate gives
//! in to one that has captured more, or as many and has the higher rank. It hands over what it
//! has captured, and passes on what still comes in. Whoever has a majority, or everyone that is
//! not down, is elected and tells the others.
//!
//! A candidate that does not give in never says so, and captures nobody later than at its start.
//! So two candidates can both end up with half of the others and wait for more. And a process
//! that has been restarted does not remember whom it gave in to: a message to its former life
//! makes it help a second leader to a majority.

use super::switch;
use crate::program::{Mistake, Parameter, Program, Wrong};
use crate::{
    Failure, Next, Pattern, Term, Turn, assert_that, crash, done, pattern, receive, receive_after,
    start, tuple,
};
use mazurka_engine::Pid;
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) const PROGRAM: Program = Program {
    name: "le-erlang",
    about: "n processes elect a leader by capturing a majority; one may fail (TransDPOR)",
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "from four processes on nobody may be elected; from three on, with a failure, two",
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
    entry: |values| start!(main, values.get("n"), values.get("failure")),
    traces: |_, _| None,
};

/// Long enough to fire only when nothing else can happen.
const PATIENCE_MS: u64 = 5000;

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (n, failure) = (args.int(0)?, args.int(1)? == 1);
    let nodes: Rc<[Pid]> = (1..=n)
        .map(|rank| turn.spawn(start!(node, turn.me(), rank)))
        .collect();
    let peers = Term::Tuple(nodes.iter().map(|&node| Term::Pid(node)).collect());
    for &node in nodes.iter() {
        turn.send(node, tuple!["start", peers.clone()]);
    }
    if failure {
        turn.spawn(start!(saboteur, nodes[0]));
    }
    let nothing = Pattern::one_of([]);
    receive_after(
        nothing,
        PATIENCE_MS,
        |_, _| done(),
        move |turn| {
            for &node in nodes.iter() {
                turn.send(node, Term::Atom("who_leads"));
            }
            all_agree(1, n, BTreeSet::new())
        },
    )
}

/// In a fixed order, so that the answers add no races of their own.
fn all_agree(rank: i64, n: i64, leaders: BTreeSet<i64>) -> Next {
    if rank > n {
        assert_that(!leaders.contains(&NOBODY), "everyone has a leader")?;
        assert_that(leaders.len() == 1, "everyone has the same leader")?;
        return done();
    }
    receive_after(
        pattern!["leader", rank, Pattern::Integer],
        PATIENCE_MS,
        move |message, _| {
            let mut leaders = leaders.clone();
            leaders.insert(message.int(2)?);
            all_agree(rank + 1, n, leaders)
        },
        // That one has failed by an assertion of its own.
        |_| done(),
    )
}

fn saboteur(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.send(args.pid(0)?, Term::Atom("crash"));
    done()
}

const NOBODY: i64 = 0;

fn node(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.daemon();
    let (main, rank) = (args.pid(0)?, args.int(1)?);
    receive(pattern!["start", Pattern::Any], move |message, turn| {
        let Term::Tuple(peers) = message.at(1)? else {
            return crash("badarg");
        };
        let peers: Rc<[Pid]> = peers.iter().map(Term::as_pid).collect::<Result<_, _>>()?;
        let node = Node::new(main, rank, peers);
        node.capture_all(turn);
        elect(node)
    })
}

#[derive(Clone, Copy)]
enum Role {
    Candidate,
    /// It has given in to another candidate.
    CapturedBy(i64),
    Elected,
    /// It knows the leader.
    SurrenderedTo(i64),
}

/// A process of the election. Processes are known by their ranks.
#[derive(Clone)]
struct Node {
    main: Pid,
    rank: i64,
    peers: Rc<[Pid]>,
    role: Role,
    captured: BTreeSet<i64>,
    down: BTreeSet<i64>,
}

fn elect(node: Node) -> Next {
    let clauses = [
        pattern!["capture", Pattern::Integer, Pattern::Integer],
        pattern!["accept", Pattern::Integer, Pattern::Any],
        pattern!["elect", Pattern::Integer],
        pattern!["down", Pattern::Integer],
        "crash".into(),
        "who_leads".into(),
    ];
    receive(Pattern::one_of(clauses), move |message, turn| {
        let mut node = node.clone();
        match message.at(0) {
            Ok(Term::Atom("down")) => node.on_down(message.int(1)?, turn),
            Ok(Term::Atom(kind)) => {
                let from = message.int(1)?;
                node.down.remove(&from);
                match *kind {
                    "capture" => node.on_capture(from, message.int(2)?, turn),
                    "accept" => node.on_accept(from, message, turn)?,
                    _ => node.on_elect(from)?,
                }
            }
            _ if message.is_tagged("crash") => node = node.restarted(turn),
            _ => node.tell_leader(turn),
        }
        elect(node)
    })
}

impl Node {
    fn new(main: Pid, rank: i64, peers: Rc<[Pid]>) -> Self {
        Node {
            main,
            rank,
            peers,
            role: Role::Candidate,
            captured: BTreeSet::new(),
            down: BTreeSet::new(),
        }
    }

    fn on_capture(&mut self, from: i64, has_captured: i64, turn: &mut Turn<'_>) {
        match self.role {
            Role::Candidate => {
                let mine = (self.captured.iter().map(|_| 1).sum(), self.rank);
                if mine < (has_captured, from) {
                    let captured = self.captured.iter().map(|&rank| Term::Int(rank));
                    let captured = Term::Tuple(captured.collect());
                    self.send(from, tuple!["accept", self.rank, captured], turn);
                    self.role = Role::CapturedBy(from);
                }
            }
            Role::Elected => self.send(from, tuple!["elect", self.rank], turn),
            Role::CapturedBy(_) | Role::SurrenderedTo(_) => {}
        }
    }

    fn on_accept(&mut self, from: i64, message: &Term, turn: &mut Turn<'_>) -> Result<(), Failure> {
        match self.role {
            Role::Candidate => {
                self.captured.insert(from);
                if let Term::Tuple(handed_over) = message.at(2)? {
                    for i in 0..handed_over.len() {
                        self.captured.insert(message.at(2)?.int(i)?);
                    }
                }
                self.count(turn);
            }
            Role::CapturedBy(leader) => self.send(leader, message.clone(), turn),
            Role::Elected => self.send(from, tuple!["elect", self.rank], turn),
            Role::SurrenderedTo(_) => {}
        }
        Ok(())
    }

    fn on_elect(&mut self, from: i64) -> Result<(), Failure> {
        // The process that crashes is never elected, so the other one is still there.
        let elected = matches!(self.role, Role::Elected);
        assert_that(!elected, "there is one leader")?;
        self.role = Role::SurrenderedTo(from);
        self.captured.clear();
        Ok(())
    }

    fn on_down(&mut self, other: i64, turn: &mut Turn<'_>) {
        self.captured.remove(&other);
        self.down.insert(other);
        match self.role {
            Role::Candidate => self.count(turn),
            Role::SurrenderedTo(leader) if leader == other => {
                self.role = Role::Candidate;
                self.capture_all(turn);
                self.count(turn);
            }
            _ => {}
        }
    }

    /// Is that enough to be elected?
    fn count(&mut self, turn: &mut Turn<'_>) {
        let (all, with_me) = (self.peers.len(), self.captured.len() + 1);
        if 2 * with_me > all || with_me + self.down.len() == all {
            self.role = Role::Elected;
            self.send_all(&tuple!["elect", self.rank], turn);
        }
    }

    /// Those who watch it hear that it is down, at some time; its next life knows nothing, but
    /// gets what was sent to this one.
    fn restarted(&self, turn: &mut Turn<'_>) -> Node {
        self.send_all(&tuple!["down", self.rank], turn);
        let next = Node::new(self.main, self.rank, self.peers.clone());
        next.capture_all(turn);
        next
    }

    fn tell_leader(&self, turn: &mut Turn<'_>) {
        let leader = match self.role {
            Role::Elected => self.rank,
            Role::SurrenderedTo(leader) => leader,
            Role::Candidate | Role::CapturedBy(_) => NOBODY,
        };
        turn.send(self.main, tuple!["leader", self.rank, leader]);
    }

    fn capture_all(&self, turn: &mut Turn<'_>) {
        let captured: i64 = self.captured.iter().map(|_| 1).sum();
        self.send_all(&tuple!["capture", self.rank, captured], turn);
    }

    fn send_all(&self, message: &Term, turn: &mut Turn<'_>) {
        let me = turn.me();
        for &peer in self.peers.iter().filter(|&&peer| peer != me) {
            turn.send(peer, message.clone());
        }
    }

    fn send(&self, to: i64, message: Term, turn: &mut Turn<'_>) {
        let peer = (1..).zip(self.peers.iter()).find(|&(rank, _)| rank == to);
        if let Some((_, &peer)) = peer {
            turn.send(peer, message);
        }
    }
}
