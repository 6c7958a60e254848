//! All samples of a run, and dives beside them.

use super::dive::{Dived, Diver};
use super::estimate::{Dives, Estimate};
use super::pct::Pct;
use super::pos::Pos;
use super::possible::PossibleSteps;
use super::random::Random;
use super::sampler::{Sampler, Sampling};
use super::uniform::Uniform;
use super::walk::{Picker, Walked, walk};
use crate::frontend::{Fault, Frontend};
use crate::guide::Guide;
use crate::observe::{Observer, Pace, Progress, Stopped, ended};
use crate::options::Options;
use crate::world::World;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// What a sample shows about the whole program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sampled {
    /// Different traces seen.
    pub distinct: u64,
    /// Estimated number of traces in all.
    pub traces: Option<Estimate>,
}

/// Least number of dives, unless the run is stopped. Fewer give a poor estimate.
const DIVES: u64 = 100;

/// Dives and samples draw from different sequences.
const FOR_DIVES: u64 = 0x6469_7665;

/// Runs the requested number of executions. The guide is that of the tree to dive into.
pub(crate) fn sample<F: Frontend>(
    frontend: F,
    guide: &impl Guide,
    options: &Options,
    sampling: Sampling,
    observer: &mut impl Observer<F>,
) -> Result<(Stopped, Progress), Fault> {
    let run = Run {
        world: World::new(frontend, options),
        guide,
        sampling,
        observer,
        tally: Tally::default(),
        possible: PossibleSteps::default(),
        diver: Diver::default(),
        dives_started: 0,
        steps_in_dives: 0,
    };
    match sampling.sampler {
        Sampler::Uniform => run.run(Uniform),
        Sampler::Pct { bug_depth } => run.run(Pct::new(bug_depth)),
        Sampler::Pos => run.run(Pos::default()),
    }
}

struct Run<'r, F: Frontend, G, O> {
    world: World<F>,
    guide: &'r G,
    sampling: Sampling,
    observer: &'r mut O,
    tally: Tally,
    possible: PossibleSteps,
    diver: Diver,
    dives_started: u64,
    steps_in_dives: u64,
}

impl<F: Frontend, G: Guide, O: Observer<F>> Run<'_, F, G, O> {
    fn run(mut self, mut picker: impl Picker) -> Result<(Stopped, Progress), Fault> {
        let stopped = self.samples(&mut picker).map(|flow| match flow {
            ControlFlow::Break(stopped) => stopped,
            ControlFlow::Continue(()) => Stopped::Sampled,
        });
        let stopped = ended(stopped, self.observer)?;
        Ok((stopped, self.tally.final_progress(&self.world)))
    }

    fn samples(&mut self, picker: &mut impl Picker) -> Result<ControlFlow<Stopped>, Fault> {
        for nth in 0..self.sampling.executions {
            if let stop @ ControlFlow::Break(_) = self.sample(picker, nth)? {
                return Ok(stop);
            }
            // The estimate may take as many steps as the sample.
            while self.steps_in_dives <= self.tally.progress.transitions {
                if let stop @ ControlFlow::Break(_) = self.dive()? {
                    return Ok(stop);
                }
            }
        }
        while self.tally.dives.number() < DIVES {
            if let stop @ ControlFlow::Break(_) = self.dive()? {
                return Ok(stop);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Runs one execution.
    fn sample(
        &mut self,
        picker: &mut impl Picker,
        nth: u64,
    ) -> Result<ControlFlow<Stopped>, Fault> {
        let cut_short = loop {
            let random = Random::new(self.sampling.seed, nth);
            let before = self.world.steps;
            let go_on = |world: &World<F>| self.tally.report(world, self.observer);
            let walked = walk(&mut self.world, &mut self.possible, picker, random, go_on);
            let walked = match walked {
                Err(Fault::Again) => {
                    self.world.start_over_with_what_was_learned();
                    continue;
                }
                walked => walked?,
            };
            self.tally.progress.transitions += self.world.steps - before;
            match walked {
                Walked::Over { cut_short } => break cut_short,
                Walked::MissedSignal => {}
                Walked::Stopped => return Ok(ControlFlow::Break(Stopped::Observer)),
            }
        };
        self.tally.progress.count_execution(&self.world, cut_short);
        let execution = self.world.execution(cut_short);
        self.tally.seen.insert(execution.trace_hash());
        let flow = self.observer.execution(&execution);
        self.world.behaviours.check()?;
        if flow == ControlFlow::Break(()) {
            return Ok(ControlFlow::Break(Stopped::Observer));
        }
        let seen = self.tally.progress.seen();
        let max = self.world.options.max_executions;
        Ok(match max.is_some_and(|max| seen >= max) {
            true => ControlFlow::Break(Stopped::ExecutionBound),
            false => ControlFlow::Continue(()),
        })
    }

    /// Makes one more dive.
    fn dive(&mut self) -> Result<ControlFlow<Stopped>, Fault> {
        let mut random = Random::new(self.sampling.seed ^ FOR_DIVES, self.dives_started);
        let before = self.world.steps;
        let go_on = |world: &World<F>| self.tally.report(world, self.observer);
        let dived = self
            .diver
            .dive(&mut self.world, self.guide, &mut random, go_on)?;
        self.dives_started += 1;
        self.steps_in_dives += self.world.steps - before;
        match dived {
            Dived::Traces(traces) => self.tally.dives.add(traces),
            Dived::Stopped => return Ok(ControlFlow::Break(Stopped::Observer)),
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// What was counted so far.
#[derive(Default)]
struct Tally {
    progress: Progress,
    pace: Pace,
    /// The traces seen, by their hashes.
    seen: FxHashSet<u64>,
    dives: Dives,
}

impl Tally {
    /// Reports progress to the observer when that is due, and returns whether to continue.
    fn report<F: Frontend>(
        &mut self,
        world: &World<F>,
        observer: &mut impl Observer<F>,
    ) -> ControlFlow<()> {
        match self.pace.is_due(world.steps) {
            true => observer.progress(&self.progress(world)),
            false => ControlFlow::Continue(()),
        }
    }

    fn progress<F: Frontend>(&self, world: &World<F>) -> Progress {
        let distinct = self.seen.len() as u64;
        Progress {
            behaviour_nodes: world.behaviours.made,
            depth: world.graph.path().len(),
            sampled: Some(Sampled {
                distinct,
                traces: self.dives.so_far(distinct),
            }),
            ..self.progress
        }
    }

    fn final_progress<F: Frontend>(&self, world: &World<F>) -> Progress {
        let distinct = self.seen.len() as u64;
        Progress {
            sampled: Some(Sampled {
                distinct,
                traces: self.dives.in_the_end(distinct),
            }),
            ..self.progress(world)
        }
    }
}
