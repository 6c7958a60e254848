//! The walk through a program's executions: one graph, and the operations that change it.
//!
//! Everything that runs a program does it through a [`World`]: the explorer, the samplers, the
//! driver, and algorithms that are explored beside the default one. A world owns the current
//! execution graph, the behaviour trees of the program's processes, the options, and the set of
//! interruptible processes. It makes and undoes steps; its user decides which.
//!
//! This module is public for algorithms that are explored beside the default one, such as those of
//! `mazurka-lab`. They read the current [`Graph`], list [`Candidates`] in it or in a part of it (a
//! [`Cut`]), and make the steps that they choose. Nothing else of the engine is open to them.

pub use crate::behaviour::{Ending, Wait};
pub use crate::bits::Bits;
pub use crate::candidates::Candidates;
pub use crate::cut::{Cut, Everything};
pub use crate::graph::{
    Cursor, Entry, Graph, Message, NONE, Pick, Placed, Process, Read, Slot, Step,
};

use crate::behaviour::Behaviours;
use crate::choose::next;
use crate::frontend::{Fault, Frontend};
use crate::guide::Guide;
use crate::ids::{ObjectKey, PidId, PidKind, ValueId};
use crate::options::Options;
use crate::turns::Turns;
use crate::view::Execution;

/// A program and its current execution.
pub struct World<F: Frontend> {
    pub(crate) behaviours: Behaviours<F>,
    pub(crate) graph: Graph,
    pub(crate) options: Options,
    /// Steps made so far. A step that is made again counts again.
    pub(crate) steps: u64,
    /// Processes that check for signals.
    interruptible: Vec<PidId>,
    liveness: Liveness,
    every_action: bool,
}

/// When the liveness object of a process is created.
enum Liveness {
    /// With the first operation on it.
    OnDemand,
    /// For these processes, together with the process. A first operation on that of another process
    /// is missed, as a signal to a process that is not interruptible is.
    FromTheStart(Vec<PidId>),
}

impl<F: Frontend> World<F> {
    /// A world in which no step has been made.
    pub fn new(frontend: F, options: &Options) -> Self {
        let mut world = World {
            behaviours: Behaviours::new(frontend, options),
            graph: Graph::new(options.delivery, options.timeouts),
            options: options.clone(),
            steps: 0,
            interruptible: Vec::new(),
            liveness: Liveness::OnDemand,
            every_action: false,
        };
        world.graph.begin(&mut world.behaviours);
        world
    }

    /// Makes liveness objects exist from the start of their processes, so that operations on them
    /// depend only on what happens to that object. Starts over.
    #[must_use]
    pub fn with_liveness_from_the_start(mut self) -> Self {
        self.liveness = Liveness::FromTheStart(Vec::new());
        self.restart();
        self
    }

    /// Ends a step before each action, not only at the next demand. Starts over.
    #[must_use]
    pub fn with_steps_of_one_action(mut self) -> Self {
        self.every_action = true;
        self.restart();
        self
    }

    /// Undoes all steps, to walk through the explorer's tree or in another way.
    pub(crate) fn begin_walk(&mut self, silent_checks_first: bool) {
        self.truncate(0);
        self.graph.silent_checks_first = silent_checks_first;
    }

    /// Starts over from the empty execution. A process that has missed a signal in the current one
    /// is interruptible from now on.
    pub fn restart(&mut self) {
        self.interruptible.extend(self.graph.missed_signal);
        if let Liveness::FromTheStart(processes) = &mut self.liveness {
            processes.extend(self.graph.missed_liveness);
        }
        let silent_checks_first = self.graph.silent_checks_first;
        self.graph = Graph::new(self.options.delivery, self.options.timeouts);
        self.graph.silent_checks_first = silent_checks_first;
        self.graph.action_by_action = self.every_action;
        for &pid in &self.interruptible {
            self.graph.set_interruptible(pid);
        }
        if let Liveness::FromTheStart(processes) = &self.liveness {
            for &pid in processes {
                self.graph.add_liveness_at_start(pid);
            }
        }
        self.graph.begin(&mut self.behaviours);
    }

    /// Starts over with a fresh copy of the front-end, because of [`Fault::Again`].
    pub(crate) fn start_over_with_what_was_learned(&mut self) {
        let frontend = self.behaviours.frontend.fresh_copy();
        self.behaviours = Behaviours::new(frontend, &self.options);
        self.interruptible.clear();
        self.liveness = match self.liveness {
            Liveness::OnDemand => Liveness::OnDemand,
            Liveness::FromTheStart(_) => Liveness::FromTheStart(Vec::new()),
        };
        self.graph.missed_signal = None;
        self.graph.missed_liveness = None;
        self.restart();
    }

    /// Numbers processes and their liveness objects in this order, each given by its path in the
    /// spawn tree, as if they had been discovered in this order. Nothing may depend on it.
    pub fn number(&mut self, paths: &[Vec<u32>]) {
        let pids = &mut self.behaviours.pids;
        for path in paths {
            let process = pids.process(path);
            pids.liveness(process);
        }
    }

    /// Whether the last step sent a signal to a process that is not interruptible. Then the current
    /// execution has too few steps, and the walk must [restart](World::restart).
    #[inline]
    #[must_use]
    pub fn has_missed(&self) -> bool {
        let liveness = match self.liveness {
            Liveness::OnDemand => false,
            Liveness::FromTheStart(_) => self.graph.missed_liveness.is_some(),
        };
        self.graph.missed_signal.is_some() || liveness
    }

    /// Makes a step that is not part of any path yet.
    #[inline]
    pub(crate) fn step(&mut self, slot: Slot, pick: Pick) -> Result<(), Fault> {
        self.apply(self.entry(slot, pick))
    }

    /// The step in which a process consumes this next.
    #[inline]
    pub(crate) fn entry(&self, slot: Slot, pick: Pick) -> Entry {
        let pid = self.graph.process(slot).pid;
        Entry::new(pid, pick, self.graph.next_stamp())
    }

    /// Makes a step as a path describes it.
    ///
    /// # Errors
    /// The program uses something that is not modelled, or is not deterministic.
    #[inline]
    pub fn apply(&mut self, entry: Entry) -> Result<(), Fault> {
        self.steps += 1;
        self.graph.apply(&mut self.behaviours, entry)
    }

    /// Makes a step, calls `look`, and undoes the step, which is not counted in `steps`.
    pub(crate) fn peek(
        &mut self,
        slot: Slot,
        pick: Pick,
        look: impl FnOnce(&Graph, &mut Behaviours<F>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let entry = self.entry(slot, pick);
        self.graph.apply(&mut self.behaviours, entry)?;
        let looked = look(&self.graph, &mut self.behaviours);
        self.undo();
        looked
    }

    /// Undoes the last step.
    #[inline]
    pub fn undo(&mut self) {
        self.graph.undo(&self.behaviours);
    }

    /// Undoes steps until only this many are left.
    pub fn truncate(&mut self, steps: usize) {
        while self.graph.path().len() > steps {
            self.undo();
        }
    }

    /// Drops behaviour nodes that the current graph does not use, if they take too much memory.
    pub fn evict(&mut self) {
        self.graph.evict(&mut self.behaviours);
    }

    /// A process that has ended without publishing it, and its liveness object.
    pub fn unpublished_end(&mut self) -> Option<(PidId, PidId)> {
        let process = self.graph.unpublished_ends().next()?;
        Some((process, self.liveness_of(process)))
    }

    /// Whether a process has ended without publishing it.
    pub(crate) fn has_unpublished_end(&self) -> bool {
        self.graph.unpublished_ends().next().is_some()
    }

    /// Makes one process publish its end. A timeout that fires because nothing else can happen must
    /// find all ends published. False if all of them are.
    pub(crate) fn publish_end(&mut self) -> Result<bool, Fault> {
        let Some((_, liveness)) = self.unpublished_end() else {
            return Ok(false);
        };
        let stamp = self.graph.next_stamp();
        self.apply(Entry::new(liveness, Pick::Start, stamp))?;
        Ok(true)
    }

    /// The pid of a process's liveness object, whether it exists in the current graph or not.
    pub(crate) fn liveness_of(&mut self, process: PidId) -> PidId {
        self.behaviours.pids.liveness(process)
    }

    /// The process that goes next, or nothing if the execution is complete.
    pub(crate) fn next(&mut self, turns: &mut Turns, guide: &impl Guide) -> Option<Next> {
        let silent = self.graph.at_silent_check(&mut self.behaviours);
        if let Some(slot) = silent {
            return Some(Next::Demand(slot));
        }
        let (graph, behaviours) = (&mut self.graph, &self.behaviours);
        match turns.next(graph, behaviours, guide) {
            Some(slot) => Some(Next::Demand(slot)),
            None => {
                let due = graph.next_due();
                next(graph, behaviours, guide, due.iter().copied()).map(Next::QuietTimeout)
            }
        }
    }

    /// Lists what may answer the current demand of a process.
    ///
    /// # Errors
    /// A message could not be matched.
    #[inline]
    pub fn list(&mut self, slot: Slot, candidates: &mut Candidates) -> Result<(), Fault> {
        let index = self.graph.process(slot).steps.len();
        self.list_in(&Everything, (slot, index), candidates);
        self.check()
    }

    /// Lists what may answer the demand of a process before one of its steps, in a part of the
    /// graph that has all its steps before that one and none after it. If a message could not be
    /// matched, the list is wrong, and [`check`](World::check) returns the reason.
    #[inline]
    pub fn list_in(
        &mut self,
        cut: &impl Cut,
        (slot, index): (Slot, usize),
        candidates: &mut Candidates,
    ) {
        candidates.list_unchecked(&self.graph, &mut self.behaviours, cut, slot, index);
    }

    /// Whether the execution has as many steps, or more processes, than the options allow.
    #[inline]
    #[must_use]
    pub fn is_cut(&self) -> bool {
        let max_depth = self.options.max_depth;
        max_depth.is_some_and(|max| self.graph.path().len() >= max) || self.is_crowded()
    }

    /// Whether it has more processes than the options allow.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        let max_processes = self.options.max_processes;
        max_processes.is_some_and(|max| self.graph.processes().len() > max)
    }

    /// The current execution graph.
    #[inline]
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The state of a process before one of its steps; nothing if it has not started.
    #[must_use]
    pub fn cursor(&self, slot: Slot, index: usize) -> Option<Cursor> {
        self.graph.cursor(&self.behaviours, slot, index)
    }

    /// Whether a process in this state consumes a message of this value.
    pub fn wants(&mut self, cursor: &Cursor, value: ValueId) -> bool {
        Graph::wants(&mut self.behaviours, cursor, value)
    }

    /// Whether a process is in the middle of an operation that takes several reads.
    #[must_use]
    pub fn is_reading_on(&self, slot: Slot) -> bool {
        let last = self.graph.process(slot).steps.last();
        last.is_some_and(|step| self.behaviours.node(step.node).is_reading_on())
    }

    /// Whether the next input of a process or object is the liveness of a process.
    #[must_use]
    pub fn reads_liveness_next(&self, slot: Slot) -> bool {
        let last = self.graph.process(slot).steps.last();
        last.is_some_and(|step| match step.wait {
            Wait::Read { object } => {
                let kind = self.behaviours.pids.kind(object);
                matches!(kind, PidKind::Object(ObjectKey::Liveness(_)))
            }
            _ => false,
        })
    }

    /// Whether a pid is that of a shared object.
    #[must_use]
    pub fn is_object(&self, pid: PidId) -> bool {
        self.behaviours.pids.is_object(pid)
    }

    /// Number of behaviour nodes made, by running user code or an object.
    #[must_use]
    pub fn behaviour_nodes(&self) -> u64 {
        self.behaviours.made
    }

    /// The options of the walk.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The current graph, as an observer sees it.
    #[must_use]
    pub fn execution(&self, cut_short: bool) -> Execution<'_, F> {
        Execution {
            graph: &self.graph,
            behaviours: &self.behaviours,
            cut_short,
        }
    }

    /// Whether all messages could be matched so far.
    ///
    /// # Errors
    /// A message could not be matched: the program uses something that is not modelled, or is not
    /// deterministic.
    #[inline]
    pub fn check(&self) -> Result<(), Fault> {
        self.behaviours.check()
    }
}

/// Which process goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// This one, whose demand has a candidate.
    Demand(Slot),
    /// Nothing can happen, so a timeout of this one fires, once all ends are published.
    QuietTimeout(Slot),
}
