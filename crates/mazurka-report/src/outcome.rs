//! The result of a check.

use crate::files::FileError;
use crate::models::Dependence;
use crate::options::CheckOptions;
use crate::plan::Plan;
use crate::subject::Subject;
use crate::watch::Stop;
use mazurka_engine::{
    Clause, Delivery, Diagnosis, ExecutionTree, Fault, Found, Kind, Premise, Progress, Repeats,
    Report, Sampled, Stopped, StoppedDaemon,
};
use mazurka_lab::Algorithm;
use std::path::PathBuf;

/// The result of a check.
#[derive(Debug)]
pub struct Outcome {
    /// The program.
    pub subject: Subject,
    /// The settings of the check.
    pub options: CheckOptions,
    /// How the program was explored; after a hunt, by the search that ended it.
    pub plan: Plan,
    /// The searches of a hunt.
    pub hunters: Vec<Hunted>,
    /// Why it ended.
    pub end: End,
    /// Where it stopped inside a step, if it did: which process, and which function.
    pub stopped_in: Option<String>,
    /// Its progress; `None` if the program could not continue.
    pub progress: Option<Progress>,
    /// What it found, errors first.
    pub found: Vec<Kept>,
    /// Daemons with timers that were still to fire when an execution was over.
    pub stopped_daemons: Vec<StoppedDaemon>,
    /// The clauses of the receives that were reached, as far as the front-end knows them.
    pub clauses: Vec<Clause>,
    /// The settings of the front-end that the result depends on.
    pub premises: Vec<Premise>,
    /// The tree of executions, if requested.
    pub tree: Option<ExecutionTree>,
    /// What a long execution repeats, if the check ended before everything was explored.
    pub repeats: Option<Repeats>,
    /// Why logs could not be written. `found` is complete even then.
    pub unwritten: Option<FileError>,
    /// How long it took.
    pub seconds: f64,
    /// The maximum memory in use, in bytes, on systems that report it.
    pub peak_memory: Option<u64>,
}

/// One search of a hunt.
#[derive(Clone, Debug)]
pub struct Hunted {
    /// How it explored.
    pub plan: Plan,
    /// Its progress.
    pub progress: Progress,
    /// Whether it ended the hunt: by an error, or because it had explored everything.
    pub ended_it: bool,
}

/// An error or warning, with its log and what else is known about it.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The finding and its execution.
    pub found: Found,
    /// The file with the log of its shortest execution; only errors have one.
    pub file: Option<PathBuf>,
    /// The command that replays it, from a token or from that file.
    pub replay: Option<String>,
    /// Whether it occurred again when its log was replayed; only errors are replayed.
    pub recurs: Option<Recurs>,
    /// Its diagnosis; only errors that are reported in full have one.
    pub diagnosis: Option<Diagnosis>,
    /// Whether it depends on the delivery model; only for errors that are reported in full, and not
    /// under `mailbox`, the strictest model.
    pub dependence: Option<Dependence>,
    /// If several delivery models were checked, those under which this error was found.
    pub found_under: Vec<Delivery>,
    /// Details from the host; only errors have them.
    pub details: Option<String>,
}

/// The result of replaying an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recurs {
    /// The same error.
    Yes,
    /// Something else: the program is not deterministic.
    No {
        /// What was seen instead, as the end of a sentence.
        instead: String,
    },
}

impl Kept {
    /// Whether its replay showed something else.
    #[must_use]
    pub fn is_unreproducible(&self) -> bool {
        matches!(self.recurs, Some(Recurs::No { .. }))
    }
}

/// Why a check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was explored.
    Complete,
    /// The verdict was clear: an error was found, or all that were expected.
    FirstError,
    /// Executions were cut short.
    DepthBound,
    /// The bound on executions.
    ExecutionBound,
    /// The bound on preemptions.
    PreemptionBound,
    /// The bound on seconds.
    TimeBound,
    /// The bound on memory.
    MemoryBound,
    /// As many executions were sampled as were asked for.
    Sampled,
    /// Ctrl-C.
    Interrupted,
    /// The program could not be run on.
    Fault(Fault),
}

impl End {
    /// Why the engine stopped, or why we stopped it.
    #[must_use]
    pub fn new(report: &Result<Report, Fault>, stop: Option<Stop>) -> End {
        match (report, stop) {
            (Err(Fault::Interrupted { .. }), Some(stop)) => End::of_stop(stop),
            (Err(fault), _) => End::Fault(fault.clone()),
            (
                Ok(Report {
                    fault: Some(fault), ..
                }),
                _,
            ) => End::Fault(fault.clone()),
            (Ok(report), stop) => match (report.stopped, stop) {
                (Stopped::Complete, _) => End::Complete,
                (Stopped::DepthBound, _) => End::DepthBound,
                (Stopped::ExecutionBound, _) => End::ExecutionBound,
                (Stopped::PreemptionBound, _) => End::PreemptionBound,
                (Stopped::Sampled, _) => End::Sampled,
                (Stopped::Observer, None) => End::FirstError,
                (Stopped::Observer, Some(stop)) => End::of_stop(stop),
            },
        }
    }

    fn of_stop(stop: Stop) -> End {
        match stop {
            Stop::Time => End::TimeBound,
            Stop::Memory => End::MemoryBound,
            Stop::Interrupt => End::Interrupted,
        }
    }

    /// The word in the JSON report.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            End::Complete => "complete",
            End::FirstError => "first-error",
            End::DepthBound => "depth-bound",
            End::ExecutionBound => "execution-bound",
            End::PreemptionBound => "preemption-bound",
            End::TimeBound => "time-bound",
            End::MemoryBound => "memory-bound",
            End::Sampled => "sampled",
            End::Interrupted => "interrupted",
            End::Fault(Fault::Nondeterminism { .. }) => "nondeterminism",
            End::Fault(Fault::Unsupported { .. } | Fault::Again) => "not-modelled",
            End::Fault(Fault::Interrupted { .. }) => "interrupted",
        }
    }
}

impl Outcome {
    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Kept> {
        self.found.iter().filter(|kept| kept.found.is_error)
    }

    /// Why the program could not be run, if no error was found before.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match (&self.end, self.errors().next()) {
            (End::Fault(fault), None) => Some(fault),
            _ => None,
        }
    }

    /// The errors of kinds that were not expected.
    pub fn unexpected(&self) -> impl Iterator<Item = &Kept> {
        let expected = |kept: &Kept| self.options.expect.contains(&kept.found.finding.kind);
        self.errors().filter(move |kept| !expected(kept))
    }

    /// The number of executions explored after a stuck process, if the check continued and found no
    /// error of another kind.
    #[must_use]
    pub fn went_on_after_stuck(&self) -> Option<u64> {
        let mut kinds = self.errors().map(|kept| kept.found.finding.kind);
        let only_stuck = kinds.all(|kind| kind == Kind::Stuck);
        let is_expected = self.options.expect.contains(&Kind::Stuck);
        let went_on = self.end == End::FirstError && only_stuck && !is_expected;
        went_on.then_some(self.options.after_stuck)
    }

    /// The warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Kept> {
        self.found.iter().filter(|kept| !kept.found.is_error)
    }

    /// The number of prefixes that were not explored. Only the optimal algorithm knows it.
    #[must_use]
    pub fn unexplored(&self) -> Option<u64> {
        let progress = self.progress.as_ref()?;
        let explores = self.plan.algorithm == Algorithm::Optimal && self.plan.sampling.is_none();
        let is_known = explores && !matches!(self.end, End::Fault(_));
        is_known.then_some(progress.frontier as u64)
    }

    /// Estimated fraction explored, from 0 to 1, assuming equal subtrees; only if the check ended
    /// early. There is none if a bound on depth cut executions short, or if a process repeats a
    /// timeout: each execution may then be followed by a longer one.
    #[must_use]
    pub fn fraction_explored(&self) -> Option<f64> {
        let is_all = matches!(self.end, End::Complete | End::DepthBound | End::Fault(_));
        self.unexplored()
            .filter(|_| !is_all && self.repeats.is_none())?;
        self.progress.map(|progress| progress.fraction.min(1.0))
    }

    /// The verdict in one line.
    #[must_use]
    pub fn headline(&self) -> String {
        match self.fault() {
            Some(_) => self.to_text().trim_end().to_owned(),
            None => crate::text::without_colours(&crate::text::headline(self)),
        }
    }

    /// The result of a sample in words, if executions were sampled.
    #[must_use]
    pub fn sampled(&self) -> Option<Sampled> {
        self.progress?.sampled
    }
}
