//! Exact numbers of executions, by every guide and by brute force.

use crate::cases::{CASES, Case};
use mazurka_engine::oracle::brute;
use mazurka_engine::{
    ByHash, Delivery, Execution, Explorer, Guide, Observer, Options, SendersFirst, Stopped,
    Strategy, Timeouts,
};
use mazurka_gallery::Actors;
use std::ops::ControlFlow;

struct Ignore;

impl Observer<Actors> for Ignore {
    fn execution(&mut self, _: &Execution<'_, Actors>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn check(case: &Case, delivery: Delivery, guide: impl Guide, options: Options) {
    let options = Options {
        delivery,
        ..options
    };
    let how = format!("{} under {delivery}, {options:?}", case.text);
    let program = case.program().instantiate(&case.params()).unwrap();
    let mut explorer = Explorer::new(program, guide, options);
    assert_eq!(explorer.run(&mut Ignore), Ok(Stopped::Complete), "{how}");
    let progress = explorer.progress();
    assert_eq!(progress.executions, case.traces(delivery), "{how}");
    assert_eq!((progress.blocked, progress.cut_short), (0, 0), "{how}");
}

fn check_all(delivery: Delivery) {
    for case in CASES {
        if let Some(known) = case.program().known_traces(&case.params(), delivery) {
            assert_eq!(known, case.traces(delivery).into(), "{}", case.text);
        }
        check(case, delivery, SendersFirst, Options::default());
        let at_random = Options {
            strategy: Strategy::Random { seed: 1 },
            ..Options::default()
        };
        check(case, delivery, ByHash { seed: 1 }, at_random);
        // Memory for a handful of nodes, so that dropped ones are made again.
        let scarce = Options {
            node_memory: 2000,
            ..Options::default()
        };
        check(case, delivery, ByHash { seed: 2 }, scarce);
        if case.small {
            let program = case.program().instantiate(&case.params()).unwrap();
            let all = brute(&program, delivery, Timeouts::default(), 30_000).unwrap();
            let (found, expected) = (all.len() as u64, case.traces(delivery));
            assert_eq!(found, expected, "brute force: {}", case.text);
        }
    }
}

#[test]
fn unordered() {
    check_all(Delivery::Unordered);
}

#[test]
fn p2p() {
    check_all(Delivery::P2p);
}

#[test]
fn causal() {
    check_all(Delivery::Causal);
}

#[test]
fn mailbox() {
    check_all(Delivery::Mailbox);
}

#[test]
fn every_program_is_counted() {
    for program in mazurka_gallery::programs() {
        let counted = CASES.iter().any(|case| case.program().name == program.name);
        assert!(counted, "{}", program.name);
    }
}
