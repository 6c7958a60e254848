//! Links and monitors, and their undoing: who is told of an end, and who is not.

mod support;

use mazurka_engine::oracle::Instruction::{
    Crash, Demonitor, Exit, Link, Monitor, Spawn, TrapExit, Unlink,
};
use mazurka_engine::oracle::{Instruction, Pattern, Script};
use mazurka_engine::{Delivery, Timeouts};
use support::{ANY, CHILD, PARENT, all_traces, receive, receive_after, script, send};

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
