//! Links and monitors, and their undoing: who is told of an end, and who is not.

mod support;

use mazurka_engine::{Delivery, Timeouts};
use mazurka_lab::oracle::Instruction::{
    Crash, Demonitor, Exit, Link, Links, Monitor, Spawn, TrapExit, Unlink,
};
use mazurka_lab::oracle::{Instruction, Pattern, Script, Term};
use mazurka_trace::Event;
use std::collections::BTreeSet;
use support::{
    ANY, CHILD, ME, PARENT, SIBLING, all_traces, explored, family, receive, receive_after, script,
    send,
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

/// Whether some execution has a step that begins with `what` in process `pid`.
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
fn a_link_strikes_both_ways() {
    let child_crashes = script(&[&[LINKED, ANY], &[Crash]]);
    assert!(happens(&child_crashes, "P", "struck life(P.1)"));
    let parent_crashes = script(&[&[LINKED, Crash], &[ANY]]);
    assert!(happens(&parent_crashes, "P.1", "struck life(P)"));
    let made_later = script(&[&[SPAWNED, Link(CHILD), Crash], &[ANY]]);
    assert!(happens(&made_later, "P.1", "struck life(P)"));
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
fn either_side_undoes_a_link() {
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
fn monitors_and_their_undoing() {
    let watched = script(&[&[SPAWNED, Monitor(CHILD), receive(Pattern::News)], &[Exit]]);
    assert!(happens(&watched, "P", "message life(P.1)"));
    let no_more = script(&[
        &[
            SPAWNED,
            Monitor(CHILD),
            Demonitor(CHILD),
            send(CHILD, 1),
            receive_after(Pattern::News, 10),
        ],
        &[ANY],
    ]);
    assert!(!happens(&no_more, "P", "message"));
    // Scripts undo the monitor with reference 7, and one made at a spawn has the place of the
    // spawn as its reference.
    let at_the_seventh = Spawn {
        role: 1,
        link: false,
        monitor: true,
    };
    let idle = TrapExit(false);
    let since_the_spawn = script(&[
        &[
            idle,
            idle,
            idle,
            idle,
            idle,
            idle,
            at_the_seventh,
            Demonitor(CHILD),
            send(CHILD, 1),
            receive_after(Pattern::News, 10),
        ],
        &[ANY],
    ]);
    assert!(!happens(&since_the_spawn, "P", "message"));
}

/// The last thing that a process does: it says which number its links made.
const SAY: Instruction = Instruction::Send {
    to: ME,
    value: Term::LastPlus(0),
};

/// For ever: so that nothing comes after its end.
const STAY: Instruction = receive(Pattern::Equals(99));

/// How many traces there are, by brute force as well, and which numbers the entry process says.
#[track_caller]
fn check_links(script: &Script, traces: usize, said: &[&str]) {
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
    let said: BTreeSet<String> = said.iter().map(|&value| value.into()).collect();
    assert_eq!(values, said, "{script:?}");
}

#[test]
fn links_are_told() {
    // The first child is the second that the entry process knows, the next the third.
    check_links(&script(&[&[Links, SAY, STAY]]), 1, &["0"]);
    check_links(&script(&[&[LINKED, Links, SAY, STAY], &[ANY]]), 1, &["2"]);
    check_links(
        &script(&[&[LINKED, Unlink(CHILD), Links, SAY, STAY], &[ANY]]),
        1,
        &["0"],
    );
    let made_later = family(&[Link(CHILD), Links, SAY, STAY], &[&[ANY]]);
    check_links(&made_later, 1, &["2"]);
    let made_twice = script(&[&[LINKED, Link(CHILD), Links, SAY, STAY], &[ANY]]);
    check_links(&made_twice, 1, &["2"]);
    // Monitors are none.
    let watched = family(&[Monitor(CHILD), Links, SAY, STAY], &[&[ANY]]);
    check_links(&watched, 1, &["0"]);
}

#[test]
fn links_of_others_come_before_or_after_the_question() {
    let asks = [Links, SAY, STAY];
    check_links(&family(&asks, &[&[Link(PARENT), ANY]]), 2, &["0", "2"]);
    check_links(
        &script(&[&[LINKED, Links, SAY, STAY], &[Unlink(PARENT), ANY]]),
        2,
        &["0", "2"],
    );
    // Two links in either order, and three places of the question in each. Both together are
    // 3 * 2 + 3 or 3 * 3 + 2, of which the last three bits are said.
    check_links(
        &family(&asks, &[&[Link(PARENT), ANY], &[Link(PARENT), ANY]]),
        6,
        &["0", "1", "2", "3"],
    );
    // What was told before the question was asked is known.
    let told = family(
        &[ANY, Links, SAY, STAY],
        &[&[Link(PARENT), send(PARENT, 1), ANY]],
    );
    check_links(&told, 1, &["2"]);
    let undone = script(&[
        &[LINKED, ANY, Links, SAY, STAY],
        &[Unlink(PARENT), send(PARENT, 1), ANY],
    ]);
    check_links(&undone, 1, &["0"]);
    // Links between others are no concern of the asker.
    let others = family(&asks, &[&[ANY], &[Link(SIBLING), ANY]]);
    check_links(&others, 1, &["0"]);
}

/// Its own ones first, and then those of others in the order in which they came.
#[test]
fn links_have_an_order() {
    let own_first = family(
        &[ANY, Link(SIBLING), Links, SAY, STAY],
        &[&[Link(PARENT), send(PARENT, 1), ANY], &[ANY]],
    );
    check_links(&own_first, 1, &["3"]);
}

#[test]
fn links_to_the_dead_are_told() {
    let normal = script(&[&[LINKED, ANY, Links, SAY, STAY], &[send(PARENT, 1), Exit]]);
    check_links(&normal, 1, &["2"]);
}
