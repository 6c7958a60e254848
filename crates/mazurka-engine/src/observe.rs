//! Observing an exploration: its progress, its executions, and why it stopped.

use crate::frontend::{Fault, Frontend};
use crate::sample::Sampled;
use crate::view::Execution;
use crate::world::World;
use std::ops::ControlFlow;

/// The progress of an exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Complete executions explored.
    pub executions: u64,
    /// Executions that were longer, or had more processes, than the bounds allow.
    pub cut_short: u64,
    /// Those of them that had too many processes.
    pub crowded: u64,
    /// Executions that were started and given up because they are equivalent to others. The optimal
    /// algorithm has none.
    pub blocked: u64,
    /// Steps made for the first time.
    pub transitions: u64,
    /// Those of them that only start a process. The published algorithms do not count these.
    pub starts: u64,
    /// Steps made again on the way from one execution to another.
    pub repeated: u64,
    /// Behaviour nodes made, by running user code or an object.
    pub behaviour_nodes: u64,
    /// Prefixes in the frontier.
    pub frontier: usize,
    /// Steps of the current execution.
    pub depth: usize,
    /// Estimated fraction explored, from 0 to 1, assuming equal subtrees. The optimal algorithm
    /// only.
    pub fraction: f64,
    /// What the sample shows, if executions are sampled.
    pub sampled: Option<Sampled>,
    /// Distinct errors found so far. Only a [check](crate::check()) or a hunt counts them.
    pub errors: u64,
}

impl Progress {
    /// Executions explored, complete or cut short.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.executions + self.cut_short
    }

    /// The progress of two explorations of parts of one program.
    #[must_use]
    pub fn plus(self, other: Progress) -> Progress {
        Progress {
            executions: self.executions + other.executions,
            cut_short: self.cut_short + other.cut_short,
            crowded: self.crowded + other.crowded,
            blocked: self.blocked + other.blocked,
            transitions: self.transitions + other.transitions,
            starts: self.starts + other.starts,
            repeated: self.repeated + other.repeated,
            behaviour_nodes: self.behaviour_nodes + other.behaviour_nodes,
            frontier: self.frontier + other.frontier,
            depth: self.depth.max(other.depth),
            fraction: self.fraction + other.fraction,
            sampled: self.sampled.or(other.sampled),
            errors: self.errors + other.errors,
        }
    }

    /// Counts the current execution of a world, which is complete or was cut short.
    pub fn count_execution<F: Frontend>(&mut self, world: &World<F>, cut_short: bool) {
        match cut_short {
            true => {
                self.cut_short += 1;
                self.crowded += u64::from(world.is_crowded());
            }
            false => self.executions += 1,
        }
    }
}

/// Why an exploration stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Everything has been explored.
    Complete,
    /// Executions were cut short at the bound on their steps or processes. Their continuations, and
    /// the variants of races in those, were not explored.
    DepthBound,
    /// The bound on executions.
    ExecutionBound,
    /// The bound on preemptions: there are schedules with more of them.
    PreemptionBound,
    /// The requested number of executions was sampled.
    Sampled,
    /// The observer stopped it.
    Observer,
}

/// Observes an exploration.
pub trait Observer<F: Frontend> {
    /// A complete execution, or one cut short by the depth bound.
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()>;

    /// Called every few steps, to show progress and to decide whether to continue.
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A prefix was popped from the frontier. Only the optimal algorithm has one.
    fn prefix(&mut self, _: &Prefix<'_, F>) {}

    /// The [`Brake`](crate::Brake) stopped user code inside a step, at this place. What was found
    /// before remains valid.
    fn interrupted(&mut self, _: String) {}

    /// The exploration starts over, because a process missed a signal, and is interruptible from
    /// now on. For a published algorithm also because of the first operation on the liveness of a
    /// process. Discard what you have seen.
    fn restart(&mut self) {}
}

/// How an exploration ended. A step that the [`Brake`](crate::Brake) interrupted counts as a stop by the
/// observer, so that what was found before is kept.
pub fn ended<F: Frontend>(
    result: Result<Stopped, Fault>,
    observer: &mut impl Observer<F>,
) -> Result<Stopped, Fault> {
    match result {
        Err(Fault::Interrupted { what }) => {
            observer.interrupted(what);
            Ok(Stopped::Observer)
        }
        result => result,
    }
}

/// A prefix of executions, popped from the frontier.
pub struct Prefix<'e, F: Frontend> {
    /// The prefix whose exploration pushed this one, by its number in the order of pops, from 0;
    /// none for the first.
    pub from: Option<u64>,
    /// The prefix itself. Its last step is the difference to what was explored there.
    pub execution: Execution<'e, F>,
}

/// Steps between two calls of [`Observer::progress`].
pub(crate) const STEPS_BETWEEN_REPORTS: u64 = 1 << 6;

/// Decides when an observer is asked about progress.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    next: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            next: STEPS_BETWEEN_REPORTS,
        }
    }
}

impl Pace {
    /// Whether it is time for a report, after this many steps.
    #[inline]
    pub fn is_due(&mut self, steps: u64) -> bool {
        let due = steps >= self.next;
        if due {
            self.next = steps + STEPS_BETWEEN_REPORTS;
        }
        due
    }
}
