//! Which messages a receive takes.

use crate::history::History;
use crate::message::Incoming;
use std::any::TypeId;
use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::Location;
use std::rc::{Rc, Weak};

/// Which messages a receive takes, and how that reads.
#[derive(Clone)]
pub struct Constraint {
    pub(crate) kind: Kind,
    pub(crate) text: Text,
}

/// How a constraint reads.
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

/// `Vec<Key>` of `alloc::vec::Vec<store::Key>`.
fn short(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    for part in name.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_' && c != ':') {
        short.push_str(part.rsplit("::").next().unwrap_or(part));
    }
    short
}

#[derive(Clone)]
pub(crate) enum Kind {
    /// None: a sleep.
    Nothing,
    /// Those that this function accepts, which depends on nothing but the message. Equal
    /// types are equal functions.
    Pure(TypeId, Box<dyn Accepts>),
    /// Those that the process says it takes when it is asked. It is asked where it waits,
    /// because what it takes depends on what it has in its hands.
    Asked(Rc<Asked>),
}

/// Whom to ask.
#[derive(Default)]
pub(crate) struct Asked {
    /// The history in which the process waits. It has the constraint, not the other way round.
    pub history: RefCell<Weak<History>>,
}

/// A function without variables of its own; a box of it is nothing.
pub(crate) trait Accepts {
    fn accepts(&self, message: &Incoming) -> bool;
    fn copy(&self) -> Box<dyn Accepts>;
}

impl<F: Fn(&Incoming) -> bool + Copy + 'static> Accepts for F {
    fn accepts(&self, message: &Incoming) -> bool {
        self(message)
    }

    fn copy(&self) -> Box<dyn Accepts> {
        Box::new(*self)
    }
}

impl Clone for Box<dyn Accepts> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

impl Constraint {
    /// The one that no message satisfies.
    pub(crate) const NOTHING: Constraint = Constraint {
        kind: Kind::Nothing,
        text: Text::Source("nothing"),
    };

    /// What this function accepts. It must not have captured anything.
    pub(crate) fn pure<F: Fn(&Incoming) -> bool + Copy + 'static>(f: F, text: Text) -> Self {
        const {
            assert!(
                size_of::<F>() == 0,
                "it would depend on more than the message"
            )
        };
        Constraint {
            kind: Kind::Pure(TypeId::of::<F>(), Box::new(f)),
            text,
        }
    }

    /// What the process says when it is asked.
    pub(crate) fn asked(text: Text) -> Self {
        Constraint {
            kind: Kind::Asked(Rc::default()),
            text,
        }
    }

    /// Whether both look the same in the source: what one process shows when it is run twice.
    pub(crate) fn looks_like(&self, other: &Constraint) -> bool {
        let same = match (&self.kind, &other.kind) {
            (Kind::Nothing, Kind::Nothing) | (Kind::Asked(_), Kind::Asked(_)) => true,
            (Kind::Pure(a, _), Kind::Pure(b, _)) => a == b,
            _ => false,
        };
        same && self.text == other.text
    }
}

/// Equal constraints take the same messages. Those that ask a process are equal only if they
/// ask it in the same history.
impl PartialEq for Constraint {
    fn eq(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Nothing, Kind::Nothing) => true,
            (Kind::Pure(a, _), Kind::Pure(b, _)) => a == b,
            (Kind::Asked(a), Kind::Asked(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for Constraint {}

impl Hash for Constraint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.kind {
            Kind::Nothing => 0.hash(state),
            Kind::Pure(id, _) => id.hash(state),
            Kind::Asked(asked) => Rc::as_ptr(asked).hash(state),
        }
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)
    }
}
