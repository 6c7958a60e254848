//! Why an execution fails: where it parts from the nearest one that passes.
//!
//! The steps that lead to the error are put in an order. For each prefix of that order, either some
//! execution that starts with it is without the error, or all of them have it; and the longer the
//! prefix, the fewer executions start with it. So there is a first step after which every execution
//! fails. It is found by exploring the executions that start with some of the prefixes.

mod error;
mod failing;
mod judge;
#[cfg(test)]
mod tests;
mod turn;

use crate::drive::{self, DriveError};
use crate::explore::Explorer;
use crate::frontend::{Fault, Frontend};
use crate::guide::SendersFirst;
use crate::observe::Stopped;
use crate::options::Options;
use crate::verdict::Finding;
use crate::world::World;
use error::Error;
use failing::Failing;
use judge::{Judge, Passing};
use mazurka_trace::{At, Log, Trace};
use std::collections::BTreeMap;
use turn::Turned;

/// What is known about why an execution fails.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The events of the failing execution that lead to the error, in an order with few switches
    /// between processes. Steps and prefixes below are those of this order.
    pub order: Vec<At>,
    /// Where the nearest execution without the error goes another way, if one is known.
    pub parting: Option<Parting>,
    /// The point after which every execution has the error.
    pub no_return: NoReturn,
    /// Names of processes in both executions: the registered name, or what they were started as.
    pub names: BTreeMap<mazurka_trace::ProcessName, String>,
}

/// Where a failing and a passing execution part.
#[derive(Clone, Debug)]
pub struct Parting {
    /// An execution without the error that shares as much of the failing one's order as any.
    pub passing: Trace,
    /// Whether it has no other error either.
    pub all_is_well: bool,
    /// Number of events of each process that both have in common: those before the parting.
    pub common: BTreeMap<mazurka_trace::ProcessName, usize>,
    /// The first event of the failing execution that the passing one does not have: what a
    /// process, or a shared object, took, read or chose, or a timeout. At the same place of the
    /// same process the passing one has another event, or none if that process waits there for
    /// ever.
    pub at: At,
}

/// The point of no return of a failing execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoReturn {
    /// The parting: every execution that starts like the failing one, up to and including that
    /// event, has the error; all were explored.
    AtParting,
    /// Unknown: the exploration ended at a bound.
    Unknown,
    /// The start: every execution of the program has the error; all were explored.
    Always,
}

/// The budget of a diagnosis, in steps of executions with few processes.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// In all.
    pub steps: u64,
    /// For the executions that start with one prefix.
    pub steps_at_once: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            steps: 200_000,
            steps_at_once: 40_000,
        }
    }
}

/// Cost of running user code for one behaviour node, in steps.
const STEPS_PER_NODE: u64 = 10;
/// A step takes longer in a long execution of many processes. It costs twice as much when the number
/// of processes times the number of steps is this.
const TWICE_THE_COST: usize = 4_096;

/// Finds out why the execution of this log, which must fit the program, has this error.
///
/// # Errors
/// The log does not fit, or the program cannot be run.
pub fn diagnose<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    finding: &Finding,
    effort: Effort,
) -> Result<Diagnosis, DriveError> {
    let searched = search(frontend, options, log, finding, effort)?;
    Ok(searched.diagnosis)
}

/// A diagnosis, and the world in which it was made.
struct Searched<F: Frontend> {
    diagnosis: Diagnosis,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests compare with all executions")
    )]
    learnt: (Failing, World<F>),
}

fn search<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    finding: &Finding,
    effort: Effort,
) -> Result<Searched<F>, DriveError> {
    let mut world = World::new(frontend, options);
    // Explore every execution once, depth first, even if the error was found in another way.
    world.options = Options {
        delivery: options.delivery,
        timeouts: options.timeouts,
        max_depth: options.max_depth,
        max_processes: options.max_processes,
        node_memory: options.node_memory,
        ..Options::default()
    };
    let cut_short = drive::to_the_end(&mut world, log, &SendersFirst)?;
    let failing = Failing::new(&world.execution(cut_short), finding);
    let search = Search {
        failing: &failing,
        error: Error::new(finding),
        effort,
        incomplete: false,
    };
    let (world, diagnosis) = search.run(world)?;
    Ok(Searched {
        diagnosis,
        learnt: (failing, world),
    })
}

/// A search for the longest prefix of a failing execution with which a passing one starts.
struct Search<'s> {
    failing: &'s Failing,
    error: Error<'s>,
    /// What is left of the budget.
    effort: Effort,
    /// Whether the executions of some prefix were not all explored, and none found passes.
    incomplete: bool,
}

/// The executions that start with a prefix.
enum Follows {
    /// One of them passes.
    Passing(Box<Passing>),
    /// All have the error.
    Failing,
    /// Not all were explored, and none of those passes.
    Unknown,
}

impl Search<'_> {
    fn run<F: Frontend>(mut self, mut world: World<F>) -> Result<(World<F>, Diagnosis), Fault> {
        let all = self.failing.steps.len();
        // After this many steps every execution fails; after fewer than that some passes, if a
        // passing one is known.
        let mut lost = all;
        let mut passing: Option<Passing> = None;
        // Backwards in growing strides until one passes; then by bisection.
        let mut back = 1;
        loop {
            let hope = passing.as_ref().map_or(0, |passing| passing.common);
            if lost == 0 || (passing.is_some() && hope + 1 >= lost) {
                break;
            }
            let from = match &passing {
                None => all.saturating_sub(back).min(lost - 1),
                Some(_) => hope + (lost - hope) / 2,
            };
            back *= 2;
            let follows;
            (world, follows) = self.follows_from(world, from)?;
            match follows {
                Follows::Passing(found) => passing = Some(*found),
                Follows::Failing => lost = from,
                Follows::Unknown => {
                    // Treated as if all failed, so the result is not certain.
                    self.incomplete = true;
                    lost = from;
                }
            }
        }
        Ok((world, self.diagnosis(passing)))
    }

    fn diagnosis(self, mut passing: Option<Passing>) -> Diagnosis {
        let mut names = self.failing.names.clone();
        if let Some(passing) = &mut passing {
            for (pid, name) in std::mem::take(&mut passing.names) {
                names.entry(pid).or_insert(name);
            }
        }
        let parting = passing.and_then(|passing| self.failing.parting(passing));
        Diagnosis {
            order: self.failing.order.clone(),
            no_return: match (&parting, self.incomplete) {
                (_, true) => NoReturn::Unknown,
                (Some(_), false) => NoReturn::AtParting,
                (None, false) => NoReturn::Always,
            },
            parting,
            names,
        }
    }

    /// Explores the executions that start with the first `from` steps, other outcomes of the next
    /// step first.
    fn follows_from<F: Frontend>(
        &mut self,
        world: World<F>,
        from: usize,
    ) -> Result<(World<F>, Follows), Fault> {
        let guide = Turned::new(self.failing, from);
        let budget = self.effort.steps.min(self.effort.steps_at_once);
        let mut judge = Judge::new(self.failing, &self.error, budget, world.behaviour_nodes());
        let prefix = &self.failing.steps[..from];
        let prefix = prefix.iter().map(|step| step.entry).collect();
        let mut explorer = Explorer::from_prefix(world, guide, prefix);
        let stopped = explorer.run(&mut judge)?;
        let spent = judge.cost(&explorer.progress());
        let world = explorer.into_world();
        self.effort.steps = self.effort.steps.saturating_sub(spent);
        let follows = match (judge.passing, stopped) {
            (Some(passing), _) => Follows::Passing(Box::new(passing)),
            (None, Stopped::Complete) => Follows::Failing,
            (None, _) => Follows::Unknown,
        };
        Ok((world, follows))
    }
}
