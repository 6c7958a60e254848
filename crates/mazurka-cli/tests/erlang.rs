//! Erlang programs on the command line, compiled by the real `erlc`.

mod common;

use common::{Place, Ran, flat};
use serde_json::Value;

/// Prints, races, and has tests that pass and fail.
const HELLO: &str = r#"-module(hello).
-export([hi/0, add/2, loop/0, leave/1, regex/0, serve/0]).
-include_lib("eunit/include/eunit.hrl").

hi() ->
    io:format("hello ~p~n", [world]),
    Self = self(),
    [spawn(fun() -> io:format("child ~p~n", [N]), Self ! {n, N} end) || N <- [1, 2]],
    receive {n, X} -> io:format("first ~p~n", [X]) end,
    receive {n, _} -> ok end,

    ?assertEqual(1, X).

fine_test() ->
    ?assert(lists:member(2, [1, 2])).

bad_test() ->
    ?assertEqual(5, add(1, 2)).

add(A, B) -> A + B.

loop() -> loop().

leave(Reason) -> exit(Reason).

regex() ->
    Found = re:run("abc", "b"),
    {Found}.

serve() ->
    Self = self(),
    register(server, spawn(fun() -> receive never -> Self end end)).
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("hello.erl", HELLO);
    place
}

#[track_caller]
fn has(ran: &Ran, text: &str) {
    let all = format!("{}{}", ran.stdout, ran.stderr);
    let is_there = all.contains(text) || flat(&all).contains(&flat(text));
    assert!(is_there, "no {text:?} in\n{all}");
}

/// Two messages that are equal to most operators, and one operator that distinguishes them.
#[test]
fn no_message_is_replaced_by_one_like_it() {
    let cases = [
        ("0.0", "-0.0", "<<A/float>> =:= <<0:64>>"),
        ("1", "1.0", "is_integer(A)"),
        ("#{1 => a}", "#{1.0 => a}", "is_map_key(1, A)"),
        ("<<1:1>>", "<<1:2>>", "bit_size(A) =:= 1"),
        ("[]", "<<>>", "is_list(A)"),
        (
            "fun lists:sum/1",
            "fun(L) -> lists:sum(L) end",
            "erlang:fun_info(A, type) =:= {type, external}",
        ),
    ];
    let place = Place::new();
    for (at, (one, other, is_first)) in cases.into_iter().enumerate() {
        let module = format!("alike{at}");
        let program = format!(
            "-module({module}).\n-export([main/0]).\n\
             main() ->\n    Me = self(),\n    spawn(fun() -> Me ! {one} end),\n    \
             spawn(fun() -> Me ! {other} end),\n    A = receive X -> X end,\n    \
             receive _ -> ok end,\n    true = ({is_first}).\n"
        );
        place.write(&format!("{module}.erl"), &program);
        let ran = place.expect(
            1,
            &format!("check {module}.erl --entry {module}:main/0 --keep-going"),
        );
        has(&ran, "in 1 of 2 executions; all were explored.");
        has(&ran, "{badmatch, false}");
    }
}

#[test]
fn a_race_is_found_explained_and_replayed() {
    let place = place();
    let ran = place.expect(1, "check hello.erl --entry hello:hi/0");
    has(
        &ran,
        "A failed assertion in 1 of 2 executions; all were explored.\n",
    );
    has(
        &ran,
        "✗ hi (P) fails: assertEqual failed: X, expected 1, is 2             hello.erl:12\n",
    );
    has(
        &ran,
        "  The race: hi (P) takes a message at hello.erl:9 (step 7)\n      \
         failing   {n, 2} from fun of hi P.2  sent at hello.erl:8\n      \
         passing   {n, 1} from fun of hi P.1  sent at hello.erl:8\n",
    );
    // Every step, what was printed, and the source are one option away.
    let all = place.expect(1, "check hello.erl --entry hello:hi/0 --verbose");
    has(
        &all,
        "       hi             | hello world\n    \
         1  hi             spawn fun of hi P.1  hello.erl:8\n",
    );
    has(
        &all,
        "       fun of hi P.2  | child 2\n    \
         3  fun of hi P.2  send {n, 2} to hi  hello.erl:8\n",
    );
    has(&all, "    hello.erl:12  ?assertEqual(1, X).\n");
    let log = "mazurka-logs/hello.erl-assertion-1.json";
    has(&ran, "Replay: mazurka replay hello.erl mz1:");

    let again = place.expect(1, &format!("replay hello.erl {log}"));
    has(&again, "    hi             | first 2\n");
    has(&again, "assertEqual failed");
    // A path to the same file is the same program.
    place.expect(1, &format!("replay ./hello.erl {log}"));
    let ran = place.expect(2, &format!("replay gallery:fan-in {log}"));
    has(&ran, "this belongs to hello.erl");
}

#[test]
fn traces_races_and_variants() {
    let place = place();
    place.expect(
        0,
        "trace hello.erl --entry hello:hi/0 -o trace.json --delivery p2p",
    );
    let trace: Value = serde_json::from_str(&place.read("trace.json")).unwrap();
    assert_eq!(trace["params"]["entry"], "hello:hi/0");
    assert_eq!(trace["notes"]["P"][0]["output"], "hello world\n");
    has(&place.expect(0, "races trace.json"), "{n, ");
    let ran = place.expect(0, "variants trace.json -o variants");
    let variant = place.list("variants").remove(0);
    has(&ran, "takes");
    // The other order is the one in which the assertion fails, or the one in which it does not.
    let first = place.run("replay hello.erl trace.json").code;
    let other = place
        .run(&format!("replay hello.erl variants/{variant}"))
        .code;
    assert_eq!(
        [first, other]
            .map(|code| code == Some(1))
            .iter()
            .filter(|bug| **bug)
            .count(),
        1
    );
}

#[test]
fn every_test_without_an_entry() {
    let place = place();
    let ran = place.expect(1, "check hello.erl");
    has(
        &ran,
        "✗ bad_test (P) fails: assertEqual failed: add ( 1 , 2 ), expected 5, is 3\n    \
         at hello.erl:18\n",
    );
    has(
        &ran,
        "test               executions  errors  ended\n\
         hello:fine_test/0           1       0  passed\n\
         hello:bad_test/0            1       1  failed\n",
    );
    let reports = place.check(1, "hello.erl");
    let entries: Vec<_> = reports.as_array().unwrap().iter().collect();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0]["params"]["entry"], "hello:fine_test/0");
    assert_eq!(entries[1]["errors"][0]["kind"], "assertion");
    // A folder has the tests of all its modules.
    place.write(
        "more.erl",
        "-module(more).\n-export([one_test/0]).\none_test() -> ok.\n",
    );
    has(&place.expect(1, "check ."), "more:one_test/0");
}

#[test]
fn other_commands_and_settings() {
    let place = place();
    let report = place.check(1, "hello.erl --entry hello:hi/0");
    assert_eq!(report["delivery"], "mailbox");
    let report = place.check(
        1,
        "hello.erl --entry hello:hi/0 --delivery causal --distrust",
    );
    assert_eq!(report["delivery"], "causal");
    let ran = place.expect(
        1,
        "lab compare hello.erl --entry hello:hi/0 --algorithms optimal,source",
    );
    has(&ran, "delivery mailbox");
    has(&ran, "source");
    // Arguments are terms; a .beam file and a module will do as well.
    place.expect(0, "check hello.erl --entry hello:add(1,2)");
    let erlc = std::process::Command::new("erlc")
        .arg("hello.erl")
        .current_dir(place.path())
        .status();
    assert!(erlc.unwrap().success());
    place.expect(0, "check hello.beam --entry hello:add(1,16#ff)");
    place.expect(0, "check hello --entry hello:add(1,2) -pa .");
    // Exits for other reasons than normal ones are errors, unless they are known.
    let ran = place.expect(1, "check hello.erl --entry hello:leave(done)");
    has(&ran, "leave (P) crashes: exit with done hello.erl:24");
    place.expect(
        0,
        "check hello.erl --entry hello:leave(done) --treat-as-normal done",
    );
    place.expect(
        0,
        "check hello.erl --entry hello:leave({done,1}) --treat-as-normal done",
    );
    place.expect(0, "check hello.erl --entry hello:leave({shutdown,1})");
}

#[test]
fn servers_are_stuck_unless_they_are_daemons() {
    let place = place();
    let ran = place.expect(1, "check hello.erl --entry hello:serve/0");
    has(
        &ran,
        "✗ server (P.1) waits for ever for a message, which no process sends",
    );
    has(&ran, "--daemon");
    place.expect(0, "check hello.erl --entry hello:serve/0 --daemon hello");
    place.expect(
        0,
        "check hello.erl --entry hello:serve/0 --daemon hello:serve/0",
    );
    place.expect(
        1,
        "check hello.erl --entry hello:serve/0 --daemon hello:hi/0",
    );
}

/// The commands in a report reproduce every setting, whatever characters it has.
#[test]
fn lines_of_reports_can_be_run_again() {
    let place = Place::new();
    let folders = ["my code", "it's \"here\""];
    for (folder, module) in folders.into_iter().zip(["one", "two"]) {
        let path = place.path().join(folder);
        std::fs::create_dir(&path).unwrap();
        let code = format!(
            "-module('{module} more').\n-export([n/0, serve/0]).\nn() -> 1.\n\
             serve() -> receive never -> ok end.\n"
        );
        let file = format!("{module} more.erl");
        std::fs::write(path.join(&file), code).unwrap();
        let mut erlc = std::process::Command::new("erlc");
        assert!(erlc.arg(file).current_dir(path).status().unwrap().success());
    }
    let program = "-module('my program').\n-export(['go on'/1]).\n\
         'go on'('what else') ->\n    Me = self(),\n    spawn(fun 'one more':serve/0),\n    \
         spawn(fun() -> Me ! 'one more':n(), exit('going down') end),\n    \
         spawn(fun() -> Me ! 1 + 'two more':n(), exit({'it\\'s over', 1}) end),\n    \
         X = receive A -> A end,\n    receive _ -> ok end,\n    1 = X.\n";
    place.write("my program.erl", program);
    let line = r#"mazurka check 'my program.erl' --entry "'my program':'go on'('what else')" \
        --pa 'my code' -pa "it's \"here\"" --daemon "'one more':serve/0" --no-logs \
        --treat-as-normal "'going down'" --treat-as-normal "'it\\'s over'" --max-depth 100001"#;
    let shown = |ran: &Ran, what: &str| -> String {
        let mut lines = ran.stdout.lines().map(str::trim);
        let found = lines.find_map(|line| line.strip_prefix(what));
        found
            .unwrap_or_else(|| panic!("no {what}{ran:#?}"))
            .to_owned()
    };
    let checked = place.shell(line);
    assert_eq!(checked.code, Some(1), "{checked:#?}");
    has(&checked, "in 1 of 2 executions; all were explored");
    let replay = shown(&checked, "Replay: ");
    assert!(replay.ends_with(" --max-depth 100001"), "{replay}");
    let replayed = place.shell(&replay);
    assert_eq!(replayed.code, Some(1), "{replayed:#?}");
    has(&replayed, "The error recurs");
    place.write("my program.erl", &program.replace("1 = X", "X"));
    let fixed = place.shell(&replay);
    assert_eq!(fixed.code, Some(0), "{fixed:#?}");
    let checked = place.shell(&shown(&fixed, "Check all: "));
    assert_eq!(checked.code, Some(0), "{checked:#?}");
    has(&checked, "nothing goes wrong in any of the 2 executions");
}

#[test]
fn what_is_not_modelled_is_named() {
    let place = place();
    let ran = place.expect(5, "check hello.erl --entry hello:regex/0");
    has(&ran, "re:run/2, used in hello:regex/0 (hello.erl:27)");
    let ran = place.expect(5, "check hello.erl --entry hello:loop/0");
    has(&ran, "in hello:loop/0");
}

#[test]
fn mistakes() {
    let place = place();
    for (line, expected) in [
        ("missing.erl", "missing.erl"),
        ("hello.erl --entry hello", "column 6: "),
        ("hello.erl --entry hello:hi(", "column 10: "),
        ("hello.erl --entry hello:add/2", "write hello:add("),
        (
            "hello.erl --entry hello:add(1)",
            "exports add with 2 arguments, not with 1",
        ),
        ("hello.erl --entry hello:no/0", "exports no function no/0"),
        ("hello.erl --entry nobody:no/0", "the module nobody"),
        (
            "hello.erl --param n=1",
            "Erlang programs have no parameters",
        ),
        (
            "hello.erl --entry hello:hi/0 --pa nowhere",
            "--pa nowhere: no such folder",
        ),
        (
            "hello.erl --entry hello:hi/0 --daemon hello:serve",
            "MODULE:FUNCTION/ARITY",
        ),
        (
            "hello.erl --entry hello:hi/0 --treat-as-normal {a",
            "--treat-as-normal {a",
        ),
    ] {
        let ran = place.expect(2, &format!("check {line}"));
        has(&ran, expected);
        assert_eq!(ran.stdout, "", "{line}");
    }
    place.write("broken.erl", "-module(broken).\nf( -> ok.\n");
    has(&place.expect(2, "check broken.erl"), "broken.erl:2:");
    place.write("hello.beam", "this is no code");
    let ran = place.expect(2, "check hello.beam --entry hello:hi/0");
    has(&ran, "hello.beam");
}

/// The lines of the clauses of the pool, each with how often it took a message.
fn clauses_of_the_pool(options: &str) -> Vec<(String, u64)> {
    let place = Place::new();
    place.write(
        "pool.erl",
        include_str!("../../../examples/erlang/pool.erl"),
    );
    let report = place.check(1, &format!("pool.erl --entry pool:run/0 {options}"));
    let clauses = report["clauses"].as_array().expect("clauses").iter();
    let clauses = clauses.map(|clause| {
        let place = clause["place"].as_str().expect("a place").to_owned();
        (place, clause["taken"].as_u64().expect("a number"))
    });
    clauses.collect()
}

#[test]
fn clauses_have_the_lines_of_the_source() {
    let check = |options, expected: [(u32, u64); 9]| {
        let expected = expected.map(|(line, taken)| (format!("pool.erl:{line}"), taken));
        assert_eq!(clauses_of_the_pool(options), expected);
    };
    // The first execution ends badly, and early: one borrowed and kept what the other waits for.
    check(
        "",
        [
            (27, 0),
            (33, 1),
            (39, 0),
            (44, 0),
            (52, 1),
            (55, 0),
            (62, 0),
            (67, 0),
            (71, 0),
        ],
    );
    // The entry does not run the pool that monitors.
    check(
        "--keep-going",
        [
            (27, 1),
            (33, 2),
            (39, 1),
            (44, 1),
            (52, 3),
            (55, 1),
            (62, 0),
            (67, 0),
            (71, 0),
        ],
    );
}

/// Test generators of every kind. Those that fail are marked.
const SUITE: &str = include_str!("suite/generators.erl");

/// Each generator of the suite, and whether it passes: compared with the real EUnit below.
const GENERATORS: &[(&str, bool)] = &[
    ("list_test_", true),
    ("bad_list_test_", false),
    ("deep_test_", true),
    ("titles_test_", true),
    ("bad_title_test_", false),
    ("line_test_", true),
    ("named_test_", true),
    ("bad_named_test_", false),
    ("lazy_test_", true),
    ("bad_lazy_test_", false),
    ("setup_test_", true),
    ("setup_only_test_", true),
    ("bad_setup_test_", false),
    ("bad_cleanup_test_", false),
    ("cleaned_test_", true),
    ("local_test_", true),
    ("setups_test_", true),
    ("instantiate_test_", true),
    ("bad_instantiate_test_", false),
    ("with_test_", true),
    ("bad_with_test_", false),
    ("foreach_test_", true),
    ("bad_foreach_test_", false),
    ("foreachx_test_", true),
    ("bad_foreachx_test_", false),
    ("spawn_test_", true),
    ("bad_spawn_test_", false),
    ("timeout_test_", true),
    ("inorder_test_", true),
    ("inparallel_test_", true),
    ("bad_inparallel_test_", false),
    ("module_test_", true),
    ("bad_module_test_", false),
    ("bad_description_test_", false),
    ("bad_throw_test_", false),
    ("bad_exit_test_", false),
    ("killed_test_", false),
];

fn suite() -> Place {
    let place = Place::new();
    place.write("generators.erl", SUITE);
    place.write(
        "other.erl",
        "-module(other).\n-export([fine_test/0]).\nfine_test() -> ok.\n",
    );
    place.write(
        "worse.erl",
        "-module(worse).\n-export([bad_test_/0]).\nbad_test_() -> fun() -> error(bad) end.\n",
    );
    let erlc = std::process::Command::new("erlc")
        .args(["generators.erl", "other.erl", "worse.erl"])
        .current_dir(place.path())
        .status();
    assert!(erlc.expect("Erlang").success());
    place
}

#[test]
fn generators_pass_and_fail_as_in_eunit() {
    let place = suite();
    let ran = place.run("check generators.erl --pa .");
    assert_eq!(ran.code, Some(1));
    // A row for each part of a generator: it passes if all of them do.
    let rows: Vec<&str> = { ran.stdout.lines() }
        .filter(|line| line.starts_with("generators:"))
        .collect();
    for (name, passes) in GENERATORS {
        let start = format!("generators:{name}/0");
        let of_it = |row: &&&str| row.split([' ', '#']).next() == Some(&start);
        let parts: Vec<_> = rows.iter().filter(of_it).collect();
        assert!(!parts.is_empty(), "no {name} in\n{}", ran.stdout);
        let passed = parts.iter().all(|row| row.ends_with("passed"));
        assert_eq!(passed, *passes, "{parts:?}");
    }
    // Those of a foreach fixture are explored apart, all others together.
    let parts = rows.iter().filter(|row| row.contains('#')).count();
    assert_eq!(rows.len() - parts, GENERATORS.len(), "{rows:?}");
    assert_eq!(parts, 8, "{rows:?}");
}

#[test]
fn eunit_itself_says_the_same_of_generators() {
    let place = suite();
    let run = |program: &str, arguments: &[&str]| {
        let output = std::process::Command::new(program)
            .args(arguments)
            .current_dir(place.path())
            .output()
            .expect("Erlang");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let names: Vec<_> = GENERATORS.iter().map(|(name, _)| *name).collect();
    let test = format!(
        "[io:format(\"~s ~p~n\", [F, eunit:test({{generator, generators, F}}, [no_tty])]) \
         || F <- [{}]], halt().",
        names.join(", ")
    );
    let output = run("erl", &["-noshell", "-eval", &test]);
    for (name, passes) in GENERATORS {
        let expected = match passes {
            true => format!("{name} ok"),
            false => format!("{name} error"),
        };
        let found = output.lines().any(|line| line == expected);
        assert!(found, "no {expected:?} in\n{output}");
    }
}

#[test]
fn generators_are_named_replayed_and_refused() {
    let place = suite();
    let ran = place.expect(
        1,
        "check generators.erl --entry generators:bad_title_test_/0 --verbose",
    );
    has(&ran, "✗ bad_title_test_ (P) fails");
    has(&ran, "| test at line 18: sums, wrong");
    let log = "mazurka-logs/generators.erl-assertion-1.json";
    place.expect(1, &format!("replay generators.erl {log}"));
    // A part of a foreach fixture has its number.
    place.expect(
        0,
        "check generators.erl --entry generators:bad_foreach_test_/0#1",
    );
    place.expect(
        1,
        "check generators.erl --entry generators:bad_foreach_test_/0#2",
    );
    let log = "mazurka-logs/generators.erl-assertion-1.json";
    place.expect(1, &format!("replay generators.erl {log}"));
    // What cannot be run is named, and nothing is verified.
    for (entry, what) in [
        ("node_test_", "tests on another node, {node, Node, Tests}"),
        (
            "remote_test_",
            "tests on another node, {spawn, Node, Tests}",
        ),
        ("file_test_", "a file or folder of tests"),
    ] {
        let line = format!("check generators.erl --entry generators:{entry}/0");
        let ran = place.expect(5, &line);
        has(&ran, &format!("{what}, used in generators:{entry}/0"));
    }
}

#[test]
fn a_test_that_exits_normally_fails() {
    let place = Place::new();
    place.write(
        "quits.erl",
        "-module(quits).\n-export([quit_test/0, quit/0]).\n\
         quit_test() -> quit().\nquit() -> exit(normal).\n",
    );
    has(&place.expect(1, "check quits.erl"), "exit with normal");
    place.expect(0, "check quits.erl --entry quits:quit/0");
}

/// Operations that take very long, or very much memory.
const LARGE: &str = r#"-module(large).
-compile([export_all, nowarn_export_all]).
shared(0) -> leaf;
shared(N) -> Half = shared(N - 1), {Half, Half}.
copy(N) -> binary:copy(binary:copy(<<0>>, 1000000), N).
digits(N) -> integer_to_list((1 bsl N) * 3).
encode(N) -> byte_size(term_to_binary(shared(N))).
same(N) -> shared(N) =:= shared(N).
send(N) ->
    self() ! shared(N),
    self() ! shared(N),
    receive _ -> ok end.
append(List) -> append(List ++ List).
print(N) -> io:format("~p~n", [N]), print(N).
fail(N) -> exit({shared(N), binary:copy(<<255>>, 1000000)}).
"#;

#[test]
fn bounds_act_inside_a_step() {
    let place = Place::new();
    place.write("large.erl", LARGE);
    let check = |entry: &str, bound: &str, end: &str, what: &str| {
        let started = std::time::Instant::now();
        let ran = place.expect(3, &format!("check large.erl --entry {entry} {bound}"));
        has(&ran, &format!("({bound}), inside a step: {what}"));
        assert!(started.elapsed().as_secs() < 60, "{entry}");
        let report = place.check(3, &format!("large.erl --entry {entry} {bound}"));
        assert_eq!(report["stopped"], end, "{entry}");
    };
    let memory = "--max-memory 300";
    check(
        "large:copy(2600)",
        memory,
        "memory-bound",
        "process P in binary:copy/2, called in large:copy/1 (large.erl:5)",
    );
    check(
        "large:append([1])",
        memory,
        "memory-bound",
        "process P in erlang:'++'/2, called in large:append/1 (large.erl:13)",
    );
    let time = "--max-seconds 1";
    check(
        "large:digits(33000000)",
        time,
        "time-bound",
        "process P in erlang:integer_to_list/1, called in large:digits/1 (large.erl:6)",
    );
    check(
        "large:encode(40)",
        time,
        "time-bound",
        "process P in erlang:term_to_binary/1, called in large:encode/1 (large.erl:7)",
    );
    check(
        "large:same(40)",
        time,
        "time-bound",
        "process P in large:same/1",
    );
    check(
        "large:send(40)",
        time,
        "time-bound",
        "comparing two messages",
    );
    // Printing is work, too.
    has(
        &place.expect(5, "check large.erl --entry large:print(1)"),
        "a loop that runs for ever",
    );
}

#[test]
fn large_values_are_cut_in_every_output() {
    let place = Place::new();
    place.write("large.erl", LARGE);
    let entry = "large.erl --entry large:fail(35)";
    let ran = place.expect(1, &format!("check {entry} --html report.html"));
    has(&ran, "more characters, #");
    assert!(ran.stdout.len() < 20_000, "{}", ran.stdout.len());
    assert!(place.read("report.html").len() < 400_000);
    assert!(place.check(1, entry).to_string().len() < 40_000);
    let log = place.read("mazurka-logs/large.erl-crash-1.json");
    assert!(log.len() < 10_000, "{}", log.len());
    place.expect(1, "replay large.erl mazurka-logs/large.erl-crash-1.json");
}
