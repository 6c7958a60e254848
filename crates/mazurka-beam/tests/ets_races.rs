//! Tables that processes share: only operations that interfere are ordered. Exploration finds the traces
//! of brute force, each once.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use common::Oracle;
use mazurka_beam::code::{Library, Mfa};
use mazurka_beam::source::Otp;
use mazurka_beam::term::{Atom, Term};
use mazurka_beam::{Program, Rules};
use mazurka_engine::{
    Delivery, Execution, Frontend, Kind, Observer, Options, SendersFirst, Settings, Stopped,
    Timeouts, check,
};
use mazurka_lab::oracle::{CanonicalTrace, brute};
use mazurka_lab::{Algorithm, explore};

struct Races {
    oracle: Oracle,
    otp: Otp,
}

#[derive(Default)]
struct Collect(Vec<CanonicalTrace>);

impl Observer<Program> for Collect {
    fn execution(&mut self, execution: &Execution<'_, Program>) -> ControlFlow<()> {
        execution.trace().check().expect("a valid trace");
        self.0.push(execution.canonical());
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.0.clear();
    }
}

impl Races {
    fn new() -> Races {
        Races {
            oracle: Oracle::compile(&["ets_races"]),
            otp: Otp::find().expect("an installation"),
        }
    }

    fn program(&self, name: &str, arguments: &[i64]) -> Program {
        let folders = [self.oracle.folder().to_path_buf()].into_iter();
        let library = Library::new(folders.chain(self.otp.folders())).with_own_folders(1);
        let start = Mfa {
            module: Atom::new("ets_races"),
            name: Atom::new(name),
            arity: arguments.len() as u32,
        };
        let arguments = arguments.iter().map(|&argument| Term::Int(argument));
        Program::new(library, start, arguments.collect(), Rules::default())
    }

    /// The number of traces by exploration. If brute force can do it, its traces are the same.
    fn traces(&self, name: &str, arguments: &[i64], brute_max: usize) -> (usize, bool) {
        let program = self.program(name, arguments);
        let mut collect = Collect::default();
        let (stopped, _) = explore(
            program.fresh_copy(),
            SendersFirst,
            &Algorithm::Optimal.into(),
            &Options::default(),
            &mut collect,
        )
        .unwrap_or_else(|fault| panic!("{name}{arguments:?}: {fault}"));
        assert_eq!(stopped, Stopped::Complete);
        let found: BTreeSet<_> = collect.0.iter().cloned().collect();
        assert_eq!(
            found.len(),
            collect.0.len(),
            "a trace twice: {name}{arguments:?}"
        );
        // The copy knows the keys of the tables.
        let program = program.fresh_copy();
        let expected = brute(&program, Delivery::Mailbox, Timeouts::default(), brute_max);
        if let Ok(expected) = &expected {
            assert!(
                found == *expected,
                "{name}{arguments:?}: another set of traces"
            );
        }
        (found.len(), expected.is_ok())
    }

    #[track_caller]
    fn count(&self, name: &str, arguments: &[i64], expected: usize) {
        let (found, _) = self.traces(name, arguments, 20_000);
        assert_eq!(found, expected, "{name}{arguments:?}");
    }

    /// The errors of a program.
    fn errors(&self, name: &str, arguments: &[i64]) -> Vec<(Kind, String)> {
        let settings = Settings {
            keep_going: true,
            ..Settings::default()
        };
        let program = self.program(name, arguments);
        let report = check(program, SendersFirst, &settings, |_| {
            ControlFlow::Continue(())
        });
        let report = report.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert!(report.is_complete());
        let errors = report.errors();
        errors
            .map(|found| (found.finding.kind, found.finding.message.clone()))
            .collect()
    }
}

#[test]
fn operations_on_one_key() {
    let races = Races::new();
    for n in 0..=4 {
        races.count("readers", &[n], 1 << n);
        races.count("named", &[n], 1 << n);
    }
    for (n, orders) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        races.count("counters", &[n], orders);
        races.count("insert_new", &[n], orders);
        races.count("take", &[n], orders);
    }
}

#[test]
fn operations_on_different_keys_commute() {
    let races = Races::new();
    for n in 1..=5 {
        races.count("writers", &[n], 1);
        // The key in the pattern is one of them.
        races.count("one_key", &[n], 2);
    }
}

#[test]
fn reads_of_the_whole_table() {
    let races = Races::new();
    for n in 0..=4 {
        races.count("whole", &[n], 1 << n);
        races.count("whole_last", &[n], 1 << n);
        races.count("sizes", &[n], 1 << n);
        // Reads commute with reads.
        races.count("whole", &[0, n], 1);
        races.count("whole", &[1, n], 1 << n);
    }
    assert_eq!(races.errors("learned", &[]), []);
}

#[test]
fn the_end_of_a_table() {
    let races = Races::new();
    for n in 0..=3 {
        races.count("deleted", &[n], 1 << n);
        races.count("owner_ends", &[n], 1 << n);
    }
    for name in ["given_away", "inherited", "private"] {
        assert_eq!(races.errors(name, &[]), [], "{name}");
    }
    assert_eq!(races.errors("owner_killed", &[2]), []);
}

/// `MAZURKA_ETS_PROGRAMS` sets the number of programs.
#[test]
fn random_programs() {
    let races = Races::new();
    let wanted = std::env::var("MAZURKA_ETS_PROGRAMS").ok();
    let programs = wanted.and_then(|count| count.parse().ok()).unwrap_or(60);
    let (mut compared, mut most) = (0, 0);
    for seed in 0..programs {
        let (found, is_compared) = races.traces("random", &[seed], 30_000);
        compared += i64::from(is_compared);
        most = most.max(found);
    }
    println!("{compared} of {programs} programs compared; at most {most} traces");
    assert!(compared * 10 > programs * 5, "{compared} programs compared");
    assert!(most >= 10, "the most traces of one program: {most}");
}
