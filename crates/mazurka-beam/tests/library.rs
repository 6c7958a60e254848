//! Calls functions of OTP's library, and of Elixir's if it is installed, with random arguments in both
//! machines.
//!
//! Values and reasons are compared as terms, which is at least as strict as comparing their text.
//! `MAZURKA_LIBRARY_CALLS` is the number of calls of each function, `MAZURKA_LIBRARY_SEED` the seed
//! of the arguments.

mod common;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use mazurka_beam::code::Library;
use mazurka_beam::machine::{Answer, End, Input, Machine, Process, Start, Stop};
use mazurka_beam::source::Otp;
use mazurka_beam::term::{Atom, PidTerm, Term, compare_exactly, decode};
use mazurka_engine::Operation;

/// The releases that this test supports. Others differ in details.
const RELEASES: &[i64] = &[25, 27, 29];
const CALLS: usize = 60;
const SEED: usize = 4711;
/// The maximum number of differences to print for one function.
const SHOWN: usize = 3;

/// The instruction limit. Some calls produce a lot of text.
const INSTRUCTIONS_MAX: u64 = 1_000_000_000;

/// Functions with our own implementation, whose last digits depend on the C library.
const ROUNDED: &[&str] = &["erf", "erfc", "acosh", "asinh", "atanh"];

/// Functions that Elixir (up to 1.14, and since 1.18) uses to look up an application for deprecation
/// warnings. Our machine has no such tables, so these calls have no outcome.
const WARNINGS: &[&str] = &["ets:match/2", "ets:lookup_element/4"];

/// Functions whose result depends on the order of a map of atoms. Since OTP 26 that is the order in
/// which the atoms were created.
const UNORDERED: &[&str] = &["proplists:get_keys/1"];

/// Functions that fail for all arguments.
const NEVER: &[&str] = &[];

#[test]
fn library_functions_match_the_real_machine() {
    compare_calls("otp", &[], NEVER);
}

#[test]
fn elixir_library_functions_match_the_real_machine() {
    match common::elixir() {
        Some(lib) => compare_calls("elixir", &[lib.join("elixir").join("ebin")], &[]),
        None => eprintln!("skipped: Elixir is not installed"),
    }
}

/// Calls functions in both machines. `never` are those that fail for all arguments.
fn compare_calls(whose: &str, folders: &[PathBuf], never: &[&str]) {
    let setting = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |value| value.parse().expect("a number"))
    };
    let calls = setting("MAZURKA_LIBRARY_CALLS", CALLS);
    let seed = setting("MAZURKA_LIBRARY_SEED", SEED);
    let modules = ["library_oracle", "library_cases", "elixir_oracle"];
    let oracle = common::Oracle::compile(&modules);
    let records = oracle.ask(&format!(
        "code:add_pathsa({folders:?}),library_oracle:calls({whose},{calls},{seed},OUT)"
    ));
    let (header, records) = records.split_first().expect("a header");
    let Term::Tuple(header) = decode(header).expect("a header") else {
        panic!("the header is not a tuple");
    };
    let Term::Int(release) = header[0] else {
        panic!("the release is not a number");
    };
    if !RELEASES.contains(&release) {
        eprintln!("skipped: this is OTP {release}, and not one of {RELEASES:?}");
        return;
    }
    let mut library = Ours::new(&oracle, folders);
    let mut functions: BTreeMap<String, Count> = header[1]
        .elements()
        .map(|name| (name_of(name), Count::default()))
        .collect();
    let mut warnings = 0;
    for record in records {
        let call = Call::read(record);
        let Some(outcome) = library.call(&call) else {
            warnings += 1;
            continue;
        };
        let count = functions.get_mut(&call.name()).expect("a function");
        count.calls += 1;
        count.answered += usize::from(call.answers());
        if !call.agrees(&outcome) {
            count.different += 1;
            if count.different <= SHOWN {
                println!("{call}\n  is   {outcome}\n  not  {}", call.expected);
            }
        }
    }
    report(&functions);
    println!("{warnings} calls warn");
    let different: Vec<_> = functions
        .iter()
        .filter(|(_, it)| it.different > 0)
        .collect();
    assert!(different.is_empty(), "seed {seed}: {different:?}");
    // A function that always fails would test nothing.
    let failing = functions.iter().filter(|(_, count)| count.answered == 0);
    let failing: Vec<_> = failing.map(|(name, _)| &name[..]).collect();
    assert_eq!(failing, never, "seed {seed}");
}

/// Regular expressions are implemented in C, which this machine does not support.
#[test]
fn regular_expressions_are_not_supported() {
    let oracle = common::Oracle::compile(&[]);
    let mut library = Ours::new(&oracle, &[]);
    let text = || Term::list("abc".bytes().map(|byte| Term::Int(byte.into())));
    for (name, arguments) in [
        ("run", vec![text(), text()]),
        ("compile", vec![text()]),
        ("replace", vec![text(), text(), text()]),
        ("split", vec![text(), text()]),
    ] {
        let stop = library.run("re", name, arguments);
        let Stop::Unsupported(what) = stop else {
            panic!("re:{name} gives {stop:?}");
        };
        assert!(what.what.starts_with("re:"), "{what}");
    }
}

#[derive(Debug, Default)]
struct Count {
    calls: usize,
    answered: usize,
    different: usize,
}

fn report(functions: &BTreeMap<String, Count>) {
    let mut modules: BTreeMap<&str, (usize, Count)> = BTreeMap::new();
    for (name, count) in functions {
        let module = name.split(':').next().expect("a module");
        let (functions, sum) = modules.entry(module).or_default();
        *functions += 1;
        sum.calls += count.calls;
        sum.answered += count.answered;
    }
    for (module, (functions, sum)) in &modules {
        let raised = 100 * (sum.calls - sum.answered) / sum.calls.max(1);
        println!(
            "{module}: {functions} functions, {} calls, {raised}% raise",
            sum.calls
        );
    }
    let calls: usize = functions.values().map(|count| count.calls).sum();
    let answered: usize = functions.values().map(|count| count.answered).sum();
    println!(
        "{} modules, {} functions, {calls} calls, {}% raise",
        modules.len(),
        functions.len(),
        100 * (calls - answered) / calls.max(1),
    );
}

/// Our virtual machine.
struct Ours {
    library: Library,
    machine: Machine,
}

impl Ours {
    fn new(oracle: &common::Oracle, others: &[PathBuf]) -> Ours {
        let otp = Otp::find().expect("an installation");
        let mut folders = vec![oracle.folder().to_path_buf()];
        folders.extend(others.iter().cloned());
        folders.extend(otp.folders());
        Ours {
            library: Library::new(folders).with_release(otp.release().expect("a release")),
            machine: Machine::new().with_instructions_max(INSTRUCTIONS_MAX),
        }
    }

    fn run(&mut self, module: &str, name: &str, arguments: Vec<Term>) -> Stop {
        let start = Start {
            module: Atom::new(module),
            name: Atom::new(name),
            arguments,
            leader: PidTerm::entry(),
            clock_us: 0,
        };
        let mut process = Process::new(PidTerm::entry(), &start);
        let mut effects = Vec::new();
        let mut terms = HashMap::new();
        let mut stop = self.machine.run(&self.library, &mut process, &mut effects);
        while let Stop::Ask(operation) = stop {
            // The tested functions use no shared objects except a few persistent terms.
            let answer = match operation {
                Operation::Get { key, .. } => Answer::Value(terms.get(&key).cloned()),
                Operation::Put { key, value, .. } => {
                    terms.insert(key, value);
                    Answer::Ok
                }
                other => panic!("{module}:{name} asks {other:?}"),
            };
            let answer = Input::Answer(answer);
            stop = self
                .machine
                .resume(&self.library, &mut process, answer, &mut effects);
        }
        stop
    }

    /// The outcome of a call, in the oracle's form.
    fn call(&mut self, call: &Call) -> Option<Term> {
        let (module, function) = (call.module.name(), call.function.name());
        Some(match self.run(module, function, call.arguments.clone()) {
            Stop::Exit(End::Returned { value }) => Term::tuple([Atom::OK.into(), value]),
            Stop::Exit(End::Raised { class, reason, .. }) => {
                Term::tuple([class.atom().into(), reason])
            }
            Stop::Unsupported(what) if WARNINGS.contains(&&*what.what) => return None,
            other => Term::binary(format!("{other:?}").as_bytes()),
        })
    }
}

struct Call {
    module: Atom,
    function: Atom,
    arguments: Vec<Term>,
    expected: Term,
}

impl std::fmt::Display for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}:{}{:?}",
            self.module.name(),
            self.function.name(),
            self.arguments
        )
    }
}

impl Call {
    fn read(record: &[u8]) -> Call {
        let facts = decode(record).expect("a term");
        let Term::Tuple(facts) = &facts else {
            panic!("{facts}");
        };
        let [
            Term::Atom(module),
            Term::Atom(function),
            arguments,
            expected,
        ] = &***facts
        else {
            panic!("{facts:?}", facts = &***facts);
        };
        Call {
            module: *module,
            function: *function,
            arguments: arguments.elements().cloned().collect(),
            expected: expected.clone(),
        }
    }

    fn name(&self) -> String {
        format!(
            "{}:{}/{}",
            self.module.name(),
            self.function.name(),
            self.arguments.len()
        )
    }

    /// Whether the real machine raises no exception.
    fn answers(&self) -> bool {
        matches!(&self.expected, Term::Tuple(pair) if pair[0] == Term::Atom(Atom::OK))
    }

    fn agrees(&self, outcome: &Term) -> bool {
        *outcome == self.expected
            || *outcome == without_oracle(&self.expected)
            // Large maps have a different order, and so do results made from them.
            || (self.arguments.iter().any(has_large_map) || UNORDERED.contains(&&*self.name()))
                && unordered(outcome) == unordered(&self.expected)
            // Summer time in a zone without it depends on the C library.
            || self.name() == "calendar:local_time_to_universal_time/2"
                && self.arguments[1] == Atom::TRUE.into()
            || ROUNDED.contains(&self.function.name()) && is_near(outcome, &self.expected)
    }
}

fn is_near(one: &Term, other: &Term) -> bool {
    let float = |outcome: &Term| match outcome {
        Term::Tuple(pair) => match &pair[1] {
            Term::Float(float) => Some(*float),
            _ => None,
        },
        _ => None,
    };
    let near = |(one, other): (f64, f64)| (one - other).abs() <= other.abs() * 1e-14;
    float(one).zip(float(other)).is_some_and(near)
}

fn name_of(name: &Term) -> String {
    match name {
        Term::Tuple(parts) => match &***parts {
            [Term::Atom(module), Term::Atom(name), Term::Int(arity)] => {
                format!("{}:{}/{arity}", module.name(), name.name())
            }
            _ => panic!("{name}"),
        },
        _ => panic!("{name}"),
    }
}

/// Terms of the oracle are not deep.
fn has_large_map(term: &Term) -> bool {
    match term {
        Term::Map(map) => {
            map.len() > 32
                || map
                    .iter()
                    .any(|(key, value)| has_large_map(key) || has_large_map(value))
        }
        Term::Tuple(tuple) => tuple.iter().any(has_large_map),
        Term::Cons(cons) => has_large_map(&cons.head) || has_large_map(&cons.tail),
        _ => false,
    }
}

/// The term without the oracle in stack traces.
fn without_oracle(term: &Term) -> Term {
    let is_oracle = |term: &Term| match term {
        Term::Tuple(call) => call.first() == Some(&Term::atom("library_oracle")),
        _ => false,
    };
    match term {
        Term::Tuple(tuple) => Term::tuple(tuple.iter().map(without_oracle).collect::<Vec<_>>()),
        Term::Cons(cons) if is_oracle(&cons.head) => without_oracle(&cons.tail),
        Term::Cons(cons) => Term::cons(without_oracle(&cons.head), without_oracle(&cons.tail)),
        _ => term.clone(),
    }
}

/// The term with all lists sorted.
fn unordered(term: &Term) -> Term {
    match term {
        Term::Tuple(tuple) => Term::tuple(tuple.iter().map(unordered).collect::<Vec<_>>()),
        Term::Cons(_) => {
            let mut elements = term.elements();
            let mut sorted: Vec<Term> = elements.by_ref().map(unordered).collect();
            sorted.push(unordered(elements.rest()));
            sorted.sort_by(compare_exactly);
            Term::list(sorted)
        }
        _ => term.clone(),
    }
}
