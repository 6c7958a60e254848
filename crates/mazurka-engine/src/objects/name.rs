//! Registered names.
//!
//! A name is taken as long as its process is alive. The end of a process frees its name without
//! changing the name object, because every operation on a name also reads the liveness of its process.

use super::{Key, State};
use crate::answer::Answer;
use crate::frontend::{Served, Source};
use crate::ids::PidId;

type ServedName<V> = Served<Key<V>, State<V>, V>;

/// Gives the name to `wanted`, if no living process has it and `wanted` is alive.
pub(super) fn register<V>(
    bearer: Option<PidId>,
    wanted: PidId,
    seen: &[Answer<V>],
) -> ServedName<V> {
    match (bearer, seen) {
        (Some(bearer), []) => Served::Read(Source::Liveness(bearer)),
        (Some(_), [Answer::Bool(true)]) => refused(bearer),
        (None, []) | (Some(_), [_]) => Served::Read(Source::Liveness(wanted)),
        (_, [.., Answer::Bool(true)]) => changed(bearer, Some(wanted)),
        _ => refused(bearer),
    }
}

/// Frees the name, if a living process has it.
pub(super) fn unregister<V>(bearer: Option<PidId>, seen: &[Answer<V>]) -> ServedName<V> {
    match (bearer, seen) {
        (Some(bearer), []) => Served::Read(Source::Liveness(bearer)),
        (Some(_), [Answer::Bool(true)]) => changed(bearer, None),
        _ => refused(bearer),
    }
}

fn changed<V>(old: Option<PidId>, new: Option<PidId>) -> ServedName<V> {
    Served::Done {
        state: State::Name(new),
        answer: Answer::Ok,
        publishes: old != new,
    }
}

fn refused<V>(bearer: Option<PidId>) -> ServedName<V> {
    Served::Done {
        state: State::Name(bearer),
        answer: Answer::Refused,
        publishes: false,
    }
}
