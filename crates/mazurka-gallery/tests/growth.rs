//! The cost of long executions grows linearly with their length. With quadratic cost, these tests would
//! not end.

use mazurka_engine::{
    Delivery, Driven, Options, Pid, Reason, SendersFirst, Settings, check, drive,
};
use mazurka_gallery::{Actors, Next, Pattern, Start, Term, Turn, done, receive, start, tuple};
use mazurka_trace::{Log, Trace};
use std::ops::ControlFlow;

const MESSAGES: i64 = 20_000;

/// Drives the program along the log of the error in its first execution. Returns the trace.
fn failing_trace(entry: Start) -> Trace {
    let explore = Options {
        delivery: Delivery::Mailbox,
        ..Options::default()
    };
    let settings = Settings {
        explore: explore.clone(),
        ..Settings::default()
    };
    let program = Actors::new(entry);
    let go_on = |_: &_| ControlFlow::Continue(());
    let report = check(program.clone(), SendersFirst, &settings, go_on).unwrap();
    assert_eq!(report.progress.executions, 1);
    let errors: Vec<_> = report.errors().collect();
    assert_eq!(errors.len(), 1);
    let log: Log = errors[0].trace.log();
    let Driven { trace, .. } = drive(program, &explore, &log, None).unwrap();
    assert_eq!(trace.log(), log);
    trace
}

fn fail() -> Next {
    Err(Reason::Crash(Term::from("boom")))
}

fn take(left: i64) -> Next {
    match left {
        0 => fail(),
        _ => receive(Pattern::Any, move |_, _| take(left - 1)),
    }
}

fn sender(args: &Term, turn: &mut Turn<'_>) -> Next {
    let to = args.pid(0)?;
    for n in 0..args.int(1)? {
        turn.send(to, Term::Int(n));
    }
    done()
}

fn mailbox(_: &Term, turn: &mut Turn<'_>) -> Next {
    for n in 0..MESSAGES {
        turn.send(turn.me(), Term::Int(n));
    }
    take(MESSAGES)
}

#[test]
fn a_full_mailbox() {
    let trace = failing_trace(start!(mailbox));
    assert_eq!(trace.event_count(), 2 * MESSAGES as usize + 1);
    assert!(trace.check().unwrap().races().is_empty());
}

fn two_senders(_: &Term, turn: &mut Turn<'_>) -> Next {
    turn.spawn(start!(sender, turn.me(), MESSAGES / 2));
    turn.spawn(start!(sender, turn.me(), MESSAGES / 2));
    take(MESSAGES)
}

#[test]
fn two_senders_race_at_every_receive() {
    let trace = failing_trace(start!(two_senders));
    let causality = trace.check().unwrap();
    // There is a race while both have messages left.
    assert_eq!(causality.races().len(), MESSAGES as usize / 2);
    assert_eq!(causality.fewest_switches(1_000).switches, 3);
}

fn unmatched(_: &Term, turn: &mut Turn<'_>) -> Next {
    for n in 0..MESSAGES {
        turn.send(turn.me(), tuple!["unmatched", n]);
    }
    for n in 0..MESSAGES {
        turn.send(turn.me(), tuple!["matched", n]);
    }
    take_matched(MESSAGES)
}

fn take_matched(left: i64) -> Next {
    match left {
        0 => fail(),
        _ => receive(matched(), move |_, _| take_matched(left - 1)),
    }
}

fn matched() -> Pattern {
    mazurka_gallery::pattern!["matched", Pattern::Any]
}

#[test]
fn a_mailbox_of_unmatched_messages() {
    let trace = failing_trace(start!(unmatched));
    let json = trace.to_json();
    // The set of accepted messages is stored once, not once for each receive.
    assert_eq!(json.matches("\"as\": 40000").count(), MESSAGES as usize - 1);
    assert_eq!(Trace::from_json(&json).unwrap().to_json(), json);
}

fn calls(_: &Term, turn: &mut Turn<'_>) -> Next {
    let server = turn.spawn(start!(server));
    call(MESSAGES / 2, server, turn)
}

fn call(left: i64, server: Pid, turn: &mut Turn<'_>) -> Next {
    if left == 0 {
        return fail();
    }
    turn.send(server, tuple![turn.me(), left]);
    receive(Pattern::from(left), move |_, turn| {
        call(left - 1, server, turn)
    })
}

fn server(_: &Term, _: &mut Turn<'_>) -> Next {
    answer(MESSAGES / 2)
}

fn answer(left: i64) -> Next {
    match left {
        0 => done(),
        _ => receive(Pattern::Any, move |request, turn| {
            turn.send(request.pid(0)?, Term::Int(request.int(1)?));
            answer(left - 1)
        }),
    }
}

#[test]
fn every_receive_has_a_different_constraint() {
    let trace = failing_trace(start!(calls));
    assert_eq!(trace.event_count(), 2 * MESSAGES as usize + 3);
    assert!(trace.check().unwrap().races().is_empty());
    let bytes_per_event = trace.to_json().len() / trace.event_count();
    assert!(bytes_per_event < 100, "{bytes_per_event}");
}
