//! Every trace once, in any order.
//!
//! The frontier holds the beginnings of executions, each as the steps in which it differs
//! from its parent. Taking one means undoing and doing steps of the one current graph until
//! it is that beginning, then going on to its end and putting away every other choice met on
//! the way. Nothing is remembered of what has been explored.

use crate::algorithm::Algorithm;
use crate::behaviour::Behaviours;
use crate::candidates::Candidates;
use crate::choose::{next, sort};
use crate::classic;
use crate::cut::Everything;
use crate::direct::{Place, Value, Valuer};
use crate::frontend::{Fault, Frontend};
use crate::frontier::{Frontier, Item, Segment};
use crate::graph::{Entry, Graph, Pick, Slot};
use crate::guide::Guide;
use crate::ids::Pid;
use crate::observe::{Beginning, Observer, PROGRESS_EVERY, Progress, Stopped, ended};
use crate::options::Options;
use crate::sample::sample;
use crate::strategy::Strategy;
use crate::turns::Turns;
use crate::variant::{Variant, Variants};
use crate::view::Execution;
use smallvec::{SmallVec, smallvec};
use std::ops::ControlFlow;
use std::rc::Rc;

/// Explores one program.
pub struct Explorer<F: Frontend, G: Guide> {
    pub(crate) behaviours: Behaviours<F>,
    pub(crate) graph: Graph,
    guide: G,
    options: Options,
    turns: Turns,
    candidates: Candidates,
    /// Lends its memory.
    keyed: Vec<(u64, Pick)>,
    variants: Variants,
    frontier: Frontier,
    valuer: Valuer,
    /// How much of all there is the current graph leads to, if every choice leads to as much.
    share: f64,
    /// The segments that the current path is made of.
    spine: Vec<Rc<Segment>>,
    /// How much of the current path its segments describe.
    frozen: usize,
    /// How many beginnings were taken up.
    taken: u64,
    /// How many steps of the current path were there before the last of them had a new one.
    begun: usize,
    /// Empty between two calls of `go_to`; kept for its memory.
    chain: Vec<Rc<Segment>>,
    struck: Vec<Pid>,
    /// Every execution explored begins with these steps, which nothing drops.
    beginning: Vec<Entry>,
    progress: Progress,
    next_report: u64,
    /// The observer said stop in the middle of an execution.
    midway: bool,
}

/// How close an execution came to an error, from 0 to 1: the larger of `1 / (1 + d)`, where `d` is the
/// least distance reported after the first `begun` steps, and the fraction of its processes that have
/// not ended.
fn closeness<F: Frontend>(graph: &Graph, behaviours: &Behaviours<F>, begun: usize) -> f64 {
    let distances = graph.path()[begun..].iter().filter_map(|placed| {
        let step = &graph.process(placed.slot).steps[placed.index as usize];
        behaviours.distance(step.node)
    });
    let near = distances
        .min()
        .map_or(0.0, |steps| 1.0 / (1.0 + f64::from(steps)));
    let slots = 0..graph.processes().len() as Slot;
    let (mut all, mut stuck) = (0.0, 0.0);
    for slot in slots.filter(|&slot| !graph.process(slot).is_object) {
        all += 1.0;
        stuck += f64::from(u8::from(!graph.has_ended(slot)));
    }
    f64::max(near, stuck / f64::max(all, 1.0))
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
        let behaviours = Behaviours::new(frontend, &options);
        Explorer::from_beginning(behaviours, guide, options, &[], Vec::new())
    }

    /// An exploration of all that follows from a beginning, in which these processes look for
    /// signals.
    pub(crate) fn from_beginning(
        behaviours: Behaviours<F>,
        guide: G,
        options: Options,
        struck: &[Pid],
        beginning: Vec<Entry>,
    ) -> Self {
        Explorer {
            behaviours,
            graph: Graph::new(options.delivery, options.timeouts),
            guide,
            turns: Turns::default(),
            candidates: Candidates::default(),
            keyed: Vec::new(),
            variants: Variants::default(),
            frontier: Frontier::new(&options),
            valuer: Valuer::new(options.direction.at(Place::Frontier)),
            share: 1.0,
            options,
            spine: Vec::new(),
            frozen: 0,
            taken: 0,
            begun: 0,
            chain: Vec::new(),
            struck: struck.to_vec(),
            beginning,
            progress: Progress::default(),
            next_report: PROGRESS_EVERY,
            midway: false,
        }
    }

    /// What it knows about the program: its behaviour, and which processes look for signals.
    pub(crate) fn into_parts(self) -> (Behaviours<F>, Vec<Pid>) {
        (self.behaviours, self.struck)
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
        self.go_on(observer)
    }

    /// Explores on after the observer has said stop.
    ///
    /// # Errors
    /// The program uses something that is not modelled, or is not deterministic.
    pub fn go_on(&mut self, observer: &mut impl Observer<F>) -> Result<Stopped, Fault> {
        loop {
            if !std::mem::take(&mut self.midway) && !self.take_up_next(observer)? {
                return Ok(self.stopped_by(Stopped::Complete));
            }
            match self.advance(observer)? {
                Some(Reached::Branches) => {}
                Some(Reached::Unforeseen(pid)) => {
                    self.struck.push(pid);
                    observer.restart();
                    if !self.beginning.is_empty() {
                        // One who looks does more steps, so this is no beginning any more.
                        return Ok(Stopped::Observer);
                    }
                    self.begin();
                }
                Some(reached @ (Reached::End | Reached::DepthBound)) => {
                    let cut_short = matches!(reached, Reached::DepthBound);
                    self.progress.share += self.share;
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
                    let flow = observer.execution(&execution);
                    self.behaviours.check()?;
                    if flow == ControlFlow::Break(()) {
                        return Ok(self.stopped_by(Stopped::Observer));
                    }
                    let seen = self.progress.seen();
                    if self.options.max_executions.is_some_and(|max| seen >= max) {
                        return Ok(self.stopped_by(Stopped::ExecutionBound));
                    }
                }
                None => {
                    self.midway = true;
                    return Ok(Stopped::Observer);
                }
            }
        }
    }

    /// Makes the next beginning of the frontier the current graph, if there is one.
    fn take_up_next(&mut self, observer: &mut impl Observer<F>) -> Result<bool, Fault> {
        let Explorer {
            graph,
            behaviours,
            frontier,
            valuer,
            ..
        } = self;
        let learn = |valuer: &mut Valuer| {
            let new = valuer.meet(graph, behaviours, self.begun);
            (new + closeness(graph, behaviours, self.begun)) / 2.0
        };
        let Some(item) = frontier.pop(valuer, learn) else {
            return Ok(false);
        };
        self.graph.make_room(&mut self.behaviours);
        self.share = item.share;
        let is_new_step = !item.entries.is_empty();
        let from = item.from.checked_sub(1);
        self.go_to(item)?;
        self.taken += 1;
        observer.beginning(&Beginning {
            from,
            execution: Execution {
                graph: &self.graph,
                behaviours: &self.behaviours,
                cut_short: false,
            },
        });
        self.begun = self.graph.path().len() - usize::from(is_new_step);
        if is_new_step {
            self.progress.transitions += 1;
            self.progress.repeated -= 1;
            self.vary()?;
        }
        Ok(true)
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
        self.taken = 0;
        self.begun = 0;
        self.frontier = Frontier::new(&self.options);
        self.valuer = Valuer::new(self.options.direction.at(Place::Frontier));
        let root = Item {
            parent: Segment::root(),
            start: 0,
            entries: SmallVec::from_slice(&self.beginning),
            share: 1.0,
            from: 0,
        };
        self.frontier.push(root, |_| Default::default());
        self.progress = Progress::default();
        self.next_report = PROGRESS_EVERY;
        self.midway = false;
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
        self.valuer.truncate(common);
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
            self.list_candidates(slot)?;
            if !self.candidates.ruled_out.is_empty() {
                self.vary_ruled_out(slot)?;
            }
            match self.candidates.picks[..] {
                [] => unreachable!("an enabled process has a candidate"),
                [only] if !self.options.strategy.has_threshold() => self.step(slot, only)?,
                [..] => {
                    self.freeze();
                    self.share /= self.candidates.picks.len() as f64;
                    match self.branch(slot) {
                        Some(entry) => self.step_by(entry)?,
                        None => return Ok(Some(Reached::Branches)),
                    }
                }
            }
        }
    }

    /// The process that goes next, if the graph is not complete, and whether that is only because
    /// nothing can move.
    fn next(&mut self) -> Option<(Slot, bool)> {
        let Explorer {
            graph,
            behaviours,
            guide,
            turns,
            ..
        } = self;
        match turns.next(graph, behaviours, guide) {
            Some(slot) => Some((slot, false)),
            None => next(graph, behaviours, &*guide, graph.next_due()).map(|slot| (slot, true)),
        }
    }

    /// The candidates of a process, the preferred one first.
    fn list_candidates(&mut self, slot: Slot) -> Result<(), Fault> {
        let Explorer {
            graph,
            behaviours,
            candidates,
            keyed,
            guide,
            ..
        } = self;
        let index = graph.process(slot).steps.len();
        candidates.list(graph, behaviours, &Everything, slot, index)?;
        let picks = &mut candidates.picks;
        if picks.len() > 1 {
            sort(graph, behaviours, guide, (slot, index), picks, keyed);
        }
        Ok(())
    }

    fn step(&mut self, slot: Slot, pick: Pick) -> Result<(), Fault> {
        self.step_by(self.entry(slot, pick))
    }

    fn step_by(&mut self, entry: Entry) -> Result<(), Fault> {
        self.graph.apply(&mut self.behaviours, entry)?;
        self.progress.transitions += 1;
        self.progress.starts += u64::from(entry.pick == Pick::Start);
        self.vary()
    }

    /// Makes the life of a process that has ended serve its end, so that a timeout that
    /// fires when nothing can happen finds all ends known.
    fn notice_end(&mut self, process: Pid) -> Result<(), Fault> {
        let pid = self.behaviours.pids.liveness(process);
        let entry = Entry::new(pid, Pick::Start, self.graph.next_stamp());
        self.graph.apply(&mut self.behaviours, entry)?;
        self.progress.transitions += 1;
        Ok(())
    }

    fn entry(&self, slot: Slot, pick: Pick) -> Entry {
        let pid = self.graph.process(slot).pid;
        Entry::new(pid, pick, self.graph.next_stamp())
    }

    /// Pushes the candidates of a process, except the one to continue with, if any.
    fn branch(&mut self, slot: Slot) -> Option<Entry> {
        let on = match self.options.strategy {
            Strategy::Dfs => Some(0),
            Strategy::Bfs if self.frontier.is_directed() => None,
            Strategy::Bfs => Some(0),
            Strategy::Random { .. } | Strategy::Mcts { .. } => {
                Some(self.frontier.draw(self.candidates.picks.len()))
            }
            Strategy::BestFirst { .. } if !self.frontier.is_directed() => Some(0),
            Strategy::BestFirst { threshold } => self.best_candidate(slot, threshold),
        };
        for at in (0..self.candidates.picks.len()).rev() {
            if on != Some(at) {
                let entry = self.candidate(slot, at);
                self.push_candidate(slot, entry);
            }
        }
        on.map(|at| self.candidate(slot, at))
    }

    /// The step that consumes the candidate with this index.
    fn candidate(&self, slot: Slot, at: usize) -> Entry {
        Entry {
            flipped: at > 0,
            ..self.entry(slot, self.candidates.picks[at])
        }
    }

    /// The index of the candidate with the best value; none if an item of the frontier is better by
    /// more than the threshold, a percentage of that item's value (Laurent 2023, section 5.3).
    fn best_candidate(&mut self, slot: Slot, threshold: Option<u32>) -> Option<usize> {
        let mut best = (Value::MAX, 0);
        for at in 0..self.candidates.picks.len() {
            let entry = self.candidate(slot, at);
            let Explorer {
                valuer,
                graph,
                behaviours,
                ..
            } = self;
            let rank = valuer.of_branch(graph, behaviours, slot, &entry);
            best = best.min((valuer.value(&rank), at));
        }
        let (value, at) = best;
        if let Some(threshold) = threshold
            && let Some(other) = self.frontier.best(&self.valuer)
            && value > other + other.abs() * Value::from(threshold) / 100
        {
            return None;
        }
        Some(at)
    }

    fn push_candidate(&mut self, slot: Slot, entry: Entry) {
        let parent = self.spine.last().expect("the root is always there");
        let item = Item {
            parent: Rc::clone(parent),
            start: self.graph.path().len(),
            entries: smallvec![entry],
            share: self.share,
            from: self.taken,
        };
        let Explorer {
            frontier,
            valuer,
            graph,
            behaviours,
            ..
        } = self;
        frontier.push(item, |_| valuer.of_branch(graph, behaviours, slot, &entry));
    }

    /// Pushes the race variants of the last step.
    fn vary(&mut self) -> Result<(), Fault> {
        self.variants
            .of_last_step(&self.graph, &mut self.behaviours, &self.guide)?;
        if !self.variants.found.is_empty() {
            self.freeze();
            self.push_variants();
        }
        Ok(())
    }

    /// Pushes the race variants of those steps of this process that are ruled out only by steps that
    /// the variants drop.
    fn vary_ruled_out(&mut self, slot: Slot) -> Result<(), Fault> {
        self.freeze();
        for pick in std::mem::take(&mut self.candidates.ruled_out) {
            let entry = self.entry(slot, pick);
            self.graph.apply(&mut self.behaviours, entry)?;
            self.variants
                .of_ruled_out_step(&self.graph, &mut self.behaviours, &self.guide)?;
            self.graph.undo(&self.behaviours);
            self.push_variants();
        }
        Ok(())
    }

    fn push_variants(&mut self) {
        let found = std::mem::take(&mut self.variants.found);
        // Going on is one more way.
        self.share /= found.len() as f64 + 1.0;
        for Variant { keep, entries } in found {
            let Explorer {
                spine,
                frontier,
                valuer,
                graph,
                behaviours,
                ..
            } = self;
            let before = |segment: &Rc<Segment>| segment.start < keep;
            let at = spine.iter().rposition(before).unwrap_or(0);
            let item = Item {
                parent: Rc::clone(&spine[at]),
                start: keep,
                entries,
                share: self.share,
                from: self.taken,
            };
            frontier.push(item, |item| {
                valuer.of_variant(graph, behaviours, keep, &item.entries)
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

/// Explores a program with the algorithm that the options name, or samples it; the guide is the
/// optimal algorithm's.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
pub fn explore<F: Frontend>(
    frontend: F,
    guide: impl Guide,
    options: &Options,
    observer: &mut impl Observer<F>,
) -> Result<(Stopped, Progress), Fault> {
    if let Some(sampling) = options.sampling {
        return sample(frontend, &guide, options, sampling, observer);
    }
    if options.algorithm != Algorithm::Optimal {
        return classic::explore(frontend, options, observer);
    }
    let mut explorer = Explorer::new(frontend, guide, options.clone());
    let stopped = explorer.run(observer);
    let stopped = ended(stopped, observer)?;
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
