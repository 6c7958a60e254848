//! Names conflict only with changes of the same name, and `registered/0` with changes of any name.

mod common;

use common::Place;

/// `names:ENTRY` has exactly this many executions under `mailbox` and under `p2p`, and none fails.
#[track_caller]
fn has_executions(entry: &str, executions: u64) {
    let place = Place::new();
    place.write("names.erl", include_str!("suite/names.erl"));
    for delivery in ["mailbox", "p2p"] {
        let line = format!("names.erl --entry names:{entry} --delivery {delivery}");
        let report = place.check(0, &line);
        assert_eq!(report["executions"], executions, "{entry}, {delivery}");
    }
}

#[test]
fn different_names_commute() {
    for n in 2..=4 {
        has_executions(&format!("different({n})"), 1);
    }
}

#[test]
fn a_list_of_names_is_read_at_one_moment() {
    for n in 1..=4 {
        has_executions(&format!("listed({n})"), 1 << n);
    }
    has_executions("freed()", 2);
}
