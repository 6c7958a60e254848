//! Functions on lists.

use std::collections::HashMap;

use super::{BifResult, boolean, index, proper, size};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Atom, Cons, Term, equal};

table! {
    "erlang" {
        "++"/2 => append,
        "append"/2 => append,
        "--"/2 => subtract,
        "subtract"/2 => subtract,
        "hd"/1 => hd,
        "tl"/1 => tl,
        "length"/1 => length,
    }
    "lists" {
        "keyfind"/3 => keyfind,
        "keymember"/3 => keymember,
        "keysearch"/3 => keysearch,
        "member"/2 => member,
        "reverse"/2 => reverse_onto,
    }
}

fn append(list: &Term, tail: &Term) -> BifResult {
    match proper(list) {
        Some(_) if matches!(tail, Term::Nil) => Ok(list.clone()),
        Some(elements) => {
            meter::spend(elements.len() * size_of::<Cons>())?;
            Ok(Term::list_onto(elements, tail.clone()))
        }
        None => Err(Raise::badarg()),
    }
}

/// Up to this length of `other`, a linear search is used; for more elements, a table is faster.
const SHORT: usize = 8;

/// Each element of `other` removes its first occurrence in `list`.
fn subtract(list: &Term, other: &Term) -> BifResult {
    let (Some(mut elements), Some(mut unwanted)) = (proper(list), proper(other)) else {
        return Err(Raise::badarg());
    };
    if unwanted.is_empty() {
        return Ok(list.clone());
    }
    if unwanted.len() <= SHORT {
        elements.retain(
            |element| match unwanted.iter().position(|unwanted| unwanted == element) {
                Some(found) => {
                    unwanted.swap_remove(found);
                    false
                }
                None => true,
            },
        );
        return Ok(Term::list(elements));
    }
    let mut counts: HashMap<&Term, usize> = HashMap::new();
    for element in &unwanted {
        *counts.entry(element).or_default() += 1;
    }
    elements.retain(|element| match counts.get_mut(element) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    Ok(Term::list(elements))
}

fn hd(list: &Term) -> BifResult {
    match list {
        Term::Cons(cons) => Ok(cons.head.clone()),
        _ => Err(Raise::badarg()),
    }
}

fn tl(list: &Term) -> BifResult {
    match list {
        Term::Cons(cons) => Ok(cons.tail.clone()),
        _ => Err(Raise::badarg()),
    }
}

fn length(list: &Term) -> BifResult {
    let mut elements = list.elements();
    let count = elements.by_ref().count();
    match elements.rest() {
        Term::Nil => Ok(size(count)),
        _ => Err(Raise::badarg()),
    }
}

fn member(wanted: &Term, list: &Term) -> BifResult {
    let mut elements = list.elements();
    if elements.any(|element| element == wanted) {
        return Ok(boolean(true));
    }
    match elements.rest() {
        Term::Nil => Ok(boolean(false)),
        _ => Err(Raise::badarg()),
    }
}

fn reverse_onto(list: &Term, tail: &Term) -> BifResult {
    let mut elements = list.elements();
    let reversed = elements
        .by_ref()
        .fold(tail.clone(), |tail, head| Term::cons(head.clone(), tail));
    match elements.rest() {
        Term::Nil => Ok(reversed),
        _ => Err(Raise::badarg()),
    }
}

fn keyfind(key: &Term, position: &Term, list: &Term) -> BifResult {
    Ok(find(key, position, list)?.map_or(boolean(false), Term::clone))
}

fn keymember(key: &Term, position: &Term, list: &Term) -> BifResult {
    Ok(boolean(find(key, position, list)?.is_some()))
}

fn keysearch(key: &Term, position: &Term, list: &Term) -> BifResult {
    Ok(find(key, position, list)?.map_or(boolean(false), |found| {
        Term::tuple([Atom::new("value").into(), found.clone()])
    }))
}

/// The first tuple with this key, by `==`. Elements that are not tuples, or too short, are skipped.
fn find<'a>(key: &Term, position: &Term, list: &'a Term) -> Result<Option<&'a Term>, Raise> {
    let position = index(position).ok_or_else(Raise::badarg)?;
    let mut elements = list.elements();
    let found = elements.find(|element| match element {
        Term::Tuple(tuple) => tuple.get(position).is_some_and(|other| equal(key, other)),
        _ => false,
    });
    match (found, elements.rest()) {
        (None, rest) if !matches!(rest, Term::Nil) => Err(Raise::badarg()),
        _ => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_subtracted_fast() {
        const COUNT: i64 = 300_000;
        let list = Term::list((0..COUNT).map(Term::Int));
        let other = Term::list((0..COUNT).rev().filter(|n| n % 3 != 0).map(Term::Int));
        let rest = subtract(&list, &other).expect("two lists");
        assert!(rest == Term::list((0..COUNT).filter(|n| n % 3 == 0).map(Term::Int)));
    }

    #[test]
    fn only_first_occurrences_are_removed() {
        let list = |numbers: &[i64]| Term::list(numbers.iter().copied().map(Term::Int));
        let short = subtract(&list(&[1, 2, 1, 3, 1]), &list(&[1, 1, 7]));
        assert_eq!(short.expect("two lists").to_string(), "[2,3,1]");
        let long = subtract(
            &list(&[1, 2, 1, 3, 1]),
            &list(&[1, 1, 7, 8, 9, 10, 11, 12, 13, 14]),
        );
        assert_eq!(long.expect("two lists").to_string(), "[2,3,1]");
    }
}
