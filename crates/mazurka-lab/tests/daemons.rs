//! Daemons with timers: when an execution is over. Brute force and every algorithm find the same numbers
//! of traces, in every delivery model.

mod support;

use mazurka_engine::{
    Delivery, Kind, Options, Progress, Report, SendersFirst, Settings, Stopped, StoppedDaemon,
    Timeouts, check, drive,
};
use mazurka_lab::Algorithm;
use mazurka_lab::oracle::Instruction::{AgainAfterTimeout, Daemon};
use mazurka_lab::oracle::{CanonicalTrace, Instruction, Pattern, Script, Target};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use support::{
    ANY, CHILD, PARENT, all_traces, explored, family, receive, receive_after, send, traces_by,
};

/// Number of consecutive timeouts of daemons that another process may wait for.
const IN_A_ROW: usize = 5;

fn sleep(timeout_ms: u64) -> Instruction {
    // No process sends this.
    receive_after(Pattern::Equals(99), timeout_ms)
}

/// A daemon that sends a number to its parent at every tick, for ever.
fn ticker(timeout_ms: u64) -> [Instruction; 4] {
    let tick = [sleep(timeout_ms), send(PARENT, 1)];
    [Daemon, tick[0], tick[1], AgainAfterTimeout(1)]
}

/// All traces under the default setting: the same by brute force and by every algorithm.
fn traces(script: &Script, delivery: Delivery) -> BTreeSet<CanonicalTrace> {
    let traces = all_traces(script, delivery, Timeouts::default());
    for algorithm in Algorithm::ALL {
        let options = Options {
            delivery,
            ..Options::default()
        };
        assert_eq!(
            traces_by(script, algorithm, &options),
            traces,
            "{algorithm}"
        );
    }
    traces
}

/// The number of traces, which must be the same in every delivery model.
fn count(script: &Script) -> usize {
    let counts = Delivery::ALL.map(|delivery| traces(script, delivery).len());
    assert_eq!(counts, [counts[0]; 4], "{script:?}");
    counts[0]
}

/// The inputs of a process in the only execution.
fn only(script: &Script, process: &str) -> Vec<String> {
    assert_eq!(count(script), 1, "{script:?}");
    let all = traces(script, Delivery::P2p);
    all.first().expect("there is one")[process].clone()
}

fn ticks(number: usize) -> Vec<String> {
    vec!["timeout".to_owned(); number]
}

fn run(script: &Script) -> Report {
    let settings = Settings {
        keep_going: true,
        ..Settings::default()
    };
    let go_on = |_: &Progress| ControlFlow::Continue(());
    check(script.clone(), SendersFirst, &settings, go_on).expect("all is modelled")
}

fn kinds(report: &Report) -> Vec<(Kind, &str)> {
    let findings = report.found.iter().map(|found| &found.finding);
    findings.map(|f| (f.kind, f.message.as_str())).collect()
}

/// The one daemon that was stopped.
fn stopped(process: &str, role: &str) -> [StoppedDaemon; 1] {
    [StoppedDaemon {
        process: process.into(),
        role: Some(role.into()),
        waits_for: "99".into(),
        place: None,
    }]
}

#[test]
fn when_the_others_have_ended_no_long_timer_of_a_daemon_fires() {
    let script = family(&[], &[&ticker(1000)]);
    assert_eq!(only(&script, "P.1"), ticks(0));
    let report = run(&script);
    assert_eq!(report.stopped, Stopped::Complete);
    assert_eq!(report.progress.executions, 1);
    assert_eq!(kinds(&report), []);
    assert_eq!(report.stopped_daemons, stopped("P.1", "role 1"));
    // If it is not marked as a daemon, it sleeps for ever.
    let unmarked = family(&[], &[&[sleep(1000), AgainAfterTimeout(0)]]);
    let report = run(&unmarked);
    assert_eq!(report.stopped, Stopped::Complete);
    assert_eq!(kinds(&report), [(Kind::Stuck, "polls for ever for 99")]);
    assert_eq!(report.stopped_daemons, []);
}

/// A short timer fires once at any time, and races with other processes. After that it fires only when
/// nothing else can happen.
#[test]
fn the_first_short_tick_races_and_the_next_ones_wait() {
    let script = family(&[], &[&ticker(100)]);
    assert_eq!(only(&script, "P.1"), ticks(1));
    // The entry process takes the tick before or after each of the other messages.
    for others in 1..4 {
        let other = [send(PARENT, 2)];
        let mut children = vec![&other[..]; others];
        let daemon = ticker(100);
        children.push(&daemon);
        let script = family(&vec![ANY; others + 1], &children);
        // The other messages come in any order as well.
        let orders: usize = (1..=others + 1).product();
        for delivery in Delivery::ALL {
            let found = all_traces(&script, delivery, Timeouts::default());
            assert_eq!(found.len(), orders, "{delivery}");
        }
    }
}

#[test]
fn time_passes_while_another_process_waits_with_a_timeout() {
    for (timeout_ms, expected) in [(1000, 1), (1001, 1), (3000, 3), (3500, 3)] {
        let script = family(&[sleep(timeout_ms)], &[&ticker(1000)]);
        assert_eq!(only(&script, "P.1"), ticks(expected), "{timeout_ms}");
        assert_eq!(run(&script).stopped_daemons, stopped("P.1", "role 1"));
    }
    // After its first tick a short timer ticks as well: at any time, at 100, …, 900.
    let script = family(&[sleep(1000)], &[&ticker(100)]);
    assert_eq!(only(&script, "P.1").len(), 11);
}

/// A daemon that works for another process must be able to finish. A daemon that only ticks must be
/// stopped.
#[test]
fn a_process_may_wait_for_a_few_ticks_of_daemons() {
    let waits = family(&[receive(Pattern::Equals(7))], &[&ticker(1000)]);
    assert_eq!(only(&waits, "P.1"), ticks(IN_A_ROW));
    let report = run(&waits);
    let deadlock = "waits for 7; only timers of daemons were left";
    let orphan = "1 from P.1 was never received";
    assert_eq!(
        kinds(&report),
        [(Kind::Deadlock, deadlock), (Kind::Orphan, orphan)]
    );
    assert_eq!(report.stopped_daemons, stopped("P.1", "role 1"));
    let waits = family(&[receive(Pattern::Equals(7))], &[&ticker(100)]);
    assert_eq!(only(&waits, "P.1"), ticks(IN_A_ROW));
}

#[test]
fn a_slow_server_answers_every_request() {
    let server = |naps: usize, nap_ms| {
        let mut server = vec![Daemon, ANY];
        server.extend(vec![sleep(nap_ms); naps]);
        server.extend([send(PARENT, 2), AgainAfterTimeout(1)]);
        server
    };
    let calls: Vec<_> = (0..7).flat_map(|_| [send(CHILD, 1), ANY]).collect();
    for nap_ms in [100, 2000] {
        for naps in 1..=IN_A_ROW {
            let script = family(&calls, &[&server(naps, nap_ms)]);
            assert_eq!(only(&script, "P.1").len(), 7 * (naps + 1));
            let report = run(&script);
            assert_eq!(kinds(&report), [], "{naps} naps of {nap_ms} ms");
            assert_eq!(report.stopped_daemons, []);
        }
        // With more consecutive timeouts than that, the report gives the reason.
        let report = run(&family(&calls, &[&server(IN_A_ROW + 1, nap_ms)]));
        let deadlock = "waits for _; only timers of daemons were left";
        assert_eq!(kinds(&report), [(Kind::Deadlock, deadlock)]);
        assert_eq!(report.stopped_daemons, stopped("P.1", "role 1"));
    }
}

/// Two daemons that send to each other after each timeout: consecutive timeouts are counted across
/// messages.
#[test]
fn daemons_that_answer_each_other_do_not_go_on_for_ever() {
    for timeout_ms in [100, 1000] {
        let pause = sleep(timeout_ms);
        let first = [
            support::spawn(2),
            Daemon,
            pause,
            send(Target::Known(2), 1),
            ANY,
            pause,
            AgainAfterTimeout(3),
        ];
        let second = [Daemon, ANY, pause, send(PARENT, 1), AgainAfterTimeout(1)];
        let mut script = family(&[receive(Pattern::Equals(7))], &[&first]);
        script.roles.push(second.to_vec());
        // Five timeouts: P.1, P.1.1, P.1, P.1.1, P.1. Then P.1.1 receives a message and is stopped.
        let messages = |tags: &[&str]| -> Vec<String> {
            let show = |tag: &&str| match tag.is_empty() {
                true => "timeout".to_owned(),
                false => format!("message {tag}"),
            };
            tags.iter().map(show).collect()
        };
        let of_first = messages(&["", "P.1.1#0", "", "P.1.1#1", ""]);
        let of_second = messages(&["P.1#0", "", "P.1#1", "", "P.1#2"]);
        assert_eq!(only(&script, "P.1"), of_first);
        assert_eq!(only(&script, "P.1.1"), of_second);
        let report = run(&script);
        assert_eq!(report.stopped, Stopped::Complete);
        assert_eq!(report.errors().count(), 1);
        assert_eq!(report.stopped_daemons, stopped("P.1.1", "role 2"));
    }
}

/// A poll of a daemon may find nothing at any time, also after timeouts of the daemon.
#[test]
fn a_poll_is_not_a_timer() {
    let poll = receive_after(Pattern::Equals(98), 0);
    let server = [Daemon, poll, poll, ANY, poll, poll, send(PARENT, 1)];
    let script = family(&[send(CHILD, 2), ANY], &[&server]);
    assert_eq!(only(&script, "P").len(), 1);
    assert_eq!(kinds(&run(&script)), []);
}

#[test]
fn every_execution_is_driven_by_its_log() {
    let other = [send(PARENT, 2)];
    for script in [
        family(&[ANY, ANY], &[&ticker(100), &other]),
        family(&[ANY, ANY, sleep(2500)], &[&ticker(1000), &other]),
        family(
            &[receive(Pattern::Equals(7))],
            &[&ticker(1000), &ticker(100)],
        ),
    ] {
        for trace in explored(&script) {
            let log = trace.log();
            let driven = drive(script.clone(), &Options::default(), &log, None).expect("it fits");
            assert_eq!(driven.trace, trace);
        }
    }
}
