//! What was consumed, what is known because of it, and both as text.

use super::World;
use super::object::Object;
use mazurka_engine::Frontend;
use mazurka_engine::Payload;
use mazurka_engine::Pid;
use std::collections::BTreeSet;

/// Who can send: a process, or what is left of it when it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Sender {
    Process(Pid),
    Life(Pid),
    /// A process that has received what was handed over to it, and says so.
    Receiver(Pid),
}

/// One thing that a process or an object has consumed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seen<V> {
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
    /// The message that it waited for to be received has been.
    HandedOver,
    Read {
        object: Object<V>,
        version: usize,
    },
    Served(Pid),
    Died,
}

/// The messages whose sends happened before: by whom, to whom, the how-manieth.
pub(super) type Past = BTreeSet<(Sender, Pid, usize)>;

#[derive(Clone)]
pub(super) struct Message<V> {
    pub(super) from: Sender,
    /// How many the sender had sent to the same process before.
    pub(super) nth: usize,
    pub(super) payload: Payload<V>,
    /// What the sender knew when it sent it.
    pub(super) past: Past,
    /// How many timeouts of daemons in a row had brought its sender there.
    pub(super) in_a_row: u32,
    /// The sender waits until it is received.
    pub(super) is_handed_over: bool,
}

impl<V> Message<V> {
    /// Who consumes a message knows what its sender knew, and that it was sent.
    pub(super) fn teach(&self, past: &mut Past, receiver: Pid) {
        past.extend(self.past.iter().copied());
        past.insert((self.from, receiver, self.nth));
    }
}

impl<F: Frontend> World<'_, F> {
    pub(super) fn name(&self, pid: Pid) -> String {
        self.pids.name(pid).expect("a process")
    }

    pub(super) fn object_name(&self, object: &Object<F::Value>) -> String {
        let value = |value| self.frontend.describe().value(value, &self.pids);
        match object {
            Object::Life(pid) => format!("life({})", self.name(*pid)),
            Object::Name(name) => format!("name({})", value(name)),
            Object::Cell(table, key) => format!("table({})[{}]", value(table), value(key)),
            Object::Counter(counter) => format!("counter({})", value(counter)),
        }
    }

    pub(super) fn show(&self, seen: &Seen<F::Value>) -> String {
        let sender = |from: &Sender| match from {
            Sender::Process(pid) | Sender::Receiver(pid) => self.name(*pid),
            Sender::Life(pid) => format!("life({})", self.name(*pid)),
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
