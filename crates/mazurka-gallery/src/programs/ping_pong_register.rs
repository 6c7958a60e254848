//! The running example of the Concuerror paper (Christakis et al. 2013, Figure 1).

use super::switch;
use crate::program::{Mistake, Program, Wrong};
use crate::{Next, Pattern, Term, Turn, ask, done, granted, receive, start};
use mazurka_engine::Operation;

pub(super) const PROGRAM: Program = Program {
    name: "ping-pong-register",
    about: "a process gives a name to one that may have ended already (Concuerror, Figure 1)",
    wrong: Some(Wrong {
        kind: Mistake::Crash,
        about: "register fails with badarg if the process has sent its ping and ended",
        when: |values, _| values.get("fixed") == 0,
    }),
    parameters: &[switch(
        "fixed",
        "1: the process waits until it has its name",
    )],
    entry: |values| start!(pong, values.get("fixed")),
    traces: |values, _| Some(if values.get("fixed") == 0 { 2 } else { 1 }),
};

fn pong(args: &Term, turn: &mut Turn<'_>) -> Next {
    let fixed = args.int(0)?;
    let pid = turn.spawn(start!(ping, turn.me(), fixed));
    let name = Term::Atom("ping_pong");
    ask(Operation::Register { name, pid }, move |answer, turn| {
        granted(answer)?;
        if fixed == 1 {
            turn.send(pid, Term::Atom("go"));
        }
        receive(Pattern::from("ping"), |_, _| done())
    })
}

fn ping(args: &Term, turn: &mut Turn<'_>) -> Next {
    let pong = args.pid(0)?;
    if args.int(1)? == 1 {
        return receive(Pattern::from("go"), move |_, turn| {
            turn.send(pong, Term::Atom("ping"));
            done()
        });
    }
    turn.send(pong, Term::Atom("ping"));
    done()
}
