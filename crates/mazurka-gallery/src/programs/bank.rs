//! The bank of González-Abril and Vidal 2021, Figure 1, with any number of customers.

use super::{size, switch};
use crate::count::{factorial, merges};
use crate::program::{Mistake, Program, Wrong};
use crate::{Next, Pattern, Term, Turn, assert_that, done, pattern, receive, start, tuple};
use mazurka_engine::Delivery;

pub(super) const PROGRAM: Program = Program {
    name: "bank",
    about: "customers pay in twice and then draw; the bank has one account",
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "where messages may overtake each other, money is drawn before it was paid in",
        when: |values, delivery| values.get("selective") == 0 && delivery == Delivery::Unordered,
    }),
    parameters: &[
        size("n", 1, 1, "the number of customers"),
        switch(
            "selective",
            "1: the bank leaves a draft in its mailbox until the money is there",
        ),
    ],
    entry: |values| start!(main, values.get("n"), values.get("selective")),
    traces: |values, delivery| {
        let n = values.get("n");
        match delivery {
            Delivery::Unordered if values.get("selective") == 0 => factorial(3 * n),
            Delivery::Unordered => None,
            // A customer pays in more than it draws, and in this order.
            _ => merges(n, 3),
        }
    },
};

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    let bank = turn.spawn(start!(bank, args.int(1)?));
    for _ in 0..args.int(0)? {
        turn.spawn(start!(customer, bank));
    }
    done()
}

fn bank(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.daemon();
    serve(0, args.int(0)? == 1)
}

fn serve(balance: i64, selective: bool) -> Next {
    let amount = match selective {
        true => Pattern::AtMost(balance),
        false => Pattern::Integer,
    };
    let clauses = [
        pattern!["deposit", Pattern::Integer],
        pattern![Pattern::Process, pattern!["withdraw", amount]],
    ];
    receive(Pattern::one_of(clauses), move |message, turn| {
        if message.is_tagged("deposit") {
            return serve(balance + message.int(1)?, selective);
        }
        let (customer, amount) = (message.pid(0)?, message.at(1)?.int(1)?);
        if amount <= balance {
            turn.send(customer, tuple!["ok", balance - amount]);
            serve(balance - amount, selective)
        } else {
            turn.send(customer, Term::Atom("error"));
            serve(balance, selective)
        }
    })
}

fn customer(args: &Term, turn: &mut Turn<'_>) -> Next {
    let bank = args.pid(0)?;
    turn.send(bank, tuple!["deposit", 120]);
    turn.send(bank, tuple!["deposit", 42]);
    turn.send(bank, tuple![turn.me(), tuple!["withdraw", 100]]);
    let clauses = [pattern!["ok", Pattern::Integer], Pattern::from("error")];
    receive(Pattern::one_of(clauses), |message, _| {
        assert_that(message.is_tagged("ok"), "the customer gets the money")?;
        done()
    })
}
