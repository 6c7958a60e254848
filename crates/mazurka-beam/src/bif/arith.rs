//! Arithmetic and boolean operators.
//!
//! The functions on terms are public because instructions use them too.

use num_bigint::{BigInt, Sign};

use super::{BifResult, boolean, large};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Atom, Term};

table! {
    "erlang" {
        "+"/1 => plus,
        "+"/2 => add,
        "-"/1 => negate,
        "-"/2 => subtract,
        "*"/2 => multiply,
        "/"/2 => divide,
        "div"/2 => quotient,
        "rem"/2 => remainder,
        "band"/2 => band,
        "bor"/2 => bor,
        "bxor"/2 => bxor,
        "bnot"/1 => bnot,
        "bsl"/2 => shift_left,
        "bsr"/2 => shift_right,
        "abs"/1 => abs,
        "float"/1 => float,
        "trunc"/1 => trunc,
        "round"/1 => round,
        "floor"/1 => floor,
        "ceil"/1 => ceil,
        "and"/2 => and,
        "or"/2 => or,
        "xor"/2 => xor,
        "not"/1 => not,
    }
}

/// The size of OTP's largest integers in bits: 2¹⁹ - 1 words.
pub(super) const INTEGER_BITS_MAX: u64 = ((1 << 19) - 1) * 64;

/// `+`
#[inline]
pub fn add(one: &Term, other: &Term) -> BifResult {
    if let (Term::Int(one), Term::Int(other)) = (one, other)
        && let Some(sum) = one.checked_add(*other)
    {
        return Ok(Term::Int(sum));
    }
    numbers(
        one,
        other,
        |one, other| one + other,
        |one, other| one + other,
    )
}

/// `-`
#[inline]
pub fn subtract(one: &Term, other: &Term) -> BifResult {
    if let (Term::Int(one), Term::Int(other)) = (one, other)
        && let Some(difference) = one.checked_sub(*other)
    {
        return Ok(Term::Int(difference));
    }
    numbers(
        one,
        other,
        |one, other| one - other,
        |one, other| one - other,
    )
}

/// `*`
#[inline]
pub fn multiply(one: &Term, other: &Term) -> BifResult {
    if let (Term::Int(one), Term::Int(other)) = (one, other)
        && let Some(product) = one.checked_mul(*other)
    {
        return Ok(Term::Int(product));
    }
    // Fail at once if the product is certainly too large, because multiplying would take long.
    if let (Term::Big(one), Term::Big(other)) = (one, other)
        && one.bits() + other.bits() > INTEGER_BITS_MAX + 1
    {
        return Err(Raise::system_limit());
    }
    numbers(
        one,
        other,
        |one, other| one * other,
        |one, other| one * other,
    )
}

/// `/`
pub fn divide(one: &Term, other: &Term) -> BifResult {
    let (one, other) = (to_float(one), to_float(other));
    match (one, other) {
        (Some(_), Some(0.0)) => Err(Raise::badarith()),
        (Some(one), Some(other)) => finite(one / other),
        _ => Err(Raise::badarith()),
    }
}

/// `div`
#[inline]
pub fn quotient(one: &Term, other: &Term) -> BifResult {
    if let (Term::Int(one), Term::Int(other)) = (one, other)
        && let Some(quotient) = one.checked_div(*other)
    {
        return Ok(Term::Int(quotient));
    }
    divided(one, other, |(quotient, _)| quotient)
}

/// `rem`
#[inline]
pub fn remainder(one: &Term, other: &Term) -> BifResult {
    if let (Term::Int(one), Term::Int(other)) = (one, other)
        && let Some(remainder) = one.checked_rem(*other)
    {
        return Ok(Term::Int(remainder));
    }
    divided(one, other, |(_, remainder)| remainder)
}

/// `band`
#[inline]
pub fn band(one: &Term, other: &Term) -> BifResult {
    if let (Term::Int(one), Term::Int(other)) = (one, other) {
        return Ok(Term::Int(one & other));
    }
    integers(one, other, |one, other| Some(one & other))
}

/// `bor`
#[inline]
pub fn bor(one: &Term, other: &Term) -> BifResult {
    if let (Term::Int(one), Term::Int(other)) = (one, other) {
        return Ok(Term::Int(one | other));
    }
    integers(one, other, |one, other| Some(one | other))
}

/// `bxor`
#[inline]
pub fn bxor(one: &Term, other: &Term) -> BifResult {
    if let (Term::Int(one), Term::Int(other)) = (one, other) {
        return Ok(Term::Int(one ^ other));
    }
    integers(one, other, |one, other| Some(one ^ other))
}

/// `bnot`
pub fn bnot(one: &Term) -> BifResult {
    match one {
        Term::Int(int) => Ok(Term::Int(!int)),
        Term::Big(big) => Ok(Term::from(!(**big).clone())),
        _ => Err(Raise::badarith()),
    }
}

/// `bsl`
pub fn shift_left(one: &Term, other: &Term) -> BifResult {
    shift(one, other, false)
}

/// `bsr`
pub fn shift_right(one: &Term, other: &Term) -> BifResult {
    shift(one, other, true)
}

/// Unary `+`
pub fn plus(one: &Term) -> BifResult {
    match one {
        Term::Int(_) | Term::Big(_) | Term::Float(_) => Ok(one.clone()),
        _ => Err(Raise::badarith()),
    }
}

/// Unary `-`
pub fn negate(one: &Term) -> BifResult {
    match one {
        Term::Int(int) => Ok(int
            .checked_neg()
            .map_or_else(|| Term::from(-BigInt::from(*int)), Term::Int)),
        Term::Big(big) => Ok(Term::from(-&**big)),
        Term::Float(float) => Ok(Term::Float(-float)),
        _ => Err(Raise::badarith()),
    }
}

/// `abs/1`
pub fn abs(one: &Term) -> BifResult {
    match one {
        Term::Int(0..) => Ok(one.clone()),
        Term::Big(big) if big.sign() == Sign::Plus => Ok(one.clone()),
        Term::Int(_) | Term::Big(_) => negate(one),
        // `-0.0` stays `-0.0`.
        Term::Float(float) if *float < 0.0 => Ok(Term::Float(-float)),
        Term::Float(float) => Ok(Term::Float(*float)),
        _ => Err(Raise::badarg()),
    }
}

/// `abs/1` since OTP 27, where `abs(-0.0)` is `0.0`.
pub(super) fn abs_since_27(one: &Term) -> BifResult {
    match one {
        Term::Float(float) => Ok(Term::Float(float.abs())),
        _ => abs(one),
    }
}

/// `float/1`
pub fn float(one: &Term) -> BifResult {
    match to_float(one) {
        Some(float) => Ok(Term::Float(float)),
        None => Err(Raise::badarg()),
    }
}

/// [`float`] since OTP 29: rounds to the nearest float.
pub(super) fn nearest_float(one: &Term) -> BifResult {
    float(&nearest(one))
}

/// [`add`] since OTP 29.
pub(super) fn add_nearest(one: &Term, other: &Term) -> BifResult {
    with_nearest_floats(one, other, add)
}

/// [`subtract`] since OTP 29.
pub(super) fn subtract_nearest(one: &Term, other: &Term) -> BifResult {
    with_nearest_floats(one, other, subtract)
}

/// [`multiply`] since OTP 29.
pub(super) fn multiply_nearest(one: &Term, other: &Term) -> BifResult {
    with_nearest_floats(one, other, multiply)
}

/// [`divide`] since OTP 29.
pub(super) fn divide_nearest(one: &Term, other: &Term) -> BifResult {
    divide(&nearest(one), &nearest(other))
}

/// Applies an operation. If one operand is a float and the other a big integer, the big integer is
/// first converted to the nearest float.
fn with_nearest_floats(
    one: &Term,
    other: &Term,
    operation: fn(&Term, &Term) -> BifResult,
) -> BifResult {
    match (one, other) {
        (Term::Big(_), Term::Float(_)) => operation(&nearest(one), other),
        (Term::Float(_), Term::Big(_)) => operation(one, &nearest(other)),
        _ => operation(one, other),
    }
}

/// Converts a big integer to the nearest float, if it is not too large. Returns other terms
/// unchanged.
fn nearest(term: &Term) -> Term {
    match term {
        Term::Big(big) => match crate::term::nearest_float(big) {
            Some(float) => Term::Float(float),
            None => term.clone(),
        },
        _ => term.clone(),
    }
}

/// `trunc/1`
pub fn trunc(one: &Term) -> BifResult {
    whole(one, f64::trunc)
}

/// `round/1`: rounds halves away from zero.
pub fn round(one: &Term) -> BifResult {
    whole(one, f64::round)
}

/// `floor/1`
pub fn floor(one: &Term) -> BifResult {
    whole(one, f64::floor)
}

/// `ceil/1`
pub fn ceil(one: &Term) -> BifResult {
    whole(one, f64::ceil)
}

/// `and`
pub fn and(one: &Term, other: &Term) -> BifResult {
    booleans(one, other, |one, other| one && other)
}

/// `or`
pub fn or(one: &Term, other: &Term) -> BifResult {
    booleans(one, other, |one, other| one || other)
}

/// `xor`
pub fn xor(one: &Term, other: &Term) -> BifResult {
    booleans(one, other, |one, other| one != other)
}

/// `not`
pub fn not(one: &Term) -> BifResult {
    match to_bool(one) {
        Some(value) => Ok(boolean(!value)),
        None => Err(Raise::badarg()),
    }
}

/// Converts a number to a float; `None` if it is too large or not a number.
pub(super) fn to_float(term: &Term) -> Option<f64> {
    match term {
        Term::Int(int) => Some(*int as f64),
        Term::Float(float) => Some(*float),
        Term::Big(big) => crate::term::big_to_float(big),
        _ => None,
    }
}

/// Converts an integer of any size to a big integer.
pub(super) fn to_big(term: &Term) -> Option<BigInt> {
    match term {
        Term::Int(int) => Some(BigInt::from(*int)),
        Term::Big(big) => Some((**big).clone()),
        _ => None,
    }
}

fn to_bool(term: &Term) -> Option<bool> {
    match term {
        Term::Atom(Atom::TRUE) => Some(true),
        Term::Atom(Atom::FALSE) => Some(false),
        _ => None,
    }
}

fn finite(float: f64) -> BifResult {
    if float.is_finite() {
        Ok(Term::Float(float))
    } else {
        Err(Raise::badarith())
    }
}

/// Returns the integer, or `system_limit` if it is too large for OTP.
pub(super) fn within_limit(big: BigInt) -> BifResult {
    if big.bits() > INTEGER_BITS_MAX {
        Err(Raise::system_limit())
    } else {
        Ok(Term::from(big))
    }
}

fn numbers(
    one: &Term,
    other: &Term,
    exact: fn(BigInt, BigInt) -> BigInt,
    floating: fn(f64, f64) -> f64,
) -> BifResult {
    if let (Some(one), Some(other)) = (to_big(one), to_big(other)) {
        let bytes = usize::try_from((one.bits() + other.bits()) / 8).unwrap_or(usize::MAX);
        meter::spend(bytes)?;
        return within_limit(exact(one, other));
    }
    match (to_float(one), to_float(other)) {
        (Some(one), Some(other)) => finite(floating(one, other)),
        _ => Err(Raise::badarith()),
    }
}

fn divided(one: &Term, other: &Term, part: fn((BigInt, BigInt)) -> BigInt) -> BifResult {
    match (to_big(one), to_big(other)) {
        (Some(one), Some(other)) if other.sign() != Sign::NoSign => {
            within_limit(part(large::divide(&one, &other)?))
        }
        _ => Err(Raise::badarith()),
    }
}

fn integers(one: &Term, other: &Term, exact: fn(BigInt, BigInt) -> Option<BigInt>) -> BifResult {
    match (to_big(one), to_big(other)) {
        (Some(one), Some(other)) => match exact(one, other) {
            Some(result) => within_limit(result),
            None => Err(Raise::badarith()),
        },
        _ => Err(Raise::badarith()),
    }
}

fn booleans(one: &Term, other: &Term, operator: fn(bool, bool) -> bool) -> BifResult {
    match (to_bool(one), to_bool(other)) {
        (Some(one), Some(other)) => Ok(boolean(operator(one, other))),
        _ => Err(Raise::badarg()),
    }
}

fn whole(one: &Term, rounding: fn(f64) -> f64) -> BifResult {
    match one {
        Term::Int(_) | Term::Big(_) => Ok(one.clone()),
        Term::Float(float) => Ok(from_whole(rounding(*float))),
        _ => Err(Raise::badarg()),
    }
}

/// Converts a float without a fraction to an integer.
fn from_whole(float: f64) -> Term {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    const MANTISSA_BITS: u64 = 52;
    if float.abs() < EXACT {
        return Term::Int(float as i64);
    }
    let bits = float.abs().to_bits();
    let exponent = bits >> MANTISSA_BITS;
    let mantissa = bits & ((1 << MANTISSA_BITS) - 1) | 1 << MANTISSA_BITS;
    let shift = exponent.saturating_sub(1023 + MANTISSA_BITS);
    let magnitude = BigInt::from(mantissa) << shift;
    Term::from(if float < 0.0 { -magnitude } else { magnitude })
}

/// Shifts to the right or left, or in the opposite direction if the distance is negative.
fn shift(one: &Term, distance: &Term, right: bool) -> BifResult {
    let Some(big) = to_big(one) else {
        return Err(Raise::badarith());
    };
    let (distance, backwards) = match distance {
        Term::Int(distance) => (Some(distance.unsigned_abs()), *distance < 0),
        Term::Big(distance) => (None, distance.sign() == Sign::Minus),
        _ => return Err(Raise::badarith()),
    };
    if big.sign() == Sign::NoSign {
        return Ok(Term::Int(0));
    }
    if right == backwards {
        return match distance {
            Some(distance) if distance <= INTEGER_BITS_MAX - big.bits().min(INTEGER_BITS_MAX) => {
                Ok(Term::from(big << distance))
            }
            _ => Err(Raise::system_limit()),
        };
    }
    Ok(match (one, distance) {
        (Term::Int(int), Some(distance)) => Term::Int(int >> distance.min(63)),
        (_, Some(distance)) if distance <= INTEGER_BITS_MAX => Term::from(big >> distance),
        _ => Term::Int(if big.sign() == Sign::Minus { -1 } else { 0 }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(result: BifResult, expected: &str) {
        let text = match result {
            Ok(term) => term.to_string(),
            Err(raise) => format!("error:{}", raise.reason),
        };
        assert_eq!(text, expected);
    }

    #[test]
    fn integers_beyond_64_bits_become_big() {
        check(add(&i64::MAX.into(), &1.into()), "9223372036854775808");
        check(negate(&i64::MIN.into()), "9223372036854775808");
        check(
            quotient(&i64::MIN.into(), &(-1).into()),
            "9223372036854775808",
        );
        check(remainder(&i64::MIN.into(), &(-1).into()), "0");
        check(quotient(&1.into(), &0.into()), "error:badarith");
    }

    #[test]
    fn shifts_have_a_limit() {
        let huge = Term::from(BigInt::from(1) << 100);
        let most = Term::Int(INTEGER_BITS_MAX as i64 - 1);
        assert!(shift_left(&1.into(), &most).is_ok());
        let beyond = Term::Int(INTEGER_BITS_MAX as i64);
        check(shift_left(&1.into(), &beyond), "error:system_limit");
        check(shift_left(&1.into(), &huge), "error:system_limit");
        check(shift_left(&0.into(), &huge), "0");
        check(shift_right(&(-5).into(), &huge), "-1");
        check(
            shift_right(&5.into(), &i64::MIN.into()),
            "error:system_limit",
        );
        check(shift_left(&5.into(), &i64::MIN.into()), "0");
    }

    #[test]
    fn floats_stay_finite() {
        check(multiply(&1e300.into(), &1e300.into()), "error:badarith");
        check(divide(&1.into(), &0.0.into()), "error:badarith");
        check(round(&0.5.into()), "1");
        check(round(&(-2.5).into()), "-3");
        check(trunc(&1e19.into()), "10000000000000000000");
    }
}
