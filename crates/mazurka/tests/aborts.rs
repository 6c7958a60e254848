//! Panics that would end the test program: in a destructor while a panic unwinds, or in the `Debug`
//! of a message while a report is written.

use mazurka::prelude::*;
use mazurka::{Check, Checked};
use std::fmt;
use std::process::Command;

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("bang");
    }
}

fn explore(program: impl mazurka::Body + Send) -> Checked {
    Check::new().no_logs(true).keep_going(true).explore(program)
}

fn two_numbers() {
    let main = me();
    for n in 1..=2 {
        spawn(move || async move { send(main, n) });
    }
}

/// Runs one of the ignored tests, which aborts its program; what that prints.
fn output_of(test: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", test])
        .output()
        .unwrap();
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Both panics are reported, with what leads there.
#[track_caller]
fn check_both(test: &str, expected: &[&str]) {
    let report = output_of(test);
    let both = [
        "boom at crates/mazurka/tests/aborts.rs:",
        "; while it unwound, a destructor panicked: bang at crates/mazurka/tests/aborts.rs:",
        "(Rust aborts the program there)",
    ];
    let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in both.iter().chain(expected) {
        assert!(report.contains(part), "{part:?} is not in:\n{report}");
    }
}

#[test]
fn a_destructor_that_panics_during_a_panic() {
    check_both(
        "in_one_of_two_executions",
        &[
            "in 1 of 2 executions; all were explored",
            "crash",
            "MAZURKA_REPLAY=",
        ],
    );
}

#[test]
#[ignore = "aborts the program"]
fn in_one_of_two_executions() {
    explore(|| async {
        two_numbers();
        let first = receive::<i32>().await;
        let second = receive::<i32>().await;
        if first > second {
            let _bomb = Bomb;
            panic!("boom");
        }
    });
}

#[test]
fn at_the_start_of_a_process() {
    check_both("at_the_start", &["crash", "P.1"]);
}

#[test]
#[ignore = "aborts the program"]
fn at_the_start() {
    explore(|| async {
        spawn(|| async {
            let _bomb = Bomb;
            panic!("boom");
        });
    });
}

#[test]
fn in_the_guard_of_a_receive() {
    check_both("in_a_guard", &["crash"]);
}

#[test]
#[ignore = "aborts the program"]
fn in_a_guard() {
    fn fails(n: i32) -> bool {
        let _bomb = (n == 2).then_some(Bomb);
        if n == 2 {
            panic!("boom");
        }
        true
    }
    explore(|| async {
        send(me(), 2);
        receive! { n: i32 if fails(n) => {} }
    });
}

/// Two variables of a process that never ends: the second panics while the first unwinds.
#[test]
fn when_a_process_is_dropped() {
    let report = output_of("dropped_by_the_check");
    let both = "a destructor panicked: bang at crates/mazurka/tests/aborts.rs:";
    assert!(report.contains(both), "{report}");
}

#[test]
#[ignore = "aborts the program"]
fn dropped_by_the_check() {
    explore(|| async {
        spawn(|| async {
            daemon();
            let _bombs = (Bomb, Bomb);
            receive::<u32>().await; // there is none
        });
        two_numbers();
        receive::<i32>().await;
        receive::<i32>().await;
    });
}

/// The line in which the `Debug` of [`Shy`] panics.
const SHY_PANICS_AT: u32 = 148;

#[derive(Clone, PartialEq)]
struct Shy(u32);

impl fmt::Debug for Shy {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        const { assert!(line!() + 1 == SHY_PANICS_AT) };
        panic!("do not look at {}", self.0);
    }
}

#[test]
fn a_message_whose_debug_panics() {
    let checked = explore(|| async {
        send(me(), Shy(7));
        let stopping = spawn_monitor(|| async { exit(Shy(8)).await });
        ended(stopping).await;
        receive::<&str>().await;
    });
    let error = checked.errors().next().expect("it waits for ever");
    assert_eq!(error.kind, Kind::Deadlock);
    let shown = format!(
        "<Debug of Shy panicked: do not look at 7 at crates/mazurka/tests/aborts.rs:{SHY_PANICS_AT}:9>"
    );
    // Without spaces: lines are broken where they are too long.
    let report: String = checked.report.split_whitespace().collect();
    let shown: String = shown.split_whitespace().collect();
    assert!(report.contains(&shown), "{}", checked.report);
}

/// A process may format a message itself: then it is the process that panics.
#[test]
fn a_process_that_shows_such_a_message() {
    let checked = explore(|| async {
        send(me(), Shy(7));
        let text = format!("{:?}", receive::<Shy>().await);
        assert!(text.is_empty());
    });
    let error = checked.errors().next().expect("it panics");
    assert_eq!(error.kind, Kind::Crash);
    assert!(
        error.message.contains("do not look at 7"),
        "{}",
        error.message
    );
}

/// Patterns look at clones: what the destructor of a clone does is not seen, and if there can be no
/// clone, the process that takes the message crashes.
#[test]
fn clones_that_patterns_look_at() {
    #[derive(Debug, PartialEq)]
    struct Unique;

    impl Clone for Unique {
        fn clone(&self) -> Unique {
            panic!("there is only one");
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    struct Lease(Pid);

    impl Drop for Lease {
        fn drop(&mut self) {
            send(self.0, "returned");
        }
    }

    let checked = explore(|| async {
        send(me(), Lease(me()));
        receive! { _lease: Lease => {} }
        receive! { "returned" => {} }
        send(me(), Unique);
        receive! { _one: Unique => {} }
    });
    let errors: Vec<_> = checked.errors().collect();
    let [error] = errors[..] else {
        panic!("{}", checked.report)
    };
    assert_eq!(error.kind, Kind::Crash);
    assert!(
        error.message.contains("there is only one"),
        "{}",
        error.message
    );
}
