//! Runs Erlang code in both machines.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use mazurka_beam::code::Library;
use mazurka_beam::machine::{End, Start, Stop};
use mazurka_beam::raise::Class;
use mazurka_beam::source::Otp;
use mazurka_beam::term::{Atom, PidTerm, Term};

use super::world::World;

/// A module with a clause for each case. Both machines run each case in its own process, which ends
/// with the result as its reason.
const HEAD: &str = "-module(cases).
-compile([nowarn_unused_function, nowarn_export_all, export_all]).
run(N) ->
    exit(try {value, c(N)} catch C:R:S -> {C, R, S} end).
real(Last) ->
    [real_case(N) || N <- lists:seq(0, Last)].
real_case(N) ->
    {_, M} = spawn_monitor(?MODULE, run, [N]),
    receive {'DOWN', M, _, _, R} -> show(R) after 5000 -> io:format(\"late~n\") end.
real_ends(Last) ->
    [real_end(c(N)) || N <- lists:seq(0, Last)].
real_end({M, F, A}) ->
    {_, R} = spawn_monitor(M, F, A),
    receive {'DOWN', R, _, _, E} -> show(E) after 5000 -> io:format(\"late~n\") end.
%% Since OTP 26 maps are written in an internal order, unless another one is requested.
show(R) ->
    Format = case erlang:system_info(otp_release) >= \"26\" of true -> \"~kw~n\"; false -> \"~w~n\" end,
    io:format(Format, [R]).
id(X) -> X.
";

/// Starts a process with each `{Module, Function, Arguments}` in both machines, and compares their
/// exit reasons.
#[track_caller]
#[allow(dead_code, reason = "some tests look at results only")]
pub fn check_ends(help: &str, starts: &[&str]) {
    let bench = Bench::new(&[], help, starts);
    let real = bench.real("real_ends", starts.len());
    let ours = (0..starts.len()).map(|number| bench.end(number));
    compare(starts, ours, &real);
}

/// Evaluates expressions in both machines and compares the results. `help` contains functions that
/// they use.
#[track_caller]
pub fn check(help: &str, expressions: &[&str]) {
    check_with(&[], help, expressions);
}

/// As [`check`], but with the instructions of OTP 24, if the compiler can still generate them.
#[track_caller]
pub fn check_as_of_24(help: &str, expressions: &[&str]) {
    if release() < 28 {
        check_with(&["+r24"], help, expressions);
    }
}

/// As [`check`], with compiler options.
#[track_caller]
fn check_with(options: &[&str], help: &str, expressions: &[&str]) {
    let bench = Bench::new(options, help, expressions);
    let real = bench.real("real", expressions.len());
    let ours = (0..expressions.len()).map(|number| bench.ours(number));
    compare(expressions, ours, &real);
}

#[track_caller]
fn compare(cases: &[&str], ours: impl Iterator<Item = String>, real: &[String]) {
    let mut wrong = Vec::new();
    for ((case, ours), real) in cases.iter().zip(ours).zip(real) {
        if ours != *real {
            wrong.push(format!("{case}\n  ours {ours}\n  real {real}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The compiled modules, and those of the real machine.
pub struct Bench {
    folder: tempfile::TempDir,
    library: Library,
}

impl Bench {
    /// Compiles the cases.
    pub fn new(options: &[&str], help: &str, expressions: &[&str]) -> Bench {
        let folder = tempfile::tempdir().expect("a folder");
        let cases = expressions.iter().enumerate();
        let cases = cases.map(|(number, case)| format!("c({number}) -> {case}"));
        let cases = cases.collect::<Vec<_>>().join(";\n");
        // Records must come before their uses.
        let text = format!("{HEAD}{help}\n{cases}.\n");
        std::fs::write(folder.path().join("cases.erl"), text).expect("a file");
        compile(folder.path(), "cases.erl", options);
        let mut folders = vec![folder.path().to_path_buf()];
        folders.extend(code_path());
        let library = Library::new(folders).with_release(release());
        Bench { folder, library }
    }

    fn ours(&self, number: usize) -> String {
        match self.run(&self.start("run", number)) {
            Some(Stop::Exit(End::Raised {
                class: Class::Exit,
                reason,
                ..
            })) => reason.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[allow(dead_code, reason = "some tests look at results only")]
    fn end(&self, number: usize) -> String {
        let start = self.start("c", number);
        let Some(Stop::Exit(End::Returned { value })) = self.run(&start) else {
            panic!("case {number} is not a start");
        };
        let start = match &value {
            Term::Tuple(tuple) => match &***tuple {
                [Term::Atom(module), Term::Atom(name), arguments] => Start {
                    module: *module,
                    name: *name,
                    arguments: arguments.elements().cloned().collect(),
                    leader: PidTerm::entry(),
                    clock_us: 0,
                },
                _ => panic!("{value}"),
            },
            _ => panic!("{value}"),
        };
        match self.run(&start) {
            Some(Stop::Exit(end)) => end.reason().to_string(),
            other => format!("{other:?}"),
        }
    }

    fn start(&self, name: &str, number: usize) -> Start {
        Start {
            module: Atom::new("cases"),
            name: Atom::new(name),
            arguments: vec![(number as i64).into()],
            leader: PidTerm::entry(),
            clock_us: 0,
        }
    }

    fn run(&self, start: &Start) -> Option<Stop> {
        let mut world = World::new(&self.library);
        world.spawn(PidTerm::entry(), start);
        world.run();
        world.end_of(PidTerm::entry()).cloned()
    }

    fn real(&self, function: &str, count: usize) -> Vec<String> {
        let expression = format!("cases:{function}({}), halt().", count - 1);
        let output = Command::new("erl")
            .args([
                "-noshell",
                "-kernel",
                "logger_level",
                "none",
                "-eval",
                &expression,
            ])
            .current_dir(self.folder.path())
            .output()
            .expect("erl");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let lines: Vec<String> = text.lines().map(String::from).collect();
        assert_eq!(lines.len(), count, "{text}");
        lines
    }
}

/// The release of the real machine.
fn release() -> u32 {
    let otp = Otp::find().expect("an installation");
    otp.release().expect("a release")
}

/// The code path of the real machine.
fn code_path() -> Vec<PathBuf> {
    let expression = "Erts = \"erts-\" ++ erlang:system_info(version),
        Folders = [code:lib_dir(stdlib, ebin), code:lib_dir(kernel, ebin),
            filename:join([code:lib_dir(), Erts, \"ebin\"])],
        io:format(\"~s\", [lists:join(\"\\n\", Folders)]), halt().";
    let output = Command::new("erl")
        .args(["-noshell", "-eval", expression])
        .output()
        .expect("erl");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(PathBuf::from).collect()
}

fn compile(folder: &Path, source: &str, options: &[&str]) {
    let output = Command::new("erlc")
        .args(options)
        .arg(source)
        .current_dir(folder)
        .output()
        .expect("erlc");
    assert!(output.status.success(), "{output:?}");
}
