//! Configurations and transitions, as defined by the published algorithms.
//!
//! A configuration is an execution graph. A transition is one input consumed by one process
//! together with everything that follows without a choice: the processes that it spawns
//! start at once. Reads of shared objects see the latest version, so a read depends on the changes
//! before and after it, as in any shared memory.

use super::not_supported;
use super::order::sort;
use crate::algorithm::Order;
use mazurka_engine::world::Bits;
use mazurka_engine::world::Candidates;
use mazurka_engine::world::Wait;
use mazurka_engine::world::World;
use mazurka_engine::world::{Cut, Everything};
use mazurka_engine::world::{Entry, Graph, Message, Pick, Placed, Slot, Step};
use mazurka_engine::{Fault, Frontend};
use mazurka_engine::{PidId, PidTable};
use mazurka_trace::Delivery;
use smallvec::SmallVec;

/// Which process consumes which input. It has the same meaning in every configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub pid: PidId,
    pub pick: Pick,
}

/// The pick of a read: the version that is the latest when the move is made.
pub(super) const LATEST: Pick = Pick::Version(u32::MAX);

/// A move with the shared objects that it read and changed when it was made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub mv: Move,
    pub reads: SmallVec<[PidId; 1]>,
    pub publishes: SmallVec<[PidId; 1]>,
}

impl Made {
    /// A move that neither reads nor changes objects.
    pub(super) fn without_objects(mv: Move) -> Self {
        Made {
            mv,
            reads: SmallVec::new(),
            publishes: SmallVec::new(),
        }
    }

    /// Whether two transitions that are both enabled are dependent.
    pub(super) fn depends_on(&self, other: &Made) -> bool {
        let common = |some: &[PidId], others: &[PidId]| some.iter().any(|pid| others.contains(pid));
        self.mv.pid == other.mv.pid
            || common(&self.reads, &other.publishes)
            || common(&self.publishes, &other.reads)
    }
}

/// A transition of the current path.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub made: Made,
    /// The transitions that it directly depends on, and those that happened before it, by their indices
    /// in the path.
    pub causes: SmallVec<[u32; 4]>,
    pub past: Bits,
    /// Number of steps that the graph had before.
    steps_before: usize,
}

/// The transitions before an index of the path, and some others.
pub(super) struct Prefix<'p> {
    pub before: u32,
    pub and: &'p Bits,
}

impl Cut for Prefix<'_> {
    fn has_step(&self, _: &Graph, _: Slot, step: &Step) -> bool {
        step.stamp < self.before || self.and.has(step.stamp)
    }
    fn has_check(&self, _: Slot, step: &Step, _: u32) -> bool {
        step.stamp < self.before || self.and.has(step.stamp)
    }
    fn has_send(&self, graph: &Graph, message: &Message) -> bool {
        let sender = graph.process(message.sender);
        self.has_step(graph, message.sender, &sender.steps[message.step as usize])
    }
    fn has_version(&self, graph: &Graph, object: Slot, index: usize) -> bool {
        self.has_step(graph, object, &graph.process(object).steps[index])
    }
}

/// A world, and the path of transitions that leads to its current graph.
pub(super) struct State<F: Frontend> {
    pub world: World<F>,
    /// The first is the start of the program, which is not counted. Steps of the graph are stamped
    /// with the index of their transition.
    pub path: Vec<Transition>,
    pub candidates: Candidates,
    /// Number of moves that have been made.
    pub moves: u64,
    order: Order,
}

impl<F: Frontend> State<F> {
    /// No transition has been made.
    pub(super) fn new(world: World<F>, order: Order) -> Self {
        State {
            world,
            path: Vec::new(),
            candidates: Candidates::default(),
            moves: 0,
            order,
        }
    }

    /// The current configuration.
    pub(super) fn graph(&self) -> &Graph {
        self.world.graph()
    }

    /// Restarts at the configuration in which the entry process has started. A process that has missed a
    /// signal is interruptible from now on.
    pub(super) fn begin(&mut self) -> Result<(), Fault> {
        self.world.restart();
        self.path.clear();
        self.settle(0)?;
        let start = Move {
            pid: PidTable::ENTRY,
            pick: Pick::Start,
        };
        let start = self.transition(start, 0);
        self.path.push(start);
        Ok(())
    }

    /// The moves that are enabled now, in the order in which they are to be tried.
    pub(super) fn enabled(&mut self) -> Vec<Move> {
        let mut moves = Vec::new();
        let slots: Vec<Slot> = self.graph().enabled().collect();
        for slot in slots {
            let pid = self.graph().process(slot).pid;
            if self.reads_next(slot) {
                moves.push(Move { pid, pick: LATEST });
                continue;
            }
            let index = self.graph().process(slot).steps.len();
            self.world
                .list_in(&Everything, (slot, index), &mut self.candidates);
            let picks = self.candidates.picks.iter();
            moves.extend(picks.map(|&pick| Move { pid, pick }));
        }
        if moves.is_empty() {
            let due = self.graph().next_due().into_iter();
            moves.extend(due.map(|slot| Move {
                pid: self.graph().process(slot).pid,
                pick: Pick::QuietTimeout,
            }));
        }
        sort(&mut moves, self.graph(), self.order);
        moves
    }

    /// Whether a move is enabled here. It was enabled at this index of another path that contains the
    /// same transitions that the move depends on.
    pub(super) fn is_enabled(&mut self, mv: Move) -> bool {
        // Only under `mailbox` can one process disable a move of another.
        self.graph().delivery != Delivery::Mailbox || self.enabled().contains(&mv)
    }

    fn reads_next(&self, slot: Slot) -> bool {
        let last = self.graph().process(slot).steps.last();
        last.is_some_and(|step| !step.looks && matches!(step.wait, Wait::Read { .. }))
    }

    /// Makes a move that is enabled.
    pub(super) fn make(&mut self, mv: Move) -> Result<(), Fault> {
        self.make_and(mv, |_| Ok(()))
    }

    /// Makes a move and then calls `go_on`, as one transition.
    pub(super) fn make_and(
        &mut self,
        mv: Move,
        go_on: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let steps_before = self.graph().path().len();
        let processes_before = self.graph().processes().len();
        if mv.pick == Pick::QuietTimeout && self.graph().enabled().next().is_none() {
            self.publish_ends()?;
        }
        self.step(mv.pid, mv.pick)?;
        self.finish_reads(mv.pid)?;
        go_on(self)?;
        self.settle(processes_before)?;
        let transition = self.transition(mv, steps_before);
        self.path.push(transition);
        self.moves += 1;
        Ok(())
    }

    /// Undoes the last move.
    pub(super) fn undo(&mut self) {
        let last = self.path.pop().expect("there is a move to take back");
        self.world.truncate(last.steps_before);
    }

    /// The steps that a transition of the path is made of.
    pub(super) fn steps_of(&self, place: usize) -> &[Placed] {
        let end = self.path.get(place + 1);
        let end = end.map_or(self.graph().path().len(), |next| next.steps_before);
        &self.graph().path()[self.path[place].steps_before..end]
    }

    pub(super) fn step(&mut self, pid: PidId, pick: Pick) -> Result<(), Fault> {
        let pick = match pick {
            LATEST => self.latest_for(pid),
            other => other,
        };
        let stamp = place(self.path.len());
        self.world.apply(Entry::new(pid, pick, stamp))?;
        let slot = self.graph().slot(pid).expect("it has made a step");
        match self
            .graph()
            .process(slot)
            .steps
            .last()
            .map(|step| step.wait)
        {
            // Their number is limited, so choices of different processes do not commute.
            Some(Wait::Choose { limit: Some(_), .. }) => {
                Err(not_supported("disturbances from outside"))
            }
            _ => Ok(()),
        }
    }

    /// The latest version of the object that a process reads next.
    fn latest_for(&self, pid: PidId) -> Pick {
        let slot = self.graph().slot(pid).expect("it reads");
        let last = self.graph().process(slot).steps.last().expect("it reads");
        let Wait::Read { object } = last.wait else {
            unreachable!("it reads")
        };
        let object = self.graph().slot(object).expect("made when it was asked");
        let steps = &self.graph().process(object).steps;
        let latest = steps.iter().rposition(|step| step.publishes);
        Pick::Version(latest.map_or(0, |at| u32::try_from(at).expect("short") + 1))
    }

    /// Completes an operation that takes several reads.
    pub(super) fn finish_reads(&mut self, pid: PidId) -> Result<(), Fault> {
        loop {
            let slot = self.graph().slot(pid).expect("it moves");
            let process = self.graph().process(slot);
            let in_the_middle = process.is_object || self.world.is_reading_on(slot);
            if !(self.reads_next(slot) && in_the_middle) {
                return Ok(());
            }
            if process.is_object && !self.world.reads_liveness_next(slot) {
                return Err(not_supported("a shared object that reads another one"));
            }
            self.step(pid, LATEST)?;
        }
    }

    /// Starts every new process, and the processes that it spawns.
    fn settle(&mut self, processes_before: usize) -> Result<(), Fault> {
        let mut slot = processes_before;
        while slot < self.graph().processes().len() {
            let process = &self.graph().processes()[slot];
            if !process.is_object {
                self.step(process.pid, Pick::Start)?;
            }
            slot += 1;
        }
        Ok(())
    }

    /// Publishes all ends, before the first timeout that fires because nothing else can happen.
    fn publish_ends(&mut self) -> Result<(), Fault> {
        while let Some((sender, liveness)) = self.world.unpublished_end() {
            self.step(liveness, Pick::Start)?;
            let slot = self.graph().slot(sender).expect("it has ended");
            let sends = self.graph().process(slot).sends.len();
            let seq = u32::try_from(sends).expect("few sends") - 1;
            self.step(liveness, Pick::Message { sender, seq })?;
        }
        Ok(())
    }

    /// The transition that consists of the last steps of the graph.
    fn transition(&self, mv: Move, steps_before: usize) -> Transition {
        let here = place(self.path.len());
        let mut transition = Transition {
            made: Made::without_objects(mv),
            causes: SmallVec::new(),
            past: Bits::default(),
            steps_before,
        };
        for placed in &self.graph().path()[steps_before..] {
            let process = self.graph().process(placed.slot);
            let step = &process.steps[placed.index as usize];
            if let Some(before) = (placed.index as usize).checked_sub(1) {
                self.after(&mut transition, here, process.steps[before].stamp);
            }
            match step.pick {
                Pick::Message { .. } => {
                    let message = &process.inbox[step.consumed as usize];
                    let sender = self.graph().process(message.sender);
                    let sent = sender.steps[message.step as usize].stamp;
                    self.after(&mut transition, here, sent);
                }
                Pick::Version(_) if self.graph().awaits(placed.slot).is_some() => {
                    let before = self.graph().before_courier(placed.slot);
                    for (slot, step, _) in before.into_iter().flatten() {
                        let earlier = self.graph().process(slot).steps[step as usize].stamp;
                        self.after(&mut transition, here, earlier);
                    }
                }
                Pick::Version(version) => {
                    let before = &process.steps[placed.index as usize - 1];
                    let Wait::Read { object } = before.wait else {
                        unreachable!("it reads")
                    };
                    transition.made.reads.push(object);
                    let slot = self.graph().slot(object).expect("it was read");
                    if let Some(at) = (version as usize).checked_sub(1) {
                        let published = self.graph().process(slot).steps[at].stamp;
                        self.after(&mut transition, here, published);
                    }
                }
                _ => {}
            }
            if step.publishes {
                transition.made.publishes.push(process.pid);
                let last = process.steps[..placed.index as usize]
                    .iter()
                    .rposition(|step| step.publishes)
                    .map_or(0, |at| u32::try_from(at).expect("short") + 1);
                for read in process.reads.iter().filter(|read| read.version == last) {
                    let reader = self.graph().process(read.reader);
                    let read = reader.steps[read.step as usize].stamp;
                    self.after(&mut transition, here, read);
                }
            }
        }
        if mv.pick == Pick::QuietTimeout {
            let fired = self.time_of(&self.graph().path()[steps_before..], mv.pid);
            for before in self.before_time(fired).iter() {
                self.after(&mut transition, here, before);
            }
        }
        transition
    }

    /// The indices of the transitions that were made before this logical time.
    pub(super) fn before_time(&self, time_ms: u64) -> Bits {
        let mut before = Bits::default();
        for at in 0..self.path.len() {
            let mover = self.path[at].made.mv.pid;
            if self.time_of(self.steps_of(at), mover) < time_ms {
                before.set(place(at), true);
            }
        }
        before
    }

    /// The logical time of the first step of `mover` among these.
    fn time_of(&self, steps: &[Placed], mover: PidId) -> u64 {
        let mut steps = steps.iter().map(|placed| {
            let process = self.graph().process(placed.slot);
            (process.pid, process.steps[placed.index as usize].time_ms)
        });
        let own = steps.find(|&(pid, _)| pid == mover);
        own.expect("the mover made a step").1
    }

    /// Records that a transition depends on an earlier one.
    fn after(&self, transition: &mut Transition, here: u32, earlier: u32) {
        if earlier < here && !transition.causes.contains(&earlier) {
            transition.causes.push(earlier);
            transition.past.add_all(&self.path[earlier as usize].past);
            transition.past.set(earlier, true);
        }
    }
}

/// An index of the path, in the type that graphs and sets use.
pub(super) fn place(at: usize) -> u32 {
    u32::try_from(at).expect("a short path")
}
