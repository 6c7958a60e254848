//! Which messages a receive takes.

use std::rc::Rc;

use crate::code::Address;
use crate::term::{Atom, PidTerm, Reference, Term};

/// Which messages a receive takes. Equal constraints take equal messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// None: it waits for time to pass.
    Nothing,
    /// What the code of a receive says.
    Code {
        /// The receive.
        at: Address,
        /// Who runs it, if it asks for that.
        me: Option<PidTerm>,
        /// The registers that it reads.
        registers: Rc<[Term]>,
    },
    /// `{'DOWN', Reference, _, _, _}`.
    Down(Reference),
    /// Whatever lies in the mailbox and has not been taken out of it.
    Mailbox,
    /// Exit signals, which are not what a program may send that looks like one. Only whoever has the
    /// signals can tell.
    Signal {
        /// Those of normal ends only.
        only_normal: bool,
    },
    /// All messages: it hibernates.
    Anything,
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
