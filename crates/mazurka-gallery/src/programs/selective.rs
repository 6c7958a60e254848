//! The three processes of Vidal 2022, Figure 1.

use crate::program::Program;
use crate::{Next, Pattern, Term, Turn, done, pattern, receive, start, tuple};

pub(super) const PROGRAM: Program = Program {
    name: "selective",
    about: "three messages, of which a selective receive takes one of two: one race (Vidal 2022, Figure 1)",
    wrong: None,
    parameters: &[],
    entry: |_| start!(proc1),
    traces: |_, _| Some(2),
};

fn proc1(_: &Term, turn: &mut Turn<'_>) -> Next {
    let p2 = turn.spawn(start!(proc2));
    turn.spawn(start!(proc3, p2));
    turn.send(p2, tuple!["val", 1]);
    done()
}

fn proc2(_: &Term, _: &mut Turn<'_>) -> Next {
    let positive = pattern!["val", Pattern::MoreThan(0)];
    receive(
        Pattern::one_of([positive, Pattern::from("error")]),
        |_, _| done(),
    )
}

fn proc3(args: &Term, turn: &mut Turn<'_>) -> Next {
    let p2 = args.pid(0)?;
    turn.send(p2, tuple!["val", 0]);
    turn.send(p2, tuple!["val", 2]);
    done()
}
