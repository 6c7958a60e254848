//! Replay: tokens, errors that recur or are gone, programs that were edited, and stopping on the way.

mod common;

use common::{Place, Ran, flat};
use serde_json::Value;

#[track_caller]
fn has(ran: &Ran, text: &str) {
    let all = format!("{}{}", ran.stdout, ran.stderr);
    let is_there = all.contains(text) || flat(&all).contains(&flat(text));
    assert!(is_there, "no {text:?} in\n{all}");
}

/// The words after `mazurka` of the line that replays an error.
#[track_caller]
fn replay_line(ran: &Ran) -> String {
    let line = ran
        .stdout
        .lines()
        .find_map(|line| line.split_once("Replay: mazurka "));
    line.unwrap_or_else(|| panic!("no line in {}", ran.stdout))
        .1
        .to_owned()
}

const RACE: &str = r#"-module(race).
-export([go/0]).

go() ->
    Self = self(),
    spawn(fun() -> Self ! {n, 1} end),
    spawn(fun() -> Self ! {n, 2} end),
    receive {n, X} -> io:format("first ~p~n", [X]) end,
    receive {n, _} -> io:format("second~n") end,
    1 = X.
"#;

/// A place with a program that crashes, and the line that replays it.
fn race() -> (Place, String) {
    let place = Place::new();
    place.write("race.erl", RACE);
    let ran = place.expect(1, "check race.erl --entry race:go/0 --no-logs");
    let line = replay_line(&ran);
    assert!(line.starts_with("replay race.erl mz1:"), "{line}");
    (place, line)
}

#[test]
fn a_token_replays_a_small_log() {
    let place = Place::new();
    let ran = place.expect(1, "check gallery:retry-timeout --no-logs");
    let line = replay_line(&ran);
    assert!(
        line.starts_with("replay gallery:retry-timeout mz1:"),
        "{line}"
    );
    assert!(line.len() < 240, "{line}");
    assert!(!place.path().join("mazurka-logs").exists());
    let ran = place.expect(1, &line);
    has(
        &ran,
        "The error recurs: assertion in process P (client): assertion `left == right` failed",
    );
    has(&ran, "\n     1  client  spawn server\n");
    // Parameters are in it, and so is everything that a warning needs to be an error.
    let ran = place.expect(1, "check gallery:selective --error orphan --timeouts never");
    let line = replay_line(&ran);
    assert!(line.starts_with("replay gallery:selective mz1:"), "{line}");
    has(&place.expect(1, &line), "The error recurs: orphan");
    // What is in the token is in the file, which remembers the error as well.
    let report = place.check(1, "gallery:retry-timeout");
    let error = &report["errors"][0];
    assert_eq!(error["reproduced"], true);
    let (file, replay) = (
        error["log_file"].as_str().unwrap(),
        error["replay"].as_str().unwrap(),
    );
    let log: Value = serde_json::from_str(&place.read(file)).unwrap();
    assert_eq!(log["error"]["kind"], "assertion");
    assert_eq!(log["error"]["process"], "P");
    assert_eq!(log["error"]["message"], error["message"]);
    assert_eq!(log["timeouts"], "below-1000ms");
    let by_file = place
        .expect(1, &format!("replay gallery:retry-timeout {file}"))
        .stdout;
    let by_token = place
        .expect(1, replay.strip_prefix("mazurka ").unwrap())
        .stdout;
    assert_eq!(by_file, by_token);
    // A trace along it.
    let token = replay.rsplit_once(' ').unwrap().1;
    place.expect(
        0,
        &format!("trace gallery:retry-timeout --log {token} -o t.json"),
    );
    has(
        &place.expect(1, "replay gallery:retry-timeout t.json"),
        "assertion in process P",
    );
}

#[test]
fn tokens_that_are_no_good() {
    let (place, line) = race();
    let token = line.rsplit_once(' ').unwrap().1;
    let error = |token: &str| place.expect(2, &format!("replay race.erl {token}")).stderr;
    assert!(error(&token[..token.len() - 3]).contains("this token is cut short"));
    assert!(error("mz1:").contains("this token is cut short"));
    assert!(error(&format!("{token}AAAA")).contains("this token is too long"));
    assert!(error(&format!("{token}.")).contains("which a token cannot contain"));
    assert!(error("mz7:AAAA").contains("tokens that begin with `mz7:` are not supported"));
    let mut swapped: Vec<char> = token.chars().collect();
    let at = (20..40).find(|&at| swapped[at] != swapped[at + 1]).unwrap();
    swapped.swap(at, at + 1);
    let swapped: String = swapped.into_iter().collect();
    assert!(error(&swapped).contains("this token contains a mistake"));
    let other = place
        .expect(2, &format!("replay gallery:fan-in {token}"))
        .stderr;
    assert!(
        other.contains("error: this belongs to race.erl, not to gallery:fan-in"),
        "{other}"
    );
}

/// What is too long for a command line is in a file.
#[test]
fn long_logs_are_files() {
    let place = Place::new();
    let long = "-module(long).
-export([go/0]).
go() ->
    Self = self(),
    [spawn(fun() -> [Self ! {N, K} || K <- lists:seq(1, 8)] end) || N <- lists:seq(1, 12)],
    [receive {N, K} -> ok end || N <- lists:seq(1, 12), K <- lists:seq(1, 8)],
    exit(too_much).
";
    place.write("long.erl", long);
    let line = "check long.erl --entry long:go/0";
    let ran = place.expect(1, line);
    let file = "mazurka-logs/long.erl-crash-1.json";
    assert_eq!(replay_line(&ran), format!("replay long.erl {file}"));
    has(
        &place.expect(1, &format!("replay long.erl {file}")),
        "The error recurs: crash",
    );
    // Without files a long token is better than nothing.
    let token = replay_line(&place.expect(1, &format!("{line} --no-logs")));
    assert!(token.len() > 200, "{token}");
    has(&place.expect(1, &token), "The error recurs: crash");
}

#[test]
fn output_is_beside_the_steps() {
    let (place, line) = race();
    let ran = place.expect(1, &line);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let at = |text: &str| lines.iter().position(|line| line.contains(text)).unwrap();
    let first = at("go             | first 2");
    assert!(
        lines[first - 1].contains("go             receive {n, 2} from fun at line 7"),
        "{}",
        ran.stdout
    );
    assert!(at("go             | second") > first);
    has(&ran, "The error recurs: crash in process P (race:go/0): ");
}

/// The bug is mended: the first receive takes only what it should.
#[test]
fn an_error_that_is_gone() {
    let (place, line) = race();
    let mended = RACE.replace("receive {n, X} -> io", "receive {n, 1 = X} -> io");
    place.write("race.erl", &mended);
    let ran = place.expect(0, &line);
    has(
        &ran,
        "The program departs from the log:\n  input 1 of process P should be message P.2#0, but it \
         waits for",
    );
    has(&ran, "and message P.2#0 cannot be consumed there.\n");
    has(
        &ran,
        "P goes on by itself; the rest of its log, 2 inputs, is not used.",
    );
    has(&ran, "The error is gone: crash in process P: ");
    has(&ran, "Nothing goes wrong.\n");
    has(
        &ran,
        "  Check all: mazurka check race.erl --entry race:go/0\n",
    );
    place.expect(0, "check race.erl --entry race:go/0");
    let strict = place.expect(2, &format!("{line} --strict")).stderr;
    assert!(
        strict.contains("error: the log does not fit the program: input 1 of process P"),
        "{strict}"
    );
    let json = place.expect(0, &format!("{line} --format json")).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["recurs"], &json["logged"]["kind"]),
        (&"no".into(), &"crash".into())
    );
    assert_eq!(json["departures"][0]["place"], "race.erl:8");
    assert_eq!(json["departures"][0]["input"], 1);
}

/// A message is renamed, and the receiver is forgotten: the crash is gone, and now it deadlocks.
#[test]
fn another_error_instead() {
    let (place, line) = race();
    place.write("race.erl", &RACE.replace("Self ! {n, 2}", "Self ! {m, 2}"));
    let ran = place.expect(1, &line);
    has(
        &ran,
        "input 1 of process P should be message P.2#0, but it waits for",
    );
    has(&ran, "The error is gone: crash in process P: ");
    has(
        &ran,
        "deadlock in process P (race:go/0): waits for ever for",
    );
    has(
        &ran,
        "Check all: mazurka check race.erl --entry race:go/0\n",
    );
}

/// The error is on another line, or has another message.
#[test]
fn an_error_that_moves_or_changes() {
    let (place, line) = race();
    place.write("race.erl", &RACE.replace("    1 = X.", "\n    1 = X."));
    let ran = place.expect(1, &line);
    has(
        &ran,
        "The error recurs: crash in process P (race:go/0): {badmatch, 2} at race.erl:11\n",
    );
    place.write("race.erl", &RACE.replace("    1 = X.", "    {X} = {1}."));
    let ran = place.expect(1, &line);
    has(&ran, "An error of the same kind recurs: crash in process P");
    has(&ran, "  The log has: {badmatch, 2} at race.erl:10\n");
    assert!(!ran.stdout.contains("departs"), "{}", ran.stdout);
}

/// One more receive: nothing in the log is wrong, but it is not all.
#[test]
fn a_program_that_goes_on() {
    let (place, line) = race();
    let longer = RACE.replace("    1 = X.", "    Self ! X, receive X -> ok end.");
    place.write("race.erl", &longer);
    let ran = place.expect(0, &line);
    has(
        &ran,
        "The program departs from the log:\n  P goes on after the end of its log: P event 6 (race.erl:10)",
    );
    has(&ran, "is its input 3, and the log has 2.");
    has(&ran, "The error is gone");
}

#[test]
fn parameters_make_another_program() {
    let place = Place::new();
    let line = replay_line(&place.expect(1, "check gallery:retry-timeout"));
    let ran = place.expect(0, &format!("{line} --param fixed=1"));
    has(
        &ran,
        "The program departs from the log:\n  input 2 of process P should be message P.1#0",
    );
    has(
        &ran,
        "Check all: mazurka check gallery:retry-timeout --param fixed=1\n",
    );
}

#[test]
fn stops_on_the_way() {
    let place = Place::new();
    let line = replay_line(&place.expect(1, "check gallery:retry-timeout"));
    let ran = place.expect(1, &format!("{line} --stop-at 6"));
    has(
        &ran,
        "\n     6  server  send Reply(1) to client\n\nStopped after step 6 of 10 (P.1 event 2):\n",
    );
    assert!(!ran.stdout.contains("receive Reply(1)"), "{}", ran.stdout);
    // p2p: the first of each sender.
    has(&ran, "           * Reply(1) from server\n");
    has(&ran, "    server  waits for ");
    for event in ["P.1:2", "6"] {
        assert_eq!(
            place.expect(1, &format!("{line} --stop-at {event}")).stdout,
            ran.stdout
        );
    }
    let mut spaced = place.command(&line);
    let spaced: Ran = spaced
        .args(["--stop-at", "P.1 event 2"])
        .output()
        .unwrap()
        .into();
    assert_eq!(spaced.stdout, ran.stdout);
    has(
        &place.expect(1, &format!("{line} --stop-at 8")),
        "has ended: assertion",
    );
    has(
        &place.expect(1, &format!("{line} --stop-at 1")),
        "next: send Request { id: 1, client: P } to server",
    );
    let error = |stop: &str| place.expect(2, &format!("{line} --stop-at {stop}")).stderr;
    assert!(error("11").contains("there is no step 11: this execution has 10"));
    assert!(error("0").contains("give the number of a step, from 1"));
    assert!(error("-3").contains("give the number of a step, from 1"));
    assert!(error("P.7:1").contains("there is no process P.7 in this execution: it has P, P.1"));
    assert!(error("P.1:9").contains("there is no P.1 event 9: P.1 has 4 events"));
}

/// Where an Erlang process stands, by its source.
#[test]
fn stops_in_erlang() {
    let (place, line) = race();
    let ran = place.expect(1, &format!("{line} --stop-at P.2:1"));
    has(&ran, "race.erl:8\n");
    has(&ran, "* {n, 2} from fun at line 7\n");
    assert!(!ran.stdout.contains("first 2"), "{}", ran.stdout);
}

#[test]
fn progress_in_lines() {
    let place = Place::new();
    let line = "check gallery:fan-in --param n=11 --max-seconds 2";
    assert_eq!(place.expect(3, line).stderr, "", "quiet without a terminal");
    for how in ["", "--algorithm dpor", "--hunt", "--sample 100000000"] {
        let ran = place.expect(3, &format!("{line} {how} --log-every 0.5"));
        let lines: Vec<&str> = ran.stderr.lines().collect();
        assert!((1..=4).contains(&lines.len()), "{how}: {}", ran.stderr);
        let last = lines.last().unwrap();
        assert!(
            last.starts_with("1 s: ") || last.starts_with("2 s: "),
            "{last}"
        );
        for part in [" executions", "no errors", "/s"] {
            assert!(last.contains(part), "{how}: {last}");
        }
        let has_frontier = matches!(how, "" | "--hunt");
        assert_eq!(
            last.contains(" prefixes to explore"),
            has_frontier,
            "{how}: {last}"
        );
        assert_eq!(last.contains(" left"), how.is_empty(), "{how}: {last}");
        assert!(!ran.stderr.contains('\r'));
    }
    assert!(
        place
            .expect(2, &format!("{line} --log-every 0"))
            .stderr
            .contains("--log-every")
    );
}

/// With several tests each line names its test.
#[test]
fn progress_of_several_tests() {
    let place = Place::new();
    place.write(
        "m.erl",
        "-module(m).\n-export([short_test/0, long_test/0]).\nshort_test() -> ok.\n\
         long_test() ->\n  Me = self(),\n  [spawn(fun() -> Me ! N end) || N <- lists:seq(1, 11)],\n  \
         [receive _ -> ok end || _ <- lists:seq(1, 11)].\n",
    );
    let ran = place.expect(3, "check m.erl --max-seconds 2 --log-every 0.5");
    assert!(!ran.stderr.is_empty(), "{}", ran.stdout);
    for line in ran.stderr.lines() {
        assert!(line.starts_with("m:long_test/0: "), "{}", ran.stderr);
        assert!(line.contains(" executions"), "{}", ran.stderr);
    }
}
