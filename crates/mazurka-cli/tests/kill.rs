//! Processes that are killed from outside, and processes and timeouts that are ignored.

mod common;

use common::{Place, Ran, flat};

const SERVER: &str = r#"-module(server).
-export([once/0, explicit/0, loops/0, named/0, named_by_other/0, two/0, polls/0, lost/0]).
-export([crashes/0, early/0, once/1, loop/0, name_itself/1, poll/0, crash/0]).

%% The server answers one request and ends.
once() -> ask(spawn_monitor(?MODULE, once, [a])).

%% The same, with a process that kills it.
explicit() ->
    {Server, Monitor} = spawn_monitor(?MODULE, once, [a]),
    spawn(fun() -> exit(Server, kill) end),
    ask({Server, Monitor}).

loops() -> ask(spawn_monitor(?MODULE, loop, [])).

ask({Server, Monitor}) ->
    Server ! {self(), hello},
    receive
        {answer, hello} -> ok;
        {'DOWN', Monitor, process, Server, killed} -> killed
    end.

once(_) -> receive {From, Request} -> From ! {answer, Request} end.

loop() -> once(a), loop().

named() ->
    {Server, Monitor} = spawn_monitor(?MODULE, name_itself, [self()]),
    receive
        ready -> ask({Server, Monitor});
        {'DOWN', Monitor, process, Server, killed} -> killed
    end.

name_itself(Main) -> register(worker, self()), Main ! ready, loop().

named_by_other() ->
    Server = spawn(?MODULE, loop, []),
    try register(worker, Server) catch error:badarg -> dead end.

two() -> [spawn(?MODULE, once, [N]) || N <- [1, 2]].

polls() -> spawn(?MODULE, poll, []).

poll() -> receive stop -> ok after 10 -> poll() end.

%% No process notices the end of the server.
lost() ->
    Server = spawn(?MODULE, loop, []),
    Server ! {self(), hello},
    receive {answer, hello} -> ok end.

crashes() -> spawn(?MODULE, crash, []), ok.

crash() -> error(oops).

early() ->
    Main = self(),
    spawn(fun() -> Main ! hello end),
    receive hello -> ok after 10 -> error(too_late) end.
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("server.erl", SERVER);
    place
}

#[track_caller]
fn has(ran: &Ran, text: &str) {
    let all = flat(&format!("{}{}", ran.stdout, ran.stderr));
    assert!(all.contains(text), "no {text:?} in\n{all}");
}

#[test]
fn every_point_at_which_a_process_can_be_killed_is_one_execution() {
    let place = place();
    for delivery in ["mailbox", "p2p"] {
        let check = |entry: &str, options: &str, executions: u64| {
            let line = format!(
                "server.erl --entry {entry}/0 {options} --keep-going --delivery {delivery}"
            );
            let report = place.check(0, &line);
            assert_eq!(report["executions"], executions, "{line}");
        };
        // Not killed, or killed before the receive, before the send, or before the end. A process that
        // sends the signal has as many: instead of no kill, one that comes too late.
        check("once", "--kill server:once/1", 4);
        check("explicit", "", 4);
        // Not killed, or killed before the receive, before the send, or before the next receive.
        check("loops", "--kill server:loop/0 --daemon server:loop/0", 4);
        // From the moment it has the name: not killed, or killed before each of its two sends, and at
        // each of its two receives.
        check("named", "--kill worker --daemon server:name_itself/1", 5);
        // Not killed, killed before it gets its name, or after.
        check("named_by_other", "--kill worker --daemon server:loop/0", 3);
        // Which are killed: none, one of them, both.
        check("two", "--daemon server --kill server:once/1", 3);
        check(
            "two",
            "--daemon server --kill server:once/1 --max-kills 2",
            4,
        );
        check(
            "two",
            "--daemon server --kill server:once/1 --max-kills 9",
            4,
        );
        // Rounds of a poll are no points.
        check("polls", "--daemon server:poll/0 --kill server:poll/0", 2);
        // Any process of the module: none, the entry process before each spawn or before its end, one
        // of the two servers.
        check("two", "--daemon server --kill server", 6);
    }
}

const OTP: &str = r#"-module(otp).
-behaviour(gen_server).
-export([waits/0, stuck/0, halts/0, timer/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

waits() -> ask(hello).
stuck() -> ask(wait).
halts() -> ask(halt).
timer() -> ask(start_timer).

ask(What) ->
    case gen_server:start(?MODULE, server, []) of
        {ok, Server} -> gen_server:cast(Server, What);
        {error, killed} -> killed
    end.

init(server) -> {ok, none}.
handle_call(_, _, State) -> {reply, ok, State}.
handle_cast(hello, State) -> {noreply, State};
handle_cast(wait, State) -> receive never -> {noreply, State} end;
handle_cast(halt, _) -> halt(1);
handle_cast(start_timer, State) -> erlang:send_after(10, self(), tick), {noreply, State}.
handle_info(tick, State) -> {noreply, State}.
"#;

#[test]
fn servers_that_can_be_killed_are_still_servers() {
    let place = Place::new();
    place.write("otp.erl", OTP);
    let check = |entry: &str, options: &str, exit, executions: u64| {
        let line = format!("otp.erl --entry {entry}/0 {options} --keep-going");
        let report = place.check(exit, &line);
        assert_eq!(report["executions"], executions, "{line}");
    };
    let kill = "--kill otp:init/1";
    // Killed before it reports its start, before it waits, or before it waits again; or not.
    check("waits", "", 0, 1);
    check("waits", kill, 0, 4);
    // It may wait for ever in its loop, but not in a callback, unless it is ignored.
    check("stuck", kill, 1, 4);
    check("stuck", &format!("{kill} --ignore-process otp"), 0, 4);
    // It halts without a further point, and is not killed afterwards.
    check("halts", kill, 1, 3);
    check("halts", &format!("{kill} --ignore-process otp"), 1, 3);
    // Also before it starts the timer, and before it waits once the timer has fired. A timer is no
    // process that can be killed.
    check("timer", "", 0, 1);
    check("timer", kill, 0, 6);
    check("timer", "--kill mazurka_timer", 0, 1);
}

#[test]
fn a_kill_is_reported_and_replayed() {
    let place = place();
    let line = "check server.erl --entry lost/0 --kill server:loop/0 --daemon server:loop/0";
    let ran = place.expect(1, line);
    has(&ran, "From outside: loop (P.1)");
    has(&ran, "failing kill from outside");
    has(&ran, "passing goes on");
    has(&ran, "A kill from outside can come at any time.");
    has(&ran, "outside → loop kill");
    let logs = place.list("mazurka-logs");
    let ran = place.expect(1, &format!("replay server.erl mazurka-logs/{}", logs[0]));
    has(&ran, "kill from outside");
    has(&ran, "The error recurs: deadlock in process P");
    assert!(!ran.stdout.contains("choose"), "{}", ran.stdout);
}

#[test]
fn a_verdict_states_what_it_depends_on() {
    let place = place();
    let kill = "--kill server:once/1 --kill worker --max-kills 2";
    let ran = place.expect(0, &format!("check server.erl --entry once/0 {kill}"));
    has(&ran, "with at most 2 kills (server:once/1, worker):");
    has(
        &ran,
        "kill server:once/1, worker (at most 2 kills in an execution, at any point)",
    );

    place.expect(1, "check server.erl --entry crashes/0");
    let ignored = "--ignore-process server:crash/0";
    let ran = place.expect(0, &format!("check server.erl --entry crashes/0 {ignored}"));
    has(&ran, "except for server:crash/0:");

    place.expect(1, "check server.erl --entry two/0");
    let ignored = "--ignore-process server:once/1";
    place.expect(0, &format!("check server.erl --entry two/0 {ignored}"));

    place.expect(1, "check server.erl --entry early/0");
    let patient = "--ignore-timeouts-in lists,server";
    let ran = place.expect(0, &format!("check server.erl --entry early/0 {patient}"));
    has(&ran, "without early timeouts in lists, server:");
    let report = place.check(0, &format!("server.erl --entry early/0 {patient}"));
    assert_eq!(report["executions"], 1);

    let normal = "--treat-as-normal oops";
    let ran = place.expect(0, &format!("check server.erl --entry crashes/0 {normal}"));
    has(&ran, "with the exit reason oops as normal:");
}

#[test]
fn settings_that_cannot_be_used_are_refused() {
    let place = place();
    let refused = |line: &str, text: &str| has(&place.expect(2, line), text);
    refused(
        "check gallery:bank --kill x",
        "--kill applies to Erlang programs only",
    );
    refused(
        "check server.erl --entry once/0 --kill server:once",
        "a function as MODULE:FUNCTION/ARITY, or supervised",
    );
    refused("check server.erl --entry once/0 --max-kills 2", "--kill");
    let line = "check server.erl --entry once/0 --kill server:once/1 --algorithm odpor";
    has(&place.expect(5, line), "use --algorithm optimal");
}
