//! `mazurka lab papers`

mod common;

use common::Place;
use serde_json::Value;

#[test]
fn the_registry_of_figure_1() {
    let place = Place::new();
    let ran = place.expect(0, "lab papers --subject registry --format json");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["mazurka"], "papers");
    assert_eq!(report["version"], 1);
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    let dpor = &rows[0];
    assert_eq!(dpor["source"], "figure 1");
    assert_eq!(dpor["program"], "gallery:registry");
    assert_eq!(dpor["params"]["n"], "2");
    assert_eq!(dpor["delivery"], "unordered");
    assert_eq!(dpor["algorithm"], "dpor");
    assert_eq!(dpor["sleep_sets"], false);
    assert_eq!(dpor["published_paths"], 24);
    assert_eq!(dpor["published_transitions"], Value::Null);
    assert_eq!(dpor["paths"], 24);
    assert_eq!(dpor["mark"], "equal");
    assert_eq!(rows[1]["algorithm"], "transdpor");
    assert_eq!(rows[1]["published_paths"], 10);
    assert_eq!(rows[1]["mark"], "equal");
}

/// The rows that are not as published: subject, order, algorithm, paths and transitions.
fn differing(line: &str) -> (usize, Vec<String>) {
    let ran = Place::new().expect(
        0,
        &format!("lab papers {line} --max-seconds 300 --format json"),
    );
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let rows = report["rows"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let differ = rows.iter().filter(|row| row["mark"] == "differs");
    let shown = |row: &Value| {
        assert!(row["note"].is_string(), "no reason is given for {row}");
        let words = [&row["subject"], &row["order"], &row["algorithm"]].map(text);
        format!(
            "{} {} {}",
            words.join(" "),
            row["paths"],
            row["transitions"]
        )
    };
    (rows.len(), differ.map(shown).collect())
}

#[test]
fn without_sleep_sets() {
    let (rows, differing) = differing("--table 1");
    assert_eq!(rows, 54);
    let expected = [
        "fib5 eca transdpor 327 1649",
        "quicksort6 eca transdpor 3822 16765",
        "pipesort4 fifo transdpor 807 3798",
        "pipesort4 lca transdpor 2436 13173",
        "leader4 fifo transdpor 15661 91465",
        "leader4 lca transdpor 32955 196576",
        "shortpath4 lca transdpor 370 1334",
        "shortpath5 eca transdpor 1134 3634",
    ];
    assert_eq!(differing, expected);
}

#[test]
fn with_sleep_sets() {
    let subjects = [
        "fib5",
        "quicksort6",
        "pi5",
        "pipesort4",
        "chameneos2",
        "leader4",
        "shortpath4",
        "shortpath5",
        "regsim",
    ];
    let subjects = subjects.map(|name| format!("--subject {name}")).join(" ");
    let (rows, differing) = differing(&format!("--table 2 {subjects}"));
    assert_eq!(rows, 54);
    let expected = [
        "leader4 fifo transdpor 492 3112",
        "leader4 eca transdpor 492 3261",
    ];
    assert_eq!(differing, expected);
}

#[test]
fn the_start_is_taken_off() {
    let place = Place::new();
    let line = "lab papers --subject fib5 --table 1";
    let text = place.expect(0, line).stdout;
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("fib5  "))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows.len(), 6, "three orders, two algorithms:\n{text}");
    assert_eq!(rows[0][..6], ["fib5", "fifo", "off", "dpor", "40", "202"]);
    assert!(text.contains("one transition is subtracted"), "{text}");

    let csv = place.expect(0, &format!("{line} --format csv")).stdout;
    assert_eq!(csv.lines().count(), 7);
    assert!(csv.starts_with("subject,order,sleep sets,algorithm,published paths,"));
    let markdown = place.expect(0, &format!("{line} --format markdown")).stdout;
    assert!(markdown.contains("| fib5 | fifo | off | dpor | 40 | 202 | "));
}

#[test]
fn what_cannot_be_asked() {
    let place = Place::new();
    let ran = place.expect(2, "lab papers --subject fib6");
    assert!(ran.stderr.contains("fib5, quicksort6"), "{}", ran.stderr);
    let ran = place.expect(2, "lab papers --subject registry --table 2");
    assert!(ran.stderr.contains("no such subject"), "{}", ran.stderr);
    place.expect(2, "lab papers --table 3");
    place.expect(2, "lab papers --table 1 --preemption-plot plot.svg");
    assert!(place.list(".").is_empty());
}

/// With little time for each run; how far they come is not the point here.
#[test]
fn the_plot() {
    let place = Place::new();
    let ran = place.run("lab papers --preemption-plot plot.svg --max-seconds 0.2 --format csv");
    assert!(matches!(ran.code, Some(0 | 3)), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 1 + 2 * 2 * 8, "{}", ran.stdout);
    assert!(!ran.stdout.contains("failed"), "{}", ran.stdout);
    let text = place
        .run("lab papers --preemption-plot plot.svg --max-seconds 0.01")
        .stdout;
    assert!(
        text.contains("\nFigures with >= are those of runs that were stopped early"),
        "{text}"
    );
    let svg = place.read("plot.svg");
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
    for text in ["pidigits", "attach", "with blocking avoidance"] {
        assert!(svg.contains(text), "{text}");
    }
}

/// Nothing is counted if the picture has no place.
#[test]
fn a_plot_that_cannot_be_written() {
    let place = Place::new();
    let ran = place.expect(2, "lab papers --preemption-plot no/plot.svg");
    assert!(
        ran.stderr
            .contains("cannot write no/plot.svg: there is no directory no\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stdout, "");
    let ran = place.expect(2, "lab papers --preemption-plot .");
    assert!(
        ran.stderr.contains("cannot write .: it is a directory\n"),
        "{}",
        ran.stderr
    );
    assert!(place.list(".").is_empty());
}

#[cfg(unix)]
#[test]
fn an_interrupted_plot_is_not_written() {
    use std::process::{Command, Stdio};
    let place = Place::new();
    place.write("plot.svg", "an earlier one");
    let child = place
        .command("lab papers --preemption-plot plot.svg --max-seconds 300 --force")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1000));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(place.read("plot.svg"), "an earlier one");
    assert_eq!(place.list("."), ["plot.svg"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("Ctrl-C ended it, so plot.svg was not written\n"),
        "{stderr}"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("the remaining rows were not run.\n"),
        "{text}"
    );
}
