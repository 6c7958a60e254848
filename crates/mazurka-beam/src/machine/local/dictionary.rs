//! The process dictionary.
//!
//! The real machine orders its entries by hash; here they are ordered by key.

use crate::machine::native::{Context, Local, Row};
use crate::raise::Raise;
use crate::term::{Atom, Map, Term};

pub(super) const TABLE: &[Row<Local>] = &[
    ("erlang", "get", 0, all),
    ("erlang", "get", 1, get),
    ("erlang", "get_keys", 0, keys),
    ("erlang", "get_keys", 1, keys_of),
    ("erlang", "put", 2, put),
    ("erlang", "erase", 0, erase_all),
    ("erlang", "erase", 1, erase),
];

fn all(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    let entries = context.process.dictionary.iter();
    let entries = entries.map(|(key, value)| Term::tuple([key.clone(), value.clone()]));
    Ok(Term::list(entries.collect::<Vec<_>>()))
}

fn get(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    Ok(value_of(&context.process.dictionary, &arguments[0]))
}

fn keys(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    let keys = context
        .process
        .dictionary
        .iter()
        .map(|(key, _)| key.clone());
    Ok(Term::list(keys.collect::<Vec<_>>()))
}

fn keys_of(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let entries = context.process.dictionary.iter();
    let keys = entries
        .filter(|(_, value)| **value == arguments[0])
        .map(|(key, _)| key.clone());
    Ok(Term::list(keys.collect::<Vec<_>>()))
}

fn put(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let dictionary = &mut context.process.dictionary;
    let old = value_of(dictionary, &arguments[0]);
    *dictionary = dictionary.insert(arguments[0].clone(), arguments[1].clone());
    Ok(old)
}

fn erase_all(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let old = all(context, arguments);
    context.process.dictionary = Map::new();
    old
}

fn erase(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let dictionary = &mut context.process.dictionary;
    let old = value_of(dictionary, &arguments[0]);
    *dictionary = dictionary.remove(&arguments[0]);
    Ok(old)
}

fn value_of(dictionary: &Map, key: &Term) -> Term {
    let value = dictionary.get(key).cloned();
    value.unwrap_or(Term::Atom(Atom::UNDEFINED))
}
