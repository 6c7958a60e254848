//! `mazurka check --expect`: programs that are meant to go wrong.

mod common;

use common::{Place, flat};
use serde_json::json;

/// The exit code and the first line of the report, which the JSON agrees with.
#[track_caller]
fn headline(code: i32, line: &str, expected: &str) {
    let place = Place::new();
    let text = place.expect(code, &format!("check {line}")).stdout;
    assert!(flat(&text).starts_with(expected), "{line}: {text}");
    let report = place.check(code, line);
    assert_eq!(report["as_expected"], code == 0, "{line}");
}

#[test]
fn all_kinds_and_no_others() {
    let both = "gallery:philosophers --expect deadlock --expect stuck";
    headline(
        0,
        both,
        "As expected: a deadlock and a stuck process in the first execution.",
    );
    headline(
        0,
        &format!("{both} --keep-going"),
        "As expected: a deadlock and a stuck process; all 7 executions explored.",
    );
    headline(
        1,
        "gallery:philosophers --expect deadlock",
        "Error found: 1 error that was not expected in the first execution.",
    );
    headline(
        1,
        "gallery:name-race --expect deadlock",
        "Error found: 1 error that was not expected in the first execution.",
    );
}

/// Other executions are explored until the kind was met, and no further.
#[test]
fn it_stops_when_all_were_seen() {
    let place = Place::new();
    let line = "gallery:retry-timeout --expect assertion";
    let report = place.check(0, line);
    let first = place.check(1, "gallery:retry-timeout");
    assert_eq!(report["executions"], first["executions"]);
    assert_eq!(report["errors"], first["errors"]);
    assert_eq!(report["expected"], json!(["assertion"]));
    // Errors of one expected kind do not end the search for the other.
    let line = "gallery:lost-update --expect assertion --expect crash";
    let report = place.check(1, line);
    assert_eq!(report["stopped"], "complete");
    assert_eq!(report["executions"], 4);
    assert_eq!(report["errors"][0]["count"], 2);
}

#[test]
fn a_kind_is_missing() {
    headline(
        1,
        "gallery:fan-in --expect deadlock",
        "Expected a deadlock, but none of the 6 executions has one.",
    );
    headline(
        1,
        "gallery:fan-in --param n=1 --expect deadlock",
        "Expected a deadlock, but the only execution has none.",
    );
    headline(
        1,
        "gallery:fan-in --expect stuck --expect crash --expect crash",
        "Expected a crash and a stuck process, but none of the 6 executions has any of them.",
    );
    headline(
        1,
        "gallery:lost-update --expect assertion --expect crash",
        "Expected a crash, but none of the 4 executions has one.",
    );
}

#[test]
fn a_bound_leaves_it_open() {
    headline(
        3,
        "gallery:fan-in --expect deadlock --max-executions 2",
        "Stopped early by the bound on executions (--max-executions 2): expected a deadlock, \
         none found in 2 executions, but not all were explored.",
    );
    headline(
        3,
        "gallery:fan-in --expect crash --max-depth 5",
        "Stopped early by the depth bound (--max-depth 5): expected a crash, none found in 3 \
         executions, but not all were explored.",
    );
    // What was found stays found.
    headline(
        0,
        "gallery:lost-update --expect assertion --keep-going --max-executions 3",
        "As expected: a failed assertion in the first 3 executions.",
    );
}

/// A warning that is expected is an error, with a log that brings it back.
#[test]
fn warnings_can_be_expected() {
    headline(
        0,
        "gallery:selective --expect orphan",
        "As expected: an orphan message in the first execution.",
    );
    headline(
        0,
        "gallery:fan-in --max-depth 5 --expect depth-bound",
        "As expected: a cut at the depth bound in the first execution.",
    );
    let place = Place::new();
    let report = place.check(0, "gallery:selective --expect orphan");
    let file = report["errors"][0]["log_file"].as_str().unwrap();
    place.expect(
        1,
        &format!("replay gallery:selective {file} --error orphan"),
    );
    headline(
        1,
        "gallery:philosophers --expect deadlock --expect stuck --expect orphan",
        "Expected an orphan message, but none of the 7 executions has one.",
    );
}

/// Whatever was expected, a program that cannot be run on is not that.
#[test]
fn a_fault_is_not_expected() {
    let line = "gallery:nondeterministic --distrust --expect crash";
    let report = Place::new().check(4, line);
    assert_eq!(report["as_expected"], false);
}

#[test]
fn errors_are_marked_as_expected() {
    let line = "check gallery:philosophers --expect deadlock";
    let text = Place::new().expect(1, line).stdout;
    assert!(text.contains("A deadlock (expected) in "), "{text}");
    assert!(
        text.contains("philosopher P.4  waits for fork P.2"),
        "{text}"
    );
}

#[test]
fn kinds_are_listed() {
    let ran = Place::new().expect(2, "check gallery:fan-in --expect failure");
    let kinds = "crash, assertion, deadlock, stuck, orphan, dead-letter, depth-bound";
    assert!(
        ran.stderr.contains(&format!("[possible values: {kinds}]")),
        "{}",
        ran.stderr
    );
}
