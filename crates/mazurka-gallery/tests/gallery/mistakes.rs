//! The wrong programs go wrong in the way they say, and the others do not.

use crate::cases::{CASES, params};
use mazurka_engine::{
    Delivery, Execution, Explorer, Fault, Observer, Options, SendersFirst, Stopped,
};
use mazurka_gallery::{Actors, Mistake, Parameter, Program, programs};
use mazurka_trace::{Event, Pid};
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

/// How executions end.
#[derive(Default)]
struct Mistakes {
    seen: HashSet<Mistake>,
}

impl Observer<Actors> for Mistakes {
    fn execution(&mut self, execution: &Execution<'_, Actors>) -> ControlFlow<()> {
        let trace = execution.trace();
        let ends = |pid: &Pid| match trace.events_of(pid).last() {
            Some(Event::Exit { reason }) => Some(reason.clone()),
            _ => None,
        };
        if ends(&trace.initial).is_none() {
            self.seen.insert(Mistake::Deadlock);
        }
        for reason in trace.processes.keys().filter_map(ends) {
            match reason.as_str() {
                "normal" | "stopped" => {}
                // Only assertions are texts.
                text if text.starts_with('"') => {
                    self.seen.insert(Mistake::Assertion);
                }
                _ => {
                    self.seen.insert(Mistake::Crash);
                }
            }
        }
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
    let actors = program.instantiate(params).unwrap();
    Explorer::new(actors, SendersFirst, options).run(&mut mistakes)?;
    Ok(mistakes.seen)
}

#[test]
fn programs_go_wrong_as_they_say() {
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
            let found = match mistakes(program, &params, options) {
                Ok(found) => found,
                Err(Fault::Nondeterminism { .. }) => HashSet::from([Mistake::Nondeterminism]),
                Err(fault) => panic!("{}: {fault}", case.text),
            };
            assert_eq!(found, expected, "{} under {delivery}", case.text);
        }
    }
}

#[test]
fn hidden_nondeterminism_is_named() {
    let program = mazurka_gallery::find("nondeterministic").unwrap();
    let options = Options {
        distrust: true,
        ..Options::default()
    };
    let Err(Fault::Nondeterminism { what }) = mistakes(program, &params(""), options) else {
        panic!("not found");
    };
    assert!(what.starts_with("process P.1 acts differently"), "{what}");
    assert!(mistakes(program, &params(""), Options::default()).is_ok());
}

/// The greatest values make programs too large to explore, but not to begin.
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
            let actors = program.instantiate(&params).unwrap();
            let stopped =
                Explorer::new(actors, SendersFirst, options).run(&mut Mistakes::default());
            assert_ne!(stopped, Ok(Stopped::Observer), "{}", program.name);
            assert!(stopped.is_ok(), "{}: {stopped:?}", program.name);
        }
    }
}
