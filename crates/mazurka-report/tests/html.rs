//! The HTML report of outcomes that no program should have, and of large ones. How a page looks
//! and works is tested in a browser, in `mazurka-cli`.

use mazurka_engine::{Diagnosis, NoReturn, Parting};
use mazurka_report::{CheckOptions, Host, LogAt, Outcome, Params, Subject, html, run};
use mazurka_trace::{At, Delivery, Event, Note, Trace};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

struct Quiet;

impl Host for Quiet {
    fn replay_line(&self, _: &Subject, _: &CheckOptions, _: LogAt<'_>) -> Option<String> {
        None
    }
}

/// A check with one error, whose execution is then this one.
fn with_trace(trace: Trace) -> Outcome {
    let program = mazurka::Program::new(|| async {
        mazurka::receive::<u32>().await; // no process sends one
    });
    let subject = Subject::new("patience", Params::default());
    let options = CheckOptions::default();
    let mut outcome = run(subject, program, &options, &mut Quiet).unwrap();
    outcome.found[0].found.trace = Rc::new(trace);
    outcome
}

/// What is in the page of one outcome.
fn data(outcome: &Outcome) -> Value {
    let page = html(&[outcome]);
    let (_, after) = page.split_once("id=\"data\">").unwrap();
    let (data, _) = after.split_once("</script>").unwrap();
    let mut data: Value = serde_json::from_str(data).unwrap();
    data["runs"][0].take()
}

fn trace(processes: &str) -> Trace {
    let json = format!(r#"{{"mazurka": "trace", "version": 1, "processes": {processes}}}"#);
    Trace::from_json(&json).unwrap()
}

fn empty() -> Trace {
    Trace::new(Delivery::P2p, "P")
}

const RACE: &str = r#"{
    "P": [{"spawn": "P.1"}, {"spawn": "P.2"}, {"receive": "a"}, {"receive": "b"}],
    "P.1": [{"send": "a", "to": "P", "value": "1"}],
    "P.2": [{"send": "b", "to": "P", "value": "2"}]}"#;

#[test]
fn an_execution_without_events() {
    let run = data(&with_trace(empty()));
    assert_eq!(run["executions"][0]["events"].as_array().unwrap().len(), 0);
    assert_eq!(run["executions"][0]["lanes"][0]["pid"], "P");
    assert_eq!(run["errors"][0]["ends"][0][0], 0);
}

#[test]
fn no_outcomes_at_all() {
    assert!(html(&[]).contains("0 tests – Mazurka"));
}

#[test]
fn what_is_no_trace_is_not_drawn() {
    let mut wrong = empty();
    let killed = Event::Killed {
        tag: "nobody".into(),
    };
    wrong.processes.insert("P".into(), vec![killed]);
    let run = data(&with_trace(wrong));
    assert_eq!(run["executions"].as_array().unwrap().len(), 0);
    let why = run["errors"][0]["not_shown"].as_str().unwrap();
    assert!(why.starts_with("Its execution cannot be drawn:"), "{why}");
}

#[test]
fn large_values_are_cut() {
    let mut large = trace(RACE);
    let events = large.processes.get_mut("P.1").unwrap();
    if let Event::Send { value, .. } = &mut events[0] {
        *value = "é".repeat(1_000_000);
    }
    let page = html(&[&with_trace(large)]);
    assert!(page.len() < 200_000, "{}", page.len());
}

#[test]
fn large_executions_are_refused_with_a_reason() {
    let mut large = empty();
    let events = vec![Event::Choose { of: 2, chosen: 1 }; 70_000];
    large.processes.insert("P".into(), events);
    let run = data(&with_trace(large));
    let why = run["errors"][0]["not_shown"].as_str().unwrap();
    assert!(
        why.contains("70000 events") && why.contains("replay"),
        "{why}"
    );
}

#[test]
fn races_causes_and_inputs() {
    let run = data(&with_trace(trace(RACE)));
    let execution = &run["executions"][0];
    let events = execution["events"].as_array().unwrap();
    let find = |kind: &str, tag: &str| {
        let found = |event: &Value| event["kind"] == kind && event["tag"] == tag;
        events.iter().position(found).unwrap()
    };
    let (a, b, receive) = (find("send", "a"), find("send", "b"), find("receive", "a"));
    assert_eq!(events[receive]["causes"], serde_json::json!([a]));
    assert_eq!(events[receive]["race"], serde_json::json!([b]));
    assert_eq!(
        events[receive]["input"],
        serde_json::json!({"receive": "a"})
    );
    assert_eq!(events[a]["causes"], serde_json::json!([0]));
    assert_eq!(events[a]["value"], "1");
    assert_eq!(run["errors"][0]["decided"], Value::Null, "no diagnosis");
    assert_eq!(run["errors"][0]["fails"], Value::Null);
}

#[test]
fn places_bring_their_lines() {
    let directory = std::env::temp_dir().join(format!("mazurka-html-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("a.erl");
    std::fs::write(&file, "one\n  two\nthree\n").unwrap();
    let mut noted = trace(RACE);
    let note = |at, place: &str| Note {
        at,
        place: Some(place.to_owned()),
        output: None,
        outside: None,
    };
    let notes = vec![
        note(0, "src/a.erl:2"),
        note(0, "a.erl:9"),
        note(1, "b.erl:1"),
    ];
    noted.notes.insert("P".into(), notes);
    let mut outcome = with_trace(noted);
    outcome.subject.sources = vec![file];
    let run = data(&outcome);
    assert_eq!(run["sources"], serde_json::json!({"src/a.erl:2": "  two"}));
    outcome.subject.sources = vec![PathBuf::from("nowhere/a.erl")];
    assert_eq!(data(&outcome)["sources"], serde_json::json!({}));
    std::fs::remove_dir_all(&directory).unwrap();
}

/// Both executions begin with what they have in common, and the page knows where they part.
#[test]
fn failing_and_passing() {
    let at = |pid: &str, index| At::new(pid, index);
    let mut outcome = with_trace(trace(RACE));
    let passing = RACE.replace(
        r#"{"receive": "a"}, {"receive": "b"}"#,
        r#"{"receive": "b"}, {"receive": "a"}"#,
    );
    outcome.found[0].diagnosis = Some(Diagnosis {
        order: vec![at("P", 0), at("P.1", 0), at("P", 1), at("P", 2)],
        parting: Some(Parting {
            passing: trace(&passing),
            all_is_well: true,
            common: BTreeMap::from([("P".into(), 2), ("P.1".into(), 1)]),
            at: at("P", 2),
        }),
        no_return: NoReturn::Unknown,
        names: BTreeMap::new(),
    });
    let run = data(&outcome);
    let error = &run["errors"][0];
    assert_eq!(error["past"], 4);
    assert_eq!(error["decided"], 3);
    assert_eq!(error["parting"]["common"], 3);
    let kinds = |execution: &Value| -> Vec<String> {
        let execution = &run["executions"][execution.as_u64().unwrap() as usize];
        let name = |event: &Value| {
            let lane = &execution["lanes"][event["lane"].as_u64().unwrap() as usize];
            format!(
                "{} {}",
                lane["pid"].as_str().unwrap(),
                event["kind"].as_str().unwrap()
            )
        };
        execution["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(name)
            .collect()
    };
    let common = ["P spawn", "P.1 send", "P spawn"];
    assert_eq!(kinds(&error["execution"])[..3], common);
    assert_eq!(kinds(&error["parting"]["execution"])[..3], common);
    assert_eq!(error["parting"]["instead"], 4, "after the send of b");

    // A diagnosis that does not fit its execution is not believed.
    let diagnosis = outcome.found[0].diagnosis.as_mut().unwrap();
    diagnosis.order = vec![at("P", 2), at("Q", 7)];
    diagnosis.parting.as_mut().unwrap().at = at("Q", 1);
    let error = &data(&outcome)["errors"][0];
    assert_eq!(
        (&error["past"], &error["decided"]),
        (&Value::Null, &Value::Null)
    );
}
