//! Watching an exploration: how far it has come, what it meets, and why it stopped.

use crate::frontend::{Fault, Frontend};
use crate::sample::Sampled;
use crate::view::Execution;
use std::ops::ControlFlow;

/// How far an exploration has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Complete executions explored.
    pub executions: u64,
    /// Executions that were longer, or had more processes, than the bounds allow.
    pub cut_short: u64,
    /// Those of them that had too many processes.
    pub crowded: u64,
    /// Executions begun and given up because they are the same as others. The optimal
    /// algorithm has none.
    pub blocked: u64,
    /// Steps done for the first time.
    pub transitions: u64,
    /// How many of them only start a process. The algorithms of the literature do not count
    /// those.
    pub starts: u64,
    /// Steps done again on the way from one execution to another.
    pub repeated: u64,
    /// How often user code, or an object, ran.
    pub behaviour_nodes: u64,
    /// Beginnings of executions still to be looked at.
    pub frontier: usize,
    /// Steps of the current execution.
    pub depth: usize,
    /// How much of all there is has been explored, from 0 to 1, if every choice leads to as much.
    /// The optimal algorithm only.
    pub share: f64,
    /// What a sample tells, if that is what was asked for.
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
}

/// Why an exploration stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Everything has been explored.
    Complete,
    /// Executions were cut short at the bound on their steps or processes: what comes after it,
    /// and what only races beyond it lead to, was not explored.
    DepthBound,
    /// The bound on executions.
    ExecutionBound,
    /// The bound on preemptions: there are schedules with more of them.
    PreemptionBound,
    /// As many executions were sampled as were asked for.
    Sampled,
    /// The observer asked for it.
    Observer,
}

/// Watches an exploration.
pub trait Observer<F: Frontend> {
    /// A complete execution, or one cut short by the depth bound.
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()>;

    /// Called now and then, to show progress and to ask whether to go on.
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A beginning of executions is taken up. Only the optimal algorithm knows them.
    fn beginning(&mut self, _: &Beginning<'_, F>) {}

    /// The [`Brake`](crate::Brake) stopped user code inside a step: where. What was found before
    /// stands.
    fn interrupted(&mut self, _: String) {}

    /// Exploration starts from the beginning, because something turned out that should have
    /// been known from the start: a signal strikes a process that did not look for one, or
    /// somebody asks about the life of a process. Forget what you have seen.
    fn restart(&mut self) {}
}

/// How an exploration ended. A step that the [`Brake`](crate::Brake) interrupted ends it as the
/// observer's own wish to stop does, so that what was found before is kept.
pub(crate) fn ended<F: Frontend>(
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

/// A beginning of executions that is taken up.
pub struct Beginning<'e, F: Frontend> {
    /// How many were taken up before the one during whose exploration this one was met; none for
    /// the first.
    pub from: Option<u64>,
    /// How it looks. Its last step is what is otherwise than there.
    pub execution: Execution<'e, F>,
}

/// How many steps lie between two calls of [`Observer::progress`].
pub(crate) const PROGRESS_EVERY: u64 = 1 << 6;
