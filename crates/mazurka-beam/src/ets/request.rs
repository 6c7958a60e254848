//! What processes ask of tables.

use std::rc::Rc;

use super::id::TableId;
use super::options::{Options, Protection};
use super::row::{KeyCall, Kind, Shape};
use crate::bif::arith::trunc;
use crate::meter;
use crate::term::{Atom, Map, Term};

/// A request of a process to a table. Pids are of type `P`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request<P> {
    /// The process.
    pub by: P,
    /// What it asks.
    pub what: What<P>,
}

/// What a process asks of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What<P> {
    /// Create the table.
    Create {
        /// Its identifier.
        table: TableId,
        /// Its options, without the heir.
        options: Rc<Options>,
        /// The process that inherits it, and the data for its message.
        heir: Option<(P, Term)>,
    },
    /// Give the table a name, unless another table has it.
    Bind {
        /// The name.
        name: Atom,
        /// The table.
        table: TableId,
    },
    /// Take the name from the table.
    Unbind {
        /// The name.
        name: Atom,
    },
    /// The table that had this name last.
    Resolve {
        /// The name.
        name: Atom,
    },
    /// Whether the table exists.
    Exists {
        /// The table.
        table: TableId,
    },
    /// The options and the owner of the table.
    Describe {
        /// The table.
        table: TableId,
    },
    /// An operation on the objects with one key.
    Key {
        /// The table.
        table: TableId,
        /// The key, normalised.
        key: Term,
        /// The operation.
        call: KeyCall,
    },
    /// All objects.
    Whole {
        /// The table.
        table: TableId,
        /// The keys that the table may have.
        keys: Rc<[Term]>,
        /// Whether only their number is needed, which no protection hides.
        to_count: bool,
    },
    /// Delete the table.
    Delete {
        /// The table.
        table: TableId,
    },
    /// Change the options that can be changed.
    Change {
        /// The table.
        table: TableId,
        /// The change.
        change: Change<P>,
    },
}

/// A change of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change<P> {
    /// Another name.
    Name(Atom),
    /// Other options.
    Options {
        /// The protection, if it changes.
        protection: Option<Protection>,
        /// The heir and the data for its message, if they change.
        heir: Option<Option<(P, Term)>>,
    },
    /// Another owner.
    Owner(P),
    /// The owner ends: the heir becomes the owner.
    Inherit,
}

impl<P> Request<P> {
    /// The same request in terms of other pids.
    ///
    /// # Errors
    /// `map` does not know a pid.
    pub fn map_pids<Q, E>(self, map: impl Fn(P) -> Result<Q, E>) -> Result<Request<Q>, E> {
        let by = map(self.by)?;
        let heir = |heir: Option<(P, Term)>| match heir {
            Some((pid, data)) => Ok(Some((map(pid)?, data))),
            None => Ok(None),
        };
        let what = match self.what {
            What::Create {
                table,
                options,
                heir: old,
            } => What::Create {
                table,
                options,
                heir: heir(old)?,
            },
            What::Bind { name, table } => What::Bind { name, table },
            What::Unbind { name } => What::Unbind { name },
            What::Resolve { name } => What::Resolve { name },
            What::Exists { table } => What::Exists { table },
            What::Describe { table } => What::Describe { table },
            What::Key { table, key, call } => What::Key { table, key, call },
            What::Whole {
                table,
                keys,
                to_count,
            } => What::Whole {
                table,
                keys,
                to_count,
            },
            What::Delete { table } => What::Delete { table },
            What::Change { table, change } => {
                let change = match change {
                    Change::Name(name) => Change::Name(name),
                    Change::Options {
                        protection,
                        heir: new,
                    } => {
                        let heir = new.map(heir).transpose()?;
                        Change::Options { protection, heir }
                    }
                    Change::Owner(pid) => Change::Owner(map(pid)?),
                    Change::Inherit => Change::Inherit,
                };
                What::Change { table, change }
            }
        };
        Ok(Request { by, what })
    }
}

/// The key by which the objects of a key are found. Keys that are the same in an ordered table have the
/// same one: floats without a fraction become integers.
pub fn normal_key(shape: Shape, key: &Term) -> Term {
    let has_float = |term: &Term| any_part(term, |part| matches!(part, Term::Float(_)));
    match shape.kind == Kind::OrderedSet && has_float(key) {
        true => with_integers(key),
        false => key.clone(),
    }
}

/// Whether a part of a term, outside the keys of maps, is like this.
fn any_part(term: &Term, is: impl Fn(&Term) -> bool) -> bool {
    let mut stack = vec![term];
    while let Some(part) = stack.pop() {
        if is(part) || !meter::may_continue(1) {
            return true;
        }
        match part {
            Term::Tuple(tuple) => stack.extend(tuple.iter()),
            Term::Cons(cons) => stack.extend([&cons.tail, &cons.head]),
            Term::Map(map) => stack.extend(map.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    false
}

/// The term with integers in place of floats without a fraction.
fn with_integers(term: &Term) -> Term {
    enum Work<'t> {
        Visit(&'t Term),
        Tuple(usize),
        Cons,
        Map(&'t Map),
    }
    let mut work = vec![Work::Visit(term)];
    let mut done: Vec<Term> = Vec::new();
    while let Some(next) = work.pop() {
        match next {
            Work::Visit(term @ Term::Float(float)) if float.fract() == 0.0 => {
                done.push(trunc(term).unwrap_or_else(|_| term.clone()));
            }
            Work::Visit(Term::Tuple(tuple)) => {
                work.push(Work::Tuple(tuple.len()));
                work.extend(tuple.iter().rev().map(Work::Visit));
            }
            Work::Visit(Term::Cons(cons)) => {
                work.extend([Work::Cons, Work::Visit(&cons.tail), Work::Visit(&cons.head)]);
            }
            Work::Visit(Term::Map(map)) => {
                work.push(Work::Map(map));
                let values = map.iter().map(|(_, value)| Work::Visit(value));
                work.extend(values);
            }
            Work::Visit(other) => done.push(other.clone()),
            Work::Tuple(len) => {
                let elements = done.split_off(done.len().saturating_sub(len));
                done.push(Term::tuple(elements));
            }
            Work::Cons => {
                let (tail, head) = (done.pop(), done.pop());
                done.extend(head.zip(tail).map(|(head, tail)| Term::cons(head, tail)));
            }
            Work::Map(map) => {
                let values = done.split_off(done.len().saturating_sub(map.len()));
                // The value visited last is that of the first key.
                let entries = map.iter().zip(values.into_iter().rev());
                let entries = entries.map(|((key, _), value)| (key.clone(), value));
                done.push(Term::Map(entries.collect()));
            }
        }
    }
    done.pop().unwrap_or_else(|| term.clone())
}
