//! Type tests.

use std::cmp::Ordering;

use super::{BifResult, boolean, small};
use crate::raise::Raise;
use crate::term::{Atom, Term, compare};

table! {
    "erlang" {
        "is_atom"/1 => is_atom,
        "is_binary"/1 => is_binary,
        "is_bitstring"/1 => is_bitstring,
        "is_boolean"/1 => is_boolean,
        "is_float"/1 => is_float,
        "is_function"/1 => is_function,
        "is_function"/2 => is_function_of,
        "is_integer"/1 => is_integer,
        "is_integer"/3 => is_integer_within,
        "is_list"/1 => is_list,
        "is_map"/1 => is_map,
        "is_number"/1 => is_number,
        "is_pid"/1 => is_pid,
        "is_port"/1 => is_port,
        "is_record"/1 => is_native_record,
        "is_record"/2 => is_record,
        "is_record"/3 => is_record_of,
        "is_reference"/1 => is_reference,
        "is_tuple"/1 => is_tuple,
    }
}

fn is_atom(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Atom(_))))
}

fn is_binary(term: &Term) -> BifResult {
    Ok(boolean(
        matches!(term, Term::Bits(bits) if bits.is_binary()),
    ))
}

fn is_bitstring(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Bits(_))))
}

fn is_boolean(term: &Term) -> BifResult {
    Ok(boolean(matches!(
        term,
        Term::Atom(Atom::TRUE | Atom::FALSE)
    )))
}

fn is_float(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Float(_))))
}

fn is_function(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Fun(_))))
}

fn is_function_of(term: &Term, arity: &Term) -> BifResult {
    match arity {
        Term::Int(arity @ 0..) => Ok(boolean(
            matches!(term, Term::Fun(fun) if i64::from(fun.arity()) == *arity),
        )),
        Term::Big(_) if compare(arity, &Term::Int(0)).is_gt() => Ok(boolean(false)),
        _ => Err(Raise::badarg()),
    }
}

fn is_integer(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Int(_) | Term::Big(_))))
}

fn is_integer_within(term: &Term, least: &Term, most: &Term) -> BifResult {
    let integer = |term: &Term| matches!(term, Term::Int(_) | Term::Big(_));
    if !integer(least) || !integer(most) {
        return Err(Raise::badarg());
    }
    Ok(boolean(
        integer(term)
            && compare(least, term) != Ordering::Greater
            && compare(term, most) != Ordering::Greater,
    ))
}

fn is_list(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Nil | Term::Cons(_))))
}

fn is_map(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Map(_))))
}

fn is_number(term: &Term) -> BifResult {
    Ok(boolean(matches!(
        term,
        Term::Int(_) | Term::Big(_) | Term::Float(_)
    )))
}

fn is_pid(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Pid(_))))
}

fn is_port(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Port(_))))
}

/// Always false: native records (OTP 29) are not supported, so no term is one.
fn is_native_record(_: &Term) -> BifResult {
    Ok(boolean(false))
}

fn is_record(term: &Term, tag: &Term) -> BifResult {
    if !matches!(tag, Term::Atom(_)) {
        return Err(Raise::badarg());
    }
    Ok(boolean(
        matches!(term, Term::Tuple(tuple) if tuple.first() == Some(tag)),
    ))
}

fn is_record_of(term: &Term, tag: &Term, size: &Term) -> BifResult {
    let (Term::Atom(_), Some(size)) = (tag, small(size)) else {
        return Err(Raise::badarg());
    };
    Ok(boolean(matches!(
        term,
        Term::Tuple(tuple) if tuple.len() as i64 == size && tuple.first() == Some(tag)
    )))
}

/// [`is_record_of`] since OTP 29: if both arguments are atoms, it tests for a native record with
/// this module and name.
pub(super) fn is_record_of_either_kind(term: &Term, tag: &Term, size: &Term) -> BifResult {
    match (tag, size) {
        (Term::Atom(_), Term::Atom(_)) => is_native_record(term),
        _ => is_record_of(term, tag, size),
    }
}

fn is_reference(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Reference(_))))
}

fn is_tuple(term: &Term) -> BifResult {
    Ok(boolean(matches!(term, Term::Tuple(_))))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;

    #[test]
    fn integers_within_bounds() {
        let check = |term: Term, least: Term, most: Term, expected: &str| {
            let text = match is_integer_within(&term, &least, &most) {
                Ok(answer) => answer.to_string(),
                Err(raise) => raise.reason.to_string(),
            };
            assert_eq!(text, expected);
        };
        check(1.into(), 1.into(), 2.into(), "true");
        check(2.into(), 1.into(), 2.into(), "true");
        check(3.into(), 1.into(), 2.into(), "false");
        check(1.0.into(), 1.into(), 2.into(), "false");
        let large = Term::from(BigInt::from(1) << 70);
        check(5.into(), 1.into(), large, "true");
        check(1.into(), 1.0.into(), 2.into(), "badarg");
    }
}
