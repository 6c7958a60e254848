//! A process: its history, its mailbox, and its current step.

use super::history::{Message, Past, Seen, Sender, Tie};
use mazurka_engine::LivenessOperation;
use mazurka_engine::PidId;
use mazurka_engine::Reason;
use mazurka_engine::{Action, Demand, DemandOf, Frontend, KeyOf, Mode, SharedObjects};
use mazurka_trace::Delivery;
use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};

pub(super) struct Process<F: Frontend> {
    pub(super) pid: PidId,
    pub(super) start: F::Start,
    /// `None` before its first step.
    pub(super) running: Option<Running<F>>,
    pub(super) history: Vec<Seen<KeyOf<F>>>,
    /// The messages sent to it and not consumed, oldest first.
    pub(super) inbox: Vec<Message<F::Value>>,
    pub(super) past: Past,
    /// The processes that it linked to, with the number of the link, or was linked to at its spawn, with
    /// 0; and those that it unlinked from.
    pub(super) links: Vec<(PidId, usize)>,
    pub(super) links_made: usize,
    pub(super) unlinked: Vec<PidId>,
    /// The processes whose links have no effect on it any more.
    pub(super) ignored: Vec<PidId>,
    /// The ties that it made and whose messages it can receive.
    pub(super) expected: Vec<(PidId, Tie)>,
    /// Number of actions since its last input, without those of its current step.
    pub(super) acted_before: usize,
    /// Number of answers since its last input that it gave to itself.
    pub(super) own_answers: usize,
    /// The processes that have monitored it since its spawn.
    pub(super) watchers: Vec<(PidId, u64)>,
    /// If it is a daemon: the number of consecutive timeouts of daemons before its current step.
    pub(super) in_a_row: u32,
    /// Whether the timeout of its receive is an idle round.
    pub(super) polls: bool,
    pub(super) ended: Option<Reason<F::Value>>,
    /// Its part of a configuration's fingerprint, once computed.
    pub(super) digest: Cell<Option<[u64; 2]>>,
}

/// The current step of a process: its actions, some of them done, and its demand.
pub(super) struct Running<F: Frontend> {
    pub(super) state: F::State,
    pub(super) actions: Vec<Action<F::Value, F::Start>>,
    pub(super) done: usize,
    pub(super) demand: DemandOf<F>,
    /// The logical time at which it made the demand.
    pub(super) since_ms: u64,
    /// A request has been issued and not served yet, or a message was handed over and not received yet.
    pub(super) issued: bool,
    /// Its signal check found no signal; its action comes next.
    pub(super) cleared: bool,
    pub(super) trapping: bool,
    pub(super) mode: Mode,
    pub(super) spawned: u32,
}

impl<F: Frontend> Process<F> {
    pub(super) fn new(pid: PidId, start: F::Start) -> Self {
        Process {
            pid,
            start,
            running: None,
            history: Vec::new(),
            inbox: Vec::new(),
            past: Past::new(),
            links: Vec::new(),
            links_made: 0,
            unlinked: Vec::new(),
            ignored: Vec::new(),
            expected: Vec::new(),
            acted_before: 0,
            own_answers: 0,
            watchers: Vec::new(),
            in_a_row: 0,
            polls: false,
            ended: None,
            digest: Cell::new(None),
        }
    }

    /// Hashes that identify its state: its history and, under `mailbox`, the order of its waiting
    /// messages.
    pub(super) fn digest(&self, delivery: Delivery) -> [u64; 2] {
        if let Some(known) = self.digest.get() {
            return known;
        }
        let digest = [1_u8, 2].map(|salt| {
            let mut hasher = DefaultHasher::new();
            (salt, self.pid, &self.history).hash(&mut hasher);
            let running = self.running.as_ref();
            running
                .map(|r| (r.done, r.issued, r.cleared, r.since_ms))
                .hash(&mut hasher);
            (self.ended.is_some(), self.acted_before).hash(&mut hasher);
            self.own_answers.hash(&mut hasher);
            if delivery == Delivery::Mailbox {
                for message in &self.inbox {
                    (message.from, message.nth).hash(&mut hasher);
                }
            }
            hasher.finish()
        });
        self.digest.set(Some(digest));
        digest
    }

    /// Whether a message has an effect on it: it has not undone the link or monitor that led to it.
    pub(super) fn expects(&self, message: &Message<F::Value>) -> bool {
        match message.from {
            Sender::Courier {
                of,
                tie: Tie::Linked,
                ..
            } => !self.ignored.contains(&of),
            Sender::Courier { of, tie, .. } => self.expected.contains(&(of, tie)),
            Sender::Process(_) | Sender::Receiver(_) => true,
        }
    }

    /// Its current step. The process must have started.
    pub(super) fn running(&mut self) -> &mut Running<F> {
        self.running.as_mut().expect("it runs")
    }
}

impl<F: Frontend> Running<F> {
    pub(super) fn next_action(&self) -> Option<&Action<F::Value, F::Start>> {
        self.actions.get(self.done)
    }

    /// Whether it waits for a message.
    pub(super) fn is_receiving(&self) -> bool {
        self.next_action().is_none() && matches!(self.demand, Demand::Receive { .. })
    }

    /// Whether its next transition is visible to others. Receives and reads are not. `links`: those of
    /// the process.
    pub(super) fn is_about_to_act(&self, links: &[(PidId, usize)]) -> bool {
        self.next_action().is_some()
            || match &self.demand {
                Demand::Exit(_) => true,
                Demand::HandOver { .. } => !self.issued,
                Demand::Liveness(LivenessOperation::Link(of)) => {
                    !links.iter().any(|(pid, _)| pid == of)
                }
                Demand::Liveness(LivenessOperation::Unlink(_)) => !self.trapping,
                Demand::Liveness(_) => false,
                Demand::Ask(operation) => !F::Objects::is_read(operation),
                Demand::Receive { .. } | Demand::Choose(_) | Demand::Disturb { .. } => false,
            }
    }
}

impl<F: Frontend> Clone for Process<F> {
    fn clone(&self) -> Self {
        Process {
            pid: self.pid,
            start: self.start.clone(),
            running: self.running.clone(),
            history: self.history.clone(),
            inbox: self.inbox.clone(),
            past: self.past.clone(),
            links: self.links.clone(),
            links_made: self.links_made,
            unlinked: self.unlinked.clone(),
            ignored: self.ignored.clone(),
            expected: self.expected.clone(),
            acted_before: self.acted_before,
            own_answers: self.own_answers,
            watchers: self.watchers.clone(),
            in_a_row: self.in_a_row,
            polls: self.polls,
            ended: self.ended.clone(),
            digest: Cell::new(None),
        }
    }
}

impl<F: Frontend> Clone for Running<F> {
    fn clone(&self) -> Self {
        Running {
            state: self.state.clone(),
            actions: self.actions.clone(),
            demand: self.demand.clone(),
            ..*self
        }
    }
}
