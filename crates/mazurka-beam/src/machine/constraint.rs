//! The constraint of a receive.

use std::rc::Rc;

use crate::code::Address;
use crate::term::{Atom, PidTerm, Reference, Term};

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
    },
    /// `{'DOWN', Reference, _, _, _}`.
    Down(Reference),
    /// Every message that is still in the mailbox.
    Mailbox,
    /// Exit signals. An ordinary message may look like one, so the term alone cannot decide; the
    /// front-end, which has the signals, does.
    Signal {
        /// Whether to accept only signals with the reason `normal`.
        only_normal: bool,
    },
    /// All messages: the process hibernates.
    Anything,
    /// No messages: the process has halted the machine with this status.
    Halted(Term),
}

/// `{'DOWN', Reference, _, _, _}`.
pub(super) fn is_down(message: &Term, reference: Reference) -> bool {
    match message {
        Term::Tuple(tuple) => match &***tuple {
            [Term::Atom(tag), Term::Reference(other), _, _, _] => {
                *tag == Atom::DOWN && *other == reference
            }
            _ => false,
        },
        _ => false,
    }
}
