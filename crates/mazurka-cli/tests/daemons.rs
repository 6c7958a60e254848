//! Daemons that tick for ever, processes that should have been marked as daemons, and orphans.

mod common;

use common::{Place, Ran};

/// A server that counts ticks and is asked once; and a race beside a server that is never asked.
const TICKER: &str = r#"-module(ticker).
-export([main/0, racy/0, funs/0, server/1, tick/2]).

main() ->
    Server = spawn(?MODULE, server, [0]),
    spawn(?MODULE, tick, [Server, 1000]),
    Server ! {get, self()},
    receive {count, N} -> N end.

racy() ->
    spawn(?MODULE, server, [0]),
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive First -> 1 = First end.

server(N) ->
    receive
        tick -> server(N + 1);
        {get, From} -> From ! {count, N}, server(N)
    end.

tick(Server, Ms) ->
    receive after Ms -> ok end,
    Server ! tick,
    tick(Server, Ms).

funs() ->
    Server = spawn(fun() -> server(0) end),
    spawn(fun() -> tick(Server, 1000) end),
    Server ! {get, self()},
    receive {count, N} -> N end.
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("ticker.erl", TICKER);
    place
}

#[track_caller]
fn has(ran: &Ran, text: &str) {
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(all.contains(text), "no {text:?} in\n{all}");
}

const MARKED: &str = "check ticker.erl --entry ticker:main/0 --daemon ticker:tick/2";

#[test]
fn a_daemon_that_ticks_for_ever_does_not_keep_an_execution_alive() {
    let place = place();
    let ran = place.expect(0, &format!("{MARKED} --daemon ticker:server/1"));
    has(&ran, "there is 1 execution, and nothing goes wrong in it");
    has(
        &ran,
        "Daemons stopped while their timers ran: ticker:tick/2 (P.2) at ticker.erl:22.\n",
    );
    // A process that began with a fun is marked by the function that the fun calls.
    let funs = MARKED.replace("main/0", "funs/0");
    let ran = place.expect(0, &format!("{funs} --daemon ticker:server/1"));
    has(&ran, "there is 1 execution, and nothing goes wrong in it");
    let json = format!("{MARKED} --daemon ticker:server/1 --format json");
    let report: serde_json::Value = serde_json::from_str(&place.expect(0, &json).stdout).unwrap();
    let stopped = &report["stopped_daemons"];
    assert_eq!(stopped.as_array().unwrap().len(), 1);
    assert_eq!(stopped[0]["process"], "P.2");
    assert_eq!(stopped[0]["place"], "ticker.erl:22");
    // A process that waits, and is no daemon, has a few ticks to wait for.
    let ran = place.expect(1, MARKED);
    has(&ran, "A stuck process in the only execution");
    has(&ran, "only timers of daemons were");
    has(&ran, "--daemon");
}

/// The server is stuck in every execution, and the crash comes in one of two.
#[test]
fn a_stuck_process_does_not_hide_a_crash() {
    let place = place();
    let racy = "check ticker.erl --entry ticker:racy/0 --no-logs";
    let ran = place.expect(1, racy);
    has(&ran, "Error found: 2 errors; all 2 executions explored.");
    has(&ran, "racy (P) crashes: {badmatch, 2}");
    has(&ran, "server (P.1) waits for ever");
    let ran = place.expect(1, &format!("{racy} --keep-going"));
    has(&ran, "Error found: 2 errors; all 2 executions explored.");
    // As before, if nothing else is to be looked for.
    let ran = place.expect(1, &format!("{racy} --after-stuck 0 --expect crash"));
    has(
        &ran,
        "1 error that was not expected in the first execution.",
    );
    place.expect(0, &format!("{racy} --expect stuck"));
    place.expect(0, &format!("{racy} --expect stuck --expect crash"));
}

#[test]
fn the_orphans_of_a_trace_are_listed() {
    let place = place();
    let racy = "trace ticker.erl --entry ticker:racy/0 -o trace.json";
    place.expect(0, racy);
    let races = place.expect(0, "races trace.json").stdout;
    let orphan = " event 1: sent P.3#0 (2 from P.3) to P, which never received it\n";
    assert!(races.contains(&format!("P.3{orphan}")), "{races}");
    assert!(
        races.ends_with("1 receive, 1 with a race; 1 orphan\n"),
        "{races}"
    );
}
