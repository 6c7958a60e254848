//! Shared objects: small deterministic state machines that a front-end brings.

use super::run::Frontend;
use crate::answer::Answer;
use crate::ids::{PidId, PidTable};
use std::fmt;
use std::hash::Hash;

/// The shared objects of a front-end: their states, what processes may ask of them, and how they are
/// shown. `V` is the type of the values that the program sends and stores.
///
/// An operation that changes an object is a *request*: the object serves its requests one at a time,
/// in every order. An operation that changes nothing is a *read*: it sees the latest published
/// version, and reads commute with reads. Operations on different objects commute, so objects should
/// be as small as the conflicts that matter: one per key of a table, not one per table.
///
/// Every function must depend on its arguments only. The engine may call it at any time and any number
/// of times.
pub trait SharedObjects<V> {
    /// Which object.
    type Key: Clone + Eq + Hash + fmt::Debug;
    /// What a process may ask.
    type Operation: Clone + Eq + Hash + fmt::Debug;
    /// The state of an object.
    type State: Clone;

    /// Whether [`is_ready`](Self::is_ready) may refuse a request.
    const MAKES_WAIT: bool = false;

    /// The object that serves this operation or is read by it first.
    fn key(operation: &Self::Operation) -> Self::Key;

    /// Whether this operation changes nothing.
    fn is_read(operation: &Self::Operation) -> bool;

    /// The state of an object before its first request.
    fn initial(key: &Self::Key) -> Self::State;

    /// Whether an object in this state can serve this request now. If not, the request waits until
    /// another one has changed the state: a lock that is held, an empty channel. An object that makes
    /// requests wait sets [`MAKES_WAIT`](Self::MAKES_WAIT). A process that waits for its answer cannot
    /// be interrupted by a signal.
    fn is_ready(
        _key: &Self::Key,
        _state: &Self::State,
        _request: Asked<'_, Self::Operation>,
    ) -> bool {
        true
    }

    /// Serves a request. An object that needs to know whether a process is alive, or the state of
    /// another object, returns [`Served::Read`]; it is called again with everything that it has seen
    /// so far. The last read and the change take effect at one moment. What was read before must be
    /// something that cannot change any more, such as the end of a process. An object cannot read
    /// itself.
    fn serve(
        key: &Self::Key,
        state: &Self::State,
        request: Asked<'_, Self::Operation>,
        seen: &[Answer<V>],
    ) -> Served<Self::Key, Self::State, V>;

    /// What an operation sees of an object in this state. The operation may be a read, or a request to
    /// another object that reads this one.
    fn look(key: &Self::Key, state: &Self::State, operation: &Self::Operation) -> Answer<V>;

    /// The answer of a read that has seen this so far, or what it must read next. All its reads take
    /// effect at one moment. By default it reads the one object of its key and answers what it sees.
    fn read(operation: &Self::Operation, seen: &[Answer<V>]) -> Reading<Self::Key, V>
    where
        V: Clone,
    {
        match seen.last() {
            None => Reading::Read(Source::Object(Self::key(operation))),
            Some(answer) => Reading::Done(answer.clone()),
        }
    }

    /// The name of an object in traces and logs: `table(t)[key]`. Objects are identified and ordered by
    /// their names, so different objects must have different names.
    fn name(key: &Self::Key, show: &Show<'_, V>) -> String;

    /// Whether operations may read the object with this name only because of what the front-end has
    /// [learned](crate::Fault::Again). Then a log may list reads of its initial state that another
    /// exploration does not make, or lack some that it makes.
    fn is_learned(_name: &str) -> bool {
        false
    }

    /// The object as reports show it: `name server`. By default its name.
    fn title(key: &Self::Key, show: &Show<'_, V>) -> String {
        Self::name(key, show)
    }

    /// An operation as text. The object that it is about is shown beside it.
    fn operation(operation: &Self::Operation, show: &Show<'_, V>) -> String;

    /// Whether the object is internal to the front-end, so that reports leave it out unless everything
    /// is asked for.
    fn is_bookkeeping(_key: &Self::Key) -> bool {
        false
    }

    /// The process that an object in this state names, and the name, which reports use for the process.
    fn named_process(
        _key: &Self::Key,
        _state: &Self::State,
        _show: &Show<'_, V>,
    ) -> Option<(PidId, String)> {
        None
    }
}

/// A request of a process.
#[derive(Debug)]
pub struct Asked<'a, O> {
    /// The process that asks and gets the answer.
    pub by: PidId,
    /// What it asks.
    pub operation: &'a O,
}

impl<O> Clone for Asked<'_, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Asked<'_, O> {}

/// What an object does with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Served<K, S, V> {
    /// It must read this first.
    Read(Source<K>),
    /// It answers.
    Done {
        /// Its new state.
        state: S,
        /// The answer.
        answer: Answer<V>,
        /// Whether a read can distinguish the new state from the old one: a new version.
        publishes: bool,
    },
}

/// What a read does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading<K, V> {
    /// It must read this, too.
    Read(Source<K>),
    /// It has its answer.
    Done(Answer<V>),
}

/// What can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source<K> {
    /// Whether a process is alive: [`Answer::Bool`].
    Liveness(PidId),
    /// Another object: what [`SharedObjects::look`] returns for it.
    Object(K),
}

/// How the front-end shows values and processes.
pub struct Show<'a, V> {
    value: &'a dyn Fn(&V) -> String,
    pids: &'a PidTable,
}

impl<'a, V> Show<'a, V> {
    /// Shows values by `value`, and processes by their paths.
    pub fn new(value: &'a dyn Fn(&V) -> String, pids: &'a PidTable) -> Self {
        Show { value, pids }
    }

    /// A value as the user would write it.
    #[must_use]
    pub fn value(&self, value: &V) -> String {
        (self.value)(value)
    }

    /// A process: `P.1`.
    #[must_use]
    pub fn process(&self, pid: PidId) -> String {
        self.pids.name(pid).unwrap_or_default()
    }
}

/// The type for a front-end whose programs have no shared objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoObjects {}

impl<V> SharedObjects<V> for NoObjects {
    type Key = NoObjects;
    type Operation = NoObjects;
    type State = NoObjects;

    fn key(operation: &NoObjects) -> NoObjects {
        *operation
    }

    fn is_read(operation: &NoObjects) -> bool {
        match *operation {}
    }

    fn initial(key: &NoObjects) -> NoObjects {
        *key
    }

    fn serve(
        key: &NoObjects,
        _: &NoObjects,
        _: Asked<'_, NoObjects>,
        _: &[Answer<V>],
    ) -> Served<NoObjects, NoObjects, V> {
        match *key {}
    }

    fn look(key: &NoObjects, _: &NoObjects, _: &NoObjects) -> Answer<V> {
        match *key {}
    }

    fn name(key: &NoObjects, _: &Show<'_, V>) -> String {
        match *key {}
    }

    fn operation(operation: &NoObjects, _: &Show<'_, V>) -> String {
        match *operation {}
    }
}

/// The keys of a front-end's objects.
pub type KeyOf<F> = <<F as Frontend>::Objects as SharedObjects<<F as Frontend>::Value>>::Key;

/// The operations on a front-end's objects.
pub type OperationOf<F> =
    <<F as Frontend>::Objects as SharedObjects<<F as Frontend>::Value>>::Operation;

/// The states of a front-end's objects.
pub type ObjectStateOf<F> =
    <<F as Frontend>::Objects as SharedObjects<<F as Frontend>::Value>>::State;
