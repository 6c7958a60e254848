//! Aliases, calls with timeouts, and timers: exact numbers of executions, and the results of the real
//! `erl`.

mod common;

use common::Place;
use std::process::Command;

const DAEMONS: &str = "--daemon gen:init_it/6 --daemon gen:init_it/7";

fn source(module: &str) -> &'static str {
    match module {
        "aliases" => include_str!("suite/aliases.erl"),
        _ => include_str!("suite/timers.erl"),
    }
}

/// An entry has exactly this many executions, and none fails.
#[track_caller]
fn has(module: &str, entry: &str, delivery: &str, executions: u64) {
    let place = Place::new();
    let file = format!("{module}.erl");
    place.write(&file, source(module));
    let line = format!("{file} --entry {module}:{entry} --delivery {delivery} {DAEMONS}");
    let report = place.check(0, &line);
    assert_eq!(report["executions"], executions, "{entry}, {delivery}");
    let orphans = report["warnings"].as_array().map_or(0, Vec::len);
    assert_eq!(orphans, 0, "{entry}, {delivery}: {}", report["warnings"]);
}

/// The same under `mailbox` and under `p2p`.
#[track_caller]
fn has_executions(module: &str, entry: &str, executions: u64) {
    for delivery in ["mailbox", "p2p"] {
        has(module, entry, delivery, executions);
    }
}

/// Runs functions on the real machine. Those that are deterministic must have that result in every
/// execution here; the result of the others must be that of one. A busy machine may fire a timer late,
/// so a result that differs is tried again.
fn agrees_with_erl(module: &str, deterministic: &[&str], others: &[&str]) {
    let place = Place::new();
    let file = format!("{module}.erl");
    place.write(&file, source(module));
    let erlc = Command::new("erlc")
        .arg(&file)
        .current_dir(place.path())
        .status();
    assert!(erlc.expect("Erlang").success());
    let mut names = [deterministic, others].concat();
    let mut differences = Vec::new();
    for _ in 0..3 {
        differences.clear();
        let results = on_erl(&place, module, &names);
        for (name, result) in names.iter().zip(results) {
            let is_deterministic = deterministic.contains(name);
            differences.extend(
                difference(&place, module, name, &result, is_deterministic)
                    .map(|difference| (*name, difference)),
            );
        }
        names.retain(|name| differences.iter().any(|(differs, _)| differs == name));
        if names.is_empty() {
            break;
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}

/// The results of functions on the real machine.
fn on_erl(place: &Place, module: &str, names: &[&str]) -> Vec<String> {
    let run = format!("{module}:run([{}]), halt().", names.join(","));
    let erl = Command::new("erl")
        .args(["-noshell", "-eval", &run])
        .current_dir(place.path())
        .output()
        .expect("Erlang");
    let output = String::from_utf8(erl.stdout).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 2 * names.len(), "{output}");
    let pairs = lines.chunks(2).zip(names);
    pairs
        .map(|(pair, name)| {
            assert_eq!(pair[0], *name);
            pair[1].to_owned()
        })
        .collect()
}

/// The report, if a function does not have this result in every execution, or in none.
fn difference(
    place: &Place,
    module: &str,
    name: &str,
    result: &str,
    is_deterministic: bool,
) -> Option<String> {
    if result.starts_with("{failed") {
        return Some(result.to_owned());
    }
    let ran = place
        .command(&format!(
            "check {module}.erl --keep-going --format json {DAEMONS}"
        ))
        .arg("--entry")
        .arg(format!("{module}:expect({name},{result})"))
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let errors = report["errors"].as_array().unwrap();
    let agrees = match is_deterministic {
        true => errors.is_empty(),
        // A wrong result fails in some executions, but not in all.
        false => {
            let failed = errors.iter().map(|error| error["count"].as_u64().unwrap());
            failed.sum::<u64>() < report["executions"].as_u64().unwrap()
        }
    };
    (!agrees).then(|| format!("{result}\n{report:#}"))
}

#[test]
fn calls_with_the_default_timeout_race_only_at_the_server() {
    // (n k)! / (k!)^n
    for (n, k, executions) in [
        (2, 1, 2),
        (3, 1, 6),
        (4, 1, 24),
        (2, 2, 6),
        (2, 4, 70),
        (3, 2, 90),
        (4, 2, 2520),
        (8, 1, 40320),
    ] {
        has_executions("aliases", &format!("calls({n},{k})"), executions);
    }
    for (n, k, executions) in [(3, 1, 6), (2, 2, 6), (3, 2, 90), (4, 2, 2520)] {
        has_executions("aliases", &format!("named_calls({n},{k})"), executions);
    }
}

#[test]
fn other_calls_are_like_those_of_a_server() {
    for (n, k, executions) in [(3, 1, 6), (2, 2, 6), (3, 2, 90)] {
        has_executions("aliases", &format!("statem_calls({n},{k})"), executions);
        has_executions("aliases", &format!("events({n},{k})"), executions);
    }
    for (n, executions) in [(2, 2), (3, 6), (4, 24)] {
        has_executions("aliases", &format!("states({n})"), executions);
        has_executions("aliases", &format!("erpcs({n})"), 1);
    }
}

#[test]
fn a_message_to_an_alias_is_lost_after_its_end() {
    for (entry, executions) in [
        ("dropped()", 2),
        ("kept()", 1),
        ("late()", 1),
        ("own()", 1),
        ("reply_once()", 1),
        ("tagged()", 1),
        ("spawned()", 1),
        ("requested()", 1),
        ("call_timeout()", 1),
        // Whether the process had ended when it was monitored again.
        ("muted()", 2),
        // The second reply comes before the alias ends, or later.
        ("reply_twice()", 2),
    ] {
        has_executions("aliases", entry, executions);
    }
}

#[test]
fn a_timer_races_only_with_its_cancelling() {
    for (entry, executions) in [
        ("too_late()", 2),
        ("long()", 1),
        ("long_order()", 1),
        ("reverse()", 2),
        ("equal()", 2),
        // Both fired, the first one, none.
        ("both()", 3),
        ("nested()", 4),
        ("read()", 2),
        ("twice()", 1),
        ("options()", 1),
        ("absolute()", 1),
        ("named()", 1),
        ("nobody()", 1),
        ("ended()", 1),
        ("other_ended()", 1),
        ("pending()", 1),
        ("clock()", 1),
        ("shorter()", 1),
        ("bad()", 1),
    ] {
        has_executions("timers", entry, executions);
    }
    // Each timer is a sender. Under `p2p` its message may be overtaken.
    for (entry, mailbox, p2p) in [("order()", 1, 2), ("to_others()", 1, 2), ("other()", 2, 3)] {
        has("timers", entry, "mailbox", mailbox);
        has("timers", entry, "p2p", p2p);
    }
}

#[test]
fn timers_of_otp_need_no_server() {
    for (entry, executions) in [
        ("library()", 1),
        ("library_apply()", 1),
        ("library_interval()", 1),
        ("ticker()", 1),
        ("starts()", 1),
        ("statem()", 1),
        // The door closes itself before the request, after it, or too late to be noticed.
        ("statem_race()", 3),
    ] {
        has_executions("timers", entry, executions);
    }
}

#[test]
fn a_deadlock_beside_a_timer_is_found() {
    let place = Place::new();
    place.write("timers.erl", source("timers"));
    let report = place.check(1, "timers.erl --entry timers:left()");
    assert_eq!(report["errors"][0]["kind"], "deadlock", "{report:#}");
}

#[test]
fn the_end_of_an_alias_is_not_explained_as_a_timeout() {
    let place = Place::new();
    place.write("aliases.erl", source("aliases"));
    let line = format!("check aliases.erl --entry aliases:expect(states,0) {DAEMONS}");
    let ran = place.expect(1, &line);
    assert!(ran.stdout.contains("How it fails"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("times out"), "{}", ran.stdout);
}

#[test]
fn aliases_are_like_those_of_the_real_machine() {
    let deterministic = [
        "kept",
        "late",
        "own",
        "reply_once",
        "muted",
        "tagged",
        "spawned",
        "requested",
        "call_timeout",
        "call_dead",
    ];
    agrees_with_erl("aliases", &deterministic, &["dropped", "reply_twice"]);
}

#[test]
fn timers_are_like_those_of_the_real_machine() {
    let deterministic = [
        "long",
        "order",
        "long_order",
        "twice",
        "options",
        "absolute",
        "named",
        "nobody",
        "ended",
        "other_ended",
        "pending",
        "clock",
        "shorter",
        "to_others",
        "bad",
        "library",
        "library_apply",
        "library_interval",
        "ticker",
        "starts",
        "statem",
    ];
    let others = [
        "too_late",
        "reverse",
        "equal",
        "both",
        "nested",
        "read",
        "other",
        "statem_race",
    ];
    agrees_with_erl("timers", &deterministic, &others);
}
