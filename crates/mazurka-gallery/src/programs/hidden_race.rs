//! A race that is hard to reverse: each sender first waits for another process. The race can be hidden
//! among collective operations.
//!
//! ```text
//! P0                     P1              P2              P3               P4
//! last = receive any     send to P3      send to P4      receive from P1  receive from P2
//! last = receive any     send 1 to P0    send 0 to P0
//! assert last ≠ 1
//! ```

use super::switch;
use crate::built::Built;
use crate::count::factorial;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Pid, distance, hand_over, interchangeable, me, receive, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "hidden-race",
    about: "like any-assert, but both senders first wait for another process; sends wait until they are received",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "the message 1, which must come first, comes last",
        when: |_, _| true,
    }),
    parameters: &[
        switch("reordered", "1: the processes are started in another order"),
        switch(
            "synchronised",
            "1: a barrier before the race; after it, a split of the communicator and another barrier",
        ),
    ],
    build: |values| {
        interchangeable::<Value>();
        interchangeable::<Here>();
        interchangeable::<All>();
        let synchronised = values.is_on("synchronised");
        match values.is_on("reordered") {
            false => Built::rust(move || from_p0(synchronised)),
            true => Built::rust(move || from_p4(synchronised)),
        }
    },
    traces: |values, _| match values.is_on("synchronised") {
        false => Some(2),
        // The others arrive at each of the three collective operations in any order. If the
        // assertion fails, none or all but one of them arrive at the root, in any order.
        true => {
            let orders = factorial(OTHERS.into())?;
            let failed = match values.is_on("reordered") {
                false => 1,
                true => factorial(i64::from(OTHERS) - 1)?,
            };
            Some(orders * (orders * orders + failed))
        }
    },
};

/// The number of processes besides the root.
const OTHERS: u32 = 4;

/// A message of the race.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Value(i64);

/// The communicator, as seen by one process.
#[derive(Clone, Copy)]
enum Communicator {
    /// Nothing is synchronised.
    None,
    /// This process is the root, to which the others report.
    Root,
    /// The root is this process.
    Member(Pid),
}

async fn from_p0(synchronised: bool) {
    let p0 = me();
    let (root, member) = communicators(synchronised);
    let p3 = spawn(move || receiver(member));
    let p4 = spawn(move || receiver(member));
    spawn(move || sender(p3, p0, 1, member));
    spawn(move || sender(p4, p0, 0, member));
    racer(root).await;
}

async fn from_p4(synchronised: bool) {
    let p4 = me();
    let (root, member) = communicators(synchronised);
    let p3 = spawn(move || receiver(member));
    let p0 = spawn(move || racer(member));
    spawn(move || sender(p4, p0, 0, member));
    spawn(move || sender(p3, p0, 1, member));
    receiver(root).await;
}

/// The communicator of the root, and that of the others.
fn communicators(synchronised: bool) -> (Communicator, Communicator) {
    match synchronised {
        true => (Communicator::Root, Communicator::Member(me())),
        false => (Communicator::None, Communicator::None),
    }
}

/// P0.
async fn racer(all: Communicator) {
    all.barrier(Some(2)).await;
    distance(2);
    receive! { Value(_) => {} }
    distance(1);
    let last = receive! { Value(last) => last };
    assert_ne!(last, 1, "1 comes first");
    all.split(0).await;
    all.barrier(None).await;
}

/// P1 and P2.
async fn sender(first: Pid, p0: Pid, value: i64, all: Communicator) {
    all.barrier(None).await;
    hand_over(first, Value(value)).await;
    hand_over(p0, Value(value)).await;
    all.split(value).await;
    all.barrier(None).await;
}

/// P3 and P4.
async fn receiver(all: Communicator) {
    all.barrier(None).await;
    receive! { Value(_) => {} }
    all.split(0).await;
    all.barrier(None).await;
}

/// A process has arrived at a collective operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Here {
    from: Pid,
    /// Processes with the same colour form a group after a split.
    colour: i64,
}

/// All processes have arrived. Contains the number of processes with the same colour.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct All {
    of_colour: usize,
}

impl Communicator {
    /// Waits until all processes have arrived. The assertion is `left` inputs away after that, if it
    /// still follows.
    async fn barrier(self, left: Option<u32>) {
        self.synchronise(0, left).await;
    }

    /// Waits until all processes have arrived, and gets the number of processes with the same colour.
    async fn split(self, colour: i64) {
        self.synchronise(colour, None).await;
    }

    async fn synchronise(self, colour: i64, left: Option<u32>) {
        let far = |more: u32| {
            if let Some(left) = left {
                distance(more + left);
            }
        };
        match self {
            Communicator::None => {}
            Communicator::Member(root) => {
                far(2);
                hand_over(root, Here { from: me(), colour }).await;
                far(1);
                receive! { All { .. } => {} }
            }
            Communicator::Root => {
                let mut here = Vec::new();
                for arrived in 0..OTHERS {
                    far(2 * OTHERS - arrived);
                    here.push(receive! { Here { from, colour } => (from, colour) });
                }
                for (notified, &(member, colour)) in (0..).zip(&here) {
                    let of_colour = here.iter().filter(|(_, other)| *other == colour).count();
                    far(OTHERS - notified);
                    hand_over(member, All { of_colour }).await;
                }
            }
        }
    }
}
