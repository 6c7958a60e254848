//! Messages with the clock of their sender, and with the alias or timer that they came by.
//!
//! The receiver's clock must not be behind that of the sender, so it is a part of the message. Programs see
//! the term alone.

use crate::term::{Reference, Term};

/// Marks a message with such parts. No program is expected to use it.
const TAG: &str = "$mazurka_clock";

/// The message with the clock of its sender, in microseconds, and the alias it was sent to, or the
/// timer that sent it. A clock at 0 alone is left out.
pub(super) fn stamped(message: Term, clock_us: u64, via: Option<Reference>) -> Term {
    let clock = || Term::Int(i64::try_from(clock_us).unwrap_or(i64::MAX));
    match via {
        None if clock_us == 0 && parts(&message).is_none() => message,
        None => Term::tuple([Term::atom(TAG), clock(), message]),
        Some(via) => Term::tuple([Term::atom(TAG), clock(), message, Term::Reference(via)]),
    }
}

/// The message as the program sees it.
pub(super) fn message(stamped: &Term) -> &Term {
    parts(stamped).map_or(stamped, |parts| parts.message)
}

/// The clock of the sender, in microseconds.
pub(super) fn clock_us(stamped: &Term) -> u64 {
    parts(stamped).map_or(0, |parts| parts.clock_us)
}

/// The alias that it was sent to, or the timer that sent it.
pub(super) fn via(stamped: &Term) -> Option<Reference> {
    parts(stamped)?.via
}

/// The alias that it was sent to.
pub(super) fn alias(stamped: &Term) -> Option<Reference> {
    via(stamped).filter(|via| via.timer().is_none())
}

struct Parts<'a> {
    message: &'a Term,
    clock_us: u64,
    via: Option<Reference>,
}

fn parts(stamped: &Term) -> Option<Parts<'_>> {
    let Term::Tuple(tuple) = stamped else {
        return None;
    };
    let [Term::Atom(tag), Term::Int(clock_us), message, rest @ ..] = &***tuple else {
        return None;
    };
    let via = match rest {
        [] => None,
        [Term::Reference(via)] => Some(*via),
        _ => return None,
    };
    (tag.name() == TAG).then(|| Parts {
        message,
        clock_us: u64::try_from(*clock_us).unwrap_or(0),
        via,
    })
}
