//! Links, monitors and liveness checks cost no execution that the program cannot distinguish.

mod common;

use common::Place;

/// `calls:ENTRY` has exactly this many executions under `mailbox` and under `p2p`, and none fails.
#[track_caller]
fn has_executions(entry: &str, executions: u64) {
    let place = Place::new();
    let program = include_str!("suite/calls.erl");
    place.write("calls.erl", program);
    for delivery in ["mailbox", "p2p"] {
        let line = format!(
            "calls.erl --entry calls:{entry} --delivery {delivery} \
             --daemon gen:init_it/6 --daemon gen:init_it/7 --daemon calls:idle/0"
        );
        let report = place.check(0, &line);
        assert_eq!(report["executions"], executions, "{entry}, {delivery}");
    }
}

#[test]
fn monitors_and_links_of_a_living_process_commute() {
    for n in 2..=4 {
        has_executions(&format!("monitors({n})"), 1);
        has_executions(&format!("links({n})"), 1);
    }
}

#[test]
fn calls_race_only_at_the_server() {
    // (n k)! / (k!)^n
    for (n, k, executions) in [
        (2, 1, 2),
        (3, 1, 6),
        (4, 1, 24),
        (5, 1, 120),
        (2, 2, 6),
        (2, 3, 20),
        (2, 4, 70),
        (3, 2, 90),
        (4, 2, 2520),
        (8, 1, 40320),
    ] {
        has_executions(&format!("calls({n},{k})"), executions);
    }
}

#[test]
fn casts_and_calls_of_a_state_machine_are_like_calls() {
    for (n, k, executions) in [(3, 1, 6), (2, 2, 6), (3, 2, 90)] {
        has_executions(&format!("casts({n},{k})"), executions);
        has_executions(&format!("statem_calls({n},{k})"), executions);
    }
}

#[test]
fn a_registered_server_costs_nothing_more() {
    for (n, k, executions) in [(3, 1, 6), (2, 2, 6), (3, 2, 90)] {
        has_executions(&format!("named_calls({n},{k})"), executions);
    }
}

#[test]
fn independent_servers_multiply() {
    has_executions("two_servers()", 4);
}

#[test]
fn starting_and_stopping_children_is_deterministic() {
    for n in 1..=4 {
        has_executions(&format!("start_children({n})"), 1);
    }
}

#[test]
fn a_monitor_is_ordered_with_the_end_only() {
    has_executions("flush_monitor()", 2);
    has_executions("late_monitor()", 2);
    has_executions("forget_monitor()", 4);
}

#[test]
fn own_signals_come_before_the_question_whether_a_process_is_alive() {
    has_executions("kill()", 1);
    has_executions("kill_and_inform()", 1);
}

#[test]
fn an_end_is_not_known_to_all_at_once() {
    has_executions("told_of_end()", 2);
}

#[test]
fn an_exit_signal_comes_before_a_down_message() {
    has_executions("exit_before_down()", 1);
}
