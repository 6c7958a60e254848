//! `mazurka lab compare`

mod common;

use common::Place;
use serde_json::Value;

const REGISTRY: &str = "lab compare gallery:registry --delivery unordered";

/// The words of a text, with times and memory, the only fractions, made the same.
fn masked(text: &str) -> String {
    let word = |word: &str| match word.parse::<f64>() {
        Ok(_) if word.contains('.') => "[F]".to_owned(),
        _ => word.to_owned(),
    };
    let line = |line: &str| {
        line.split_whitespace()
            .map(word)
            .collect::<Vec<_>>()
            .join(" ")
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

const TWO: &str = "--algorithms optimal,dpor --sleep-sets both";

#[test]
fn text() {
    let ran = Place::new().expect(0, &format!("{REGISTRY} {TWO}"));
    assert_eq!(ran.stderr, "");
    snapbox::assert_data_eq!(
        masked(&ran.stdout),
        snapbox::file!["snapshots/compare.txt": Text].raw()
    );
}

#[test]
fn markdown() {
    let ran = Place::new().expect(0, &format!("{REGISTRY} {TWO} --format markdown"));
    snapbox::assert_data_eq!(
        masked(&ran.stdout),
        snapbox::file!["snapshots/compare.md": Text].raw()
    );
}

#[test]
fn csv() {
    let ran = Place::new().expect(0, &format!("{REGISTRY} {TWO} --format csv"));
    let spaced = ran.stdout.replace(',', " , ");
    snapbox::assert_data_eq!(
        masked(&spaced).replace(" ,", ",").replace(", ", ","),
        snapbox::file!["snapshots/compare.csv": Text].raw()
    );
}

#[track_caller]
fn compare(code: i32, line: &str) -> Value {
    let ran = Place::new().expect(code, &format!("lab compare {line} --format json"));
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The fields of each row, as text.
fn rows(report: &Value, fields: &[&str]) -> Vec<String> {
    let row = |row: &Value| {
        let fields = fields.iter().map(|field| match &row[field] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        fields.collect::<Vec<_>>().join(" ")
    };
    report["rows"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn json() {
    let report = compare(0, "gallery:registry --delivery unordered");
    assert_eq!(report["mazurka"], "comparison");
    assert_eq!(report["version"], 1);
    assert_eq!(report["program"], "gallery:registry");
    assert_eq!(report["params"]["n"], "2");
    assert_eq!(report["delivery"], "unordered");
    assert_eq!(report["to_first_error"], false);
    assert_eq!(report["interrupted"], false);
    let what = ["algorithm", "order", "sleep_sets", "stopped", "errors"];
    assert_eq!(
        rows(&report, &what),
        [
            "optimal null null complete 0",
            "odpor fifo true complete 0",
            "source fifo true complete 0",
            "transdpor fifo true complete 0",
            "dpor fifo true complete 0",
            "naive fifo false complete 0",
        ]
    );
    let first = &report["rows"][0];
    assert_eq!(first["paths"], 6);
    assert_eq!(first["blocked"], 0);
    assert_eq!(first["transitions"], 17, "without starts");
    assert_eq!(first["complete"], true);
    assert_eq!(first["fault"], Value::Null);
    assert!(first["seconds"].as_f64().is_some());
    if cfg!(target_os = "linux") {
        assert!(first["peak_memory_bytes"].as_u64() > Some(100_000));
    }
}

#[test]
fn a_row_for_each_setting_that_means_anything() {
    let report = compare(
        0,
        "gallery:registry --orders lca,fifo,lca --sleep-sets both --algorithms dpor,optimal,source,dpor",
    );
    assert_eq!(
        rows(&report, &["algorithm", "order", "sleep_sets"]),
        [
            "dpor lca true",
            "dpor lca false",
            "dpor fifo true",
            "dpor fifo false",
            "optimal null null",
            "source lca true",
            "source fifo true",
        ]
    );
}

#[test]
fn a_stopped_row_is_a_lower_bound() {
    let line = "gallery:fan-in --param n=5 --algorithms optimal --max-executions 7";
    let report = compare(3, line);
    assert_eq!(
        rows(&report, &["paths", "complete", "stopped"]),
        ["7 false execution-bound"]
    );
    let place = Place::new();
    let text = place.expect(3, &format!("lab compare {line}")).stdout;
    assert!(text.contains(">=7"), "{text}");
    assert!(text.contains("stopped: --max-executions\n"), "{text}");
    assert!(text.contains("lower bounds"), "{text}");
    let csv = place.expect(3, &format!("lab compare {line} --format csv"));
    assert!(csv.stdout.contains("optimal,,,>=7,"), "{}", csv.stdout);

    let line = "gallery:fan-in --param n=11 --algorithms optimal --max-seconds 0.2";
    let text = place.expect(3, &format!("lab compare {line}")).stdout;
    assert!(text.contains("stopped: --max-seconds\n"), "{text}");
}

#[test]
fn errors_are_counted() {
    let line = "gallery:retry-timeout --algorithms optimal,odpor";
    let all = compare(1, line);
    let what = ["paths", "errors", "stopped"];
    assert_eq!(rows(&all, &what), ["2 1 complete", "2 1 complete"]);
    let first = compare(1, &format!("{line} --to-first-error"));
    assert_eq!(first["to_first_error"], true);
    assert_eq!(first["rows"][0]["errors"], 1);
    let place = Place::new();
    place.expect(1, &format!("lab compare {line}"));
    assert!(place.list(".").is_empty(), "no logs");
}

#[test]
fn a_program_that_cannot_be_run() {
    let place = Place::new();
    let ran = place.expect(2, "lab compare gallery:nothing");
    assert!(ran.stderr.contains("`nothing`"), "{}", ran.stderr);
    let ran = place.expect(2, "lab compare gallery:fan-in --algorithms best");
    assert!(ran.stderr.contains("possible values"), "{}", ran.stderr);
}

/// The row that Ctrl-C stops may be the last one, and may have to be killed.
#[cfg(unix)]
#[test]
fn notes_after_an_interrupt() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    for (algorithms, remain) in [("optimal", false), ("optimal,odpor", true)] {
        let place = Place::new();
        let line = format!("lab compare gallery:fan-in --param n=12 --algorithms {algorithms}");
        let child = place.command(&line).stdout(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1000));
        let id = child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &id]).status();
        assert!(killed.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("stopped: Ctrl-C\n"), "{text}");
        assert_eq!(
            text.contains("the remaining rows were not run"),
            remain,
            "{text}"
        );
        // The signal went to the command alone.
        assert!(text.contains("was killed: how far it came"), "{text}");
        assert!(!text.contains(">="), "{text}");
    }
}

/// A signal to the command alone: it does not wait for its row for ever, nor leave it behind.
#[cfg(unix)]
#[test]
fn interrupted() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let place = Place::new();
    let line = "lab compare gallery:fan-in --param n=12 --algorithms optimal,odpor --format json";
    let started = Instant::now();
    let child = place.command(line).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1000));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!(output.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["interrupted"], true);
    let what = ["algorithm", "complete", "stopped"];
    assert_eq!(rows(&report, &what), ["optimal false interrupted"]);
}
