//! A process that looks at something that the engine cannot see.

use crate::program::{Mistake, Program, Wrong};
use crate::{Next, Pattern, Term, Turn, done, receive, start};
use std::sync::atomic::{AtomicI64, Ordering};

pub(super) const PROGRAM: Program = Program {
    name: "nondeterministic",
    about: "a process sends a number that it takes from a hidden global variable",
    wrong: Some(Wrong {
        kind: Mistake::Nondeterminism,
        about: "the same inputs lead to another message each time the process is run (found with --distrust)",
        when: |_, _| true,
    }),
    parameters: &[],
    entry: |_| start!(receiver),
    traces: |_, _| None,
};

/// What a deterministic process must not look at.
static HIDDEN: AtomicI64 = AtomicI64::new(0);

fn receiver(_: &Term, turn: &mut Turn<'_>) -> Next {
    turn.spawn(start!(sender, turn.me()));
    receive(Pattern::Integer, |_, _| done())
}

fn sender(args: &Term, turn: &mut Turn<'_>) -> Next {
    let number = HIDDEN.fetch_add(1, Ordering::Relaxed);
    turn.send(args.pid(0)?, Term::Int(number));
    done()
}
