//! Every line of a report fits a terminal of 80 columns. Error messages on stderr are not reports: each
//! is one line, for tools that look for it.

mod common;

use common::{Place, Ran};

const COLUMNS: usize = 80;

/// The one line that may be longer: a command to be copied, with a token in it.
fn is_replay_line(line: &str) -> bool {
    line.starts_with("  Replay: ")
}

/// Programs whose messages, names, places and reasons are long.
const LONG: &str = r#"-module(long).
-export([many/0, values/0, prints/0, warns/0, waits/0, sent/0, numbers/0]).
many() ->
    Self = self(),
    [spawn(fun() -> Self ! {a_rather_long_tag_of_a_message, I, lists:seq(1, 30)} end) || I <- [1, 2, 3]],
    receive
        {_, 1, _} -> error({a_long_reason, lists:seq(1, 60)});
        {_, 2, _} -> exit(two);
        {_, 3, List} -> hd(hd(List))
    end.
values() ->
    Self = self(),
    spawn(fun() -> Self ! {x, list_to_atom(lists:duplicate(200, $a))} end),
    spawn(fun() -> Self ! {x, list_to_binary(lists:duplicate(3000, 7))} end),
    receive {x, Binary} when is_binary(Binary) -> error(Binary); {x, Atom} -> Atom end.
prints() -> io:format("~s~n", [lists:duplicate(300, $x)]), error(printed).
warns() ->
    Child = spawn(fun() -> ok end),
    timer:sleep(5000),
    Child ! {a_dead_letter_with_a_long_name, lists:seq(1, 100)},
    self() ! {an_orphan_message_with_a_long_name, lists:seq(1, 100)}.
waits() ->
    spawn(fun() -> receive {a_message_that_no_process_sends, X, Y, Z} when X > Y, Y > Z, is_integer(X) -> ok end end).
sent() ->
    Self = self(),
    spawn(fun() -> Self ! a_message_with_a_name_that_takes_more_columns_than_a_terminal_has_in_a_line_of_it end).
numbers() ->
    Self = self(),
    [spawn(fun() -> Self ! {value, N} end) || N <- lists:seq(1, 12)],
    receive {value, 1} -> ok; {value, N} -> error({wrong, N * 1000000000}) end.
"#;

/// A folder with a long name, so that places are long.
const FOLDER: &str = "a_folder_with_a_long_name/and_another_one_in_it";

#[track_caller]
fn fits(line: &str, ran: &Ran) {
    for one in ran.stdout.lines().filter(|line| !is_replay_line(line)) {
        let columns = one.chars().count();
        assert!(
            columns <= COLUMNS,
            "mazurka {line}: {columns} columns\n{one}"
        );
    }
}

const WAYS: [&str; 8] = [
    "",
    "--keep-going",
    "--verbose",
    "--diagram",
    "--delivery mailbox,unordered --keep-going",
    "--sample 10",
    "--hunt",
    "--error orphan --error dead-letter --max-depth 15",
];

/// The program in all ways, and its replay. Which verdict it has does not matter here.
fn check(place: &Place, program: &str) {
    for way in WAYS {
        let line = format!("check {program} {way} --max-executions 60 --max-seconds 5");
        let line = match way {
            "--hunt" => line.replace("--max-executions 60", ""),
            _ => line,
        };
        let ran = place.run(&line);
        assert!(
            matches!(ran.code, Some(0 | 1 | 3 | 4)),
            "mazurka {line}\n{ran:#?}"
        );
        fits(&line, &ran);
        let replay = ran.stdout.lines().find(|line| is_replay_line(line));
        if let Some(line) = replay.and_then(|line| line.split_once("mazurka ")) {
            fits(line.1, &place.run(line.1));
        }
    }
}

/// The programs of the gallery that are wrong on purpose.
#[test]
fn programs_of_the_gallery() {
    let place = Place::new();
    let list = place.expect(0, "gallery").stdout;
    let mut checked = 0;
    for part in list.split("gallery:").skip(1) {
        if part.contains("wrong on purpose") {
            let name = part.split_whitespace().next().unwrap();
            check(&place, &format!("gallery:{name}"));
            checked += 1;
        }
    }
    assert!(checked >= 12, "{checked} programs in\n{list}");
}

#[test]
fn erlang_examples_in_a_long_path() {
    let place = Place::new();
    std::fs::create_dir_all(place.path().join(FOLDER)).unwrap();
    for (name, text, arguments) in [
        (
            "bank.erl",
            include_str!("../../../examples/erlang/bank.erl"),
            "--entry bank:run(2) --daemon bank:bank/1",
        ),
        (
            "cache.erl",
            include_str!("../../../examples/erlang/cache.erl"),
            "--entry cache:main/0 --daemon cache:store/1",
        ),
        (
            "link_monitor.erl",
            include_str!("../../../examples/erlang/link_monitor.erl"),
            "--entry link_monitor:monitor_late/0",
        ),
        (
            "name_race.erl",
            include_str!("../../../examples/erlang/name_race.erl"),
            "--entry name_race:run(3)",
        ),
        (
            "philosophers.erl",
            include_str!("../../../examples/erlang/philosophers.erl"),
            "--entry philosophers:run(3)",
        ),
        (
            "pool.erl",
            include_str!("../../../examples/erlang/pool.erl"),
            "--entry pool:run/0",
        ),
    ] {
        place.write(&format!("{FOLDER}/{name}"), text);
        check(&place, &format!("{FOLDER}/{name} {arguments}"));
    }
}

#[test]
fn long_messages_and_reasons() {
    let place = Place::new();
    place.write("long.erl", LONG);
    for entry in [
        "many", "values", "prints", "warns", "waits", "sent", "numbers",
    ] {
        check(&place, &format!("long.erl --entry long:{entry}/0"));
    }
}
