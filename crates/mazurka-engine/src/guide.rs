//! The two choices that shape an exploration: which process goes next, and which candidate
//! of a demand comes first.
//!
//! Both may look at the content of a graph only (pids, demands, tags), never at the order
//! in which the frontier was worked through or in which processes and objects were discovered: the
//! numbers behind pids are not content, [`Standing::identity`] is. Then every choice is sound, and
//! exploration stays optimal in whatever order the frontier is worked through, by one explorer or
//! by several.

use crate::behaviour::{Behaviours, Wait};
use crate::frontend::Frontend;
use crate::graph::{Graph, NONE, Pick, Slot};
use crate::ids::Pid;
use crate::message::Reason;

/// What kind of demand a process makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemandKind {
    /// It has not begun.
    Start,
    /// It may be struck before its next action.
    GoOn,
    /// It waits for the answer of an object, or until its message is received.
    Answer,
    /// It reads an object.
    Read,
    /// It is an object with requests.
    Serve,
    /// It receives.
    Receive,
    /// It receives, with a timeout that may fire at any time.
    ReceiveOrTimeout,
    /// It chooses one of several ways to go on.
    Choose,
}

/// More messages than this are not counted: a guide asks at every step.
const WAITING_MAX: usize = 4;

/// The highest number of a candidate in the usual order.
const LAST: u32 = 1 << 20;

/// A process, or an object, that could go next: what a guide may look at.
pub struct Standing<'g, F: Frontend> {
    pub(crate) graph: &'g Graph,
    pub(crate) behaviours: &'g Behaviours<F>,
    pub(crate) slot: Slot,
}

impl<F: Frontend> Standing<'_, F> {
    /// Who.
    #[inline]
    #[must_use]
    pub fn pid(&self) -> Pid {
        self.graph.process(self.slot).pid
    }

    /// A number for it that does not depend on the order in which processes were discovered.
    #[inline]
    #[must_use]
    pub fn identity(&self) -> u64 {
        self.behaviours.pids.identity(self.pid())
    }

    /// How many spawns led to it.
    #[inline]
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.behaviours.pids.generation(self.pid())
    }

    /// How many steps it has done.
    #[inline]
    #[must_use]
    pub fn steps(&self) -> usize {
        self.graph.process(self.slot).steps.len()
    }

    /// What it waits for.
    #[inline]
    #[must_use]
    pub fn demand(&self) -> DemandKind {
        let process = self.graph.process(self.slot);
        let Some(step) = process.steps.last() else {
            return match process.is_object {
                true => DemandKind::Serve,
                false => DemandKind::Start,
            };
        };
        match step.wait {
            _ if step.looks => DemandKind::GoOn,
            Wait::Receive {
                timeout_ms: Some(_),
                ..
            } if self.graph.any_time(step) => DemandKind::ReceiveOrTimeout,
            Wait::Receive { .. } => DemandKind::Receive,
            Wait::Answer | Wait::HandedOver { .. } => DemandKind::Answer,
            Wait::Read { .. } => DemandKind::Read,
            Wait::Choose { .. } => DemandKind::Choose,
            Wait::Serve | Wait::Ended(_) => DemandKind::Serve,
        }
    }

    /// How many messages wait for it, whether it takes them now or not; beyond a few, only that it
    /// is many.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.graph.waiting(self.slot).take(WAITING_MAX).count()
    }

    /// How much has happened before, in all processes, that it knows of.
    #[must_use]
    pub fn past(&self) -> u64 {
        let last = self.graph.process(self.slot).steps.last();
        last.map_or(0, |step| self.graph.clock(step).event_count())
    }

    /// Whether it receives, and what it takes does not depend on who sends it.
    #[must_use]
    pub fn takes_from_anyone(&self) -> bool {
        let steps = self.graph.process(self.slot).steps.len();
        self.graph
            .takes_from_anyone(self.behaviours, self.slot, steps)
    }

    /// Whether its last step was a receive that found nothing.
    #[must_use]
    pub fn has_just_polled(&self) -> bool {
        let last = self.graph.process(self.slot).steps.last();
        last.is_some_and(|step| step.pick == Pick::Timeout)
    }

    /// How many steps it needs at least to an assertion or an error, if the program tells.
    #[must_use]
    pub fn distance(&self) -> Option<u32> {
        let last = self.graph.process(self.slot).steps.last()?;
        self.behaviours.distance(last.node)
    }
}

/// One of the candidates of a demand: what a guide may look at. The graph may hold more than what
/// the demand can know of; none of that is told.
pub struct Candidate<'g, F: Frontend> {
    pub(crate) graph: &'g Graph,
    pub(crate) behaviours: &'g mut Behaviours<F>,
    pub(crate) slot: Slot,
    pub(crate) index: usize,
    pub(crate) pick: Pick,
}

impl<F: Frontend> Candidate<'_, F> {
    /// What would be consumed.
    #[inline]
    #[must_use]
    pub fn pick(&self) -> Pick {
        self.pick
    }

    /// Whose demand it is.
    #[inline]
    #[must_use]
    pub fn receiver(&self) -> Pid {
        self.graph.process(self.slot).pid
    }

    /// A number for a process that does not depend on the order in which processes were
    /// discovered.
    #[inline]
    #[must_use]
    pub fn identity(&self, of: Pid) -> u64 {
        self.behaviours.pids.identity(of)
    }

    /// A number for the candidate, the smaller the earlier it comes in the usual order; candidates
    /// may share one. At most 20 bits.
    #[must_use]
    pub(crate) fn coarse_order(&self) -> u64 {
        match self.pick {
            Pick::Start => 0,
            Pick::Message { sender, seq } => {
                u64::from(self.behaviours.pids.coarse_order(sender)) << 4 | u64::from(seq & 15)
            }
            Pick::Version(number) | Pick::Choice(number) => u64::from(number.min(LAST)),
            Pick::GoOn | Pick::Timeout | Pick::QuietTimeout => u64::from(LAST),
        }
    }

    /// How many steps that one has done.
    #[inline]
    #[must_use]
    pub fn steps(&self) -> usize {
        self.index
    }

    /// Whether the demand is a receive that takes messages of anyone.
    #[must_use]
    pub fn is_for_anyone(&self) -> bool {
        self.graph
            .takes_from_anyone(self.behaviours, self.slot, self.index)
    }

    /// Whether it is a timeout again after one.
    #[must_use]
    pub fn is_repeated_poll(&self) -> bool {
        let steps = &self.graph.process(self.slot).steps;
        let before = self.index.checked_sub(1).map(|before| steps[before].pick);
        self.pick == Pick::Timeout && before == Some(Pick::Timeout)
    }

    /// Of a message: how many steps its sender had done when it sent it.
    #[must_use]
    pub fn sent_after(&self) -> Option<u64> {
        let (_, step) = self.sent_by()?;
        Some(u64::from(step) + 1)
    }

    /// Of a message: how much had happened before, in all processes, that its sender knew of.
    #[must_use]
    pub fn past(&self) -> Option<u64> {
        let (sender, step) = self.sent_by()?;
        let step = &self.graph.process(sender).steps[step as usize];
        Some(self.graph.clock(step).event_count())
    }

    /// Of a message: its sender, and the step that sent it.
    fn sent_by(&self) -> Option<(Slot, u32)> {
        let Pick::Message { sender, seq } = self.pick else {
            return None;
        };
        let at = self.graph.find_message(self.slot, sender, seq)?;
        let message = &self.graph.process(self.slot).inbox[at as usize];
        (message.step != NONE).then_some((message.sender, message.step))
    }

    /// How many steps the receiver would need at least to an assertion or an error if it consumed
    /// this. Nothing if the program does not tell so far: then it is not run ahead for that.
    #[must_use]
    pub fn distance(&mut self) -> Option<u32> {
        let Candidate {
            graph,
            behaviours,
            slot,
            index,
            pick,
        } = self;
        if !behaviours.reports_distances {
            return None;
        }
        let cursor = graph.cursor(behaviours, *slot, *index)?;
        behaviours.distance(cursor.node)?;
        // What cannot be run says so when it is its turn.
        let (node, ..) = graph
            .leads_to(behaviours, *slot, *pick, Some(cursor))
            .ok()?;
        match behaviours.node(node).end() {
            Some(Reason::Crash(_) | Reason::Assertion(_)) => Some(0),
            Some(_) => None,
            None => behaviours.distance(node),
        }
    }
}

/// Chooses. Lower keys come first.
pub trait Guide {
    /// Which process goes next. Equal keys: the last in the order of pids, objects first.
    fn process_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> u64;

    /// Whether a process whose turn it is lets others go before it, and which: of all that have
    /// such a key, it is the first that goes.
    #[inline]
    fn choice_key<F: Frontend>(&self, _: &Standing<'_, F>) -> Option<u64> {
        None
    }

    /// Which candidate of a demand is the canonical one. Equal keys: messages by sender and number,
    /// then old versions before new ones, then the timeout; choices by number.
    fn candidate_key<F: Frontend>(&self, candidate: &mut Candidate<'_, F>) -> u64;
}

/// The default: first what leaves no choice, then answers, then what a process chooses by
/// itself, and receives last, when everything that can be sent has been sent. That leaves little to re-read.
#[derive(Clone, Copy, Debug, Default)]
pub struct SendersFirst;

impl Guide for SendersFirst {
    #[inline]
    fn process_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> u64 {
        match standing.demand() {
            DemandKind::Start => 0,
            DemandKind::Answer => 1,
            DemandKind::GoOn => 2,
            DemandKind::Choose => 3,
            DemandKind::Receive => 4,
            DemandKind::ReceiveOrTimeout => 5,
            DemandKind::Serve => 6,
            DemandKind::Read => 7,
        }
    }

    #[inline]
    fn candidate_key<F: Frontend>(&self, _: &mut Candidate<'_, F>) -> u64 {
        0
    }
}

/// Arbitrary but fixed choices, to show that any will do.
#[derive(Clone, Copy, Debug)]
pub struct ByHash {
    /// Another seed, other choices.
    pub seed: u64,
}

impl Guide for ByHash {
    fn process_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> u64 {
        let (process, steps) = (standing.identity(), standing.steps() as u64);
        mix(self.seed ^ mix(process) ^ steps << 8 ^ standing.demand() as u64)
    }

    fn candidate_key<F: Frontend>(&self, candidate: &mut Candidate<'_, F>) -> u64 {
        let receiver = candidate.identity(candidate.receiver());
        let steps = candidate.steps();
        let what = match candidate.pick() {
            Pick::Start => 1,
            Pick::GoOn => 2,
            Pick::Timeout => 3,
            Pick::QuietTimeout => 4,
            Pick::Message { sender, seq } => {
                5 | u64::from(seq) << 8 ^ mix(candidate.identity(sender))
            }
            Pick::Version(version) => 6 | u64::from(version) << 8,
            Pick::Choice(chosen) => 7 | u64::from(chosen) << 8,
        };
        mix(self.seed.rotate_left(17) ^ mix(steps as u64) ^ receiver ^ what)
    }
}

/// A good scrambling of the bits (the finaliser of splitmix64).
pub(crate) fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
