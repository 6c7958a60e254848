//! A registration server for limited resources (Gotovos, Christakis and Sagonas 2011), and the
//! two tests of it that Christakis et al. (2013) measure.

use super::{size, switch};
use crate::program::Program;
use crate::{
    Next, Pattern, Term, Turn, ask, assert_that, crash, done, granted, pattern, receive, start,
    tuple,
};
use mazurka_engine::{Answer, Operation, Pid};
use std::rc::Rc;

pub(super) const PROGRAM: Program = Program {
    name: "attach",
    about: "processes attach to a registration server that has a few places only (Concuerror)",
    wrong: None,
    parameters: &[
        size(
            "clients",
            2,
            1,
            "the number of processes that attach, the one that starts and stops the server included",
        ),
        switch(
            "ping",
            "1: they also ping the server to confirm that they are attached, and only then it stops",
        ),
    ],
    entry: |values| start!(test, values.get("clients"), values.get("ping")),
    traces: |_, _| None,
};

/// So many processes may be attached at a time.
const PLACES: usize = 2;

const NAME: Term = Term::Atom("reg_server");

/// What a request gets if there is no server.
const SERVER_DOWN: Term = Term::Atom("server_down");
const SERVER_FULL: Term = Term::Atom("server_full");

/// The references of monitors, one for each request of a client.
const ATTACH: u64 = 1;
const PING: u64 = 2;
const STOP: u64 = 3;

fn test(args: &Term, _: &mut Turn<'_>) -> Next {
    let (clients, ping) = (args.int(0)?, args.int(1)?);
    start_server(move |_| {
        request("attach", ATTACH, move |place, turn| {
            assert_that(*place == Term::Int(1), "the first to attach gets a place")?;
            for i in 2..=clients {
                turn.spawn(start!(client, turn.me(), i, ping));
            }
            match ping == 1 {
                true => confirm(place.clone(), move |_| wait_for(2, clients)),
                false => stop_server(),
            }
        })
    })
}

fn wait_for(i: i64, clients: i64) -> Next {
    if i > clients {
        return stop_server();
    }
    receive(Pattern::from(tuple!["done", i]), move |_, _| {
        wait_for(i + 1, clients)
    })
}

fn client(args: &Term, _: &mut Turn<'_>) -> Next {
    let (test, i, ping) = (args.pid(0)?, args.int(1)?, args.int(2)?);
    request("attach", ATTACH, move |place, turn| {
        assert_that(
            *place != Term::Int(1),
            "a place that is taken is not given away",
        )?;
        let report = move |turn: &mut Turn<'_>| {
            turn.send(test, tuple!["done", i]);
            done()
        };
        match place {
            // Without a ping nobody waits for the client: the server may have stopped.
            _ if ping == 0 => done(),
            Term::Int(_) => confirm(place.clone(), report),
            _ => {
                assert_that(*place == SERVER_FULL, "the server runs")?;
                report(turn)
            }
        }
    })
}

/// The server replies to a ping with the place that the process has.
fn confirm(place: Term, then: impl Fn(&mut Turn<'_>) -> Next + Clone + 'static) -> Next {
    request("ping", PING, move |reply, turn| {
        assert_that(*reply == place, "the server knows who is attached")?;
        then(turn)
    })
}

fn stop_server() -> Next {
    request("stop", STOP, |_, _| done())
}

/// Sends a request to whoever bears the server's name, and waits for the reply or for the
/// news that the server is gone.
fn request(
    what: &'static str,
    reference: u64,
    then: impl Fn(&Term, &mut Turn<'_>) -> Next + Clone + 'static,
) -> Next {
    ask(Operation::WhereIs { name: NAME }, move |answer, turn| {
        let Answer::Pid(Some(pid)) = *answer else {
            return then(&SERVER_DOWN, turn);
        };
        let then = then.clone();
        ask(Operation::Monitor { pid, reference }, move |_, turn| {
            turn.send(pid, tuple!["request", turn.me(), what]);
            let then = then.clone();
            let news = [
                pattern!["reply", Pattern::Any],
                Pattern::Down(Some(reference)),
            ];
            receive(Pattern::one_of(news), move |message, turn| {
                if message.is_tagged("DOWN") {
                    return then(&SERVER_DOWN, turn);
                }
                let (reply, then) = (message.at(1)?.clone(), then.clone());
                ask(Operation::Demonitor { pid, reference }, move |_, turn| {
                    then(&reply, turn)
                })
            })
        })
    })
}

fn start_server(then: impl Fn(&mut Turn<'_>) -> Next + 'static) -> Next {
    let then = Rc::new(then);
    ask(Operation::WhereIs { name: NAME }, move |answer, turn| {
        if *answer != Answer::Pid(None) {
            return crash("already_started");
        }
        let (pid, then) = (turn.spawn(start!(server)), then.clone());
        ask(
            Operation::Register { name: NAME, pid },
            move |answer, turn| {
                granted(answer)?;
                then(turn)
            },
        )
    })
}

/// Who is at each place.
type Places = [Option<Pid>; PLACES];

fn server(_: &Term, _: &mut Turn<'_>) -> Next {
    serve([None; PLACES], 1)
}

/// `reference` is for the next process that attaches.
fn serve(places: Places, reference: u64) -> Next {
    let clauses = [
        pattern!["request", Pattern::Process, Pattern::Any],
        Pattern::Down(None),
    ];
    receive(Pattern::one_of(clauses), move |message, turn| {
        if message.is_tagged("DOWN") {
            return serve(without(message.pid(3)?, places), reference);
        }
        let from = message.pid(1)?;
        match message.at(2)? {
            Term::Atom("attach") => attach(from, places, reference, turn),
            Term::Atom("detach") => {
                turn.send(from, tuple!["reply", "ok"]);
                serve(without(from, places), reference)
            }
            Term::Atom("ping") => {
                let place = place_of(from, &places).unwrap_or(Term::Atom("pong"));
                turn.send(from, tuple!["reply", place]);
                serve(places, reference)
            }
            _ => ask(Operation::Unregister { name: NAME }, move |answer, turn| {
                granted(answer)?;
                turn.send(from, tuple!["reply", "ok"]);
                done()
            }),
        }
    })
}

fn attach(from: Pid, places: Places, reference: u64, turn: &mut Turn<'_>) -> Next {
    if let Some(place) = place_of(from, &places) {
        turn.send(from, tuple!["reply", place]);
        return serve(places, reference);
    }
    let Some(free) = places.iter().position(Option::is_none) else {
        turn.send(from, tuple!["reply", SERVER_FULL]);
        return serve(places, reference);
    };
    let mut places = places;
    places[free] = Some(from);
    let monitor = Operation::Monitor {
        pid: from,
        reference,
    };
    ask(monitor, move |_, turn| {
        let place = place_of(from, &places);
        turn.send(from, tuple!["reply", place.unwrap_or(SERVER_FULL)]);
        serve(places, reference + 1)
    })
}

/// The number of the place that a process has.
fn place_of(pid: Pid, places: &Places) -> Option<Term> {
    let mut numbered = (1..).zip(places);
    numbered
        .find(|(_, taken)| **taken == Some(pid))
        .map(|(number, _)| Term::Int(number))
}

fn without(pid: Pid, places: Places) -> Places {
    places.map(|taken| taken.filter(|&taken| taken != pid))
}
