//! Runs Erlang in both machines.

use std::path::{Path, PathBuf};
use std::process::Command;

use mazurka_beam::code::Library;
use mazurka_beam::machine::{End, Start, Stop};
use mazurka_beam::raise::Class;
use mazurka_beam::term::{Atom, Pid};

use super::world::World;

/// A module that has each case as a clause. Both machines run a case in a process of its own,
/// which ends with the result as its reason.
const HEAD: &str = "-module(cases).
-compile([nowarn_unused_function, nowarn_export_all, export_all]).
run(N) ->
    exit(try {value, c(N)} catch C:R:S -> {C, R, S} end).
real(Last) ->
    [real_case(N) || N <- lists:seq(0, Last)].
real_case(N) ->
    {_, M} = spawn_monitor(?MODULE, run, [N]),
    receive {'DOWN', M, _, _, R} -> io:format(\"~w~n\", [R]) after 5000 -> io:format(\"late~n\") end.
id(X) -> X.
";

/// Evaluates expressions in both machines and compares the results. `help` are functions that they
/// use.
#[track_caller]
#[allow(dead_code, reason = "some tests always have options")]
pub fn check(help: &str, expressions: &[&str]) {
    check_with(&[], help, expressions);
}

/// The same with options for the compiler.
#[track_caller]
pub fn check_with(options: &[&str], help: &str, expressions: &[&str]) {
    let Some(bench) = Bench::new(options, help, expressions) else {
        return;
    };
    let real = bench.real(expressions.len());
    let mut wrong = Vec::new();
    for (number, expression) in expressions.iter().enumerate() {
        let ours = bench.ours(number);
        if ours != real[number] {
            wrong.push(format!(
                "{expression}\n  ours {ours}\n  real {}",
                real[number]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Compiled modules, and the real machine's own.
pub struct Bench {
    folder: tempfile::TempDir,
    library: Library,
}

impl Bench {
    /// Compiles the cases. Nothing, if Erlang is not installed.
    pub fn new(options: &[&str], help: &str, expressions: &[&str]) -> Option<Bench> {
        if Command::new("erl").arg("-version").output().is_err() {
            eprintln!("skipped: Erlang is not installed");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let cases = expressions.iter().enumerate();
        let cases = cases.map(|(number, case)| format!("c({number}) -> {case}"));
        let cases = cases.collect::<Vec<_>>().join(";\n");
        // Records must come before what uses them.
        let text = format!("{HEAD}{help}\n{cases}.\n");
        std::fs::write(folder.path().join("cases.erl"), text).expect("a file");
        compile(folder.path(), "cases.erl", options);
        let mut folders = vec![folder.path().to_path_buf()];
        folders.extend(code_path());
        let library = Library::new(folders);
        Some(Bench { folder, library })
    }

    pub fn ours(&self, number: usize) -> String {
        let start = Start {
            module: Atom::new("cases"),
            name: Atom::new("run"),
            arguments: vec![(number as i64).into()],
            leader: Pid::entry(),
        };
        let mut world = World::new(&self.library);
        world.spawn(Pid::entry(), &start);
        world.run();
        match world.end_of(Pid::entry()) {
            Some(Stop::Exit(End::Raised {
                class: Class::Exit,
                reason,
                ..
            })) => reason.to_string(),
            other => format!("{other:?}"),
        }
    }

    fn real(&self, count: usize) -> Vec<String> {
        let expression = format!("cases:real({}), halt().", count - 1);
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

/// Where the real machine has its modules.
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
