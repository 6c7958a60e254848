//! When timeouts fire, tested by numbers of traces. Brute force finds the same numbers.

mod support;

use mazurka_engine::{Delivery, Kind, Options, SendersFirst, Settings, Timeouts, check, drive};
use mazurka_lab::Algorithm;
use mazurka_lab::oracle::{Instruction, Pattern, Script, Target};
use mazurka_trace::{Log, LogEntry};
use std::ops::ControlFlow;
use support::{
    ANY, CHILD, ME, PARENT, SIBLING, all_traces, family, receive, receive_after, script, send,
    spawn, traces_by,
};

const DEFAULT: Timeouts = Timeouts::Below(1000);
const SETTINGS: [Timeouts; 4] = [
    DEFAULT,
    Timeouts::AnyTime,
    Timeouts::WhenQuiet,
    Timeouts::Never,
];

/// Number of traces under each of [`SETTINGS`].
fn counts(script: &Script, delivery: Delivery) -> [usize; 4] {
    SETTINGS.map(|timeouts| all_traces(script, delivery, timeouts).len())
}

/// A receive with this timeout, and another process that sends it a message.
fn awaits(timeout_ms: u64) -> Script {
    family(
        &[receive_after(Pattern::Any, timeout_ms)],
        &[&[send(PARENT, 1)]],
    )
}

/// The receive takes the message: 1 trace. If the timeout may fire before the message arrives: 2.
#[test]
fn each_setting_decides_which_timeouts_fire_at_any_time() {
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

/// If no process sends a message there is one execution: the timeout fires, or the process waits for
/// ever.
#[test]
fn only_under_never_a_receive_without_senders_waits_for_ever() {
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

/// Two children time out, and then send a message to the entry process. Returns the number of traces,
/// and the inputs of the entry process in the first one.
fn first_to_report(first_ms: u64, second_ms: u64, timeouts: Timeouts) -> (usize, Vec<String>) {
    let child = |timeout_ms| [receive_after(Pattern::Any, timeout_ms), send(PARENT, 1)];
    let script = family(&[ANY, ANY], &[&child(first_ms), &child(second_ms)]);
    let traces = all_traces(&script, Delivery::P2p, timeouts);
    let inputs = traces.first().expect("one at least")["P"].clone();
    (traces.len(), inputs)
}

#[test]
fn of_several_long_timeouts_the_smallest_fires_first() {
    let in_order = ["message P.1#0", "message P.2#0"].map(String::from);
    let reversed = ["message P.2#0", "message P.1#0"].map(String::from);
    for (first_ms, second_ms, expected) in [(5000, 7000, &in_order), (7000, 5000, &reversed)] {
        let found = first_to_report(first_ms, second_ms, DEFAULT);
        assert_eq!(found, (1, expected.to_vec()));
        // If the timeouts may fire at any time, the messages come in any order.
        assert_eq!(first_to_report(first_ms, second_ms, Timeouts::AnyTime).0, 2);
    }
    // Equal ones fire in any order.
    assert_eq!(first_to_report(5000, 5000, DEFAULT).0, 2);
    // Under `WhenQuiet`, short timeouts are ordered by length as well.
    let found = first_to_report(20, 10, Timeouts::WhenQuiet);
    assert_eq!(found, (1, reversed.to_vec()));
    // By default, a short timeout fires before a long one.
    let found = first_to_report(5000, 10, DEFAULT);
    assert_eq!(found, (1, reversed.to_vec()));
}

/// The inputs of the entry process in the only execution of [`reporting`].
fn reports(sleeps: &[&[u64]], timeouts: Timeouts) -> Vec<String> {
    only_inputs(&reporting(sleeps), timeouts)
}

/// One child per slice. It sleeps for each of these times, in ms, and sends a message to the entry
/// process after each sleep.
fn reporting(sleeps: &[&[u64]]) -> Script {
    let children: Vec<Vec<Instruction>> = sleeps
        .iter()
        .map(|sleeps| sleeps.iter().flat_map(|&ms| [sleep(ms), send(PARENT, 1)]))
        .map(Iterator::collect)
        .collect();
    let children: Vec<&[Instruction]> = children.iter().map(Vec::as_slice).collect();
    let entry = vec![ANY; sleeps.iter().map(|sleeps| sleeps.len()).sum()];
    family(&entry, &children)
}

fn sleep(timeout_ms: u64) -> Instruction {
    // No process sends 99.
    receive_after(Pattern::Equals(99), timeout_ms)
}

/// The inputs of the entry process in the only execution, in every delivery model and by every
/// algorithm.
fn only_inputs(script: &Script, timeouts: Timeouts) -> Vec<String> {
    let mut all = by_every_algorithm(script, timeouts);
    assert_eq!(all.len(), 1, "{script:?}");
    all.remove(0)
}

/// The inputs of the entry process in each execution, the same in every delivery model.
fn by_every_algorithm(script: &Script, timeouts: Timeouts) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for delivery in Delivery::ALL {
        let traces = all_traces(script, delivery, timeouts);
        for algorithm in Algorithm::ALL {
            let options = Options {
                delivery,
                timeouts,
                ..Options::default()
            };
            assert_eq!(
                traces_by(script, algorithm, &options),
                traces,
                "{algorithm}"
            );
        }
        let mut inputs: Vec<_> = traces.iter().map(|trace| trace["P"].clone()).collect();
        inputs.sort_unstable();
        all.push(inputs);
    }
    all.dedup();
    assert_eq!(all.len(), 1, "the result depends on the delivery model");
    all.remove(0)
}

fn messages(tags: &[&str]) -> Vec<String> {
    tags.iter().map(|tag| format!("message {tag}")).collect()
}

#[test]
fn of_several_long_timeouts_the_one_with_the_earliest_deadline_fires() {
    for (sleeps, expected) in [
        // At 3000; at 2000 and 4000.
        (
            &[&[3000][..], &[2000, 2000]][..],
            &["P.2#0", "P.1#0", "P.2#1"][..],
        ),
        (&[&[2000, 2000], &[3000]], &["P.1#0", "P.2#0", "P.1#1"]),
        // At 7000; at 2000, 4000 and 6000.
        (
            &[&[7000], &[2000, 2000, 2000]],
            &["P.2#0", "P.2#1", "P.2#2", "P.1#0"],
        ),
        // At 2000 and 5000; at 3000 and 5500; at 4000.
        (
            &[&[2000, 3000], &[3000, 2500], &[4000]],
            &["P.1#0", "P.2#0", "P.3#0", "P.1#1", "P.2#1"],
        ),
    ] {
        assert_eq!(reports(sleeps, DEFAULT), messages(expected), "{sleeps:?}");
    }
    // Under `WhenQuiet` short timeouts fire in the same order.
    assert_eq!(
        reports(&[&[30], &[20, 20]], Timeouts::WhenQuiet),
        messages(&["P.2#0", "P.1#0", "P.2#1"])
    );
}

/// Messages that are sent at the same logical time are received in any order.
#[test]
fn equal_deadlines_fire_in_any_order() {
    let orders = |sleeps: &[&[u64]]| by_every_algorithm(&reporting(sleeps), DEFAULT).len();
    assert_eq!(orders(&[&[4000], &[4000]]), 2);
    assert_eq!(orders(&[&[4000], &[4000], &[4000]]), 6);
    // At 4000; at 2000 and 4000.
    assert_eq!(orders(&[&[4000], &[2000, 2000]]), 2);
    // All at 2000, and all at 4000.
    assert_eq!(orders(&[&[2000, 2000], &[2000, 2000]]), 4);
    assert_eq!(orders(&[&[2000, 2000], &[4000], &[2000, 5000]]), 4);
    // The sum of deadlines saturates.
    let at_the_end = reporting(&[&[u64::MAX, u64::MAX], &[u64::MAX]]);
    assert_eq!(all_traces(&at_the_end, Delivery::P2p, DEFAULT).len(), 3);
}

/// Two timeouts have the same deadline. The message that a process sends after its timeout may arrive
/// before the timeout of the other fires.
#[test]
fn a_message_may_come_before_a_timeout_with_the_same_deadline() {
    let wakes_up = |timeout_ms| receive_after(Pattern::Any, timeout_ms);
    let pair = |first_ms, second_ms| {
        family(
            &[],
            &[
                &[wakes_up(first_ms), send(Target::Known(3), 1)],
                &[wakes_up(second_ms), send(SIBLING, 1)],
            ],
        )
    };
    for delivery in Delivery::ALL {
        let count = |script: &Script| {
            let traces = all_traces(script, delivery, DEFAULT);
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
            traces.len()
        };
        // The first child does not know the second: its message goes to its parent.
        assert_eq!(count(&pair(2000, 2000)), 2, "{delivery}");
        assert_eq!(count(&pair(2000, 3000)), 1, "{delivery}");
    }
}

/// The time of a demand is the time of the input before it, or of the start of the process.
#[test]
fn a_deadline_counts_from_the_demand() {
    // The second child sleeps from 2000 on, when the third one wakes it up.
    let wakes_at = |first_ms, second_ms| {
        let sleeper = [sleep(first_ms), send(PARENT, 1)];
        let woken = [
            receive(Pattern::Equals(7)),
            sleep(second_ms),
            send(PARENT, 2),
        ];
        let waker = [sleep(2000), send(Target::Known(3), 7)];
        only_inputs(&family(&[ANY, ANY], &[&sleeper, &woken, &waker]), DEFAULT)
    };
    let (in_order, reversed) = (messages(&["P.1#0", "P.2#0"]), messages(&["P.2#0", "P.1#0"]));
    assert_eq!(wakes_at(3000, 1500), in_order);
    assert_eq!(wakes_at(4000, 1500), reversed);
    assert_eq!(wakes_at(3501, 1500), reversed);
    assert_eq!(wakes_at(3499, 1500), in_order);

    // The second child starts a process at 2000, which sleeps as well.
    let starts_at = |first_ms, second_ms| {
        let script = script(&[
            &[spawn(1), spawn(2), ANY, ANY],
            &[sleep(first_ms), send(PARENT, 1)],
            &[sleep(2000), spawn(3)],
            &[sleep(second_ms), send(Target::Known(2), 2)],
        ]);
        only_inputs(&script, DEFAULT)
    };
    let (in_order, reversed) = (
        messages(&["P.1#0", "P.2.1#0"]),
        messages(&["P.2.1#0", "P.1#0"]),
    );
    assert_eq!(starts_at(3000, 1500), in_order);
    assert_eq!(starts_at(4000, 1500), reversed);
}

/// A timeout that may fire at any time does not advance the logical time.
#[test]
fn short_timeouts_take_no_time() {
    assert_eq!(
        reports(&[&[2000], &[900, 1500]], DEFAULT).last(),
        messages(&["P.1#0"]).last()
    );
}

/// Timeouts of a log advance the logical time. After its end, timeouts fire in the order of their
/// deadlines.
#[test]
fn timeouts_of_a_log_advance_the_time() {
    let nap = [sleep(2000), send(PARENT, 1), sleep(2000), send(PARENT, 2)];
    let long = [sleep(3000), send(PARENT, 3)];
    for (children, napper, expected) in [
        ([&long[..], &nap[..]], "P.2", ["P.2#0", "P.1#0", "P.2#1"]),
        ([&nap[..], &long[..]], "P.1", ["P.1#0", "P.2#0", "P.1#1"]),
    ] {
        let script = family(&[ANY, ANY, ANY], &children);
        for logged in 0..=2 {
            let log = Log {
                processes: [(napper.into(), vec![LogEntry::Timeout; logged])].into(),
                ..Log::default()
            };
            let driven = drive(script.clone(), &Options::default(), &log, None).expect("it fits");
            let received = &driven.trace.log().processes["P"];
            let expected = match logged {
                // In the log, the second timeout comes before anything else.
                2 => [
                    format!("{napper}#0"),
                    format!("{napper}#1"),
                    other_of(expected),
                ],
                _ => expected.map(String::from),
            };
            let expected = expected.map(|tag| LogEntry::Receive(tag.as_str().into()));
            assert_eq!(received[..], expected, "{napper} with {logged} logged");
        }
    }
}

/// The message of the child that sleeps once.
fn other_of(reports: [&str; 3]) -> String {
    reports[1].into()
}

/// The entry process times out and sends 5 to its first child; the second child sends 3 to it. If the
/// timeout comes after everything else, the first child has received the 3.
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

fn check_ordered(script: &Script, ordered: usize, unordered: usize) {
    for delivery in Delivery::ALL {
        let expected = match delivery {
            Delivery::Mailbox | Delivery::Causal | Delivery::P2p => ordered,
            Delivery::Unordered => unordered,
        };
        let found = all_traces(script, delivery, Timeouts::AnyTime).len();
        assert_eq!(found, expected, "{delivery}");
    }
}

#[test]
fn no_timeout_fires_when_a_message_has_certainly_arrived() {
    let impatient = |pattern| receive_after(pattern, 10);
    let poll = |pattern| receive_after(pattern, 0);
    let check = |wait: &dyn Fn(Pattern) -> Instruction| {
        let one = Pattern::Equals(1);
        // The process has sent the message to itself.
        check_ordered(&family(&[send(ME, 1), wait(one)], &[]), 1, 2);
        // A later message of the same sender has been received.
        let later = [receive(Pattern::Equals(2)), wait(one)];
        let sender = [send(PARENT, 1), send(PARENT, 2)];
        check_ordered(&family(&later, &[&sender]), 1, 2);
        // A message of another sender is no proof.
        check_ordered(
            &family(&later, &[&[send(PARENT, 1)], &[send(PARENT, 2)]]),
            2,
            2,
        );
        // A message that does not match does not count.
        check_ordered(&family(&[send(ME, 7), wait(one)], &[]), 1, 1);
    };
    check(&impatient);
    check(&poll);
}
