//! Erlang programs that the real `erl` runs as well: the binary must agree with it, or refuse the
//! program with exit code 5.

mod common;

use std::process::Command;

use common::{Place, Ran, flat};

#[track_caller]
fn has(ran: &Ran, text: &str) {
    let all = format!("{}{}", ran.stdout, ran.stderr);
    let is_there = flat(&all).contains(&flat(text));
    assert!(is_there, "no {text:?} in\n{all}");
}

/// Writes the module `t` with these functions.
fn program(functions: &str) -> Place {
    let place = Place::new();
    let module = format!("-module(t).\n-compile([export_all, nowarn_export_all]).\n{functions}");
    place.write("t.erl", &module);
    place
}

/// Runs `t:main/0` on the real machine, where it must return.
#[track_caller]
fn erl_returns(place: &Place) {
    let compiled = Command::new("erlc")
        .arg("t.erl")
        .current_dir(place.path())
        .output();
    assert!(compiled.unwrap().status.success());
    let code =
        "try t:main() of _ -> halt(0) catch C:R:S -> io:format(\"~p\", [{C, R, S}]), halt(1) end.";
    let ran = Command::new("erl")
        .args(["-noshell", "-eval", code])
        .current_dir(place.path())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "erl: {printed}");
    std::fs::remove_file(place.path().join("t.beam")).unwrap();
}

/// `t:main/0` returns on the real machine and in every execution here.
#[track_caller]
fn returns_as_in_erl(functions: &str) {
    let place = program(functions);
    erl_returns(&place);
    place.expect(0, "check t.erl --entry t:main/0");
}

#[test]
fn demonitor_of_another_process_s_reference() {
    returns_as_in_erl(
        "main() ->
             Me = self(),
             P = spawn(fun() -> Me ! {ref, monitor(process, Me)}, receive stop -> ok end end),
             R = receive {ref, X} -> X end,
             true = demonitor(R),
             false = demonitor(R, [info]),
             true = demonitor(R, [flush]),
             false = demonitor(R, [flush, info]),
             P ! stop.",
    );
}

/// `t:main/0` returns on the real machine, and is refused here: the message names `what` and line 4 of
/// the program, on which the last expression of `main/0` is.
#[track_caller]
fn is_refused(expression: &str, what: &str) {
    let place = program(&format!(
        "main() ->\n    Value = {expression},\n    {{Value}}.\n"
    ));
    erl_returns(&place);
    let ran = place.expect(5, "check t.erl --entry t:main/0");
    has(&ran, what);
    has(&ran, "t.erl:4");
}

#[test]
fn what_the_real_machine_has_and_this_one_has_not_is_refused() {
    let cases = [
        ("init ! hello", "the system process init"),
        ("{init, node()} ! hello", "the system process init"),
        ("whereis(code_server)", "the system process code_server"),
        (
            "monitor(process, global_name_server)",
            "the system process global_name_server",
        ),
        (
            "gen_server:call(application_controller, which_applications)",
            "the system process application_controller",
        ),
        (
            "erlang:read_timer(erlang:send_after(10, self(), x), [{async, true}])",
            "read_timer with {async,true}",
        ),
        (
            "unregister(logger_proxy)",
            "the system process logger_proxy",
        ),
        (
            "erlang:system_info(process_count)",
            "system_info(process_count)",
        ),
        ("erlang:system_info(loaded)", "system_info(loaded)"),
        (
            "erlang:system_info({cpu_topology, used})",
            "system_info({cpu_topology,used})",
        ),
        (
            "{any, other@host} ! hello",
            "a message to the node other@host",
        ),
        (
            "monitor(time_offset, clock_service)",
            "monitor(time_offset, clock_service)",
        ),
        ("monitor(port, any)", "monitor(port, any)"),
    ];
    for (expression, what) in cases {
        is_refused(expression, what);
    }
}

#[test]
fn what_the_real_machine_refuses_is_an_error() {
    returns_as_in_erl(
        "error_of(F) -> try F() of Value -> {returned, Value} catch error:Reason -> Reason end.
         main() ->
             badarg = error_of(fun() -> register(init, self()) end),
             badarg = error_of(fun() -> erlang:system_info(no_such_item) end),
             badarg = error_of(fun() -> erlang:system_info({wordsize, 1}) end),
             badarg = error_of(fun() -> spawn_opt(fun() -> ok end, [{monitor, [tag]}]) end),
             badarg = error_of(fun() -> spawn_opt(fun() -> ok end, [{monitor, x}]) end),
             badarg = error_of(fun() -> {any, 1} ! x end),
             badarg = error_of(fun() -> monitor(time_offset, x) end),
             badarg = error_of(fun() -> monitor(process, {any, other@host}) end),
             badarg = error_of(fun() -> no_such_name ! x end),
             undefined = whereis(timer_server).",
    );
}

#[test]
fn names_on_the_own_node_and_monitors_without_options() {
    returns_as_in_erl(
        "main() ->
             register(me, self()),
             hello = ({me, node()} ! hello),
             receive hello -> ok end,
             lost = ({nobody, node()} ! lost),
             lost = ({user, node()} ! lost),
             {P, R} = spawn_opt(fun() -> ok end, [{monitor, []}]),
             receive {'DOWN', R, process, P, normal} -> ok end.",
    );
}

#[test]
fn errors_are_normal_if_their_reason_is() {
    let place = program(
        "main() -> error(foo).
         tagged() -> error({foo, 1}).
         other() -> error(bar).
         linked() ->
             process_flag(trap_exit, true),
             P = spawn_link(fun() -> error(foo) end),
             receive {'EXIT', P, {foo, [_ | _]}} -> ok end.",
    );
    for entry in ["main", "tagged", "linked"] {
        let check = format!("check t.erl --entry {entry}/0");
        place.expect(1, &check);
        place.expect(0, &format!("{check} --treat-as-normal foo"));
    }
    place.expect(1, "check t.erl --entry other/0 --treat-as-normal foo");
}

const RACE_TO_SOMETHING_UNKNOWN: &str = "main() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- [1, 2, 3]],
    receive
        1 -> ok;
        2 -> error(bad);
        3 -> {re:run(\"a\", \"b\")}
    end.";

#[test]
fn errors_are_reported_although_something_is_not_modelled() {
    let place = program(RACE_TO_SOMETHING_UNKNOWN);
    let ran = place.expect(1, "check t.erl --entry main/0 --keep-going");
    has(&ran, "main (P) crashes: bad");
    has(&ran, "Not everything was explored: not modelled: re:run/2");
    let report = place.check(1, "t.erl --entry main/0 --keep-going");
    assert_eq!(report["errors"].as_array().unwrap().len(), 1);
    assert_eq!(report["stopped"], "not-modelled");
    assert_eq!(report["complete"], false);
    assert!(
        { report["fault"].as_str().unwrap() }.contains("re:run/2"),
        "{report}"
    );
    // With several models, for other tools, and if the error is expected.
    let ran = place.expect(
        1,
        "check t.erl --entry main/0 --keep-going --delivery mailbox,p2p",
    );
    has(&ran, "Not everything was explored: not modelled: re:run/2");
    let ran = place.expect(1, "check t.erl --entry main/0 --keep-going --format github");
    has(&ran, "re:run/2");
    place.expect(0, "check t.erl --entry main/0 --keep-going --expect crash");
    place.expect(
        5,
        "check t.erl --entry main/0 --keep-going --expect deadlock --expect crash",
    );
}

#[test]
fn a_step_that_does_not_end_says_what_it_repeats() {
    let place = program(
        "send() ->
             self() ! x,
             send().
         spawn() ->
             erlang:spawn(fun() -> ok end),
             spawn().
         print() ->
             io:format(\"x\"),
             print().
         compute() ->
             compute().
        ",
    );
    let cases = [
        ("send", "it sends to itself at t.erl:4 ("),
        ("spawn", "it spawns a process at t.erl:7 ("),
        ("print", "it prints"),
        ("print", "t.erl:10"),
        (
            "compute",
            "it neither sends to another process nor receives from one",
        ),
    ];
    for (entry, what) in cases {
        let ran = place.expect(5, &format!("check t.erl --entry {entry}/0"));
        has(&ran, what);
    }
}

#[test]
fn an_endless_execution_says_what_it_repeats() {
    let place = program(
        "poll(N) ->
             receive stop -> ok after 100 -> poll(N + 1) end.
         polls() ->
             spawn(fun() -> poll(0) end) ! stop.
         talk() ->
             self() ! x,
             receive x -> talk() end.
         start() ->
             Me = self(),
             spawn(fun() -> Me ! x end),
             receive x -> start() end.
        ",
    );
    let ran = place.expect(3, "check t.erl --entry poll(0) --max-depth 1000");
    has(
        &ran,
        "What repeats: t:poll/1 (P) times out at t.erl:4, 999 times in one execution.",
    );
    let ran = place.expect(3, "check t.erl --entry talk/0 --max-depth 1000");
    has(
        &ran,
        "What repeats: t:talk/0 (P) sends to itself at t.erl:8, 1000 times in one execution.",
    );
    let ran = place.expect(3, "check t.erl --entry start/0 --max-processes 200");
    has(
        &ran,
        "What repeats: t:start/0 (P) spawns a process at t.erl:12, 200 times in one execution.",
    );
    // Every execution has another one after it that polls once more.
    let ran = place.expect(3, "check t.erl --entry polls/0 --max-executions 1000");
    has(&ran, "What repeats: t:poll/1 (P.1) times out at t.erl:4, ");
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(!all.contains("Explored about"), "{all}");
}

#[test]
fn what_is_not_modelled_inside_otp_names_the_user_s_line() {
    let place = program(
        "main() ->
             Words = string:lexemes(\"a b\", \" \"),
             lists:foreach(fun(Word) -> io:format(\"~s~n\", [Word]) end, Words),
             Found = filename:basename(lists:last(filelib:wildcard(\"*\"))),
             {Found}.
         last() ->
             filelib:wildcard(\"*\").
        ",
    );
    let ran = place.expect(5, "check t.erl --entry main/0");
    has(&ran, "called from t:main/0 (t.erl:6)");
    // No call of the program is on the stack after a tail call.
    let ran = place.expect(5, "check t.erl --entry last/0");
    has(&ran, "in the process that t:last/0 started");
}

#[test]
fn a_module_that_replaces_one_of_otp_does_not_reach_the_compiler() {
    let place = program("main() -> mine = lists:whose().");
    std::fs::create_dir(place.path().join("mine")).unwrap();
    let lists = "-module(lists).\n-export([whose/0]).\nwhose() -> mine.\n";
    place.write("mine/lists.erl", lists);
    let compiled = Command::new("erlc")
        .args(["-o", "mine", "mine/lists.erl"])
        .current_dir(place.path())
        .output();
    assert!(compiled.unwrap().status.success());
    place.expect(0, "check t.erl --entry main/0 -pa mine");
    place.expect(1, "check t.erl --entry main/0");
}

#[test]
fn clocks_advance_by_timeouts() {
    returns_as_in_erl(
        "wait(Deadline) ->
             case erlang:monotonic_time(millisecond) >= Deadline of
                 true -> ok;
                 false -> timer:sleep(10), wait(Deadline)
             end.
         busy(Deadline) ->
             case erlang:monotonic_time(millisecond) >= Deadline of
                 true -> ok;
                 false -> busy(Deadline)
             end.
         main() ->
             Start = erlang:monotonic_time(millisecond),
             System = erlang:system_time(microsecond),
             timer:sleep(100),
             After = erlang:monotonic_time(millisecond),
             true = After - Start >= 100,
             true = After - Start < 10000,
             true = erlang:system_time(microsecond) - System >= 100000,
             ok = wait(After + 50),
             ok = busy(erlang:monotonic_time(millisecond) + 20),
             true = erlang:monotonic_time() + erlang:time_offset() =< erlang:system_time().",
    );
}

#[test]
fn now_is_strictly_increasing() {
    returns_as_in_erl(
        "increases(_, 0) -> ok;
         increases(Before, Left) ->
             Now = erlang:now(),
             true = Now > Before,
             increases(Now, Left - 1).
         main() ->
             First = erlang:now(),
             increases(First, 1000),
             {Micro, ok} = timer:tc(fun() -> receive after 30 -> ok end end),
             true = Micro >= 30000,
             true = timer:now_diff(erlang:now(), First) >= 30000,
             {{_, _, _}, {_, _, _}} = calendar:local_time().",
    );
}

#[test]
fn clocks_agree_with_what_happened_before() {
    returns_as_in_erl(
        "main() ->
             Me = self(),
             Time = fun() -> erlang:monotonic_time(microsecond) end,
             Start = Time(),
             timer:sleep(50),
             spawn(fun() ->
                       Spawned = Time(),
                       true = Spawned - Start >= 50000,
                       timer:sleep(200),
                       Me ! {sent, Time()}
                   end),
             Sent = receive {sent, At} -> At end,
             true = Time() >= Sent,
             true = Time() - Start >= 250000.",
    );
}

#[test]
fn a_clock_adds_no_execution() {
    let place = program(
        "main() ->
             Me = self(),
             [spawn(fun() -> timer:sleep(N), Me ! {N, erlang:now()} end) || N <- [10, 20, 10]],
             [receive {_, {_, _, _}} -> ok end || _ <- [1, 2, 3]].",
    );
    let report = place.check(0, "t.erl --entry main/0");
    assert_eq!(report["executions"], 6);
}
