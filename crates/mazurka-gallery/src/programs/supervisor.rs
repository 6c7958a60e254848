//! A supervisor that restarts a worker, and a client that comes at the wrong moment.

use crate::program::{Mistake, Program, Wrong};
use crate::{
    Next, Pattern, Term, Turn, ask, crash, done, granted, pattern, receive, receive_after, start,
    stop, tuple,
};
use mazurka_engine::{Answer, Operation, Pid};

pub(super) const PROGRAM: Program = Program {
    name: "supervisor",
    about: "a supervisor restarts a worker that stops while a client looks for it by name",
    wrong: Some(Wrong {
        kind: Mistake::Crash,
        about: "between stop and restart nobody bears the worker's name, or the request is lost",
        when: |_, _| true,
    }),
    parameters: &[],
    entry: |_| start!(supervisor),
    traces: |_, _| None,
};

const NAME: Term = Term::Atom("worker");
const CLIENT: u64 = 1;

fn supervisor(_: &Term, turn: &mut Turn<'_>) -> Next {
    turn.trap_exit(true);
    start_worker(turn, |worker, turn| {
        turn.spawn(start!(saboteur, worker));
        turn.spawn_monitor(start!(client), CLIENT);
        supervise()
    })
}

fn start_worker(turn: &mut Turn<'_>, then: impl Fn(Pid, &mut Turn<'_>) -> Next + 'static) -> Next {
    let pid = turn.spawn_link(start!(worker));
    ask(
        Operation::Register { name: NAME, pid },
        move |answer, turn| {
            granted(answer)?;
            then(pid, turn)
        },
    )
}

/// Until the client has ended.
fn supervise() -> Next {
    let news = [Pattern::Exit(None), Pattern::Down(Some(CLIENT))];
    receive(Pattern::one_of(news), |message, turn| {
        match message.is_tagged("EXIT") {
            true => start_worker(turn, |_, _| supervise()),
            false => done(),
        }
    })
}

fn worker(_: &Term, turn: &mut Turn<'_>) -> Next {
    turn.daemon();
    let clauses = [Pattern::from("stop"), pattern!["request", Pattern::Process]];
    receive(Pattern::one_of(clauses), |message, turn| {
        if message.is_tagged("stop") {
            return stop("stopped");
        }
        turn.send(message.pid(1)?, Term::Atom("reply"));
        worker(message, turn)
    })
}

fn saboteur(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.send(args.pid(0)?, Term::Atom("stop"));
    done()
}

fn client(_: &Term, _: &mut Turn<'_>) -> Next {
    ask(Operation::WhereIs { name: NAME }, |answer, turn| {
        let Answer::Pid(Some(worker)) = answer else {
            return crash("badarg");
        };
        turn.send(*worker, tuple!["request", turn.me()]);
        receive_after(
            Pattern::from("reply"),
            5000,
            |_, _| done(),
            |_| crash("timeout"),
        )
    })
}
