//! Choices that a process makes by itself: every outcome, by every algorithm, in every delivery
//! model, and along logs.

mod support;

use mazurka_engine::{
    Delivery, DriveError, Fault, Options, Progress, SendersFirst, Timeouts, drive,
};
use mazurka_lab::oracle::Instruction::{Choose, Kill, SkipIfOdd};
use mazurka_lab::oracle::{Instruction, Script, Target, Term, brute};
use mazurka_lab::{Algorithm, AlgorithmOptions, SleepSets, explore};
use mazurka_trace::{Event, Log, LogEntry};
use std::collections::BTreeSet;
use support::{ANY, CHILD, Collect, PARENT, explored, family, found_by, send};

/// Sends the last input: the outcome of the choice.
fn send_last_input(to: Target) -> Instruction {
    let value = Term::LastPlus(0);
    Instruction::Send { to, value }
}

/// Two processes that each choose one of three.
fn two_choices() -> Script {
    family(&[], &[&[Choose(3)], &[Choose(3)]])
}

/// Two children choose and send their outcomes to the entry process. The two messages race.
fn reported_choices() -> Script {
    let child = [Choose(2), send_last_input(PARENT)];
    family(&[ANY, ANY], &[&child, &child])
}

/// Every algorithm, with and without sleep sets, finds the `expected` number of traces, and the same
/// traces as brute force.
fn check_counts(script: &Script, expected: impl Fn(Delivery) -> usize) {
    for delivery in Delivery::ALL {
        let expected = expected(delivery);
        let all = brute(script, delivery, Timeouts::default(), 100_000).expect("a small program");
        assert_eq!(all.len(), expected, "brute force under {delivery}");
        for algorithm in Algorithm::ALL {
            for sleep_sets in [true, false] {
                let by = AlgorithmOptions {
                    sleep_sets,
                    ..algorithm.into()
                };
                let options = Options {
                    delivery,
                    ..Options::default()
                };
                let (found, executions) = found_by(script, by, &options);
                let how = format!("{algorithm} under {delivery}, sleep sets {sleep_sets}");
                assert_eq!(found, all, "{how}");
                let each_once = match algorithm.sleep_sets() {
                    SleepSets::Always => true,
                    SleepSets::Never => algorithm == Algorithm::Optimal,
                    SleepSets::Optional { .. } => sleep_sets,
                };
                if each_once {
                    assert_eq!(executions, expected, "{how}");
                }
            }
        }
    }
}

#[test]
fn two_processes_that_choose_one_of_three() {
    check_counts(&two_choices(), |_| 9);
}

#[test]
fn a_choice_of_one_has_one_outcome() {
    check_counts(&family(&[Choose(1)], &[&[Choose(1)]]), |_| 1);
}

#[test]
fn one_process_makes_several_choices() {
    check_counts(&family(&[Choose(2), Choose(3), Choose(2)], &[]), |_| 12);
}

#[test]
fn choices_that_are_sent_to_another_process() {
    // Two outcomes each, and two orders in which the messages are received.
    check_counts(&reported_choices(), |_| 8);
}

#[test]
fn a_choice_decides_what_races() {
    // A child that chooses 1 sends nothing. If both send there are 2 orders, in the 3 other cases 1.
    let child = [Choose(2), SkipIfOdd(1), send_last_input(PARENT)];
    check_counts(&family(&[ANY, ANY], &[&child, &child]), |_| 5);
}

#[test]
fn a_choice_after_a_race() {
    // 2 orders of the messages, 2 outcomes of the choice.
    let child = [send(PARENT, 1)];
    check_counts(&family(&[ANY, Choose(2), ANY], &[&child, &child]), |_| 4);
}

/// A choice is not visible to other processes, so there is no signal check before it.
#[test]
fn a_process_is_not_killed_before_a_choice() {
    let script = family(&[Kill(CHILD)], &[&[Choose(2)]]);
    // 2 outcomes; after each of them the process is killed or ends normally.
    check_counts(&script, |_| 4);
}

#[test]
fn choices_are_events_of_a_trace() {
    let traces = explored(&two_choices());
    let chosen: Vec<[u32; 2]> = traces
        .iter()
        .map(|trace| {
            ["P.1", "P.2"].map(|pid| match trace.events_of(&pid.into()) {
                [Event::Choose { of: 3, chosen }, Event::Exit { .. }] => *chosen,
                events => panic!("{pid} did {events:?}"),
            })
        })
        .collect();
    let all: BTreeSet<_> = chosen.iter().copied().collect();
    assert_eq!((chosen.len(), all.len()), (9, 9));
    // The canonical trace comes first.
    assert_eq!(chosen[0], [0, 0]);
    for trace in traces {
        assert!(trace.check().is_ok());
    }
}

fn log(pid: &str, entries: &[LogEntry]) -> Log {
    Log {
        processes: [(pid.into(), entries.to_vec())].into(),
        ..Log::default()
    }
}

#[test]
fn a_log_decides_choices() {
    for trace in explored(&reported_choices()) {
        let driven = drive(reported_choices(), &Options::default(), &trace.log(), None);
        assert_eq!(driven.expect("it fits").trace, trace);
    }
    // A choice that is not in the log has outcome 0.
    let partial = log("P.2", &[LogEntry::Choose { of: 3, chosen: 2 }]);
    let driven = drive(two_choices(), &Options::default(), &partial, None).expect("it fits");
    let chosen = |pid: &str| driven.trace.log().processes[pid].clone();
    assert_eq!(chosen("P.1"), [LogEntry::Choose { of: 3, chosen: 0 }]);
    assert_eq!(chosen("P.2"), [LogEntry::Choose { of: 3, chosen: 2 }]);
}

fn check_mismatch(pid: &str, entry: LogEntry, expected: &str) {
    let log = log(pid, &[entry]);
    let error = drive(reported_choices(), &Options::default(), &log, None).unwrap_err();
    let DriveError::Mismatch { .. } = error else {
        panic!("{error}")
    };
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_log_that_does_not_fit_a_choice() {
    check_mismatch(
        "P.1",
        LogEntry::Choose { of: 3, chosen: 1 },
        "the log does not fit the program: input 1 of process P.1 should be the choice of 1 of 3, \
         but it chooses one of 2",
    );
    check_mismatch(
        "P.1",
        LogEntry::Timeout,
        "the log does not fit the program: input 1 of process P.1 should be a timeout, but it \
         chooses one of 2",
    );
    check_mismatch(
        "P",
        LogEntry::Choose { of: 2, chosen: 0 },
        "the log does not fit the program: input 1 of process P should be the choice of 0 of 2, \
         but it waits for _",
    );
}

#[test]
fn a_choice_without_outcomes_is_a_fault() {
    let script = family(&[], &[&[Choose(0)]]);
    for algorithm in Algorithm::ALL {
        let result: Result<(_, Progress), Fault> = explore(
            script.clone(),
            SendersFirst,
            &algorithm.into(),
            &Options::default(),
            &mut Collect::default(),
        );
        let fault = result.unwrap_err().to_string();
        assert_eq!(
            fault,
            "not modelled: process P.1 chooses one of no ways to go on: give it one at least"
        );
    }
}

/// Choices of different processes are independent: the count is the product of their outcomes.
#[test]
fn many_processes_that_choose() {
    let chooser = [Choose(2)];
    let script = family(&[], &[&chooser[..]; 10]);
    assert_eq!(explored(&script).len(), 1 << 10);
}
