//! The registry example of the TransDPOR paper (Tasharofi et al. 2012, Figure 1).

use super::size;
use crate::count::factorial;
use crate::program::Program;
use crate::{Next, Pattern, Term, Turn, done, receive, start};
use mazurka_engine::Delivery;

pub(super) const PROGRAM: Program = Program {
    name: "registry",
    about: "a master registers itself, then starts n workers that register too (TransDPOR, Figure 1)",
    wrong: None,
    parameters: &[size("n", 2, 0, "the number of workers")],
    entry: |values| start!(master, values.get("n")),
    // The master registers before it wakes the workers: where causes come before their
    // effects, it is always the first.
    traces: |values, delivery| match delivery {
        Delivery::Unordered | Delivery::P2p => factorial(values.get("n") + 1),
        Delivery::Causal | Delivery::Mailbox => factorial(values.get("n")),
    },
};

fn master(args: &Term, turn: &mut Turn<'_>) -> Next {
    start_group(args.int(0)?, turn);
    done()
}

/// The process registers itself at a new registry and starts `n` workers that register too.
pub(super) fn start_group(n: i64, turn: &mut Turn<'_>) {
    let registry = turn.spawn(start!(registry, n + 1));
    turn.send(registry, Term::Pid(turn.me()));
    let workers: Vec<_> = (0..n).map(|_| turn.spawn(start!(worker))).collect();
    for worker in workers {
        turn.send(worker, Term::Pid(registry));
    }
}

/// Takes so many registrations.
pub(super) fn registry(args: &Term, _: &mut Turn<'_>) -> Next {
    register(args.int(0)?)
}

fn register(left: i64) -> Next {
    if left == 0 {
        return done();
    }
    receive(Pattern::Process, move |_, _| register(left - 1))
}

fn worker(_: &Term, _: &mut Turn<'_>) -> Next {
    receive(Pattern::Process, |registry, turn| {
        turn.send(registry.as_pid()?, Term::Pid(turn.me()));
        done()
    })
}
