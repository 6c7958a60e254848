//! Checks as test cases, in the XML of JUnit that build servers read.

use crate::outcome::Outcome;
use crate::text::{plain, process_with_role};
use crate::verdict::Verdict;
use crate::xml::{attribute, escape};
use std::fmt::Write;

/// One test case for each check, which passes only if the check does. A check that was stopped early
/// is skipped, since its result is unknown; one whose program could not continue is an error.
#[must_use]
pub fn junit(outcomes: &[Outcome]) -> String {
    let mut suites: Vec<(&str, Vec<&Outcome>)> = Vec::new();
    for outcome in outcomes {
        let id = outcome.subject.id.as_str();
        match suites.iter_mut().find(|(name, _)| *name == id) {
            Some((_, cases)) => cases.push(outcome),
            None => suites.push((id, vec![outcome])),
        }
    }
    let all: Vec<&Outcome> = outcomes.iter().collect();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites name=\"mazurka\"{}>", figures(&all));
    for (name, cases) in suites {
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\"{}>",
            attribute(name),
            figures(&cases)
        );
        cases.iter().for_each(|case| write_case(&mut xml, case));
        xml += "  </testsuite>\n";
    }
    xml + "</testsuites>\n"
}

fn figures(cases: &[&Outcome]) -> String {
    let number = |wanted: &[Verdict]| {
        let verdicts = cases.iter().map(|case| case.verdict());
        verdicts.filter(|verdict| wanted.contains(verdict)).count()
    };
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    format!(
        " tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{seconds:.6}\"",
        cases.len(),
        number(&[Verdict::Wrong, Verdict::Missing]),
        number(&[Verdict::Fault]),
        number(&[Verdict::Stopped])
    )
}

fn write_case(xml: &mut String, outcome: &Outcome) {
    let subject = &outcome.subject;
    let _ = writeln!(
        xml,
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6}\">",
        attribute(&subject.id),
        attribute(&name(outcome)),
        outcome.seconds
    );
    *xml += "      <properties>\n";
    let mut property = |name: &str, value: &str| {
        let (name, value) = (attribute(name), attribute(value));
        let _ = writeln!(xml, "        <property name=\"{name}\" value=\"{value}\"/>");
    };
    for (name, value) in subject.params.iter() {
        property(name, value);
    }
    property("delivery", outcome.options.model().name());
    property("timeouts", &outcome.options.timeouts.to_string());
    for premise in &outcome.premises {
        // A parameter of the program may state it already.
        if subject.params.get(premise.name).is_none() {
            property(premise.name, &premise.value);
        }
    }
    property("stopped", outcome.end.name());
    if let Some(progress) = &outcome.progress {
        property("executions", &progress.executions.to_string());
        property("cut_short", &progress.cut_short.to_string());
    }
    *xml += "      </properties>\n";
    let headline = outcome.headline();
    let body = || plain(|out| outcome.write_text(out));
    let (element, kind, message) = match outcome.verdict() {
        Verdict::Verified | Verdict::AsExpected => {
            let _ = writeln!(xml, "      <system-out>{}</system-out>", escape(&body()));
            *xml += "    </testcase>\n";
            return;
        }
        Verdict::Wrong => {
            let first = outcome.unexpected().next();
            let finding = first.map(|kept| &kept.found.finding);
            let kind = finding.map_or("error", |finding| finding.kind.name());
            let message = finding.map_or(headline, |finding| {
                let process = process_with_role(finding);
                let (kind, message) = (finding.kind, &finding.message);
                let more = match outcome.unexpected().count() {
                    0 | 1 => String::new(),
                    errors => format!(" (and {} more)", errors - 1),
                };
                format!("{kind} in process {process}: {message}{more}")
            });
            ("failure", kind, message)
        }
        Verdict::Missing => ("failure", "missing", headline),
        Verdict::Unreproducible => ("error", "unreproducible", headline),
        Verdict::Stopped => ("skipped", outcome.end.name(), headline),
        Verdict::Fault => ("error", outcome.end.name(), headline),
    };
    let message = attribute(&message);
    let _ = match element {
        // `skipped` has no type, and some readers do not accept a body.
        "skipped" => writeln!(
            xml,
            "      <skipped message=\"{message}\"/>\n      <system-out>{}</system-out>",
            escape(&body())
        ),
        _ => writeln!(
            xml,
            "      <{element} message=\"{message}\" type=\"{kind}\">{}</{element}>",
            escape(&body())
        ),
    };
    *xml += "    </testcase>\n";
}

/// The entry of a program that has several, or the program with its parameters.
fn name(outcome: &Outcome) -> String {
    match outcome.subject.params.get("entry") {
        Some(entry) => entry.to_owned(),
        None => outcome.subject.to_string(),
    }
}
