//! Leader election in a ring whose members compare the numbers of their neighbours (Dolev,
//! Klawe and Rodeh 1982; a subject of Tasharofi et al. 2012, after Sen and Agha 2006).

use super::size;
use crate::program::{Mistake, Parameter, Program, Wrong};
use crate::{
    Next, Pattern, Term, Turn, assert_equal, assert_that, done, pattern, receive, start, tuple,
};
use mazurka_engine::{Delivery, Pid};

pub(super) const PROGRAM: Program = Program {
    name: "leader",
    about: "n nodes in a ring elect the greatest by their neighbours' numbers (TransDPOR's leader)",
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "messages overtake each other, so that nodes compare numbers of different rounds",
        when: |values, delivery| values.get("n") > 1 && delivery == Delivery::Unordered,
    }),
    parameters: &[Parameter {
        // Each node starts the next one: names of processes are as long as there are nodes.
        max: 100,
        ..size("n", 4, 1, "the number of nodes")
    }],
    entry: |values| start!(main, values.get("n")),
    // Each node hears of its predecessor only.
    traces: |_, delivery| (delivery != Delivery::Unordered).then_some(1),
};

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.spawn(start!(first, args.int(0)?));
    done()
}

fn first(args: &Term, turn: &mut Turn<'_>) -> Next {
    join(1, args.int(0)?, turn.me(), turn)
}

fn node(args: &Term, turn: &mut Turn<'_>) -> Next {
    join(args.int(0)?, args.int(1)?, args.pid(2)?, turn)
}

/// Each node starts the next one; the last has the first as its neighbour.
fn join(number: i64, n: i64, first: Pid, turn: &mut Turn<'_>) -> Next {
    turn.daemon();
    let next = match number < n {
        true => turn.spawn(start!(node, number + 1, n, first)),
        false => first,
    };
    turn.send(next, tuple!["first", number]);
    elect(Node { next, n }, Some(Candidate { number, near: None }))
}

#[derive(Clone, Copy)]
struct Node {
    next: Pid,
    /// The greatest number.
    n: i64,
}

/// What a node knows that is still in the running.
#[derive(Clone, Copy)]
struct Candidate {
    /// The number for which it stands: at first its own.
    number: i64,
    /// The number of the candidate before it, in this round.
    near: Option<i64>,
}

/// In every round a candidate tells the next one its number, and that of the candidate
/// before it. It stays in the running if the number in the middle of these three is the
/// greatest, and stands for that number from then on. The others pass messages on.
fn elect(node: Node, candidate: Option<Candidate>) -> Next {
    let clauses = [
        pattern!["first", Pattern::Integer],
        pattern!["second", Pattern::Integer],
    ];
    receive(Pattern::one_of(clauses), move |message, turn| {
        let number = message.int(1)?;
        let candidate = match candidate {
            None => {
                turn.send(node.next, message.clone());
                None
            }
            Some(candidate) if message.is_tagged("first") => {
                Some(hear_first(node, candidate, number, turn))
            }
            Some(candidate) => hear_second(node, candidate, number, turn),
        };
        elect(node, candidate)
    })
}

fn hear_first(node: Node, candidate: Candidate, number: i64, turn: &mut Turn<'_>) -> Candidate {
    if number == candidate.number {
        // It has come all the way round: there is nobody else.
        turn.spawn(start!(elected, number, node.n));
        return candidate;
    }
    if candidate.near.is_some() {
        turn.spawn(start!(overtaken));
    }
    turn.send(node.next, tuple!["second", number]);
    Candidate {
        near: Some(number),
        ..candidate
    }
}

fn hear_second(
    node: Node,
    candidate: Candidate,
    number: i64,
    turn: &mut Turn<'_>,
) -> Option<Candidate> {
    let Some(near) = candidate.near else {
        turn.spawn(start!(overtaken));
        return None;
    };
    if near <= number || near <= candidate.number {
        return None;
    }
    turn.send(node.next, tuple!["first", near]);
    Some(Candidate {
        number: near,
        near: None,
    })
}

/// Assertions have processes of their own, so that the nodes go on when one fails.
fn elected(args: &Term, _: &mut Turn<'_>) -> Next {
    assert_equal("the number of the leader", args.int(0)?, args.int(1)?)?;
    done()
}

fn overtaken(_: &Term, _: &mut Turn<'_>) -> Next {
    assert_that(false, "no message overtakes another")?;
    done()
}
