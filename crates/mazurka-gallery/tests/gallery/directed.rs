//! The number of steps that searches take to the first error.

use crate::cases::params;
use mazurka_engine::{
    Directed, Direction, Execution, Explorer, Fault, Frontend, Observer, Options, Place, Prefix,
    Progress, Report, Settings, Stopped, Strategy, Valuation, Valuations, check,
};
use mazurka_gallery::{Built, find};
use std::ops::ControlFlow;

const BEST_FIRST: Strategy = Strategy::BestFirst { threshold: None };
const A_STAR: Strategy = Strategy::BestFirst { threshold: Some(0) };

fn steps(progress: &Progress) -> u64 {
    progress.transitions + progress.repeated
}

/// Searches for the first error, for about `steps_max` steps at most.
fn run(text: &str, strategy: Strategy, direction: Direction, steps_max: u64) -> Report {
    fn run<F: Frontend>(program: F, explore: Options, steps_max: u64) -> Result<Report, Fault> {
        let guide = Directed::new(&explore.direction);
        let settings = Settings {
            explore,
            ..Settings::default()
        };
        check(program, guide, &settings, |progress| {
            match steps(progress) < steps_max {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })
    }
    let (name, settings) = text.split_once(' ').unwrap_or((text, ""));
    let program = find(name).unwrap().instantiate(&params(settings)).unwrap();
    let explore = Options {
        strategy,
        direction,
        ..Options::default()
    };
    let report = match program {
        Built::Actors(program) => run(program, explore, steps_max),
        Built::Rust(program) => run(program, explore, steps_max),
    };
    report.unwrap()
}

/// The number of steps of a search for the first error, and whether it finds one.
fn search(
    text: &str,
    strategy: Strategy,
    valuation: Option<Valuation>,
    steps_max: u64,
) -> (u64, bool) {
    let valuations = valuation.map_or(Valuations::none(), Valuations::from);
    let report = run(text, strategy, valuations.into(), steps_max);
    let found = report.errors().next().is_some();
    (steps(&report.progress), found)
}

/// Steps to the first error: depth first, breadth first, best-first by each of [`Valuation::ALL`],
/// and A*.
fn check_steps(text: &str, expected: [u64; 14]) {
    let plain = [(Strategy::Dfs, None), (Strategy::Bfs, None)];
    let valued = Valuation::ALL.map(|valuation| (BEST_FIRST, Some(valuation)));
    let a_star = [(A_STAR, Some(Valuation::Distance))];
    let configurations = plain.into_iter().chain(valued).chain(a_star);
    let steps: Vec<u64> = configurations
        .map(|(strategy, valuation)| {
            let (steps, found) = search(text, strategy, valuation, 1_000);
            assert!(found, "{text}: {strategy:?} by {valuation:?}");
            steps
        })
        .collect();
    assert_eq!(steps, expected, "{text}");
}

#[test]
#[rustfmt::skip]
fn steps_to_the_first_error() {
    //                          dfs bfs  by each valuation                            A*
    check_steps("any-deadlock", [11, 5, 5, 11, 11, 5, 11, 11, 11, 11, 11, 11, 11, 6]);
    check_steps("any-assert", [11, 7, 7, 11, 11, 7, 11, 11, 11, 11, 11, 11, 11, 15]);
    check_steps("hidden-race", [17, 13, 13, 17, 17, 13, 17, 17, 17, 17, 17, 17, 17, 21]);
    check_steps(
        "hidden-race reordered=true",
        [20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 28],
    );
}

/// Checks that depth-first search does not find the error in ten times as many steps.
fn check_ten_times(text: &str, valuation: Valuation) {
    let (directed, found) = search(text, BEST_FIRST, Some(valuation), 10_000);
    assert!(
        found,
        "{text}: not found by {valuation} in {directed} steps"
    );
    let (depth_first, found) = search(text, Strategy::Dfs, None, 10 * directed);
    assert!(
        !found && depth_first >= 10 * directed,
        "{text}: {directed} steps by {valuation}, {depth_first} depth first"
    );
}

#[test]
fn ten_times_less_than_depth_first() {
    for text in [
        "hidden-race synchronised=true",
        "hidden-race synchronised=true reordered=true",
        "heat",
    ] {
        check_ten_times(text, Valuation::SimilarityAvoidance);
        check_ten_times(text, Valuation::FlipParallel);
    }
}

/// Each valuation beats depth-first search on some program.
#[test]
fn every_valuation_wins_somewhere() {
    for (valuation, text) in [
        (Valuation::Depth, "polling n=1000"),
        (Valuation::MaxMatch, "heat"),
        (Valuation::MinMatch, "heat"),
        (Valuation::SimilarityAvoidance, "heat"),
        (Valuation::ActorSymmetry, "heat"),
        (Valuation::FlipParallel, "heat"),
        (Valuation::DelayAny, "heat"),
        (Valuation::AntiPoll, "polling n=1000"),
        (Valuation::FewSwitches, "heat"),
        (Valuation::ManySwitches, "heat"),
        (Valuation::Distance, "hidden-race synchronised=true"),
    ] {
        let (directed, found) = search(text, BEST_FIRST, Some(valuation), 2_000_000);
        assert!(found, "{text}: not found by {valuation}");
        let (depth_first, found) = search(text, Strategy::Dfs, None, 2 * directed);
        assert!(
            !found && depth_first >= 2 * directed,
            "{text}: {directed} steps by {valuation}, {depth_first} depth first"
        );
    }
}

/// The progress of a complete search of a correct program.
fn whole(text: &str, strategy: Strategy, direction: Direction) -> Progress {
    let report = run(text, strategy, direction, u64::MAX);
    assert_eq!(report.stopped, Stopped::Complete, "{text}");
    report.progress
}

/// Every strategy but `dfs`, with every valuation at these places.
fn configurations(places: &[Place]) -> Vec<(Strategy, Direction)> {
    let plain = [
        Strategy::Bfs,
        Strategy::Random { seed: 1 },
        Strategy::Mcts { seed: 1 },
    ];
    let plain = plain.map(|strategy| (strategy, Direction::default()));
    let valued = Valuation::ALL.into_iter().flat_map(|valuation| {
        let direction = Direction::new(valuation.into(), places);
        [(BEST_FIRST, direction), (A_STAR, direction)]
    });
    plain.into_iter().chain(valued).collect()
}

/// At the usual places valuations change only the order.
#[test]
fn a_directed_search_explores_the_same_where_nothing_is_wrong() {
    for text in [
        "fan-in n=2",
        "fan-in n=6",
        "client-server clients=2 rounds=2",
        "registry n=6",
        "chameneos creatures=3 n=3",
        "regsim-2-level groups=3 n=2",
        "counter n=4 reads=2",
        "shortpath graph=5",
        "lost-update n=5 fixed=1",
        "quicksort n=12",
        "philosophers n=9 fixed=1",
        "two-phase-commit n=4",
        "bank n=3 selective=1",
        "attach clients=3",
    ] {
        let plain = whole(text, Strategy::Dfs, Direction::default());
        let all = configurations(&Place::USUAL)
            .into_iter()
            .chain(configurations(&Place::ALL));
        for (strategy, direction) in all {
            let directed = whole(text, strategy, direction);
            assert_eq!(directed.executions, plain.executions, "{text}");
            if direction.at(Place::Next).is_empty() {
                assert_eq!(directed.transitions, plain.transitions, "{text}");
            }
        }
    }
}

/// Choices become rarer, so on long runs a search without a threshold repeats few steps. The most
/// is 1.42 times the steps of `dfs`, where executions differ by 1.4 steps on average (`counter`).
#[test]
fn choices_cost_little_on_long_runs() {
    for (text, at_most) in [
        ("fan-in n=8", 1.3),
        ("client-server clients=3 rounds=4", 1.3),
        ("counter n=7 reads=2", 1.5),
    ] {
        let plain = whole(text, Strategy::Dfs, Direction::default());
        assert!(plain.executions > 30_000, "{text}");
        let ways = configurations(&Place::USUAL).into_iter();
        for (strategy, direction) in ways.filter(|(strategy, _)| *strategy != A_STAR) {
            let steps = steps(&whole(text, strategy, direction)) as f64 / steps(&plain) as f64;
            assert!(
                steps <= at_most,
                "{text}: {steps} times the steps by {strategy:?}, {direction:?}"
            );
        }
    }
}

/// The number of steps of each prefix that is popped, and how many were popped before the first
/// execution ended.
#[derive(Debug, Default)]
struct Popped {
    lengths: Vec<usize>,
    before_first_end: Option<usize>,
}

impl<F: Frontend> Observer<F> for Popped {
    fn execution(&mut self, _: &Execution<'_, F>) -> ControlFlow<()> {
        self.before_first_end.get_or_insert(self.lengths.len());
        ControlFlow::Continue(())
    }

    fn prefix(&mut self, prefix: &Prefix<'_, F>) {
        self.lengths.push(prefix.execution.len());
    }
}

/// Explores a program without distances by `distance`: the value of a prefix is its length.
fn popped(text: &str, strategy: Strategy) -> Popped {
    fn run<F: Frontend>(program: F, options: Options) -> Popped {
        let mut popped = Popped::default();
        let guide = Directed::new(&options.direction);
        let stopped = Explorer::new(program, guide, options).run(&mut popped);
        assert_eq!(stopped, Ok(Stopped::Complete));
        popped
    }
    let options = Options {
        strategy,
        direction: Direction::new(Valuation::Distance.into(), &[Place::Frontier]),
        ..Options::default()
    };
    let (name, settings) = text.split_once(' ').unwrap();
    match find(name).unwrap().instantiate(&params(settings)).unwrap() {
        Built::Actors(program) => run(program, options),
        Built::Rust(program) => run(program, options),
    }
}

/// A* always continues the prefix with the best value, here the shortest: values never decrease, and
/// no execution ends before all shorter prefixes have been continued. With a large threshold the first
/// execution is run to its end.
#[test]
fn at_threshold_0_the_best_prefix_is_always_next() {
    let by = |threshold| popped("fan-in n=6", Strategy::BestFirst { threshold });
    let a_star = by(Some(0));
    assert!(a_star.lengths.is_sorted(), "{:?}", a_star.lengths);
    // Of 6 messages, 6 * 5 * 4 * 3 * 2 orders have all but the last one received.
    assert!(a_star.before_first_end > Some(720), "{a_star:?}");
    assert_eq!(by(Some(1_000)).before_first_end, Some(1));
    assert_eq!(by(None).before_first_end, Some(1));
}

/// With every seed a random search is better than depth first here.
#[test]
fn random_search_finds_what_depth_first_does_not() {
    for seed in 1..=5 {
        for strategy in [Strategy::Random { seed }, Strategy::Mcts { seed }] {
            let (steps, found) = search("heat", strategy, None, 200_000);
            assert!(found, "{strategy:?}: not found in {steps} steps");
        }
    }
    let (steps, found) = search("heat", Strategy::Dfs, None, 200_000);
    assert!(!found, "{steps}");
}
