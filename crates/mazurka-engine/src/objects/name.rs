//! Registered names.
//!
//! A name is taken as long as its bearer is alive. The end of a process frees its name without
//! changing the name object, because every operation on a name also reads its bearer's liveness.

use super::{Key, State};
use crate::answer::Answer;
use crate::frontend::{Served, Source};
use crate::ids::Pid;

type ServedName<V> = Served<Key<V>, State<V>, V>;

/// Gives the name to `wanted`, if no living process has it and `wanted` is alive.
pub(super) fn register<V>(bearer: Option<Pid>, wanted: Pid, seen: &[Answer<V>]) -> ServedName<V> {
    match (bearer, seen) {
        (Some(bearer), []) => Served::Read(Source::Liveness(bearer)),
        (Some(_), [Answer::Bool(true)]) => refused(bearer),
        (None, []) | (Some(_), [_]) => Served::Read(Source::Liveness(wanted)),
        (_, [.., Answer::Bool(true)]) => changed(bearer, Some(wanted)),
        _ => refused(bearer),
    }
}

/// Frees the name, if a living process has it.
pub(super) fn unregister<V>(bearer: Option<Pid>, seen: &[Answer<V>]) -> ServedName<V> {
    match (bearer, seen) {
        (Some(bearer), []) => Served::Read(Source::Liveness(bearer)),
        (Some(_), [Answer::Bool(true)]) => changed(bearer, None),
        _ => refused(bearer),
    }
}

fn changed<V>(old: Option<Pid>, new: Option<Pid>) -> ServedName<V> {
    Served::Done {
        state: State::Name(new),
        answer: Answer::Ok,
        publishes: old != new,
    }
}

fn refused<V>(bearer: Option<Pid>) -> ServedName<V> {
    Served::Done {
        state: State::Name(bearer),
        answer: Answer::Refused,
        publishes: false,
    }
}
