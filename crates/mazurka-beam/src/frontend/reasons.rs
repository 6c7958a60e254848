//! Exit reasons: their terms, and their meaning to the engine.

use mazurka_engine::Reason;

use crate::machine::End;
use crate::raise::Class;
use crate::term::{Atom, Term};

/// The engine's reason for the end of a process. Exits with one of the reasons in `normal` are not
/// failures; a process that must return fails even if it exits with reason `normal`.
pub(super) fn of_end(end: &End, normal: &[Term], must_return: bool) -> Reason<Term> {
    let reason = end.reason();
    let is_orderly = |reason: &Term| !must_return && is_orderly(reason);
    let is_normal = |reason: &Term| normal.iter().any(|tag| is_tagged(reason, tag));
    match end {
        End::Returned { .. } => Reason::Normal,
        End::Struck { .. } => of_own(reason),
        End::Raised {
            class: Class::Exit, ..
        } => match is_orderly(&reason) || is_normal(&reason) {
            true => of_own(reason),
            false => Reason::Crash(reason),
        },
        // The exit reason is `{Raised, StackTrace}`.
        End::Raised {
            reason: raised,
            class: Class::Error,
            ..
        } if is_normal(raised) => of_own(reason),
        End::Raised {
            reason: raised,
            class: Class::Error,
            ..
        } if is_assertion(raised) => Reason::Assertion(reason),
        End::Raised { .. } => Reason::Crash(reason),
    }
}

/// Whether a process exits with the reason of one of these exit signals, which it got. Servers do so when
/// their parent ends.
pub(super) fn passes_on(end: &End, signals: &[Term]) -> bool {
    match end {
        End::Raised {
            class: Class::Exit,
            reason,
            ..
        } => signals.contains(reason),
        _ => false,
    }
}

/// The engine's reason for an exit signal.
pub(super) fn of_signal(reason: Term) -> Reason<Term> {
    match is_atom(&reason, "kill") {
        true => Reason::Kill,
        false => of_own(reason),
    }
}

/// The term that `EXIT` and `DOWN` messages carry.
pub(super) fn term(reason: &Reason<Term>) -> Term {
    match reason {
        Reason::Normal => Atom::NORMAL.into(),
        Reason::Stopped(term) | Reason::Crash(term) | Reason::Assertion(term) => term.clone(),
        Reason::Kill => Term::atom("kill"),
        Reason::Killed => Term::atom("killed"),
        Reason::NoProcess => Term::atom("noproc"),
    }
}

/// The engine's reason for an end that is not a failure.
pub(super) fn of_own(reason: Term) -> Reason<Term> {
    match reason {
        Term::Atom(Atom::NORMAL) => Reason::Normal,
        reason => Reason::Stopped(reason),
    }
}

/// Whether the reason is this term, or a tuple whose first element is this term.
fn is_tagged(reason: &Term, tag: &Term) -> bool {
    match reason {
        Term::Tuple(tuple) if tuple.first() == Some(tag) => true,
        reason => reason == tag,
    }
}

/// Whether the reason is `normal`, `shutdown` or `{shutdown, _}`, which OTP's supervisors do not count
/// as failures.
fn is_orderly(reason: &Term) -> bool {
    match reason {
        Term::Atom(Atom::NORMAL) => true,
        Term::Tuple(tuple) => match &***tuple {
            [tag, _] => is_atom(tag, "shutdown"),
            _ => false,
        },
        reason => is_atom(reason, "shutdown"),
    }
}

/// Whether one of EUnit's macros raised it: `{assertEqual, [{module, …}, {line, …}, …]}` and the like.
pub(super) fn is_assertion(reason: &Term) -> bool {
    let Term::Tuple(tuple) = reason else {
        return false;
    };
    match &***tuple {
        [Term::Atom(macro_name), details @ Term::Cons(_)] => {
            macro_name.name().starts_with("assert")
                && details.elements().any(|detail| match detail {
                    Term::Tuple(pair) => matches!(&***pair, [Term::Atom(Atom::LINE), _]),
                    _ => false,
                })
        }
        _ => false,
    }
}

fn is_atom(term: &Term, name: &str) -> bool {
    matches!(term, Term::Atom(atom) if atom.name() == name)
}
