//! A check: explores a program and gathers its errors and warnings.

use crate::explore::explore;
use crate::frontend::{Fault, Frontend};
use crate::guide::Guide;
use crate::ids::PidId;
use crate::observe::{Observer, Prefix, Progress, Stopped};
use crate::options::Options;
use crate::repeats::{Repeats, Repetition};
use crate::symptom::Symptom;
use crate::tree::{ExecutionTree, Growing};
use crate::verdict::{Finding, Kind, StoppedDaemon};
use crate::view::Execution;
use mazurka_trace::Trace;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::hash::BuildHasher;
use std::ops::ControlFlow;
use std::rc::Rc;

/// What to check and when to stop.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How to explore.
    pub explore: Options,
    /// Gather all errors instead of stopping as soon as the verdict is clear.
    pub keep_going: bool,
    /// After an execution with a stuck process and no other error, this many more are explored, to
    /// look for errors of other kinds.
    pub after_stuck: u64,
    /// Warnings to treat as errors.
    pub errors: Vec<Kind>,
    /// Kinds of errors that the program is meant to have. The verdict is clear when all of
    /// them were found, or an error of another kind; without any, at the first error.
    pub expected: Vec<Kind>,
    /// Keep the tree of executions, with at most this many prefixes. Only the optimal algorithm has
    /// one, and a hunt has none.
    pub tree: Option<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            explore: Options::default(),
            keep_going: false,
            after_stuck: Settings::AFTER_STUCK,
            errors: Vec::new(),
            expected: Vec::new(),
            tree: None,
        }
    }
}

impl Settings {
    /// The default of [`Settings::after_stuck`].
    pub const AFTER_STUCK: u64 = 10_000;

    /// Whether findings of this kind count as errors.
    #[must_use]
    pub fn is_error(&self, kind: Kind) -> bool {
        kind.is_error() || self.errors.contains(&kind) || self.expected.contains(&kind)
    }
}

/// Number of findings with the same [`Symptom`] that are kept, each with its trace. Further ones are
/// counted, so that memory grows with the number of symptoms, not with that of findings.
pub const KEPT_PER_SYMPTOM: usize = 100;

/// Equal findings of all executions, with the shortest execution that has them.
#[derive(Clone, Debug)]
pub struct Found {
    /// What was found.
    pub finding: Finding,
    /// Whether it counts as an error.
    pub is_error: bool,
    /// Number of executions that have it.
    pub count: u64,
    /// The shortest of them that was found; findings of one execution share it.
    pub trace: Rc<Trace>,
    /// Number of steps of that execution.
    pub steps: usize,
    /// Number of other findings with the same [`Symptom`] that were not kept. Only the first one
    /// kept has this number; the others have 0.
    pub not_kept: u64,
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its progress at the end.
    pub progress: Progress,
    /// Why it stopped.
    pub stopped: Stopped,
    /// Errors, then warnings, each in the order of their kinds.
    pub found: Vec<Found>,
    /// Daemons with timers that were still to fire when an execution was over: each process once,
    /// as it was first seen.
    pub stopped_daemons: Vec<StoppedDaemon>,
    /// The tree of executions, if it was asked for.
    pub tree: Option<ExecutionTree>,
    /// Where the [`Brake`](crate::Brake) stopped user code inside a step, if it did.
    pub interrupted: Option<String>,
    /// What is not modelled, if the exploration met it after it had found errors.
    pub fault: Option<Fault>,
    /// What a long execution repeats, if there is one.
    pub repeats: Option<Repeats>,
}

impl Report {
    /// Whether everything was explored.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stopped == Stopped::Complete
    }

    /// Sorts the findings.
    pub(crate) fn sort(&mut self) {
        let key = |found: &Found| (!found.is_error, found.finding.kind);
        self.found.sort_by_key(key);
    }

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(|found| found.is_error)
    }
}

/// Follows a check while it runs.
pub trait Watcher {
    /// Called every few steps; may stop the exploration.
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()>;

    /// Called with each distinct error when it is found. If the exploration starts again, errors are
    /// found again.
    fn error(&mut self, found: &Found);
}

/// A function that is called with the progress only.
impl<W: FnMut(&Progress) -> ControlFlow<()>> Watcher for W {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self(progress)
    }

    fn error(&mut self, _: &Found) {}
}

/// Explores a program and collects the findings. `watch` is called every few steps and may stop the
/// exploration.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
pub fn check<F: Frontend>(
    frontend: F,
    guide: impl Guide,
    settings: &Settings,
    watch: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Report, Fault> {
    check_with(frontend, guide, settings, watch)
}

/// The same, and every error is reported to `watch` when it is found.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
pub fn check_with<F: Frontend>(
    frontend: F,
    guide: impl Guide,
    settings: &Settings,
    watch: impl Watcher,
) -> Result<Report, Fault> {
    check_by(settings, watch, |observer| {
        explore(frontend, guide, &settings.explore, observer)
    })
}

/// Collects the findings of the executions that `explore` passes to its observer: for algorithms other
/// than the engine's own.
///
/// # Errors
/// Those of `explore`. If something is not modelled and errors were found before, the result is a
/// report with both.
pub fn check_by<'s, W: Watcher>(
    settings: &'s Settings,
    watch: W,
    explore: impl FnOnce(&mut Gathering<'s, W>) -> Result<(Stopped, Progress), Fault>,
) -> Result<Report, Fault> {
    let mut observer = Gathering {
        gather: Gather::new(settings),
        tree: settings.tree.map(Growing::new),
        watch,
        interrupted: None,
        progress: Progress::default(),
        repetition: Repetition::default(),
    };
    let (stopped, progress, fault) = match explore(&mut observer) {
        Ok((stopped, progress)) => (stopped, progress, None),
        Err(fault @ Fault::Unsupported { .. }) if observer.gather.errors > 0 => {
            (Stopped::Observer, observer.progress, Some(fault))
        }
        Err(fault) => return Err(fault),
    };
    Ok(Report {
        tree: observer.tree.map(Growing::finish),
        interrupted: observer.interrupted,
        fault,
        repeats: observer.repetition.finish(),
        ..observer.gather.report(stopped, progress)
    })
}

/// Collects findings, and reports progress and errors to a [`Watcher`].
pub struct Gathering<'s, W> {
    gather: Gather<'s>,
    tree: Option<Growing>,
    watch: W,
    interrupted: Option<String>,
    /// The last known progress, with the number of executions seen. It is needed if the exploration
    /// ends with a fault.
    progress: Progress,
    repetition: Repetition,
}

impl<F: Frontend, W: Watcher> Observer<F> for Gathering<'_, W> {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        if let Some(tree) = &mut self.tree {
            tree.execution(execution, self.gather.settings);
        }
        match execution.cut_short {
            true => self.progress.cut_short += 1,
            false => self.progress.executions += 1,
        }
        self.repetition.note(execution);
        let known = self.gather.found.len();
        let flow = self.gather.execution(execution);
        let new = self.gather.found[known..].iter();
        { new.filter(|found| found.is_error) }.for_each(|found| self.watch.error(found));
        flow
    }

    #[inline]
    fn prefix(&mut self, prefix: &Prefix<'_, F>) {
        if let Some(tree) = &mut self.tree {
            tree.prefix(prefix);
        }
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.progress = Progress {
            executions: self.progress.executions,
            cut_short: self.progress.cut_short,
            ..*progress
        };
        self.watch.progress(&self.gather.counted(progress))
    }

    fn interrupted(&mut self, place: String) {
        self.interrupted = Some(place);
    }

    fn restart(&mut self) {
        self.gather.restart();
        self.progress = Progress::default();
        self.repetition = Repetition::default();
        if let Some(tree) = &mut self.tree {
            tree.restart();
        }
    }
}

/// Collects findings.
pub(crate) struct Gather<'s> {
    settings: &'s Settings,
    found: Vec<Found>,
    by_finding: FxHashMap<Finding, usize>,
    by_symptom: FxHashMap<Symptom, Alike>,
    /// Hashes of the findings that were not kept, to count each once.
    not_kept: FxHashSet<u64>,
    /// How many of them are errors.
    errors: u64,
    /// Expected kinds that have not been found.
    missing: Vec<Kind>,
    /// Whether there is an error of a kind that is not expected, other than a stuck process.
    unexpected: bool,
    /// Whether there is any error other than a stuck process.
    others: bool,
    /// If a stuck process is not expected and there is one: how many executions were seen since.
    since_stuck: Option<u64>,
    stopped_daemons: Vec<StoppedDaemon>,
    /// The processes in there.
    stopped: FxHashSet<PidId>,
}

/// The findings kept that have one symptom.
struct Alike {
    first: usize,
    kept: usize,
}

impl<'s> Gather<'s> {
    pub(crate) fn new(settings: &'s Settings) -> Self {
        Gather {
            settings,
            found: Vec::new(),
            by_finding: FxHashMap::default(),
            by_symptom: FxHashMap::default(),
            not_kept: FxHashSet::default(),
            errors: 0,
            missing: settings.expected.clone(),
            unexpected: false,
            others: false,
            since_stuck: None,
            stopped_daemons: Vec::new(),
            stopped: FxHashSet::default(),
        }
    }

    /// The progress of an exploration, with the errors that it has found.
    pub(crate) fn counted(&self, progress: &Progress) -> Progress {
        Progress {
            errors: self.errors,
            ..*progress
        }
    }

    /// What has been gathered by an exploration that stopped.
    pub(crate) fn report(self, stopped: Stopped, progress: Progress) -> Report {
        let progress = self.counted(&progress);
        let mut report = Report {
            progress,
            stopped,
            found: self.found,
            stopped_daemons: self.stopped_daemons,
            tree: None,
            interrupted: None,
            fault: None,
            repeats: None,
        };
        report.sort();
        report
    }

    /// Gathers the findings of an execution. Returns whether to continue.
    pub(crate) fn execution<F: Frontend>(
        &mut self,
        execution: &Execution<'_, F>,
    ) -> ControlFlow<()> {
        self.since_stuck = self.since_stuck.map(|seen| seen + 1);
        self.note_daemons(execution);
        if execution.is_remarkable() {
            let mut findings = execution.findings();
            findings.dedup();
            // Made at most once per execution, if there are findings.
            let trace = OnceCell::new();
            for finding in findings {
                self.note(finding, execution.len(), || {
                    Rc::clone(trace.get_or_init(|| Rc::new(execution.trace())))
                });
            }
        }
        match !self.settings.keep_going && self.is_clear() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn note_daemons<F: Frontend>(&mut self, execution: &Execution<'_, F>) {
        for slot in execution.stopped_daemons() {
            if self.stopped.insert(execution.graph.process(slot).pid) {
                self.stopped_daemons.extend(execution.stopped_daemon(slot));
            }
        }
    }

    /// Discards everything: the exploration starts over.
    pub(crate) fn restart(&mut self) {
        self.found.clear();
        self.by_finding.clear();
        self.by_symptom.clear();
        self.not_kept.clear();
        self.errors = 0;
        self.missing.clone_from(&self.settings.expected);
        self.unexpected = false;
        self.others = false;
        self.since_stuck = None;
        self.stopped_daemons.clear();
        self.stopped.clear();
    }

    /// Whether to stop: more errors would not change the verdict. After a stuck process, more
    /// executions are explored first: a process that should have been marked as a daemon is stuck in
    /// every execution, and must not hide an error that only some have.
    fn is_clear(&self) -> bool {
        match self.since_stuck {
            _ if self.unexpected => true,
            Some(seen) => self.others || seen >= self.settings.after_stuck,
            None => self.errors > 0 && self.missing.is_empty(),
        }
    }

    /// Records a finding.
    fn note(&mut self, finding: Finding, steps: usize, trace: impl Fn() -> Rc<Trace>) {
        if let Some(&at) = self.by_finding.get(&finding) {
            let found = &mut self.found[at];
            found.count += 1;
            if steps < found.steps {
                found.steps = steps;
                found.trace = trace();
            }
            return;
        }
        let kind = finding.kind;
        let is_error = self.settings.is_error(kind);
        let alike = { self.by_symptom.entry(Symptom::of(&finding)) }.or_insert(Alike {
            first: self.found.len(),
            kept: 0,
        });
        if alike.kept == KEPT_PER_SYMPTOM {
            if self.not_kept.insert(FxBuildHasher.hash_one(&finding)) {
                self.found[alike.first].not_kept += 1;
                self.errors += u64::from(is_error);
            }
            return;
        }
        alike.kept += 1;
        self.errors += u64::from(is_error);
        self.others |= is_error && kind != Kind::Stuck;
        self.missing.retain(|&expected| expected != kind);
        if is_error && !self.settings.expected.contains(&kind) {
            match kind {
                Kind::Stuck => self.since_stuck = self.since_stuck.or(Some(0)),
                _ => self.unexpected = true,
            }
        }
        self.by_finding.insert(finding.clone(), self.found.len());
        self.found.push(Found {
            finding,
            is_error,
            count: 1,
            trace: trace(),
            steps,
            not_kept: 0,
        });
    }
}
