//! Checks as a library starts them: its voice, its replay lines, and what only it knows.

use mazurka_engine::{Delivery, Finding, Kind, Progress};
use mazurka_gallery::Built;
use mazurka_report::files::read_log;
use mazurka_report::{
    Along, CheckOptions, DriveFailure, Exit, Host, LogAt, OptionsError, Outcome, Params,
    Recurrence, Subject, Voice, drive, shell_word,
};
use mazurka_trace::Trace;
use std::collections::BTreeMap;
use std::time::Duration;

/// A host that knows something about every crash and assertion, and may have had enough.
#[derive(Default)]
struct Test {
    interrupted: bool,
}

impl Host for Test {
    fn replay_line(&self, subject: &Subject, _: &CheckOptions, log: LogAt<'_>) -> Option<String> {
        let log = match log {
            LogAt::Token(token) => token.to_owned(),
            LogAt::File(file) => shell_word(&file.file_name()?.to_string_lossy()),
        };
        Some(format!("MAZURKA_REPLAY={log} cargo test {}", subject.id))
    }

    fn details(&mut self, finding: &Finding, trace: &Trace) -> Option<String> {
        assert!(trace.event_count() > 0);
        (finding.kind <= Kind::Assertion).then(|| "panicked:\n\tat \u{1b}line 3\n".to_owned())
    }

    fn progress(&mut self, _: &Progress) {}

    fn interrupts(&self) -> fn() -> bool {
        match self.interrupted {
            true => || true,
            false => || false,
        }
    }
}

/// A program of the gallery.
fn gallery(name: &str, n: Option<&str>) -> Built {
    let program = mazurka_gallery::find(name).expect("it is there");
    let params = n.map(|n| ("n".to_owned(), n.to_owned()));
    let params: BTreeMap<_, _> = params.into_iter().collect();
    program.instantiate(&params).expect("it fits")
}

/// A program that is not explored before anybody looks.
fn large() -> Built {
    gallery("fan-in", Some("9"))
}

fn run(
    id: &str,
    program: Built,
    options: &CheckOptions,
    host: &mut Test,
) -> Result<Outcome, OptionsError> {
    match program {
        Built::Actors(actors) => mazurka_report::run(subject(id), actors, options, host),
        Built::Rust(program) => mazurka_report::run(subject(id), program, options, host),
    }
}

fn subject(id: &str) -> Subject {
    Subject {
        daemon_hint: "call\n`daemon()`.".to_owned(),
        ..Subject::new(id, Params::default())
    }
}

fn library() -> CheckOptions {
    CheckOptions {
        voice: Voice::Library,
        ..CheckOptions::default()
    }
}

fn check(name: &str, options: &CheckOptions) -> Outcome {
    let program = gallery(name, None);
    run("it_works", program, options, &mut Test::default()).expect("they fit")
}

/// The first lines of a report.
#[track_caller]
fn starts(outcome: &Outcome, expected: &[&str]) {
    let text = outcome.to_text();
    let lines: Vec<&str> = text.lines().take(expected.len()).collect();
    assert_eq!(lines, expected);
}

#[test]
fn settings_are_methods() {
    let options = CheckOptions {
        max_depth: 5,
        ..library()
    };
    starts(
        &check("fan-in", &options),
        &[
            "Stopped early by the depth bound (max_depth(5) or MAZURKA_MAX_DEPTH): nothing",
            "  wrong in 3 executions, but not all were explored.",
        ],
    );
    let options = CheckOptions {
        max_seconds: Some(Duration::from_nanos(1)),
        ..library()
    };
    let outcome = run("it", large(), &options, &mut Test::default());
    let outcome = outcome.expect("they fit");
    let bound = "Stopped early by the bound on time (max_seconds(1e-9) or MAZURKA_MAX_SECONDS):";
    let text = outcome.to_text();
    assert!(text.starts_with(bound), "{text}");
    assert_eq!(outcome.exit(), Exit::Stopped);
    starts(
        &check("philosophers", &library()),
        &["✗ Deadlock: 6 processes wait for each other in a circle"],
    );
    let text = check("selective", &library()).to_text();
    let makes = "  (error(Kind::Orphan) makes this kind an error, explained and with a log.)";
    assert!(text.contains(makes), "{text}");
}

#[test]
fn the_host_says_how_to_mark_a_daemon() {
    let program = mazurka::Program::new(|| async {
        mazurka::spawn(|| async {
            mazurka::receive::<u32>().await;
        });
    });
    let outcome = run(
        "it_works",
        Built::Rust(program),
        &library(),
        &mut Test::default(),
    );
    let text = outcome.expect("they fit").to_text();
    let hint =
        "If P.1 is a server that may wait for ever, mark it as a daemon: call\n  `daemon()`.\n";
    assert!(text.contains(hint), "{text}");
}

#[test]
fn interrupted() {
    let mut host = Test { interrupted: true };
    let outcome = run("it", large(), &library(), &mut host);
    let outcome = outcome.expect("they fit");
    assert_eq!(outcome.end.name(), "interrupted");
    assert_eq!(outcome.exit(), Exit::Stopped);
}

/// What is wrong with options.
#[track_caller]
fn refused(options: &CheckOptions, expected: &str) {
    let program = gallery("fan-in", None);
    let refused = run("it", program, options, &mut Test::default());
    assert_eq!(refused.unwrap_err().to_string(), expected);
}

#[test]
fn options_that_do_not_fit() {
    let options = CheckOptions {
        max_depth: 0,
        ..library()
    };
    refused(
        &options,
        "max_depth(0) leaves nothing to explore: give a number above 0, or leave it out",
    );
    let options = CheckOptions {
        preemption_bound: Some(1),
        ..library()
    };
    refused(
        &options,
        "preemption_bound(..) does not apply to algorithm(Algorithm::Optimal): leave it out, or \
         add algorithm(Algorithm::Interleavings)",
    );
}

#[test]
fn details_follow_the_story() {
    let logs = tempfile::tempdir().unwrap();
    let options = CheckOptions {
        log_dir: Some(logs.path().join("logs")),
        ..library()
    };
    let outcome = check("retry-timeout", &options);
    assert!(outcome.unwritten.is_none());
    let text = outcome.to_text();
    let end = "\n  panicked:\n      at \\u{1b}line 3\n  \
               A failed assertion in 1 of 2 executions; all were explored.\n  \
               Replay: MAZURKA_REPLAY=mz1:";
    assert!(text.contains(end), "{text}");
    assert!(text.contains(" cargo test it_works\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&outcome.to_json().unwrap()).unwrap();
    assert_eq!(
        json["errors"][0]["details"],
        "panicked:\n\tat \\u{1b}line 3\n"
    );
    assert_eq!(json["errors"][0]["log"]["program"], "it_works");
}

#[test]
fn an_error_comes_back() {
    let logs = tempfile::tempdir().unwrap();
    let options = CheckOptions {
        log_dir: Some(logs.path().to_owned()),
        delivery: vec![Delivery::Unordered],
        ..library()
    };
    let outcome = check("bank", &options);
    let file = outcome.found[0].file.clone().expect("it has a log");
    let log = read_log(&file).unwrap();
    let again = |id, program, strict| {
        let host = &mut Test::default();
        let along = Along {
            log: &log,
            file: Some(&file),
            strict,
        };
        let options = library().of_log(&log);
        match gallery(program, None) {
            Built::Actors(actors) => drive(subject(id), actors, along, &options, host),
            Built::Rust(program) => drive(subject(id), program, along, &options, host),
        }
    };
    let driven = again("it_works", "bank", false).unwrap();
    assert_eq!(driven.exit(), Exit::Bug);
    assert_eq!(driven.trace.delivery, Delivery::Unordered);
    let text = driven.to_text();
    assert!(
        text.starts_with("it_works under unordered delivery:\n\n"),
        "{text}"
    );
    assert!(
        text.ends_with("\n  panicked:\n      at \\u{1b}line 3\n"),
        "{text}"
    );
    // Of another program, or the same that has changed.
    let file = file.display().to_string();
    let other = again("another", "bank", false).unwrap_err().to_string();
    assert_eq!(
        other,
        format!(
            "{file}: this belongs to it_works, not to another: give that program, or another file"
        )
    );
    let changed = again("it_works", "fan-in", true).unwrap_err();
    assert!(matches!(changed, DriveFailure::Mismatch { .. }));
    let message = changed.to_string();
    assert!(
        message.starts_with(&format!("{file}: the log does not fit")),
        "{message}"
    );
    let changed = again("it_works", "fan-in", false).unwrap();
    assert!(!changed.departures.is_empty());
    assert_eq!(changed.recurrence(), Recurrence::Gone);
}

#[test]
fn a_program_that_cannot_be_run() {
    let options = CheckOptions {
        distrust: true,
        ..library()
    };
    let outcome = check("nondeterministic", &options);
    assert_eq!(outcome.exit(), Exit::Nondeterministic);
    let text = outcome.to_text();
    let start = "Cannot be run: it_works: not deterministic: process P.1 (sender) after its start\n  first sent 0 to P, but sent 1 to P";
    assert!(text.starts_with(start), "{text}");
}
