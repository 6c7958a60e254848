//! Registries on two levels: each group of the registry example is itself registered
//! (after Tasharofi et al. 2012).

use super::registry::{Member, RegisterAt, registry, start_group};
use super::size;
use crate::built::Built;
use crate::count::{factorial, power};
use crate::program::Program;
use mazurka::{Delivery, Pid, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "regsim-2-level",
    about: "groups register at a registry, and the members of each at the group's own (TransDPOR)",
    delivery: mazurka::Delivery::Unordered,
    wrong: None,
    parameters: &[
        size("groups", 3, 0, "the number of groups"),
        size("n", 2, 0, "the number of workers in a group"),
    ],
    build: |values| {
        interchangeable::<Member>();
        interchangeable::<RegisterAt>();
        let (groups, n) = (values.count("groups"), values.count("n"));
        Built::rust(move || main(groups, n))
    },
    // The registries are independent. In each group the master registers before it wakes the
    // workers: under causal delivery it is the first.
    traces: |values, delivery| {
        let (groups, n) = (values.get("groups"), values.get("n"));
        let members = match delivery {
            Delivery::Unordered | Delivery::P2p => n + 1,
            Delivery::Causal | Delivery::Mailbox => n,
        };
        factorial(groups)?.checked_mul(power(factorial(members)?, groups)?)
    },
};

async fn main(groups: usize, n: usize) {
    let registry = spawn(move || registry(groups));
    let masters: Vec<Pid> = (0..groups).map(|_| spawn(move || master(n))).collect();
    for master in masters {
        send(master, RegisterAt(registry));
    }
}

async fn master(n: usize) {
    let RegisterAt(upper) = receive().await;
    send(upper, Member(me()));
    start_group(n);
}
