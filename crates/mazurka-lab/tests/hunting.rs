//! Hunts: several searches by turns, until one has something to show.

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

/// So many processes send a one, and a last one a two, to a process that takes all of them, and
/// then does this.
fn reports(ones: usize, then: &[Instruction]) -> Script {
    let (one, two) = ([send(PARENT, 1)], [send(PARENT, 2)]);
    let mut senders = vec![&one[..]; ones];
    senders.push(&two);
    let mut entry = vec![ANY; senders.len()];
    entry.extend(then);
    family(&entry, &senders)
}

/// It crashes if the two comes last: the first trace of a depth-first search, and far away for one
/// that turns everything round.
fn easy() -> Script {
    reports(6, &[SkipIfOdd(1), Crash])
}

#[test]
fn whoever_finds_an_error_ends_the_hunt() {
    let hunt = hunted(&easy(), &[by(Valuation::FlipParallel), plain(DFS)]);
    assert_eq!(hunt.by, 1);
    assert_eq!(hunt.report.stopped, Stopped::Observer);
    assert_eq!(hunt.report.progress, hunt.progress[1]);
    let errors: Vec<_> = hunt.report.errors().collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].finding.kind, Kind::Crash);
    // The other way round, nobody else gets a turn.
    let hunt = hunted(&easy(), &[plain(DFS), by(Valuation::FlipParallel)]);
    assert_eq!(hunt.by, 0);
    assert_eq!(hunt.report.progress.executions, 1);
    assert_eq!(hunt.progress[1], Progress::default());
}

/// What a hunter finds in its turns is what it would find alone.
#[test]
fn turns_change_nothing() {
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
    // Breadth first goes everywhere before it comes to an end.
    let hunters = [plain(BFS), plain(DFS), by(Valuation::FlipParallel)];
    let hunt = hunted(&reports(5, &[]), &hunters);
    assert!(hunt.report.is_complete());
    assert!(hunt.report.found.is_empty());
    assert_eq!(hunt.report.progress.executions, 720);
    assert_eq!(hunt.progress[hunt.by].executions, 720);
    assert!((hunt.report.progress.fraction - 1.0).abs() < 1e-9);
    // All had their turns, and nobody else has come to the end.
    for (at, progress) in hunt.progress.iter().enumerate() {
        let hunter = hunters[at];
        assert!(progress.transitions > 100, "{hunter:?}: {progress:?}");
        let at_the_end = progress.executions == 720;
        assert_eq!(at_the_end, at == hunt.by, "{hunter:?}: {progress:?}");
    }
}

#[test]
fn whoever_watches_ends_the_hunt() {
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
    // What was shown is what all have done together.
    let sum = |of: fn(&Progress) -> u64| hunt.progress.iter().map(of).sum::<u64>();
    assert_eq!(sum(|p| p.transitions), last.transitions);
    assert_eq!(sum(|p| p.executions), last.executions);
    assert_eq!(sum(|p| p.repeated), last.repeated);
    assert_eq!(sum(|p| p.behaviour_nodes), last.behaviour_nodes);
    assert_eq!(sum(|p| p.frontier as u64), last.frontier as u64);
    assert!(hunt.progress.iter().all(|p| p.transitions > 0));
}

#[test]
fn bounds_end_the_hunt_when_all_have_reached_them() {
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

/// A verdict that takes several errors is that of one hunter.
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
fn nobody_hunts_nothing() {
    hunted(&easy(), &[]);
}
