//! Conversions between floats and text.

use super::convert::{byte_list, bytes, characters};
use super::{BifResult, proper, small};
use crate::raise::Raise;
use crate::term::{Atom, Term};

table! {
    "erlang" {
        "binary_to_float"/1 => binary_to_float,
        "float_to_binary"/1 => float_to_binary,
        "float_to_binary"/2 => float_to_binary_as,
        "float_to_list"/1 => float_to_list,
        "float_to_list"/2 => float_to_list_as,
        "list_to_float"/1 => list_to_float,
    }
    "string" {
        "list_to_float"/1 => string_list_to_float,
    }
}

/// The default number of digits after the point.
const DIGITS: usize = 20;
/// The number of digits that `printf` uses if it gets a negative one.
const DIGITS_OF_PRINTF: usize = 6;
/// The limits on digits and text length of the real machine, due to the size of its buffer.
const DECIMALS_MAX: i64 = 253;
const SCIENTIFIC_MAX: i64 = 249;
const TEXT_MAX: usize = 255;

enum Form {
    Scientific(i64),
    Decimals(i64),
    Short,
}

fn float(term: &Term) -> Result<f64, Raise> {
    match term {
        Term::Float(float) => Ok(*float),
        _ => Err(Raise::badarg()),
    }
}

fn float_to_list(term: &Term) -> BifResult {
    Ok(characters(&scientific(float(term)?, DIGITS)))
}

fn float_to_list_as(term: &Term, options: &Term) -> BifResult {
    Ok(characters(&text(term, options)?))
}

fn float_to_binary(term: &Term) -> BifResult {
    Ok(Term::binary(scientific(float(term)?, DIGITS).as_bytes()))
}

fn float_to_binary_as(term: &Term, options: &Term) -> BifResult {
    Ok(Term::binary(text(term, options)?.as_bytes()))
}

fn text(term: &Term, options: &Term) -> Result<String, Raise> {
    let (mut form, mut compact) = (Form::Scientific(DIGITS as i64), false);
    for option in proper(options).ok_or_else(Raise::badarg)? {
        match &option {
            Term::Atom(atom) if atom.name() == "compact" => compact = true,
            Term::Atom(atom) if atom.name() == "short" => form = Form::Short,
            Term::Tuple(pair) => match (pair.first(), pair.get(1), pair.len()) {
                (Some(Term::Atom(name)), Some(digits), 2) => {
                    form = match (name.name(), small(digits)) {
                        ("decimals", Some(digits)) => Form::Decimals(digits),
                        ("scientific", Some(digits)) => Form::Scientific(digits),
                        _ => return Err(Raise::badarg()),
                    };
                }
                _ => return Err(Raise::badarg()),
            },
            _ => return Err(Raise::badarg()),
        }
    }
    let float = float(term)?;
    let text = match form {
        Form::Scientific(..0) => Some(scientific(float, DIGITS_OF_PRINTF)),
        Form::Scientific(digits @ ..=SCIENTIFIC_MAX) => Some(scientific(float, digits as usize)),
        Form::Decimals(digits @ 0..=DECIMALS_MAX) => decimals(float, digits as usize, compact),
        Form::Short => Some(Term::Float(float).to_string()),
        _ => None,
    };
    text.filter(|text| text.len() <= TEXT_MAX)
        .ok_or_else(Raise::badarg)
}

/// The form of `printf("%.*e")`: the exponent has a sign and at least two digits.
fn scientific(float: f64, digits: usize) -> String {
    let text = format!("{float:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    match exponent.strip_prefix('-') {
        Some(exponent) => format!("{mantissa}e-{exponent:0>2}"),
        None => format!("{mantissa}e+{exponent:0>2}"),
    }
}

/// Floats up to 2⁵³ with fewer than 19 decimals are converted by a simpler rule, as in the real
/// machine. It does not always give the closest decimal.
const SIMPLE_MAX: f64 = 9_007_199_254_740_992.0;
const SIMPLE_DECIMALS: usize = 19;

fn decimals(float: f64, digits: usize, compact: bool) -> Option<String> {
    if float.abs() > SIMPLE_MAX || digits >= SIMPLE_DECIMALS {
        let text = format!("{float:.digits$}");
        let text = (text.len() <= TEXT_MAX).then_some(text)?;
        return Some(if compact { without_zeros(text) } else { text });
    }
    let sign = if float.is_sign_negative() { "-" } else { "" };
    let float = float.abs();
    if digits == 0 {
        return Some(format!("{sign}{}", float.round() as u64));
    }
    let power = 10_u64.pow(digits as u32);
    let mut whole = float.floor() as u64;
    let mut fraction = ((float - float.floor()) * power as f64).round();
    if fraction >= power as f64 {
        whole += 1;
        fraction = 0.0;
    }
    let text = format!("{sign}{whole}.{:0>digits$}", fraction as u64);
    Some(if compact { without_zeros(text) } else { text })
}

/// Removes trailing zeros, except one directly after the point. As in the real machine, this also
/// removes trailing zeros of a text without a point.
fn without_zeros(text: String) -> String {
    let kept = text.trim_end_matches('0').len();
    let kept = kept + usize::from(text[..kept].ends_with('.'));
    text[..kept].into()
}

/// The length of the float at the start of a text: digits, a point, digits, optionally an exponent.
fn float_length(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let sign = |at: usize| usize::from(matches!(text.get(at), Some(b'+' | b'-')));
    let mut at = sign(0);
    match (digits(at), text.get(at + digits(at))) {
        (1.., Some(b'.')) => at += digits(at) + 1,
        _ => return None,
    }
    match digits(at) {
        0 => return None,
        count => at += count,
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let exponent = at + 1 + sign(at + 1);
        if digits(exponent) > 0 {
            at = exponent + digits(exponent);
        }
    }
    Some(at)
}

fn value(text: &[u8]) -> Option<f64> {
    let float: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    float.is_finite().then_some(float)
}

fn parse(text: Option<&[u8]>) -> BifResult {
    text.filter(|text| float_length(text) == Some(text.len()))
        .and_then(value)
        .map(Term::Float)
        .ok_or_else(Raise::badarg)
}

fn list_to_float(list: &Term) -> BifResult {
    parse(byte_list(list).as_deref())
}

fn binary_to_float(binary: &Term) -> BifResult {
    parse(bytes(binary).as_deref())
}

/// The float at the start of a list, and the rest of the list.
fn string_list_to_float(list: &Term) -> BifResult {
    let error = |reason| Ok(Term::tuple([Atom::ERROR.into(), Term::atom(reason)]));
    if !matches!(list, Term::Nil | Term::Cons(_)) {
        return error("not_a_list");
    }
    let text: Vec<u8> = list
        .elements()
        .map_while(|element| match element {
            Term::Int(byte) => u8::try_from(*byte).ok(),
            _ => None,
        })
        .take_while(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
        .collect();
    let length = float_length(&text).unwrap_or(0);
    let Some(float) = value(&text[..length]) else {
        return error("no_float");
    };
    let mut rest = list.elements();
    rest.by_ref().take(length).for_each(drop);
    Ok(Term::tuple([float.into(), rest.rest().clone()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded_by_value() {
        let check = |float, digits, compact, expected: &str| {
            assert_eq!(decimals(float, digits, compact).as_deref(), Some(expected));
        };
        check(2.5, 0, false, "3");
        check(0.125, 2, false, "0.13");
        check(-0.0, 1, false, "-0.0");
        check(9.999, 2, false, "10.00");
        check(9.5, 4, true, "9.5");
        check(9.0, 4, true, "9.0");
        assert_eq!(decimals(1e300, 10, false), None);
    }

    #[test]
    fn floats_in_text() {
        let check = |text: &str, expected| {
            assert_eq!(float_length(text.as_bytes()), expected, "{text}");
        };
        check("1.0", Some(3));
        check("-12.50e+10x", Some(10));
        check("1.0e", Some(3));
        check("1.0e+", Some(3));
        check("1.", None);
        check(".5", None);
        check("1e5", None);
        check("", None);
    }
}
