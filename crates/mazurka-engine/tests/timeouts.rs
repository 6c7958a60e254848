//! When timeouts fire, counted. Every count is also that of brute force.

mod support;

use mazurka_engine::oracle::{Instruction, Pattern, Script};
use mazurka_engine::{Delivery, Kind, SendersFirst, Settings, Timeouts, check};
use std::ops::ControlFlow;
use support::{ANY, CHILD, ME, PARENT, SIBLING, all_traces, family, receive, receive_after, send};

const DEFAULT: Timeouts = Timeouts::Below(1000);
const SETTINGS: [Timeouts; 4] = [
    DEFAULT,
    Timeouts::AnyTime,
    Timeouts::WhenQuiet,
    Timeouts::Never,
];

/// How many traces there are under each of [`SETTINGS`].
fn counts(script: &Script, delivery: Delivery) -> [usize; 4] {
    SETTINGS.map(|timeouts| all_traces(script, delivery, timeouts).len())
}

/// A receive that waits so long for the message of another process.
fn awaits(timeout_ms: u64) -> Script {
    family(
        &[receive_after(Pattern::Any, timeout_ms)],
        &[&[send(PARENT, 1)]],
    )
}

/// The message, and the timeout if it may fire while the message can still come: then 2.
#[test]
fn each_setting_says_which_timeouts_fire_at_any_time() {
    for delivery in Delivery::ALL {
        assert_eq!(counts(&awaits(10), delivery), [2, 2, 1, 1]);
        assert_eq!(counts(&awaits(5000), delivery), [1, 2, 1, 1]);
        // A poll may always find nothing.
        assert_eq!(counts(&awaits(0), delivery), [2, 2, 2, 2]);
    }
}

#[test]
fn the_limit_itself_is_a_long_timeout() {
    let count = |timeout_ms, limit| {
        let timeouts = Timeouts::Below(limit);
        all_traces(&awaits(timeout_ms), Delivery::P2p, timeouts).len()
    };
    assert_eq!([count(999, 1000), count(1000, 1000)], [2, 1]);
    assert_eq!([count(10, 11), count(10, 10)], [2, 1]);
    assert_eq!([count(0, 0), count(1, 0)], [2, 1]);
}

/// With nobody to send anything there is one execution: the timeout fires, or the process
/// waits for ever.
#[test]
fn only_never_leaves_a_lonely_receive_waiting() {
    for (timeout_ms, expected) in [
        (0, [false, false, false, false]),
        (10, [false, false, false, true]),
        (5000, [false, false, false, true]),
    ] {
        let script = family(&[receive_after(Pattern::Any, timeout_ms)], &[]);
        assert_eq!(counts(&script, Delivery::P2p), [1; 4]);
        let deadlocks = SETTINGS.map(|timeouts| {
            let mut settings = Settings::default();
            settings.explore.timeouts = timeouts;
            let go_on = |_: &_| ControlFlow::Continue(());
            let report = check(script.clone(), SendersFirst, &settings, go_on).unwrap();
            report
                .errors()
                .any(|found| found.finding.kind == Kind::Deadlock)
        });
        assert_eq!(deadlocks, expected, "after {timeout_ms}");
    }
}

/// Two children report when they have timed out; the order in which the entry process hears
/// of it, and the number of traces.
fn first_to_report(first_ms: u64, second_ms: u64, timeouts: Timeouts) -> (usize, Vec<String>) {
    let child = |timeout_ms| [receive_after(Pattern::Any, timeout_ms), send(PARENT, 1)];
    let script = family(&[ANY, ANY], &[&child(first_ms), &child(second_ms)]);
    let traces = all_traces(&script, Delivery::P2p, timeouts);
    let heard = traces.first().expect("one at least")["P"].clone();
    (traces.len(), heard)
}

#[test]
fn of_several_long_timeouts_the_smallest_fires_first() {
    let in_order = ["message P.1#0", "message P.2#0"].map(String::from);
    let reversed = ["message P.2#0", "message P.1#0"].map(String::from);
    for (first_ms, second_ms, expected) in [
        (5000, 7000, &in_order),
        (7000, 5000, &reversed),
        (5000, 5000, &in_order), // equal ones by pid
    ] {
        let found = first_to_report(first_ms, second_ms, DEFAULT);
        assert_eq!(found, (1, expected.to_vec()));
        // If they may fire at any time, so may their reports come.
        assert_eq!(first_to_report(first_ms, second_ms, Timeouts::AnyTime).0, 2);
    }
    // When all wait until it is quiet, short ones are compared as well.
    let found = first_to_report(20, 10, Timeouts::WhenQuiet);
    assert_eq!(found, (1, reversed.to_vec()));
    // A short one by default does not wait for its turn.
    let found = first_to_report(5000, 10, DEFAULT);
    assert_eq!(found, (1, reversed.to_vec()));
}

/// The entry process gives up and sends 5 to its first child, to whom the second one sends 3:
/// if giving up comes after everything, the child has taken the 3.
#[test]
fn a_long_timeout_comes_after_everything() {
    let script = |timeout_ms| {
        family(
            &[
                receive_after(Pattern::Equals(9), timeout_ms),
                send(CHILD, 5),
            ],
            &[&[ANY], &[send(SIBLING, 3)]],
        )
    };
    assert_eq!(counts(&script(5000), Delivery::P2p), [1, 2, 1, 1]);
    assert_eq!(counts(&script(10), Delivery::P2p), [2, 2, 1, 1]);
}

fn check_mailbox(script: &Script, mailbox: usize, others: usize) {
    for delivery in Delivery::ALL {
        let expected = match delivery {
            Delivery::Mailbox => mailbox,
            _ => others,
        };
        let found = all_traces(script, delivery, Timeouts::AnyTime).len();
        assert_eq!(found, expected, "{delivery}");
    }
}

#[test]
fn under_mailbox_no_timeout_fires_when_a_message_is_certainly_there() {
    let impatient = |pattern| receive_after(pattern, 10);
    let poll = |pattern| receive_after(pattern, 0);
    let check = |wait: &dyn Fn(Pattern) -> Instruction| {
        let one = Pattern::Equals(1);
        // It has sent the message itself.
        check_mailbox(&family(&[send(ME, 1), wait(one)], &[]), 1, 2);
        // A later message of the same sender has been received.
        let later = [receive(Pattern::Equals(2)), wait(one)];
        let sender = [send(PARENT, 1), send(PARENT, 2)];
        check_mailbox(&family(&later, &[&sender]), 1, 2);
        // A message of another sender says nothing.
        check_mailbox(
            &family(&later, &[&[send(PARENT, 1)], &[send(PARENT, 2)]]),
            2,
            2,
        );
        // One that does not match is no reason to wait.
        check_mailbox(&family(&[send(ME, 7), wait(one)], &[]), 1, 1);
    };
    check(&impatient);
    check(&poll);
}
