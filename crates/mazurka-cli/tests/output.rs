//! Pictures, and files for other tools.

mod common;

use common::{Place, schema};
use serde_json::{Value, json};
use std::path::Path;

/// Fails if the second worker is the first to answer, with characters that formats must escape in the error.
const AWKWARD: &str = r#"-module(awkward).
-export([race_test/0, fine_test/0, long_test/0]).

race_test() ->
    Self = self(),
    [spawn(fun() -> Self ! {'<b>&"', N, "a;b#c\n\t%%"} end) || N <- [1, 2]],
    receive {_, First, _} -> ok end,
    receive {_, _, _} -> ok end,
    case First of 1 -> ok; _ -> exit({'<late>', "]]>", [27, 0, 8238]}) end.

fine_test() -> ok.

long_test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- lists:seq(1, 6)],
    [receive _ -> ok end || _ <- lists:seq(1, 6)],
    ok.
"#;

fn awkward() -> Place {
    let place = Place::new();
    place.write("awkward.erl", AWKWARD);
    place
}

/// Elements closed in order, attributes in quotes: as much of XML as we write.
#[track_caller]
fn elements(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    let mut rest = match xml.strip_prefix("<?xml") {
        Some(after) => after.split_once("?>").unwrap().1,
        None => xml,
    };
    assert!(!xml.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
    while let Some((text, after)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{text}");
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed in order");
            continue;
        }
        let (tag, is_empty) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let (name, mut words) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while let Some((key, after)) = words.trim_start().split_once("=\"") {
            let (value, after) = after.split_once('"').expect("quotes are closed");
            attributes.push((key.to_owned(), value.to_owned()));
            words = after;
        }
        assert_eq!(words.trim(), "", "{tag}");
        all.push((name.to_owned(), attributes));
        if !is_empty {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(rest.trim(), "");
    all
}

fn attribute<'x>(element: &'x (String, Vec<(String, String)>), name: &str) -> &'x str {
    let found = element.1.iter().find(|(key, _)| key == name);
    found.map_or("", |(_, value)| value)
}

#[test]
fn diagrams_of_bugs() {
    for (name, line) in [
        ("lost-update", "gallery:lost-update"),
        ("philosophers", "gallery:philosophers"),
        ("retry-timeout", "gallery:retry-timeout"),
    ] {
        let place = Place::new();
        let pictures = "--diagram --svg d.svg --mermaid d.mmd --no-logs";
        let text = place.expect(1, &format!("check {line} {pictures}")).stdout;
        let picture = text
            .split_once("\n\n    main  ")
            .or_else(|| text.split_once("\n\n    table  "))
            .or_else(|| text.split_once("\n\n    client  "))
            .map(|(_, picture)| picture)
            .expect("the story, then the diagram");
        let legend = picture.find("where it fails").expect("a legend");
        let mask = |text: &str| mask_lines(text);
        for (kind, drawn) in [
            (
                "txt",
                format!("    {}\n", &picture[..legend + "where it fails".len()]),
            ),
            ("mmd", place.read("d.mmd")),
            ("svg", place.read("d.svg")),
        ] {
            let file = format!("tests/snapshots/diagrams/{name}.{kind}");
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
            snapbox::assert_data_eq!(
                mask(&drawn),
                snapbox::Data::read_from(&file, Some(snapbox::data::DataFormat::Text)).raw()
            );
        }
        elements(&place.read("d.svg"));
        for line in text.lines() {
            let wide = line.chars().count();
            // Messages are not cut; the picture is.
            let is_drawn = line.contains(['│', '├', '┬']);
            assert!(!is_drawn || wide <= 80, "{wide}: {line}");
        }
    }
}

/// Lines in the source of the gallery change, and so does the space after them.
fn mask_lines(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(".rs:") {
        masked += before;
        masked += ".rs:[LINE]";
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || ": ".contains(c));
    }
    masked + rest
}

#[test]
fn no_error_no_picture() {
    let place = Place::new();
    let ran = place.expect(
        0,
        "check gallery:fan-in --svg d.svg --mermaid d.mmd --diagram",
    );
    assert!(
        ran.stderr
            .contains("No error to draw: d.svg is not written"),
        "{}",
        ran.stderr
    );
    assert!(place.list(".").is_empty());
}

#[test]
fn a_picture_for_each_error() {
    let place = Place::new();
    place.expect(
        1,
        "check gallery:name-race --keep-going --no-logs --svg d.svg --mermaid d",
    );
    // One race makes either server crash.
    assert_eq!(place.list("."), ["d", "d.svg"]);
    // All that goes wrong in one execution is in one picture.
    let place = Place::new();
    place.expect(1, "check gallery:philosophers --no-logs --mermaid d.mmd");
    assert_eq!(place.list("."), ["d.mmd"]);
    assert_eq!(place.read("d.mmd").matches("waits for ever").count(), 4);
}

#[test]
fn pictures_of_one_execution() {
    let place = Place::new();
    place.expect(1, "check gallery:retry-timeout");
    let log = "mazurka-logs/gallery-retry-timeout-assertion-1.json";
    let line = format!("replay gallery:retry-timeout {log} --diagram --svg d.svg --mermaid d.mmd");
    let ran = place.expect(1, &line);
    assert!(
        ran.stdout.contains("◆ timeout of receive"),
        "{}",
        ran.stdout
    );
    assert!(place.read("d.mmd").starts_with("sequenceDiagram\n"));
    let line = format!("trace gallery:retry-timeout --log {log} --diagram --svg t.svg");
    let ran = place.expect(0, &line);
    let trace: Value = serde_json::from_str(&ran.stdout).expect("the trace alone");
    assert_eq!(trace["mazurka"], "trace");
    assert!(ran.stderr.contains("├─ spawn "), "{}", ran.stderr);
    let ran = place.expect(0, "trace gallery:fan-in -o t.json --diagram");
    assert!(ran.stdout.contains("├─ spawn "), "{}", ran.stdout);
}

#[test]
fn files_that_cannot_be_written() {
    let place = Place::new();
    for option in ["svg", "mermaid", "dot", "junit", "sarif"] {
        let ran = place.expect(2, &format!("check gallery:philosophers --{option} no/file"));
        assert!(
            ran.stderr
                .contains("cannot write no/file: there is no directory no"),
            "{}",
            ran.stderr
        );
    }
    let ran = place.expect(2, "check gallery:fan-in --junit a --sarif a");
    assert!(
        ran.stderr.contains("--junit and --sarif both write to a"),
        "{}",
        ran.stderr
    );
    let ran = place.expect(2, "check gallery:fan-in --diagram --format json");
    assert!(ran.stderr.contains("--diagram"), "{}", ran.stderr);
}

/// What was found is not lost if a file cannot be written after all.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let place = Place::new();
    let ran = place.expect(2, "check gallery:philosophers --no-logs --junit /dev/full");
    assert!(
        ran.stderr.contains("cannot write /dev/full: "),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("✗ Deadlock: "), "{}", ran.stdout);
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = place.command("check gallery:philosophers --no-logs");
    let ran = command.stdout(full).output().unwrap();
    let stderr = String::from_utf8_lossy(&ran.stderr);
    let text = "error: cannot write the report to standard output: No space left on device";
    assert_eq!(ran.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with(text), "{stderr}");
}

#[test]
fn junit() {
    let place = awkward();
    let line = "check awkward.erl --junit j.xml --max-executions 3 --no-logs";
    place.expect(1, line);
    let xml = place.read("j.xml");
    let all = elements(&xml);
    let suites = &all[0];
    assert_eq!(suites.0, "testsuites");
    for (name, value) in [
        ("tests", "3"),
        ("failures", "1"),
        ("errors", "0"),
        ("skipped", "1"),
    ] {
        assert_eq!(attribute(suites, name), value, "{name}\n{xml}");
        assert_eq!(attribute(&all[1], name), value, "{name}\n{xml}");
    }
    let names: Vec<&str> = all
        .iter()
        .filter(|element| element.0 == "testcase")
        .map(|case| attribute(case, "name"))
        .collect();
    assert_eq!(names.len(), 3);
    for name in ["race_test", "fine_test", "long_test"] {
        assert!(
            names.contains(&format!("awkward:{name}/0").as_str()),
            "{names:?}"
        );
    }
    let failure = all.iter().find(|element| element.0 == "failure").unwrap();
    assert_eq!(attribute(failure, "type"), "crash");
    assert!(
        attribute(failure, "message").contains("&lt;late&gt;"),
        "{xml}"
    );
    assert!(xml.contains("✗ "), "{xml}");
    let skipped = all.iter().find(|element| element.0 == "skipped").unwrap();
    assert!(
        attribute(skipped, "message").starts_with("Stopped early"),
        "{xml}"
    );
    let executions =
        |element: &&(String, Vec<(String, String)>)| attribute(element, "name") == "executions";
    assert_eq!(all.iter().filter(executions).count(), 3);
}

#[test]
fn junit_of_faults() {
    let place = Place::new();
    place.expect(4, "check gallery:nondeterministic --junit j.xml");
    let all = elements(&place.read("j.xml"));
    let error = all.iter().find(|element| element.0 == "error").unwrap();
    assert_eq!(attribute(error, "type"), "nondeterminism");
    place.expect(1, "check gallery:fan-in --expect crash --junit j.xml");
    let all = elements(&place.read("j.xml"));
    let failure = all.iter().find(|element| element.0 == "failure").unwrap();
    assert_eq!(attribute(failure, "type"), "missing");
    place.expect(
        0,
        "check gallery:philosophers --expect deadlock --expect stuck --junit j.xml",
    );
    let all = elements(&place.read("j.xml"));
    assert!(
        !all.iter()
            .any(|element| ["failure", "error", "skipped"].contains(&element.0.as_str()))
    );
}

#[test]
fn sarif() {
    let place = awkward();
    place.expect(
        1,
        "check awkward.erl --entry awkward:race_test/0 --sarif s.json --keep-going",
    );
    let log: Value = serde_json::from_str(&place.read("s.json")).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "Mazurka");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_eq!(result["level"], "error");
        let at = &result["locations"][0]["physicalLocation"];
        assert_eq!(at["artifactLocation"]["uri"], "awkward.erl", "{at:#}");
        assert_eq!(at["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        assert!(at["region"]["startLine"].as_u64() > Some(3), "{at:#}");
        let print = result["partialFingerprints"]["mazurkaFinding/v1"]
            .as_str()
            .unwrap();
        assert_eq!(print.len(), 16);
        let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
        let ids: Vec<&str> = flows
            .iter()
            .map(|flow| flow["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids, ["P", "P.1", "P.2"]);
        let mut orders = Vec::new();
        for flow in flows {
            let steps = flow["locations"].as_array().unwrap();
            let order = |step: &Value| step["executionOrder"].as_u64().unwrap();
            let own: Vec<u64> = steps.iter().map(order).collect();
            assert!(own.is_sorted() && !own.is_empty());
            orders.extend(own);
        }
        orders.sort_unstable();
        let all: Vec<u64> = (1..).take(orders.len()).collect();
        assert_eq!(orders, all, "every step once");
    }
    assert_eq!(run["invocations"][0]["exitCode"], 1);
    // Lines added above leave the fingerprint as it is.
    let print = results[0]["partialFingerprints"].clone();
    place.write(
        "awkward.erl",
        &AWKWARD.replace("\nrace_test", "\n\n\nrace_test"),
    );
    place.expect(
        1,
        "check awkward.erl --entry awkward:race_test/0 --sarif s.json --keep-going",
    );
    let log: Value = serde_json::from_str(&place.read("s.json")).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["partialFingerprints"], print);
}

#[test]
fn sarif_without_findings() {
    let place = Place::new();
    place.expect(0, "check gallery:fan-in --sarif s.json");
    let log: Value = serde_json::from_str(&place.read("s.json")).unwrap();
    assert_eq!(log["runs"][0]["results"], json!([]));
    place.expect(4, "check gallery:nondeterministic --sarif s.json");
    let log: Value = serde_json::from_str(&place.read("s.json")).unwrap();
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(
        invocation["toolExecutionNotifications"][0]["level"],
        "error"
    );
}

#[test]
fn github() {
    let place = awkward();
    let line = "check awkward.erl --entry awkward:race_test/0 --no-logs --format github";
    let text = place.expect(1, line).stdout;
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("::error file=awkward.erl,line=9,title=crash in process P"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 2, "{text}");
    let place = Place::new();
    let text = place
        .expect(3, "check gallery:fan-in --max-executions 2 --format github")
        .stdout;
    assert!(
        text.starts_with("::notice title=gallery%3Afan-in stopped early::Stopped early by "),
        "{text}"
    );
    let text = place
        .expect(0, "check gallery:selective --format github")
        .stdout;
    assert!(
        text.starts_with("::warning title=orphan in process "),
        "{text}"
    );
    assert!(
        text.ends_with(
            "Verified within one node: nothing goes wrong in any of the 2 executions.\n"
        ),
        "{text}"
    );
    let text = place
        .expect(
            0,
            "check gallery:philosophers --no-logs --expect deadlock --expect stuck --format github",
        )
        .stdout;
    assert!(
        !text.contains("::error") && text.contains("::notice title=deadlock"),
        "{text}"
    );
}

#[test]
fn the_tree_of_executions() {
    let place = Place::new();
    let line = "check gallery:philosophers --keep-going --no-logs --dot t.dot";
    place.expect(1, line);
    let dot = place.read("t.dot");
    assert!(dot.starts_with("digraph executions {\n") && dot.ends_with("}\n"));
    let report = place.check(1, "gallery:philosophers --keep-going --no-logs");
    let executions = report["executions"].as_u64().unwrap();
    let count = |what: &str| dot.matches(what).count() as u64;
    assert_eq!(count("shape=box"), executions, "{dot}");
    assert_eq!(
        count("shape=point"),
        executions,
        "one execution for each prefix"
    );
    assert_eq!(count("fillcolor=\"#ffd7d5\""), 1, "one fails");
    // Every prefix but the first has a parent, and its label states the difference.
    assert_eq!(count(" [label=\""), executions - 1, "{dot}");
    assert_eq!(count("\\ninstead of "), executions - 1, "{dot}");

    place.expect(0, "check gallery:fan-in --param n=7 --dot t.dot");
    let dot = place.read("t.dot");
    assert_eq!(dot.matches("shape=point").count(), 2_000);
    assert!(dot.contains("the first 2000 of 5040 prefixes of executions"));
    assert!(dot.contains("3040 more prefixes not shown"));

    for strategy in ["bfs", "random", "best-first --valuation depth", "mcts"] {
        place.expect(
            0,
            &format!("check gallery:fan-in --param n=4 --strategy {strategy} --dot t.dot"),
        );
        let dot = place.read("t.dot");
        assert_eq!(dot.matches("shape=box").count(), 24, "{strategy}");
    }
    for (other, expected) in [
        (
            "--algorithm dpor",
            "--dot does not apply to --algorithm dpor",
        ),
        (
            "--sample 5",
            "--dot applies to exploration only, and --sample 5 samples instead",
        ),
        ("--hunt", "--dot and --hunt do not go together"),
    ] {
        let ran = place.expect(2, &format!("check gallery:fan-in {other} --dot no.dot"));
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

/// Wrong reports do not match the schema.
#[test]
fn the_schema_is_strict() {
    let report = Place::new().check(1, "gallery:philosophers --no-logs");
    assert_eq!(schema::faults(&report), [] as [&str; 0]);
    for (pointer, value) in [
        ("/version", json!(2)),
        ("/executions", json!(-1)),
        ("/stopped", json!("tired")),
        ("/estimated_fraction_explored", json!(1.5)),
        ("/errors/0/count", json!(0)),
        ("/errors/0/kind", json!("bug")),
        ("/errors/0/log/processes/P.1/0", json!({"nothing": 1})),
        ("/params", json!({"n": 3})),
    ] {
        let mut wrong = report.clone();
        *wrong.pointer_mut(pointer).expect(pointer) = value;
        assert!(!schema::faults(&wrong).is_empty(), "{pointer}");
    }
    let mut wrong = report.clone();
    wrong.as_object_mut().unwrap().remove("seconds");
    assert!(!schema::faults(&wrong).is_empty());
    wrong = report;
    wrong["news"] = json!(1);
    assert!(
        !schema::faults(&wrong).is_empty(),
        "what is new must be documented"
    );
}

/// Samples, hunts and expectations have fields of their own.
#[test]
fn reports_of_all_kinds_are_as_the_schema_says() {
    let place = Place::new();
    for (code, line) in [
        (3, "gallery:fan-in --sample 20"),
        (3, "gallery:fan-in --sample 20 --sampler pct --bug-depth 2"),
        (1, "gallery:philosophers --hunt --no-logs"),
        (0, "gallery:fan-in --hunt"),
        (0, "gallery:philosophers --expect deadlock --expect stuck"),
        (3, "gallery:fan-in --max-executions 2"),
        (
            0,
            "gallery:fan-in --strategy best-first --threshold 2 --valuation depth:2",
        ),
        (0, "gallery:fan-in --algorithm dpor --order eca"),
        (0, "gallery:fan-in --algorithm interleavings"),
        (
            3,
            "gallery:fan-in --algorithm interleavings --preemption-bound 0",
        ),
        (4, "gallery:nondeterministic"),
        (1, "gallery:supervisor --keep-going"),
        (1, "gallery:name-race --keep-going"),
    ] {
        place.check(code, line);
    }
}

/// Characters that reorder text or cannot be seen.
const INVISIBLE: [char; 5] = ['\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{2028}'];

/// A program that has such characters in atoms, binaries, texts, reasons and what it prints.
const HIDES: &str = r#"-module(hides).
-export([run/0]).
run() ->
    Self = self(),
    Text = [16#202E, 16#2066, 16#200B, 16#FEFF, 16#2028],
    Atom = list_to_atom("a" ++ Text),
    Binary = unicode:characters_to_binary(Text),
    [spawn(fun() -> io:format("~ts~n", [Text]), Self ! {Atom, Binary, Text, N} end) || N <- [1, 2]],
    receive {_, _, _, 1} -> ok; Other -> error({Atom, Other}) end.
"#;

/// They are made visible in every output.
#[test]
fn invisible_characters_are_visible() {
    let place = Place::new();
    place.write("hides.erl", HIDES);
    let program = "hides.erl --entry hides:run/0 --log-dir logs";
    let files =
        "--html a.html --junit a.xml --svg a.svg --mermaid a.mmd --sarif a.sarif --dot a.dot";
    let mut outputs = Vec::new();
    for options in [
        format!("--keep-going --verbose --diagram {files}"),
        "--format json".into(),
        "--format github".into(),
    ] {
        let ran = place.expect(1, &format!("check {program} {options}"));
        outputs.push((format!("{options}, stdout"), ran.stdout));
        outputs.push((format!("{options}, stderr"), ran.stderr));
    }
    for word in files.split(' ').filter(|word| !word.starts_with("--")) {
        outputs.push((word.to_owned(), place.read(word)));
    }
    let logs = place.list("logs");
    assert_eq!(logs, ["hides.erl-crash-1.json"]);
    outputs.push(("log".into(), place.read("logs/hides.erl-crash-1.json")));
    let replay = "replay hides.erl logs/hides.erl-crash-1.json";
    outputs.push(("replay".into(), place.expect(1, replay).stdout));
    let line = format!("{replay} --format json");
    outputs.push((line.clone(), place.expect(1, &line).stdout));
    let line = "trace hides.erl --log logs/hides.erl-crash-1.json";
    outputs.push((line.into(), place.expect(0, line).stdout));
    for (output, text) in &outputs {
        let hidden = text.chars().filter(|c| INVISIBLE.contains(c)).count();
        assert_eq!(hidden, 0, "{output}:\n{text}");
    }
    // The message still has them, escaped.
    let report = place.check(1, program);
    let message = report["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("x{202E}"), "{message}");
}
