//! Rendezvous: every outcome, by every algorithm, in every delivery model; replay; and reports of
//! senders that wait for ever.

mod support;

use mazurka_engine::{Delivery, Kind, Options, SendersFirst, Settings, Timeouts, check, drive};
use mazurka_lab::oracle::Instruction::{Crash, HandOver, Kill, SkipIfOdd, Stop, TrapExit};
use mazurka_lab::oracle::{Instruction, Pattern, Script, Target, Term, brute};
use mazurka_lab::{Algorithm, SleepSets};
use mazurka_trace::Event;
use std::ops::ControlFlow;
use support::{
    ANY, CHILD, ME, PARENT, SIBLING, explored, family, found_by, receive, receive_after, send,
};

fn hand_over(to: Target, value: i64) -> Instruction {
    let value = Term::Constant(value);
    HandOver { to, value }
}

/// Every algorithm finds the `expected` number of traces in each of [`Delivery::ALL`], and the same
/// traces as brute force.
fn check_counts(script: &Script, expected: [usize; 4]) {
    for (delivery, expected) in Delivery::ALL.into_iter().zip(expected) {
        let all = brute(script, delivery, Timeouts::default(), 100_000).expect("a small program");
        assert_eq!(all.len(), expected, "brute force under {delivery}");
        for algorithm in Algorithm::ALL {
            let options = Options {
                delivery,
                ..Options::default()
            };
            let (found, executions) = found_by(script, algorithm.into(), &options);
            assert_eq!(found, all, "{algorithm} under {delivery}");
            let each_once = match algorithm.sleep_sets() {
                SleepSets::Always | SleepSets::Optional { .. } => true,
                SleepSets::Never => algorithm == Algorithm::Optimal,
            };
            if each_once {
                assert_eq!(executions, expected, "{algorithm} under {delivery}");
            }
        }
    }
}

/// Two children each hand over one message to the entry process, which receives both.
fn gather() -> Script {
    let child = [hand_over(PARENT, 1)];
    family(&[ANY, ANY], &[&child, &child])
}

#[test]
fn messages_of_two_senders_race() {
    check_counts(&gather(), [2; 4]);
}

#[test]
fn two_messages_of_one_sender_do_not_race() {
    // The second message is sent after the first was received, also under `unordered`.
    let child = [hand_over(PARENT, 1), hand_over(PARENT, 2)];
    check_counts(&family(&[ANY, ANY], &[&child]), [1; 4]);
    // If the sender does not wait for the first receive, they race under `unordered`.
    let child = [send(PARENT, 1), hand_over(PARENT, 2)];
    check_counts(&family(&[ANY, ANY], &[&child]), [2, 1, 1, 1]);
}

#[test]
fn what_the_sender_does_next_comes_after_the_receive() {
    // The second child sends to the entry process after its message to the first child was received,
    // and so after the entry process received the message of the first child.
    let first = [hand_over(PARENT, 1)];
    let second = [hand_over(SIBLING, 3), send(PARENT, 2)];
    let script = family(&[ANY, ANY], &[&[hand_over(PARENT, 1), ANY], &second]);
    check_counts(&script, [1; 4]);
    // Without the message to the first child, the two messages race.
    check_counts(&family(&[ANY, ANY], &[&first, &[send(PARENT, 2)]]), [2; 4]);
}

#[test]
fn a_message_that_is_never_received() {
    // To itself; and to a process that does not receive.
    check_counts(&family(&[hand_over(ME, 1)], &[]), [1; 4]);
    check_counts(&family(&[hand_over(CHILD, 1)], &[&[]]), [1; 4]);
}

#[test]
fn a_receive_with_a_timeout() {
    // It takes the message; or it times out, and the sender waits for ever.
    let script = family(
        &[receive_after(Pattern::Any, 10)],
        &[&[hand_over(PARENT, 1)]],
    );
    check_counts(&script, [2; 4]);
}

#[test]
fn a_waiting_sender_can_be_killed() {
    // It is killed before it sends, or while it waits. No process receives the message.
    check_counts(&family(&[Kill(CHILD)], &[&[hand_over(PARENT, 1)]]), [2; 4]);
    // The entry process receives and then kills. The sender gets the receipt, and is then killed before
    // its end or not. Under `unordered` the kill may also overtake the receipt.
    let script = family(&[ANY, Kill(CHILD)], &[&[hand_over(PARENT, 1)]]);
    check_counts(&script, [3, 2, 2, 2]);
}

#[test]
fn a_sender_continues_if_its_receiver_is_killed_after_the_receive() {
    // The child is killed before its receive, before its send, before its end, or not at all. If it has
    // received, the entry process continues.
    let child = [ANY, send(PARENT, 1)];
    let killer = [Kill(SIBLING)];
    let script = family(&[hand_over(CHILD, 5)], &[&child, &killer]);
    check_counts(&script, [4; 4]);
    let mut receives = 0;
    for trace in explored(&script) {
        let events = trace.events_of(&"P.1".into());
        let received = events.iter().any(|e| matches!(e, Event::Receive { .. }));
        let continued = trace
            .events_of(&"P".into())
            .iter()
            .any(|e| matches!(e, Event::Exit { .. }));
        assert_eq!(received, continued);
        receives += usize::from(received);
    }
    assert_eq!(receives, 3);
}

#[test]
fn only_a_kill_ends_a_sender_that_traps_exits() {
    let child = [TrapExit(true), hand_over(PARENT, 1)];
    // The signal ends it before it sets the flag. After that the signal is a message, and the sender
    // waits for ever.
    check_counts(&family(&[Stop(CHILD)], &[&child]), [2; 4]);
    // A kill ends it although the flag is set: before it sends, or while it waits.
    check_counts(&family(&[Kill(CHILD)], &[&child]), [2; 4]);
}

#[test]
fn a_trace_contains_the_send_the_receive_and_the_receipt() {
    let traces = explored(&gather());
    assert_eq!(traces.len(), 2);
    let shown = |pid: &str| -> Vec<String> {
        let events = traces[0].events_of(&pid.into()).iter();
        events.map(ToString::to_string).collect()
    };
    assert_eq!(
        shown("P"),
        [
            "spawn P.1",
            "spawn P.2",
            "receive P.1#0",
            "send P#0 to P.1",
            "receive P.2#0",
            "send P#1 to P.2",
            "exit normal",
        ]
    );
    assert_eq!(
        shown("P.1"),
        ["send P.1#0 to P", "receive P#0", "exit normal"]
    );
    let Event::Receive { constraint, .. } = &traces[0].events_of(&"P.1".into())[1] else {
        panic!("no receipt");
    };
    assert_eq!(constraint, "its message 1 to P to be received");
}

#[test]
fn logs_are_replayed_and_races_are_reversed() {
    let traces = explored(&gather());
    for trace in &traces {
        let driven = drive(gather(), &Options::default(), &trace.log(), None);
        assert_eq!(driven.unwrap_or_else(|e| panic!("{e}")).trace, *trace);
    }
    let causality = traces[0].check().expect("it is valid");
    let races = causality.races();
    assert_eq!(races.len(), 1);
    let other = races[0]
        .others
        .first()
        .expect("it could have taken another");
    let variant = causality.variant(&races[0].at, other).expect("a race");
    let driven = drive(gather(), &Options::default(), &variant.log(), None);
    let driven = driven.unwrap_or_else(|e| panic!("{e}")).trace;
    assert_eq!(driven, traces[1]);
}

#[test]
fn senders_that_wait_for_ever_are_reported() {
    let script = family(&[hand_over(CHILD, 7)], &[&[hand_over(PARENT, 8)]]);
    let go_on = |_: &_| ControlFlow::Continue(());
    let report = check(script, SendersFirst, &Settings::default(), go_on).expect("modelled");
    let found: Vec<_> = report
        .found
        .iter()
        .filter(|found| found.is_error)
        .map(|found| (found.finding.kind, found.finding.message.as_str()))
        .collect();
    let waits = "waits for ever for its message";
    assert_eq!(
        found,
        [
            (
                Kind::Deadlock,
                format!("{waits} 7 to P.1 to be received").as_str()
            ),
            (
                Kind::Stuck,
                format!("{waits} 8 to P to be received").as_str()
            ),
        ]
    );
}

#[test]
fn a_handed_over_message_is_received_like_any_other() {
    // The receive is selective, and the next instruction depends on the value.
    let script = family(
        &[receive(Pattern::Odd), SkipIfOdd(1), Crash, ANY],
        &[&[hand_over(PARENT, 2)], &[hand_over(PARENT, 3)]],
    );
    check_counts(&script, [1; 4]);
}
