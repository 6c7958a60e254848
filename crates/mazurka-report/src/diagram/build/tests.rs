use super::super::{Diagram, DrawError, Mark};
use anstream::adapter::strip_str;
use mazurka_engine::{Diagnosis, Finding, Kind, NoReturn, Parting};
use mazurka_trace::{At, Trace};
use std::collections::BTreeMap;

/// Two workers report to a master, which must receive the first worker's report first.
const REPORTS: &str = r#"{ "mazurka": "trace", "version": 1, "processes": {
    "P": [ {"spawn": "P.1"}, {"spawn": "P.2"}, {"receive": "P.2#0"}, {"receive": "P.1#0"},
           {"exit": "out of order"} ],
    "P.1": [ {"send": "P.1#0", "to": "P", "value": "Done(1)"}, {"exit": "normal"} ],
    "P.2": [ {"send": "P.2#0", "to": "P", "value": "Done(2)"}, {"exit": "normal"} ] } }"#;

/// The same program when the first worker's report is received first.
const PASSING: &str = r#"{ "mazurka": "trace", "version": 1, "processes": {
        "P": [ {"spawn": "P.1"}, {"spawn": "P.2"}, {"receive": "P.1#0"} ],
        "P.1": [ {"send": "P.1#0", "to": "P", "value": "Done(1)"} ],
        "P.2": [ {"send": "P.2#0", "to": "P", "value": "Done(2)"} ] } }"#;

fn crash() -> Finding {
    Finding {
        kind: Kind::Crash,
        process: "P".into(),
        role: Some("master".into()),
        message: "out of order".into(),
    }
}

fn trace(json: &str) -> Trace {
    Trace::from_json(json).unwrap()
}

/// These events lead to the error; it differs from the passing execution from the first receive on.
fn diagnosis(order: &[(&str, usize)]) -> Diagnosis {
    Diagnosis {
        order: order.iter().map(|&(pid, at)| At::new(pid, at)).collect(),
        parting: Some(Parting {
            passing: trace(PASSING),
            all_is_well: true,
            common: BTreeMap::new(),
            at: At::new("P", 2),
        }),
        no_return: NoReturn::AtParting,
        names: BTreeMap::new(),
    }
}

fn drawn(diagram: &Diagram, width: usize) -> String {
    let mut out = Vec::new();
    diagram.write(&mut out, width).unwrap();
    strip_str(&String::from_utf8(out).unwrap()).to_string()
}

#[track_caller]
fn check(diagram: &Diagram, width: usize, expected: &str) {
    let drawn = drawn(diagram, width);
    assert_eq!(drawn.trim_end(), expected.trim_matches('\n'), "\n{drawn}");
}

#[test]
fn a_race() {
    let diagnosis = diagnosis(&[
        ("P", 0),
        ("P", 1),
        ("P.1", 0),
        ("P.1", 1),
        ("P.2", 0),
        ("P.2", 1),
        ("P", 2),
        ("P", 3),
        ("P", 4),
    ]);
    let diagram = Diagram::new(&trace(REPORTS), &[&crash()], Some(&diagnosis)).unwrap();
    check(
        &diagram,
        64,
        "
    master              P.1                 P.2
    P
    ├─ spawn ──────────▶┬──────────────────▶┬
    │◁╌╌╌╌╌╌╌╌ Done(1) ╌┤                   │
    │◁━━━━━━━━━━━━━━━━━━━━━━━━━━━━ Done(2) ━┤
    ◆ takes Done(2) from P.2; could have taken Done(1) from P.1
    ● takes Done(1)
    ✗ out of order

    ▷ received later   ◆ the choice that leads to the error
    ╌ what could have been taken instead   ✗ where it fails",
    );
}

#[test]
fn as_the_diagnosis_says() {
    let failing = trace(REPORTS);
    // Without the other message.
    let diagnosis = diagnosis(&[("P", 0), ("P", 1), ("P.2", 0), ("P", 2), ("P", 4)]);
    let diagram = Diagram::new(&failing, &[&crash()], Some(&diagnosis)).unwrap();
    let texts: Vec<&str> = diagram.rows.iter().map(|row| row.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "",
            "Done(2)",
            "takes Done(2) from P.2; could have taken Done(1) from P.1",
            "out of order"
        ]
    );
    let marks: Vec<Mark> = diagram.rows.iter().map(|row| row.mark).collect();
    assert_eq!(marks, [Mark::Plain, Mark::Took, Mark::Took, Mark::Failing]);
}

/// Events of the diagnosis that are not in the trace, or a parting that is nowhere, do no harm.
#[test]
fn a_diagnosis_of_something_else() {
    let failing = trace(REPORTS);
    let diagnosis = Diagnosis {
        order: vec![At::new("Q", 7), At::new("P", 99)],
        parting: Some(Parting {
            passing: trace(r#"{"mazurka": "trace", "version": 1, "processes": {"P": []}}"#),
            all_is_well: true,
            common: BTreeMap::new(),
            at: At::new("Q", 3),
        }),
        no_return: NoReturn::Unknown,
        names: BTreeMap::new(),
    };
    let diagram = Diagram::new(&failing, &[&crash()], Some(&diagnosis)).unwrap();
    assert_eq!(diagram.rows.len(), 1, "the error itself");
}

#[test]
fn nothing_happens() {
    let empty = trace(r#"{"mazurka": "trace", "version": 1, "processes": {"P": []}}"#);
    let diagram = Diagram::new(&empty, &[], None).unwrap();
    check(&diagram, 80, "    P");
    assert!(
        diagram
            .to_mermaid()
            .starts_with("sequenceDiagram\n    %% Mazurka\n    participant p0 as P\n")
    );
    assert!(diagram.to_svg("").ends_with("</svg>\n"));
}

#[test]
fn no_trace_at_all() {
    let mut wrong = trace(REPORTS);
    wrong.processes.remove("P.1");
    let error = Diagram::new(&wrong, &[], None).unwrap_err();
    assert!(matches!(error, DrawError::Invalid(_)), "{error}");
    let mut long = trace(r#"{"mazurka": "trace", "version": 1, "processes": {"P": []}}"#);
    let events = long.processes.get_mut("P").unwrap();
    events.resize(3_001, mazurka_trace::Event::Choose { of: 2, chosen: 0 });
    assert_eq!(
        Diagram::new(&long, &[], None),
        Err(DrawError::TooLong(3_001))
    );
}

/// `workers` processes each send the first one a message of this value.
fn crowd(workers: usize, value: &str) -> Trace {
    let value = serde_json::to_string(value).unwrap();
    let (mut master, mut others) = (Vec::new(), Vec::new());
    for worker in 1..=workers {
        master.push(format!(r#"{{"spawn": "P.{worker}"}}"#));
        others.push(format!(
            r#""P.{worker}": [{{"send": "P.{worker}#0", "to": "P", "value": {value}}}, {{"exit": "normal"}}]"#
        ));
    }
    for worker in 1..=workers {
        master.push(format!(r#"{{"receive": "P.{worker}#0"}}"#));
    }
    trace(&format!(
        r#"{{"mazurka": "trace", "version": 1, "processes": {{"P": [{}], {}}}}}"#,
        master.join(","),
        others.join(",")
    ))
}

#[test]
fn fits_the_width() {
    for value in [
        "Done(1)",
        "a very long value ".repeat(500).as_str(),
        "日本語のメッセージ",
        "",
    ] {
        for workers in [1, 3, 12, 300] {
            let trace = crowd(workers, value);
            let diagram = Diagram::new(&trace, &[&crash()], None).unwrap();
            for width in [30, 40, 61, 80, 120, 400] {
                let drawn = drawn(&diagram, width);
                for line in drawn.lines() {
                    let columns = super::super::canvas::columns(line);
                    assert!(columns <= width, "{columns} > {width}:\n{drawn}");
                }
                assert!(drawn.contains('✗'), "{drawn}");
            }
            drawn_by_all(&diagram);
        }
    }
}

fn drawn_by_all(diagram: &Diagram) {
    for width in [0, 1, 7, 1_000] {
        drawn(diagram, width);
    }
    let svg = diagram.to_svg("a <title> & \"more\"");
    crate::xml::tests::check_well_formed(&svg);
    let mermaid = diagram.to_mermaid();
    assert!(
        mermaid.len() < 50_000,
        "GitHub does not draw {}",
        mermaid.len()
    );
}

/// The diagram states what is left out.
#[test]
fn limits_are_stated() {
    let trace = crowd(700, "m");
    let diagram = Diagram::new(&trace, &[], None).unwrap();
    let terminal = drawn(&diagram, 80);
    assert!(terminal.contains("695 othe…"), "{terminal}");
    assert!(terminal.contains("rows not shown"), "{terminal}");
    assert!(diagram.to_svg("").contains("rows not shown"));
    assert!(diagram.to_mermaid().contains("rows not shown"));
}

#[test]
fn anything_may_stand_in_a_value() {
    for value in [
        "<script>alert(\"x\")</script>",
        "a;b#c%%{init: {}}%%\nend\r\n\tp0->>p1: fake",
        "\u{0}\u{1b}[31mred\u{7f}\u{202e}\u{ffff}",
        "]]>&amp;--><!--",
    ] {
        let diagram = Diagram::new(&crowd(2, value), &[&crash()], None).unwrap();
        drawn_by_all(&diagram);
        let mermaid = diagram.to_mermaid();
        // The first two lines are the title.
        for line in mermaid.lines().skip(2) {
            let line = line.trim();
            let starts = ["participant p", "p", "Note over p", "rect ", "end"];
            assert!(starts.iter().any(|start| line.starts_with(start)), "{line}");
            assert!(!line.contains('<') && !line.contains("%%"), "{line}");
        }
        let terminal = drawn(&diagram, 80);
        assert!(!terminal.contains('\u{1b}') && !terminal.contains('\u{202e}'));
    }
}

#[test]
fn what_says_nothing_is_folded() {
    let trace = trace(
        r#"{ "mazurka": "trace", "version": 1, "objects": ["table(t)", "liveness(P)"], "processes": {
        "P": [ {"choose": 2, "chosen": 0}, {"choose": 3, "chosen": 1}, {"choose": 4, "chosen": 1},
               {"send": "P#0", "to": "table(t)", "value": "put(1)"}, {"receive": "t#0"},
               {"send": "P#1", "to": "liveness(P)", "value": "end(normal)"}, {"exit": "normal"} ],
        "table(t)": [ {"receive": "P#0"}, {"publish": true},
                      {"send": "t#0", "to": "P", "value": "ok"} ],
        "liveness(P)": [ {"receive": "P#1"}, {"publish": true} ] } }"#,
    );
    let diagram = Diagram::new(&trace, &[], None).unwrap();
    let names: Vec<&str> = diagram
        .lanes
        .iter()
        .map(|lane| lane.name.as_str())
        .collect();
    assert_eq!(names, ["P", "table(t)"]);
    let texts: Vec<&str> = diagram.rows.iter().map(|row| row.text.as_str()).collect();
    assert_eq!(texts, ["3 local steps", "put(1)"]);
    assert_eq!(diagram.rows[1].ends, [0]);
}
