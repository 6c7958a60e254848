//! Global names. There is one node, so they are a second table of names.
//!
//! The name of a process that has ended is free at once. On the real machine, the name server first
//! has to learn of the end.

use mazurka_engine::Operation;

use super::Pending;
use super::native::{Asking, Context, Next, Row};
use crate::raise::{Class, Raise};
use crate::term::{Atom, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("global", "register_name", 2, register),
    ("global", "register_name", 3, register),
    ("global", "unregister_name", 1, unregister),
    ("global", "whereis_name", 1, whereis),
    ("global", "send", 2, send),
];

/// Distinguishes global names from local ones, which are atoms.
const TAG: &str = "$global";

/// The name of the shared object.
fn name(global: &Term) -> Term {
    Term::tuple([Term::atom(TAG), global.clone()])
}

/// The global name that a shared object is called by.
pub fn global_name(name: &Term) -> Option<&Term> {
    let Term::Tuple(pair) = name else { return None };
    match &***pair {
        [Term::Atom(tag), global] if tag.name() == TAG => Some(global),
        _ => None,
    }
}

fn register(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Pid(pid) = arguments[1] else {
        return Err(Raise::error(Atom::FUNCTION_CLAUSE));
    };
    let name = name(&arguments[0]);
    let operation = Operation::Register { name, pid };
    Ok(Next::Ask(operation, Pending::YesOrNo))
}

fn unregister(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let name = name(&arguments[0]);
    let operation = Operation::Unregister { name };
    Ok(Next::Ask(operation, Pending::Return(Atom::OK.into())))
}

fn whereis(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let name = name(&arguments[0]);
    Ok(Next::Ask(Operation::WhereIs { name }, Pending::WhereIs))
}

fn send(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let name = name(&arguments[0]);
    let pending = Pending::SendGlobally(arguments[0].clone(), arguments[1].clone());
    Ok(Next::Ask(Operation::WhereIs { name }, pending))
}

/// The exit of a send to a name that no process has.
pub(super) fn nobody(name: Term, message: Term) -> Raise {
    let call = Term::tuple([name, message]);
    Raise {
        class: Class::Exit,
        reason: Term::tuple([Atom::BADARG.into(), call]),
    }
}
