//! What is reported of a process that fails: message, place, backtrace, and whether it was an assertion.

use mazurka::prelude::*;
use mazurka::{Check, Failure, Finding};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn failure(program: impl mazurka::Body + Send) -> Finding {
    let checked = Check::new().no_logs(true).explore(program);
    let error = checked.errors().next();
    error
        .unwrap_or_else(|| panic!("{}", checked.report))
        .clone()
}

#[derive(Debug)]
#[allow(dead_code)]
struct OutOfStock {
    left: u32,
}

async fn fails_with_an_error() -> Result<(), OutOfStock> {
    Err(OutOfStock { left: 0 })
}

#[track_caller]
fn check(program: impl mazurka::Body + Send, kind: Kind, message: &str) {
    let error = failure(program);
    assert_eq!(error.kind, kind, "{}", error.message);
    assert!(error.message.contains(message), "{}", error.message);
}

#[test]
fn crashes_and_assertions_are_told_apart() {
    let one = || 1; // not known at compile time
    let panics = move || async move {
        if one() == 1 {
            panic!("the {} is full", "disk");
        }
    };
    check(panics, Kind::Crash, "the disk is full at ");
    check(
        move || async move { assert!(one() == 2) },
        Kind::Assertion,
        "assertion failed: one() == 2 at ",
    );
    check(
        move || async move { assert_eq!(one(), 2, "counted wrongly") },
        Kind::Assertion,
        "counted wrongly",
    );
    // Only the source distinguishes these two.
    check(
        move || async move { assert!(one() == 2, "must be {}", 2) },
        Kind::Assertion,
        "must be 2 at ",
    );
    check(
        move || async move { assert_ne!(one(), 1) },
        Kind::Assertion,
        "left != right",
    );
    check(
        move || async move {
            let list: Vec<i32> = Vec::new();
            let _ = list[one()];
        },
        Kind::Crash,
        "index out of bounds",
    );
    check(
        fails_with_an_error,
        Kind::Crash,
        "ended with the error OutOfStock { left: 0 }",
    );
}

async fn worker() {
    let order: u32 = receive().await;
    fill(order);
}

fn fill(order: u32) {
    deeper(order);
}

#[inline(never)]
fn deeper(order: u32) {
    assert!(order < 10, "order {order} is too large");
}

#[test]
fn the_place_and_the_way_there() {
    let error = failure(|| async {
        let worker = spawn(worker);
        send(worker, 12_u32);
    });
    assert_eq!(
        (error.kind, error.process.as_str()),
        (Kind::Assertion, "P.1")
    );
    let place = format!("order 12 is too large at {}:", file!());
    assert!(error.message.contains(&place), "{}", error.message);
    let backtrace = error.backtrace.expect("an assertion has one");
    assert!(backtrace.contains("failures::deeper"), "{backtrace}");
    assert!(backtrace.contains("failures::worker"), "{backtrace}");
    for ours in ["mazurka::live", "mazurka_engine", "panicking"] {
        assert!(!backtrace.contains(ours), "{ours} is in:\n{backtrace}");
    }
}

#[test]
fn others_hear_of_it() {
    Check::new().expect(Kind::Crash).run(|| async {
        let monitor = spawn_monitor(|| async { panic!("no") });
        trap_exit(true);
        let linked = spawn_link(|| async { exit("enough").await });
        receive! {
            Down { monitor: which, reason } => {
                assert_eq!(which, monitor);
                let Reason::Crash(why) = reason else { panic!("{reason:?}") };
                let failure: Failure = why.get().expect("a crash has a failure");
                assert_eq!(failure.message, "no");
            }
        }
        receive! {
            Exit { from, reason } => {
                assert_eq!(from, linked);
                let Reason::Stopped(why) = reason else { panic!("{reason:?}") };
                assert!(why.is(&"enough"));
            }
        }
    });
}

/// A guard that panics does so in the process that has it.
#[test]
fn a_guard_that_panics() {
    let error = failure(|| async {
        let zero = 0;
        send(me(), 4);
        receive! {
            n: i32 if 8 / zero.min(n) == 2 => {}
        }
    });
    assert_eq!((error.kind, error.process.as_str()), (Kind::Crash, "P"));
    assert!(
        error.message.contains("divide by zero"),
        "{}",
        error.message
    );
}

/// The backtrace comes from one more run of the execution, which ends with the log although the
/// program does not.
#[test]
fn the_backtrace_of_a_program_that_never_ends() {
    static TICKS: AtomicU64 = AtomicU64::new(0);
    async fn ticker(main: Pid) {
        loop {
            sleep(Duration::from_secs(1)).await;
            TICKS.fetch_add(1, Ordering::Relaxed);
            send(main, "tick");
        }
    }
    let checked = Check::new().no_logs(true).max_depth(100).explore(|| async {
        let main = me();
        spawn(move || ticker(main));
        spawn(worker_of_twelve);
        loop {
            receive::<&str>().await;
        }
    });
    let error = checked.errors().next().expect("an assertion fails");
    let backtrace = error.backtrace.as_ref().expect("an assertion has one");
    assert!(backtrace.contains("failures::deeper"), "{backtrace}");
    // Some runs to explore, to compare and to explain; none of them longer than 100 steps.
    let ticks = TICKS.load(Ordering::Relaxed);
    assert!(ticks < 10_000, "{ticks} ticks");
}

async fn worker_of_twelve() {
    fill(12);
}
