//! Prefixes and diagnoses of random programs, compared with all their executions.

use super::error::{Error, Outcome};
use super::failing::Failing;
use super::{Effort, NoReturn, Searched, search};
use crate::explore::Explorer;
use crate::frontend::Frontend;
use crate::graph::Entry;
use crate::graph::{Pick, Placed};
use crate::guide::{SendersFirst, mix};
use crate::observe::{Observer, Stopped};
use crate::options::Options;
use crate::random_programs::{Case, Script, Shape};
use crate::verdict::Finding;
use crate::view::Execution;
use crate::world::World;
use mazurka_trace::{Delivery, Log};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Programs with more executions take too long here.
const EXECUTIONS_MAX: u64 = 300;

/// What each process consumed and did, by the numbers of its events: enough to distinguish the
/// executions of one program.
type Events = BTreeMap<(u32, u32), String>;

/// The events of a step.
fn events<F: Frontend>(execution: &Execution<'_, F>, placed: &Placed) -> Events {
    let step = &execution.graph.process(placed.slot).steps[placed.index as usize];
    let place = |event| (placed.entry.pid.0, event);
    let actions = step.first..step.done;
    let actions = actions.map(|effect| (place(step.events_before(effect)), "action".to_owned()));
    let input = (place(step.event), format!("{:?}", step.pick));
    let input = Some(input).filter(|_| step.pick != Pick::GoOn);
    input.into_iter().chain(actions).collect()
}

#[derive(Default)]
struct All {
    executions: Vec<Vec<(Entry, Events)>>,
}

impl<F: Frontend> Observer<F> for All {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        let path = execution.graph.path().iter();
        let steps = path.map(|placed| (placed.entry, events(execution, placed)));
        self.executions.push(steps.collect());
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.executions.clear();
    }
}

/// All executions of a program, and the world in which they were explored; `None` if there are too many.
fn all(case: Case) -> Option<(All, World<Script>)> {
    let mut explorer = Explorer::new(case.program(), SendersFirst, options(case));
    let mut all = All::default();
    let stopped = explorer.run(&mut all).expect("all is modelled");
    (stopped == Stopped::Complete).then(|| (all, explorer.into_world()))
}

fn options(case: Case) -> Options {
    Options {
        delivery: case.delivery,
        timeouts: case.timeouts(),
        max_executions: Some(EXECUTIONS_MAX),
        ..Options::default()
    }
}

fn cases(programs: u64) -> impl Iterator<Item = Case> {
    let shapes = Shape::ALL.into_iter().flat_map(move |shape| {
        Delivery::ALL.into_iter().flat_map(move |delivery| {
            (0..programs).map(move |seed| Case {
                shape,
                seed,
                delivery,
            })
        })
    });
    shapes.into_iter()
}

/// Number of programs of each shape in each delivery model: `MAZURKA_DIAGNOSE_PROGRAMS`, or 25.
#[expect(
    clippy::disallowed_methods,
    reason = "the variable is set for a test run"
)]
fn programs() -> u64 {
    let asked = std::env::var("MAZURKA_DIAGNOSE_PROGRAMS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(25)
}

#[test]
fn all_that_follows_from_a_prefix_once() {
    let mut compared = 0;
    for case in cases(programs()) {
        let Some((all, mut world)) = all(case) else {
            continue;
        };
        for (number, path) in all.executions.iter().enumerate().step_by(7) {
            let length = (mix(case.seed ^ number as u64) % (path.len() as u64 + 1)) as usize;
            let mut prefix: Vec<Entry> = path[..length].iter().map(|step| step.0).collect();
            prefix.iter_mut().for_each(|entry| entry.fixed = true);
            Entry::restamp(&mut prefix);
            let mut explorer = Explorer::from_prefix(world, SendersFirst, prefix);
            let mut following = All::default();
            explorer.run(&mut following).expect("all is modelled");
            world = explorer.into_world();
            let mut found: Vec<Events> = following.executions.iter().map(|e| whole(e)).collect();
            found.sort();
            let begun = whole(&path[..length]);
            let begins =
                |events: &Events| { begun.iter() }.all(|(at, event)| events.get(at) == Some(event));
            let mut expected: Vec<Events> = all.executions.iter().map(|e| whole(e)).collect();
            expected.retain(begins);
            expected.sort();
            assert_eq!(
                found, expected,
                "{case:?}, the first {length} steps of {path:?}"
            );
            compared += 1;
        }
    }
    assert!(compared > 700, "only {compared} prefixes");
}

/// The events of these steps.
fn whole(steps: &[(Entry, Events)]) -> Events {
    let events = steps.iter().flat_map(|(_, events)| events.clone());
    events.collect()
}

/// Failing executions with their findings.
#[derive(Default)]
struct Failures {
    found: Vec<(Finding, Log)>,
}

impl<F: Frontend> Observer<F> for Failures {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        let mut findings = execution.findings().into_iter();
        let error = findings.rfind(|finding| finding.kind.is_error());
        if let Some(error) = error {
            self.found.push((error, execution.trace().log()));
        }
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.found.clear();
    }
}

/// The number of steps that passing executions share with the failing one.
struct Nearest<'n> {
    failing: &'n Failing,
    error: Error<'n>,
    common: Option<usize>,
}

impl<F: Frontend> Observer<F> for Nearest<'_> {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        if self.error.outcome(execution) > Outcome::Fails {
            let common = self.failing.common_steps(execution);
            self.common = self.common.max(Some(common));
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn nothing_passes_that_has_more_in_common() {
    let (mut compared, mut always, mut late) = (0, 0, 0);
    for case in cases(programs()) {
        if all(case).is_none() {
            continue;
        }
        let mut failures = Failures::default();
        let mut explorer = Explorer::new(case.program(), SendersFirst, options(case));
        explorer.run(&mut failures).expect("all is modelled");
        for (finding, log) in failures.found.iter().step_by(11) {
            let told = format!("{case:?} {finding:?} {log:?}");
            let effort = Effort {
                steps: u64::MAX,
                steps_at_once: u64::MAX,
            };
            let searched = search(case.program(), &options(case), log, finding, effort);
            let Searched {
                diagnosis,
                learnt: (failing, mut world),
            } = searched.expect(&told);
            // The same steps in the same order, among all executions.
            world.options = options(case);
            let mut explorer = Explorer::from_prefix(world, SendersFirst, Vec::new());
            let mut nearest = Nearest {
                failing: &failing,
                error: Error::new(finding),
                common: None,
            };
            explorer.run(&mut nearest).expect("all is modelled");
            match nearest.common {
                None => {
                    assert_eq!(diagnosis.no_return, NoReturn::Always, "{told}");
                    assert!(diagnosis.parting.is_none(), "{told}");
                    always += 1;
                }
                Some(common) => {
                    let parting = diagnosis.parting.expect(&told);
                    assert_eq!(parting.at, failing.at(common), "{told}");
                    assert_eq!(diagnosis.no_return, NoReturn::AtParting, "{told}");
                    late += usize::from(common + 1 < failing.steps.len());
                }
            }
            compared += 1;
        }
    }
    assert!(compared > 200, "only {compared} diagnoses");
    assert!(always > 20, "only {always} errors that cannot be avoided");
    assert!(
        late > 20,
        "only {late} errors that were decided before their last step"
    );
}
