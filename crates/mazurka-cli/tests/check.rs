//! `mazurka check`: counts, verdicts, exit codes, reports.

mod common;

use common::{Place, flat};
use serde_json::{Value, json};

/// Explores a program that is right, and compares the number of executions.
#[track_caller]
fn count(line: &str, executions: u64) {
    let report = Place::new().check(0, line);
    assert_eq!(report["executions"], executions, "{line}");
    assert_eq!(report["complete"], true, "{line}");
    assert_eq!(report["stopped"], "complete", "{line}");
    assert_eq!(report["blocked"], 0, "{line}");
    assert_eq!(report["errors"], json!([]), "{line}");
}

#[test]
fn every_execution_once() {
    for strategy in ["dfs", "bfs", "random --seed 7"] {
        count(
            &format!("gallery:fan-in --param n=6 --strategy {strategy}"),
            720,
        );
    }
    for delivery in ["unordered", "p2p", "causal", "mailbox"] {
        count(
            &format!("gallery:fan-in --param n=5 --delivery {delivery}"),
            120,
        );
        count(&format!("gallery:selective --delivery {delivery}"), 2);
    }
    count("gallery:pairs --param n=10", 1);
    count("gallery:fan-in-tagged --param n=10", 1);
    count("gallery:registry --param n=5 --delivery unordered", 720);
    count(
        "gallery:client-server --param clients=2 --param rounds=3",
        20,
    );
    count("gallery:fan-in --param n=4 --distrust", 24);
}

#[test]
fn json_says_what_was_done() {
    let place = Place::new();
    let report = place.check(0, "gallery:fan-in --param n=3");
    let expected = json!({
        "mazurka": "report", "version": 1,
        "program": "gallery:fan-in", "params": {"n": "3"},
        "delivery": "mailbox", "timeouts": "below-1000ms",
        "strategy": "dfs", "seed": null, "algorithm": "optimal",
        "order": null, "sleep_sets": null, "blocking_avoidance": null, "preemption_bound": null,
        "executions": 6, "cut_short": 0, "blocked": 0,
        "transitions": report["transitions"], "starts": report["starts"],
        "behaviour_nodes": report["behaviour_nodes"],
        "unexplored": 0, "complete": true, "stopped": "complete", "fault": null,
        "errors": [], "warnings": [],
        "seconds": report["seconds"], "peak_memory_bytes": report["peak_memory_bytes"],
    });
    assert_eq!(report, expected);
    assert!(report["seconds"].as_f64().is_some());
    // The entry process and three senders, each started once.
    assert_eq!(report["starts"], 4);
    if cfg!(target_os = "linux") {
        assert!(report["peak_memory_bytes"].as_u64() > Some(100_000));
    }
    assert!(place.list(".").is_empty(), "logs are for errors only");
}

/// Checks a program that is wrong; every log must bring its error back.
#[track_caller]
fn wrong(line: &str, kinds: &[(&str, u64)]) {
    let place = Place::new();
    let report = place.check(1, &format!("{line} --keep-going"));
    let found = |found: &Value| {
        (
            found["kind"].as_str().unwrap().to_owned(),
            found["count"].as_u64().unwrap(),
        )
    };
    let errors = report["errors"].as_array().unwrap();
    let expected: Vec<_> = kinds
        .iter()
        .map(|(kind, count)| ((*kind).to_owned(), *count))
        .collect();
    assert_eq!(
        errors.iter().map(found).collect::<Vec<_>>(),
        expected,
        "{line}"
    );
    let program = report["program"].as_str().unwrap();
    for error in errors {
        let file = error["log_file"].as_str().unwrap();
        let log: Value = serde_json::from_str(&place.read(file)).unwrap();
        assert_eq!(error["log"], log, "{line}");
        let ran = place.expect(1, &format!("replay {program} {file}"));
        // In a text it is one line.
        let message = error["message"].as_str().unwrap().replace('\n', "\\n");
        assert!(
            flat(&ran.stdout).contains(&message),
            "{line}: {}",
            ran.stdout
        );
    }
    place.check(1, line);
}

#[test]
fn errors_are_found_and_come_back() {
    wrong(
        "gallery:philosophers",
        &[("deadlock", 1), ("stuck", 1), ("stuck", 1), ("stuck", 1)],
    );
    wrong("gallery:ping-pong-register", &[("crash", 1)]);
    wrong("gallery:retry-timeout", &[("assertion", 1)]);
    wrong("gallery:lost-update", &[("assertion", 2)]);
    // Without a name the client fails at once; its end and that of the worker are then
    // noticed in either order. Its timeout fires after all that.
    wrong("gallery:supervisor", &[("crash", 1), ("crash", 2)]);
    wrong("gallery:name-race", &[("crash", 1), ("crash", 1)]);
    let two_phase = "gallery:two-phase-commit --param crash=1";
    wrong(two_phase, &[("deadlock", 1), ("stuck", 1)]);
}

#[test]
fn some_errors_depend_on_the_delivery_model() {
    Place::new().check(0, "gallery:bank");
    let report = Place::new().check(1, "gallery:bank --delivery unordered --keep-going");
    assert_eq!(report["errors"][0]["kind"], "assertion");
    assert_eq!(report["complete"], true);
}

/// Here, where no source can be found, a failed assertion is not taken for a crash.
#[test]
fn assertions_are_known_without_the_source() {
    for line in [
        "gallery:pidigits --delivery unordered",
        "gallery:leader --param n=2 --delivery unordered",
        "gallery:le-erlang --param n=4 --delivery p2p",
        "gallery:le-erlang --param failure=1 --delivery p2p",
    ] {
        let report = Place::new().check(1, line);
        assert_eq!(report["errors"][0]["kind"], "assertion", "{line}");
    }
}

#[test]
fn file_names_are_the_same_every_time() {
    let place = Place::new();
    for _ in 0..2 {
        place.check(1, "gallery:philosophers --log-dir somewhere/logs");
        assert_eq!(
            place.list("somewhere/logs"),
            [
                "gallery-philosophers-deadlock-1.json",
                "gallery-philosophers-stuck-1.json",
                "gallery-philosophers-stuck-2.json",
                "gallery-philosophers-stuck-3.json",
            ]
        );
    }
}

/// A bounded run is never called verified.
#[track_caller]
fn bounded(line: &str, stopped: &str) {
    let place = Place::new();
    let report = place.check(3, line);
    assert_eq!(report["stopped"], stopped, "{line}");
    assert_eq!(report["complete"], false, "{line}");
    let text = place.expect(3, &format!("check {line}")).stdout;
    assert!(text.starts_with("Stopped early by "), "{text}");
    assert!(!text.to_lowercase().contains("verified"), "{text}");
}

#[test]
fn bounds() {
    bounded("gallery:fan-in --max-executions 5", "execution-bound");
    bounded("gallery:fan-in --max-depth 5", "depth-bound");
    bounded(
        "gallery:fan-in --param n=11 --max-seconds 0.2",
        "time-bound",
    );
    if cfg!(target_os = "linux") {
        bounded("gallery:fan-in --param n=11 --max-memory 1", "memory-bound");
    }
}

#[test]
fn a_bound_that_is_not_reached_is_no_bound() {
    let place = Place::new();
    place.check(
        0,
        "gallery:fan-in --max-executions 6 --max-seconds 60 --max-memory 10000",
    );
    place.check(1, "gallery:philosophers --max-executions 7 --keep-going");
    let report = place.check(1, "gallery:philosophers --max-executions 3 --keep-going");
    assert_eq!(report["stopped"], "execution-bound");
}

#[test]
fn warnings_become_errors_if_asked() {
    let place = Place::new();
    let line = "gallery:selective";
    let report = place.check(0, line);
    assert_eq!(report["errors"], json!([]));
    let warnings = report["warnings"].as_array().unwrap();
    assert!(warnings.iter().all(|warning| warning["kind"] == "orphan"));
    assert!(!warnings.is_empty());
    assert_eq!(warnings[0]["log_file"], Value::Null);

    let report = place.check(1, &format!("{line} --error orphan"));
    let file = report["errors"][0]["log_file"].as_str().unwrap();
    // The log knows that it is an error.
    place.expect(1, &format!("replay {line} {file}"));
    place.expect(1, &format!("replay {line} {file} --error orphan"));

    let line = "gallery:fan-in --max-depth 5 --error depth-bound";
    assert_eq!(place.check(1, line)["errors"][0]["kind"], "depth-bound");
    let replay = "replay gallery:fan-in mazurka-logs/gallery-fan-in-depth-bound-1.json";
    place.expect(1, &format!("{replay} --error depth-bound --max-depth 5"));
}

/// It is found with and without `--distrust`.
#[test]
fn hidden_nondeterminism() {
    let place = Place::new();
    for line in [
        "gallery:nondeterministic",
        "gallery:nondeterministic --distrust",
    ] {
        let report = place.check(4, line);
        assert_eq!(report["stopped"], "nondeterminism", "{line}");
        assert_eq!(report["complete"], false, "{line}");
        assert_eq!(report["executions"], Value::Null, "{line}");
        let ran = place.expect(4, &format!("check {line}"));
        assert!(
            ran.stderr.contains("not deterministic: process P.1"),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.stdout, "", "{line}");
    }
}

#[test]
fn the_report_reads_well() {
    let place = Place::new();
    let ran = place.expect(1, "check gallery:retry-timeout --keep-going");
    assert_eq!(ran.stderr, "", "no progress without a terminal");
    let mask = |line: &str| match line.split_once("retry_timeout.rs:") {
        _ if line.starts_with("  seconds ") => "  seconds          [SECONDS]\n".to_owned(),
        Some((before, _)) => format!("{before}retry_timeout.rs:[LINE]\n"),
        None => format!("{line}\n"),
    };
    let masked: String = ran.stdout.lines().map(mask).collect();
    snapbox::assert_data_eq!(
        masked,
        snapbox::file!["snapshots/retry-timeout.txt": Text].raw()
    );
}

#[test]
fn a_stuck_process_may_be_a_daemon() {
    let place = Place::new();
    place.write(
        "m.erl",
        "-module(m).\n-export([main/0, idle/0]).\nmain() -> spawn(m, idle, []).\n\
         idle() -> receive stop -> ok end.\n",
    );
    let ran = place.expect(1, "check m.erl --entry m:main/0");
    assert!(
        ran.stdout
            .contains("If P.1 is a server that may wait for ever, mark it as a daemon"),
        "{}",
        ran.stdout
    );
    // One that waits for a process that has ended is none.
    let line = "check gallery:two-phase-commit --param crash=1";
    assert!(!place.expect(1, line).stdout.contains("mark it as a daemon"));
}

#[cfg(unix)]
#[test]
fn interrupted() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let place = Place::new();
    let line = "check gallery:fan-in --param n=12 --format json";
    let child = place.command(line).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1000));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["stopped"], "interrupted");
    assert_eq!(report["complete"], false);
    assert!(report["executions"].as_u64() > Some(0));
}
