//! The cost of an execution grows with its length and its processes, not with their square: most of
//! this would not end otherwise.

use mazurka_engine::{
    ByHash, Candidate, Delivery, Driven, Frontend, Guide, KEPT_PER_SYMPTOM, Options, PidId, Reason,
    Report, SendersFirst, Settings, Standing, check, drive,
};
use mazurka_gallery::{Actors, Next, Pattern, Start, Term, Turn, done, receive, start, tuple};
use mazurka_trace::{Log, Trace};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

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

fn call(left: i64, server: PidId, turn: &mut Turn<'_>) -> Next {
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

fn explore(entry: Start, guide: impl Guide, keep_going: bool) -> Report {
    let settings = Settings {
        explore: Options {
            delivery: Delivery::Mailbox,
            max_processes: None,
            ..Options::default()
        },
        keep_going,
        ..Settings::default()
    };
    let go_on = |_: &_| ControlFlow::Continue(());
    check(Actors::new(entry), guide, &settings, go_on).unwrap()
}

/// Pairs of processes, one of which sends the other a message.
fn pairs(args: &Term, turn: &mut Turn<'_>) -> Next {
    for _ in 0..args.int(0)? {
        let taker = turn.spawn(start!(taker));
        turn.spawn(start!(sender, taker, 1));
    }
    done()
}

fn taker(_: &Term, _: &mut Turn<'_>) -> Next {
    receive(Pattern::Any, |_, _| done())
}

/// The default guide, which counts how often it is asked for the key of a process.
struct Counting {
    asked: Rc<Cell<u64>>,
}

impl Guide for Counting {
    fn process_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> u64 {
        self.asked.set(self.asked.get() + 1);
        SendersFirst.process_key(standing)
    }

    fn candidate_key<F: Frontend>(&self, candidate: &mut Candidate<'_, F>) -> u64 {
        SendersFirst.candidate_key(candidate)
    }
}

#[test]
fn choosing_the_next_of_many_processes() {
    for pairs_count in [500, 2_000] {
        let asked = Rc::new(Cell::new(0));
        let guide = Counting {
            asked: Rc::clone(&asked),
        };
        let report = explore(start!(pairs, pairs_count), guide, false);
        assert_eq!(report.progress.executions, 1);
        // A scan of all processes that can move asks as often as there are processes, in each step.
        // Here it is that of the last 64 of them alone.
        let per_step = asked.get() as f64 / report.progress.transitions as f64;
        assert!(per_step < 10.0, "{per_step} keys in each step");
    }
}

/// Three processes that race among many others that do not.
fn a_race_in_a_crowd(_: &Term, turn: &mut Turn<'_>) -> Next {
    for _ in 0..60 {
        let taker = turn.spawn(start!(taker));
        turn.spawn(start!(sender, taker, 1));
    }
    let server = turn.spawn(start!(collector));
    for _ in 0..3 {
        turn.spawn(start!(sender, server, 1));
    }
    for _ in 0..20 {
        let taker = turn.spawn(start!(taker));
        turn.spawn(start!(sender, taker, 1));
    }
    done()
}

fn collector(_: &Term, _: &mut Turn<'_>) -> Next {
    collect(3)
}

fn collect(left: i64) -> Next {
    match left {
        0 => done(),
        _ => receive(Pattern::Any, move |_, _| collect(left - 1)),
    }
}

#[test]
fn many_processes_are_explored_as_few() {
    let report = explore(start!(a_race_in_a_crowd), SendersFirst, false);
    assert_eq!(report.progress.executions, 6);
    // Other choices lead to variants of steps whose clocks know far slots.
    for seed in 0..5 {
        let report = explore(start!(a_race_in_a_crowd), ByHash { seed }, false);
        assert_eq!(report.progress.executions, 6, "seed {seed}");
    }
}

/// All processes but the first one fail.
fn all_fail(args: &Term, turn: &mut Turn<'_>) -> Next {
    for _ in 0..args.int(0)? {
        turn.spawn(start!(failing));
    }
    done()
}

fn failing(_: &Term, _: &mut Turn<'_>) -> Next {
    fail()
}

#[test]
fn of_many_errors_that_look_the_same_some_are_kept_and_all_are_counted() {
    let kept = KEPT_PER_SYMPTOM as i64;
    for (errors, not_kept) in [(kept, 0), (kept + 50, 50)] {
        let report = explore(start!(all_fail, errors), SendersFirst, true);
        assert_eq!(report.errors().count(), KEPT_PER_SYMPTOM);
        assert_eq!(report.progress.errors, errors as u64);
        let counted: u64 = report.errors().map(|found| found.not_kept).sum();
        assert_eq!(counted, not_kept);
        // All of one execution share its trace.
        let first = &report.found[0].trace;
        assert!(
            report
                .found
                .iter()
                .all(|found| Rc::ptr_eq(&found.trace, first))
        );
    }
}
