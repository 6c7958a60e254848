//! The shared objects of Erlang programs: names of processes and persistent terms, which are the
//! engine's, and tables.
//!
//! | module | content |
//! | --- | --- |
//! | `table` | tables: their existence, names, keys |
//! | `names` | reading all names at one moment |
//! | `known` | the keys that tables may have, and the names that processes may have |
//! | `show` | how tables and operations on them are shown |

mod known;
mod names;
mod show;
mod table;

pub use known::{Known, Learned};
pub use table::{Party, TableKey, TableState};

use std::rc::Rc;

use mazurka_engine::objects::{self as standard, Standard};
use mazurka_engine::{
    Answer, Asked, Operation as StandardOperation, PidId, Reading, Served, SharedObjects, Show,
    Source,
};

use crate::ets::Request;
use crate::term::Term;

/// The shared objects of Erlang programs.
#[derive(Clone, Copy, Debug)]
pub enum Objects {}

/// Which object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A name, a persistent term or a counter.
    Standard(standard::Key<Term>),
    /// A part of a table.
    Table(TableKey),
}

/// What a process asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Of a name, a persistent term or a counter.
    Standard(StandardOperation<Term>),
    /// Of a table.
    Table(Request<Party>),
    /// Which of these names processes have.
    Names(Rc<[Term]>),
}

/// The state of an object.
#[derive(Clone, Debug)]
pub enum State {
    /// Of a name, a persistent term or a counter.
    Standard(standard::State<Term>),
    /// Of a part of a table.
    Table(TableState),
}

impl SharedObjects<Term> for Objects {
    type Key = Key;
    type Operation = Operation;
    type State = State;

    fn key(operation: &Operation) -> Key {
        match operation {
            Operation::Standard(operation) => Key::Standard(Standard::key(operation)),
            Operation::Table(request) => Key::Table(table::key(request)),
            Operation::Names(names) => names::first(names),
        }
    }

    fn is_read(operation: &Operation) -> bool {
        match operation {
            Operation::Standard(operation) => <Standard as SharedObjects<Term>>::is_read(operation),
            Operation::Table(request) => table::is_read(request),
            Operation::Names(_) => true,
        }
    }

    fn initial(key: &Key) -> State {
        match key {
            Key::Standard(key) => State::Standard(Standard::initial(key)),
            Key::Table(key) => State::Table(table::initial(key)),
        }
    }

    fn serve(
        key: &Key,
        state: &State,
        Asked { by, operation }: Asked<'_, Operation>,
        seen: &[Answer<Term>],
    ) -> Served<Key, State, Term> {
        match (key, state, operation) {
            (Key::Standard(key), State::Standard(state), Operation::Standard(operation)) => {
                match Standard::serve(key, state, Asked { by, operation }, seen) {
                    Served::Read(source) => Served::Read(source_of(source, Key::Standard)),
                    Served::Done {
                        state,
                        answer,
                        publishes,
                    } => Served::Done {
                        state: State::Standard(state),
                        answer,
                        publishes,
                    },
                }
            }
            (Key::Table(_), State::Table(state), Operation::Table(request)) => {
                match table::serve(state, request, seen) {
                    Served::Read(source) => Served::Read(source_of(source, Key::Table)),
                    Served::Done {
                        state,
                        answer,
                        publishes,
                    } => Served::Done {
                        state: State::Table(state),
                        answer,
                        publishes,
                    },
                }
            }
            _ => unreachable!("not a request to this object: {operation:?}"),
        }
    }

    fn look(key: &Key, state: &State, operation: &Operation) -> Answer<Term> {
        match (key, state, operation) {
            (Key::Standard(key), State::Standard(state), Operation::Standard(operation)) => {
                Standard::look(key, state, operation)
            }
            (Key::Table(_), State::Table(state), Operation::Table(request)) => {
                table::look(state, request)
            }
            (Key::Standard(_), State::Standard(state), Operation::Names(_)) => names::look(state),
            _ => unreachable!("not a read of this object: {operation:?}"),
        }
    }

    fn read(operation: &Operation, seen: &[Answer<Term>]) -> Reading<Key, Term> {
        match operation {
            Operation::Standard(operation) => match Standard::read(operation, seen) {
                Reading::Read(source) => Reading::Read(source_of(source, Key::Standard)),
                Reading::Done(answer) => Reading::Done(answer),
            },
            Operation::Table(request) => match table::read(request, seen) {
                Reading::Read(source) => Reading::Read(source_of(source, Key::Table)),
                Reading::Done(answer) => Reading::Done(answer),
            },
            Operation::Names(names) => names::read(names, seen),
        }
    }

    fn name(key: &Key, show: &Show<'_, Term>) -> String {
        match key {
            Key::Standard(key) => match show::global(key) {
                Some(name) => format!("global({})", show.value(name)),
                None => Standard::name(key, show),
            },
            Key::Table(key) => show::name(key, show),
        }
    }

    /// The keys of tables and the names of processes are learned.
    fn is_learned(name: &str) -> bool {
        show::is_cell(name) || name.starts_with("name(")
    }

    fn title(key: &Key, show: &Show<'_, Term>) -> String {
        match key {
            Key::Standard(key) => match show::global(key) {
                Some(name) => format!("global name {}", show.value(name)),
                None => Standard::title(key, show),
            },
            Key::Table(key) => show::name(key, show),
        }
    }

    fn operation(operation: &Operation, show: &Show<'_, Term>) -> String {
        match operation {
            Operation::Standard(operation) => Standard::operation(operation, show),
            Operation::Table(request) => show::operation(request, show),
            Operation::Names(_) => "registered()".into(),
        }
    }

    fn is_bookkeeping(key: &Key) -> bool {
        match key {
            Key::Standard(key) => <Standard as SharedObjects<Term>>::is_bookkeeping(key),
            Key::Table(_) => false,
        }
    }

    fn named_process(key: &Key, state: &State, show: &Show<'_, Term>) -> Option<(PidId, String)> {
        match (key, state) {
            (Key::Standard(key), State::Standard(state)) => {
                let (pid, text) = Standard::named_process(key, state, show)?;
                let global = show::global(key).map(|name| show.value(name));
                Some((pid, global.unwrap_or(text)))
            }
            _ => None,
        }
    }
}

fn source_of<K>(source: Source<K>, key: impl FnOnce(K) -> Key) -> Source<Key> {
    match source {
        Source::Liveness(pid) => Source::Liveness(pid),
        Source::Object(object) => Source::Object(key(object)),
    }
}
