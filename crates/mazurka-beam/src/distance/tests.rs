//! Exact bounds of small functions, compiled by the real compiler.

use std::process::Command;

use super::Analysis;
use super::solve::NEVER;
use crate::code::{Library, Mfa};
use crate::machine::{Machine, Process, Start, Target};
use crate::source::Otp;
use crate::term::{Atom, PidTerm, Term};

/// Compiles functions to the module `m`.
fn compile(functions: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("m.erl");
    let head = "-module(m).\n-compile([export_all, nowarn_export_all]).\n";
    std::fs::write(&file, format!("{head}{functions}")).expect("a file");
    let mut compiler = Command::new("erlc");
    let output = compiler.arg("-o").arg(folder.path()).arg(file).output();
    let output = output.expect("the compiler");
    assert!(output.status.success(), "{output:?}\n{functions}");
    folder
}

/// The program that starts with `m:entry()`.
fn entry() -> Start {
    Start {
        module: Atom::new("m"),
        name: Atom::new("entry"),
        arguments: Vec::<Term>::new(),
        leader: PidTerm::leader(),
        clock_us: 0,
    }
}

/// Compiles functions and analyses them.
fn analyse(functions: &str) -> Analysis {
    let folder = compile(functions);
    let otp = Otp::find().expect("an installation");
    let folders = [folder.path().to_path_buf()].into_iter();
    let library = Library::new(folders.chain(otp.folders())).with_own_folders(1);
    Analysis::new(library, &entry())
}

/// What the analysis finds for a function: the least number of visible operations until it fails, and
/// until it returns; `-` if that does not happen.
fn shown(analysis: &Analysis, function: &str) -> String {
    let (name, arity) = function.split_once('/').expect("a name and an arity");
    let mfa = Mfa {
        module: Atom::new("m"),
        name: Atom::new(name),
        arity: arity.parse().expect("a number"),
    };
    let Ok(Target::Code(at)) = Target::find(&analysis.library, mfa) else {
        panic!("no function {mfa}");
    };
    let node = analysis.graph.node(&analysis.library, at);
    let bound = analysis.bounds.node(node.expect("analysed"));
    let number = |operations: u32| match operations {
        NEVER => "-".to_owned(),
        operations => operations.to_string(),
    };
    format!(
        "fails {}, returns {}",
        number(bound.fail),
        number(bound.back)
    )
}

/// Compares the bounds of functions with those expected.
#[track_caller]
fn check(functions: &str, expected: &[(&str, &str)]) {
    let analysis = analyse(functions);
    let found: Vec<(&str, String)> = expected
        .iter()
        .map(|&(function, _)| (function, shown(&analysis, function)))
        .collect();
    let expected: Vec<(&str, String)> = expected
        .iter()
        .map(|&(function, bound)| (function, bound.to_owned()))
        .collect();
    assert_eq!(found, expected, "{functions}");
}

#[test]
fn operations_are_counted() {
    check(
        "
receives() -> receive X -> X end.
asserts() -> receive X -> ok = X end.
sends(P) -> P ! a, erlang:send(P, b), receive X -> true = X end.
times_out() -> receive after 10 -> error(late) end.
waits(T) -> receive X -> X after T -> error(late) end.
spawns() -> spawn(fun() -> ok end), error(done).
spawns_by_name() -> spawn_link(lists, seq, [1, 2]), error(done).
names(P) -> register(server, P), error(done).
stores(T) -> ets:insert(T, {k, 1}), [{k, 1}] = ets:lookup(T, k).
",
        &[
            ("receives/0", "fails -, returns 1"),
            ("asserts/0", "fails 1, returns 1"),
            ("sends/1", "fails 3, returns 3"),
            ("times_out/0", "fails 1, returns -"),
            ("waits/1", "fails 1, returns 1"),
            ("spawns/0", "fails 1, returns -"),
            ("spawns_by_name/0", "fails 1, returns -"),
            ("names/1", "fails 1, returns -"),
            ("stores/1", "fails 2, returns 2"),
        ],
    );
}

#[test]
fn every_way_to_fail() {
    check(
        "
-include_lib(\"eunit/include/eunit.hrl\").
-record(r, {x}).
no_match(X) -> receive Y -> X = Y end.
no_case(X) -> receive Y -> case {X, Y} of {a, b} -> ok end end.
no_if(X) -> receive Y -> if X > Y -> ok end end.
no_clause(1) -> ok.
calls_no_clause() -> receive X -> no_clause(X) end.
no_record(X) -> receive Y -> Y#r.x + X end.
raises_error() -> receive a -> error(a); X -> X end.
raises_error_with() -> receive a -> erlang:error(a, []); X -> X end.
raises_exit() -> receive a -> exit(a); X -> X end.
raises_throw() -> receive a -> throw(a); X -> X end.
raises() -> receive a -> erlang:raise(exit, a, []); X -> X end.
asserts() -> receive X -> ?assertEqual(1, X) end.
asserts_that() -> receive X -> ?assert(X), X end.
matches() -> receive X -> ?assertMatch({ok, _}, X) end.
ends() -> receive a -> exit(normal); b -> exit(shutdown); X -> X end.
",
        &[
            ("no_match/1", "fails 1, returns 1"),
            ("no_case/1", "fails 1, returns 1"),
            ("no_if/1", "fails 1, returns 1"),
            ("no_clause/1", "fails 0, returns 0"),
            ("calls_no_clause/0", "fails 1, returns 1"),
            ("no_record/1", "fails 1, returns 1"),
            ("raises_error/0", "fails 1, returns 1"),
            ("raises_error_with/0", "fails 1, returns 1"),
            ("raises_exit/0", "fails 1, returns 1"),
            ("raises_throw/0", "fails 1, returns 1"),
            ("raises/0", "fails 1, returns 1"),
            ("asserts/0", "fails 1, returns 1"),
            ("asserts_that/0", "fails 1, returns 1"),
            ("matches/0", "fails 1, returns 1"),
            ("ends/0", "fails -, returns 1"),
        ],
    );
}

#[test]
fn through_calls_and_recursion() {
    check(
        "
outer(P) -> inner(P), last().
inner(P) -> P ! x, P ! y, ok.
last() -> receive 1 -> error(one); _ -> ok end.
closed() -> receive open -> opened(); _ -> closed() end.
opened() -> receive knock -> knocked(); close -> closed(); _ -> opened() end.
knocked() -> receive twice -> error(twice); _ -> closed() end.
endless() -> receive _ -> endless() end.
deep() -> receive more -> deep(), receive ok -> ok end; done -> ok end.
deep_fails() -> receive more -> deep_fails(), receive X -> ok = X end; done -> ok end.
even() -> receive _ -> odd() end.
odd() -> receive a -> even(); b -> error(b) end.
",
        &[
            ("outer/1", "fails 3, returns 3"),
            ("last/0", "fails 1, returns 1"),
            ("closed/0", "fails 3, returns -"),
            ("opened/0", "fails 2, returns -"),
            ("knocked/0", "fails 1, returns -"),
            ("endless/0", "fails -, returns -"),
            ("deep/0", "fails -, returns 1"),
            ("deep_fails/0", "fails 3, returns 1"),
            ("even/0", "fails 2, returns -"),
            ("odd/0", "fails 1, returns -"),
        ],
    );
}

#[test]
fn handlers_of_the_program_catch() {
    check(
        "
caught() -> receive X -> try ok = X catch _:_ -> caught end end.
caught_in_call() -> try bad() catch _:_ -> ok end.
bad() -> receive X -> ok = X end.
old() -> X = (catch bad()), X.
fails_later() -> try bad() catch _:_ -> receive Y -> ok = Y end end.
fails_in_handler() -> try bad() catch _:_ -> error(worse) end.
fails_after() -> X = (catch bad()), receive Y -> X = Y end.
nested() -> try (try bad() catch _:_ -> bad() end) catch _:_ -> ok end.
again() -> try bad() catch error:one -> ok end.
cleans() -> receive X -> try id(X) after ok end end.
id(X) -> X.
",
        &[
            ("caught/0", "fails -, returns 1"),
            ("caught_in_call/0", "fails -, returns 0"),
            ("bad/0", "fails 1, returns 1"),
            ("old/0", "fails -, returns 0"),
            ("fails_later/0", "fails 1, returns 1"),
            ("fails_in_handler/0", "fails 0, returns 1"),
            ("fails_after/0", "fails 1, returns 1"),
            ("nested/0", "fails -, returns 0"),
            ("again/0", "fails 0, returns 0"),
            ("cleans/0", "fails 1, returns 1"),
        ],
    );
}

#[test]
fn calls_of_otp_and_of_funs() {
    check(
        "
prints() -> io:format(\"~p~n\", [x]), receive X -> ok = X end.
counts() -> length(lists:seq(1, 3)).
calls(S) -> ok = gen_server:call(S, a), ok = gen_server:call(S, b).
sleeps() -> timer:sleep(10), error(awake).
each(P) -> lists:foreach(fun(X) -> P ! X, P ! X, ok = X end, [1, 2]), receive Y -> ok = Y end.
applies(F) -> F().
applies_name(M) -> M:f().
logs() -> logger:info(x), receive X -> ok = X end.
",
        &[
            ("prints/0", "fails 1, returns 1"),
            ("counts/0", "fails -, returns 0"),
            ("calls/1", "fails 1, returns 2"),
            ("sleeps/0", "fails 1, returns -"),
            ("each/1", "fails 1, returns 1"),
            ("applies/1", "fails 2, returns 0"),
            ("applies_name/1", "fails 2, returns 0"),
            ("logs/0", "fails 1, returns 1"),
        ],
    );
}

/// A module whose name is a value may be called by that name.
#[test]
fn modules_that_are_passed_around() {
    let functions = "
entry() -> spawn(?MODULE, loop, []).
loop() -> receive a -> loop(); b -> error(b) end.
applies(F) -> F().
";
    check(functions, &[("applies/1", "fails 1, returns 0")]);
    let functions = "
entry() -> spawn(fun() -> loop() end).
loop() -> receive a -> loop(); b -> receive c -> error(b) end end.
applies(F) -> F().
";
    check(functions, &[("applies/1", "fails 2, returns 0")]);
}

/// The distance of the entry process at its first stop.
#[track_caller]
fn check_process(functions: &str, expected: Option<u32>) {
    let analysis = analyse(functions);
    let mut process = Process::new(PidTerm::entry(), &entry());
    let mut effects = Vec::new();
    Machine::new().run(&analysis.library, &mut process, &mut effects);
    assert_eq!(analysis.of(&process), expected, "{functions}");
}

#[test]
fn of_a_process_by_its_stack() {
    let inner = "inner() -> receive _ -> ok end.\n";
    let last = "last() -> receive a -> ok; b -> receive c -> error(c) end end.\n";
    // The call that has not returned, and what its caller does then.
    let functions = "entry() -> inner(), receive X -> ok = X end.\n";
    check_process(&format!("{functions}{inner}"), Some(2));
    let functions = "entry() -> middle(), last().\nmiddle() -> inner(), self() ! a, inner(), ok.\n";
    check_process(&format!("{functions}{inner}{last}"), Some(5));
    // A frame of OTP between those of the program.
    let functions = "entry() -> lists:foreach(fun(_) -> inner() end, [1, 2]), last().\n";
    check_process(&format!("{functions}{inner}{last}"), Some(3));
    // What fails in a frame that a caller guards is caught.
    let functions = "entry() -> try bad() catch _:_ -> ok end, last().\n\
                     bad() -> receive X -> ok = X end, ok.\n";
    check_process(&format!("{functions}{last}"), Some(3));
    let functions =
        "entry() -> (catch lists:foreach(fun(_) -> receive X -> ok = X end end, [1])).\n";
    check_process(functions, Some(1));
    // It waits for the answer of a table.
    let functions =
        "entry() -> T = ets:new(t, []), ets:insert(T, {k, 1}), [] = ets:lookup(T, k).\n";
    check_process(functions, Some(3));
    // It hibernates.
    let functions = "entry() -> erlang:hibernate(?MODULE, last, []).\n";
    check_process(&format!("{functions}{last}"), Some(2));
    // It cannot fail.
    check_process(&format!("entry() -> inner(), inner().\n{inner}"), None);
}

/// Whatever a file contains, its analysis ends without a panic.
#[test]
fn damaged_code() {
    let folder = compile(
        "
entry() -> try loop([]) catch error:a -> ok after self() ! done end.
loop(L) -> receive {a, X} -> loop([X | L]); b -> F = fun() -> hd(L) end, F() after 10 -> m2() end.
m2() -> X = (catch exit(a)), case X of {'EXIT', a} -> throw(X); [1, 2 | _] -> lists:map(X, X) end.
",
    );
    let file = folder.path().join("m.beam");
    let sound = std::fs::read(&file).expect("a file");
    let mut random = 1_u64;
    let mut below = |count: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % count
    };
    let mut analysed = 0;
    for _ in 0..2_000 {
        let mut damaged = sound.clone();
        for _ in 0..=below(3) {
            let at = below(damaged.len());
            damaged[at] = below(256) as u8;
        }
        std::fs::write(&file, damaged).expect("a file");
        let library = Library::new([folder.path().to_path_buf()]);
        let analysis = Analysis::new(library, &entry());
        analysed += usize::from(!analysis.graph.nodes.is_empty());
    }
    assert!(analysed > 200, "{analysed} files could be loaded");
}
