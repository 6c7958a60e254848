//! `--clocks`: whether concurrent readings of clocks are explored in every order.

mod common;

use common::{Place, flat, refused};
use serde_json::Value;

const OWN: &str = "--clocks own";
const SHARED: &str = "--clocks shared";

fn place() -> Place {
    let place = Place::new();
    place.write("clocks.erl", include_str!("suite/clocks.erl"));
    place
}

fn check(exit: i32, entry: &str, options: &str) -> Value {
    place().check(exit, &format!("clocks.erl --entry {entry} {options}"))
}

#[track_caller]
fn has_executions(entry: &str, options: &str, executions: u64) {
    let report = check(0, entry, options);
    assert_eq!(report["executions"], executions, "{entry} {options}");
}

#[test]
fn concurrent_readings_come_in_every_order_if_the_clock_is_shared() {
    for options in ["", OWN, "--delivery p2p"] {
        has_executions("two/0", options, 1);
        has_executions("three/0", options, 1);
    }
    for options in ["", "--delivery p2p", "--algorithm odpor"] {
        has_executions("two/0", &format!("{SHARED} {options}"), 2);
        has_executions("three/0", &format!("{SHARED} {options}"), 6);
    }
}

#[test]
fn every_function_reads_the_shared_clock() {
    let functions = [
        "monotonic_time",
        "system_time",
        "system_time_in",
        "timestamp",
        "now",
        "date",
        "time",
        "localtime",
        "universaltime",
        "os_system_time",
        "os_timestamp",
        "os_perf_counter",
    ];
    for function in functions {
        has_executions(&format!("by({function})"), OWN, 1);
        has_executions(&format!("by({function})"), SHARED, 2);
    }
}

#[test]
fn an_order_that_only_some_readings_have_is_an_error() {
    has_executions("ordered/0", OWN, 1);
    let report = check(1, "ordered/0", &format!("{SHARED} --keep-going"));
    assert_eq!(report["executions"], 2);
    assert_eq!(report["errors"].as_array().unwrap().len(), 1);
    assert_eq!(report["errors"][0]["count"], 1);
    assert_eq!(report["errors"][0]["reproduced"], true);
}

#[test]
fn a_replay_has_the_clocks_of_the_check() {
    let place = place();
    let ran = place.expect(1, &format!("check clocks.erl --entry ordered/0 {SHARED}"));
    let replay = ran
        .stdout
        .lines()
        .find_map(|line| line.split_once("Replay: "));
    let (_, replay) = replay.expect("a line that replays it");
    assert!(
        !replay.contains("--clocks"),
        "the log contains it: {replay}"
    );
    let again = place.shell(replay);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.stdout.contains("{badmatch, false}"), "{again:?}");
}

#[test]
fn a_loop_until_a_deadline_ends() {
    for clocks in [OWN, SHARED] {
        has_executions("deadline/0", clocks, 1);
    }
}

#[test]
fn the_readings_of_one_process_increase() {
    has_executions("increasing/0", OWN, 1);
    // Three readings of two processes each: 6! / (3! * 3!).
    has_executions("increasing/0", SHARED, 20);
}

#[test]
fn a_time_in_a_message_is_not_in_the_future() {
    for clocks in [OWN, SHARED] {
        check(0, "received/0", clocks);
    }
}

#[test]
fn a_shared_clock_is_not_behind_the_reading_of_a_process_that_ended() {
    check(0, "ended/0", SHARED);
    // Documented: the end of a process carries no clock.
    check(1, "ended/0", OWN);
}

#[test]
fn a_receive_for_a_known_value_takes_a_message_with_a_clock() {
    has_executions("known_part/0", "", 1);
}

#[test]
fn a_verdict_states_the_clocks_if_the_program_read_one() {
    let place = place();
    let said = |options: &str| {
        let ran = place.expect(0, &format!("check clocks.erl {options}"));
        flat(&ran.stdout)
    };
    let own = said("--entry two/0");
    assert!(own.starts_with("Verified within one node, each process with its own clock: "));
    assert!(own.contains("clocks own (concurrent readings are not explored in both orders)"));
    let shared = said("--entry two/0 --clocks shared --delivery p2p");
    assert!(shared.starts_with("Verified, all processes with one clock: "));
    assert!(shared.contains("clocks shared (concurrent readings are explored in every order)"));
    for clocks in [OWN, SHARED] {
        let none = said(&format!("--entry constants/0 {clocks}"));
        assert!(none.starts_with("Verified within one node: "), "{none}");
    }
    assert_eq!(check(0, "two/0", "")["clocks"], "own");
    assert_eq!(check(0, "two/0", SHARED)["clocks"], "shared");
    assert_eq!(check(0, "constants/0", SHARED).get("clocks"), None);
}

#[test]
fn the_other_formats_state_the_clocks() {
    let place = place();
    place.expect(
        0,
        "check clocks.erl --entry two/0 --junit junit.xml --html page.html",
    );
    let property = r#"<property name="clocks" value="own"/>"#;
    assert_eq!(place.read("junit.xml").matches(property).count(), 1);
    let row = "concurrent readings are not explored in both orders";
    assert_eq!(place.read("page.html").matches(row).count(), 1);
    place.expect(
        0,
        "check clocks.erl --entry two/0 --clocks shared --junit shared.xml",
    );
    let property = r#"<property name="clocks" value="shared"/>"#;
    assert_eq!(place.read("shared.xml").matches(property).count(), 1);
}

#[test]
fn only_erlang_programs_have_clocks() {
    refused(
        SHARED,
        "--clocks applies to Erlang programs only; gallery:fan-in is not one",
    );
    let ran = place().expect(2, "check clocks.erl --entry two/0 --clocks some");
    assert!(
        ran.stderr.contains("[possible values: own, shared]"),
        "{ran:?}"
    );
}
