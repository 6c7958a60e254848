//! The environment of applications: what their `.app` files and `application:set_env` set.
//!
//! Applications are not started. Every application whose `.app` file is on the code path counts as
//! loaded.

use mazurka_engine::Operation;

use super::Pending;
use super::native::{Answer, Asking, Context, Next, Row};
use crate::code::Library;
use crate::raise::Raise;
use crate::term::{Atom, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("application", "get_env", 1, get_own_env),
    ("application", "get_env", 2, get_env),
    ("application", "get_env", 3, get_env_or_default),
    ("application", "set_env", 3, set_env),
    ("application", "set_env", 4, set_env),
    ("application", "unset_env", 2, unset_env),
    ("application", "unset_env", 3, unset_env),
    ("application", "get_key", 2, get_key),
];

/// A variable of the environment of an application, and what to return if it has no value.
#[derive(Clone, Debug)]
pub struct Variable {
    application: Term,
    key: Term,
    /// The value to return; if there is none, `undefined`, and otherwise `{ok, Value}`.
    default: Option<Term>,
}

/// The key of the table of variables that were set or unset.
fn entry(application: &Term, key: &Term) -> (Term, Term) {
    let key = Term::tuple([application.clone(), key.clone()]);
    (Term::atom("$application_env"), key)
}

/// No process belongs to an application.
fn get_own_env(_: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    Ok(Next::Value(Atom::UNDEFINED.into()))
}

fn get_env(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    Ok(look_up(arguments, None))
}

fn get_env_or_default(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    Ok(look_up(arguments, Some(arguments[2].clone())))
}

fn look_up(arguments: &[Term], default: Option<Term>) -> Next {
    let (table, key) = entry(&arguments[0], &arguments[1]);
    let variable = Variable {
        application: arguments[0].clone(),
        key: arguments[1].clone(),
        default,
    };
    let operation = Operation::Get { table, key };
    Next::Ask(operation, Pending::Variable(Box::new(variable)))
}

/// Returns the value of a variable: the one that was set, or the one in the `.app` file. The answer is
/// a list with the value that was set, or an empty one if the variable was unset.
pub(super) fn looked_up(context: &Context<'_>, variable: Variable, answer: &Answer) -> Next {
    let value = match answer {
        Answer::Value(Some(set)) => set.elements().next().cloned(),
        _ => from_file(context.library, &variable.application, &variable.key),
    };
    Next::Value(match (value, variable.default) {
        (Some(value), None) => Term::tuple([Atom::OK.into(), value]),
        (Some(value), Some(_)) => value,
        (None, Some(default)) => default,
        (None, None) => Atom::UNDEFINED.into(),
    })
}

fn set_env(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    Ok(set(arguments, Term::list([arguments[2].clone()])))
}

fn unset_env(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    Ok(set(arguments, Term::Nil))
}

fn set(arguments: &[Term], value: Term) -> Next {
    let (table, key) = entry(&arguments[0], &arguments[1]);
    let operation = Operation::Put { table, key, value };
    Next::Ask(operation, Pending::Return(Atom::OK.into()))
}

/// Items of an `.app` file that are empty lists if they are left out.
const LISTS: [&str; 8] = [
    "description",
    "id",
    "vsn",
    "modules",
    "registered",
    "applications",
    "included_applications",
    "env",
];

fn get_key(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Atom(key) = arguments[1] else {
        return Ok(Next::Value(Atom::UNDEFINED.into()));
    };
    if key.name() == "env" {
        return Ok(Next::Unsupported("application:get_key(_, env)".to_owned()));
    }
    let value = properties(context.library, &arguments[0]).and_then(|properties| {
        let left_out = || LISTS.contains(&key.name()).then_some(Term::Nil);
        find(&properties, &arguments[1]).or_else(left_out)
    });
    Ok(Next::Value(match value {
        Some(value) => Term::tuple([Atom::OK.into(), value]),
        None => Atom::UNDEFINED.into(),
    }))
}

fn properties(library: &Library, application: &Term) -> Option<Term> {
    match application {
        Term::Atom(name) => library.application(*name),
        _ => None,
    }
}

fn from_file(library: &Library, application: &Term, key: &Term) -> Option<Term> {
    let environment = find(&properties(library, application)?, &Term::atom("env"))?;
    find(&environment, key)
}

/// The value of a key in a list of pairs.
fn find(pairs: &Term, key: &Term) -> Option<Term> {
    pairs.elements().find_map(|pair| match pair {
        Term::Tuple(pair) => match &***pair {
            [name, value] if name == key => Some(value.clone()),
            _ => None,
        },
        _ => None,
    })
}
