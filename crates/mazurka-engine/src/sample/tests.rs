//! Samples and dives, compared with a full exploration.

use super::dive::{Dived, Diver};
use super::estimate::Dives;
use super::random::Random;
use super::run::sample;
use super::sampler::{Sampler, Sampling};
use crate::canonical::CanonicalTrace;
use crate::explore::explore;
use crate::guide::{ByHash, Guide, SendersFirst, mix};
use crate::observe::{Observer, Stopped};
use crate::options::Options;
use crate::random_programs::{Case, Script, Shape};
use crate::view::Execution;
use crate::world::World;
use mazurka_trace::Delivery;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The traces seen, each with its hash. Different traces must have different hashes.
#[derive(Default)]
struct Numbered {
    traces: BTreeMap<CanonicalTrace, u64>,
    by_number: BTreeMap<u64, CanonicalTrace>,
}

impl Observer<Script> for Numbered {
    fn execution(&mut self, execution: &Execution<'_, Script>) -> ControlFlow<()> {
        let (trace, number) = (execution.canonical(), execution.trace_hash());
        let known = self.traces.insert(trace.clone(), number);
        assert!(known.is_none_or(|known| known == number), "{trace:#?}");
        let known = self.by_number.insert(number, trace.clone());
        assert!(known.is_none_or(|known| known == trace), "{trace:#?}");
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Numbered::default();
    }
}

fn options(case: Case) -> Options {
    Options {
        delivery: case.delivery,
        timeouts: case.timeouts(),
        ..Options::default()
    }
}

fn cases(per_shape: u64) -> impl Iterator<Item = Case> {
    Delivery::ALL.into_iter().flat_map(move |delivery| {
        Shape::ALL.into_iter().flat_map(move |shape| {
            (0..per_shape).map(move |seed| Case {
                shape,
                seed,
                delivery,
            })
        })
    })
}

/// All traces of a program, unless there are very many. Checks that the explored fraction is 1 then.
fn all(case: Case) -> Option<Numbered> {
    let mut all = Numbered::default();
    let options = Options {
        max_executions: Some(2_000),
        ..options(case)
    };
    let (stopped, progress) =
        explore(case.program(), SendersFirst, &options, &mut all).expect("all is modelled");
    let is_all = stopped == Stopped::Complete;
    assert!(
        !is_all || (progress.fraction - 1.0).abs() < 1e-9,
        "{case:?}: {progress:?}"
    );
    is_all.then_some(all)
}

fn sampled(case: Case, sampler: Sampler, executions: u64) -> (Numbered, u64) {
    let sampling = Sampling {
        executions,
        sampler,
        seed: case.seed,
    };
    let mut seen = Numbered::default();
    let (stopped, progress) = sample(
        case.program(),
        &SendersFirst,
        &options(case),
        sampling,
        &mut seen,
    )
    .expect("all is modelled");
    assert_eq!(stopped, Stopped::Sampled);
    assert_eq!(progress.executions, executions);
    let distinct = progress.sampled.expect("it was sampled").distinct;
    (seen, distinct)
}

#[test]
fn samples_are_executions_and_are_told_apart() {
    for case in cases(30) {
        let Some(all) = all(case) else {
            continue;
        };
        for sampler in Sampler::ALL {
            let (seen, distinct) = sampled(case, sampler, 60);
            assert_eq!(seen.traces.len() as u64, distinct, "{case:?} by {sampler}");
            for trace in seen.traces.keys() {
                let exists = all.traces.contains_key(trace);
                assert!(exists, "{case:?} by {sampler} invents {trace:#?}");
            }
        }
    }
}

/// A sample that is large enough contains every trace.
#[test]
fn samples_leave_nothing_out() {
    let mut compared = 0;
    for case in cases(12) {
        let Some(all) = all(case).filter(|all| (2..=12).contains(&all.traces.len())) else {
            continue;
        };
        compared += 1;
        for sampler in [Sampler::Uniform, Sampler::Pos] {
            let (_, distinct) = sampled(case, sampler, 2_000);
            assert_eq!(distinct, all.traces.len() as u64, "{case:?} by {sampler}");
        }
    }
    assert!(compared > 80, "only {compared} programs");
}

#[test]
fn a_seed_says_it_all() {
    let case = Case {
        shape: Shape::Everything,
        seed: 11,
        delivery: Delivery::P2p,
    };
    for sampler in Sampler::ALL {
        let (once, again) = (sampled(case, sampler, 20), sampled(case, sampler, 20));
        assert_eq!(once.0.by_number, again.0.by_number, "{sampler}");
    }
}

/// The mean of many dives, and its standard error.
fn dives(case: Case, guide: &impl Guide, number: u64) -> (f64, f64) {
    let mut world = World::new(case.program(), &options(case));
    let (mut diver, mut dives) = (Diver::default(), Dives::default());
    let mut nth = 0;
    while dives.number() < number {
        let mut random = Random::new(mix(case.seed), nth);
        nth += 1;
        let go_on = |_: &World<Script>| ControlFlow::Continue(());
        match diver.dive(&mut world, guide, &mut random, go_on) {
            Ok(Dived::Traces(traces)) => dives.add(traces),
            Ok(Dived::Stopped) | Err(_) => panic!("{case:?}"),
        }
    }
    dives.mean()
}

/// With this many means, a few are off by more than three standard errors by chance, but none by
/// six, and their errors cancel out on average.
#[test]
fn dives_are_right_on_average() {
    let (mut compared, mut off_by_three, mut sum) = (0_u32, 0_u32, 0.0);
    for case in cases(40) {
        let Some(all) = all(case).filter(|all| all.traces.len() > 1) else {
            continue;
        };
        let seed = mix(case.seed);
        let (mean, error) = match seed & 1 {
            0 => dives(case, &SendersFirst, 1_000),
            _ => dives(case, &ByHash { seed }, 1_000),
        };
        let off = mean - all.traces.len() as f64;
        if error == 0.0 {
            assert!(off.abs() < 1e-6, "{case:?}: {mean}");
            continue;
        }
        let errors = off / error;
        assert!(errors.abs() < 6.0, "{case:?}: {mean} ± {error}");
        compared += 1;
        off_by_three += u32::from(errors.abs() > 3.0);
        sum += errors;
    }
    let mean = sum / f64::from(compared).sqrt();
    assert!(compared > 100, "only {compared} programs");
    assert!(
        off_by_three * 50 <= compared,
        "{off_by_three} of {compared}"
    );
    assert!(mean.abs() < 3.5, "off by {mean} standard errors together");
}
