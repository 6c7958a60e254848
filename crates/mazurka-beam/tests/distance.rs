//! Distances are lower bounds: in every explored execution in which a process fails, each distance that
//! it reported before is at most the number of visible operations that it still made.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use mazurka_beam::code::{Library, Mfa};
use mazurka_beam::source::{CodePath, Entry, Otp};
use mazurka_beam::term::Atom;
use mazurka_beam::{Program, Rules};
use mazurka_engine::{Execution, Observer, Options, SendersFirst, Valuation, Valuations};
use mazurka_lab::{Algorithm, explore};

/// Compares the distances of processes that crash with what they did.
#[derive(Default)]
struct Compared {
    /// What program it is.
    name: String,
    /// Crashes by an instruction that the analysis looks for.
    failures: usize,
    /// States before such a crash.
    states: usize,
    /// Those of them whose distance is exactly the number of operations that followed.
    exact: usize,
    /// The greatest distance.
    greatest: u32,
}

impl Observer<Program> for Compared {
    fn execution(&mut self, execution: &Execution<'_, Program>) -> ControlFlow<()> {
        let measured = execution.measured_distances();
        let mut processes = Vec::new();
        for state in measured.iter().filter(|state| is_target(&state.reason)) {
            let name = &self.name;
            let Some(distance) = state.distance else {
                panic!("{name}: no distance for {state:?}\n{:?}", execution.trace());
            };
            assert!(distance <= state.operations, "{name}: {state:?}");
            self.states += 1;
            self.exact += usize::from(distance == state.operations);
            self.greatest = self.greatest.max(distance);
            processes.push(&state.process);
        }
        processes.dedup();
        self.failures += processes.len();
        ControlFlow::Continue(())
    }
}

/// Whether a crash comes from one of the instructions that count, not from a built-in function.
fn is_target(reason: &str) -> bool {
    let reasons = [
        "badmatch",
        "case_clause",
        "if_clause",
        "function_clause",
        "boom",
        "assert",
        "signed_and_returned",
    ];
    reasons.iter().any(|target| reason.contains(target))
}

/// Explores a program, up to a number of executions.
fn compare(name: &str, program: Program, max_executions: u64) -> Compared {
    let options = Options {
        max_executions: Some(max_executions),
        max_depth: Some(200),
        direction: Valuations::from(Valuation::Distance).into(),
        ..Options::default()
    };
    let mut compared = Compared {
        name: name.to_owned(),
        ..Compared::default()
    };
    let algorithm = Algorithm::Optimal.into();
    explore(program, SendersFirst, &algorithm, &options, &mut compared)
        .unwrap_or_else(|fault| panic!("{name}: {fault}"));
    compared
}

#[test]
fn of_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/erlang");
    let code = CodePath::find(&[folder.to_str().expect("text")], &[]).expect("examples");
    let counts = |entry: &str| {
        let start = Entry::parse(entry).expect("an entry");
        let mfa = Mfa {
            module: start.module,
            name: start.function,
            arity: start.arguments.len() as u32,
        };
        let rules = Rules::default();
        let program = Program::new(code.library(), mfa, start.arguments.clone(), rules);
        let compared = compare(entry, program, 10_000);
        (compared.failures, compared.states, compared.exact)
    };
    assert_eq!(counts("parcel:by_function(7)"), (41, 275, 105));
    assert_eq!(counts("parcel:by_value(7)"), (41, 275, 41));
    assert_eq!(counts("cache:cache()"), (0, 0, 0));
}

/// Random programs. Each has five functions that send, receive, call each other, catch exceptions, make
/// and call funs, use tables and fail.
#[test]
fn of_random_programs() {
    const PROGRAMS: u64 = 60;
    let folder = tempfile::tempdir().expect("a folder");
    let mut compiler = Command::new("erlc");
    compiler.args(["-o", "."]).current_dir(folder.path());
    for seed in 0..PROGRAMS {
        let file = format!("r{seed}.erl");
        let source = Random::new(seed).module(seed);
        std::fs::write(folder.path().join(&file), source).expect("a file");
        compiler.arg(file);
    }
    let output = compiler.output().expect("the compiler");
    assert!(output.status.success(), "{output:?}");
    let otp = Otp::find().expect("an installation");
    let mut total = Compared::default();
    for seed in 0..PROGRAMS {
        let folders = [folder.path().to_path_buf()].into_iter();
        let library = Library::new(folders.chain(otp.folders())).with_own_folders(1);
        let name = format!("r{seed}");
        let start = Mfa {
            module: Atom::new(&name),
            name: Atom::new("main"),
            arity: 0,
        };
        let program = Program::new(library, start, Vec::new(), Rules::default());
        let compared = compare(&format!("seed {seed}"), program, 300);
        total.failures += compared.failures;
        total.states += compared.states;
        total.exact += compared.exact;
        total.greatest = total.greatest.max(compared.greatest);
    }
    println!(
        "{} failures, {} states, {} exact, greatest distance {}",
        total.failures, total.states, total.exact, total.greatest
    );
    assert!(total.failures > 1_000 && total.greatest > 2);
}

/// Random source code.
struct Random {
    state: u64,
    variables: u32,
}

impl Random {
    fn new(seed: u64) -> Random {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut random = Random {
            state,
            variables: 0,
        };
        for _ in 0..10 {
            random.below(2);
        }
        random
    }

    fn below(&mut self, count: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % count
    }

    fn module(&mut self, number: u64) -> String {
        let mut source = format!("-module(r{number}).\n-export([main/0, f0/1, f1/1]).\n");
        source.push_str("id(X) -> X.\n");
        source.push_str("main() ->\n  P = spawn(fun() -> f0(4) end),\n");
        for message in ["a", "b", "c"] {
            writeln!(source, "  spawn(fun() -> P ! {{m, {message}}} end),").expect("text");
        }
        source.push_str("  P ! {m, d}, P ! {m, a}, ok.\n");
        for function in 0..5 {
            let body = self.statements(3);
            writeln!(
                source,
                "f{function}(D) when D =< 0 -> ok;\nf{function}(D) -> {body}."
            )
            .expect("text");
        }
        source
    }

    fn statements(&mut self, depth: u32) -> String {
        let count = 1 + self.below(3);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        statements.join(",\n  ")
    }

    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("V{}", self.variables)
    }

    fn call(&mut self) -> String {
        format!("f{}(D - 1)", self.below(5))
    }

    fn statement(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(8) {
                0 => "error(boom)".into(),
                1 => "exit({boom})".into(),
                2 => "exit(normal)".into(),
                3 => "throw(boom)".into(),
                4 | 5 => "self() ! {m, c}".into(),
                _ => self.call(),
            };
        }
        let inner = depth - 1;
        match self.below(17) {
            0..3 => {
                let received = self.variable();
                let (one, other) = (self.statements(inner), self.statements(inner));
                format!(
                    "receive {{m, {received}}} -> case {received} of a -> {one}; b -> {other}; c -> ok; d -> ok end end"
                )
            }
            3 => {
                let received = self.variable();
                format!("receive {{m, {received}}} -> c = {received} end")
            }
            4 => {
                let (one, other) = (self.statements(inner), self.statements(inner));
                format!("receive {{m, b}} -> {one}; {{m, _}} -> ok after 0 -> {other} end")
            }
            5 => {
                let (tried, caught) = (self.statements(inner), self.statements(inner));
                format!("try {tried} catch _:_ -> {caught} end")
            }
            6 => {
                let (tried, caught) = (self.statements(inner), self.statement(inner));
                format!("try {tried} catch error:boom -> {caught} end")
            }
            7 => {
                let (tried, after) = (self.statements(inner), self.statement(inner));
                format!("try {tried} after {after} end")
            }
            8 => format!("(catch {})", self.call()),
            9 => {
                let body = self.statements(inner);
                format!("lists:foreach(fun(_) -> {body} end, [1])")
            }
            10 => {
                let (fun, body) = (self.variable(), self.statements(inner));
                format!("{fun} = id(fun() -> {body} end), {fun}()")
            }
            11 => {
                let table = self.variable();
                format!("{table} = ets:new(t, []), ets:insert({table}, {{k, 1}})")
            }
            12 => {
                let body = self.statement(inner);
                format!("spawn(fun() -> {body} end)")
            }
            13 => match self.below(3) {
                0 => format!("apply(?MODULE, f{}, [D - 1])", self.below(2)),
                1 => format!("erlang:hibernate(?MODULE, f{}, [D - 1])", self.below(2)),
                _ => "io:format(\"x\")".into(),
            },
            14 => "(catch hd(id([])))".into(),
            15 => "self() ! {m, b}, self() ! {m, a}".into(),
            _ => self.call(),
        }
    }
}
