//! Registries on two levels: each group of the registry example is itself registered
//! (after Tasharofi et al. 2012).

use super::registry::{registry, start_group};
use super::size;
use crate::count::{factorial, power};
use crate::program::Program;
use crate::{Next, Pattern, Term, Turn, done, receive, start};
use mazurka_engine::Delivery;

pub(super) const PROGRAM: Program = Program {
    name: "regsim-2-level",
    about: "groups register at a registry, and the members of each at the group's own (TransDPOR)",
    wrong: None,
    parameters: &[
        size("groups", 3, 0, "the number of groups"),
        size("n", 2, 0, "the number of workers in a group"),
    ],
    entry: |values| start!(main, values.get("groups"), values.get("n")),
    // The registries have nothing to do with one another. In each group the master registers
    // before it wakes the workers: where causes come before their effects, it is the first.
    traces: |values, delivery| {
        let (groups, n) = (values.get("groups"), values.get("n"));
        let members = match delivery {
            Delivery::Unordered | Delivery::P2p => n + 1,
            Delivery::Causal | Delivery::Mailbox => n,
        };
        factorial(groups)?.checked_mul(power(factorial(members)?, groups)?)
    },
};

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (groups, n) = (args.int(0)?, args.int(1)?);
    let registry = turn.spawn(start!(registry, groups));
    let masters: Vec<_> = (0..groups).map(|_| turn.spawn(start!(master, n))).collect();
    for master in masters {
        turn.send(master, Term::Pid(registry));
    }
    done()
}

fn master(args: &Term, _: &mut Turn<'_>) -> Next {
    let n = args.int(0)?;
    receive(Pattern::Process, move |upper, turn| {
        turn.send(upper.as_pid()?, Term::Pid(turn.me()));
        start_group(n, turn);
        done()
    })
}
