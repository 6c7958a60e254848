//! Every trace once, in any order.
//!
//! The frontier holds the beginnings of executions, each as the steps in which it differs
//! from its parent. Taking one means undoing and doing steps of the one current graph until
//! it is that beginning, then going on to its end and putting away every other choice met on
//! the way. Nothing is remembered of what has been explored.

use crate::algorithm::{Algorithm, Order};
use crate::behaviour::Behaviours;
use crate::candidates::Candidates;
use crate::choose::{next, prefer};
use crate::classic;
use crate::cut::Everything;
use crate::frontend::{Fault, Frontend};
use crate::frontier::{Frontier, Item, Segment, Strategy};
use crate::graph::{Entry, Graph, Pick, Slot};
use crate::guide::Guide;
use crate::ids::{ObjectKey, Pid};
use crate::timeouts::Timeouts;
use crate::variant::Variants;
use crate::view::Execution;
use mazurka_trace::Delivery;
use smallvec::{SmallVec, smallvec};
use std::ops::ControlFlow;
use std::rc::Rc;

/// How to explore.
#[derive(Clone, Debug)]
pub struct Options {
    /// How executions are found.
    pub algorithm: Algorithm,
    /// The order in which an algorithm of the literature tries messages.
    pub order: Order,
    /// Whether it uses sleep sets, if it can do with and without.
    pub sleep_sets: bool,
    /// `interleavings`: leave out schedules in which a process only finds that it must wait.
    pub blocking_avoidance: bool,
    /// `interleavings`: how often a process may be interrupted that could have gone on.
    pub preemption_bound: Option<u32>,
    /// Which messages a receive may consume.
    pub delivery: Delivery,
    /// When timeouts may fire.
    pub timeouts: Timeouts,
    /// In which order the optimal algorithm works through its frontier.
    pub strategy: Strategy,
    /// Steps in one execution; longer ones are cut short.
    pub max_depth: Option<usize>,
    /// Processes, and objects that they share, in one execution; those with more are cut short.
    pub max_processes: Option<usize>,
    /// Executions.
    pub max_executions: Option<u64>,
    /// Memory for behaviour nodes and what they refer to, in bytes, before those not in use are
    /// dropped.
    pub node_memory: usize,
    /// Run every step of user code twice, to find out whether it is deterministic.
    pub distrust: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            algorithm: Algorithm::default(),
            order: Order::default(),
            sleep_sets: true,
            blocking_avoidance: true,
            preemption_bound: None,
            delivery: Delivery::P2p,
            timeouts: Timeouts::default(),
            strategy: Strategy::Dfs,
            max_depth: Some(100_000),
            max_processes: Some(2_000),
            max_executions: None,
            node_memory: 2 << 20,
            distrust: false,
        }
    }
}

impl Options {
    /// Whether an execution has all the steps, or more than the processes, that it may have.
    pub(crate) fn cuts(&self, graph: &Graph) -> bool {
        self.max_depth.is_some_and(|max| graph.path().len() >= max) || self.is_crowded(graph)
    }

    /// Whether it has more processes than it may have.
    pub(crate) fn is_crowded(&self, graph: &Graph) -> bool {
        self.max_processes
            .is_some_and(|max| graph.processes().len() > max)
    }
}

/// How far an exploration has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    /// Exploration starts from the beginning, because something turned out that should have
    /// been known from the start: a signal strikes a process that did not look for one, or
    /// somebody asks about the life of a process. Forget what you have seen.
    fn restart(&mut self) {}
}

/// How many steps lie between two calls of [`Observer::progress`].
pub(crate) const PROGRESS_EVERY: u64 = 1 << 6;

/// Explores one program.
pub struct Explorer<F: Frontend, G: Guide> {
    pub(crate) behaviours: Behaviours<F>,
    pub(crate) graph: Graph,
    guide: G,
    options: Options,
    candidates: Candidates,
    variants: Variants,
    frontier: Frontier,
    /// The segments that the current path is made of.
    spine: Vec<Rc<Segment>>,
    /// How much of the current path its segments describe.
    frozen: usize,
    /// Empty between two calls of `go_to`; kept for its memory.
    chain: Vec<Rc<Segment>>,
    struck: Vec<Pid>,
    progress: Progress,
    next_report: u64,
    /// How many bytes of behaviour nodes there may be before some are dropped.
    room: usize,
}

/// What became of one beginning of an execution.
enum Reached {
    End,
    DepthBound,
    /// The frontier has all the ways to go on.
    Branches,
    /// A signal to a process that does not look for one.
    Unforeseen(Pid),
}

impl<F: Frontend, G: Guide> Explorer<F, G> {
    /// An exploration of `frontend`'s program that has not begun.
    pub fn new(frontend: F, guide: G, options: Options) -> Self {
        let mut behaviours = Behaviours::new(frontend);
        behaviours.distrust(options.distrust);
        Explorer {
            behaviours,
            graph: Graph::new(options.delivery, options.timeouts),
            guide,
            candidates: Candidates::default(),
            variants: Variants::default(),
            frontier: Frontier::new(options.strategy),
            room: options.node_memory,
            options,
            spine: Vec::new(),
            frozen: 0,
            chain: Vec::new(),
            struck: Vec::new(),
            progress: Progress::default(),
            next_report: PROGRESS_EVERY,
        }
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            behaviour_nodes: self.behaviours.made,
            frontier: self.frontier.len(),
            depth: self.graph.path().len(),
            ..self.progress
        }
    }

    /// Explores until everything is done or somebody says stop.
    ///
    /// # Errors
    /// The program uses something that is not modelled, or is not deterministic.
    pub fn run(&mut self, observer: &mut impl Observer<F>) -> Result<Stopped, Fault> {
        self.begin();
        while let Some(item) = self.frontier.pop() {
            if observer.progress_due(self) == ControlFlow::Break(()) {
                return Ok(Stopped::Observer);
            }
            self.make_room();
            let is_new_step = !item.entries.is_empty();
            self.go_to(item)?;
            if is_new_step {
                self.progress.transitions += 1;
                self.progress.repeated -= 1;
                self.vary();
            }
            match self.advance(observer)? {
                Some(Reached::Branches) => {}
                Some(Reached::Unforeseen(pid)) => {
                    self.struck.push(pid);
                    self.begin();
                    observer.restart();
                }
                Some(reached @ (Reached::End | Reached::DepthBound)) => {
                    let cut_short = matches!(reached, Reached::DepthBound);
                    if cut_short {
                        self.progress.cut_short += 1;
                        let crowded = self.options.is_crowded(&self.graph);
                        self.progress.crowded += u64::from(crowded);
                    } else {
                        self.progress.executions += 1;
                    }
                    let execution = Execution {
                        graph: &self.graph,
                        behaviours: &self.behaviours,
                        cut_short,
                    };
                    if observer.execution(&execution) == ControlFlow::Break(()) {
                        return Ok(self.stopped_by(Stopped::Observer));
                    }
                    let seen = self.progress.executions + self.progress.cut_short;
                    if self.options.max_executions.is_some_and(|max| seen >= max) {
                        return Ok(self.stopped_by(Stopped::ExecutionBound));
                    }
                }
                None => return Ok(Stopped::Observer),
            }
        }
        Ok(self.stopped_by(Stopped::Complete))
    }

    /// A stop with nothing left to do is no stop.
    fn stopped_by(&self, reason: Stopped) -> Stopped {
        match (self.frontier.len(), self.progress.cut_short) {
            (0, 0) => Stopped::Complete,
            (0, _) => Stopped::DepthBound,
            _ => reason,
        }
    }

    fn begin(&mut self) {
        self.graph = Graph::new(self.options.delivery, self.options.timeouts);
        for &pid in &self.struck {
            self.graph.foresee(pid);
        }
        self.graph.begin(&mut self.behaviours);
        self.spine.clear();
        self.frozen = 0;
        self.frontier = Frontier::new(self.options.strategy);
        self.frontier.push(Item {
            parent: Segment::root(),
            start: 0,
            entries: SmallVec::new(),
        });
        self.progress = Progress::default();
        self.next_report = PROGRESS_EVERY;
    }

    /// Drops behaviour nodes that the current graph does not hold, if there are too many.
    fn make_room(&mut self) {
        if self.behaviours.bytes() > self.room {
            self.graph.drop_others(&mut self.behaviours);
            // What one execution holds must stay; then the rest gets as much again.
            let twice = self.behaviours.bytes().saturating_mul(2);
            self.room = self.options.node_memory.max(twice);
        }
    }

    /// Makes the current graph the one that `item` describes: back to what both have in
    /// common, then forward.
    fn go_to(&mut self, item: Item) -> Result<(), Fault> {
        let mut chain = std::mem::take(&mut self.chain);
        let mut first = &item.parent;
        while !self.on_spine(first) {
            chain.push(Rc::clone(first));
            match &first.parent {
                Some(parent) => first = parent,
                None => break,
            }
        }
        let wanted = chain.last().map_or(item.start, |segment| segment.start);
        let shared = match self.on_spine(first) {
            true => first.depth + 1,
            false => 0,
        };
        let have = match self.spine.get(shared) {
            Some(beyond) => beyond.start,
            None => self.frozen,
        };
        let common = if shared == 0 { 0 } else { have.min(wanted) };
        while self.graph.path().len() > common {
            self.graph.undo(&self.behaviours);
        }
        self.spine.truncate(shared);
        if let Some(last) = self.spine.last().cloned() {
            self.redo(&last, common, wanted)?;
        }
        while let Some(segment) = chain.pop() {
            let upto = chain.last().map_or(item.start, |child| child.start);
            self.redo(&segment, segment.start, upto)?;
            self.spine.push(segment);
        }
        self.chain = chain;
        self.frozen = item.start;
        for &entry in &item.entries {
            self.again(entry)?;
        }
        Ok(())
    }

    fn on_spine(&self, segment: &Rc<Segment>) -> bool {
        self.spine
            .get(segment.depth)
            .is_some_and(|other| Rc::ptr_eq(other, segment))
    }

    fn redo(&mut self, segment: &Segment, from: usize, upto: usize) -> Result<(), Fault> {
        for at in from..upto {
            self.again(segment.entries[at - segment.start])?;
        }
        Ok(())
    }

    fn again(&mut self, entry: Entry) -> Result<(), Fault> {
        self.graph.apply(&mut self.behaviours, entry)?;
        self.progress.repeated += 1;
        Ok(())
    }

    /// Goes on from the current graph: to its end, or to where the frontier must decide.
    /// Nothing if the observer wants to stop.
    fn advance(&mut self, observer: &mut impl Observer<F>) -> Result<Option<Reached>, Fault> {
        loop {
            if let Some(pid) = self.graph.unforeseen {
                return Ok(Some(Reached::Unforeseen(pid)));
            }
            if observer.progress_due(self) == ControlFlow::Break(()) {
                return Ok(None);
            }
            let Some((slot, quiet)) = self.next() else {
                return Ok(Some(Reached::End));
            };
            if self.options.cuts(&self.graph) {
                return Ok(Some(Reached::DepthBound));
            }
            if quiet {
                let unnoticed = self.graph.unnoticed_ends().next();
                match unnoticed {
                    Some(process) => self.notice_end(process)?,
                    None => self.step(slot, Pick::QuietTimeout)?,
                }
                continue;
            }
            self.list_candidates(slot);
            if !self.candidates.ruled_out.is_empty() {
                self.vary_ruled_out(slot)?;
            }
            match self.candidates.picks[..] {
                [] => unreachable!("an enabled process has a candidate"),
                [only] => self.step(slot, only)?,
                [first, ..] => {
                    self.freeze();
                    self.put_away(slot);
                    if !self.frontier.goes_on() {
                        return Ok(Some(Reached::Branches));
                    }
                    self.step(slot, first)?;
                }
            }
        }
    }

    /// The process that goes next, if the graph is not complete, and whether that is only because
    /// nothing can move.
    fn next(&self) -> Option<(Slot, bool)> {
        let Explorer {
            graph,
            behaviours,
            guide,
            ..
        } = self;
        match next(graph, behaviours, guide, graph.enabled()) {
            Some(slot) => Some((slot, false)),
            None => next(graph, behaviours, guide, graph.next_due()).map(|slot| (slot, true)),
        }
    }

    /// The candidates of a process, the preferred one first.
    fn list_candidates(&mut self, slot: Slot) {
        let process = self.graph.process(slot);
        let (pid, index) = (process.pid, process.steps.len());
        self.candidates
            .list(&self.graph, &mut self.behaviours, &Everything, slot, index);
        let (pids, guide) = (&self.behaviours.pids, &self.guide);
        if self.candidates.picks.len() > 1 {
            self.candidates
                .picks
                .sort_unstable_by(|&a, &b| prefer(pids, guide, pid, a, b));
        }
    }

    fn step(&mut self, slot: Slot, pick: Pick) -> Result<(), Fault> {
        let entry = self.entry(slot, pick);
        self.graph.apply(&mut self.behaviours, entry)?;
        self.progress.transitions += 1;
        self.progress.starts += u64::from(pick == Pick::Start);
        self.vary();
        Ok(())
    }

    /// Makes the life of a process that has ended serve its end, so that a timeout that
    /// fires when nothing can happen finds all ends known.
    fn notice_end(&mut self, process: Pid) -> Result<(), Fault> {
        let pid = self.behaviours.pids.object(ObjectKey::Life(process));
        let entry = Entry {
            pid,
            pick: Pick::Start,
            stamp: self.graph.next_stamp(),
            fixed: false,
        };
        self.graph.apply(&mut self.behaviours, entry)?;
        self.progress.transitions += 1;
        Ok(())
    }

    fn entry(&self, slot: Slot, pick: Pick) -> Entry {
        Entry {
            pid: self.graph.process(slot).pid,
            pick,
            stamp: self.graph.next_stamp(),
            fixed: false,
        }
    }

    /// Puts the candidates into the frontier: all, or all but the first if that is next.
    fn put_away(&mut self, slot: Slot) {
        let skip = usize::from(self.frontier.goes_on());
        let parent = Rc::clone(self.spine.last().expect("the root is always there"));
        let start = self.graph.path().len();
        for at in (skip..self.candidates.picks.len()).rev() {
            let entry = self.entry(slot, self.candidates.picks[at]);
            self.frontier.push(Item {
                parent: Rc::clone(&parent),
                start,
                entries: smallvec![entry],
            });
        }
    }

    /// Puts the variants that the last step gives rise to into the frontier.
    fn vary(&mut self) {
        self.variants
            .of_last_step(&self.graph, &mut self.behaviours, &self.guide);
        if self.variants.found.is_empty() {
            return;
        }
        self.freeze();
        self.put_away_variants();
    }

    /// Puts the variants into the frontier that steps of this process would give rise to that are
    /// ruled out by what the variants drop.
    fn vary_ruled_out(&mut self, slot: Slot) -> Result<(), Fault> {
        self.freeze();
        for pick in std::mem::take(&mut self.candidates.ruled_out) {
            let entry = self.entry(slot, pick);
            self.graph.apply(&mut self.behaviours, entry)?;
            self.variants
                .of_ruled_out_step(&self.graph, &mut self.behaviours, &self.guide);
            self.graph.undo(&self.behaviours);
            self.put_away_variants();
        }
        Ok(())
    }

    fn put_away_variants(&mut self) {
        for variant in std::mem::take(&mut self.variants.found) {
            let at = self
                .spine
                .iter()
                .rposition(|segment| segment.start < variant.keep)
                .unwrap_or(0);
            self.frontier.push(Item {
                parent: Rc::clone(&self.spine[at]),
                start: variant.keep,
                entries: variant.entries,
            });
        }
    }

    /// Makes the steps that no segment describes yet a segment, so that others can continue
    /// it.
    fn freeze(&mut self) {
        let path = self.graph.path();
        if path.len() > self.frozen {
            let last = self.spine.last().expect("the root is always there");
            let entries = path[self.frozen..].iter().map(|placed| placed.entry);
            let segment = Segment::after(last, self.frozen, entries);
            self.frozen = path.len();
            self.spine.push(segment);
        }
    }
}

/// Explores a program with the algorithm that the options name; the guide is the optimal
/// one's.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
pub fn explore<F: Frontend>(
    frontend: F,
    guide: impl Guide,
    options: &Options,
    observer: &mut impl Observer<F>,
) -> Result<(Stopped, Progress), Fault> {
    if options.algorithm != Algorithm::Optimal {
        return classic::explore(frontend, options, observer);
    }
    let mut explorer = Explorer::new(frontend, guide, options.clone());
    let stopped = explorer.run(observer)?;
    explorer.behaviours.frontend.late_fault()?;
    Ok((stopped, explorer.progress()))
}

/// Asks the observer now and then.
trait ProgressDue<F: Frontend> {
    fn progress_due<G: Guide>(&mut self, explorer: &mut Explorer<F, G>) -> ControlFlow<()>;
}

impl<F: Frontend, O: Observer<F>> ProgressDue<F> for O {
    #[inline]
    fn progress_due<G: Guide>(&mut self, explorer: &mut Explorer<F, G>) -> ControlFlow<()> {
        let done = explorer.progress.transitions + explorer.progress.repeated;
        if done < explorer.next_report {
            return ControlFlow::Continue(());
        }
        explorer.next_report = done + PROGRESS_EVERY;
        self.progress(&explorer.progress())
    }
}
