//! Driving a program along a full log, a partial log, an empty log, and logs that do not fit.

mod support;

use mazurka_engine::{Driven, Options, drive, drive_as_far_as_it_fits};
use mazurka_lab::oracle::Instruction::{Get, Kill, Put};
use mazurka_lab::oracle::{Pattern, Script, Term};
use mazurka_trace::{Log, LogEntry, Trace};
use std::collections::HashSet;
use support::{ANY, CHILD, PARENT, explored, family, receive, receive_after, send};

/// Three children send one message each, and the entry process receives all of them: 6 traces.
fn gather() -> Script {
    let child = [send(PARENT, 1)];
    family(&[ANY; 3], &[&child, &child, &child])
}

fn log(processes: &[(&str, &[LogEntry])]) -> Log {
    let of = |&(pid, entries): &(&str, &[LogEntry])| (pid.into(), entries.to_vec());
    Log {
        processes: processes.iter().map(of).collect(),
        ..Log::default()
    }
}

fn message(tag: &str) -> LogEntry {
    LogEntry::Receive(tag.into())
}

fn follow(script: &Script, log: &Log) -> Driven {
    match drive(script.clone(), &Options::default(), log, None) {
        Ok(driven) => driven,
        Err(error) => panic!("{error}"),
    }
}

/// The inputs of the entry process.
fn inputs(trace: &Trace) -> Vec<LogEntry> {
    trace.log().processes["P"].clone()
}

#[test]
fn an_empty_log_runs_the_program_freely() {
    let driven = follow(&gather(), &Log::default());
    let by_sender = ["P.1#0", "P.2#0", "P.3#0"].map(message);
    assert_eq!(inputs(&driven.trace), by_sender);
    assert!(driven.findings.is_empty());
}

#[test]
fn a_full_log_replays_its_trace() {
    let traces = explored(&gather());
    assert_eq!(traces.len(), 6);
    for trace in traces {
        assert_eq!(follow(&gather(), &trace.log()).trace, trace);
    }
}

#[test]
fn a_partial_log_decides_the_first_inputs() {
    for (logged, expected) in [
        (&["P.2#0"][..], ["P.2#0", "P.1#0", "P.3#0"]),
        (&["P.3#0"], ["P.3#0", "P.1#0", "P.2#0"]),
        (&["P.3#0", "P.2#0"], ["P.3#0", "P.2#0", "P.1#0"]),
    ] {
        let logged: Vec<_> = logged.iter().map(|tag| message(tag)).collect();
        let driven = follow(&gather(), &log(&[("P", &logged)]));
        assert_eq!(inputs(&driven.trace), expected.map(message));
    }
}

/// A process without a log runs only when no process with a log can. So the child receives the message
/// that the entry process sends after its logged timeout.
#[test]
fn processes_with_a_log_run_first() {
    let script = family(
        &[receive_after(Pattern::Any, 5000), send(CHILD, 5)],
        &[&[receive_after(Pattern::Any, 10)]],
    );
    let driven = follow(&script, &log(&[("P", &[LogEntry::Timeout])]));
    let child = &driven.trace.log().processes["P.1"];
    assert_eq!(*child, [message("P#0")]);
}

/// The full message is "the log does not fit the program: input {rest}".
fn check_mismatch(script: &Script, processes: &[(&str, &[LogEntry])], rest: &str) {
    match drive(script.clone(), &Options::default(), &log(processes), None) {
        Ok(driven) => panic!("it fits: {}", driven.trace.to_json()),
        Err(error) => assert_eq!(
            error.to_string(),
            format!("the log does not fit the program: input {rest}")
        ),
    }
}

#[test]
fn a_log_of_another_program_does_not_fit() {
    check_mismatch(
        &gather(),
        &[("P.9", &[message("P#0")])],
        "1 of process P.9 should be message P#0, but there is no such process",
    );
    check_mismatch(
        &gather(),
        &[("P.1", &[message("P#0")])],
        "1 of process P.1 should be message P#0, but it ended there (normal)",
    );
    let too_long = ["P.1#0", "P.2#0", "P.3#0", "P.1#1"].map(message);
    check_mismatch(
        &gather(),
        &[("P", &too_long)],
        "4 of process P should be message P.1#1, but it ended there (normal)",
    );
}

#[test]
fn a_message_that_cannot_be_received_does_not_fit() {
    check_mismatch(
        &gather(),
        &[("P", &[message("P.1#1")])],
        "1 of process P should be message P.1#1, but it waits for _, \
         and message P.1#1 was never sent to it",
    );
    check_mismatch(
        &gather(),
        &[("P", &[message("P.2#0"), message("P.2#0")])],
        "2 of process P should be message P.2#0, but it waits for _, \
         and message P.2#0 had already been consumed",
    );
    // The message does not match; or, by the delivery model, another one comes first.
    let two = [send(PARENT, 1), send(PARENT, 2)];
    check_mismatch(
        &family(&[receive(Pattern::Equals(2))], &[&two]),
        &[("P", &[message("P.1#0")])],
        "1 of process P should be message P.1#0, but it waits for 2, \
         and message P.1#0 cannot be consumed there",
    );
    check_mismatch(
        &family(&[ANY, ANY], &[&two]),
        &[("P", &[message("P.1#1")])],
        "1 of process P should be message P.1#1, but it waits for _, \
         and message P.1#1 cannot be consumed there",
    );
}

#[test]
fn another_kind_of_input_does_not_fit() {
    let killed = LogEntry::Killed {
        tag: "P.1#0".into(),
        after: 2,
    };
    let version = |version| LogEntry::Read {
        object: "table(0)[7]".into(),
        version,
    };
    let reader = family(&[Get { key: 7 }], &[]);
    let cases: [(&Script, LogEntry, &str); 5] = [
        (
            &gather(),
            LogEntry::Timeout,
            "1 of process P should be a timeout, but it waits for _",
        ),
        (
            &gather(),
            killed,
            "1 of process P should be the exit signal P.1#0 after 2 actions, \
             but it waits for _, and message P.1#0 cannot be consumed there",
        ),
        (
            &gather(),
            version(0),
            "1 of process P should be version 0 of table(0)[7], but it waits for _",
        ),
        (
            &reader,
            version(1),
            "1 of process P should be version 1 of table(0)[7], but it reads table(0)[7]",
        ),
        (
            &reader,
            message("P.1#0"),
            "1 of process P should be message P.1#0, but it reads table(0)[7], \
             and message P.1#0 was never sent to it",
        ),
    ];
    for (script, entry, rest) in cases {
        check_mismatch(script, &[("P", &[entry])], rest);
    }
}

/// The child sends two messages. It may be killed before each of them, or before its end, or not at all;
/// the log decides which.
#[test]
fn a_log_decides_where_a_signal_ends_a_process() {
    let script = family(&[Kill(CHILD)], &[&[send(PARENT, 1), send(PARENT, 2)]]);
    for after in 0..=2 {
        let tag = "P#0".into();
        let driven = follow(
            &script,
            &log(&[("P.1", &[LogEntry::Killed { tag, after }])]),
        );
        let sends = driven.trace.events_of(&"P.1".into()).len() - 2; // without `killed` and `exit`
        assert_eq!(sends, after as usize);
    }
    let tag = "P#0".into();
    check_mismatch(
        &script,
        &[("P.1", &[LogEntry::Killed { tag, after: 3 }])],
        "1 of process P.1 should be the exit signal P#0 after 3 actions, \
         but it ended there (normal)",
    );
}

#[test]
fn a_seed_is_repeatable() {
    let random = |seed: u64| {
        let options = Options::default();
        let driven = drive(gather(), &options, &Log::default(), Some(seed));
        driven.expect("an empty log fits").trace
    };
    let mut seen = HashSet::new();
    for seed in 0..100 {
        assert_eq!(random(seed), random(seed), "seed {seed}");
        seen.insert(random(seed));
    }
    assert_eq!(seen.len(), 6);
}

/// A seed decides only what the log does not.
#[test]
fn a_seed_does_not_override_a_log() {
    let logged = log(&[("P", &[message("P.2#0")])]);
    let mut seen = HashSet::new();
    for seed in 0..50 {
        let driven = drive(gather(), &Options::default(), &logged, Some(seed));
        let trace = driven.expect("the log fits").trace;
        assert_eq!(inputs(&trace)[0], message("P.2#0"));
        seen.insert(trace);
    }
    assert_eq!(seen.len(), 2);
}

/// An execution of three steps is complete under a depth bound of three, as in exploration.
#[test]
fn a_depth_bound_equal_to_the_length_cuts_nothing_short() {
    let options = Options {
        max_depth: Some(3),
        ..Options::default()
    };
    let script = family(&[ANY], &[&[send(PARENT, 1)]]);
    let driven = drive(script, &options, &Log::default(), None).expect("an empty log fits");
    assert_eq!(driven.findings, []);
}

/// The first input is the answer of the table, not a timeout.
#[test]
fn an_answer_is_not_a_timeout() {
    let value = Term::Constant(1);
    let script = family(&[Put { key: 7, value }], &[]);
    check_mismatch(
        &script,
        &[("P", &[LogEntry::Timeout])],
        "1 of process P should be a timeout, but it waits for an answer",
    );
}

/// Entries that do not fit are skipped, and the rest is followed.
#[test]
fn a_log_is_followed_as_far_as_it_fits() {
    let follow = |processes: &[(&str, &[LogEntry])]| {
        drive_as_far_as_it_fits(gather(), &Options::default(), &log(processes), None).unwrap()
    };
    let whole = ["P.3#0", "P.2#0", "P.1#0"].map(message);
    let driven = follow(&[("P", &whole)]);
    assert_eq!(driven.departures, []);
    assert_eq!(driven.trace.log().processes["P"], whole);

    let wrong = ["P.3#0", "P.7#0", "P.1#0"].map(message);
    let driven = follow(&[("P", &wrong)]);
    let inputs = &driven.trace.log().processes["P"];
    assert_eq!((&inputs[0], inputs.len()), (&wrong[0], 3));
    let [departure] = &driven.departures[..] else {
        panic!("{:?}", driven.departures)
    };
    assert_eq!((departure.position, departure.logged), (2, 3));
    assert!(departure.exists);
    assert!(
        departure
            .to_string()
            .starts_with("input 2 of process P should be message P.7#0, but it"),
        "{departure}"
    );

    // P waits for P.1, which has log entries left: so P.1 departs first.
    let driven = follow(&[
        ("P", &[message("P.1#5")]),
        ("P.1", &[LogEntry::Timeout]),
        ("P.9", &[LogEntry::Timeout]),
    ]);
    let departed = driven.departures.iter();
    let departed: Vec<_> = departed
        .map(|one| (one.process.as_str(), one.exists))
        .collect();
    assert_eq!(departed, [("P.1", true), ("P", true), ("P.9", false)]);
}
