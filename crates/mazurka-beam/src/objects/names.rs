//! `registered/0`: reads every name that a process may have, and the liveness of its process, at one
//! moment.

use mazurka_engine::objects::{Key as StandardKey, State};
use mazurka_engine::{Answer, Reading, Source};

use super::Key;
use crate::term::Term;

/// The object that is read first. Every read needs one: if no process may have a name, it is that of a
/// name that none can have.
pub(super) fn first(names: &[Term]) -> Key {
    key(names.first().unwrap_or(&Term::Nil))
}

fn key(name: &Term) -> Key {
    Key::Standard(StandardKey::Name(name.clone()))
}

/// The process that had a name last.
pub(super) fn look(state: &State<Term>) -> Answer<Term> {
    match state {
        State::Name(bearer) => Answer::Pid(*bearer),
        _ => Answer::Pid(None),
    }
}

/// The names whose processes are alive, or what must be read next.
pub(super) fn read(names: &[Term], seen: &[Answer<Term>]) -> Reading<Key, Term> {
    if names.is_empty() && seen.is_empty() {
        return Reading::Read(Source::Object(first(names)));
    }
    let mut seen = seen.iter();
    let mut registered = Vec::new();
    for name in names {
        match seen.next() {
            None => return Reading::Read(Source::Object(key(name))),
            Some(Answer::Pid(Some(bearer))) => match seen.next() {
                None => return Reading::Read(Source::Liveness(*bearer)),
                Some(Answer::Bool(true)) => registered.push(name.clone()),
                Some(_) => {}
            },
            Some(_) => {}
        }
    }
    Reading::Done(Answer::Value(Some(Term::list(registered))))
}
