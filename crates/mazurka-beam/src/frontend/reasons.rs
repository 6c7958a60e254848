//! Why processes end: their terms, and what that means to the engine.

use mazurka_engine::Reason;

use crate::machine::End;
use crate::raise::Class;
use crate::term::{Atom, Term};

/// The reason of a process's end, where exits for these reasons are no failures. One that must
/// return may not even exit with a normal reason.
pub(super) fn of_end(end: &End, normal: &[Term], must_return: bool) -> Reason<Term> {
    let reason = end.reason();
    let is_orderly = |reason: &Term| !must_return && is_orderly(reason);
    match end {
        End::Returned { .. } => Reason::Normal,
        End::Struck { .. } => of_own(reason),
        End::Raised {
            class: Class::Exit, ..
        } => match is_orderly(&reason) || normal.iter().any(|tag| is_tagged(&reason, tag)) {
            true => of_own(reason),
            false => Reason::Crash(reason),
        },
        End::Raised {
            reason: raised,
            class: Class::Error,
            ..
        } if is_assertion(raised) => Reason::Assertion(reason),
        End::Raised { .. } => Reason::Crash(reason),
    }
}

/// The reason that an exit signal brings.
pub(super) fn of_signal(reason: Term) -> Reason<Term> {
    match is_atom(&reason, "kill") {
        true => Reason::Kill,
        false => of_own(reason),
    }
}

/// The term that links and monitors are told.
pub(super) fn term(reason: &Reason<Term>) -> Term {
    match reason {
        Reason::Normal => Atom::NORMAL.into(),
        Reason::Stopped(term) | Reason::Crash(term) | Reason::Assertion(term) => term.clone(),
        Reason::Kill => Term::atom("kill"),
        Reason::Killed => Term::atom("killed"),
        Reason::NoProcess => Term::atom("noproc"),
    }
}

/// An end on purpose.
fn of_own(reason: Term) -> Reason<Term> {
    match reason {
        Term::Atom(Atom::NORMAL) => Reason::Normal,
        reason => Reason::Stopped(reason),
    }
}

/// This term, or a tuple that begins with it.
fn is_tagged(reason: &Term, tag: &Term) -> bool {
    match reason {
        Term::Tuple(tuple) if tuple.first() == Some(tag) => true,
        reason => reason == tag,
    }
}

/// `normal`, `shutdown` or `{shutdown, _}`: as OTP's supervisors see it, nothing is wrong.
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

/// What EUnit's macros raise: `{assertEqual, [{module, …}, {line, …}, …]}` and the like.
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
