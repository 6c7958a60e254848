//! The constraint of a receive.

use std::rc::Rc;

use super::alias::Filter;
use crate::code::Address;
use crate::term::{PidTerm, Reference, Term};

/// The messages that a receive accepts. Equal constraints accept the same messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// No messages: the process waits for a timeout.
    Nothing,
    /// The messages that the code of a receive accepts.
    Code {
        /// The address of the receive.
        at: Address,
        /// The process that runs it, if the code uses `self()`.
        me: Option<PidTerm>,
        /// The values of the registers it reads.
        registers: Rc<[Term]>,
        /// The messages that count as not arrived.
        filter: Filter,
    },
    /// `{Tag, Reference, _, _, _}`: the message of a monitor.
    Down {
        /// The monitor.
        reference: Reference,
        /// `'DOWN'`, unless the monitor was made with another tag.
        tag: Term,
    },
    /// The messages that were sent to this alias.
    Alias(Reference),
    /// Every message that is still in the mailbox.
    Mailbox(Filter),
    /// Requests to a timer.
    TimerRequest,
    /// The answer of a timer to the request with this reference.
    TimerAnswer(Reference),
    /// Exit signals. An ordinary message may look like one, so the term alone cannot decide; the
    /// front-end, which has the signals, does.
    Signal {
        /// Whether to accept only signals with the reason `normal`.
        only_normal: bool,
    },
    /// All messages: the process hibernates.
    Anything(Filter),
    /// No messages: the process has halted the machine with this status.
    Halted(Term),
}

impl Constraint {
    /// The messages that count as not arrived. Receives of the machine itself ignore all messages to
    /// aliases.
    pub fn filter(&self) -> &Filter {
        match self {
            Constraint::Code { filter, .. }
            | Constraint::Mailbox(filter)
            | Constraint::Anything(filter) => filter,
            Constraint::Nothing
            | Constraint::Halted(_)
            | Constraint::Down { .. }
            | Constraint::Alias(_)
            | Constraint::TimerRequest
            | Constraint::TimerAnswer(_)
            | Constraint::Signal { .. } => &Filter::NONE,
        }
    }
}

/// `{Tag, Reference, _, _, _}`.
pub(super) fn is_down(message: &Term, tag: &Term, reference: Reference) -> bool {
    match message {
        Term::Tuple(tuple) => match &***tuple {
            [first, Term::Reference(other), _, _, _] => *other == reference && first == tag,
            _ => false,
        },
        _ => false,
    }
}
