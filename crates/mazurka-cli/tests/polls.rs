//! Processes that poll: idle rounds are left out, and endless polls are reported.

mod common;

use common::Place;
use serde_json::Value;

fn check(exit: i32, entry: &str) -> Value {
    let place = Place::new();
    place.write("polls.erl", include_str!("suite/polls.erl"));
    place.check(exit, &format!("polls.erl --entry polls:{entry}/0"))
}

#[track_caller]
fn has_executions(entry: &str, executions: u64) {
    assert_eq!(check(0, entry)["executions"], executions, "{entry}");
}

#[test]
fn a_poll_is_like_a_receive() {
    has_executions("answered", 1);
    has_executions("slowly", 1);
    has_executions("from_two", 2);
}

#[test]
fn a_poll_that_changes_something_is_explored() {
    has_executions("until_deadline", 1);
    // The message comes before the first, second or third poll, or after all of them.
    has_executions("three_times", 4);
}

#[test]
fn an_endless_poll_is_reported_with_its_line() {
    for (entry, kind) in [("never", "deadlock"), ("helper_never", "stuck")] {
        let report = check(1, entry);
        assert_eq!(report["executions"], 1, "{entry}");
        let error = &report["errors"][0];
        assert_eq!(error["kind"], kind);
        let message = error["message"].as_str().expect("a text");
        assert!(
            message.contains("polls for ever for a message at polls.erl:6"),
            "{message}"
        );
    }
}
