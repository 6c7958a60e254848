//! Comparisons of terms.

use super::{BifResult, boolean};
use crate::term::{Term, compare, compare_exactly};

table! {
    "erlang" {
        "=="/2 => equal,
        "/="/2 => not_equal,
        "=:="/2 => exactly_equal,
        "=/="/2 => not_exactly_equal,
        "<"/2 => less,
        ">"/2 => greater,
        "=<"/2 => not_greater,
        ">="/2 => not_less,
        "min"/2 => min,
        "max"/2 => max,
    }
    "erts_internal" {
        "cmp_term"/2 => cmp_term,
    }
}

fn equal(one: &Term, other: &Term) -> BifResult {
    Ok(boolean(compare(one, other).is_eq()))
}

fn not_equal(one: &Term, other: &Term) -> BifResult {
    Ok(boolean(compare(one, other).is_ne()))
}

fn exactly_equal(one: &Term, other: &Term) -> BifResult {
    Ok(boolean(one == other))
}

fn not_exactly_equal(one: &Term, other: &Term) -> BifResult {
    Ok(boolean(one != other))
}

fn less(one: &Term, other: &Term) -> BifResult {
    Ok(boolean(compare(one, other).is_lt()))
}

fn greater(one: &Term, other: &Term) -> BifResult {
    Ok(boolean(compare(one, other).is_gt()))
}

fn not_greater(one: &Term, other: &Term) -> BifResult {
    Ok(boolean(compare(one, other).is_le()))
}

fn not_less(one: &Term, other: &Term) -> BifResult {
    Ok(boolean(compare(one, other).is_ge()))
}

/// Returns the first argument if they are equal.
fn min(one: &Term, other: &Term) -> BifResult {
    let least = if compare(one, other).is_le() {
        one
    } else {
        other
    };
    Ok(least.clone())
}

/// Returns the first argument if they are equal.
fn max(one: &Term, other: &Term) -> BifResult {
    let most = if compare(one, other).is_ge() {
        one
    } else {
        other
    };
    Ok(most.clone())
}

/// The order of map keys: a negative number, zero or a positive number.
fn cmp_term(one: &Term, other: &Term) -> BifResult {
    Ok(Term::Int(compare_exactly(one, other) as i64))
}
