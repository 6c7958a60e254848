//! As many samples as were asked for, and dives beside them.

use super::dive::{Dived, Diver};
use super::estimate::{Dives, Estimate};
use super::ground::Ground;
use super::moves::Moves;
use super::pct::Pct;
use super::pos::Pos;
use super::random::Random;
use super::sampler::{Sampler, Sampling};
use super::uniform::Uniform;
use super::walk::{Picker, Walked, walk};
use crate::frontend::{Fault, Frontend};
use crate::guide::Guide;
use crate::observe::{Observer, PROGRESS_EVERY, Progress, Stopped, ended};
use crate::options::Options;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// What a sample tells about all there is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sampled {
    /// How many different traces were seen.
    pub distinct: u64,
    /// How many there are in all.
    pub traces: Option<Estimate>,
}

/// So many dives are made at least, if nobody wants to stop: fewer would tell little.
const DIVES: u64 = 100;

/// Dives and samples draw from different sequences.
const FOR_DIVES: u64 = 0x6469_7665;

/// Runs as many executions as were asked for; the guide is that of the tree to dive into.
pub(crate) fn sample<F: Frontend>(
    frontend: F,
    guide: &impl Guide,
    options: &Options,
    sampling: Sampling,
    observer: &mut impl Observer<F>,
) -> Result<(Stopped, Progress), Fault> {
    let run = Run {
        ground: Ground::new(frontend, options),
        guide,
        sampling,
        observer,
        progress: Progress::default(),
        next_report: PROGRESS_EVERY,
        moves: Moves::default(),
        seen: FxHashSet::default(),
        diver: Diver::default(),
        dives: Dives::default(),
        dives_begun: 0,
        steps_in_dives: 0,
    };
    match sampling.sampler {
        Sampler::Uniform => run.run(Uniform),
        Sampler::Pct { bug_depth } => run.run(Pct::new(bug_depth)),
        Sampler::Pos => run.run(Pos::default()),
    }
}

struct Run<'r, F: Frontend, G, O> {
    ground: Ground<F>,
    guide: &'r G,
    sampling: Sampling,
    observer: &'r mut O,
    progress: Progress,
    next_report: u64,
    moves: Moves,
    /// The traces so far.
    seen: FxHashSet<u64>,
    diver: Diver,
    dives: Dives,
    dives_begun: u64,
    steps_in_dives: u64,
}

impl<F: Frontend, G: Guide, O: Observer<F>> Run<'_, F, G, O> {
    fn run(mut self, mut picker: impl Picker) -> Result<(Stopped, Progress), Fault> {
        let stopped = self.samples(&mut picker).map(|flow| match flow {
            ControlFlow::Break(stopped) => stopped,
            ControlFlow::Continue(()) => Stopped::Sampled,
        });
        let stopped = ended(stopped, self.observer)?;
        Ok((stopped, self.progress()))
    }

    fn samples(&mut self, picker: &mut impl Picker) -> Result<ControlFlow<Stopped>, Fault> {
        for nth in 0..self.sampling.executions {
            if let stop @ ControlFlow::Break(_) = self.one(picker, nth)? {
                return Ok(stop);
            }
            // The estimate may take as long as the sample.
            while self.steps_in_dives <= self.progress.transitions {
                if let stop @ ControlFlow::Break(_) = self.dive()? {
                    return Ok(stop);
                }
            }
        }
        while self.dives.number() < DIVES {
            if let stop @ ControlFlow::Break(_) = self.dive()? {
                return Ok(stop);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Runs one execution.
    fn one(&mut self, picker: &mut impl Picker, nth: u64) -> Result<ControlFlow<Stopped>, Fault> {
        let cut_short = loop {
            let random = Random::new(self.sampling.seed, nth);
            let before = self.ground.steps;
            let Run {
                ground,
                moves,
                observer,
                progress,
                next_report,
                seen,
                dives,
                ..
            } = self;
            let walked = walk(ground, moves, picker, random, |ground| {
                ask(ground, *observer, progress, next_report, seen, dives)
            })?;
            self.progress.transitions += self.ground.steps - before;
            match walked {
                Walked::Over { cut_short } => break cut_short,
                Walked::Surprised => self.dives = Dives::default(),
                Walked::Stopped => return Ok(ControlFlow::Break(Stopped::Observer)),
            }
        };
        match cut_short {
            true => {
                self.progress.cut_short += 1;
                let crowded = self.ground.options.is_crowded(&self.ground.graph);
                self.progress.crowded += u64::from(crowded);
            }
            false => self.progress.executions += 1,
        }
        let execution = self.ground.execution(cut_short);
        self.seen.insert(execution.trace_hash());
        let flow = self.observer.execution(&execution);
        self.ground.behaviours.check()?;
        if flow == ControlFlow::Break(()) {
            return Ok(ControlFlow::Break(Stopped::Observer));
        }
        let run = self.progress.seen();
        let max = self.ground.options.max_executions;
        Ok(match max.is_some_and(|max| run >= max) {
            true => ControlFlow::Break(Stopped::ExecutionBound),
            false => ControlFlow::Continue(()),
        })
    }

    /// Dives once more.
    fn dive(&mut self) -> Result<ControlFlow<Stopped>, Fault> {
        let mut random = Random::new(self.sampling.seed ^ FOR_DIVES, self.dives_begun);
        let before = self.ground.steps;
        let Run {
            ground,
            guide,
            diver,
            observer,
            progress,
            next_report,
            seen,
            dives,
            ..
        } = self;
        let dived = diver.dive(ground, *guide, &mut random, |ground| {
            ask(ground, *observer, progress, next_report, seen, dives)
        })?;
        self.dives_begun += 1;
        self.steps_in_dives += self.ground.steps - before;
        match dived {
            Dived::Traces(traces) => self.dives.add(traces),
            Dived::Surprised => self.dives = Dives::default(),
            Dived::Stopped => return Ok(ControlFlow::Break(Stopped::Observer)),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn progress(&self) -> Progress {
        let mut progress = told(&self.ground, &self.progress, &self.seen, &self.dives);
        if let Some(sampled) = &mut progress.sampled {
            sampled.traces = self.dives.in_the_end(sampled.distinct);
        }
        progress
    }
}

/// Asks the observer, now and then, whether to go on.
fn ask<F: Frontend>(
    ground: &Ground<F>,
    observer: &mut impl Observer<F>,
    progress: &Progress,
    next_report: &mut u64,
    seen: &FxHashSet<u64>,
    dives: &Dives,
) -> ControlFlow<()> {
    if ground.steps < *next_report {
        return ControlFlow::Continue(());
    }
    *next_report = ground.steps + PROGRESS_EVERY;
    observer.progress(&told(ground, progress, seen, dives))
}

fn told<F: Frontend>(
    ground: &Ground<F>,
    progress: &Progress,
    seen: &FxHashSet<u64>,
    dives: &Dives,
) -> Progress {
    let distinct = seen.len() as u64;
    Progress {
        behaviour_nodes: ground.behaviours.made,
        depth: ground.graph.path().len(),
        sampled: Some(Sampled {
            distinct,
            traces: dives.so_far(distinct),
        }),
        ..*progress
    }
}
