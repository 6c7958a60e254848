//! Processes that want the same name.

use super::{size, switch};
use crate::count::factorial;
use crate::program::{Mistake, Program, Wrong};
use crate::{Next, Pattern, Term, Turn, ask, done, granted, receive, start};
use mazurka_engine::{Answer, Operation};

pub(super) const PROGRAM: Program = Program {
    name: "name-race",
    about: "n processes register themselves under the same name",
    wrong: Some(Wrong {
        kind: Mistake::Crash,
        about: "all but the first are refused with badarg",
        when: |values, _| values.get("fixed") == 0 && values.get("n") >= 2,
    }),
    parameters: &[
        size("n", 2, 1, "the number of processes"),
        switch("fixed", "1: whoever finds the name taken leaves it at that"),
    ],
    entry: |values| start!(main, values.get("n"), values.get("fixed")),
    traces: |values, _| factorial(values.get("n")),
};

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    for _ in 0..args.int(0)? {
        turn.spawn(start!(server, args.int(1)?));
    }
    done()
}

fn server(args: &Term, turn: &mut Turn<'_>) -> Next {
    let fixed = args.int(0)? == 1;
    let register = Operation::Register {
        name: Term::Atom("server"),
        pid: turn.me(),
    };
    ask(register, move |answer, turn| {
        if fixed && *answer == Answer::Refused {
            return done();
        }
        granted(answer)?;
        turn.daemon();
        receive(Pattern::from("stop"), |_, _| done())
    })
}
