//! Functions on maps.

use super::{BifResult, boolean, size, small};
use crate::raise::Raise;
use crate::term::{Atom, Map, Term};

table! {
    "erlang" {
        "is_map_key"/2 => is_map_key,
        "map_get"/2 => get,
        "map_size"/1 => map_size,
    }
    "erts_internal" {
        "map_next"/3 => map_next,
    }
    "maps" {
        "find"/2 => find,
        "from_keys"/2 => from_keys,
        "from_list"/1 => from_list,
        "get"/2 => get,
        "is_key"/2 => is_map_key,
        "keys"/1 => keys,
        "merge"/2 => merge,
        "put"/3 => put,
        "remove"/2 => remove,
        "take"/2 => take,
        "update"/3 => update,
        "values"/1 => values,
    }
}

/// The size of the real machine's largest flat maps; larger ones are trees.
const FLAT_MAX: usize = 32;

fn map(term: &Term) -> Result<&Map, Raise> {
    match term {
        Term::Map(map) => Ok(map),
        _ => Err(Raise::error_with(Atom::new("badmap"), term.clone())),
    }
}

fn badkey(key: &Term) -> Raise {
    Raise::error_with(Atom::new("badkey"), key.clone())
}

fn is_map_key(key: &Term, term: &Term) -> BifResult {
    Ok(boolean(map(term)?.contains_key(key)))
}

fn map_size(term: &Term) -> BifResult {
    Ok(size(map(term)?.len()))
}

fn get(key: &Term, term: &Term) -> BifResult {
    match map(term)?.get(key) {
        Some(value) => Ok(value.clone()),
        None => Err(badkey(key)),
    }
}

fn find(key: &Term, term: &Term) -> BifResult {
    Ok(match map(term)?.get(key) {
        Some(value) => Term::tuple([Atom::OK.into(), value.clone()]),
        None => Atom::ERROR.into(),
    })
}

fn from_keys(list: &Term, value: &Term) -> BifResult {
    let mut keys = list.elements();
    let map: Map = keys
        .by_ref()
        .map(|key| (key.clone(), value.clone()))
        .collect();
    match keys.rest() {
        Term::Nil => Ok(map.into()),
        _ => Err(Raise::badarg()),
    }
}

fn from_list(list: &Term) -> BifResult {
    let mut map = Map::new();
    let mut elements = list.elements();
    for element in elements.by_ref() {
        match element {
            Term::Tuple(pair) if pair.len() == 2 => {
                map = map.insert(pair[0].clone(), pair[1].clone());
            }
            _ => return Err(Raise::badarg()),
        }
    }
    match elements.rest() {
        Term::Nil => Ok(map.into()),
        _ => Err(Raise::badarg()),
    }
}

fn keys(term: &Term) -> BifResult {
    let keys: Vec<Term> = map(term)?.iter().map(|(key, _)| key.clone()).collect();
    Ok(Term::list(keys))
}

fn values(term: &Term) -> BifResult {
    let values: Vec<Term> = map(term)?.iter().map(|(_, value)| value.clone()).collect();
    Ok(Term::list(values))
}

/// Values of the second map take precedence. The smaller map is added to the larger one.
fn merge(one: &Term, other: &Term) -> BifResult {
    let (one, other) = (map(one)?, map(other)?);
    let merged = if one.len() <= other.len() {
        let missing = one.iter().filter(|(key, _)| !other.contains_key(key));
        missing.fold(other.clone(), |map, (key, value)| {
            map.insert(key.clone(), value.clone())
        })
    } else {
        other.iter().fold(one.clone(), |map, (key, value)| {
            map.insert(key.clone(), value.clone())
        })
    };
    Ok(merged.into())
}

fn put(key: &Term, value: &Term, term: &Term) -> BifResult {
    Ok(map(term)?.insert(key.clone(), value.clone()).into())
}

fn remove(key: &Term, term: &Term) -> BifResult {
    let map = map(term)?;
    if map.contains_key(key) {
        Ok(map.remove(key).into())
    } else {
        Ok(term.clone())
    }
}

fn take(key: &Term, term: &Term) -> BifResult {
    let map = map(term)?;
    Ok(match map.get(key) {
        Some(value) => Term::tuple([value.clone(), map.remove(key).into()]),
        None => Atom::ERROR.into(),
    })
}

fn update(key: &Term, value: &Term, term: &Term) -> BifResult {
    let map = map(term)?;
    if map.contains_key(key) {
        Ok(map.insert(key.clone(), value.clone()).into())
    } else {
        Err(badkey(key))
    }
}

/// The next entries of an iteration. `position` is the number of entries before them; it is opaque
/// to programs. If `form` is `iterator`, the result is `{Key, Value, Rest}`, where `Rest` is of the
/// same form, or `none`, or `[Position | Map]` if more entries follow. If `form` is a list, the
/// result is all remaining pairs, followed by that list.
fn map_next(position: &Term, term: &Term, form: &Term) -> BifResult {
    let position = small(position).and_then(|position| usize::try_from(position).ok());
    let (Some(position), Term::Map(map)) = (position, term) else {
        return Err(Raise::badarg());
    };
    if position > map.len() {
        return Err(Raise::badarg());
    }
    // Small maps are always returned as a whole.
    let first = if map.len() <= FLAT_MAX { 0 } else { position };
    match form {
        Term::Atom(form) if form.name() == "iterator" => {
            let entries: Vec<_> = map.iter_from(first).take(FLAT_MAX).collect();
            let next = first.saturating_add(entries.len());
            let rest = if next < map.len() {
                Term::cons(size(next), term.clone())
            } else {
                Term::atom("none")
            };
            Ok(entries.into_iter().rfold(rest, |rest, (key, value)| {
                Term::tuple([key.clone(), value.clone(), rest])
            }))
        }
        Term::Nil | Term::Cons(_) => {
            let pairs: Vec<Term> = map
                .iter_from(first)
                .map(|(key, value)| Term::tuple([key.clone(), value.clone()]))
                .collect();
            Ok(Term::list_onto(pairs, form.clone()))
        }
        _ => Err(Raise::badarg()),
    }
}
