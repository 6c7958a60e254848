//! Directed search: each trace once, for every strategy and valuation.

mod support;

use mazurka_engine::{
    Delivery, Directed, Direction, Execution, Explorer, Hunter, Observer, Options, Place, Progress,
    Stopped, Strategy, Valuation, Valuations,
};
use mazurka_lab::oracle::{CanonicalTrace, Case, Pattern, Script, Shape, Tally, check_searches};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use support::{ANY, CHILD, PARENT, SIBLING, family, receive_after, send};

const STRATEGIES: [Strategy; 7] = [
    Strategy::Dfs,
    Strategy::Bfs,
    Strategy::Random { seed: 1 },
    Strategy::BestFirst { threshold: None },
    Strategy::BestFirst { threshold: Some(0) },
    Strategy::BestFirst {
        threshold: Some(50),
    },
    Strategy::Mcts { seed: 1 },
];

/// Each strategy with these valuations: in each place alone, and everywhere.
fn searches(valuations: Valuations) -> Vec<Hunter> {
    let [frontier, next, prefer] = Place::ALL.map(|place| vec![place]);
    let places = [frontier, next, prefer, Place::ALL.to_vec()];
    let directions = places.map(|places| Direction::new(valuations, &places));
    STRATEGIES
        .into_iter()
        .flat_map(|strategy| {
            directions.map(|direction| Hunter {
                strategy,
                direction,
            })
        })
        .collect()
}

/// All searches by one valuation, on a few random programs of every shape in every delivery model.
fn compare(valuation: Valuation) {
    let searches = searches(valuation.into());
    let mut tally = Tally::default();
    for delivery in Delivery::ALL {
        for shape in Shape::ALL {
            for seed in 100..103 {
                let case = Case {
                    shape,
                    seed: seed + 10 * valuation as u64,
                    delivery,
                };
                match check_searches(case, &searches) {
                    Ok(one) => tally = tally.plus(one),
                    Err(difference) => panic!("{difference}"),
                }
            }
        }
    }
    assert_eq!(tally.explorations, 28 * tally.programs);
    assert!(
        4 * tally.racy > tally.programs && tally.traces > tally.programs,
        "by {valuation} little is tested: {tally:?}"
    );
}

#[test]
fn by_depth() {
    compare(Valuation::Depth);
}

#[test]
fn by_max_match() {
    compare(Valuation::MaxMatch);
}

#[test]
fn by_min_match() {
    compare(Valuation::MinMatch);
}

#[test]
fn by_similarity_avoidance() {
    compare(Valuation::SimilarityAvoidance);
}

#[test]
fn by_actor_symmetry() {
    compare(Valuation::ActorSymmetry);
}

#[test]
fn by_flip_parallel() {
    compare(Valuation::FlipParallel);
}

#[test]
fn by_delay_any() {
    compare(Valuation::DelayAny);
}

#[test]
fn by_anti_poll() {
    compare(Valuation::AntiPoll);
}

#[test]
fn by_few_switches() {
    compare(Valuation::FewSwitches);
}

#[test]
fn by_many_switches() {
    compare(Valuation::ManySwitches);
}

#[test]
fn by_distance() {
    compare(Valuation::Distance);
}

/// `senders` processes send to the entry process, which receives all messages: each order is a trace.
fn fan_in(senders: usize) -> Script {
    let report = [send(PARENT, 1)];
    family(&vec![ANY; senders], &vec![&report[..]; senders])
}

/// The traces in the order in which they are found.
#[derive(Default)]
struct InOrder(Vec<CanonicalTrace>);

impl Observer<Script> for InOrder {
    fn execution(&mut self, execution: &Execution<'_, Script>) -> ControlFlow<()> {
        self.0.push(execution.canonical());
        ControlFlow::Continue(())
    }
}

/// Explores everything.
fn all(script: Script, search: Hunter) -> (Vec<CanonicalTrace>, Progress) {
    let options = Options {
        strategy: search.strategy,
        direction: search.direction,
        ..Options::default()
    };
    let mut found = InOrder::default();
    let mut explorer = Explorer::new(script, Directed::new(&search.direction), options);
    let stopped = explorer.run(&mut found).expect("it is modelled");
    assert_eq!(stopped, Stopped::Complete, "{search:?}");
    (found.0, explorer.progress())
}

/// A sum of valuations that depend on earlier visits, on counts and on distances.
fn mixture() -> Valuations {
    let text = "similarity-avoidance:3,flip-parallel,distance:2,max-match";
    text.parse().expect("these exist")
}

/// There are more executions than free choices: after each choice, prefixes are explored depth first.
#[test]
fn more_executions_than_free_choices() {
    for strategy in STRATEGIES {
        for valuations in [Valuations::none(), mixture()] {
            let direction = Direction::new(valuations, &Place::ALL);
            let search = Hunter {
                strategy,
                direction,
            };
            let (found, progress) = all(fan_in(7), search);
            assert_eq!(found.len(), 5_040, "{search:?}");
            let distinct: BTreeSet<_> = found.iter().collect();
            assert_eq!(distinct.len(), 5_040, "{search:?}");
            assert_eq!(progress.executions, 5_040, "{search:?}");
            assert_eq!(progress.frontier, 0, "{search:?}");
            assert!((progress.fraction - 1.0).abs() < 1e-9, "{search:?}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_order() {
    let order = |strategy| {
        let direction = Direction::default();
        let search = Hunter {
            strategy,
            direction,
        };
        all(fan_in(6), search).0
    };
    for strategy in STRATEGIES {
        assert_eq!(order(strategy), order(strategy), "{strategy:?}");
        if strategy.seed().is_some() {
            let other = strategy.with_seed(2);
            assert_ne!(order(strategy), order(other), "{strategy:?}");
        }
    }
}

/// Each valuation changes the order of the traces at each place. It is added to another valuation,
/// because at `next` any valuation at all changes the order of the processes.
#[test]
fn every_valuation_changes_something_at_every_place() {
    for place in Place::ALL {
        for valuation in Valuation::ALL {
            let beside = [Valuation::AntiPoll, Valuation::MinMatch];
            let changes = |program: Script| {
                let others = beside.into_iter().filter(|&other| other != valuation);
                others.map(Valuations::from).any(|other| {
                    let both = other.with(valuation, 7);
                    first_few(&program, other, place) != first_few(&program, both, place)
                })
            };
            assert!(programs().any(changes), "{valuation} at {}", place.name());
        }
    }
}

/// Random programs of every shape, and one in which two processes poll concurrently, which is rare in
/// the random ones.
fn programs() -> impl Iterator<Item = Script> {
    let polls = [
        receive_after(Pattern::Any, 0),
        receive_after(Pattern::Any, 0),
    ];
    let news = [send(CHILD, 1), send(SIBLING, 1)];
    let pollers = family(&news, &[&polls, &polls]);
    let cases = (0..40).flat_map(|seed| {
        Shape::ALL.map(|shape| Case {
            shape,
            seed,
            delivery: Delivery::P2p,
        })
    });
    cases.map(|case| case.program()).chain([pollers])
}

/// The first traces of a best-first search, fewer than it has free choices.
fn first_few(program: &Script, valuations: Valuations, place: Place) -> Vec<CanonicalTrace> {
    let direction = Direction::new(valuations, &[place]);
    let options = Options {
        strategy: Strategy::BestFirst { threshold: None },
        direction,
        ..Options::default()
    };
    let mut found = FirstFew::default();
    Explorer::new(program.clone(), Directed::new(&direction), options)
        .run(&mut found)
        .expect("it is modelled");
    found.0
}

/// The first few traces.
#[derive(Default)]
struct FirstFew(Vec<CanonicalTrace>);

impl Observer<Script> for FirstFew {
    fn execution(&mut self, execution: &Execution<'_, Script>) -> ControlFlow<()> {
        self.0.push(execution.canonical());
        match self.0.len() {
            20.. => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn restart(&mut self) {
        *self = FirstFew::default();
    }
}
