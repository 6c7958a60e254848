//! Which messages a receive takes.

use crate::message::Incoming;
use crate::runner::History;
use std::any::TypeId;
use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::Location;
use std::rc::{Rc, Weak};

/// Which messages a receive takes, and its text.
#[derive(Clone)]
pub struct Constraint(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    /// None: a sleep.
    Nothing,
    /// Those that this clause accepts, which depends on nothing but the message.
    Pure(Box<dyn Clause>),
    /// Those that the waiting process accepts when it is asked, because its guard uses variables of
    /// the process.
    Asked(Rc<Asked>),
}

/// The process to ask.
pub(crate) struct Asked {
    /// The history in which the process waits. Weak: the history owns the constraint.
    pub history: RefCell<Weak<History>>,
    text: Text,
}

/// A test of messages without variables: a box of it takes no memory, and equal types are equal
/// clauses.
pub(crate) trait Clause {
    fn id(&self) -> TypeId;
    fn accepts(&self, message: &Incoming) -> bool;
    fn text(&self) -> Text;
    fn copy(&self) -> Box<dyn Clause>;
}

impl Clone for Box<dyn Clause> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

/// A clause made of a function, and its text.
struct Function<A, T>(A, T);

impl<A, T> Clause for Function<A, T>
where
    A: Fn(&Incoming) -> bool + Copy + 'static,
    T: Fn() -> Text + Copy + 'static,
{
    fn id(&self) -> TypeId {
        TypeId::of::<A>()
    }

    fn accepts(&self, message: &Incoming) -> bool {
        (self.0)(message)
    }

    fn text(&self) -> Text {
        (self.1)()
    }

    fn copy(&self) -> Box<dyn Clause> {
        Box::new(Function(self.0, self.1))
    }
}

/// The text of a constraint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// As in the source.
    Source(&'static str),
    /// Any message of this type.
    Type(&'static str),
    /// A message of this type that satisfies the condition there.
    When(&'static str, &'static Location<'static>),
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Text::Source(text) => f.write_str(text),
            Text::Type(name) => write!(f, "{}", short(name)),
            Text::When(name, at) => {
                let (file, line) = (at.file(), at.line());
                write!(
                    f,
                    "{} that satisfies the condition at {file}:{line}",
                    short(name)
                )
            }
        }
    }
}

/// The name of a type without paths: `Vec<Key>` for `alloc::vec::Vec<store::Key>`.
pub(crate) fn short(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    for part in name.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_' && c != ':') {
        short.push_str(part.rsplit("::").next().unwrap_or(part));
    }
    short
}

impl Constraint {
    /// Satisfied by no message.
    pub(crate) const NOTHING: Constraint = Constraint(Kind::Nothing);

    /// Satisfied by the messages that this function accepts. The function must not capture anything.
    pub(crate) fn pure<A, T>(accepts: A, text: T) -> Self
    where
        A: Fn(&Incoming) -> bool + Copy + 'static,
        T: Fn() -> Text + Copy + 'static,
    {
        const {
            assert!(
                size_of::<A>() == 0,
                "it would depend on more than the message"
            )
        };
        Constraint(Kind::Pure(Box::new(Function(accepts, text))))
    }

    /// Satisfied by the messages that the waiting process accepts when it is asked.
    pub(crate) fn asked(text: Text) -> Self {
        Constraint(Kind::Asked(Rc::new(Asked {
            history: RefCell::default(),
            text,
        })))
    }

    /// Whether both have the same text in the source, as those of two runs of one process must.
    #[inline]
    pub(crate) fn looks_like(&self, other: &Constraint) -> bool {
        match (&self.0, &other.0) {
            (Kind::Nothing, Kind::Nothing) => true,
            (Kind::Pure(a), Kind::Pure(b)) => a.id() == b.id(),
            (Kind::Asked(a), Kind::Asked(b)) => a.text == b.text,
            _ => false,
        }
    }
}

/// Equal constraints take the same messages. Those that ask a process are equal only if they
/// ask it in the same history.
impl PartialEq for Constraint {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Kind::Nothing, Kind::Nothing) => true,
            (Kind::Pure(a), Kind::Pure(b)) => a.id() == b.id(),
            (Kind::Asked(a), Kind::Asked(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for Constraint {}

impl Hash for Constraint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Kind::Nothing => 0.hash(state),
            Kind::Pure(clause) => clause.id().hash(state),
            Kind::Asked(asked) => Rc::as_ptr(asked).hash(state),
        }
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Nothing => f.write_str("nothing"),
            Kind::Pure(clause) => write!(f, "{}", clause.text()),
            Kind::Asked(asked) => write!(f, "{}", asked.text),
        }
    }
}
