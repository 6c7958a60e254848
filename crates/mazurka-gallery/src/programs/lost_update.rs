//! Clients that read a balance, add one and write it back.

use super::{size, switch};
use crate::built::Built;
use crate::count::factorial;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Counter, Pid, Table, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "lost-update",
    about: "n clients add one to a balance in a table",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "two clients read the same balance, and the update of one of them is lost",
        when: |values, _| values.get("fixed") == 0 && values.get("n") >= 2,
    }),
    parameters: &[
        size("n", 2, 1, "the number of clients"),
        switch("fixed", "1: a counter adds one atomically"),
    ],
    build: |values| {
        interchangeable::<Done>();
        let (n, fixed) = (values.get("n"), values.is_on("fixed"));
        Built::rust(move || main(n, fixed))
    },
    traces: |values, _| match values.get("fixed") {
        1 => factorial(values.get("n")),
        _ => None,
    },
};

const BALANCE: &str = "balance";

/// The client with this number has added one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Done(i64);

/// Processes refer to the table by its name.
fn bank() -> Table<&'static str, i64> {
    Table::new("bank")
}

async fn main(n: i64, fixed: bool) {
    let main = me();
    if !fixed {
        bank().put(BALANCE, 0).await;
    }
    for i in 1..=n {
        match fixed {
            true => spawn(move || adder(main, i)),
            false => spawn(move || client(main, i)),
        };
    }
    // Receive in a fixed order, which adds no races.
    for i in 1..=n {
        receive! { Done(who) if who == i => {} }
    }
    let balance = match fixed {
        true => Counter::new(BALANCE).get().await,
        false => balance().await,
    };
    assert_eq!(balance, n, "every client has added one");
}

async fn balance() -> i64 {
    let balance = bank().get(BALANCE).await;
    balance.expect("the account was opened first")
}

async fn client(main: Pid, i: i64) {
    let balance = balance().await;
    // Other clients can act between the read and the write.
    bank().put(BALANCE, balance + 1).await;
    send(main, Done(i));
}

async fn adder(main: Pid, i: i64) {
    Counter::new(BALANCE).add(1).await;
    send(main, Done(i));
}
