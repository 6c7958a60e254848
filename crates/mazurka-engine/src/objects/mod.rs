//! Names of processes, tables and counters: shared objects that front-ends can use as they are.
//!
//! | module | content |
//! | --- | --- |
//! | `operation` | [`Operation`]: what processes may ask |
//! | `name` | a name is bound as long as its process is alive |

mod name;
mod operation;

pub use operation::Operation;

use crate::answer::Answer;
use crate::frontend::{Asked, Reading, Served, SharedObjects, Show, Source};
use crate::ids::PidId;
use std::fmt;
use std::hash::Hash;

/// Names of processes, tables and counters.
#[derive(Clone, Copy, Debug)]
pub enum Standard {}

/// Which name, key of a table, or counter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key<V> {
    /// One registered name.
    Name(V),
    /// One key of one table.
    Cell {
        /// The table's name.
        table: V,
        /// The key in it.
        key: V,
    },
    /// One counter.
    Counter(V),
}

/// The state of a name, of a key of a table, or of a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State<V> {
    /// The process that was registered last and not unregistered. It may have ended.
    Name(Option<PidId>),
    /// The value of a key of a table.
    Cell(Option<V>),
    /// A count.
    Counter(i64),
}

impl<V: Clone + Eq + Hash + fmt::Debug> SharedObjects<V> for Standard {
    type Key = Key<V>;
    type Operation = Operation<V>;
    type State = State<V>;

    fn key(operation: &Operation<V>) -> Key<V> {
        match operation {
            Operation::Register { name, .. }
            | Operation::Unregister { name }
            | Operation::WhereIs { name } => Key::Name(name.clone()),
            Operation::Put { table, key, .. }
            | Operation::PutNew { table, key, .. }
            | Operation::Take { table, key }
            | Operation::Get { table, key } => Key::Cell {
                table: table.clone(),
                key: key.clone(),
            },
            Operation::Add { counter, .. }
            | Operation::Advance { counter, .. }
            | Operation::Exchange { counter, .. }
            | Operation::CompareExchange { counter, .. }
            | Operation::Count { counter } => Key::Counter(counter.clone()),
        }
    }

    fn is_read(operation: &Operation<V>) -> bool {
        matches!(
            operation,
            Operation::WhereIs { .. } | Operation::Get { .. } | Operation::Count { .. }
        )
    }

    fn initial(key: &Key<V>) -> State<V> {
        match key {
            Key::Name(_) => State::Name(None),
            Key::Cell { .. } => State::Cell(None),
            Key::Counter(_) => State::Counter(0),
        }
    }

    fn serve(
        _: &Key<V>,
        state: &State<V>,
        request: Asked<'_, Operation<V>>,
        seen: &[Answer<V>],
    ) -> Served<Key<V>, State<V>, V> {
        match (state, request.operation) {
            (State::Name(bearer), Operation::Register { pid, .. }) => {
                name::register(*bearer, *pid, seen)
            }
            (State::Name(bearer), Operation::Unregister { .. }) => name::unregister(*bearer, seen),
            (State::Cell(old), Operation::Put { value, .. }) => {
                cell(old, Some(value.clone()), Answer::Ok)
            }
            (State::Cell(old), Operation::PutNew { value, .. }) => {
                let new = old.clone().or_else(|| Some(value.clone()));
                cell(old, new, Answer::Bool(old.is_none()))
            }
            (State::Cell(old), Operation::Take { .. }) => {
                cell(old, None, Answer::Value(old.clone()))
            }
            (State::Counter(count), Operation::Add { amount, .. }) => {
                let new = count.wrapping_add(*amount);
                counter(*count, new, new)
            }
            (State::Counter(count), Operation::Advance { least, .. }) => {
                let new = count.saturating_add(1).max(*least);
                counter(*count, new, new)
            }
            (State::Counter(old), Operation::Exchange { count, .. }) => counter(*old, *count, *old),
            (
                State::Counter(old),
                Operation::CompareExchange {
                    expected, count, ..
                },
            ) => {
                let new = if old == expected { *count } else { *old };
                counter(*old, new, *old)
            }
            (_, other) => unreachable!("not a request to this object: {other:?}"),
        }
    }

    fn look(_: &Key<V>, state: &State<V>, _: &Operation<V>) -> Answer<V> {
        match state {
            State::Name(bearer) => Answer::Pid(*bearer),
            State::Cell(value) => Answer::Value(value.clone()),
            State::Counter(count) => Answer::Int(*count),
        }
    }

    fn read(operation: &Operation<V>, seen: &[Answer<V>]) -> Reading<Key<V>, V> {
        match seen {
            [] => Reading::Read(Source::Object(Self::key(operation))),
            // A registered process counts only while it is alive.
            [Answer::Pid(Some(bearer))] => Reading::Read(Source::Liveness(*bearer)),
            [Answer::Pid(bearer), Answer::Bool(alive)] => {
                Reading::Done(Answer::Pid(bearer.filter(|_| *alive)))
            }
            [.., last] => Reading::Done(last.clone()),
        }
    }

    fn name(key: &Key<V>, show: &Show<'_, V>) -> String {
        match key {
            Key::Name(name) => format!("name({})", show.value(name)),
            Key::Cell { table, key } => {
                format!("table({})[{}]", show.value(table), show.value(key))
            }
            Key::Counter(counter) => format!("counter({})", show.value(counter)),
        }
    }

    fn title(key: &Key<V>, show: &Show<'_, V>) -> String {
        let plain = |value| show.value(value).trim_matches('"').to_owned();
        match key {
            Key::Name(name) => format!("name {}", show.value(name)),
            Key::Cell { table, key } => format!("{}[{}]", plain(table), plain(key)),
            Key::Counter(counter) => format!("counter {}", show.value(counter)),
        }
    }

    fn operation(operation: &Operation<V>, show: &Show<'_, V>) -> String {
        match operation {
            Operation::Register { name, pid } => {
                format!("register({}, {})", show.value(name), show.process(*pid))
            }
            Operation::Unregister { name } => format!("unregister({})", show.value(name)),
            Operation::WhereIs { name } => format!("whereis({})", show.value(name)),
            Operation::Put { value, .. } => format!("put({})", show.value(value)),
            Operation::PutNew { value, .. } => format!("put_new({})", show.value(value)),
            Operation::Take { .. } => "take".into(),
            Operation::Get { .. } => "get".into(),
            Operation::Add { amount, .. } => format!("add({amount})"),
            Operation::Advance { least, .. } => format!("advance({least})"),
            Operation::Exchange { count, .. } => format!("exchange({count})"),
            Operation::CompareExchange {
                expected, count, ..
            } => format!("compare_exchange({expected}, {count})"),
            Operation::Count { .. } => "count".into(),
        }
    }

    fn named_process(
        key: &Key<V>,
        state: &State<V>,
        show: &Show<'_, V>,
    ) -> Option<(PidId, String)> {
        match (key, state) {
            (Key::Name(name), State::Name(bearer)) => Some(((*bearer)?, show.value(name))),
            _ => None,
        }
    }
}

fn cell<V: Eq>(old: &Option<V>, new: Option<V>, answer: Answer<V>) -> Served<Key<V>, State<V>, V> {
    Served::Done {
        publishes: *old != new,
        state: State::Cell(new),
        answer,
    }
}

fn counter<V>(old: i64, new: i64, answer: i64) -> Served<Key<V>, State<V>, V> {
    Served::Done {
        publishes: old != new,
        state: State::Counter(new),
        answer: Answer::Int(answer),
    }
}
