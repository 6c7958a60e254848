//! How reports explain errors, word by word.

mod common;

use common::Place;
use snapbox::{Data, assert_data_eq};
use std::fs;
use std::path::Path;

/// The report of a check, without what differs from run to run. `erlang:NAME.erl` is one of the
/// examples.
fn report(line: &str) -> String {
    let place = Place::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/erlang");
    if let Some(rest) = line.strip_prefix("erlang:") {
        let file = rest.split(' ').next().unwrap();
        fs::copy(examples.join(file), place.path().join(file)).unwrap();
    }
    let line = line.trim_start_matches("erlang:");
    let text = place.expect(1, &format!("check {line} --no-logs")).stdout;
    let lines = text.lines().filter(|line| !line.starts_with("  seconds"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn check(line: &str, expected: Data) {
    assert_data_eq!(report(line), expected.raw());
}

macro_rules! explained {
    ($($name:ident: $line:literal,)*) => {
        $(
            #[test]
            fn $name() {
                let file = concat!("snapshots/explained/", stringify!($name), ".txt");
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
                check($line, Data::read_from(&path, None));
            }
        )*
    };
}

explained! {
    retry_timeout: "gallery:retry-timeout",
    philosophers: "gallery:philosophers",
    lost_update: "gallery:lost-update",
    supervisor: "gallery:supervisor",
    name_race: "gallery:name-race",
    two_phase_commit: "gallery:two-phase-commit --param crash=1",
    overtaking_bank: "gallery:bank --delivery unordered",
    any_deadlock: "gallery:any-deadlock",
    hidden_race: "gallery:hidden-race",
    leader: "gallery:leader --param n=3 --delivery unordered",
    ping_pong_erlang: "erlang:ping_pong.erl --entry ping_pong:pong/0",
    philosophers_erlang: "erlang:philosophers.erl --entry philosophers:run(2)",
    link_monitor_erlang: "erlang:link_monitor.erl --entry link_monitor:link_late/0",
    pool_erlang: "erlang:pool.erl --entry pool:run/0 --daemon pool:worker/0 --daemon pool:pool/1",
    name_race_erlang: "erlang:name_race.erl --entry name_race:run(2)",
}
