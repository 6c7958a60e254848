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

/// Sends the last input, which says what was chosen.
fn tell(to: Target) -> Instruction {
    let value = Term::LastPlus(0);
    Instruction::Send { to, value }
}

/// Two processes that each choose one of three.
fn two_choices() -> Script {
    family(&[], &[&[Choose(3)], &[Choose(3)]])
}

/// Two children choose and tell, and the entry process takes both: who comes first is a race.
fn told() -> Script {
    let child = [Choose(2), tell(PARENT)];
    family(&[ANY, ANY], &[&child, &child])
}

/// Every algorithm, with and without sleep sets, finds so many traces, which are those of brute
/// force.
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
fn a_choice_of_one_is_none() {
    check_counts(&family(&[Choose(1)], &[&[Choose(1)]]), |_| 1);
}

#[test]
fn choices_of_one_process_follow_each_other() {
    check_counts(&family(&[Choose(2), Choose(3), Choose(2)], &[]), |_| 12);
}

#[test]
fn a_choice_that_others_hear_of() {
    // Two outcomes each, and two orders in which they arrive.
    check_counts(&told(), |_| 8);
}

#[test]
fn a_choice_decides_what_races() {
    // Whoever chooses 1 says nothing: 2 orders if both speak, else nothing to order.
    let child = [Choose(2), SkipIfOdd(1), tell(PARENT)];
    check_counts(&family(&[ANY, ANY], &[&child, &child]), |_| 5);
}

#[test]
fn a_choice_after_a_race() {
    // The first message decides nothing but when it was taken: 2 orders, 2 outcomes between.
    let child = [send(PARENT, 1)];
    check_counts(&family(&[ANY, Choose(2), ANY], &[&child, &child]), |_| 4);
}

/// A process that may be killed chooses all the same: a choice is not an action that others
/// see, so no signal strikes before it.
#[test]
fn a_choice_of_one_that_is_killed() {
    let script = family(&[Kill(CHILD)], &[&[Choose(2)]]);
    // Either outcome; then it is killed before it ends, or not.
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
    // The canonical one comes first.
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
fn a_log_says_what_is_chosen() {
    for trace in explored(&told()) {
        let driven = drive(told(), &Options::default(), &trace.log(), None).expect("it fits");
        assert_eq!(driven.trace, trace);
    }
    // Where it says nothing, the first way is taken.
    let partial = log("P.2", &[LogEntry::Choose { of: 3, chosen: 2 }]);
    let driven = drive(two_choices(), &Options::default(), &partial, None).expect("it fits");
    let chosen = |pid: &str| driven.trace.log().processes[pid].clone();
    assert_eq!(chosen("P.1"), [LogEntry::Choose { of: 3, chosen: 0 }]);
    assert_eq!(chosen("P.2"), [LogEntry::Choose { of: 3, chosen: 2 }]);
}

fn check_mismatch(pid: &str, entry: LogEntry, expected: &str) {
    let error = drive(told(), &Options::default(), &log(pid, &[entry]), None).unwrap_err();
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
fn nothing_to_choose_from_is_a_fault() {
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

/// Without sends there is nothing to re-read, whatever the order of choices.
#[test]
fn many_choosers() {
    let chooser = [Choose(2)];
    let script = family(&[], &[&chooser[..]; 10]);
    assert_eq!(explored(&script).len(), 1 << 10);
}
