//! Registered names.
//!
//! A process may bear one name only. What name a process was given by another is kept in a table,
//! so that it can be asked for; its own doing it knows by itself.

use mazurka_engine::Operation;

use super::ask::Pending;
use super::native::{Answer, Asking, Context, Next, Row};
use crate::raise::Raise;
use crate::term::{Atom, Pid, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("erlang", "register", 2, register),
    ("erlang", "unregister", 1, unregister),
    ("erlang", "whereis", 1, whereis),
];

/// Names of processes that are part of the machine.
const OWN: [&str; 2] = ["user", "standard_error"];

/// The process that is part of the machine and has this name.
pub(super) fn own(name: Atom) -> Option<Pid> {
    OWN.contains(&name.name()).then(Pid::leader)
}

/// The names that processes were given by others.
fn given(pid: Pid) -> (Term, Term) {
    (Term::atom("registered_name"), Term::Pid(pid))
}

fn register(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let (Term::Atom(name), Term::Pid(pid)) = (&arguments[0], &arguments[1]) else {
        return Err(Raise::badarg());
    };
    let (name, pid) = (*name, *pid);
    if name == Atom::UNDEFINED || own(name).is_some() || pid == Pid::leader() {
        return Err(Raise::badarg());
    }
    match context.process.name {
        // It may have been taken back by another process.
        Some(borne) if pid == context.process.pid => Ok(Next::Ask(
            Operation::WhereIs { name: borne.into() },
            Pending::RegisterUnlessBorne { name, pid },
        )),
        _ => Ok(ask_to_register(name, pid)),
    }
}

fn ask_to_register(name: Atom, pid: Pid) -> Next {
    let operation = Operation::Register {
        name: name.into(),
        pid,
    };
    Next::Ask(operation, Pending::Register { name, pid })
}

/// The process bears a name, or not: may it get another one?
pub(super) fn bears(name: Atom, pid: Pid, answer: &Answer) -> Result<Next, Raise> {
    match answer {
        Answer::Pid(Some(bearer)) if *bearer == pid => Err(Raise::badarg()),
        _ => Ok(ask_to_register(name, pid)),
    }
}

/// The name was given, or refused.
pub(super) fn registered(
    context: &mut Context<'_>,
    name: Atom,
    pid: Pid,
    answer: &Answer,
) -> Result<Next, Raise> {
    if *answer != Answer::Ok {
        return Err(Raise::badarg());
    }
    if pid == context.process.pid {
        context.process.name = Some(name);
        return Ok(Next::Value(Atom::TRUE.into()));
    }
    let (table, key) = given(pid);
    let value = name.into();
    let operation = Operation::Put { table, key, value };
    Ok(Next::Ask(operation, Pending::Return(Atom::TRUE.into())))
}

fn unregister(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Atom(name) = arguments[0] else {
        return Err(Raise::badarg());
    };
    if own(name).is_some() {
        return Err(Raise::badarg());
    }
    if context.process.name == Some(name) {
        context.process.name = None;
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

/// Asks for the name of a process; `value` makes a result of it.
pub(super) fn ask_for_name(context: &Context<'_>, pid: Pid) -> Next {
    match context.process.name {
        Some(name) if pid == context.process.pid => still_bears(name, pid),
        _ => {
            let (table, key) = given(pid);
            Next::Ask(Operation::Get { table, key }, Pending::GivenName { pid })
        }
    }
}

/// Another process may have given this name.
pub(super) fn given_name(pid: Pid, answer: &Answer) -> Next {
    match answer {
        Answer::Value(Some(Term::Atom(name))) => still_bears(*name, pid),
        _ => Next::Value(Term::Nil),
    }
}

fn still_bears(name: Atom, pid: Pid) -> Next {
    let operation = Operation::WhereIs { name: name.into() };
    Next::Ask(operation, Pending::NameIfBorne { name, pid })
}

/// `{registered_name, Name}`, or `[]` if it bears the name no longer.
pub(super) fn name_if_borne(name: Atom, pid: Pid, answer: &Answer) -> Next {
    Next::Value(match answer {
        Answer::Pid(Some(bearer)) if *bearer == pid => {
            Term::tuple([Term::atom("registered_name"), name.into()])
        }
        _ => Term::Nil,
    })
}
