//! Messages: ordinary values, and what the runtime tells about processes that ended.

use crate::{Pid, stage};
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// What can be sent: any type that can be cloned, compared, hashed and shown.
///
/// `#[derive(Clone, Debug, PartialEq, Eq, Hash)]` is all that a type of your own needs. Equal
/// messages are the same to an exploration, which is why they must be comparable. A number
/// with a fraction is not; send its bits, or a type that wraps it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be sent as a message",
    label = "not a message",
    note = "a message needs `#[derive(Clone, Debug, PartialEq, Eq, Hash)]` and must own its data"
)]
pub trait Message: Clone + fmt::Debug + Eq + Hash + 'static {}

impl<T: Clone + fmt::Debug + Eq + Hash + 'static> Message for T {}

/// A message of some type.
#[derive(Clone)]
pub struct Value(Rc<dyn Dynamic>);

impl Value {
    /// Wraps a message.
    #[must_use]
    pub fn new<T: Message>(message: T) -> Value {
        Value(Rc::new(Held(Some(message))))
    }

    /// The message, if it is of this type.
    #[must_use]
    pub fn get<T: Message>(&self) -> Option<T> {
        self.look().cloned()
    }

    /// Whether it is this message.
    #[must_use]
    pub fn is<T: Message>(&self, message: &T) -> bool {
        self.look() == Some(message)
    }

    /// A look at it, if it is of this type.
    fn look<T: Message>(&self) -> Option<&T> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref::<Held<T>>()?.0.as_ref()
    }
}

/// A message. Processes get clones of it; that it is dropped at last is nobody's business.
struct Held<T>(Option<T>);

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        stage::discard(self.0.take());
    }
}

/// [`Message`] without knowing the type.
trait Dynamic: Any {
    fn equals(&self, other: &Value) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: Message> Dynamic for Held<T> {
    fn equals(&self, other: &Value) -> bool {
        other.look() == self.0.as_ref()
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        if let Some(message) = &self.0 {
            message.hash(&mut state);
        }
    }

    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
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

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

/// Why a process ended, or why it should.
pub type Reason = mazurka_engine::Reason<Value>;

/// The message that a process which [traps exits](crate::trap_exit) gets instead of being
/// struck by an exit signal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Exit {
    /// Whose signal it is.
    pub from: Pid,
    /// Why that process ended, or what it gave as the reason.
    pub reason: Reason,
}

/// The message that a [monitored](crate::monitor) process has ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Down {
    /// The monitor that it answers.
    pub monitor: Monitor,
    /// Why the process ended.
    pub reason: Reason,
}

/// One process watches another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    /// The process watched.
    pub of: Pid,
    /// Tells the monitors of one watcher apart.
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

/// What a receive sees: a message, or news of another process.
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

    /// A look at it, if it is of this type.
    pub(crate) fn look<T: Message>(&self) -> Option<&T> {
        let news: &dyn Any = match self {
            Incoming::User(value) => return value.look(),
            Incoming::Exit(exit) => &**exit,
            Incoming::Down(down) => &**down,
        };
        news.downcast_ref()
    }
}
