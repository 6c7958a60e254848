//! The two choices that shape an exploration: which process runs next, and which candidate
//! of a demand comes first.
//!
//! Both may depend only on the content of a graph (pids, demands, tags), never on the order in which
//! the frontier is explored or in which processes and objects are discovered: the numbers of pids
//! are not content, [`Standing::identity`] is. Then every choice is sound, and the exploration is
//! optimal for every order of the frontier, with one explorer or several.

use crate::behaviour::{Behaviours, Wait};
use crate::frontend::Frontend;
use crate::graph::{Graph, Message, NONE, Pick, Slot};
use crate::ids::PidId;
use crate::message::Reason;

/// What kind of demand a process makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemandKind {
    /// It has not started.
    Start,
    /// It is interruptible and makes a signal check before its next action.
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
    /// It chooses one of several alternatives.
    Choose,
}

/// Waiting messages are counted up to this number, because a guide asks at every step.
const WAITING_MAX: usize = 4;

/// The highest number of a candidate in the usual order.
const LAST: u32 = 1 << 20;

/// A process or object that could run next, as a guide sees it.
pub struct Standing<'g, F: Frontend> {
    pub(crate) graph: &'g Graph,
    pub(crate) behaviours: &'g Behaviours<F>,
    pub(crate) slot: Slot,
}

impl<F: Frontend> Standing<'_, F> {
    /// Its pid.
    #[inline]
    #[must_use]
    pub fn pid(&self) -> PidId {
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

    /// Number of its events so far: inputs and actions.
    #[inline]
    #[must_use]
    pub fn events(&self) -> u32 {
        self.graph.process(self.slot).events.len() as u32
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

    /// Number of messages in its inbox, whether it accepts them now or not, but at most
    /// `WAITING_MAX`.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.graph.waiting(self.slot).take(WAITING_MAX).count()
    }

    /// Number of events, of all processes, in the causal past of its last step.
    #[must_use]
    pub fn past(&self) -> u64 {
        let last = self.graph.process(self.slot).steps.last();
        last.map_or(0, |step| self.graph.clock(step).event_count())
    }

    /// Whether it receives messages from any sender.
    #[must_use]
    pub fn takes_from_anyone(&self) -> bool {
        let steps = self.graph.process(self.slot).steps.len();
        self.graph
            .takes_from_anyone(self.behaviours, self.slot, steps)
    }

    /// Whether its last step was a timeout.
    #[must_use]
    pub fn has_just_polled(&self) -> bool {
        let last = self.graph.process(self.slot).steps.last();
        last.is_some_and(|step| step.pick == Pick::Timeout)
    }

    /// Lower bound of the number of steps to an assertion or an error, if the program gives a hint.
    #[must_use]
    pub fn distance(&self) -> Option<u32> {
        let last = self.graph.process(self.slot).steps.last()?;
        self.behaviours.distance(last.node)
    }
}

/// One of the candidates of a demand, as a guide sees it. The graph may contain steps outside the
/// causal past of the demand; a guide cannot see those.
pub struct Candidate<'g, F: Frontend> {
    pub(crate) graph: &'g Graph,
    pub(crate) behaviours: &'g mut Behaviours<F>,
    pub(crate) slot: Slot,
    pub(crate) index: usize,
    pub(crate) events: u32,
    pub(crate) pick: Pick,
}

impl<F: Frontend> Candidate<'_, F> {
    /// What would be consumed.
    #[inline]
    #[must_use]
    pub fn pick(&self) -> Pick {
        self.pick
    }

    /// The process that makes the demand.
    #[inline]
    #[must_use]
    pub fn receiver(&self) -> PidId {
        self.graph.process(self.slot).pid
    }

    /// A number for a process that does not depend on the order in which processes were
    /// discovered.
    #[inline]
    #[must_use]
    pub fn identity(&self, of: PidId) -> u64 {
        self.behaviours.pids.identity(of)
    }

    /// A number for the candidate: smaller numbers come earlier in the usual order. Several candidates
    /// may have the same number. At most 20 bits.
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

    /// Number of events of that process before the demand: inputs and actions.
    #[inline]
    #[must_use]
    pub fn events(&self) -> u32 {
        self.events
    }

    /// Whether the demand is a receive that takes messages from any sender.
    #[must_use]
    pub fn is_for_anyone(&self) -> bool {
        self.graph
            .takes_from_anyone(self.behaviours, self.slot, self.index)
    }

    /// Whether it is a timeout directly after a timeout.
    #[must_use]
    pub fn is_repeated_poll(&self) -> bool {
        let steps = &self.graph.process(self.slot).steps;
        let before = self.index.checked_sub(1).map(|before| steps[before].pick);
        self.pick == Pick::Timeout && before == Some(Pick::Timeout)
    }

    /// Of a message: number of events of its sender before it sent it.
    #[must_use]
    pub fn sent_after(&self) -> Option<u64> {
        Some(u64::from(self.message()?.event))
    }

    /// Of a message: number of events, of all processes, in the causal past of its send.
    #[must_use]
    pub fn past(&self) -> Option<u64> {
        let message = self.message()?;
        let step = &self.graph.process(message.sender).steps[message.step as usize];
        let clock = self.graph.clock(step);
        let own = u64::from(message.event) - u64::from(clock.known(message.sender));
        Some(clock.event_count() + own)
    }

    /// The message, if it is one.
    fn message(&self) -> Option<&Message> {
        let Pick::Message { sender, seq } = self.pick else {
            return None;
        };
        let at = self.graph.find_message(self.slot, sender, seq)?;
        let message = &self.graph.process(self.slot).inbox[at as usize];
        (message.step != NONE).then_some(message)
    }

    /// Lower bound of the number of steps from the receiver to an assertion or an error after it has
    /// consumed this. `None` if the search does not use distances, or the receiver gives no hint now; then
    /// no user code is run.
    #[must_use]
    pub fn distance(&mut self) -> Option<u32> {
        let Candidate {
            graph,
            behaviours,
            slot,
            index,
            pick,
            ..
        } = self;
        if !behaviours.uses_distances {
            return None;
        }
        let cursor = graph.cursor(behaviours, *slot, *index)?;
        // A check is the same choice whether it is a step of its own or silent.
        if cursor.looks || *pick == Pick::GoOn {
            return None;
        }
        behaviours.distance(cursor.node)?;
        // A fault is reported when the step is made.
        let (node, ..) = graph
            .leads_to(behaviours, *slot, *pick, Some(cursor))
            .ok()?;
        let node_reached = behaviours.node(node);
        match node_reached.end() {
            _ if node_reached.was_killed() => None,
            Some(Reason::Crash(_) | Reason::Assertion(_)) => Some(0),
            Some(_) => None,
            None => behaviours.distance(node),
        }
    }
}

/// Chooses the next process and the first candidate. Lower keys come first.
pub trait Guide {
    /// The key by which the next process is chosen. Equal keys: the last in the order of pids,
    /// objects first.
    fn process_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> u64;

    /// An optional second key. If the next process has one, the process with the lowest second key
    /// runs instead.
    #[inline]
    fn choice_key<F: Frontend>(&self, _: &Standing<'_, F>) -> Option<u64> {
        None
    }

    /// The key by which the first candidate of a demand is chosen. Equal keys: messages by sender and
    /// number, then old versions before new ones, then the timeout; choices by number.
    fn candidate_key<F: Frontend>(&self, candidate: &mut Candidate<'_, F>) -> u64;
}

/// The default: first steps without a choice, then answers, then a process's own choices, and
/// receives last, when everything that can be sent has been sent. That keeps race variants rare.
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

/// Arbitrary but fixed choices, to test that every choice is sound.
#[derive(Clone, Copy, Debug)]
pub struct ByHash {
    /// Seed of the choices.
    pub seed: u64,
}

impl Guide for ByHash {
    fn process_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> u64 {
        let (process, events) = (standing.identity(), u64::from(standing.events()));
        mix(self.seed ^ mix(process) ^ events << 8 ^ standing.demand() as u64)
    }

    fn candidate_key<F: Frontend>(&self, candidate: &mut Candidate<'_, F>) -> u64 {
        let receiver = candidate.identity(candidate.receiver());
        let events = u64::from(candidate.events());
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
        mix(self.seed.rotate_left(17) ^ mix(events) ^ receiver ^ what)
    }
}

/// Mixes the bits well (the finaliser of splitmix64).
pub(crate) fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
