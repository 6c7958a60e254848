//! Continuing histories, and returning processes to them.

use crate::history::History;
use crate::pool::Pool;
use crate::runner::{Ran, Rerun, Runner};
use mazurka_engine::Fault;
use std::rc::Rc;

/// Continues histories of a runner's processes, in any order.
pub struct Replayer<R: Runner> {
    runner: R,
    pool: Pool<R>,
}

impl<R: Runner> Replayer<R> {
    /// A replayer that keeps a process running in every history whose process was not given another
    /// input since.
    pub fn new(runner: R) -> Self {
        Replayer {
            runner,
            pool: Pool::unlimited(),
        }
    }

    /// A replayer that keeps at most this many processes waiting, at least one. The one that has
    /// waited longest is dropped first.
    pub fn with_limit(runner: R, waiting_max: usize) -> Self {
        Replayer {
            runner,
            pool: Pool::limited(waiting_max.max(1)),
        }
    }

    /// Starts a process and runs it to its first demand.
    ///
    /// # Errors
    /// The process does something that is not modelled.
    pub fn start(&self, pid: R::Pid, start: &R::Start) -> Result<Rc<History<R>>, Fault> {
        let (process, step) = self.runner.start(&pid, start)?;
        let history = History::started(pid, start.clone(), step);
        self.keep(&history, process);
        Ok(history)
    }

    /// Answers the demand of a history's process and runs the process to its next demand.
    ///
    /// # Errors
    /// The process does something that is not modelled, or had to be run again and acted differently.
    pub fn answer(&self, at: &Rc<History<R>>, input: R::Input) -> Result<Rc<History<R>>, Fault> {
        let process = self.bring_back(at)?;
        let (process, step): Ran<R> = self.runner.feed(process, at, &input)?;
        let history = at.after(input, step);
        self.keep(&history, process);
        Ok(history)
    }

    /// Asks the process that waits in a history something that is not an input. `question` returns
    /// the process unless the question ended it.
    ///
    /// # Errors
    /// The process had to be run again and acted differently.
    pub fn ask<T>(
        &self,
        at: &Rc<History<R>>,
        question: impl FnOnce(R::Process) -> (Option<R::Process>, T),
    ) -> Result<T, Fault> {
        let process = self.bring_back(at)?;
        let (process, answer) = question(process);
        self.keep(at, process);
        Ok(answer)
    }

    /// Runs the process of a history again, from its start, and compares.
    ///
    /// # Errors
    /// It acted differently.
    pub fn check(&self, history: &Rc<History<R>>) -> Result<(), Fault> {
        self.rerun(history).map(drop)
    }

    /// The process that waits in a history: still, or again.
    fn bring_back(&self, at: &Rc<History<R>>) -> Result<R::Process, Fault> {
        if let Some(waiting) = at.take_process() {
            return Ok(waiting);
        }
        match self.rerun(at)? {
            Some(process) => Ok(process),
            None => unreachable!("only a process that waits is given anything"),
        }
    }

    /// Runs a process again up to this history. Returns the process unless it ended here.
    fn rerun(&self, history: &Rc<History<R>>) -> Result<Option<R::Process>, Fault> {
        let recording = history.recording();
        match self.runner.rerun(&recording)? {
            Rerun::Arrived(process) => Ok(Some(process)),
            Rerun::Stopped { inputs, step } => {
                let role = self.runner.role(recording.start());
                recording.after(inputs).compare(role, &step)?;
                Ok(None)
            }
        }
    }

    fn keep(&self, history: &Rc<History<R>>, process: Option<R::Process>) {
        if let Some(process) = process {
            history.set_process(process);
            self.pool.add(history);
        }
    }
}
