//! Scenarios with OTP's behaviours and services: the result on the real machine is that of every execution
//! here or, if the scenario has several schedules, that of one of them.

mod common;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use common::Oracle;
use mazurka_beam::code::{Library, Mfa};
use mazurka_beam::source::Otp;
use mazurka_beam::term::{Atom, Term, decode};
use mazurka_beam::{Program, Rules};
use mazurka_engine::{Kind, SendersFirst, Settings, check};

/// Scenarios whose result depends on the schedule. Most of them poll a supervisor a few times.
const RACING: [&str; 8] = [
    "sup_one_for_one",
    "sup_one_for_all",
    "sup_rest_for_one",
    "sup_transient_normal",
    "sup_transient_crash",
    "sup_temporary",
    "sup_shutdown_order",
    "sup_simple_restart",
];

/// Executions to explore of one scenario.
const EXECUTIONS_MAX: u64 = 300;

#[test]
fn scenarios() {
    let oracle = Oracle::compile(&["otp_scenarios"]);
    let otp = Otp::find().expect("an installation");
    let expression = "file:write_file(OUT, begin \
        B = term_to_binary(otp_scenarios:real(otp_scenarios:names())), \
        <<(byte_size(B)):32, B/binary>> end)";
    let real = decode(&oracle.ask(expression)[0]).expect("a term");
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for pair in real.elements() {
        let Term::Tuple(pair) = pair else {
            panic!("not a pair: {pair}");
        };
        let [Term::Atom(name), _] = pair[..] else {
            panic!("not a name and a result");
        };
        let folders = [oracle.folder().to_path_buf()].into_iter();
        let library = Library::new(folders.chain(otp.folders()))
            .with_own_folders(1)
            .with_release(otp.release().expect("a release"));
        let found = compare(library, pair);
        match found {
            Ok(kind) => *counts.entry(kind).or_default() += 1,
            Err(message) => wrong.push(format!("{}: {message}", name.name())),
        }
    }
    assert!(wrong.is_empty(), "{counts:?}\n{}", wrong.join("\n"));
    let expected = [
        ("in every execution", 8),
        ("in some executions", 8),
        ("in the only execution", 138),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
}

/// Explores one scenario with its real result. Returns how the results compare.
fn compare(library: Library, scenario: &[Term]) -> Result<&'static str, String> {
    let Term::Atom(name) = scenario[0] else {
        return Err("no name".to_owned());
    };
    let start = Mfa {
        module: Atom::new("otp_scenarios"),
        name: Atom::new("check"),
        arity: 2,
    };
    let program = Program::new(library, start, scenario.to_vec(), Rules::default());
    let settings = Settings {
        keep_going: true,
        ..Settings::default()
    };
    let report = check(program, SendersFirst, &settings, |progress| {
        match progress.executions < EXECUTIONS_MAX {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    let report = report.map_err(|fault| fault.to_string())?;
    let stuck = report
        .errors()
        .find(|found| matches!(found.finding.kind, Kind::Deadlock | Kind::Stuck));
    if let Some(found) = stuck {
        return Err(format!("{:?}", found.finding));
    }
    // Only the entry compares, and fails if the results differ.
    let of_entry = report.errors().filter(|found| found.finding.process == "P");
    let (mut differing, mut message) = (0, String::new());
    for found in of_entry {
        differing += found.count;
        message.clone_from(&found.finding.message);
    }
    let executions = report.progress.executions;
    match (differing, RACING.contains(&name.name())) {
        (0, _) if executions == 1 => Ok("in the only execution"),
        (0, _) => Ok("in every execution"),
        (some, true) if some < executions => Ok("in some executions"),
        (some, _) => Err(format!("{some} of {executions} executions: {message}")),
    }
}
