//! Delivery models: the default, the notes at errors, and several models at once.

mod common;

use common::Place;
use serde_json::{Value, json};

/// The error of a program under a model, and what it has to do with the model.
#[track_caller]
fn dependence(line: &str) -> Value {
    let report = Place::new().check(1, &format!("{line} --no-logs"));
    report["errors"][0]["dependence"].clone()
}

#[test]
fn the_model_if_none_is_given() {
    for (program, model) in [
        ("fan-in", "mailbox"),
        ("registry", "unordered"),
        ("attach", "mailbox"),
    ] {
        let report = Place::new().check(0, &format!("gallery:{program}"));
        assert_eq!(report["delivery"], model, "{program}");
    }
    let ran = Place::new().expect(0, "gallery leader");
    let stated = "Delivery if --delivery is not given:\n  unordered, as in its paper";
    assert!(ran.stdout.contains(stated), "{}", ran.stdout);
}

#[test]
fn an_error_says_whether_it_can_happen_within_one_node() {
    assert_eq!(
        dependence("gallery:leader --param n=3"),
        json!({
            "possible_under": ["unordered"],
            "within_one_node": "never",
            "mailbox_executions": 1
        })
    );
    assert_eq!(
        dependence("gallery:philosophers --delivery p2p"),
        json!({
            "possible_under": ["unordered", "p2p", "causal", "mailbox"],
            "within_one_node": "yes"
        })
    );
    assert!(dependence("gallery:philosophers").is_null());
    let ran = Place::new().expect(1, "check gallery:leader --param n=3 --no-logs");
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "Delivery: This needs messages of one sender to overtake each other. It cannot \
                    happen within one node: --delivery mailbox has 1 execution, and none has \
                    this error.";
    assert!(text.contains(sentence), "{}", ran.stdout);
}

#[test]
fn a_clean_verdict_says_what_it_assumes() {
    for (line, verdict) in [
        ("", "Verified within one node: nothing"),
        (" --delivery p2p", "Verified: nothing"),
    ] {
        let ran = Place::new().expect(0, &format!("check gallery:fan-in{line}"));
        assert!(ran.stdout.starts_with(verdict), "{}", ran.stdout);
    }
}

#[test]
fn several_models_in_one_run() {
    let place = Place::new();
    let line = "check gallery:leader --param n=3 --delivery mailbox,unordered,mailbox --keep-going";
    let ran = place.expect(1, &format!("{line} --format json"));
    let reports: Value = serde_json::from_str(&ran.stdout).unwrap();
    let reports = reports.as_array().unwrap();
    let numbers = |report: &Value| {
        let errors = report["errors"].as_array().unwrap();
        (
            report["delivery"].clone(),
            report["executions"].clone(),
            errors.len(),
        )
    };
    let numbers: Vec<_> = reports.iter().map(numbers).collect();
    let expected = [
        (json!("mailbox"), json!(1), 0),
        (json!("unordered"), json!(24), 4),
    ];
    assert_eq!(numbers, expected);
    for error in reports[1]["errors"].as_array().unwrap() {
        assert_eq!(error["found_under"], json!(["unordered"]));
        let file = error["log_file"].as_str().unwrap();
        assert!(file.starts_with("mazurka-logs/unordered/"), "{file}");
    }
    let ran = place.expect(1, line);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let summary = [
        "mailbox   Verified within one node: there is 1 execution, and nothing goes wrong",
        "          in it.",
        "unordered Error found: 3 errors; all 24 executions explored.",
        "",
    ];
    assert_eq!(lines[..4], summary, "{}", ran.stdout);
    let only = "only under unordered: assertion in process P";
    let only = lines.iter().filter(|line| line.starts_with(only));
    assert_eq!(only.count(), 4, "each finding that differs: {}", ran.stdout);
    let numbers = ["✗ 1. ", "✗ 2. ", "✗ 3. ", "✗ 4. "];
    let errors = numbers.map(|number| ran.stdout.contains(number));
    assert_eq!(errors, [true, true, true, false], "{}", ran.stdout);
    assert!(
        ran.stdout.contains("\nUnder unordered:\n"),
        "{}",
        ran.stdout
    );

    let ran = place.expect(0, "check gallery:fan-in --delivery mailbox,p2p");
    assert!(
        ran.stdout
            .ends_with("No difference: no errors under mailbox and p2p.\n")
    );
}
