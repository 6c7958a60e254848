//! Registered names.
//!
//! A process may bear one name only. Which one it was given last is kept in a table, so that it can
//! be asked for; whether it still bears that name, or ever got it, the name itself says.
//!
//! The real machine takes one step for what takes several here. Those that others come between are
//! more than can happen; what can happen is among them, with nothing in between.

use mazurka_engine::Operation;

use super::ask::Pending;
use super::info::Inquiry;
use super::native::{Answer, Asking, Context, Next, Row};
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("erlang", "register", 2, register),
    ("erlang", "unregister", 1, unregister),
    ("erlang", "whereis", 1, whereis),
    ("erlang", "registered", 0, registered),
];

/// Names of processes that are part of the machine.
const OWN: [&str; 2] = ["user", "standard_error"];

/// The process that is part of the machine and has this name.
pub(super) fn own(name: Atom) -> Option<PidTerm> {
    OWN.contains(&name.name()).then(PidTerm::leader)
}

/// The name of a process that is part of the machine.
pub(super) fn of_own(pid: PidTerm) -> Option<Term> {
    (pid == PidTerm::leader()).then(|| Term::atom(OWN[0]))
}

/// The place of the name that a process was given last.
fn given(pid: PidTerm) -> (Term, Term) {
    (Term::atom("$registered_name"), Term::Pid(pid))
}

/// The names that were ever given, in a table by number, and how many there are. They are only kept
/// for programs that ask: then registering two names does not commute.
fn all_given(number: i64) -> (Term, Term) {
    (Term::atom("$registered"), Term::Int(number))
}

fn all_given_count() -> Term {
    Term::atom("$registered")
}

fn register(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let (Term::Atom(name), Term::Pid(pid)) = (&arguments[0], &arguments[1]) else {
        return Err(Raise::badarg());
    };
    let (name, pid) = (*name, *pid);
    if name == Atom::UNDEFINED || own(name).is_some() || pid == PidTerm::leader() {
        return Err(Raise::badarg());
    }
    let (table, key) = given(pid);
    let operation = Operation::Get { table, key };
    Ok(Next::Ask(
        operation,
        Pending::RegisterUnlessNamed { name, pid },
    ))
}

/// A process was given a name before, or not: may it get this one?
pub(super) fn register_unless_named(name: Atom, pid: PidTerm, answer: &Answer) -> Next {
    match answer {
        Answer::Value(Some(borne)) => Next::Ask(
            Operation::WhereIs {
                name: borne.clone(),
            },
            Pending::RegisterUnlessBorne { name, pid },
        ),
        _ => note(name, pid),
    }
}

/// The process bears another name, or no longer.
pub(super) fn register_unless_borne(
    name: Atom,
    pid: PidTerm,
    answer: &Answer,
) -> Result<Next, Raise> {
    match answer {
        Answer::Pid(Some(bearer)) if *bearer == pid => Err(Raise::badarg()),
        _ => Ok(note(name, pid)),
    }
}

/// Before the name is given: who asks in between is told that it is not.
fn note(name: Atom, pid: PidTerm) -> Next {
    let (table, key) = given(pid);
    let value = name.into();
    let operation = Operation::Put { table, key, value };
    Next::Ask(operation, Pending::Register { name, pid })
}

pub(super) fn register_noted(context: &Context<'_>, name: Atom, pid: PidTerm) -> Next {
    let pending = match context.library.lists_names() {
        true => Pending::ListName(name),
        false => Pending::Granted,
    };
    let name = name.into();
    Next::Ask(Operation::Register { name, pid }, pending)
}

/// The name was given, or refused. If it was, it comes to the others.
pub(super) fn list_name(name: Atom, answer: &Answer) -> Result<Next, Raise> {
    if *answer != Answer::Ok {
        return Err(Raise::badarg());
    }
    let operation = Operation::Add {
        counter: all_given_count(),
        amount: 1,
    };
    Ok(Next::Ask(operation, Pending::ListNameAt(name)))
}

/// This is its number.
pub(super) fn list_name_at(name: Atom, number: i64) -> Next {
    let (table, key) = all_given(number);
    let value = name.into();
    let operation = Operation::Put { table, key, value };
    Next::Ask(operation, Pending::Return(Atom::TRUE.into()))
}

fn registered(context: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    if !context.library.lists_names() {
        return Ok(Next::Unsupported(
            "registered/0 outside of the modules that are checked by name".to_owned(),
        ));
    }
    let operation = Operation::Count {
        counter: all_given_count(),
    };
    let first = Listing {
        found: OWN.iter().map(|name| Term::atom(name)).collect(),
        left: 0,
    };
    Ok(Next::Ask(operation, Pending::Listing(first)))
}

/// The names that processes bear, as far as they have been found.
#[derive(Clone, Debug)]
pub struct Listing {
    found: Vec<Term>,
    /// How many numbers are still to be looked at.
    left: i64,
}

impl Listing {
    /// So many names were given.
    pub(super) fn counted(mut self, count: i64) -> Next {
        self.left = count;
        self.look()
    }

    fn look(self) -> Next {
        match self.left {
            ..=0 => Next::Value(Term::list(self.found)),
            left => {
                let (table, key) = all_given(left);
                Next::Ask(Operation::Get { table, key }, Pending::Listing(self))
            }
        }
    }

    /// This is the name of that number; nothing if it is still on its way.
    pub(super) fn named(mut self, name: Option<Term>) -> Next {
        match name {
            Some(name) if !self.found.contains(&name) => {
                let operation = Operation::WhereIs { name: name.clone() };
                Next::Ask(operation, Pending::Listed(self, name))
            }
            _ => {
                self.left -= 1;
                self.look()
            }
        }
    }

    /// Somebody bears that name, or nobody.
    pub(super) fn borne(mut self, name: Term, is_borne: bool) -> Next {
        if is_borne {
            self.found.push(name);
        }
        self.left -= 1;
        self.look()
    }
}

fn unregister(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Atom(name) = arguments[0] else {
        return Err(Raise::badarg());
    };
    if own(name).is_some() {
        return Err(Raise::badarg());
    }
    let operation = Operation::Unregister { name: name.into() };
    Ok(Next::Ask(operation, Pending::Granted))
}

fn whereis(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Atom(name) = arguments[0] else {
        return Err(Raise::badarg());
    };
    match own(name) {
        Some(pid) => Ok(Next::Value(Term::Pid(pid))),
        None => Ok(Next::Ask(
            Operation::WhereIs { name: name.into() },
            Pending::WhereIs,
        )),
    }
}

/// Asks for the name of a process, for `process_info`.
pub(super) fn ask_for_name(inquiry: Inquiry) -> Next {
    let (table, key) = given(inquiry.of());
    Next::Ask(Operation::Get { table, key }, Pending::GivenName(inquiry))
}

/// A process was given a name, or not.
pub(super) fn given_name(context: &mut Context<'_>, inquiry: Inquiry, answer: &Answer) -> Next {
    match answer {
        Answer::Value(Some(Term::Atom(name))) => {
            let operation = Operation::WhereIs {
                name: (*name).into(),
            };
            let name = *name;
            Next::Ask(operation, Pending::NameIfBorne { name, inquiry })
        }
        _ => inquiry.tell(context, Term::Nil),
    }
}

/// A process has this name, if it still bears it.
pub(super) fn name_if_borne(
    context: &mut Context<'_>,
    name: Atom,
    inquiry: Inquiry,
    answer: &Answer,
) -> Next {
    match answer {
        Answer::Pid(Some(bearer)) if *bearer == inquiry.of() => {
            inquiry.tell_of_living(context, name.into())
        }
        _ => inquiry.tell(context, Term::Nil),
    }
}
