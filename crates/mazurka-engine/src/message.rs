//! What a mailbox can contain: the program's own messages, and those of the runtime.

use crate::answer::Answer;
use crate::frontend::{Frontend, OperationOf};
use crate::ids::PidId;
use crate::liveness::End;

/// Why a process ended or, of a signal, why it should end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason<V> {
    /// It was finished.
    Normal,
    /// It ended on purpose for a reason of its own; not an error.
    Stopped(V),
    /// An uncaught failure.
    Crash(V),
    /// A failed assertion.
    Assertion(V),
    /// Of a signal: ends its target even if that traps exits.
    Kill,
    /// Of a process: a signal with [`Reason::Kill`] ended it.
    Killed,
    /// There is no such process.
    NoProcess,
}

impl<V> Reason<V> {
    /// Whether a signal with this reason has no effect on a process that does not trap exits.
    #[must_use]
    pub fn is_harmless(&self) -> bool {
        matches!(self, Reason::Normal)
    }

    /// The same reason in terms of other values.
    #[must_use]
    pub fn map<W>(self, to: impl FnOnce(V) -> W) -> Reason<W> {
        match self {
            Reason::Normal => Reason::Normal,
            Reason::Stopped(why) => Reason::Stopped(to(why)),
            Reason::Crash(why) => Reason::Crash(to(why)),
            Reason::Assertion(why) => Reason::Assertion(to(why)),
            Reason::Kill => Reason::Kill,
            Reason::Killed => Reason::Killed,
            Reason::NoProcess => Reason::NoProcess,
        }
    }

    /// The reason with which a process ends when a signal with this reason ends it.
    #[must_use]
    pub fn when_struck(self) -> Self {
        match self {
            Reason::Kill => Reason::Killed,
            other => other,
        }
    }
}

/// A message in a mailbox.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Payload<V> {
    /// Sent by the program.
    User(V),
    /// An exit signal. It ends its target or, if the target traps exits, is a message to it.
    Exit {
        /// The process that it is about.
        from: PidId,
        /// Why it ended.
        reason: Reason<V>,
    },
    /// A monitored process has ended.
    Down {
        /// The reference that the monitor was made with.
        reference: u64,
        /// The process that ended.
        from: PidId,
        /// Why it ended.
        reason: Reason<V>,
    },
}

/// What is in the inbox of a process or an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content<V, O> {
    /// A message that the program can see.
    Message(Payload<V>),
    /// To a shared object.
    Request {
        /// The process that asks and gets the answer.
        by: PidId,
        /// What is asked.
        request: Request<V, O>,
    },
    /// From a shared object, or the receipt for a message that was handed over.
    Answer(Answer<V>),
}

/// The content of messages in a front-end's programs.
pub(crate) type ContentOf<F> = Content<<F as Frontend>::Value, OperationOf<F>>;

/// A request to an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Request<V, O> {
    /// To a liveness object: its process has ended.
    Die(End<V>),
    /// To an object of the front-end: an operation that changes it.
    Operation(O),
}

/// The class of a message for the delivery rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// An ordinary message; the receive's constraint decides.
    Plain,
    /// An exit signal that only a process that traps exits receives; others ignore it.
    HarmlessSignal,
    /// An exit signal that ends a process that does not trap exits.
    Signal,
    /// An exit signal that ends every process.
    KillSignal,
    /// A request to a shared object.
    Request,
    /// The answer to one.
    Answer,
}

impl<V> Payload<V> {
    fn class(&self) -> Class {
        match self {
            Payload::User(_) | Payload::Down { .. } => Class::Plain,
            Payload::Exit { reason, .. } => match reason {
                Reason::Kill => Class::KillSignal,
                reason if reason.is_harmless() => Class::HarmlessSignal,
                _ => Class::Signal,
            },
        }
    }
}

impl<V, O> Content<V, O> {
    pub(crate) fn class(&self) -> Class {
        match self {
            Content::Message(payload) => payload.class(),
            Content::Request { .. } => Class::Request,
            Content::Answer(_) => Class::Answer,
        }
    }
}

impl Class {
    /// Whether a message of this class ends a process at a signal check or while it waits.
    pub(crate) fn kills(self, trapping: bool) -> bool {
        match self {
            Class::KillSignal => true,
            Class::Signal => !trapping,
            _ => false,
        }
    }
}
