//! Clients that read a balance and write it back with one added.

use super::{size, switch};
use crate::count::factorial;
use crate::program::{Mistake, Program, Wrong};
use crate::{Next, Pattern, Term, Turn, ask, assert_equal, done, number, receive, start, tuple};
use mazurka_engine::{Operation, Pid};

pub(super) const PROGRAM: Program = Program {
    name: "lost-update",
    about: "n clients add one to a balance in a table",
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "two clients read the same balance, and what one of them adds is lost",
        when: |values, _| values.get("fixed") == 0 && values.get("n") >= 2,
    }),
    parameters: &[
        size("n", 2, 1, "the number of clients"),
        switch("fixed", "1: a counter adds in one operation"),
    ],
    entry: |values| start!(main, values.get("n"), values.get("fixed")),
    traces: |values, _| match values.get("fixed") {
        1 => factorial(values.get("n")),
        _ => None,
    },
};

const BALANCE: Term = Term::Atom("balance");

fn read() -> Operation<Term> {
    Operation::Get {
        table: Term::Atom("bank"),
        key: BALANCE,
    }
}

fn write(balance: i64) -> Operation<Term> {
    Operation::Put {
        table: Term::Atom("bank"),
        key: BALANCE,
        value: Term::Int(balance),
    }
}

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (n, fixed) = (args.int(0)?, args.int(1)? == 1);
    if fixed {
        for i in 1..=n {
            turn.spawn(start!(adder, turn.me(), i));
        }
        return wait_for(1, n, fixed);
    }
    ask(write(0), move |_, turn| {
        for i in 1..=n {
            turn.spawn(start!(client, turn.me(), i));
        }
        wait_for(1, n, fixed)
    })
}

fn wait_for(i: i64, n: i64, fixed: bool) -> Next {
    if i <= n {
        return receive(Pattern::from(tuple!["done", i]), move |_, _| {
            wait_for(i + 1, n, fixed)
        });
    }
    let balance = match fixed {
        true => Operation::Count { counter: BALANCE },
        false => read(),
    };
    ask(balance, move |answer, _| {
        assert_equal("the balance", number(answer)?, n)?;
        done()
    })
}

fn client(args: &Term, _: &mut Turn<'_>) -> Next {
    let (main, i) = (args.pid(0)?, args.int(1)?);
    ask(read(), move |answer, _| {
        let balance = number(answer)?;
        ask(write(balance + 1), move |_, turn| report(main, i, turn))
    })
}

fn adder(args: &Term, _: &mut Turn<'_>) -> Next {
    let (main, i) = (args.pid(0)?, args.int(1)?);
    let add = Operation::Add {
        counter: BALANCE,
        amount: 1,
    };
    ask(add, move |_, turn| report(main, i, turn))
}

fn report(main: Pid, i: i64, turn: &mut Turn<'_>) -> Next {
    turn.send(main, tuple!["done", i]);
    done()
}
