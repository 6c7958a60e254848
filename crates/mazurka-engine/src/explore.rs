//! The optimal algorithm: every trace once, in any order.
//!
//! The frontier holds prefixes of executions, each as the steps in which it differs from its
//! parent. To explore one, the explorer undoes and makes steps of its one graph until that is the
//! prefix, continues to the end of an execution, and pushes every other choice that it meets on
//! the way. It keeps no record of what it has explored.

use crate::candidates::Candidates;
use crate::choose::{demand_of, sort};
use crate::direct::{Place, Value, Valuer};
use crate::frontend::{Fault, Frontend};
use crate::frontier::{Frontier, Item, Segment};
use crate::graph::{Entry, Pick, Slot};
use crate::guide::Guide;
use crate::observe::{Observer, Pace, Prefix, Progress, Stopped, ended};
use crate::options::Options;
use crate::portable::{AdoptError, PortableItem, PortableStep, adopt};
use crate::sample::sample;
use crate::spine::{self, Spine};
use crate::strategy::Strategy;
use crate::turns::Turns;
use crate::variant::{Variant, Variants};
use crate::world::{Next, World};
use smallvec::{SmallVec, smallvec};
use std::ops::ControlFlow;
use std::rc::Rc;

/// Explores one program.
pub struct Explorer<F: Frontend, G: Guide> {
    world: World<F>,
    guide: G,
    turns: Turns,
    candidates: Candidates,
    /// Scratch buffer, reused between demands.
    keyed: Vec<(u64, Pick)>,
    variants: Variants,
    frontier: Frontier,
    valuer: Valuer,
    /// Estimated fraction of all executions that continue the current graph, assuming equal
    /// subtrees.
    fraction: f64,
    spine: Spine,
    /// Number of items popped from the frontier.
    popped: u64,
    /// Number of steps of the current path that are not new since the last pop.
    old_steps: usize,
    /// Every execution explored starts with these steps, which no variant drops.
    prefix: Vec<Entry>,
    progress: Progress,
    pace: Pace,
    /// The observer stopped the exploration in the middle of an execution.
    midway: bool,
}

/// How close an execution came to an error, from 0 to 1: the larger of `1 / (1 + d)`, where `d` is the
/// least distance reported after the first `old_steps` steps, and the fraction of its processes that
/// have not ended.
fn closeness<F: Frontend>(world: &World<F>, old_steps: usize) -> f64 {
    let graph = &world.graph;
    let distances = graph.path()[old_steps..].iter().filter_map(|placed| {
        let step = &graph.process(placed.slot).steps[placed.index as usize];
        world.behaviours.distance(step.node)
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

/// How far a prefix was continued.
enum Reached {
    End,
    DepthBound,
    /// The frontier has all the ways to continue.
    Branches,
    /// The observer wants to stop.
    Stopped,
}

impl<F: Frontend, G: Guide> Explorer<F, G> {
    /// An exploration of `frontend`'s program that has not started.
    pub fn new(frontend: F, guide: G, options: Options) -> Self {
        Explorer::from_prefix(World::new(frontend, &options), guide, Vec::new())
    }

    /// An exploration of all executions that start with a prefix.
    pub(crate) fn from_prefix(mut world: World<F>, guide: G, prefix: Vec<Entry>) -> Self {
        world.begin_walk(true);
        Explorer {
            guide,
            turns: Turns::default(),
            candidates: Candidates::default(),
            keyed: Vec::new(),
            variants: Variants::default(),
            frontier: Frontier::new(&world.options),
            valuer: Valuer::new(world.options.direction.at(Place::Frontier)),
            fraction: 1.0,
            spine: Spine::default(),
            popped: 0,
            old_steps: 0,
            prefix,
            progress: Progress::default(),
            pace: Pace::default(),
            midway: false,
            world,
        }
    }

    /// An exploration that has nothing to explore yet, in a world that was used before.
    pub fn idle(world: World<F>, guide: G) -> Self {
        let mut explorer = Explorer::from_prefix(world, guide, Vec::new());
        explorer.clear();
        explorer
    }

    /// Adds an item that another explorer of the same program has given away.
    ///
    /// # Errors
    /// The item belongs to another program, or the program is not deterministic.
    pub fn adopt(&mut self, item: &PortableItem) -> Result<(), AdoptError> {
        assert!(!self.midway, "called between executions");
        let entries = adopt(item, &mut self.world)?;
        self.spine.clear();
        self.old_steps = self.world.graph.path().len();
        let item = Item {
            parent: Segment::root(),
            start: 0,
            entries: SmallVec::from_vec(entries),
            share: item.fraction,
            from: 0,
            is_varied: !item.with_variants,
        };
        self.frontier.push(item, |_| Default::default());
        Ok(())
    }

    /// Gives away up to this many items of the frontier, the oldest or best ones.
    pub fn give_away(&mut self, at_most: usize) -> Vec<PortableItem> {
        let taken = self.frontier.take(at_most, &self.valuer);
        let items = taken.iter().map(|item| {
            let with_variants = !item.is_varied;
            self.portable(item.path(), with_variants, item.share)
        });
        items.collect()
    }

    /// Gives away everything that is left to explore, the execution that was interrupted included.
    pub fn give_all_away(&mut self) -> Vec<PortableItem> {
        let mut items = self.give_away(usize::MAX);
        if std::mem::take(&mut self.midway) {
            let path = self.world.graph.path().iter().map(|placed| placed.entry);
            items.push(self.portable(path.collect(), false, self.fraction));
        }
        items
    }

    fn portable(&self, path: Vec<Entry>, with_variants: bool, fraction: f64) -> PortableItem {
        let pids = &self.world.behaviours.pids;
        PortableItem {
            version: PortableItem::VERSION,
            steps: { path.iter() }
                .map(|entry| PortableStep::new(entry, pids))
                .collect(),
            with_variants,
            fraction,
        }
    }

    /// The world, with its behaviour trees and its interruptible processes.
    pub(crate) fn into_world(self) -> World<F> {
        self.world
    }
    /// Its progress.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            behaviour_nodes: self.world.behaviours.made,
            frontier: self.frontier.len(),
            depth: self.world.graph.path().len(),
            ..self.progress
        }
    }

    /// Explores until everything is explored or the observer stops it.
    ///
    /// # Errors
    /// The program uses something that is not modelled, or is not deterministic.
    pub fn run(&mut self, observer: &mut impl Observer<F>) -> Result<Stopped, Fault> {
        self.begin();
        self.go_on(observer)
    }

    /// Continues after the observer has stopped the exploration.
    ///
    /// # Errors
    /// The program uses something that is not modelled, or is not deterministic.
    pub fn go_on(&mut self, observer: &mut impl Observer<F>) -> Result<Stopped, Fault> {
        loop {
            match self.go_on_until_something_is_learned(observer) {
                // A prefix was made by the program as it was known before.
                Err(Fault::Again) if self.prefix.is_empty() => {
                    self.world.start_over_with_what_was_learned();
                    self.world.begin_walk(true);
                    self.begin();
                    observer.restart();
                }
                stopped => return stopped,
            }
        }
    }

    fn go_on_until_something_is_learned(
        &mut self,
        observer: &mut impl Observer<F>,
    ) -> Result<Stopped, Fault> {
        loop {
            if !std::mem::take(&mut self.midway) && !self.pop(observer)? {
                return Ok(self.stopped_by(Stopped::Complete));
            }
            match self.advance(observer)? {
                Reached::Branches => {}
                reached @ (Reached::End | Reached::DepthBound) => {
                    let cut_short = matches!(reached, Reached::DepthBound);
                    self.progress.fraction += self.fraction;
                    self.progress.count_execution(&self.world, cut_short);
                    let execution = self.world.execution(cut_short);
                    let flow = observer.execution(&execution);
                    self.world.behaviours.check()?;
                    if flow == ControlFlow::Break(()) {
                        return Ok(self.stopped_by(Stopped::Observer));
                    }
                    let seen = self.progress.seen();
                    let max_executions = self.world.options.max_executions;
                    if max_executions.is_some_and(|max| seen >= max) {
                        return Ok(self.stopped_by(Stopped::ExecutionBound));
                    }
                }
                Reached::Stopped => {
                    self.midway = true;
                    return Ok(Stopped::Observer);
                }
            }
        }
    }

    /// Pops an item from the frontier and makes its prefix the current graph. False if there is
    /// none.
    fn pop(&mut self, observer: &mut impl Observer<F>) -> Result<bool, Fault> {
        let (world, old_steps) = (&self.world, self.old_steps);
        let learn = |valuer: &mut Valuer| {
            let new = valuer.meet(&world.graph, &world.behaviours, old_steps);
            (new + closeness(world, old_steps)) / 2.0
        };
        let Some(item) = self.frontier.pop(&mut self.valuer, learn) else {
            return Ok(false);
        };
        self.world.evict();
        self.fraction = item.share;
        let spine::Reached { common, repeated } = self.spine.go_to(&mut self.world, &item)?;
        self.valuer.truncate(common);
        self.progress.repeated += repeated + item.entries.len() as u64;
        self.popped += 1;
        observer.prefix(&Prefix {
            from: item.from.checked_sub(1),
            execution: self.world.execution(false),
        });
        let has_new_step = !item.is_varied;
        self.old_steps = self.world.graph.path().len() - usize::from(has_new_step);
        if has_new_step {
            self.progress.transitions += 1;
            self.progress.repeated -= 1;
            self.vary()?;
        }
        Ok(true)
    }

    /// The reason for a stop, unless nothing was left to explore anyway.
    fn stopped_by(&self, reason: Stopped) -> Stopped {
        match (self.frontier.len(), self.progress.cut_short) {
            (0, 0) => Stopped::Complete,
            (0, _) => Stopped::DepthBound,
            _ => reason,
        }
    }

    fn begin(&mut self) {
        self.clear();
        let root = Item {
            parent: Segment::root(),
            start: 0,
            is_varied: self.prefix.is_empty(),
            entries: SmallVec::from_slice(&self.prefix),
            share: 1.0,
            from: 0,
        };
        self.frontier.push(root, |_| Default::default());
    }

    /// Nothing is explored, and nothing is left to explore.
    fn clear(&mut self) {
        self.world.restart();
        self.spine.clear();
        self.popped = 0;
        self.old_steps = 0;
        self.frontier = Frontier::new(&self.world.options);
        self.valuer = Valuer::new(self.world.options.direction.at(Place::Frontier));
        self.progress = Progress::default();
        self.pace = Pace::default();
        self.midway = false;
    }

    /// Continues the current graph: to its end, or to where the frontier must decide.
    fn advance(&mut self, observer: &mut impl Observer<F>) -> Result<Reached, Fault> {
        loop {
            let steps = self.progress.transitions + self.progress.repeated;
            if self.pace.is_due(steps) && observer.progress(&self.progress()).is_break() {
                return Ok(Reached::Stopped);
            }
            let Some(next) = self.world.next(&mut self.turns, &self.guide) else {
                return Ok(Reached::End);
            };
            if self.world.is_cut() {
                return Ok(Reached::DepthBound);
            }
            let slot = match next {
                Next::Demand(slot) => slot,
                Next::QuietTimeout(slot) => {
                    match self.world.publish_end()? {
                        // No receive could have consumed it earlier, so it has no variants.
                        true => self.progress.transitions += 1,
                        false => self.step(slot, Pick::QuietTimeout)?,
                    }
                    continue;
                }
            };
            self.list_candidates(slot)?;
            if !self.candidates.ruled_out.is_empty() {
                self.vary_ruled_out(slot)?;
            }
            match self.candidates.picks[..] {
                [] => unreachable!("an enabled process has a candidate"),
                [only] if !self.world.options.strategy.has_threshold() => self.step(slot, only)?,
                [..] => {
                    self.spine.extend(&self.world.graph);
                    self.fraction /= self.candidates.picks.len() as f64;
                    match self.branch(slot) {
                        Some(entry) => self.step_by(entry)?,
                        None => return Ok(Reached::Branches),
                    }
                }
            }
        }
    }

    /// Lists the candidates of a process, the preferred one first.
    fn list_candidates(&mut self, slot: Slot) -> Result<(), Fault> {
        self.world.list(slot, &mut self.candidates)?;
        let picks = &mut self.candidates.picks;
        if picks.len() > 1 {
            let World {
                graph, behaviours, ..
            } = &mut self.world;
            let demand = demand_of(graph, slot);
            sort(
                graph,
                behaviours,
                &self.guide,
                demand,
                picks,
                &mut self.keyed,
            );
        }
        Ok(())
    }

    fn step(&mut self, slot: Slot, pick: Pick) -> Result<(), Fault> {
        self.step_by(self.world.entry(slot, pick))
    }

    fn step_by(&mut self, entry: Entry) -> Result<(), Fault> {
        self.world.apply(entry)?;
        self.progress.transitions += 1;
        self.progress.starts += u64::from(entry.pick == Pick::Start);
        self.vary()
    }

    /// Pushes the candidates of a process, except for the one to continue with, if any.
    fn branch(&mut self, slot: Slot) -> Option<Entry> {
        let on = match self.world.options.strategy {
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
            ..self.world.entry(slot, self.candidates.picks[at])
        }
    }

    /// The index of the candidate with the best value; none if an item of the frontier is better by
    /// more than the threshold, a percentage of that item's value (Laurent 2023, section 5.3).
    fn best_candidate(&mut self, slot: Slot, threshold: Option<u32>) -> Option<usize> {
        let mut best = (Value::MAX, 0);
        for at in 0..self.candidates.picks.len() {
            let entry = self.candidate(slot, at);
            let (graph, behaviours) = (&self.world.graph, &self.world.behaviours);
            let rank = self.valuer.of_branch(graph, behaviours, slot, &entry);
            best = best.min((self.valuer.value(&rank), at));
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
        let item = Item {
            parent: Rc::clone(self.spine.last()),
            start: self.world.graph.path().len(),
            entries: smallvec![entry],
            share: self.fraction,
            from: self.popped,
            is_varied: false,
        };
        let (world, valuer) = (&self.world, &mut self.valuer);
        self.frontier.push(item, |_| {
            valuer.of_branch(&world.graph, &world.behaviours, slot, &entry)
        });
    }

    /// Pushes the race variants of the last step.
    fn vary(&mut self) -> Result<(), Fault> {
        let World {
            graph, behaviours, ..
        } = &mut self.world;
        self.variants.of_last_step(graph, behaviours, &self.guide)?;
        if !self.variants.found.is_empty() {
            self.spine.extend(&self.world.graph);
            self.push_variants();
        }
        Ok(())
    }

    /// Pushes the race variants of those steps of this process that are ruled out only by steps that
    /// the variants drop.
    fn vary_ruled_out(&mut self, slot: Slot) -> Result<(), Fault> {
        self.spine.extend(&self.world.graph);
        for pick in std::mem::take(&mut self.candidates.ruled_out) {
            let (variants, guide) = (&mut self.variants, &self.guide);
            self.world.peek(slot, pick, |graph, behaviours| {
                variants.of_ruled_out_step(graph, behaviours, guide)
            })?;
            self.push_variants();
        }
        Ok(())
    }

    fn push_variants(&mut self) {
        let found = std::mem::take(&mut self.variants.found);
        // To continue the current graph is one more way.
        self.fraction /= found.len() as f64 + 1.0;
        for Variant { keep, entries } in found {
            let item = Item {
                parent: Rc::clone(self.spine.segment_of(keep)),
                start: keep,
                entries,
                share: self.fraction,
                from: self.popped,
                is_varied: false,
            };
            let (world, valuer) = (&self.world, &mut self.valuer);
            self.frontier.push(item, |item| {
                valuer.of_variant(&world.graph, &world.behaviours, keep, &item.entries)
            });
        }
    }
}

/// Explores a program, or samples it if the options require that.
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
    let mut explorer = Explorer::new(frontend, guide, options.clone());
    let stopped = explorer.run(observer);
    let stopped = ended(stopped, observer)?;
    Ok((stopped, explorer.progress()))
}
