//! The engine and the kernel must agree: every explored trace is valid by the kernel's rules,
//! its log replays it, and every race variant is a prefix of some execution.

use mazurka_engine::{
    Delivery, Execution, Explorer, Observer, Options, SendersFirst, Strategy, drive,
};
use mazurka_lab::oracle::{Case, Script, Shape};
use mazurka_trace::Trace;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

const CASES: u64 = 150;
const TRACES_PER_CASE: usize = 12;

struct Collect(Vec<Trace>);

impl Observer<Script> for Collect {
    fn execution(&mut self, execution: &Execution<'_, Script>) -> ControlFlow<()> {
        self.0.push(execution.trace());
        match self.0.len() < TRACES_PER_CASE {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn restart(&mut self) {
        self.0.clear();
    }
}

fn explored(case: Case) -> (Options, Vec<Trace>) {
    let options = Options {
        delivery: case.delivery,
        timeouts: case.timeouts(),
        strategy: Strategy::Random { seed: case.seed },
        ..Options::default()
    };
    let mut collect = Collect(Vec::new());
    Explorer::new(case.program(), SendersFirst, options.clone())
        .run(&mut collect)
        .expect("all is modelled");
    (options, collect.0)
}

fn for_each_case(check: impl Fn(Case, &Options, &Trace)) {
    for delivery in Delivery::ALL {
        for shape in Shape::ALL {
            for seed in 0..CASES {
                let case = Case {
                    shape,
                    seed,
                    delivery,
                };
                let (options, traces) = explored(case);
                for trace in &traces {
                    check(case, &options, trace);
                }
            }
        }
    }
}

#[test]
fn explored_traces_are_valid() {
    for_each_case(|case, _, trace| {
        if let Err(error) = trace.check() {
            panic!("{case:?}: {error}\n{}", trace.to_json());
        }
    });
}

#[test]
fn a_log_replays_its_trace() {
    for_each_case(|case, options, trace| {
        match drive(case.program(), options, &trace.log(), None) {
            Ok(driven) => assert!(
                driven.trace.equivalent(trace),
                "{case:?}:\n{}\n{}",
                trace.to_json(),
                driven.trace.to_json()
            ),
            Err(error) => panic!("{case:?}: {error}\n{}", trace.to_json()),
        }
    });
}

#[test]
fn a_race_variant_is_a_prefix_of_an_execution() {
    let variants = std::cell::Cell::new(0);
    for_each_case(|case, options, trace| {
        // A trace does not record which signals would end a process, nor that the messages of a
        // courier come after those of the ended process. In an ordered delivery model, some races
        // of the trace do not exist in the program.
        let signals = matches!(
            case.shape,
            Shape::Signals | Shape::Everything | Shape::Daemons | Shape::Polls
        );
        if signals && case.delivery != Delivery::Unordered {
            return;
        }
        let causality = trace.check().expect("tested above");
        for race in causality.races() {
            for other in &race.others {
                let variant = causality.variant(&race.at, other).expect("it is a race");
                let variant = without_unread_ends(variant);
                variants.set(variants.get() + 1);
                match drive(case.program(), options, &variant.log(), None) {
                    Ok(driven) => assert!(
                        variant.is_subtrace_of(&driven.trace),
                        "{case:?} {}→{other}:\n{}\n{}",
                        race.at,
                        variant.to_json(),
                        driven.trace.to_json()
                    ),
                    Err(error) => panic!(
                        "{case:?} {}→{other}: {error}\n{}",
                        race.at,
                        variant.to_json()
                    ),
                }
            }
        }
    });
    assert!(variants.get() > 1000, "only {} variants", variants.get());
}

/// A process sends its end to its liveness object only if another process uses that object. If the
/// variant has dropped those uses, this drops the send.
fn without_unread_ends(mut variant: Trace) -> Trace {
    let orphans: BTreeSet<_> = variant.orphans().into_iter().map(|o| o.tag).collect();
    for (pid, events) in &mut variant.processes {
        let liveness = format!("liveness({pid})");
        events.retain(|event| match event.sends() {
            Some((tag, to)) => to.as_str() != liveness || !orphans.contains(tag),
            None => true,
        });
    }
    variant
}
