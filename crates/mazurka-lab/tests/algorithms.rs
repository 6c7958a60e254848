//! The published algorithms: what they count, and why they stop.

mod support;

use mazurka_engine::{Delivery, Options, Progress, Report, SendersFirst, Settings, Stopped};
use mazurka_lab::oracle::Instruction::{Choose, Crash, SkipIfOdd};
use mazurka_lab::oracle::{Case, Script, Shape, check_case};
use mazurka_lab::{Algorithm, AlgorithmOptions, Order, check};
use std::ops::ControlFlow;
use support::{ANY, PARENT, family, send};

fn run(script: &Script, by: impl Into<AlgorithmOptions>, explore: Options) -> Report {
    let settings = Settings {
        explore,
        keep_going: true,
        ..Settings::default()
    };
    let go_on = |_: &Progress| ControlFlow::Continue(());
    check(script.clone(), SendersFirst, &by.into(), &settings, go_on).expect("it is modelled")
}

/// Three processes report to one that takes two reports.
fn reports() -> Script {
    let report = [send(PARENT, 1)];
    family(&[ANY, ANY], &[&report, &report, &report])
}

fn unordered() -> Options {
    Options {
        delivery: Delivery::Unordered,
        ..Options::default()
    }
}

#[test]
fn every_algorithm_counts_the_same_traces() {
    for algorithm in Algorithm::ALL {
        for order in Order::ALL {
            let by = AlgorithmOptions {
                order,
                ..algorithm.into()
            };
            let report = run(&reports(), by, unordered());
            assert_eq!(report.stopped, Stopped::Complete);
            // Two of three messages in any order. Schedules also differ in the order of sends.
            let expected = match algorithm {
                Algorithm::Interleavings => continue,
                _ => 6,
            };
            assert_eq!(report.progress.executions, expected, "{algorithm} {order}");
        }
    }
}

/// A process that sends twice, and one that waits for it.
fn pair() -> Script {
    family(&[ANY, ANY], &[&[send(PARENT, 1), send(PARENT, 2)]])
}

fn schedules(blocking_avoidance: bool, preemption_bound: Option<u32>) -> (Stopped, u64, u64) {
    let by = AlgorithmOptions {
        blocking_avoidance,
        preemption_bound,
        ..Algorithm::Interleavings.into()
    };
    let options = Options {
        delivery: Delivery::Mailbox,
        ..Options::default()
    };
    let Report {
        stopped, progress, ..
    } = run(&pair(), by, options);
    (stopped, progress.executions, progress.transitions)
}

#[test]
fn schedules_of_a_pair() {
    // The parent receives twice (r, R) and ends (e); the child sends twice (s, S) and ends (E). Each
    // receive comes after its send.
    //   s r S, then R e E, R E e or E R e: 3 schedules.
    //   s S, then r R e with E at any position: 4 schedules.
    assert_eq!(schedules(true, None).1, 7);
    assert_eq!(schedules(true, None).0, Stopped::Complete);
    // Without preemptions the child runs to its end, then the parent.
    let (stopped, executions, _) = schedules(true, Some(0));
    assert_eq!((stopped, executions), (Stopped::PreemptionBound, 1));
    // A bound that is never reached changes nothing. Each schedule is counted in one round only.
    assert_eq!(schedules(true, Some(100)), schedules(true, None));
    assert_eq!(schedules(false, Some(100)), schedules(false, None));
    // Without blocking avoidance, finding that a process must wait is an action as well.
    assert!(schedules(false, None).1 > 7);
}

#[test]
fn bounds_stop_every_algorithm() {
    for algorithm in Algorithm::ALL {
        let bounded = Options {
            max_executions: Some(2),
            ..unordered()
        };
        let report = run(&reports(), algorithm, bounded);
        assert_eq!(report.stopped, Stopped::ExecutionBound, "{algorithm}");
        assert_eq!(report.progress.executions, 2, "{algorithm}");
        let shallow = Options {
            max_depth: Some(3),
            ..unordered()
        };
        let report = run(&reports(), algorithm, shallow);
        assert_eq!(report.stopped, Stopped::DepthBound, "{algorithm}");
        assert_eq!(report.progress.executions, 0, "{algorithm}");
        assert!(report.progress.cut_short > 0, "{algorithm}");
    }
}

#[test]
fn every_algorithm_finds_a_crash_and_stops_there() {
    // The parent crashes if it takes the even number first.
    let roles = family(
        &[ANY, SkipIfOdd(1), Crash],
        &[&[send(PARENT, 1)], &[send(PARENT, 2)]],
    );
    for algorithm in Algorithm::ALL {
        let report = run(&roles, algorithm, unordered());
        assert_eq!(report.errors().count(), 1, "{algorithm}");
        assert_eq!(report.stopped, Stopped::Complete, "{algorithm}");
        let settings = Settings {
            explore: unordered(),
            ..Settings::default()
        };
        let go_on = |_: &Progress| ControlFlow::Continue(());
        let report = check(
            roles.clone(),
            SendersFirst,
            &algorithm.into(),
            &settings,
            go_on,
        );
        let report = report.expect("it is modelled");
        assert_eq!(report.errors().count(), 1, "{algorithm}");
    }
}

/// With little memory every algorithm evicts behaviour nodes and creates them again. The histories of
/// one child are needed again for each history of the other, and are more than two executions use.
#[test]
fn little_memory_changes_only_the_number_of_nodes() {
    const CHOICES: usize = 5;
    let chooser = [Choose(2); CHOICES];
    let script = family(&[], &[&chooser, &chooser]);
    // `interleavings` has too many schedules.
    let algorithms = { Algorithm::ALL.into_iter() }.filter(|one| !one.has_schedules());
    for algorithm in algorithms {
        let [ample, scarce] = [64 << 20, 1].map(|node_memory| {
            let options = Options {
                node_memory,
                ..unordered()
            };
            run(&script, algorithm, options).progress
        });
        assert_eq!(ample.executions, 1 << (2 * CHOICES), "{algorithm}");
        assert_eq!(scarce.executions, ample.executions, "{algorithm}");
        // The start of the parent, and all histories of two children, each once.
        let histories = (2 << CHOICES) - 1;
        assert_eq!(ample.behaviour_nodes, 1 + 2 * histories, "{algorithm}");
        let (made, once) = (scarce.behaviour_nodes, ample.behaviour_nodes);
        assert!(made > 2 * once, "{algorithm}: {made} nodes, {once} needed");
    }
}

/// Random programs for which some algorithm once gave a wrong result.
#[test]
fn earlier_failures() {
    let cases = [
        // If a name serves a request later, it reads another version of a liveness object.
        (Shape::Objects, 77_207, Delivery::Unordered),
        (Shape::Everything, 77_577, Delivery::Unordered),
        // A race must be reversed again when more of the execution can be kept.
        (Shape::Signals, 77_008, Delivery::Unordered),
        (Shape::Objects, 77_008, Delivery::Unordered),
        // Only by making a read the algorithm learns which objects it reads.
        (Shape::Objects, 91_016, Delivery::Unordered),
        // All ends are published before a timeout that fires when nothing else can happen.
        (Shape::Objects, 1_041, Delivery::Unordered),
        // A transition may rule out a sequence that does not depend on it.
        (Shape::Timeouts, 77_070, Delivery::Mailbox),
        // A process may act after a signal that arrived after its signal check.
        (Shape::Signals, 24, Delivery::Mailbox),
    ];
    for (shape, seed, delivery) in cases {
        let case = Case {
            shape,
            seed,
            delivery,
        };
        for algorithm in Algorithm::ALL {
            if let Err(difference) = check_case(case, &[algorithm]) {
                panic!("{difference}");
            }
        }
    }
}
