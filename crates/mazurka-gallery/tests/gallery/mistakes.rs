//! The programs with deliberate errors show exactly these errors, and the others show none.

use crate::cases::{CASES, params};
use crate::explore::{Ignore, Watch, explore};
use mazurka_engine::{Delivery, Execution, Fault, Frontend, Kind, Options, SendersFirst, Stopped};
use mazurka_gallery::{Mistake, Parameter, Program, find, programs};
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

/// Collects the errors of executions.
#[derive(Default)]
struct Mistakes {
    seen: HashSet<Mistake>,
}

impl Watch for Mistakes {
    fn execution<F: Frontend>(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        let mistake = |kind| match kind {
            Kind::Crash => Some(Mistake::Crash),
            Kind::Assertion => Some(Mistake::Assertion),
            Kind::Deadlock => Some(Mistake::Deadlock),
            _ => None,
        };
        let findings = execution.findings();
        self.seen
            .extend(findings.iter().filter_map(|found| mistake(found.kind)));
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.seen.clear();
    }
}

fn mistakes(
    program: &Program,
    params: &BTreeMap<String, String>,
    options: Options,
) -> Result<HashSet<Mistake>, Fault> {
    let mut mistakes = Mistakes::default();
    let built = program.instantiate(params).unwrap();
    let (stopped, _) = explore(built, SendersFirst, options, &mut mistakes);
    stopped.map(|_| mistakes.seen)
}

#[test]
fn programs_have_the_errors_they_declare() {
    for case in CASES.iter().filter(|case| case.traces[0] < 5000) {
        for delivery in Delivery::ALL {
            let (program, params) = (case.program(), case.params());
            let expected = match &program.wrong {
                Some(wrong) if program.goes_wrong(&params, delivery) => HashSet::from([wrong.kind]),
                _ => HashSet::new(),
            };
            let options = Options {
                delivery,
                distrust: true,
                ..Options::default()
            };
            let found = mistakes(program, &params, options);
            let found = found.unwrap_or_else(|fault| panic!("{}: {fault}", case.text));
            assert_eq!(found, expected, "{} under {delivery}", case.text);
        }
    }
}

/// Both with and without running every step twice.
#[test]
fn hidden_nondeterminism_is_reported() {
    let program = find("nondeterministic").unwrap();
    assert!(program.goes_wrong(&params(""), Delivery::P2p));
    for distrust in [true, false] {
        let options = Options {
            distrust,
            ..Options::default()
        };
        let Err(Fault::Nondeterminism { what }) = mistakes(program, &params(""), options) else {
            panic!("not found");
        };
        assert!(
            what.starts_with("process P.1 (sender) after its start first sent "),
            "{what}"
        );
    }
}

/// With the maximum values, programs are too large to explore completely, but can be started.
#[test]
fn extreme_values_run() {
    for program in programs() {
        for value in [|p: &Parameter| p.min, |p: &Parameter| p.max] {
            let params = program
                .parameters
                .iter()
                .map(|parameter| (parameter.name.to_owned(), value(parameter).to_string()))
                .collect();
            let _ = program.known_traces(&params, Delivery::P2p);
            let options = Options {
                max_executions: Some(1),
                max_depth: Some(1500),
                ..Options::default()
            };
            let built = program.instantiate(&params).unwrap();
            let (stopped, _) = explore(built, SendersFirst, options, &mut Ignore);
            match (stopped, &program.wrong) {
                (Ok(stopped), _) => assert_ne!(stopped, Stopped::Observer, "{}", program.name),
                (Err(Fault::Nondeterminism { .. }), Some(wrong)) => {
                    assert_eq!(wrong.kind, Mistake::Nondeterminism, "{}", program.name);
                }
                (Err(fault), _) => panic!("{}: {fault}", program.name),
            }
        }
    }
}
