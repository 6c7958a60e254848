//! Links and monitors, made and undone: which processes get a signal or a `Down` message.

mod support;

use mazurka_engine::{Delivery, Timeouts};
use mazurka_lab::oracle::Instruction::{
    Crash, Demonitor, Exit, Link, Links, Monitor, Spawn, Unlink,
};
use mazurka_lab::oracle::{Instruction, Pattern, Script, Term};
use mazurka_trace::Event;
use std::collections::BTreeSet;
use support::{
    ANY, CHILD, ME, PARENT, SIBLING, all_traces, explored, family, fault, receive, receive_after,
    script, send,
};

const LINKED: Instruction = Spawn {
    role: 1,
    link: true,
    monitor: false,
};
const SPAWNED: Instruction = Spawn {
    role: 1,
    link: false,
    monitor: false,
};

/// Whether some execution has a step of process `pid` whose text starts with `what`.
fn happens(script: &Script, pid: &str, what: &str) -> bool {
    let mut found = false;
    for delivery in Delivery::ALL {
        let traces = all_traces(script, delivery, Timeouts::default());
        found |= traces
            .iter()
            .any(|trace| trace[pid].iter().any(|step| step.starts_with(what)));
    }
    found
}

#[test]
fn a_link_works_both_ways() {
    let child_crashes = script(&[&[LINKED, ANY], &[Crash]]);
    assert!(happens(&child_crashes, "P", "struck liveness(P.1)"));
    let parent_crashes = script(&[&[LINKED, Crash], &[ANY]]);
    assert!(happens(&parent_crashes, "P.1", "struck liveness(P)"));
    let made_later = script(&[&[SPAWNED, Link(CHILD), Crash], &[ANY]]);
    assert!(happens(&made_later, "P.1", "struck liveness(P)"));
}

#[test]
fn a_link_made_at_the_spawn_can_be_undone() {
    let by_the_parent = script(&[
        &[
            LINKED,
            Unlink(CHILD),
            send(CHILD, 1),
            receive_after(Pattern::Any, 10),
        ],
        &[ANY, Crash],
    ]);
    assert!(!happens(&by_the_parent, "P", "struck"));
    let by_the_child = script(&[
        &[LINKED, ANY, Crash],
        &[
            Unlink(PARENT),
            send(PARENT, 1),
            receive_after(Pattern::Any, 10),
        ],
    ]);
    assert!(!happens(&by_the_child, "P.1", "struck"));
}

#[test]
fn either_side_can_undo_a_link() {
    let maker_crashes = script(&[
        &[SPAWNED, Link(CHILD), send(CHILD, 1), ANY, Crash],
        &[
            ANY,
            Unlink(PARENT),
            send(PARENT, 1),
            receive_after(Pattern::Any, 10),
        ],
    ]);
    assert!(!happens(&maker_crashes, "P.1", "struck"));
    let undoer_crashes = script(&[
        &[
            SPAWNED,
            Link(CHILD),
            send(CHILD, 1),
            receive_after(Pattern::Any, 10),
        ],
        &[ANY, Unlink(PARENT), Crash],
    ]);
    assert!(!happens(&undoer_crashes, "P", "struck"));
}

#[test]
fn a_monitor_can_be_undone() {
    let watched = script(&[
        &[SPAWNED, Monitor(CHILD), receive(Pattern::ExitOrDown)],
        &[Exit],
    ]);
    assert!(happens(&watched, "P", "message liveness(P.1)"));
    let no_more = script(&[
        &[
            SPAWNED,
            Monitor(CHILD),
            Demonitor(CHILD),
            send(CHILD, 1),
            receive_after(Pattern::ExitOrDown, 10),
        ],
        &[ANY],
    ]);
    assert!(!happens(&no_more, "P", "message"));
    let monitored = Spawn {
        role: 1,
        link: false,
        monitor: true,
    };
    let since_the_spawn = script(&[
        &[
            monitored,
            Demonitor(CHILD),
            send(CHILD, 1),
            receive_after(Pattern::ExitOrDown, 10),
        ],
        &[ANY],
    ]);
    assert!(!happens(&since_the_spawn, "P", "message"));
}

/// Sends the answer of `Links` to the process itself, so that it appears in the trace.
const SEND_ANSWER: Instruction = Instruction::Send {
    to: ME,
    value: Term::LastPlus(0),
};

/// Waits for ever, so that the process does not end.
const STAY: Instruction = receive(Pattern::Equals(99));

/// Checks the number of traces, also by brute force, and the answers of `Links` to the entry process.
#[track_caller]
fn check_links(script: &Script, traces: usize, answers: &[&str]) {
    for delivery in Delivery::ALL {
        let found = all_traces(script, delivery, Timeouts::default()).len();
        assert_eq!(found, traces, "{script:?} under {delivery}");
    }
    let mut values = BTreeSet::new();
    for trace in explored(script) {
        values.extend(trace.processes["P"].iter().filter_map(|event| match event {
            Event::Send { to, value, .. } if to.to_string() == "P" => Some(value.clone()),
            _ => None,
        }));
    }
    let answers: BTreeSet<String> = answers.iter().map(|&value| value.into()).collect();
    assert_eq!(values, answers, "{script:?}");
}

#[test]
fn links_answers_the_links_of_the_process() {
    // The answer becomes a number: 0 if there are no links, 2 for the first child, 3 for the second.
    check_links(&script(&[&[Links, SEND_ANSWER, STAY]]), 1, &["0"]);
    check_links(
        &script(&[&[LINKED, Links, SEND_ANSWER, STAY], &[ANY]]),
        1,
        &["2"],
    );
    check_links(
        &script(&[&[LINKED, Unlink(CHILD), Links, SEND_ANSWER, STAY], &[ANY]]),
        1,
        &["0"],
    );
    let made_later = family(&[Link(CHILD), Links, SEND_ANSWER, STAY], &[&[ANY]]);
    check_links(&made_later, 1, &["2"]);
    let made_twice = script(&[&[LINKED, Link(CHILD), Links, SEND_ANSWER, STAY], &[ANY]]);
    check_links(&made_twice, 1, &["2"]);
    // Monitors are not links.
    let watched = family(&[Monitor(CHILD), Links, SEND_ANSWER, STAY], &[&[ANY]]);
    check_links(&watched, 1, &["0"]);
}

/// A process sees that another made or undid a link if that happened before.
#[test]
fn links_of_others_are_seen_if_they_happened_before() {
    let asks = [Links, SEND_ANSWER, STAY];
    let made = family(
        &[ANY, Links, SEND_ANSWER, STAY],
        &[&[Link(PARENT), send(PARENT, 1), ANY]],
    );
    check_links(&made, 1, &["2"]);
    let undone = script(&[
        &[LINKED, ANY, Links, SEND_ANSWER, STAY],
        &[Unlink(PARENT), send(PARENT, 1), ANY],
    ]);
    check_links(&undone, 1, &["0"]);
    // Links between other processes do not matter.
    let others = family(&asks, &[&[ANY], &[Link(SIBLING), ANY]]);
    check_links(&others, 1, &["0"]);
}

/// A link that another process makes or undoes concurrently with `Links` is not modelled.
#[test]
fn links_that_change_concurrently_are_a_fault() {
    let asks = [Links, SEND_ANSWER, STAY];
    let concurrent = [
        family(&asks, &[&[Link(PARENT), ANY]]),
        script(&[&[LINKED, Links, SEND_ANSWER, STAY], &[Unlink(PARENT), ANY]]),
    ];
    for (script, delivery) in concurrent
        .iter()
        .flat_map(|script| Delivery::ALL.map(|delivery| (script, delivery)))
    {
        assert_eq!(
            fault(script, delivery),
            "not modelled: process P asks for its links while another process links to it or unlinks \
             from it",
            "{script:?} under {delivery}"
        );
    }
}

/// First the links that the process made, then those that others made.
#[test]
fn links_are_ordered() {
    let own_first = family(
        &[ANY, Link(SIBLING), Links, SEND_ANSWER, STAY],
        &[&[Link(PARENT), send(PARENT, 1), ANY], &[ANY]],
    );
    check_links(&own_first, 1, &["3"]);
}

#[test]
fn links_includes_ended_processes() {
    let normal = script(&[
        &[LINKED, ANY, Links, SEND_ANSWER, STAY],
        &[send(PARENT, 1), Exit],
    ]);
    check_links(&normal, 1, &["2"]);
}
