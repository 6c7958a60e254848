//! Consumed inputs, causal pasts, and both as text.

use super::World;
use super::object::Object;
use mazurka_engine::Payload;
use mazurka_engine::PidId;
use mazurka_engine::{Frontend, KeyOf, SharedObjects, Show};
use std::collections::BTreeSet;

/// What makes the end of one process known to another. The flag is true if the process was alive when
/// the link or monitor was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Tie {
    /// A link that the ended process made, or had since its spawn.
    Linked,
    /// A monitor since its spawn, with its reference.
    Spawned(u64),
    /// The n-th link that the receiver made.
    Link(usize, bool),
    /// A monitor of the receiver, with its reference, made after its link with this number, or 0.
    Monitor(u64, bool, usize),
}

impl Tie {
    /// Whether the message of this tie comes before that of another tie between the same processes.
    pub(super) fn comes_before(self, other: Tie) -> bool {
        match (self, other) {
            (Tie::Linked, Tie::Spawned(_) | Tie::Monitor(..)) => true,
            (Tie::Link(nth, true), Tie::Monitor(_, _, link)) => nth == link,
            _ => false,
        }
    }
}

/// The sender of a message: a process, or a courier after a process has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Sender {
    Process(PidId),
    Courier {
        of: PidId,
        to: PidId,
        tie: Tie,
    },
    /// A process that has received a handed-over message and confirms that.
    Receiver(PidId),
}

/// One input that a process or an object has consumed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seen<K> {
    Message {
        from: Sender,
        nth: usize,
    },
    Struck {
        from: Sender,
        nth: usize,
        after: usize,
    },
    Timeout,
    Chose(u32),
    /// The message that it handed over has been received.
    HandedOver,
    Read {
        object: Object<K>,
        version: usize,
    },
    Served(PidId),
    Died,
}

/// The messages whose sends happened before: sender, receiver, and index among those, from 0.
pub(super) type Past = BTreeSet<(Sender, PidId, usize)>;

/// What a mailbox can contain.
#[derive(Clone)]
pub(super) enum Letter<V> {
    Payload(Payload<V>),
    /// The message that the owner of the mailbox handed over has been received.
    Receipt,
}

#[derive(Clone)]
pub(super) struct Message<V> {
    pub(super) from: Sender,
    /// The number of messages that the sender had sent to the same process before.
    pub(super) nth: usize,
    pub(super) letter: Letter<V>,
    /// The causal past of the send.
    pub(super) past: Past,
    /// The number of consecutive timeouts of daemons before the send.
    pub(super) in_a_row: u32,
    /// The sender waits until it is received.
    pub(super) is_handed_over: bool,
}

impl<V> Message<V> {
    /// Adds to the past of the consumer the past of the send, and the send itself.
    pub(super) fn extend_past(&self, past: &mut Past, receiver: PidId) {
        past.extend(self.past.iter().copied());
        past.insert((self.from, receiver, self.nth));
    }
}

impl<F: Frontend> World<'_, F> {
    pub(super) fn name(&self, pid: PidId) -> String {
        self.pids.name(pid).expect("a process")
    }

    pub(super) fn object_name(&self, object: &Object<KeyOf<F>>) -> String {
        match object {
            Object::Liveness(pid) => format!("liveness({})", self.name(*pid)),
            Object::Courier { of, to, tie } => self.courier_name(*of, *to, *tie),
            Object::Shared(key) => {
                let value = |value: &F::Value| self.frontend.describe().value(value, &self.pids);
                F::Objects::name(key, &Show::new(&value, &self.pids))
            }
        }
    }

    fn courier_name(&self, of: PidId, to: PidId, tie: Tie) -> String {
        let late = |alive: bool| if alive { "" } else { " late" };
        let tie = match tie {
            Tie::Linked => "linked".to_owned(),
            Tie::Spawned(reference) => format!("spawned {reference}"),
            Tie::Link(nth, alive) => format!("link {nth}{}", late(alive)),
            Tie::Monitor(reference, alive, _) => format!("monitor {reference}{}", late(alive)),
        };
        format!("liveness({})>{}:{tie}", self.name(of), self.name(to))
    }

    pub(super) fn show(&self, seen: &Seen<KeyOf<F>>) -> String {
        let sender = |from: &Sender| match from {
            Sender::Process(pid) | Sender::Receiver(pid) => self.name(*pid),
            Sender::Courier { of, to, tie } => self.courier_name(*of, *to, *tie),
        };
        match seen {
            Seen::Message { from, nth } => format!("message {}#{nth}", sender(from)),
            Seen::Struck { from, nth, after } => {
                format!("struck {}#{nth} after {after}", sender(from))
            }
            Seen::Timeout => "timeout".into(),
            Seen::HandedOver => "handed over".into(),
            Seen::Chose(way) => format!("chose {way}"),
            Seen::Read { object, version } => {
                format!("read {} {version}", self.object_name(object))
            }
            Seen::Served(by) => format!("served {}", self.name(*by)),
            Seen::Died => "died".into(),
        }
    }
}
