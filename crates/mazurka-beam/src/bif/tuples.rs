//! Functions on tuples.

use super::{BifResult, index, proper, size};
use crate::meter;
use crate::raise::Raise;
use crate::term::Term;

table! {
    "erlang" {
        "append_element"/2 => append_element,
        "delete_element"/2 => delete_element,
        "element"/2 => element,
        "insert_element"/3 => insert_element,
        "list_to_tuple"/1 => list_to_tuple,
        "make_tuple"/2 => make_tuple,
        "make_tuple"/3 => make_tuple_with,
        "setelement"/3 => setelement,
        "tuple_size"/1 => tuple_size,
        "tuple_to_list"/1 => tuple_to_list,
    }
}

/// The size of OTP's largest tuples.
const ELEMENTS_MAX: usize = (1 << 24) - 1;

fn elements(tuple: &Term) -> Result<&[Term], Raise> {
    match tuple {
        Term::Tuple(tuple) => Ok(tuple),
        _ => Err(Raise::badarg()),
    }
}

/// Converts a position to an index into a tuple of this length.
fn place(position: &Term, length: usize) -> Result<usize, Raise> {
    match index(position) {
        Some(index) if index < length => Ok(index),
        _ => Err(Raise::badarg()),
    }
}

fn append_element(tuple: &Term, element: &Term) -> BifResult {
    let old = elements(tuple)?;
    if old.len() >= ELEMENTS_MAX {
        return Err(Raise::badarg());
    }
    Ok(Term::tuple(old.iter().chain([element]).cloned()))
}

fn delete_element(position: &Term, tuple: &Term) -> BifResult {
    let old = elements(tuple)?;
    let place = place(position, old.len())?;
    let (before, after) = (&old[..place], &old[place + 1..]);
    Ok(Term::tuple(before.iter().chain(after).cloned()))
}

fn element(position: &Term, tuple: &Term) -> BifResult {
    let elements = elements(tuple)?;
    Ok(elements[place(position, elements.len())?].clone())
}

fn insert_element(position: &Term, tuple: &Term, element: &Term) -> BifResult {
    let old = elements(tuple)?;
    let place = place(position, old.len() + 1)?;
    if old.len() >= ELEMENTS_MAX {
        return Err(Raise::badarg());
    }
    let (before, after) = old.split_at(place);
    Ok(Term::tuple(
        before.iter().chain([element]).chain(after).cloned(),
    ))
}

fn list_to_tuple(list: &Term) -> BifResult {
    match proper(list) {
        Some(elements) if elements.len() <= ELEMENTS_MAX => Ok(Term::tuple(elements)),
        _ => Err(Raise::badarg()),
    }
}

fn make_tuple(length: &Term, element: &Term) -> BifResult {
    Ok(Term::tuple(initial(length, element)?))
}

/// The list contains pairs of a position and an element. Later pairs take precedence.
fn make_tuple_with(length: &Term, element: &Term, list: &Term) -> BifResult {
    let mut elements = initial(length, element)?;
    for pair in proper(list).ok_or_else(Raise::badarg)? {
        let Term::Tuple(pair) = &pair else {
            return Err(Raise::badarg());
        };
        let [position, element] = &***pair else {
            return Err(Raise::badarg());
        };
        let place = place(position, elements.len())?;
        elements[place] = element.clone();
    }
    Ok(Term::tuple(elements))
}

fn initial(length: &Term, element: &Term) -> Result<Vec<Term>, Raise> {
    match length {
        Term::Int(length) => match usize::try_from(*length) {
            Ok(length) if length <= ELEMENTS_MAX => {
                meter::spend(length * size_of::<Term>())?;
                Ok(vec![element.clone(); length])
            }
            _ => Err(Raise::badarg()),
        },
        _ => Err(Raise::badarg()),
    }
}

fn setelement(position: &Term, tuple: &Term, element: &Term) -> BifResult {
    let mut new = elements(tuple)?.to_vec();
    let place = place(position, new.len())?;
    new[place] = element.clone();
    Ok(Term::tuple(new))
}

fn tuple_size(tuple: &Term) -> BifResult {
    Ok(size(elements(tuple)?.len()))
}

fn tuple_to_list(tuple: &Term) -> BifResult {
    Ok(Term::list(elements(tuple)?.iter().cloned()))
}
