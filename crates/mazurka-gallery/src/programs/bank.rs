//! The bank of González-Abril and Vidal 2021, Figure 1, with any number of customers.

use super::{size, switch};
use crate::built::Built;
use crate::count::{factorial, merges};
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Delivery, Pid, daemon, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "bank",
    about: "customers deposit twice and then withdraw; the bank has one account",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "if messages can overtake each other, a withdrawal can arrive before the deposits",
        when: |values, delivery| values.get("selective") == 0 && delivery == Delivery::Unordered,
    }),
    parameters: &[
        size("n", 1, 1, "the number of customers"),
        switch(
            "selective",
            "1: the bank leaves a withdrawal in its mailbox until the balance covers it",
        ),
    ],
    build: |values| {
        interchangeable::<Request>();
        interchangeable::<Reply>();
        let (n, selective) = (values.count("n"), values.is_on("selective"));
        Built::rust(move || main(n, selective))
    },
    traces: |values, delivery| {
        let n = values.get("n");
        match delivery {
            Delivery::Unordered if values.get("selective") == 0 => factorial(3 * n),
            Delivery::Unordered => None,
            // A customer deposits more than it withdraws, and in this order.
            _ => merges(n, 3),
        }
    },
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Request {
    Deposit(i64),
    Withdraw { customer: Pid, amount: i64 },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Reply {
    Paid { balance: i64 },
    Refused,
}

async fn main(n: usize, selective: bool) {
    let bank = spawn(move || bank(selective));
    for _ in 0..n {
        spawn(move || customer(bank));
    }
}

async fn bank(selective: bool) {
    daemon();
    let mut balance = 0;
    loop {
        receive! {
            Request::Deposit(amount) => balance += amount,
            Request::Withdraw { customer, amount } if amount <= balance => {
                balance -= amount;
                send(customer, Reply::Paid { balance });
            }
            Request::Withdraw { customer, .. } if !selective => send(customer, Reply::Refused),
        }
    }
}

async fn customer(bank: Pid) {
    send(bank, Request::Deposit(120));
    send(bank, Request::Deposit(42));
    let customer = me();
    let amount = 100;
    send(bank, Request::Withdraw { customer, amount });
    let reply: Reply = receive().await;
    assert_ne!(reply, Reply::Refused, "the money has been paid in");
}
