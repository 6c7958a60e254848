//! Messages with the clock of their sender.
//!
//! The receiver's clock must not be behind it, so it is a part of the message. Programs see the term
//! alone.

use crate::term::Term;

/// Marks a message with a clock. No program is expected to use it.
const TAG: &str = "$mazurka_clock";

/// The message with the clock of its sender, in microseconds. A clock at 0 is left out.
pub(super) fn stamped(message: Term, clock_us: u64) -> Term {
    match clock_us == 0 && parts(&message).is_none() {
        true => message,
        false => {
            let clock = Term::Int(i64::try_from(clock_us).unwrap_or(i64::MAX));
            Term::tuple([Term::atom(TAG), clock, message])
        }
    }
}

/// The message as the program sees it.
pub(super) fn message(stamped: &Term) -> &Term {
    parts(stamped).map_or(stamped, |(message, _)| message)
}

/// The clock of the sender, in microseconds.
pub(super) fn clock_us(stamped: &Term) -> u64 {
    parts(stamped).map_or(0, |(_, clock_us)| clock_us)
}

fn parts(stamped: &Term) -> Option<(&Term, u64)> {
    let Term::Tuple(tuple) = stamped else {
        return None;
    };
    match &***tuple {
        [Term::Atom(tag), Term::Int(clock_us), message] if tag.name() == TAG => {
            Some((message, u64::try_from(*clock_us).unwrap_or(0)))
        }
        _ => None,
    }
}
