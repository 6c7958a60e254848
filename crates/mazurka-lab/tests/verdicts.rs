//! What a check reports: each kind of finding, how findings are merged, and why the check stopped.

mod support;

use mazurka_engine::{Kind, Progress, Report, SendersFirst, Settings, Stopped, check};
use mazurka_lab::oracle::Instruction::{Crash, SkipIfOdd};
use mazurka_lab::oracle::{Instruction, Pattern, Script};
use std::ops::ControlFlow;
use support::{ANY, CHILD, PARENT, explored, family, receive, receive_after, script, send};

fn run(script: &Script, settings: &Settings) -> Report {
    let go_on = |_: &Progress| ControlFlow::Continue(());
    check(script.clone(), SendersFirst, settings, go_on).expect("it is modelled")
}

fn keep_going() -> Settings {
    Settings {
        keep_going: true,
        ..Settings::default()
    }
}

/// Kind, process, role, message, whether it is an error, number of executions.
type Line<'r> = (Kind, &'r str, &'r str, &'r str, bool, u64);

fn lines(report: &Report) -> Vec<Line<'_>> {
    report
        .found
        .iter()
        .map(|found| {
            let finding = &found.finding;
            (
                finding.kind,
                finding.process.as_str(),
                finding.role.as_deref().unwrap_or("-"),
                finding.message.as_str(),
                found.is_error,
                found.count,
            )
        })
        .collect()
}

/// Explores everything and compares the number of executions and the findings.
fn check_found(script: &Script, executions: u64, expected: &[Line<'_>]) {
    let report = run(script, &keep_going());
    assert_eq!(report.stopped, Stopped::Complete);
    assert_eq!(report.progress.executions, executions);
    assert_eq!(lines(&report), expected);
}

#[test]
fn nothing_wrong() {
    check_found(&script(&[&[]]), 1, &[]);
    check_found(&family(&[ANY], &[&[send(PARENT, 1)]]), 1, &[]);
}

#[test]
fn crash() {
    let roles = script(&[&[Crash]]);
    check_found(&roles, 1, &[(Kind::Crash, "P", "role 0", "0", true, 1)]);
    // The reason is the last input.
    let child = family(&[send(CHILD, 4)], &[&[ANY, Crash]]);
    check_found(&child, 1, &[(Kind::Crash, "P.1", "role 1", "4", true, 1)]);
}

#[test]
fn deadlock_and_stuck() {
    let forever = "waits for ever for";
    let (any, odd) = (format!("{forever} _"), format!("{forever} odd"));
    let deadlock = (Kind::Deadlock, "P", "role 0", any.as_str(), true, 1);
    let stuck = (Kind::Stuck, "P.1", "role 1", odd.as_str(), true, 1);
    check_found(&script(&[&[ANY]]), 1, &[deadlock]);
    let child = [receive(Pattern::Odd)];
    check_found(&family(&[], &[&child]), 1, &[stuck]);
    check_found(&family(&[ANY], &[&child]), 1, &[deadlock, stuck]);
}

/// A message that is never received is an orphan, and a dead letter if its receiver had ended
/// before it was sent; neither is an error.
#[test]
fn orphan_and_dead_letter() {
    let unread = "2 from P was never received";
    let stuck = "waits for ever for 3";
    check_found(
        &family(&[send(CHILD, 2)], &[&[receive(Pattern::Equals(3))]]),
        1,
        &[
            (Kind::Stuck, "P.1", "role 1", stuck, true, 1),
            (Kind::Orphan, "P.1", "role 1", unread, false, 1),
        ],
    );
    let orphan = (Kind::Orphan, "P.1", "role 1", unread, false, 1);
    let dead = (Kind::DeadLetter, "P.1", "role 1", unread, false, 1);
    // The end and the send are concurrent.
    check_found(&family(&[send(CHILD, 2)], &[&[]]), 1, &[orphan]);
    // A message that the child sent before its end is no proof of its end.
    let answers = [send(PARENT, 1)];
    check_found(&family(&[ANY, send(CHILD, 2)], &[&answers]), 1, &[orphan]);
    // The child has been killed.
    let kill = Instruction::Kill(CHILD);
    check_found(&family(&[kill, send(CHILD, 2)], &[&[ANY]]), 1, &[orphan]);
    // The end happened before the send: a `Down` message.
    let watched = Instruction::Spawn {
        role: 1,
        link: false,
        monitor: true,
    };
    let down = receive(Pattern::ExitOrDown);
    let after_down = script(&[&[watched, down, send(CHILD, 2)], &[]]);
    check_found(&after_down, 1, &[dead]);
    // A liveness check, before or after the end.
    let reads = [Instruction::IsAlive(CHILD), send(CHILD, 2)];
    check_found(&family(&reads, &[&[]]), 2, &[orphan, dead]);
    // A timeout that fires after everything else.
    let late = [receive_after(Pattern::Any, 5000), send(CHILD, 2)];
    check_found(&family(&late, &[&[]]), 1, &[dead]);
}

/// `Found::count` is the number of executions, not of occurrences.
#[test]
fn two_equal_orphans_of_one_execution_are_one_finding() {
    let unread = "2 from P was never received";
    check_found(
        &family(&[send(CHILD, 2), send(CHILD, 2)], &[&[]]),
        1,
        &[(Kind::Orphan, "P.1", "role 1", unread, false, 1)],
    );
}

/// Two children send; the entry process takes one of the messages and then executes `then`.
fn takes_one(first: i64, second: i64, then: &[Instruction]) -> Script {
    let entry = [&[ANY], then].concat();
    family(&entry, &[&[send(PARENT, first)], &[send(PARENT, second)]])
}

#[test]
fn equal_findings_of_several_executions_are_one() {
    let orphan = |message, count| (Kind::Orphan, "P", "role 0", message, false, count);
    let crash = |message, count| (Kind::Crash, "P", "role 0", message, true, count);
    let (first, second) = (
        "1 from P.1 was never received",
        "1 from P.2 was never received",
    );
    // Both executions crash with 1; each leaves a different message.
    check_found(
        &takes_one(1, 1, &[Crash]),
        2,
        &[crash("1", 2), orphan(second, 1), orphan(first, 1)],
    );
    // Only the execution that takes the even number crashes.
    check_found(
        &takes_one(1, 2, &[SkipIfOdd(1), Crash]),
        2,
        &[
            crash("2", 1),
            orphan("2 from P.2 was never received", 1),
            orphan(first, 1),
        ],
    );
}

/// Of equal findings the shortest execution is kept: here the crash after an odd number, without the
/// second receive.
#[test]
fn the_shortest_execution_is_kept() {
    let script = takes_one(2, 1, &[SkipIfOdd(1), ANY, Crash]);
    let report = run(&script, &keep_going());
    let crash = &report.found[0];
    assert_eq!((crash.finding.kind, crash.count), (Kind::Crash, 2));
    // Three processes start, and one message is received.
    assert_eq!(crash.steps, 4);
    assert_eq!(crash.trace.log().processes["P"].len(), 1);
}

#[test]
fn the_first_error_stops_unless_keep_going_is_set() {
    let script = takes_one(2, 4, &[Crash]);
    let stopped = |settings: &Settings| {
        let report = run(&script, settings);
        (
            report.stopped,
            report.progress.executions,
            report.errors().count(),
        )
    };
    assert_eq!(stopped(&Settings::default()), (Stopped::Observer, 1, 1));
    assert_eq!(stopped(&keep_going()), (Stopped::Complete, 2, 2));
}

/// Both executions crash. The check stops when all expected kinds were found, or at an error that is
/// not expected.
#[test]
fn expected_errors_decide_when_to_stop() {
    let script = takes_one(2, 4, &[Crash]);
    let stopped = |expected: &[Kind], keep_going| {
        let settings = Settings {
            expected: expected.to_vec(),
            keep_going,
            ..Settings::default()
        };
        let report = run(&script, &settings);
        (report.stopped, report.progress.executions)
    };
    let first = (Stopped::Observer, 1);
    let all = (Stopped::Complete, 2);
    assert_eq!(stopped(&[Kind::Crash], false), first);
    assert_eq!(stopped(&[Kind::Crash], true), all);
    assert_eq!(stopped(&[Kind::Crash, Kind::Deadlock], false), all);
    assert_eq!(
        stopped(&[Kind::Deadlock], false),
        first,
        "a crash is not expected"
    );
}

/// Three children send to the entry process, which receives all messages: 6 executions. A fourth child
/// waits for ever in all of them. With `crash`, the entry process crashes in two of them, which are not
/// the first ones.
fn stuck_beside(crash: bool) -> Script {
    let end: &[Instruction] = if crash { &[SkipIfOdd(1), Crash] } else { &[] };
    let entry = [&[ANY, ANY, ANY], end].concat();
    let child = |value| [send(PARENT, value)];
    family(&entry, &[&child(2), &child(3), &child(5), &[ANY]])
}

#[test]
fn a_stuck_process_does_not_hide_other_errors() {
    let run = |crash, settings: Settings| {
        let report = run(&stuck_beside(crash), &settings);
        let found = report
            .errors()
            .map(|found| (found.finding.kind, found.count));
        let found: Vec<_> = found.collect();
        (report.stopped, report.progress.executions, found)
    };
    let after = |after_stuck| Settings {
        after_stuck,
        ..Settings::default()
    };
    let expecting = |kind| Settings {
        expected: vec![kind],
        ..Settings::default()
    };
    assert_eq!(Settings::default().after_stuck, 10_000);
    let (stuck, crash) = (Kind::Stuck, Kind::Crash);
    let observer = Stopped::Observer;
    assert_eq!(
        run(false, Settings::default()),
        (Stopped::Complete, 6, vec![(stuck, 6)])
    );
    // `after_stuck` more executions.
    for more in 0..5 {
        let expected = (observer, more + 1, vec![(stuck, more + 1)]);
        assert_eq!(run(false, after(more)), expected);
    }
    let (stopped, executions, found) = run(true, Settings::default());
    assert_eq!((stopped, found.len()), (observer, 2));
    assert_eq!(found, [(crash, 1), (stuck, executions)]);
    assert!((2..6).contains(&executions), "{executions}");
    assert_eq!(
        run(true, keep_going()),
        (Stopped::Complete, 6, vec![(crash, 2), (stuck, 6)])
    );
    // An expected stuck process stops the check; one that is not expected does not.
    assert_eq!(run(true, expecting(stuck)), (observer, 1, vec![(stuck, 1)]));
    assert_eq!(
        run(false, expecting(crash)),
        (Stopped::Complete, 6, vec![(stuck, 6)])
    );
}

/// A warning that is expected is an error.
#[test]
fn a_warning_can_be_expected() {
    let settings = Settings {
        expected: vec![Kind::Orphan],
        ..Settings::default()
    };
    let report = run(&takes_one(1, 2, &[]), &settings);
    assert_eq!(
        (report.stopped, report.progress.executions),
        (Stopped::Observer, 1)
    );
    assert_eq!(report.errors().count(), 1);
}

#[test]
fn an_error_in_the_last_execution_stops_nothing() {
    let report = run(&script(&[&[Crash]]), &Settings::default());
    assert!(report.is_complete());
    assert_eq!(report.errors().count(), 1);
}

#[test]
fn a_warning_can_be_made_an_error() {
    let with = |errors: &[Kind]| Settings {
        errors: errors.to_vec(),
        ..keep_going()
    };
    let orphan = family(&[send(CHILD, 2)], &[&[receive(Pattern::Equals(3))]]);
    let kinds = |settings| {
        let report = run(&orphan, &settings);
        let is_error = report
            .found
            .iter()
            .map(|found| (found.finding.kind, found.is_error));
        is_error.collect::<Vec<_>>()
    };
    let stuck = (Kind::Stuck, true);
    assert_eq!(kinds(with(&[])), [stuck, (Kind::Orphan, false)]);
    assert_eq!(kinds(with(&[Kind::Orphan])), [stuck, (Kind::Orphan, true)]);
    assert_eq!(
        kinds(with(&[Kind::DeadLetter])),
        [stuck, (Kind::Orphan, false)]
    );
    // Then the first orphan stops the check.
    let stop = Settings {
        errors: vec![Kind::Orphan],
        ..Settings::default()
    };
    let report = run(&takes_one(1, 2, &[]), &stop);
    assert_eq!(
        (report.stopped, report.progress.executions),
        (Stopped::Observer, 1)
    );
}

/// Three processes start, and one message is received; if it is even, another one is. So one execution
/// has four steps and one has five.
#[test]
fn a_depth_bound_is_never_complete() {
    let script = takes_one(1, 2, &[SkipIfOdd(1), ANY]);
    let at = |depth| {
        let mut settings = keep_going();
        settings.explore.max_depth = Some(depth);
        let report = run(&script, &settings);
        let bound = report.found.into_iter().rev().find_map(|found| {
            let finding = found.finding;
            let is_bound = finding.kind == Kind::DepthBound;
            is_bound.then_some((finding.process, finding.message, found.is_error))
        });
        let Progress {
            executions,
            cut_short,
            ..
        } = report.progress;
        (report.stopped, executions, cut_short, bound)
    };
    let bound = |message: &str| Some(("P".into(), message.into(), false));
    let after_4 = bound("not at its end after 4 steps of 3 processes");
    let after_1 = bound("not at its end after 1 steps of 3 processes");
    assert_eq!(at(5), (Stopped::Complete, 2, 0, None));
    assert_eq!(at(4), (Stopped::DepthBound, 1, 1, after_4));
    assert_eq!(at(1), (Stopped::DepthBound, 0, 1, after_1));
}

/// Executions that were cut short count for the bound on executions. If that bound is not exceeded, the
/// depth bound is reported.
#[test]
fn both_bounds() {
    let script = takes_one(1, 2, &[SkipIfOdd(1), ANY]);
    for (max, expected) in [(1, Stopped::ExecutionBound), (2, Stopped::DepthBound)] {
        let mut settings = keep_going();
        settings.explore.max_depth = Some(4);
        settings.explore.max_executions = Some(max);
        let report = run(&script, &settings);
        assert_eq!(report.stopped, expected);
        assert!(!report.is_complete());
    }
}

/// Each of `n` children sends one message, and the entry process takes them all: n! traces.
fn gather(n: usize) -> Script {
    let child = [send(PARENT, 1)];
    family(&vec![ANY; n], &vec![&child[..]; n])
}

#[test]
fn a_bound_on_executions_matters_only_if_some_are_left() {
    assert_eq!(explored(&gather(3)).len(), 6); // 3!
    for (max, expected) in [
        (1, (Stopped::ExecutionBound, 1)),
        (5, (Stopped::ExecutionBound, 5)),
        (6, (Stopped::Complete, 6)),
        (7, (Stopped::Complete, 6)),
    ] {
        let mut settings = Settings::default();
        settings.explore.max_executions = Some(max);
        let report = run(&gather(3), &settings);
        assert_eq!((report.stopped, report.progress.executions), expected);
        assert_eq!(report.is_complete(), expected.0 == Stopped::Complete);
    }
}

#[test]
fn the_watch_function_can_stop_the_check() {
    let script = gather(7);
    let stop_at = |last: u64| {
        let mut calls = 0;
        let watch = |progress: &Progress| {
            calls += 1;
            assert!(progress.executions < 5040);
            match calls < last {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let report = check(script.clone(), SendersFirst, &Settings::default(), watch);
        let report = report.expect("it is modelled");
        (report.stopped, calls, report.progress.executions == 5040)
    };
    assert_eq!(stop_at(1), (Stopped::Observer, 1, false));
    assert_eq!(stop_at(2), (Stopped::Observer, 2, false));
    let (stopped, _, all) = stop_at(u64::MAX);
    assert_eq!((stopped, all), (Stopped::Complete, true));
}
