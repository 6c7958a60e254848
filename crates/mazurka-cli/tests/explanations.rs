//! How reports explain errors, word by word.

mod common;

use common::Place;
use snapbox::{Data, assert_data_eq};
use std::fs;
use std::path::Path;

/// The report of a check, without what differs from run to run. `erlang:NAME.erl` is one of the
/// examples.
fn report(line: &str) -> String {
    let place = Place::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/erlang");
    if let Some(rest) = line.strip_prefix("erlang:") {
        let file = rest.split(' ').next().unwrap();
        fs::copy(examples.join(file), place.path().join(file)).unwrap();
    }
    let line = line.trim_start_matches("erlang:");
    let text = place.expect(1, &format!("check {line} --no-logs")).stdout;
    let lines = text.lines().filter(|line| !line.starts_with("  seconds"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn check(line: &str, expected: Data) {
    assert_data_eq!(report(line), expected.raw());
}

macro_rules! explained {
    ($($name:ident: $line:literal,)*) => {
        $(
            #[test]
            fn $name() {
                let file = concat!("snapshots/explained/", stringify!($name), ".txt");
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
                check($line, Data::read_from(&path, None));
            }
        )*
    };
}

explained! {
    retry_timeout: "gallery:retry-timeout",
    philosophers: "gallery:philosophers",
    lost_update: "gallery:lost-update",
    supervisor: "gallery:supervisor",
    name_race: "gallery:name-race",
    two_phase_commit: "gallery:two-phase-commit --param crash=1",
    overtaking_bank: "gallery:bank --delivery unordered",
    any_deadlock: "gallery:any-deadlock",
    hidden_race: "gallery:hidden-race",
    leader: "gallery:leader --param n=3 --delivery unordered",
    ping_pong_erlang: "erlang:ping_pong.erl --entry ping_pong:pong/0",
    philosophers_erlang: "erlang:philosophers.erl --entry philosophers:run(2)",
    link_monitor_erlang: "erlang:link_monitor.erl --entry link_monitor:link_late/0",
    pool_erlang: "erlang:pool.erl --entry pool:run/0 --daemon pool:worker/0 --daemon pool:pool/1",
    name_race_erlang: "erlang:name_race.erl --entry name_race:run(2)",
}

/// Errors that differ in numbers only.
const NUMBERS: &str = r#"-module(ways).
-export([numbers/0, workers/0, calls/0, lines/0]).
numbers() ->
    Self = self(),
    [spawn(fun() -> Self ! {value, N} end) || N <- [1, 2, 3, 4]],
    receive {value, V} -> check(V, 1) end.
workers() ->
    [spawn(fun() -> worker(K) end) || K <- [1, 10]].
worker(K) ->
    Self = self(),
    [spawn(fun() -> Self ! {value, N} end) || N <- [1, 2]],
    receive {value, V} -> check(K * V, K) end.
check(Got, Wanted) ->
    case Got of Wanted -> ok; _ -> error({wrong, Got}) end.
two() ->
    Self = self(),
    [spawn(fun() -> Self ! {first, N} end) || N <- [1, 2]],
    [spawn(fun() -> Self ! {second, N} end) || N <- [1, 2]],
    First = receive {first, A} -> A end,
    {First, receive {second, B} -> B end}.
calls() ->
    {First, Second} = two(),
    check(First, 1),
    check(10 * Second, 10).
lines() ->
    {First, Second} = two(),
    First =:= 1 orelse error({wrong, First}),
    Second =:= 1 orelse error({wrong, Second}).
"#;

/// Errors with one cause are one error, and all the numbers with which it fails are shown. Two bugs that
/// fail at the same line, in one function that both call, are two.
#[test]
fn errors_that_differ_in_numbers_only() {
    let place = Place::new();
    place.write("ways.erl", NUMBERS);
    let check = |entry: &str| {
        let line = format!("check ways.erl --entry ways:{entry}/0 --keep-going");
        place.expect(1, &line).stdout
    };
    let has = |text: &str, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
    };
    let text = check("numbers");
    has(
        &text,
        &[
            "✗ numbers (P) crashes: {wrong, ",
            "\n    fails in 3 ways: {wrong, 2}; {wrong, 3}; {wrong, 4}\n",
            "A crash in 3 of 4 executions; all were explored.",
        ],
    );
    let text = check("workers");
    has(
        &text,
        &[
            "✗ worker P.1 crashes: {wrong, 2} ",
            "\n    also worker P.2 crashes: {wrong, 20} at ways.erl:14\n",
        ],
    );
    let text = check("calls");
    has(
        &text,
        &[
            "Error found: 2 errors; all 4 executions explored.",
            "(P) crashes: {wrong, 20} ",
            "(P) crashes: {wrong, 2} ",
            "The race: calls (P) takes a message at ways.erl:19",
            "The race: calls (P) takes a message at ways.erl:20",
        ],
    );
    let text = check("lines");
    has(
        &text,
        &["Error found: 2 errors", " ways.erl:27\n", " ways.erl:28\n"],
    );
}
