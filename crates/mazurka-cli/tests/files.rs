//! Commands on trace and log files: trace, races, variants, replay, linearise.

mod common;

use common::{Place, example};
use mazurka_trace::{Event, Log, LogEntry, Trace};

/// A place with the example of Vidal 2022 in it.
fn with_example() -> Place {
    let place = Place::new();
    std::fs::copy(example(), place.path().join("example.json")).unwrap();
    place
}

#[test]
fn races_of_the_example() {
    let text = with_example().expect(0, "races example.json").stdout;
    let expected = "\
p1 event 5: took 5 (v5 from p3) and had no choice
p3 event 1: took 1 (v1 from p5) and could have taken
    2 (v2 from p2)
p3 event 3: took 2 (v2 from p2) and could have taken
    6 (v6 from p4)
    8 (v8 from p5)
p3 event 4: took 4 (v4 from p5) and could have taken
    6 (v6 from p4)
p3 event 6: took 6 (v6 from p4) and could have taken
    7 (v7 from p1)
    8 (v8 from p5)
p4 event 1: took 3 (v3 from p3) and had no choice
p1 event 6: sent 7 (v7 from p1) to p3, which never received it
p5 event 3: sent 8 (v8 from p5) to p3, which never received it
6 receives, 4 with a race; 2 orphans
";
    assert_eq!(text, expected);
}

/// Vidal 2022: the variant of the example in which r2 takes 6 instead of 2.
#[test]
fn variant_of_the_example() {
    let place = with_example();
    for receive in ["p3:3", "2"] {
        place.expect(
            0,
            &format!("variants example.json --receive {receive} -o {receive} --format trace"),
        );
        assert_eq!(
            place.list(receive),
            ["p3-3-takes-6.json", "p3-3-takes-8.json"]
        );
        let variant =
            Trace::from_json(&place.read(&format!("{receive}/p3-3-takes-6.json"))).unwrap();
        let events = |pid: &str| -> Vec<String> {
            variant.processes[pid]
                .iter()
                .map(Event::to_string)
                .collect()
        };
        assert_eq!(
            events("p1"),
            ["spawn p3", "spawn p2", "spawn p4", "spawn p5"]
        );
        assert_eq!(events("p2"), ["send 2 to p3"]);
        assert_eq!(events("p3"), ["receive 1", "send 3 to p4", "receive 6"]);
        assert_eq!(events("p4"), ["receive 3", "send 6 to p3"]);
        assert_eq!(
            events("p5"),
            ["send 1 to p3", "send 4 to p3", "send 8 to p3"]
        );
    }
}

#[test]
fn variants_are_partial_logs() {
    let place = with_example();
    let text = place.expect(0, "variants example.json -o logs").stdout;
    assert_eq!(place.list("logs").len(), 6);
    assert!(
        text.contains(
            "logs/p3-3-takes-6.json: p3 event 3 takes 6 (v6 from p4) instead of 2 (v2 from p2)"
        ),
        "{text}"
    );
    let log = Log::from_json(&place.read("logs/p3-3-takes-6.json")).unwrap();
    let receive = |tag: &str| LogEntry::Receive(tag.into());
    assert_eq!(log.processes["p3"], [receive("1"), receive("6")]);
    assert_eq!(log.processes["p4"], [receive("3")]);
    assert_eq!(log.processes.len(), 2);
}

#[test]
fn receives_must_exist() {
    let place = with_example();
    let error = |receive: &str| {
        let line = format!("variants example.json -o x --receive {receive}");
        place.expect(2, &line).stderr
    };
    assert!(error("p3:2").contains("p3 event 2 is not a receive but `send 3 to p4`"));
    assert!(error("p3:99").contains("p3 has only 6 events"));
    assert!(error("p9:1").contains("the trace has no process p9"));
    assert!(error("99").contains("no receive of the trace takes a message with this tag"));
    assert!(
        place.list(".") == ["example.json"],
        "nothing is made in vain"
    );
    let text = place
        .expect(0, "variants example.json -o x --receive 3")
        .stdout;
    assert_eq!(
        text,
        "None of these receives had a choice, so there are no variants.\n"
    );
}

/// Vidal 2022, Figure 1: one race, between 1 and 2; the message 0 is in none.
#[test]
fn the_race_of_selective() {
    let place = Place::new();
    place.expect(0, "trace gallery:selective -o trace.json");
    let trace = Trace::from_json(&place.read("trace.json")).unwrap();
    assert_eq!(trace.program.as_deref(), Some("gallery:selective"));
    let races = trace.check().unwrap().races();
    assert_eq!(races.len(), 1);
    let tags = races[0].others.iter().chain(&races[0].consumed);
    let value = |tag| {
        trace.events().find_map(|(_, event)| match event {
            Event::Send {
                tag: sent, value, ..
            } if sent == tag => Some(value.as_str()),
            _ => None,
        })
    };
    let mut values: Vec<_> = tags.map(|tag| value(tag).unwrap()).collect();
    values.sort_unstable();
    assert_eq!(values, ["Val(1)", "Val(2)"]);
    let text = place.expect(0, "races trace.json").stdout;
    assert!(
        text.ends_with("1 receive, 1 with a race; 2 orphans\n"),
        "{text}"
    );
    let (receives, _) = text.split_once("P.2 event 1: sent").unwrap();
    assert!(!receives.contains("Val(0)"), "{text}");
}

/// Trace, vary, trace again: the circle that `check` makes automatic.
#[test]
fn a_variant_leads_to_the_other_execution() {
    let place = Place::new();
    place.expect(0, "trace gallery:selective -o one.json");
    place.expect(0, "variants one.json -o variants");
    let log = format!("variants/{}", place.list("variants")[0]);
    place.expect(
        0,
        &format!("trace gallery:selective --log {log} -o two.json"),
    );
    let one = Trace::from_json(&place.read("one.json")).unwrap();
    let two = Trace::from_json(&place.read("two.json")).unwrap();
    assert!(!one.equivalent(&two));
    place.expect(0, "replay gallery:selective two.json");
    let again = place
        .expect(0, "trace gallery:selective --log two.json")
        .stdout;
    assert_eq!(again, place.read("two.json"));
}

#[test]
fn params_and_delivery_come_from_the_file() {
    let place = Place::new();
    place.expect(
        0,
        "trace gallery:fan-in --param n=4 --delivery causal --seed 3 -o t.json",
    );
    let again = place.expect(0, "trace gallery:fan-in --log t.json").stdout;
    assert_eq!(again, place.read("t.json"));
    let ran = place.expect(0, "replay gallery:fan-in t.json");
    assert!(
        ran.stdout
            .starts_with("gallery:fan-in under causal delivery:"),
        "{}",
        ran.stdout
    );
}

#[test]
fn linearisations() {
    let place = with_example();
    let fewest = place.expect(0, "linearise example.json").stdout;
    assert!(fewest.ends_with("6 context switches\n"), "{fewest}");
    assert_eq!(
        place
            .expect(0, "linearise example.json --fewest-switches")
            .stdout,
        fewest
    );
    let random = place
        .expect(0, "linearise example.json --random --seed 4")
        .stdout;
    assert_eq!(random.lines().count(), 18);
    assert_eq!(
        place
            .expect(0, "linearise example.json --random --seed 4")
            .stdout,
        random
    );
    let some = place
        .expect(0, "linearise example.json --all --limit 3")
        .stdout;
    assert!(some.ends_with("3 orders, and there are more\n"), "{some}");
    place.expect(2, "linearise example.json --all --random");

    let small = r#"{"mazurka": "trace", "version": 1, "processes": {
        "master": [{"spawn": "anna"}, {"spawn": "ben"}, {"receive": "a"}, {"receive": "b"}],
        "anna": [{"send": "a", "to": "master"}], "ben": [{"send": "b", "to": "master"}]}}"#;
    place.write("small.json", small);
    let all = place.expect(0, "linearise small.json --all").stdout;
    assert!(all.ends_with("\n5 orders\n"), "{all}");
}

/// The errors about bad files: which file, where, what is wrong.
#[test]
fn bad_files() {
    let place = with_example();
    let error = |line: &str| place.expect(2, line).stderr;
    assert!(error("races missing.json").contains("cannot read missing.json"));
    place.write(
        "broken.json",
        "{\"mazurka\": \"trace\",\n \"version\": 1, oops}",
    );
    assert!(error("races broken.json").contains("broken.json: line 2, column"));
    place.write(
        "invalid.json",
        r#"{"mazurka": "trace", "version": 1, "processes": {"p": [{"receive": "1"}]}}"#,
    );
    assert!(error("linearise invalid.json").contains("invalid.json: not a valid trace: p event 1"));
    place.write(
        "log.json",
        r#"{"mazurka": "log", "version": 1, "processes": {}}"#,
    );
    assert!(error("races log.json").contains("this is not a mazurka trace but a log"));
    std::fs::write(place.path().join("bytes.json"), [0xff, 0xfe]).unwrap();
    assert!(error("replay gallery:bank bytes.json").contains("not text in UTF-8"));
    assert!(
        error("trace gallery:bank -o no/such/place.json")
            .contains("cannot write no/such/place.json")
    );
}

#[test]
fn a_log_that_does_not_fit() {
    let place = with_example();
    let log = |body: &str| format!(r#"{{"mazurka": "log", "version": 1, {body}}}"#);
    place.write(
        "a.json",
        &log(r#""processes": {"P.1": [{"receive": "P.2#7"}]}"#),
    );
    for command in [
        "replay gallery:selective a.json --strict",
        "trace gallery:selective --log a.json",
    ] {
        let error = place.expect(2, command).stderr;
        assert!(
            error.contains("a.json: the log does not fit the program: input 1 of process P.1"),
            "{error}"
        );
        assert!(error.contains("P.2#7"), "{error}");
    }
    let lenient = place.expect(0, "replay gallery:selective a.json").stdout;
    assert!(
        lenient.contains("The program departs from the log:\n  input 1 of process P.1 should be"),
        "{lenient}"
    );
    place.write(
        "b.json",
        &log(r#""program": "gallery:bank", "processes": {}"#),
    );
    let error = place.expect(2, "replay gallery:selective b.json").stderr;
    assert!(
        error.contains("b.json: this belongs to gallery:bank"),
        "{error}"
    );
    let error = place
        .expect(2, "replay gallery:selective example.json")
        .stderr;
    assert!(error.contains("process p1"), "{error}");
}
