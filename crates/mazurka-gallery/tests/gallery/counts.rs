//! Exact numbers of executions, with every guide and by brute force.

use crate::cases::{CASES, Case};
use crate::explore::{Ignore, by_brute_force, explore};
use mazurka_engine::{ByHash, Delivery, Guide, Options, SendersFirst, Stopped, Strategy};
use mazurka_gallery::Mistake;

fn check(case: &Case, delivery: Delivery, guide: impl Guide, options: Options) {
    let options = Options {
        delivery,
        ..options
    };
    let how = format!("{} under {delivery}, {options:?}", case.text);
    let program = case.program().instantiate(&case.params()).unwrap();
    let (stopped, progress) = explore(program, guide, options, &mut Ignore);
    assert_eq!(stopped, Ok(Stopped::Complete), "{how}");
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
        // Memory for only a few nodes, so that evicted ones are created again.
        let scarce = Options {
            node_memory: 2000,
            ..Options::default()
        };
        check(case, delivery, ByHash { seed: 2 }, scarce);
        if case.small {
            let program = case.program().instantiate(&case.params()).unwrap();
            let (found, expected) = (by_brute_force(program, delivery), case.traces(delivery));
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
    let unsound = |wrong: &mazurka_gallery::Wrong| wrong.kind == Mistake::Nondeterminism;
    for program in mazurka_gallery::programs() {
        if program.wrong.as_ref().is_some_and(unsound) {
            continue;
        }
        let counted = CASES.iter().any(|case| case.program().name == program.name);
        assert!(counted, "{}", program.name);
    }
}
