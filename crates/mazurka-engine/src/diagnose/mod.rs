//! Why an execution fails: where it parts from the nearest one that does not.
//!
//! The steps that lead to the error are put in an order. For a beginning of that order either
//! some execution that begins so is without the error, or all of them have it; the longer the
//! beginning, the fewer executions are left. So there is one step at which hope is lost, and it
//! is found by exploring what follows from this beginning and that.

mod error;
mod failing;
mod judge;
#[cfg(test)]
mod tests;
mod turn;

use crate::behaviour::Behaviours;
use crate::drive::{self, DriveError};
use crate::explore::Explorer;
use crate::frontend::{Fault, Frontend};
use crate::guide::SendersFirst;
use crate::ids::Pid;
use crate::observe::Stopped;
use crate::options::Options;
use crate::verdict::Finding;
use error::Error;
use failing::Failing;
use judge::{Judge, Passing};
use mazurka_trace::{At, Log, Trace};
use std::collections::BTreeMap;
use turn::Turned;

/// What is known about how a failing execution came to fail.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The events of the failing execution that lead to the error, in an order with few switches
    /// between processes. All that is said here of steps and beginnings means this order.
    pub order: Vec<At>,
    /// Where the nearest execution without the error goes another way, if one is known.
    pub parting: Option<Parting>,
    /// From where on all is lost.
    pub no_return: NoReturn,
    /// What processes are called, in both executions: by the name that they bear, or by what they
    /// were started as.
    pub names: BTreeMap<mazurka_trace::ProcessName, String>,
}

/// Where two executions part, a failing and a passing one.
#[derive(Clone, Debug)]
pub struct Parting {
    /// An execution without the error that shares as much of the failing one's order as any.
    pub passing: Trace,
    /// Whether nothing else is wrong with it either.
    pub all_is_well: bool,
    /// How many events of each process both have in common: all those that come before the
    /// parting.
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
    /// The parting: every execution that begins with the failing one up to and including that
    /// event has the error; all were explored.
    AtParting,
    /// It was not explored to the end whether there is one before the error itself.
    Unknown,
    /// The beginning: every execution of the program has the error; all were explored.
    Always,
}

/// What a diagnosis may cost, in steps of executions with few processes.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// In all.
    pub steps: u64,
    /// For what follows from one beginning.
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

/// Running the program takes longer than doing again what is known.
const STEPS_PER_NODE: u64 = 10;
/// A step takes longer in a long execution of many processes: here it costs twice as much, in terms
/// of the number of processes times the number of steps.
const TWICE_THE_COST: usize = 4_096;

/// Finds out why the execution of this log, which must be one of the program, has this error.
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

/// A diagnosis, and what was learnt on the way.
struct Searched<F: Frontend> {
    diagnosis: Diagnosis,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests compare with all executions")
    )]
    learnt: (Failing, Behaviours<F>, Vec<Pid>),
}

fn search<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    finding: &Finding,
    effort: Effort,
) -> Result<Searched<F>, DriveError> {
    let mut behaviours = Behaviours::new(frontend, options);
    let mut struck = Vec::new();
    loop {
        let (graph, cut_short) =
            drive::to_the_end(&mut behaviours, &mut struck, options, log, &SendersFirst)?;
        let failing = Failing::new(&behaviours, &graph, cut_short, finding);
        let mut search = Search {
            behaviours,
            failing: &failing,
            error: Error::new(finding),
            options,
            struck,
            effort,
            incomplete: false,
        };
        let diagnosis = search.run()?;
        (behaviours, struck) = (search.behaviours, search.struck);
        // If not, it turned out that a signal may strike some process, which then does more steps.
        if let Some(diagnosis) = diagnosis {
            return Ok(Searched {
                diagnosis,
                learnt: (failing, behaviours, struck),
            });
        }
    }
}

/// A search for the last beginning of a failing execution from which it could have gone well.
struct Search<'s, F: Frontend> {
    behaviours: Behaviours<F>,
    failing: &'s Failing,
    error: Error<'s>,
    options: &'s Options,
    struck: Vec<Pid>,
    /// What is left.
    effort: Effort,
    /// Whether some beginning was not explored to its end, without finding anything.
    incomplete: bool,
}

/// What follows from a beginning.
enum Follows {
    Passing(Passing),
    /// Nothing but executions with the error.
    Failing,
    /// That is not known.
    Unknown,
    /// Nothing was found out, because processes may be struck that were not known to be.
    Unforeseen,
}

impl<F: Frontend> Search<'_, F> {
    /// Nothing if more processes may be struck than was known.
    fn run(&mut self) -> Result<Option<Diagnosis>, Fault> {
        let all = self.failing.steps.len();
        // With that many steps it is lost, and with fewer it is not, if any passing one is known.
        let mut lost = all;
        let mut passing: Option<Passing> = None;
        // Backwards, farther and farther, until there is hope; then in halves.
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
            match self.follows_from(from)? {
                Follows::Passing(found) => passing = Some(found),
                Follows::Failing => lost = from,
                Follows::Unknown => {
                    // As if it were lost; but then nothing is certain.
                    self.incomplete = true;
                    lost = from;
                }
                Follows::Unforeseen => return Ok(None),
            }
        }
        let mut names = self.failing.names.clone();
        if let Some(passing) = &mut passing {
            for (pid, name) in std::mem::take(&mut passing.names) {
                names.entry(pid).or_insert(name);
            }
        }
        let parting = passing.and_then(|passing| self.failing.parting(passing));
        Ok(Some(Diagnosis {
            order: self.failing.order.clone(),
            no_return: match (&parting, self.incomplete) {
                (_, true) => NoReturn::Unknown,
                (Some(_), false) => NoReturn::AtParting,
                (None, false) => NoReturn::Always,
            },
            parting,
            names,
        }))
    }

    /// Explores what follows from the first `from` steps, other outcomes of the next one first.
    fn follows_from(&mut self, from: usize) -> Result<Follows, Fault> {
        let frontend = self.behaviours.frontend.fresh_copy();
        let none = Behaviours::new(frontend, self.options);
        let behaviours = std::mem::replace(&mut self.behaviours, none);
        let guide = Turned::new(self.failing, from);
        let budget = self.effort.steps.min(self.effort.steps_at_once);
        let made_before = behaviours.made;
        let mut judge = Judge::new(self.failing, &self.error, budget, made_before);
        // However the error was found: every execution once, what is near first.
        let options = Options {
            delivery: self.options.delivery,
            timeouts: self.options.timeouts,
            max_depth: self.options.max_depth,
            max_processes: self.options.max_processes,
            node_memory: self.options.node_memory,
            ..Options::default()
        };
        let beginning = &self.failing.steps[..from];
        let beginning = beginning.iter().map(|step| step.entry).collect();
        let mut explorer =
            Explorer::from_beginning(behaviours, guide, options, &self.struck, beginning);
        let stopped = explorer.run(&mut judge);
        let spent = judge.cost(&explorer.progress());
        let foreseen = self.struck.len();
        (self.behaviours, self.struck) = explorer.into_parts();
        self.effort.steps = self.effort.steps.saturating_sub(spent);
        Ok(match (judge.passing, stopped?) {
            _ if self.struck.len() > foreseen => Follows::Unforeseen,
            (Some(passing), _) => Follows::Passing(passing),
            (None, Stopped::Complete) => Follows::Failing,
            (None, _) => Follows::Unknown,
        })
    }
}
