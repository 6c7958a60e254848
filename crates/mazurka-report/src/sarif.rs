//! Findings in SARIF 2.1.0, which code scanning and editors read.

use crate::location::{Location, without_place};
use crate::outcome::{End, Kept, Outcome};
use crate::text::{
    EVENTS_MAX, Sequence, in_order, placed, process_with_role, visible, visible_lines,
};
use mazurka_engine::Kind;
use mazurka_trace::At;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The maximum number of steps of one execution; of longer ones, the last steps are kept.
const STEPS_MAX: usize = 1_000;
const TEXT_WIDTH: usize = 200;

/// All errors and warnings of these checks, each with what every process did in the shortest
/// execution that has it.
#[must_use]
pub fn sarif(outcomes: &[Outcome]) -> String {
    let results: Vec<Value> = outcomes
        .iter()
        .flat_map(|outcome| outcome.found.iter().map(|kept| result(outcome, kept)))
        .collect();
    let invocations: Vec<Value> = outcomes.iter().map(invocation).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Mazurka",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": Kind::ALL.map(rule),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": invocations,
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn rule(kind: Kind) -> Value {
    let (short, full) = match kind {
        Kind::Crash => (
            "A process crashes",
            "A process ends by a failure that it does not catch.",
        ),
        Kind::Assertion => (
            "An assertion fails",
            "A process ends by a failed assertion.",
        ),
        Kind::Deadlock => (
            "Deadlock",
            "At the end of an execution the process that the program begins with still waits.",
        ),
        Kind::Stuck => (
            "A process is stuck",
            "At the end of an execution a process still waits, and is not marked as one that may.",
        ),
        Kind::Orphan => (
            "Orphan message",
            "A message is never received: its receiver still waits, or ended without receiving it.",
        ),
        Kind::DeadLetter => (
            "Dead letter",
            "A message is sent to a process that had ended.",
        ),
        Kind::DepthBound => (
            "Cut short",
            "An execution is longer, or has more processes, than the bounds allow.",
        ),
    };
    json!({
        "id": kind.name(),
        "name": format!("{kind:?}"),
        "shortDescription": { "text": short },
        "fullDescription": { "text": full },
        "defaultConfiguration": { "level": if kind.is_error() { "error" } else { "warning" } },
    })
}

fn invocation(outcome: &Outcome) -> Value {
    let mut invocation = json!({
        "executionSuccessful": !matches!(outcome.end, End::Fault(_)),
        "exitCode": outcome.exit() as u8,
        "properties": {
            "program": visible(&outcome.subject.to_string()),
            "stopped": outcome.end.name(),
            "complete": outcome.end == End::Complete,
            "executions": outcome.progress.map(|progress| progress.executions),
        },
    });
    if outcome.end != End::Complete && outcome.end != End::FirstError {
        let (level, text) = match &outcome.end {
            End::Fault(fault) if outcome.fault().is_none() => ("error", fault.to_string()),
            End::Fault(_) => ("error", outcome.headline()),
            _ => ("note", outcome.headline()),
        };
        invocation["toolExecutionNotifications"] =
            json!([{ "level": level, "message": { "text": text } }]);
    }
    invocation
}

fn result(outcome: &Outcome, kept: &Kept) -> Value {
    let finding = &kept.found.finding;
    let kind = finding.kind;
    let subject = &outcome.subject;
    let process = process_with_role(finding);
    let location = Location::of_finding(subject, &kept.found.trace, finding);
    let mut place = json!({
        "logicalLocations": [{ "name": visible(&finding.process), "kind": "process" }],
    });
    if let Some(location) = &location {
        place["physicalLocation"] = physical(location);
    }
    let level = match kept.found.is_error {
        true if outcome.options.expect.contains(&kind) => "note",
        true => "error",
        false => "warning",
    };
    let mut text = format!(
        "{kind} in process {process} of {subject}: {}",
        finding.message
    );
    if let Some(replay) = &kept.replay {
        text += &format!("\nReplay: {replay}");
    }
    let identity = [
        &subject.to_string(),
        kind.name(),
        &finding.process,
        without_place(&finding.message),
    ];
    let mut result = json!({
        "ruleId": kind.name(),
        "ruleIndex": Kind::ALL.iter().position(|&other| other == kind),
        "level": level,
        "message": { "text": visible_lines(&text) },
        "locations": [place],
        "occurrenceCount": kept.found.count,
        "partialFingerprints": { "mazurkaFinding/v1": fingerprint(&identity) },
    });
    let flows = thread_flows(outcome, kept);
    if !flows.is_empty() {
        result["codeFlows"] = json!([{
            "message": { "text": "The shortest execution found that has it" },
            "threadFlows": flows,
        }]);
    }
    result
}

/// One thread flow for each process that has events.
fn thread_flows(outcome: &Outcome, kept: &Kept) -> Vec<Value> {
    let trace = &*kept.found.trace;
    if trace.event_count() > EVENTS_MAX {
        return Vec::new();
    }
    let Ok(causality) = trace.check() else {
        return Vec::new();
    };
    let order: Vec<At> = match &kept.diagnosis {
        Some(diagnosis) => diagnosis.order.clone(),
        None => placed(&in_order(&causality)).map(|(at, _)| at).collect(),
    };
    let sequence = Sequence::new(trace, TEXT_WIDTH);
    let shown: Vec<&At> = order
        .iter()
        .filter(|at| {
            trace
                .event(at)
                .is_some_and(|event| sequence.is_shown(at, event))
        })
        .collect();
    let parting = kept
        .diagnosis
        .as_ref()
        .and_then(|diagnosis| diagnosis.parting.as_ref());
    let left_out = shown.len().saturating_sub(STEPS_MAX);
    let mut flows: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (step, at) in shown.iter().enumerate().skip(left_out) {
        let Some(event) = trace.event(at) else {
            continue;
        };
        let mut location = json!({ "message": { "text": sequence.described(event, TEXT_WIDTH) } });
        let place = trace.place(at);
        if let Some(place) = place.and_then(|place| Location::new(&outcome.subject, place)) {
            location["physicalLocation"] = physical(&place);
        }
        let is_last = at.pid.as_str() == kept.found.finding.process
            && at.index + 1 == trace.events_of(&at.pid).len();
        let is_parting = parting.is_some_and(|parting| parting.at == **at);
        let importance = match is_last || is_parting {
            true => "essential",
            false => "important",
        };
        flows.entry(at.pid.as_str()).or_default().push(json!({
            "location": location,
            "executionOrder": step + 1,
            "importance": importance,
        }));
    }
    let flow = |(process, locations): (&str, Vec<Value>)| {
        json!({
            "id": process,
            "message": { "text": format!("process {process}") },
            "locations": locations,
        })
    };
    flows.into_iter().map(flow).collect()
}

fn physical(location: &Location) -> Value {
    let mut artifact = json!({ "uri": uri(&location.file) });
    if !location.file.starts_with('/') {
        artifact["uriBaseId"] = json!("%SRCROOT%");
    }
    let mut region = json!({ "startLine": location.line });
    if let Some(column) = location.column {
        region["startColumn"] = json!(column.max(1));
    }
    json!({ "artifactLocation": artifact, "region": region })
}

/// A path as a URI: relative, or of a file.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}

/// A hash that is the same in every version and on every machine: FNV-1a.
fn fingerprint(parts: &[&str]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris() {
        assert_eq!(uri("src/a b.erl"), "src/a%20b.erl");
        assert_eq!(uri("/src/ä:1.erl"), "file:///src/%C3%A4%3A1.erl");
    }

    #[test]
    fn fingerprints_stay() {
        assert_eq!(fingerprint(&["a", "b"]), fingerprint(&["a", "b"]));
        assert_ne!(fingerprint(&["a", "b"]), fingerprint(&["ab", ""]));
        // FNV-1a of nothing is its offset.
        assert_eq!(fingerprint(&[]), "cbf29ce484222325");
    }
}
