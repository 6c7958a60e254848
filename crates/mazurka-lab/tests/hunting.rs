//! Hunts: several searches in turns until the first error.

mod support;

use mazurka_engine::{
    Direction, Fault, Hunt, Hunter, Kind, Options, Place, Progress, Settings, Stopped, Strategy,
    Valuation, hunt,
};
use mazurka_lab::oracle::Instruction::{Choose, Crash, SkipIfOdd};
use mazurka_lab::oracle::{Instruction, Script};
use std::ops::ControlFlow;
use support::{ANY, PARENT, family, send};

fn plain(strategy: Strategy) -> Hunter {
    Hunter {
        strategy,
        direction: Direction::default(),
    }
}

const DFS: Strategy = Strategy::Dfs;
const BFS: Strategy = Strategy::Bfs;

fn by(valuation: Valuation) -> Hunter {
    Hunter {
        strategy: Strategy::BestFirst { threshold: None },
        direction: Direction::new(valuation.into(), &Place::ALL),
    }
}

fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[track_caller]
fn hunted(script: &Script, hunters: &[Hunter]) -> Hunt {
    hunt(script, hunters, &Settings::default(), go_on).expect("it is modelled")
}

/// `ones` processes send 1 to the entry process, and a last one sends 2. The entry process receives all
/// messages and then executes `then`.
fn reports(ones: usize, then: &[Instruction]) -> Script {
    let (one, two) = ([send(PARENT, 1)], [send(PARENT, 2)]);
    let mut senders = vec![&one[..]; ones];
    senders.push(&two);
    let mut entry = vec![ANY; senders.len()];
    entry.extend(then);
    family(&entry, &senders)
}

/// Crashes if the 2 is received last. That is the first trace of a depth-first search, and a late one of
/// a best-first search by `flip-parallel`.
fn easy() -> Script {
    reports(6, &[SkipIfOdd(1), Crash])
}

#[test]
fn the_first_error_ends_the_hunt() {
    let hunt = hunted(&easy(), &[by(Valuation::FlipParallel), plain(DFS)]);
    assert_eq!(hunt.by, 1);
    assert_eq!(hunt.report.stopped, Stopped::Observer);
    assert_eq!(hunt.report.progress, hunt.progress[1]);
    let errors: Vec<_> = hunt.report.errors().collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].finding.kind, Kind::Crash);
    // If the depth-first search comes first, the other one gets no turn.
    let hunt = hunted(&easy(), &[plain(DFS), by(Valuation::FlipParallel)]);
    assert_eq!(hunt.by, 0);
    assert_eq!(hunt.report.progress.executions, 1);
    assert_eq!(hunt.progress[1], Progress::default());
}

/// A hunter finds the same in turns as it would find alone.
#[test]
fn taking_turns_does_not_change_a_search() {
    let far = reports(5, &[Choose(2), SkipIfOdd(1), Crash]);
    let all = [
        plain(DFS),
        plain(BFS),
        plain(Strategy::Random { seed: 3 }),
        plain(Strategy::Mcts { seed: 3 }),
        by(Valuation::FlipParallel),
        by(Valuation::SimilarityAvoidance),
    ];
    for script in [far, easy()] {
        let together = hunted(&script, &all);
        let alone = hunted(&script, &all[together.by..=together.by]);
        assert_eq!(together.report.progress, alone.report.progress);
        let [one, other] = [&together, &alone].map(|hunt| {
            let first = hunt.report.errors().next().expect("it crashes");
            first.trace.log()
        });
        assert_eq!(one, other);
    }
}

#[test]
fn a_complete_exploration_ends_the_hunt() {
    // Breadth-first search completes its executions late.
    let hunters = [plain(BFS), plain(DFS), by(Valuation::FlipParallel)];
    let hunt = hunted(&reports(5, &[]), &hunters);
    assert!(hunt.report.is_complete());
    assert!(hunt.report.found.is_empty());
    assert_eq!(hunt.report.progress.executions, 720);
    assert_eq!(hunt.progress[hunt.by].executions, 720);
    assert!((hunt.report.progress.fraction - 1.0).abs() < 1e-9);
    // All hunters had turns, and only one explored everything.
    for (at, progress) in hunt.progress.iter().enumerate() {
        let hunter = hunters[at];
        assert!(progress.transitions > 100, "{hunter:?}: {progress:?}");
        let is_complete = progress.executions == 720;
        assert_eq!(is_complete, at == hunt.by, "{hunter:?}: {progress:?}");
    }
}

#[test]
fn the_watch_function_can_stop_the_hunt() {
    let hunters = [plain(DFS), plain(Strategy::Random { seed: 0 }), plain(BFS)];
    let (mut calls, mut last) = (0, Progress::default());
    let settings = Settings::default();
    let watch = |progress: &Progress| {
        assert!(
            progress.transitions >= last.transitions,
            "{progress:?}, {last:?}"
        );
        assert!(progress.executions >= last.executions);
        last = *progress;
        calls += 1;
        match calls {
            40 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    let hunt = hunt(&reports(8, &[]), &hunters, &settings, watch).expect("it is modelled");
    assert_eq!(calls, 40);
    assert_eq!(hunt.report.stopped, Stopped::Observer);
    assert!(hunt.report.found.is_empty());
    // The reported progress is the sum over all hunters.
    let sum = |of: fn(&Progress) -> u64| hunt.progress.iter().map(of).sum::<u64>();
    assert_eq!(sum(|p| p.transitions), last.transitions);
    assert_eq!(sum(|p| p.executions), last.executions);
    assert_eq!(sum(|p| p.repeated), last.repeated);
    assert_eq!(sum(|p| p.behaviour_nodes), last.behaviour_nodes);
    assert_eq!(sum(|p| p.frontier as u64), last.frontier as u64);
    assert!(hunt.progress.iter().all(|p| p.transitions > 0));
}

#[test]
fn a_bound_ends_the_hunt_when_all_hunters_have_reached_it() {
    let hunters = [plain(DFS), by(Valuation::MinMatch)];
    let bounded = |explore| Settings {
        explore,
        ..Settings::default()
    };
    let settings = bounded(Options {
        max_executions: Some(10),
        ..Options::default()
    });
    let script = reports(5, &[]);
    let few = hunt(&script, &hunters, &settings, go_on).expect("it is modelled");
    assert_eq!((few.by, few.report.stopped), (0, Stopped::ExecutionBound));
    assert!(few.progress.iter().all(|p| p.executions == 10));
    let settings = bounded(Options {
        max_depth: Some(9),
        ..Options::default()
    });
    let short = hunt(&script, &hunters, &settings, go_on).expect("it is modelled");
    assert_eq!((short.by, short.report.stopped), (0, Stopped::DepthBound));
    assert!(short.progress.iter().all(|p| p.cut_short > 0));
}

#[test]
fn a_fault_ends_the_hunt() {
    let script = reports(2, &[Choose(0)]);
    let fault = hunt(
        &script,
        &[plain(DFS), plain(BFS)],
        &Settings::default(),
        go_on,
    );
    let Err(Fault::Unsupported { what }) = fault else {
        panic!("{fault:?}");
    };
    assert_eq!(
        what,
        "process P chooses one of no ways to go on: give it one at least"
    );
}

/// If several kinds of errors are expected, one hunter must find all of them.
#[test]
fn expected_errors_are_found_by_one_hunter() {
    let script = family(
        &[ANY, SkipIfOdd(1), Crash, ANY, ANY],
        &[&[send(PARENT, 1)], &[send(PARENT, 2)]],
    );
    let settings = Settings {
        expected: vec![Kind::Crash, Kind::Deadlock],
        ..Settings::default()
    };
    let hunters = [plain(DFS), by(Valuation::FlipParallel)];
    let hunt = hunt(&script, &hunters, &settings, go_on).expect("it is modelled");
    let mut kinds: Vec<Kind> = hunt
        .report
        .errors()
        .map(|found| found.finding.kind)
        .collect();
    kinds.sort();
    assert_eq!(kinds, [Kind::Crash, Kind::Deadlock]);
}

#[test]
#[should_panic(expected = "a hunt needs a hunter")]
fn a_hunt_without_hunters_panics() {
    hunted(&easy(), &[]);
}
