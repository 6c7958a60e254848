//! Every exit code, by a run of the real binary that ends with it.

mod common;

use common::{Place, schema};
use serde_json::Value;

const PROGRAM: &str = r#"-module(codes).
-export([fine/0, bug/0, unsupported/0]).

fine() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    receive hello -> ok end.

bug() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive First -> 1 = First end,
    receive _ -> ok end.

unsupported() ->
    re:run("abc", "b").
"#;

/// A command line, its exit code, and a text in its output or in its error messages.
#[track_caller]
fn ends(code: i32, line: &str, text: &str) {
    let place = Place::new();
    place.write("codes.erl", PROGRAM);
    let ran = place.expect(code, line);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(all.contains(text), "mazurka {line}: no {text:?} in\n{all}");
    if line.starts_with("check ") && code != 2 {
        let json = place.expect(code, &format!("{line} --format json"));
        let report: Value = serde_json::from_str(&json.stdout).unwrap();
        schema::check_report(&report);
        // The other forms of a report have the same code.
        place.expect(code, &format!("{line} --format github"));
        let files = "--junit j.xml --sarif s.json --svg d.svg --mermaid d.mmd";
        place.expect(code, &format!("{line} {files}"));
    }
}

#[test]
fn code_0_all_is_well() {
    ends(
        0,
        "check gallery:fan-in",
        "Verified within one node: nothing goes wrong",
    );
    ends(
        0,
        "check codes.erl --entry codes:fine/0",
        "Verified within one node: ",
    );
    ends(
        0,
        "check gallery:philosophers --expect deadlock --expect stuck",
        "As expected: a deadlock",
    );
}

#[test]
fn code_1_a_bug() {
    ends(1, "check gallery:philosophers", "A deadlock in ");
    ends(1, "check gallery:lost-update", "A failed assertion in ");
    ends(1, "check gallery:fan-in --expect crash", "Expected a crash");
    ends(1, "check codes.erl --entry codes:bug/0", "A crash in ");
    let place = Place::new();
    place.expect(1, "check gallery:retry-timeout");
    let log = "mazurka-logs/gallery-retry-timeout-assertion-1.json";
    place.expect(1, &format!("replay gallery:retry-timeout {log}"));
}

#[test]
fn code_2_bad_usage() {
    ends(
        2,
        "check gallery:no-such-program",
        "no program `no-such-program`",
    );
    ends(
        2,
        "check gallery:fan-in --no-such-option",
        "--no-such-option",
    );
    ends(2, "check codes.erl --entry codes:nobody/0", "nobody");
    ends(
        2,
        "replay gallery:bank nowhere.json",
        "cannot read nowhere.json",
    );
}

#[test]
fn code_3_stopped_early() {
    ends(
        3,
        "check gallery:fan-in --max-executions 2",
        "Stopped early by ",
    );
    ends(3, "check gallery:fan-in --max-depth 3", "Stopped early by ");
    ends(
        3,
        "check gallery:fan-in --sample 3",
        "Sampled: nothing wrong",
    );
}

#[test]
fn code_4_not_deterministic() {
    ends(4, "check gallery:nondeterministic", "not deterministic");
}

#[test]
fn code_5_not_modelled() {
    ends(5, "check codes.erl --entry codes:unsupported/0", "re:run/2");
}

/// The gravest of several tests counts.
#[test]
fn several_tests() {
    let place = Place::new();
    let tests = "-module(two).\n-export([good_test/0, bad_test/0]).\n\
                 good_test() -> ok.\nbad_test() -> 1 = 2.\n";
    place.write("two.erl", tests);
    place.expect(1, "check two.erl");
    place.write("two.erl", &tests.replace("1 = 2", "re:run(\"a\", \"b\")"));
    place.expect(5, "check two.erl");
    place.write("two.erl", &tests.replace("1 = 2", "ok"));
    place.expect(0, "check two.erl");
}
