//! The one graph on which samples and dives are made.

use crate::behaviour::Behaviours;
use crate::frontend::{Fault, Frontend};
use crate::graph::{Entry, Graph, Pick, Slot};
use crate::ids::Pid;
use crate::options::Options;
use crate::view::Execution;

/// A graph, and how to begin again.
pub(super) struct Ground<F: Frontend> {
    pub behaviours: Behaviours<F>,
    pub graph: Graph,
    pub options: Options,
    /// Steps made, again or for the first time.
    pub steps: u64,
    struck: Vec<Pid>,
}

impl<F: Frontend> Ground<F> {
    pub(super) fn new(frontend: F, options: &Options) -> Self {
        let mut ground = Ground {
            behaviours: Behaviours::new(frontend, options),
            graph: Graph::new(options.delivery, options.timeouts),
            options: options.clone(),
            steps: 0,
            struck: Vec::new(),
        };
        ground.graph.begin(&mut ground.behaviours);
        ground
    }

    /// Back to the beginning.
    pub(super) fn rewind(&mut self) {
        self.back_to(0);
        self.make_room();
    }

    /// Drops behaviour nodes that the current graph does not hold, if there are too many.
    pub(super) fn make_room(&mut self) {
        self.graph.make_room(&mut self.behaviours);
    }

    /// Back to the first `steps` steps.
    pub(super) fn back_to(&mut self, steps: usize) {
        while self.graph.path().len() > steps {
            self.graph.undo(&self.behaviours);
        }
    }

    /// Whether a signal was sent to a process that does not look for any. From now on it does,
    /// and everything is back at the beginning.
    pub(super) fn is_surprised(&mut self) -> bool {
        let Some(pid) = self.graph.unforeseen else {
            return false;
        };
        self.struck.push(pid);
        self.graph = Graph::new(self.options.delivery, self.options.timeouts);
        for &pid in &self.struck {
            self.graph.foresee(pid);
        }
        self.graph.begin(&mut self.behaviours);
        true
    }

    /// Whether the execution is as long as it may be.
    pub(super) fn is_cut(&self) -> bool {
        self.options.cuts(&self.graph)
    }

    /// The current graph, as an observer sees it.
    pub(super) fn execution(&self, cut_short: bool) -> Execution<'_, F> {
        Execution {
            graph: &self.graph,
            behaviours: &self.behaviours,
            cut_short,
        }
    }

    /// Makes a step that nothing is special about.
    pub(super) fn step(&mut self, slot: Slot, pick: Pick) -> Result<(), Fault> {
        let pid = self.graph.process(slot).pid;
        self.apply(Entry::new(pid, pick, self.graph.next_stamp()))
    }

    /// Makes a step as it stands in a path.
    pub(super) fn apply(&mut self, entry: Entry) -> Result<(), Fault> {
        self.steps += 1;
        self.graph.apply(&mut self.behaviours, entry)
    }

    /// Before a timeout fires because nothing else can happen all ends are known: makes the life
    /// of a process that has ended hear of it. False if all of them have.
    pub(super) fn notice_an_end(&mut self) -> Result<bool, Fault> {
        let unnoticed = self.graph.unnoticed_ends().next();
        let Some(process) = unnoticed else {
            return Ok(false);
        };
        let life = self.behaviours.pids.liveness(process);
        let stamp = self.graph.next_stamp();
        self.apply(Entry::new(life, Pick::Start, stamp))?;
        Ok(true)
    }
}
