//! Persistent terms: a table that all processes share.

use mazurka_engine::Operation;

use super::Pending;
use super::native::{Answer, Asking, Context, Next, Row};
use crate::raise::Raise;
use crate::term::{Atom, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("persistent_term", "get", 1, get),
    ("persistent_term", "get", 2, get_or_default),
    ("persistent_term", "put", 2, put),
    ("persistent_term", "erase", 1, erase),
];

fn table() -> Term {
    Term::atom("persistent_term")
}

/// Terms that the real machine stores at startup and never changes. Reading them is not a visible
/// operation.
fn constant(key: &Term, release: u32) -> Option<Term> {
    let Term::Tuple(pair) = key else {
        return None;
    };
    let [Term::Atom(module), item] = &***pair else {
        return None;
    };
    match (module.name(), item) {
        ("erl_features", Term::Atom(item)) => match item.name() {
            "init_done" => Some(Atom::TRUE.into()),
            // Since OTP 27 `maybe` is enabled by default.
            "enabled_features" | "keywords" if release < 27 => Some(Term::Nil),
            "enabled_features" => Some(Term::list([Term::atom("maybe_expr")])),
            "keywords" => Some(Term::list(["maybe", "else"].map(Term::atom))),
            _ => None,
        },
        // Nothing is logged at any level.
        ("logger_config", _) => Some(Term::Int(-1)),
        _ => None,
    }
}

fn get(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    Ok(look_up(context, &arguments[0], None))
}

fn get_or_default(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    Ok(look_up(context, &arguments[0], Some(arguments[1].clone())))
}

fn look_up(context: &Context<'_>, key: &Term, default: Option<Term>) -> Next {
    if let Some(value) = constant(key, context.library.release()) {
        return Next::Value(value);
    }
    let operation = Operation::Get {
        table: table(),
        key: key.clone(),
    };
    Next::Ask(operation, Pending::PersistentTerm { default })
}

/// Returns the value that was looked up, or the default.
pub(super) fn looked_up(default: Option<Term>, answer: Answer) -> Result<Next, Raise> {
    match answer {
        Answer::Value(value) => {
            let value = value.or(default).ok_or_else(Raise::badarg)?;
            Ok(Next::Value(value))
        }
        _ => Err(Raise::badarg()),
    }
}

fn put(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    if constant(&arguments[0], context.library.release()).is_some() {
        return Ok(Next::Value(Atom::OK.into()));
    }
    let operation = Operation::Put {
        table: table(),
        key: arguments[0].clone(),
        value: arguments[1].clone(),
    };
    Ok(Next::Ask(operation, Pending::Return(Atom::OK.into())))
}

fn erase(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let operation = Operation::Take {
        table: table(),
        key: arguments[0].clone(),
    };
    Ok(Next::Ask(operation, Pending::Existed))
}

/// Returns whether the erased key had a value.
pub(super) fn existed(answer: &Answer) -> Next {
    let existed = matches!(answer, Answer::Value(Some(_)));
    Next::Value(Atom::bool(existed).into())
}
