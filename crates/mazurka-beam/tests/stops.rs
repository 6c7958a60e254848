//! Stops of processes and their descriptions.

use std::path::{Path, PathBuf};
use std::process::Command;

use mazurka_beam::code::Library;
use mazurka_beam::machine::{Constraint, Effect, Input, Machine, Process, Start, Stop};
use mazurka_beam::term::{Atom, PidTerm, Term};

const TEXT: &str = "-module(stops).
-export([endless/0, port/0, new/1, wait/2, mine/1, timed/1, none/0, spawner/0, old/1]).
endless() -> endless().
port() -> erlang:open_port({spawn, \"ls\"}, []).
new(X) -> receive {X, Y} -> Y end.
wait(X, Unused) -> receive {X, Y} -> {Y, Unused} end.
mine(X) -> receive {Y, X} when Y =:= self() -> X end.
timed(T) -> receive x -> x after T -> timeout end.
none() -> receive after infinity -> ok end.
spawner() -> [spawn(fun() -> ok end), spawn_link(stops, none, []),
    spawn_opt(stops, none, [], [link, monitor])].
old(X) -> receive <<X, Rest/binary>> -> Rest end.
";

fn library(folder: &Path) -> Library {
    std::fs::write(folder.join("stops.erl"), TEXT).expect("a file");
    let output = Command::new("erlc")
        .arg("stops.erl")
        .current_dir(folder)
        .output()
        .expect("erlc");
    assert!(output.status.success(), "{output:?}");
    Library::new([folder.to_path_buf(), erts()])
}

/// The folder of the module `erlang`.
fn erts() -> PathBuf {
    let expression = "io:format(\"~s\", [filename:join([code:lib_dir(), \"erts-\" ++
        erlang:system_info(version), \"ebin\"])]), halt().";
    let output = Command::new("erl")
        .args(["-noshell", "-eval", expression])
        .output()
        .expect("erl");
    PathBuf::from(String::from_utf8(output.stdout).expect("UTF-8"))
}

struct Bench {
    _folder: tempfile::TempDir,
    library: Library,
}

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().expect("a folder");
        let library = library(folder.path());
        Bench {
            _folder: folder,
            library,
        }
    }

    fn run(&self, pid: PidTerm, name: &str, arguments: &[Term]) -> (Process, Stop, Vec<Effect>) {
        let start = Start {
            module: Atom::new("stops"),
            name: Atom::new(name),
            arguments: arguments.to_vec(),
            leader: PidTerm::entry(),
            clock_us: 0,
        };
        let mut process = Process::new(pid, &start);
        let mut effects = Vec::new();
        let mut machine = Machine::new().with_instructions_max(100_000);
        let stop = machine.run(&self.library, &mut process, &mut effects);
        (process, stop, effects)
    }

    fn receive(&self, pid: PidTerm, name: &str, arguments: &[Term]) -> (Constraint, Option<u64>) {
        match self.run(pid, name, arguments).1 {
            Stop::Receive {
                constraint,
                timeout_ms,
            } => (constraint, timeout_ms),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_endless_loop_is_reported() {
    let bench = Bench::new();
    match bench.run(PidTerm::entry(), "endless", &[]).1 {
        Stop::Endless { place } => assert_eq!(place, "stops:endless/0 (stops.erl:3)"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn unsupported_functions_are_reported() {
    let bench = Bench::new();
    match bench.run(PidTerm::entry(), "port", &[]).1 {
        Stop::Unsupported(what) => {
            let text = what.to_string();
            assert!(
                text.starts_with("erts_internal:open_port/2, used in"),
                "{text}"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn constraints_are_equal_if_they_accept_the_same_messages() {
    let bench = Bench::new();
    let (one, other) = (PidTerm::entry(), PidTerm::entry().child(0));
    let wait = |pid, x: i64, unused: i64| bench.receive(pid, "wait", &[x.into(), unused.into()]).0;
    assert_eq!(
        wait(one, 1, 2),
        wait(other, 1, 3),
        "what is not looked at does not count"
    );
    assert_ne!(wait(one, 1, 2), wait(one, 2, 2));
    let mine = |pid| bench.receive(pid, "mine", &[1.into()]).0;
    assert_eq!(mine(one), mine(one));
    assert_ne!(mine(one), mine(other), "its constraint depends on self()");
}

#[test]
fn messages_are_compared_with_constraints() {
    let bench = Bench::new();
    let mut machine = Machine::new();
    let mut check = |constraint: &Constraint, message: Term, expected| {
        let matches = machine.matches(&bench.library, constraint, &message);
        assert_eq!(matches.expect("an answer"), expected, "{message}");
    };
    let pid = PidTerm::entry();
    let (constraint, _) = bench.receive(pid, "wait", &[1.into(), 2.into()]);
    check(&constraint, Term::tuple([1.into(), 5.into()]), true);
    check(&constraint, Term::tuple([1.0.into(), 5.into()]), false);
    check(&constraint, Term::Nil, false);
    let (constraint, _) = bench.receive(pid, "mine", &[1.into()]);
    check(&constraint, Term::tuple([Term::Pid(pid), 1.into()]), true);
    check(
        &constraint,
        Term::tuple([Term::Pid(pid.child(0)), 1.into()]),
        false,
    );
    let (constraint, _) = bench.receive(pid, "old", &[65.into()]);
    check(&constraint, Term::binary(b"ABC"), true);
    check(&constraint, Term::binary(b"BC"), false);
    check(&constraint, Term::binary(b""), false);
    let (constraint, timeout_ms) = bench.receive(pid, "none", &[]);
    assert_eq!((&constraint, timeout_ms), (&Constraint::Nothing, None));
    check(&constraint, Term::Nil, false);
}

#[test]
fn timeouts() {
    let bench = Bench::new();
    let check = |timeout: Term, expected| {
        let (_, timeout_ms) = bench.receive(PidTerm::entry(), "timed", &[timeout]);
        assert_eq!(timeout_ms, expected);
    };
    check(0.into(), Some(0));
    check(5000.into(), Some(5000));
    check(Term::atom("infinity"), None);
    check(Term::atom("bad"), Some(0));
}

#[test]
fn a_snapshot_can_be_resumed_more_than_once() {
    let bench = Bench::new();
    let (process, ..) = bench.run(PidTerm::entry(), "timed", &[7.into()]);
    let mut machine = Machine::new();
    for (input, expected) in [
        (Input::Message(Term::atom("x")), "x"),
        (Input::Timeout, "timeout"),
        (Input::Message(Term::atom("x")), "x"),
    ] {
        let mut copy = process.clone();
        let stop = machine.resume(&bench.library, &mut copy, input, &mut Vec::new());
        match stop {
            Stop::Exit(mazurka_beam::machine::End::Returned { value }) => {
                assert_eq!(value.to_string(), expected);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn children_have_distinct_pids() {
    let bench = Bench::new();
    let me = PidTerm::entry();
    let (_, _, effects) = bench.run(me, "spawner", &[]);
    let children: Vec<_> = effects
        .iter()
        .map(|effect| match effect {
            Effect::Spawn {
                pid,
                link,
                monitor,
                start,
            } => (*pid, *link, monitor.is_some(), start.mfa().to_string()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        children,
        [
            (me.child(0), false, false, "erlang:apply/2".into()),
            (me.child(1), true, false, "stops:none/0".into()),
            (me.child(2), true, true, "stops:none/0".into()),
        ]
    );
}
