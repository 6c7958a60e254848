//! The trait that a front-end implements for its kind of process.

use crate::history::{History, Recording};
use mazurka_engine::Fault;
use std::fmt;
use std::rc::Rc;

/// Runs one kind of process, which cannot be copied.
///
/// A process must be a deterministic function of its inputs, and must not affect other processes
/// except through its actions: it is run again alone.
pub trait Runner: Sized {
    /// The name of a process.
    type Pid: Clone + fmt::Display;
    /// How a process is started.
    type Start: Clone;
    /// What answers a demand. Shown in faults: `a timeout`.
    type Input: Clone + fmt::Display;
    /// A visible effect. Shown in faults: `sent 3 to P.1`.
    type Action: PartialEq + fmt::Display;
    /// What a process waits for, or its end. Shown in faults: `waited for a number`.
    type Demand: PartialEq + fmt::Display;
    /// What else the front-end wants to remember of a step. It is not compared.
    type Notes;
    /// A running process that waits for an input. Dropping it stops it.
    type Process;

    /// Starts a process and runs it to its first demand.
    ///
    /// # Errors
    /// The process does something that is not modelled.
    fn start(&self, pid: &Self::Pid, start: &Self::Start) -> Result<Ran<Self>, Fault>;

    /// Answers the demand of a process that waits in the history `at`, and runs it to its next
    /// demand.
    ///
    /// # Errors
    /// The process does something that is not modelled.
    fn feed(
        &self,
        process: Self::Process,
        at: &Rc<History<Self>>,
        input: &Self::Input,
    ) -> Result<Ran<Self>, Fault>;

    /// Runs a process again along a recording, up to its end or to the first difference.
    ///
    /// By default the process is started, fed and compared step by step. Override it if many inputs
    /// can be fed faster together.
    ///
    /// # Errors
    /// The process does something that is not modelled.
    fn rerun(&self, recording: &Recording<'_, Self>) -> Result<Rerun<Self>, Fault> {
        let (mut process, mut step) = self.start(recording.pid(), recording.start())?;
        let mut at = recording.first();
        let mut inputs = 0;
        for (input, next) in recording.steps() {
            match process {
                Some(waiting) if at.is_repeated_by(&step) => {
                    (process, step) = self.feed(waiting, at, input)?;
                }
                _ => return Ok(Rerun::Stopped { inputs, step }),
            }
            at = next;
            inputs += 1;
        }
        Ok(match process {
            Some(waiting) if at.is_repeated_by(&step) => Rerun::Arrived(waiting),
            _ => Rerun::Stopped { inputs, step },
        })
    }

    /// Whether two runs of a process made the same demand, as far as the process can observe. Override
    /// it if equal demands of two runs are not `==`.
    fn is_same_demand(first: &Self::Demand, second: &Self::Demand) -> bool {
        first == second
    }

    /// What a process with this start runs, for faults.
    fn role(&self, start: &Self::Start) -> String;
}

/// The result of running a process to its next demand: the process, unless it has ended, and what
/// it did.
pub type Ran<R> = (Option<<R as Runner>::Process>, Step<R>);

/// What a process did on one input, up to its next demand.
pub struct Step<R: Runner> {
    /// In a re-run: the number of recorded actions that the process repeated, as far as the runner
    /// compared them itself. Otherwise 0.
    pub repeated: usize,
    /// The actions after those.
    pub actions: Vec<R::Action>,
    /// The demand that ended the step.
    pub demand: R::Demand,
    /// What else to remember.
    pub notes: R::Notes,
}

/// How far a re-run of a process came.
pub enum Rerun<R: Runner> {
    /// To the end of the recording, without a difference. The process waits there.
    Arrived(R::Process),
    /// After this many inputs the process ended or did something else: this.
    Stopped {
        /// The number of inputs it was fed.
        inputs: usize,
        /// What it did on the last of them.
        step: Step<R>,
    },
}
