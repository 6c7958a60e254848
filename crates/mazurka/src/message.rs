//! Messages: ordinary values, and the runtime's `Exit` and `Down` messages about ended processes.

use crate::identity::{self, Identity, IdentityOf};
use crate::shown::{show, show_as};
use crate::{Pid, stage};
use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A type whose values can be sent: it can be cloned, compared and printed.
///
/// Your own types need only `#[derive(Clone, Debug, PartialEq)]`. A message is delivered as it was
/// sent, never replaced by another one that is equal to it. Equality serves one purpose: when a
/// process is run again, its messages are compared with those that it sent before. A message that is
/// not equal to itself, such as `f64::NAN`, is then compared by its `Debug` text.
///
/// Names and keys of shared objects need more: see [`Key`]. If equal messages of a type cannot be
/// distinguished, [`interchangeable`](crate::interchangeable) makes checks faster.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be sent as a message",
    label = "not a message",
    note = "a message needs `#[derive(Clone, Debug, PartialEq)]` and must own its data"
)]
pub trait Message: Clone + fmt::Debug + PartialEq + 'static {}

impl<T: Clone + fmt::Debug + PartialEq + 'static> Message for T {}

/// A type whose values can name processes, tables and counters, and be keys of tables: a [`Message`]
/// that is also `Eq` and `Hash`. As in a `HashMap`, equal keys are the same key.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a name or a key",
    label = "not a key",
    note = "a key needs `#[derive(Clone, Debug, PartialEq, Eq, Hash)]` and must own its data"
)]
pub trait Key: Message + Eq + Hash {}

impl<T: Message + Eq + Hash> Key for T {}

/// A message of some type. Values are equal if their messages are.
#[derive(Clone)]
pub struct Value(Rc<dyn Dynamic>);

impl Value {
    /// Wraps a message.
    #[must_use]
    pub fn new<T: Message>(message: T) -> Value {
        Value(Rc::new(Held {
            message: Some(message),
            identity: identity::of_type::<T>(),
        }))
    }

    /// Wraps a key. The engine treats equal keys as the same value.
    pub(crate) fn key<T: Key>(key: T) -> Value {
        Value(Rc::new(Held {
            message: Some(key),
            identity: identity::by_content::<T>,
        }))
    }

    /// The message, if it is of this type.
    #[must_use]
    pub fn get<T: Message>(&self) -> Option<T> {
        self.look().cloned()
    }

    /// Whether it is equal to this message.
    #[must_use]
    pub fn is<T: Message>(&self, message: &T) -> bool {
        self.look().is_some_and(|own| are_alike(own, message))
    }

    /// The message, borrowed, if it is of this type.
    fn look<T: Message>(&self) -> Option<&T> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref::<Held<T>>()?.message.as_ref()
    }

    /// The name of the message's type.
    pub(crate) fn type_name(&self) -> &'static str {
        self.0.type_name()
    }

    /// Its text for reports.
    pub(crate) fn show(&self) -> String {
        show_as(self, self.type_name())
    }
}

/// Whether two messages are equal. Those that are not equal to themselves are compared by their text.
pub(crate) fn are_alike<T: Message>(one: &T, other: &T) -> bool {
    #[expect(
        clippy::eq_op,
        reason = "numbers with a fraction have a value like that"
    )]
    let is_odd = |message: &T| message != message;
    one == other || (is_odd(one) && is_odd(other) && show(one) == show(other))
}

/// A message. Processes get clones of it. What its destructor does is not recorded.
struct Held<T> {
    /// `None` only while it is dropped.
    message: Option<T>,
    /// What it is compared by in the engine, if not by its address.
    identity: IdentityOf,
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        stage::discard(self.message.take());
    }
}

/// [`Message`] without knowing the type.
trait Dynamic: Any {
    fn equals(&self, other: &Value) -> bool;
    fn identity(&self) -> Option<Identity<'_>>;
    fn type_name(&self) -> &'static str;
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: Message> Dynamic for Held<T> {
    fn equals(&self, other: &Value) -> bool {
        self.message.as_ref().is_some_and(|own| other.is(own))
    }

    fn identity(&self) -> Option<Identity<'_>> {
        (self.identity)(self.message.as_ref()?)
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<T>()
    }

    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => message.fmt(f),
            None => Ok(()),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0.equals(other)
    }
}

impl Eq for Value {}

/// Equal values are of the same type; messages need not be `Hash`.
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let any: &dyn Any = &*self.0;
        any.type_id().hash(state);
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

/// A value as the engine compares it: equal only to itself, unless its type's equality is known to
/// be complete, or it is a key.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Original(pub(crate) Value);

impl Original {
    fn identity(&self) -> Identity<'_> {
        let Value(value) = &self.0;
        let address = Rc::as_ptr(value).cast::<()>();
        value.identity().unwrap_or(Identity::Address(address))
    }
}

impl PartialEq for Original {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0.0, &other.0.0) || self.identity() == other.identity()
    }
}

impl Eq for Original {}

impl Hash for Original {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

/// Why a process ended, or why it should.
pub type Reason = mazurka_engine::Reason<Value>;

/// The message that a process which [traps exits](crate::trap_exit) gets instead of an exit signal
/// that would end it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Exit {
    /// The sender of the signal.
    pub from: Pid,
    /// Why that process ended, or the reason that it passed to [`signal`](crate::signal).
    pub reason: Reason,
}

/// The message that reports the end of a [monitored](crate::monitor) process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Down {
    /// The monitor that it belongs to.
    pub monitor: Monitor,
    /// Why the process ended.
    pub reason: Reason,
}

/// A reference to a monitor: one process watches another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    /// The monitored process.
    pub of: Pid,
    /// Distinguishes the monitors of one watcher.
    pub(crate) reference: u64,
}

impl Monitor {
    /// For tests of the library itself.
    #[doc(hidden)]
    #[must_use]
    pub fn numbered(of: Pid, reference: u64) -> Monitor {
        Monitor { of, reference }
    }
}

/// What a receive takes: a message of the program, or one about another process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub enum Incoming {
    User(Value),
    Exit(Rc<Exit>),
    Down(Rc<Down>),
}

impl Incoming {
    /// The message, if it is of this type.
    #[must_use]
    pub fn get<T: Message>(&self) -> Option<T> {
        self.look().cloned()
    }

    /// The message, borrowed, if it is of this type.
    pub(crate) fn look<T: Message>(&self) -> Option<&T> {
        let seen = match self {
            Incoming::User(value) => value.look(),
            Incoming::Exit(exit) => as_message(&**exit),
            Incoming::Down(down) => as_message(&**down),
        };
        LOOKED.set(LOOKED.get() || seen.is_some());
        seen
    }
}

fn as_message<T: Message>(news: &dyn Any) -> Option<&T> {
    news.downcast_ref()
}

thread_local! {
    /// Whether a receive has downcast a message to the message's own type.
    static LOOKED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the receive that `decide` runs has a clause for messages of the message's type.
pub(crate) fn has_looked(decide: impl FnOnce()) -> bool {
    LOOKED.set(false);
    decide();
    LOOKED.get()
}
