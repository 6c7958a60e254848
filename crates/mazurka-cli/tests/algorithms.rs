//! `mazurka check --algorithm`: what goes together, and what comes out.

mod common;

use common::{Place, flat};
use serde_json::{Value, json};

const REGISTRY: &str = "gallery:registry --param n=2 --delivery unordered";

/// Explores the registry and compares complete and blocked executions.
#[track_caller]
fn registry(options: &str, executions: u64, blocked: Option<u64>) {
    let report = Place::new().check(0, &format!("{REGISTRY} {options}"));
    assert_eq!(report["complete"], true, "{options}");
    assert_eq!(report["executions"], executions, "{options}");
    if let Some(blocked) = blocked {
        assert_eq!(report["blocked"], blocked, "{options}");
    }
}

#[test]
fn the_registry_by_every_algorithm() {
    registry("", 6, Some(0));
    registry("--algorithm odpor", 6, Some(0));
    registry("--algorithm source", 6, None);
    for algorithm in ["transdpor", "dpor", "naive"] {
        let line = format!("--algorithm {algorithm} --sleep-sets on");
        registry(&line, 6, None);
    }
    registry("--algorithm dpor --sleep-sets off", 24, Some(0));
    for order in ["fifo", "eca", "lca"] {
        registry(&format!("--algorithm odpor --order {order}"), 6, Some(0));
    }
}

/// Checks the fields of the report that describe the exploration.
#[track_caller]
fn explored(options: &str, expected: &Value) {
    let report = Place::new().check(0, &format!("{REGISTRY} {options}"));
    let fields = [
        "algorithm",
        "order",
        "sleep_sets",
        "blocking_avoidance",
        "preemption_bound",
        "strategy",
        "seed",
    ];
    let found = Value::from_iter(fields.map(|field| report[field].clone()));
    assert_eq!(&found, expected, "{options}");
}

#[test]
fn the_report_names_the_algorithm() {
    explored(
        "--strategy random --seed 7",
        &json!(["optimal", null, null, null, null, "random", 7]),
    );
    explored(
        "--algorithm odpor",
        &json!(["odpor", "fifo", true, null, null, "dfs", null]),
    );
    explored(
        "--algorithm dpor --order lca --sleep-sets off --strategy dfs",
        &json!(["dpor", "lca", false, null, null, "dfs", null]),
    );
    explored(
        "--algorithm naive",
        &json!(["naive", "fifo", false, null, null, "dfs", null]),
    );
}

#[test]
fn schedules_and_their_bound() {
    let line = "gallery:registry --param n=1 --delivery unordered --algorithm interleavings";
    let place = Place::new();
    let all = place.check(0, line);
    assert_eq!(all["order"], Value::Null);
    assert_eq!(all["sleep_sets"], Value::Null);
    assert_eq!(all["blocking_avoidance"], true);
    assert_eq!(all["preemption_bound"], Value::Null);

    let some = place.check(3, &format!("{line} --preemption-bound 0"));
    assert_eq!(some["preemption_bound"], 0);
    assert_eq!(some["stopped"], "preemption-bound");
    assert_eq!(some["complete"], false);
    assert!(some["executions"].as_u64() < all["executions"].as_u64());
    let text = place.expect(3, &format!("check {line} --preemption-bound 0"));
    assert!(
        flat(&text.stdout).starts_with(
            "Stopped early by the preemption bound (--preemption-bound 0): nothing wrong in "
        ),
        "{}",
        text.stdout
    );
    assert!(
        text.stdout
            .contains("Schedules with more than 0 preemptions were not explored.\n"),
        "{}",
        text.stdout
    );
    assert!(!text.stdout.contains("Verified"), "{}", text.stdout);

    let executions = &all["executions"];
    let text = place.expect(0, &format!("check {line}")).stdout;
    assert!(
        text.starts_with(&format!(
            "Verified: nothing goes wrong in any of the {executions} schedules.\n"
        )),
        "{text}"
    );
    assert!(
        text.contains(&format!("  schedules        {executions}\n")),
        "{text}"
    );

    let off = place.check(0, &format!("{line} --blocking-avoidance off"));
    assert_eq!(off["blocking_avoidance"], false);
    assert!(off["executions"].as_u64() >= all["executions"].as_u64());
    // A bound that leaves nothing out is no bound.
    let enough = place.check(0, &format!("{line} --preemption-bound 100"));
    assert_eq!(enough["executions"], all["executions"]);
}

/// Only the optimal algorithm knows what it has not looked at.
#[test]
fn what_is_not_explored() {
    let place = Place::new();
    let line = format!("{REGISTRY} --max-executions 2");
    let report = place.check(3, &line);
    assert!(report["unexplored"].as_u64() > Some(0), "{report}");
    assert_eq!(place.check(0, REGISTRY)["unexplored"], 0);
    for (algorithm, what) in [
        ("odpor", "executions"),
        ("source", "executions"),
        ("transdpor", "executions"),
        ("dpor", "executions"),
        ("naive", "executions"),
        ("interleavings", "schedules"),
    ] {
        let line = format!("{line} --algorithm {algorithm}");
        assert_eq!(place.check(3, &line)["unexplored"], Value::Null, "{line}");
        let text = place.expect(3, &format!("check {line}")).stdout;
        let expected = format!("An unknown number of {what} was not explored.\n");
        assert!(text.contains(&expected), "{text}");
    }
}

/// A bound on depth hides more than the rest of an execution.
#[test]
fn behind_the_depth_bound() {
    for algorithm in ["optimal", "odpor", "naive"] {
        let line = format!("check {REGISTRY} --max-depth 5 --algorithm {algorithm}");
        let text = Place::new().expect(3, &line).stdout;
        assert!(
            flat(&text).contains(
                " cut short after 5 steps: what comes later, and the races there, was not explored."
            ),
            "{text}"
        );
    }
}

#[test]
fn the_text_names_the_algorithm() {
    let place = Place::new();
    let text = place.expect(0, &format!("check {REGISTRY}")).stdout;
    assert!(!text.contains("algorithm"), "{text}");
    let line = format!("check {REGISTRY} --algorithm naive --sleep-sets on");
    let text = place.expect(0, &line).stdout;
    assert!(
        text.contains("  algorithm        naive, fifo order, with sleep sets\n"),
        "{text}"
    );
    assert!(
        text.contains(" (begun and given up, same as others)\n"),
        "{text}"
    );
}

/// Whatever finds an error, its log is a log.
#[test]
fn errors_of_other_algorithms_come_back() {
    for algorithm in ["odpor", "source", "transdpor", "dpor", "naive"] {
        let place = Place::new();
        let line = format!("gallery:retry-timeout --algorithm {algorithm}");
        let report = place.check(1, &line);
        let file = report["errors"][0]["log_file"].as_str().unwrap();
        place.expect(1, &format!("replay gallery:retry-timeout {file}"));
        let text = place.expect(1, &format!("check {line}")).stdout;
        assert!(
            text.contains("Replay: mazurka replay gallery:retry-timeout mz1:"),
            "{text}"
        );
    }
}

#[test]
fn no_logs_if_not_wanted() {
    let place = Place::new();
    let report = place.check(1, "gallery:retry-timeout --no-logs");
    assert_eq!(report["errors"][0]["log"]["mazurka"], "log");
    assert_eq!(report["errors"][0]["log_file"], Value::Null);
    let text = place.expect(1, "check gallery:retry-timeout --no-logs");
    // A token needs no file.
    assert!(
        text.stdout
            .contains("Replay: mazurka replay gallery:retry-timeout mz1:")
    );
    assert!(place.list(".").is_empty());
    place.expect(2, "check gallery:retry-timeout --no-logs --log-dir here");
}

/// Options that do not go together, and the error messages.
#[track_caller]
fn refused(options: &str, messages: &[&str]) {
    let ran = Place::new().expect(2, &format!("check gallery:fan-in {options}"));
    for message in messages {
        assert!(ran.stderr.contains(message), "{options}\n{}", ran.stderr);
    }
    assert_eq!(ran.stdout, "", "{options}");
}

#[test]
fn options_that_mean_nothing() {
    refused(
        "--order eca",
        &[
            "--order does not apply to --algorithm optimal: leave it out, or choose ",
            "odpor, source, transdpor, dpor or naive",
        ],
    );
    refused(
        "--algorithm interleavings --order fifo",
        &["--order does not apply to --algorithm interleavings"],
    );
    refused(
        "--algorithm dpor --strategy bfs",
        &["--strategy bfs is for --algorithm optimal only, dpor goes depth first"],
    );
    refused(
        "--algorithm dpor --strategy random --seed 1",
        &["--strategy random is for --algorithm optimal only"],
    );
    refused(
        "--algorithm odpor --seed 1",
        &["--seed is for --algorithm optimal with --strategy random"],
    );
    for strategy in ["dfs", "bfs"] {
        refused(
            &format!("--strategy {strategy} --seed 1"),
            &[
                &format!("--seed does not apply to --strategy {strategy}"),
                "leave it out, or add --strategy random",
            ],
        );
    }
    refused(
        "--seed 1",
        &["--seed does not apply to --strategy dfs, which makes no random choices"],
    );
    for algorithm in ["source", "odpor"] {
        refused(
            &format!("--algorithm {algorithm} --sleep-sets off"),
            &[
                "sleep sets are a part of it",
                "choose transdpor, dpor or naive",
            ],
        );
    }
    refused(
        "--sleep-sets on",
        &["--sleep-sets does not apply to --algorithm optimal, which has no use for them"],
    );
    for option in ["--preemption-bound 2", "--blocking-avoidance off"] {
        refused(option, &["or add --algorithm interleavings"]);
    }
    refused(
        "--algorithm dpor --preemption-bound 2",
        &["--preemption-bound does not apply to --algorithm dpor"],
    );
    refused(
        "--algorithm best",
        &["[possible values: optimal, odpor, source, transdpor, dpor, naive, interleavings]"],
    );
    refused(
        "--algorithm interleavings --preemption-bound -1",
        &["invalid value '-1' for '--preemption-bound <N>': give a whole number, 0 or above"],
    );
}
