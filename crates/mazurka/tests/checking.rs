//! Checks as people meet them: tests that fail with a report, logs, the line that replays one,
//! and settings from the environment. The failing tests run in processes of their own.

use mazurka::prelude::*;
use mazurka::{Algorithm, Check, Order, Place, Sampler, Strategy, Valuation, Valuations, Verdict};
use std::path::PathBuf;
use std::process::{Command, Output};

/// Two senders, and a receiver that relies on chance.
async fn racy() {
    let main = me();
    for n in 1..=2 {
        spawn(move || async move { send(main, n) });
    }
    let first = receive::<i32>().await;
    mazurka::println!("first came {first}");
    assert_eq!(first, 1, "who is first is left to chance");
    receive::<i32>().await;
}

/// The tests named `inner_…` fail on purpose, and only when they are asked to.
const ASKED: &str = "FAIL_ON_PURPOSE";

fn asked() -> bool {
    std::env::var_os(ASKED).is_some()
}

#[test]
fn inner_closure() {
    if asked() {
        mazurka::check(|| async { racy().await });
    }
}

#[test]
fn inner_function() {
    if asked() {
        mazurka::check(racy);
    }
}

fn helper() {
    mazurka::check(|| async { racy().await });
}

#[test]
fn inner_helper() {
    if asked() {
        helper();
    }
}

#[test]
fn inner_call() {
    if asked() {
        mazurka::check(call(|()| racy(), ()));
    }
}

#[test]
fn inner_name() {
    if asked() {
        Check::new().name("a racy program").run(racy);
    }
}

#[test]
fn inner_other_panic() {
    if asked() {
        mazurka::check(|| async {});
        let other = std::thread::spawn(|| panic!("somewhere else"));
        assert!(other.join().is_err());
    }
}

/// A panic that is no process's is printed as always, also after checks.
#[test]
fn other_panics_are_left_alone() {
    let (output, text) = run("inner_other_panic", &[]);
    assert!(output.status.success(), "{text}");
    contains(&text, &["panicked at", "somewhere else"]);
}

mod nested {
    #[mazurka::test(expect = mazurka::Kind::Assertion)]
    async fn finds_it() {
        super::racy().await;
    }

    /// Fails by itself only if asked: the environment may change what is expected.
    #[mazurka::test]
    async fn inner_attribute() -> Result<(), String> {
        if super::asked() {
            super::racy().await;
        }
        Ok(())
    }
}

/// Runs one test of this file in a process of its own.
fn run(test: &str, environment: &[(&str, &str)]) -> (Output, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", test, "--nocapture"])
        .env(ASKED, "1")
        .env("NO_COLOR", "1")
        .envs(environment.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let text = text.into_owned();
    (output, text)
}

#[track_caller]
fn contains(text: &str, parts: &[&str]) {
    // Reports break lines between words.
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        let is_there = text.contains(part) || flat(text).contains(&flat(part));
        assert!(is_there, "{part:?} is not in:\n{text}");
    }
}

/// A directory of its own for the logs of a test.
fn logs(test: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test)
}

#[test]
fn a_failing_check_reports_and_can_be_replayed() {
    for test in [
        "inner_closure",
        "inner_function",
        "inner_helper",
        "inner_call",
        "inner_name",
        "nested::inner_attribute",
    ] {
        let logs = logs(test);
        let logs = logs.to_str().unwrap();
        let (output, text) = run(test, &[("MAZURKA_LOG_DIR", logs)]);
        assert!(!output.status.success(), "{text}");
        contains(
            &text,
            &[
                " fails: assertion `left == right` failed: ",
                "who is first is left to chance",
                "Replay: MAZURKA_REPLAY=",
                &format!("cargo test -p mazurka --test checking {test} -- --exact --nocapture"),
                // The race, and the way there.
                "2 from racy:13 P.2",
                "at ./tests/checking.rs:17:5",
            ],
        );
        assert!(
            !text.contains("first came"),
            "explorations are silent:\n{text}"
        );

        // Run the line in a shell, once only, because cargo is slow to start.
        if test != "inner_closure" {
            continue;
        }
        let line = text
            .lines()
            .find_map(|line| line.split_once("Replay: "))
            .expect("the line")
            .1;
        let replayed = Command::new("sh")
            .args(["-c", line])
            .env(ASKED, "1")
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let text =
            String::from_utf8_lossy(&replayed.stdout) + String::from_utf8_lossy(&replayed.stderr);
        assert!(!replayed.status.success(), "{text}");
        contains(
            &text,
            &[
                "P: first came 2",
                "assertion",
                "who is first is left to chance",
            ],
        );
        // When it happens, and beside the steps.
        contains(&text, &["| first came 2", "The error recurs: assertion"]);
        assert_eq!(text.matches("first came").count(), 2, "{text}");
    }
}

#[test]
fn the_environment_goes_before_the_code() {
    let quiet = ("MAZURKA_NO_LOGS", "1");
    let (output, text) = run("inner_closure", &[quiet, ("MAZURKA_EXPECT", "assertion")]);
    assert!(output.status.success(), "{text}");
    let (output, text) = run(
        "inner_closure",
        &[
            quiet,
            ("MAZURKA_DELIVERY", "mailbox"),
            ("MAZURKA_KEEP_GOING", "on"),
            ("MAZURKA_VERBOSE", "on"),
        ],
    );
    assert!(!output.status.success());
    contains(
        &text,
        &["mailbox", "in 1 of 2 executions; all were explored."],
    );
    let (_, text) = run(
        "inner_closure",
        &[
            quiet,
            ("MAZURKA_ALGORITHM", "odpor"),
            ("MAZURKA_VERBOSE", "on"),
        ],
    );
    contains(&text, &["odpor"]);
    let (_, text) = run("inner_closure", &[quiet, ("MAZURKA_FORMAT", "json")]);
    contains(&text, &["\"errors\"", "\"assertion\""]);
}

#[test]
fn mistakes_in_the_environment() {
    let check = |variable: (&str, &str), expected: &[&str]| {
        let (output, text) = run("inner_closure", &[variable]);
        assert!(!output.status.success(), "{text}");
        contains(&text, expected);
    };
    check(
        ("MAZURKA_DELIVERY", "postal"),
        &[
            "the environment variable MAZURKA_DELIVERY cannot be `postal`",
            "mailbox",
        ],
    );
    check(
        ("MAZURKA_MAX_DEPTH", "0"),
        &["MAZURKA_MAX_DEPTH=0 leaves nothing to explore: give a number above 0"],
    );
    check(
        ("MAZURKA_DELIVERI", "p2p"),
        &[
            "the environment variable MAZURKA_DELIVERI is unknown",
            "DELIVERY",
        ],
    );
    check(
        ("MAZURKA_ORDER", "lca"),
        &["MAZURKA_ORDER does not apply to algorithm(Algorithm::Optimal)"],
    );
    check(
        ("MAZURKA_REPLAY", "no/such/file.json"),
        &["no/such/file.json"],
    );
}

#[test]
fn a_log_that_does_not_fit() {
    let logs = logs("does_not_fit");
    let checked = Check::new().log_dir(&logs).explore(racy);
    let log = checked.errors().next().unwrap().log.clone().unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    let broken = logs.join("broken.json");
    std::fs::write(&broken, &text[..text.len() / 2]).unwrap();
    let panic_of = |log: PathBuf, program: fn() -> std::future::Ready<()>| {
        let panic = std::panic::catch_unwind(|| mazurka::replay(log, program)).unwrap_err();
        panic.downcast_ref::<String>().cloned().expect("a text")
    };
    contains(
        &panic_of(broken, || std::future::ready(())),
        &["broken.json"],
    );
    // A program that has changed since is followed as far as the log fits.
    let changed = mazurka::replay(log, || std::future::ready(()));
    contains(
        &changed.report,
        &[
            "The program departs from the log",
            "should be message P.2#0, but it ended there",
            "The error is gone",
        ],
    );
}

#[test]
fn every_setting_is_there() {
    let checked = Check::new()
        .name("all settings")
        .delivery(Delivery::Causal)
        .timeouts(Timeouts::Never)
        .algorithm(Algorithm::Dpor)
        .order(Order::Lca)
        .sleep_sets(false)
        .max_depth(500)
        .max_processes(50)
        .max_executions(1_000)
        .max_seconds(60.0)
        .max_memory(100_000)
        .max_step_seconds(5.0)
        .keep_going(true)
        .after_stuck(5)
        .error(Kind::DeadLetter)
        .verbose(true)
        .expect(Kind::Assertion)
        .distrust(true)
        .no_logs(true)
        .run(racy);
    assert_eq!(checked.verdict, Verdict::AsExpected);
    contains(
        &checked.report,
        &["As expected", "dpor, lca order, without sleep sets"],
    );
    let schedules = Check::new()
        .algorithm(Algorithm::Interleavings)
        .blocking_avoidance(false)
        .preemption_bound(1)
        .expect(Kind::Assertion)
        .no_logs(true)
        .run(racy);
    assert_eq!(schedules.verdict, Verdict::AsExpected);
    let random = Check::new()
        .strategy(Strategy::Random { seed: 0 })
        .seed(7)
        .expect(Kind::Assertion)
        .no_logs(true)
        .run(racy);
    assert_eq!(random.verdict, Verdict::AsExpected);
}

#[test]
fn a_search_can_be_directed() {
    let check = || Check::new().no_logs(true).keep_going(true).verbose(true);
    let checked = check().valuation(Valuation::FlipParallel).explore(racy);
    assert_eq!((checked.executions, checked.verdict), (2, Verdict::Wrong));
    contains(&checked.report, &["optimal, best-first by flip-parallel\n"]);
    let weighed = Valuations::none()
        .with(Valuation::MinMatch, 3)
        .with(Valuation::Depth, 1);
    let checked = check()
        .valuation(weighed)
        .direct(&[Place::Frontier, Place::Prefer])
        .threshold(2)
        .json(true)
        .explore(racy);
    contains(
        &checked.report,
        &[
            r#""strategy": "best-first""#,
            r#""threshold": 2"#,
            r#""valuations": "depth,min-match:3""#,
        ],
    );
    assert_eq!(checked.executions, 2);
    let checked = check()
        .strategy(Strategy::Mcts { seed: 3 })
        .valuation(Valuation::MinMatch)
        .explore(racy);
    contains(&checked.report, &["optimal, mcts by min-match, seed 3\n"]);
}

/// Opens if the digits come in the right order, and reports how many are missing.
async fn lock() {
    let lock = me();
    for digit in 1..=4 {
        spawn(move || async move { send(lock, digit) });
    }
    let (code, mut right) = ([3, 1, 4, 2], 0);
    while right < code.len() {
        mazurka::distance((code.len() - right) as u32);
        if receive::<i32>().await != code[right] {
            return;
        }
        right += 1;
    }
    panic!("it is open");
}

#[test]
fn a_program_that_tells_its_distance_is_led_to_its_error() {
    let first_error = |check: Check| check.no_logs(true).explore(lock).executions;
    assert_eq!(first_error(Check::new()), 4);
    let led = Check::new().valuation(Valuation::Distance);
    assert_eq!(first_error(led.direct(&[Place::Prefer])), 1);
}

/// One way leads to one process 9 inputs away from an error, the other to two, each 5 inputs away.
async fn one_or_two() {
    let (processes, inputs) = match mazurka::choose(2).await {
        0 => (1, 9),
        _ => (2, 5),
    };
    let all: Vec<_> = (0..processes)
        .map(|_| {
            spawn(move || async move {
                for left in (1..=inputs).rev() {
                    mazurka::distance(left);
                    receive::<()>().await;
                }
                panic!("reached by {processes}");
            })
        })
        .collect();
    for _ in 0..inputs {
        for &pid in &all {
            send(pid, ());
        }
    }
}

/// A*: the distances of the processes are added, so one process 9 inputs away is nearer than two
/// that are 5 inputs away each.
#[test]
fn distances_are_added() {
    let checked = Check::new()
        .valuation(Valuation::Distance)
        .threshold(0)
        .no_logs(true)
        .explore(one_or_two);
    contains(&checked.report, &["reached by 1"]);
    assert!(
        !checked.report.contains("reached by 2"),
        "{}",
        checked.report
    );
}

#[test]
fn a_hunt() {
    let logs = logs("hunt");
    let checked = Check::new()
        .hunt(true)
        .verbose(true)
        .log_dir(&logs)
        .explore(racy);
    assert_eq!(checked.verdict, Verdict::Wrong);
    contains(&checked.report, &["hunted by", "the other 7 ran"]);
    let log = checked.errors().next().unwrap().log.clone().unwrap();
    assert!(std::panic::catch_unwind(|| mazurka::replay(log, racy)).is_err());
    // A correct program is verified by the first search that ends.
    let checked = Check::new().hunt(true).run(orderly);
    assert_eq!(
        (checked.executions, checked.verdict),
        (24, Verdict::Verified)
    );
}

#[test]
#[should_panic(expected = "hunt(..) and keep_going(..) do not go together")]
fn a_hunt_does_not_go_on() {
    Check::new().hunt(true).keep_going(true).run(orderly);
}

/// Four senders, and a receiver that does not care who is first.
async fn orderly() {
    let main = me();
    for n in 1..=4 {
        spawn(move || async move { send(main, n) });
    }
    let mut sum = 0;
    for _ in 0..4 {
        sum += receive::<i32>().await;
    }
    assert_eq!(sum, 10);
}

#[test]
fn inner_orderly() {
    if asked() {
        mazurka::check(orderly);
    }
}

#[test]
fn a_sample_is_no_verification() {
    let sample = || Check::new().sample(50).seed(7);
    let panic = std::panic::catch_unwind(|| sample().run(orderly)).unwrap_err();
    let text = panic.downcast_ref::<String>().expect("a text");
    contains(text, &["Sampled: nothing wrong in 50 executions"]);
    let checked = sample()
        .sampler(Sampler::Pct { bug_depth: 1 })
        .bug_depth(2)
        .allow_incomplete(true)
        .run(orderly);
    assert_eq!(
        (checked.executions, checked.verdict),
        (50, Verdict::Stopped)
    );
    contains(&checked.report, &["pct, bug depth 2, seed 7"]);
    // An error is one all the same, and what is expected may be found.
    let wrong = sample()
        .allow_incomplete(true)
        .no_logs(true)
        .expect(Kind::Deadlock)
        .explore(racy);
    assert_eq!(wrong.verdict, Verdict::Wrong);
    let expected = sample().no_logs(true).expect(Kind::Assertion).run(racy);
    assert_eq!(expected.verdict, Verdict::AsExpected);
}

#[test]
#[should_panic(
    expected = "sampler(..) applies to sampling only: leave it out, or add sample(1000)"
)]
fn a_sampler_alone() {
    Check::new().sampler(Sampler::Pos).run(orderly);
}

#[test]
fn the_environment_directs() {
    let passes = |test: &str, environment: &[(&str, &str)], parts: &[&str]| {
        let (output, text) = run(test, environment);
        assert!(output.status.success(), "{text}");
        contains(&text, parts);
    };
    let fails = |test: &str, environment: &[(&str, &str)], parts: &[&str]| {
        let quiet = [("MAZURKA_NO_LOGS", "1"), ("MAZURKA_VERBOSE", "1")];
        let (output, text) = run(test, &[&quiet, environment].concat());
        assert!(!output.status.success(), "{text}");
        contains(&text, parts);
    };
    fails(
        "inner_closure",
        &[("MAZURKA_VALUATION", "flip-parallel,depth:2")],
        &["optimal, best-first by depth:2,flip-parallel\n"],
    );
    fails(
        "inner_closure",
        &[
            ("MAZURKA_VALUATION", "depth"),
            ("MAZURKA_DIRECT", "next, frontier"),
            ("MAZURKA_THRESHOLD", "4"),
            ("MAZURKA_FORMAT", "json"),
        ],
        &[r#""valuations": "depth""#, r#""threshold": 4"#],
    );
    fails("inner_closure", &[("MAZURKA_HUNT", "on")], &["hunted by"]);
    passes("inner_orderly", &[("MAZURKA_HUNT", "on")], &[]);
    let sample = [
        ("MAZURKA_SAMPLE", "50"),
        ("MAZURKA_SAMPLER", "pct"),
        ("MAZURKA_BUG_DEPTH", "2"),
    ];
    let texts = [
        "Sampled: nothing wrong in 50 executions",
        "pct, bug depth 2",
    ];
    fails("inner_orderly", &sample, &texts);
    let allowed = [("MAZURKA_ALLOW_INCOMPLETE", "1")];
    passes("inner_orderly", &[&sample[..], &allowed].concat(), &texts);
}

#[test]
fn mistakes_in_what_the_environment_directs() {
    let check = |environment: &[(&str, &str)], expected: &str| {
        let (output, text) = run("inner_orderly", environment);
        assert!(!output.status.success(), "{text}");
        contains(&text, &[expected]);
    };
    check(
        &[("MAZURKA_VALUATION", "deep")],
        "MAZURKA_VALUATION cannot be `deep`: unknown valuation `deep`: use depth, ",
    );
    check(
        &[("MAZURKA_DIRECT", "next")],
        "MAZURKA_DIRECT has no effect without valuation(..)",
    );
    check(
        &[("MAZURKA_DIRECT", "everywhere")],
        "MAZURKA_DIRECT cannot be `everywhere`: unknown place `everywhere`: use frontier, next or \
         prefer",
    );
    check(
        &[("MAZURKA_THRESHOLD", "-1")],
        "MAZURKA_THRESHOLD cannot be `-1`: give a whole number, 0 or above",
    );
    check(
        &[("MAZURKA_HUNT", "maybe")],
        "MAZURKA_HUNT cannot be `maybe`: use on or off",
    );
    check(
        &[("MAZURKA_HUNT", "1"), ("MAZURKA_STRATEGY", "bfs")],
        "MAZURKA_HUNT and MAZURKA_STRATEGY do not go together, it has several of its own",
    );
    check(
        &[("MAZURKA_SAMPLE", "0")],
        "MAZURKA_SAMPLE=0 leaves nothing to explore: give a number above 0",
    );
    check(
        &[("MAZURKA_SAMPLE", "5"), ("MAZURKA_BUG_DEPTH", "2")],
        "MAZURKA_BUG_DEPTH does not apply to sampler(Sampler::Uniform)",
    );
    check(
        &[("MAZURKA_SAMPLER", "dice")],
        "MAZURKA_SAMPLER cannot be `dice`: ",
    );
}

/// A warning that a setting makes an error comes back as one: the log knows.
#[test]
fn a_replay_with_settings() {
    async fn ignored() {
        let main = me();
        send(spawn(|| async {}), "hello");
        send(main, 1);
        receive::<i32>().await;
    }
    let strict = || Check::new().error(Kind::Orphan).log_dir(logs("strict"));
    let checked = strict().json(true).explore(ignored);
    assert!(checked.report.starts_with('{'), "{}", checked.report);
    let log = checked.errors().next().unwrap().log.clone().unwrap();
    for check in [strict(), Check::new()] {
        let again = std::panic::catch_unwind(|| check.replay(&log, ignored)).unwrap_err();
        let text = again.downcast_ref::<String>().expect("a text");
        contains(text, &["The error recurs: orphan", "hello"]);
    }
    let none = strict().no_logs(true).explore(ignored);
    assert!(none.errors().next().unwrap().log.is_none());
    let some = strict().no_logs(true).no_logs(false).explore(ignored);
    assert!(some.errors().next().unwrap().log.is_some());
}

#[test]
#[should_panic(expected = "order(..) does not apply to algorithm(Algorithm::Optimal)")]
fn settings_that_do_not_go_together() {
    Check::new().order(Order::Lca).run(racy);
}

/// What `main` gives back to the shell.
#[test]
fn exit_codes() {
    let code = |program: fn() -> std::pin::Pin<Box<dyn Future<Output = ()>>>| {
        let code = Check::new().no_logs(true).main(program);
        format!("{code:?}")
    };
    let is = |number: u8| format!("{:?}", std::process::ExitCode::from(number));
    assert_eq!(code(|| Box::pin(async {})), is(0));
    assert_eq!(code(|| Box::pin(racy())), is(1));
    assert_eq!(
        code(|| Box::pin(async {
            static CALLS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
            send(
                me(),
                CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed),
            );
            receive::<u32>().await;
        })),
        is(4)
    );
    assert_eq!(code(|| Box::pin(std::future::pending())), is(5));
    let bounded = Check::new().max_executions(1).delivery(Delivery::P2p);
    let code = bounded.main(|| async {
        let main = me();
        for n in 1..=2 {
            spawn(move || async move { send(main, n) });
        }
        for _ in 0..2 {
            receive::<i32>().await;
        }
    });
    assert_eq!(format!("{code:?}"), is(3));
}

/// Each check of a test has logs of its own.
#[test]
fn two_checks_in_one_test() {
    let logs = logs("two_checks");
    let log = || {
        let checked = Check::new().log_dir(&logs).explore(racy);
        let error = checked.errors().next().expect("there is a race");
        error.log.clone().expect("a log")
    };
    let (first, second) = (log(), log());
    assert_ne!(first, second);
    for log in [first, second] {
        let again = std::panic::catch_unwind(|| mazurka::replay(&log, racy));
        assert!(again.is_err());
    }
}

/// Deeper than a thread of a test can go.
fn dive(depth: u32) -> u32 {
    let here = std::hint::black_box([depth; 256]);
    match depth {
        0 => 0,
        _ => here[1] - dive(depth - 1),
    }
}

#[test]
fn inner_depth() {
    if asked() {
        mazurka::check(|| async { assert!(dive(10_000) == 0, "deep down") });
    }
}

#[test]
fn what_can_be_explored_can_be_replayed() {
    let logs = logs("inner_depth");
    let (_, text) = run(
        "inner_depth",
        &[
            ("MAZURKA_LOG_DIR", logs.to_str().unwrap()),
            ("MAZURKA_MAX_DEPTH", "100001"),
        ],
    );
    contains(&text, &["✗ ", "deep down", " MAZURKA_MAX_DEPTH=100001 "]);
    let log = logs.join("checking--inner_depth-assertion-1.json");
    let (_, text) = run("inner_depth", &[("MAZURKA_REPLAY", log.to_str().unwrap())]);
    contains(&text, &["assertion in process P", "deep down"]);
}

#[mazurka::test]
async fn patterns_with_types() {
    send(me(), (1_u8, "one"));
    send(me(), true);
    send(me(), Some(2_u64));
    receive! { (id, text): (u8, &str) if id == 1 => assert_eq!(text, "one") }
    receive! { Some(n): Option<u64> => assert_eq!(n, 2) }
    receive! { true => {} }
}

/// Goes wrong once and never again, long after steps are no longer run twice: only a replay detects it.
#[test]
fn an_error_that_does_not_recur() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static ENDS: AtomicU32 = AtomicU32::new(0);
    async fn fickle() {
        let main = me();
        for n in 0..6 {
            spawn(move || async move { send(main, n) });
        }
        for _ in 0..6 {
            receive::<i32>().await;
        }
        let ends = ENDS.fetch_add(1, Ordering::Relaxed);
        assert_ne!(ends, 650, "only this time");
    }
    let checked = Check::new().name("fickle").no_logs(true).explore(fickle);
    assert_eq!(
        checked.verdict,
        Verdict::Unreproducible,
        "{}",
        checked.report
    );
    assert!(!checked.passed());
    contains(
        &checked.report,
        &[
            "Not deterministic: 1 error in ",
            " executions, not seen again in a replay.",
            "A failed assertion in 1 of ",
            "Not reproducible: the execution was replayed once, and then nothing went",
        ],
    );
}

/// A token is as good as a file, in the environment and in code; so are the settings of the check.
#[test]
fn a_token_replays() {
    let checked = Check::new().no_logs(true).explore(racy);
    let mut lines = checked.report.lines();
    let line = lines.find_map(|line| line.split_once("MAZURKA_REPLAY="));
    let token = line.unwrap().1.split_whitespace().next().unwrap();
    assert!(token.starts_with("mz1:"), "{token}");
    let again = std::panic::catch_unwind(|| mazurka::replay(token, racy)).unwrap_err();
    let text = again.downcast_ref::<String>().unwrap();
    contains(
        text,
        &["The error recurs: assertion in process P", "| first came 2"],
    );
    let settings = Check::new().expect(Kind::Assertion).json(true);
    let expected = settings.replay(token, racy);
    assert_eq!(expected.verdict, Verdict::AsExpected);
    contains(
        &expected.report,
        &["\"mazurka\": \"replay\"", "\"recurs\": \"yes\""],
    );
}

/// A process is called by its function, or by the function and line where its block is spawned, or by
/// the name it was given.
#[test]
fn names_of_processes() {
    async fn fails() {
        panic!("here");
    }
    async fn count_to(n: u32) {
        assert!(n < 3, "too far");
    }
    let role = |program: fn() -> Pid| {
        let program = move || async move { drop(Box::new(program())) };
        let checked = Check::new().no_logs(true).explore(program);
        let error = checked.errors().next().expect("it fails");
        error.role.clone().expect("it has a role")
    };
    assert_eq!(role(|| spawn(fails)), "fails");
    assert_eq!(role(|| spawn(move || count_to(3))), "count_to");
    assert_eq!(role(|| spawn(named("client 1", fails))), "client 1");
    assert_eq!(
        role(|| spawn_link(named("client", call(|_: u32| fails(), 7)))),
        "client(7)"
    );
    let line = line!() + 1;
    let block = role(|| spawn(|| async { panic!("here") }));
    assert_eq!(block, format!("names_of_processes:{line}"));
    let line = line!() + 1;
    let block = role(|| spawn_monitor(|| async { panic!("here") }).of);
    assert_eq!(block, format!("names_of_processes:{line}"));
}

/// Main sends to itself first, and a relay passes on a message that was sent later.
async fn relayed() {
    let main = me();
    let relay = spawn(move || async move {
        let number: i32 = receive().await;
        send(main, number);
    });
    send(main, 1);
    send(relay, 2);
    let first: i32 = receive().await;
    assert_eq!(first, 1, "the first message comes first");
    receive::<i32>().await;
}

/// Within one operating system process messages do not overtake each other.
#[test]
fn mailbox_is_the_default() {
    let checked = Check::new().explore(relayed);
    assert_eq!(
        (checked.executions, checked.verdict),
        (1, Verdict::Verified)
    );
    contains(
        &checked.report,
        &["Verified within one node: there is 1 execution"],
    );
}

#[test]
fn an_error_says_whether_it_depends_on_the_delivery_model() {
    let checked = Check::new()
        .delivery(Delivery::P2p)
        .keep_going(true)
        .no_logs(true)
        .explore(relayed);
    assert_eq!((checked.executions, checked.verdict), (2, Verdict::Wrong));
    let text = checked
        .report
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let sentence = "Delivery: This needs messages of different senders to overtake each other. It \
                    cannot happen within one node: delivery(Delivery::Mailbox) has 1 execution, \
                    and none has this error.";
    contains(&text, &[sentence]);
}

#[test]
fn several_delivery_models_in_one_check() {
    let check = Check::new().deliveries(&[Delivery::Mailbox, Delivery::P2p]);
    let checked = check.keep_going(true).no_logs(true).explore(relayed);
    assert_eq!((checked.executions, checked.verdict), (3, Verdict::Wrong));
    assert_eq!(checked.errors().count(), 1);
    contains(
        &checked.report,
        &[
            "mailbox   Verified within one node: there is 1 execution",
            "p2p       Error found: 1 error; all 2 executions explored.",
            "only under p2p: assertion in process P",
        ],
    );
}
