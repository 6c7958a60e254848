//! Conversions between text and integers, atoms and identifiers.

use std::borrow::Cow;

use num_bigint::{BigInt, Sign};

use super::arith::{INTEGER_BITS_MAX, within_limit};
use super::{BifResult, large};
use crate::raise::Raise;
use crate::term::{ATOM_CHARACTERS_MAX, Atom, PidTerm, Port, Reference, Term};

table! {
    "erlang" {
        "atom_to_binary"/1 => atom_to_binary,
        "atom_to_binary"/2 => atom_to_binary_as,
        "atom_to_list"/1 => atom_to_list,
        "binary_to_atom"/1 => binary_to_atom,
        "binary_to_atom"/2 => binary_to_atom_as,
        "binary_to_existing_atom"/1 => binary_to_existing_atom,
        "binary_to_existing_atom"/2 => binary_to_existing_atom_as,
        "binary_to_integer"/1 => binary_to_integer,
        "binary_to_integer"/2 => binary_to_integer_of,
        "fun_to_list"/1 => fun_to_list,
        "integer_to_binary"/1 => integer_to_binary,
        "integer_to_binary"/2 => integer_to_binary_of,
        "integer_to_list"/1 => integer_to_list,
        "integer_to_list"/2 => integer_to_list_of,
        "list_to_atom"/1 => list_to_atom,
        "list_to_existing_atom"/1 => list_to_existing_atom,
        "list_to_integer"/1 => list_to_integer,
        "list_to_integer"/2 => list_to_integer_of,
        "list_to_pid"/1 => list_to_pid,
        "list_to_port"/1 => list_to_port,
        "list_to_ref"/1 => list_to_ref,
        "pid_to_list"/1 => pid_to_list,
        "port_to_list"/1 => port_to_list,
        "ref_to_list"/1 => ref_to_list,
    }
    "erts_internal" {
        "binary_to_integer"/2 => internal_binary_to_integer,
        "list_to_integer"/2 => internal_list_to_integer,
    }
    "string" {
        "list_to_integer"/1 => string_list_to_integer,
    }
}

/// The bytes of a binary.
pub(super) fn bytes(term: &Term) -> Option<Cow<'_, [u8]>> {
    match term {
        Term::Bits(bits) => match bits.as_bytes() {
            Some(bytes) => Some(Cow::Borrowed(bytes)),
            None if bits.is_binary() => Some(Cow::Owned(bits.iter().collect())),
            None => None,
        },
        _ => None,
    }
}

/// A list of the characters of a text.
pub(super) fn characters(text: &str) -> Term {
    let characters: Vec<Term> = text
        .chars()
        .map(|c| Term::Int(u32::from(c).into()))
        .collect();
    Term::list(characters)
}

/// The bytes of a list of bytes.
pub(super) fn byte_list(list: &Term) -> Option<Vec<u8>> {
    let mut elements = list.elements();
    let mut bytes = Vec::new();
    for element in elements.by_ref() {
        match element {
            Term::Int(byte) => bytes.push(u8::try_from(*byte).ok()?),
            _ => return None,
        }
    }
    matches!(elements.rest(), Term::Nil).then_some(bytes)
}

fn base(term: &Term) -> Result<u32, Raise> {
    match term {
        Term::Int(base @ 2..=36) => Ok(*base as u32),
        _ => Err(Raise::badarg()),
    }
}

fn integer_text(term: &Term, base: u32) -> Result<String, Raise> {
    match term {
        Term::Int(int) if base == 10 => Ok(int.to_string()),
        Term::Int(int) => Ok(BigInt::from(*int).to_str_radix(base).to_uppercase()),
        Term::Big(big) => large::to_text(big, base),
        _ => Err(Raise::badarg()),
    }
}

fn integer_to_list(term: &Term) -> BifResult {
    Ok(characters(&integer_text(term, 10)?))
}

fn integer_to_list_of(term: &Term, radix: &Term) -> BifResult {
    Ok(characters(&integer_text(term, base(radix)?)?))
}

fn integer_to_binary(term: &Term) -> BifResult {
    Ok(Term::binary(integer_text(term, 10)?.as_bytes()))
}

fn integer_to_binary_of(term: &Term, radix: &Term) -> BifResult {
    Ok(Term::binary(integer_text(term, base(radix)?)?.as_bytes()))
}

/// The reason why a text is not an integer.
enum ParseIntegerError {
    Malformed,
    TooLarge,
}

/// Parses an optional sign and at least one digit.
fn integer(text: &[u8], base: u32) -> Result<Term, ParseIntegerError> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let values: Option<Vec<u8>> = digits
        .iter()
        .map(|&digit| char::from(digit).to_digit(base).map(|value| value as u8))
        .collect();
    let values = values
        .filter(|values| !values.is_empty())
        .ok_or(ParseIntegerError::Malformed)?;
    let small = values.iter().try_fold(0_i64, |sum, &value| {
        sum.checked_mul(base.into())?.checked_add(value.into())
    });
    if let Some(small) = small {
        return Ok(Term::Int(if negative { -small } else { small }));
    }
    let leading = values.iter().take_while(|&&value| value == 0).count();
    // Each digit has at least this number of bits. Numbers that are certainly too large are refused
    // before the conversion, which would take long.
    let bits_each = u64::from(base.ilog2());
    if (values.len() - leading) as u64 > INTEGER_BITS_MAX / bits_each + 1 {
        return Err(ParseIntegerError::TooLarge);
    }
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    let number = large::from_digits(&values, base).map_err(|_| ParseIntegerError::TooLarge)?;
    let number = number.ok_or(ParseIntegerError::Malformed)?;
    within_limit(BigInt::from_biguint(sign, number)).map_err(|_| ParseIntegerError::TooLarge)
}

fn parse(text: Option<&[u8]>, base: u32) -> BifResult {
    match text.map(|text| integer(text, base)) {
        Some(Ok(integer)) => Ok(integer),
        Some(Err(ParseIntegerError::TooLarge)) => Err(Raise::system_limit()),
        Some(Err(ParseIntegerError::Malformed)) | None => Err(Raise::badarg()),
    }
}

fn list_to_integer(list: &Term) -> BifResult {
    parse(byte_list(list).as_deref(), 10)
}

fn list_to_integer_of(list: &Term, radix: &Term) -> BifResult {
    parse(byte_list(list).as_deref(), base(radix)?)
}

fn binary_to_integer(binary: &Term) -> BifResult {
    parse(bytes(binary).as_deref(), 10)
}

fn binary_to_integer_of(binary: &Term, radix: &Term) -> BifResult {
    parse(bytes(binary).as_deref(), base(radix)?)
}

/// Since OTP 25.3 the functions above are written in Erlang and call this one, which returns its
/// errors instead of raising them.
fn internal_binary_to_integer(binary: &Term, radix: &Term) -> BifResult {
    let (Ok(base), Some(text)) = (base(radix), bytes(binary)) else {
        return Ok(Atom::BADARG.into());
    };
    Ok(match integer(&text, base) {
        Ok(integer) => integer,
        Err(ParseIntegerError::TooLarge) => Term::atom("big"),
        Err(ParseIntegerError::Malformed) => Atom::BADARG.into(),
    })
}

/// As [`internal_binary_to_integer`], but other elements may follow the integer.
fn internal_list_to_integer(list: &Term, radix: &Term) -> BifResult {
    let Ok(base) = base(radix) else {
        return Ok(Atom::BADARG.into());
    };
    Ok(
        leading_integer(list, base).unwrap_or_else(|reason| match reason {
            Atom::SYSTEM_LIMIT => Term::atom("big"),
            reason => reason.into(),
        }),
    )
}

fn string_list_to_integer(list: &Term) -> BifResult {
    Ok(leading_integer(list, 10)
        .unwrap_or_else(|reason| Term::tuple([Atom::ERROR.into(), reason.into()])))
}

/// The integer at the start of a list, and the rest of the list.
fn leading_integer(list: &Term, base: u32) -> Result<Term, Atom> {
    if !matches!(list, Term::Nil | Term::Cons(_)) {
        return Err(Atom::new("not_a_list"));
    }
    let mut text = Vec::new();
    let mut elements = list.elements();
    loop {
        let mut ahead = elements.clone();
        let Some(Term::Int(element)) = ahead.next() else {
            break;
        };
        match u8::try_from(*element) {
            Ok(b'-' | b'+') if text.is_empty() => text.push(*element as u8),
            Ok(digit) if char::from(digit).is_digit(base) => text.push(digit),
            _ => break,
        }
        elements = ahead;
    }
    match integer(&text, base) {
        Ok(integer) => Ok(Term::tuple([integer, elements.rest().clone()])),
        Err(ParseIntegerError::Malformed) => Err(Atom::new("no_integer")),
        Err(ParseIntegerError::TooLarge) => Err(Atom::SYSTEM_LIMIT),
    }
}

#[derive(Clone, Copy)]
enum Encoding {
    Latin1,
    Utf8,
}

fn encoding(term: &Term) -> Result<Encoding, Raise> {
    match term {
        Term::Atom(atom) => match atom.name() {
            "latin1" => Ok(Encoding::Latin1),
            "utf8" | "unicode" => Ok(Encoding::Utf8),
            _ => Err(Raise::badarg()),
        },
        _ => Err(Raise::badarg()),
    }
}

fn name(term: &Term) -> Result<&'static str, Raise> {
    match term {
        Term::Atom(atom) => Ok(atom.name()),
        _ => Err(Raise::badarg()),
    }
}

fn atom_to_list(term: &Term) -> BifResult {
    Ok(characters(name(term)?))
}

fn atom_to_binary(term: &Term) -> BifResult {
    Ok(Term::binary(name(term)?.as_bytes()))
}

fn atom_to_binary_as(term: &Term, encoded: &Term) -> BifResult {
    let name = name(term)?;
    match encoding(encoded)? {
        Encoding::Utf8 => Ok(Term::binary(name.as_bytes())),
        Encoding::Latin1 => {
            let bytes: Result<Vec<u8>, _> = name.chars().map(u8::try_from).collect();
            bytes
                .map(|bytes| Term::binary(&bytes))
                .map_err(|_| Raise::badarg())
        }
    }
}

/// The name in a binary. The caller checks its length.
fn name_in(binary: &Term, encoding: Encoding) -> Result<String, Raise> {
    let bytes = bytes(binary).ok_or_else(Raise::badarg)?;
    match encoding {
        Encoding::Latin1 => Ok(bytes.iter().copied().map(char::from).collect()),
        Encoding::Utf8 => String::from_utf8(bytes.into_owned()).map_err(|_| Raise::badarg()),
    }
}

fn is_too_long(name: &str) -> bool {
    name.len() > ATOM_CHARACTERS_MAX && name.chars().count() > ATOM_CHARACTERS_MAX
}

fn new_atom(name: &str) -> BifResult {
    if is_too_long(name) {
        return Err(Raise::system_limit());
    }
    Ok(Term::atom(name))
}

fn existing_atom(name: &str) -> BifResult {
    match Atom::existing(name) {
        Some(atom) => Ok(Term::Atom(atom)),
        None => Err(Raise::badarg()),
    }
}

fn binary_to_atom(binary: &Term) -> BifResult {
    new_atom(&name_in(binary, Encoding::Utf8)?)
}

fn binary_to_atom_as(binary: &Term, encoded: &Term) -> BifResult {
    new_atom(&name_in(binary, encoding(encoded)?)?)
}

fn binary_to_existing_atom(binary: &Term) -> BifResult {
    existing_atom(&name_in(binary, Encoding::Utf8)?)
}

fn binary_to_existing_atom_as(binary: &Term, encoded: &Term) -> BifResult {
    existing_atom(&name_in(binary, encoding(encoded)?)?)
}

/// The text in a list of characters.
fn text(list: &Term) -> Result<String, Raise> {
    let mut elements = list.elements();
    let mut text = String::new();
    for element in elements.by_ref() {
        let character = match element {
            Term::Int(code) => u32::try_from(*code).ok().and_then(char::from_u32),
            _ => None,
        };
        text.push(character.ok_or_else(Raise::badarg)?);
    }
    match elements.rest() {
        Term::Nil => Ok(text),
        _ => Err(Raise::badarg()),
    }
}

fn list_to_atom(list: &Term) -> BifResult {
    new_atom(&text(list)?)
}

fn list_to_existing_atom(list: &Term) -> BifResult {
    existing_atom(&text(list)?)
}

fn fun_to_list(term: &Term) -> BifResult {
    match term {
        Term::Fun(_) => Ok(characters(&term.to_string())),
        _ => Err(Raise::badarg()),
    }
}

fn pid_to_list(term: &Term) -> BifResult {
    match term {
        Term::Pid(_) => Ok(characters(&term.to_string())),
        _ => Err(Raise::badarg()),
    }
}

fn port_to_list(term: &Term) -> BifResult {
    match term {
        Term::Port(_) => Ok(characters(&term.to_string())),
        _ => Err(Raise::badarg()),
    }
}

fn ref_to_list(term: &Term) -> BifResult {
    match term {
        Term::Reference(_) => Ok(characters(&term.to_string())),
        _ => Err(Raise::badarg()),
    }
}

/// The numbers after the node number in the text of an identifier of this node.
fn numbers<const N: usize>(list: &Term, prefix: &str) -> Option<[u64; N]> {
    let text = String::from_utf8(byte_list(list)?).ok()?;
    let inner = text.strip_prefix(prefix)?.strip_suffix('>')?;
    let mut parts = inner.split('.').map(|part| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u64>().ok().filter(|_| digits)
    });
    let mut numbers = [0; N];
    if parts.next()?? != 0 {
        return None;
    }
    for number in &mut numbers {
        *number = parts.next()??;
    }
    parts.next().is_none().then_some(numbers)
}

/// The largest pids of the real machine.
const PID_NUMBER_BITS: u32 = 28;
const PID_SERIAL_BITS: u32 = 13;

fn list_to_pid(list: &Term) -> BifResult {
    match numbers(list, "<") {
        Some([number, serial])
            if number >> PID_NUMBER_BITS == 0 && serial >> PID_SERIAL_BITS == 0 =>
        {
            Ok(Term::Pid(PidTerm::new(number as u32, serial as u32)))
        }
        _ => Err(Raise::badarg()),
    }
}

fn list_to_port(list: &Term) -> BifResult {
    match numbers(list, "#Port<") {
        Some([number]) => Ok(Term::Port(Port(number))),
        _ => Err(Raise::badarg()),
    }
}

fn list_to_ref(list: &Term) -> BifResult {
    let words = numbers::<3>(list, "#Ref<").map(|numbers| numbers.map(u32::try_from));
    match words {
        Some([Ok(high), Ok(middle), Ok(low)]) => {
            Ok(Term::Reference(Reference([high, middle, low])))
        }
        _ => Err(Raise::badarg()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_later_releases() {
        let check = |text: &str, base: i64, of_list: &str, of_binary: &str| {
            let list = internal_list_to_integer(&characters(text), &base.into());
            assert_eq!(list.expect("an answer").to_string(), of_list);
            let binary = internal_binary_to_integer(&Term::binary(text.as_bytes()), &base.into());
            assert_eq!(binary.expect("an answer").to_string(), of_binary);
        };
        check("12", 10, "{12,[]}", "12");
        check("-ff", 16, "{-255,[]}", "-255");
        check("12x", 10, "{12,[120]}", "badarg");
        check("+", 10, "no_integer", "badarg");
        check("1", 37, "badarg", "badarg");
        let not_a_list = internal_list_to_integer(&Term::Int(1), &Term::Int(10));
        assert_eq!(not_a_list.expect("an answer").to_string(), "not_a_list");
    }

    #[test]
    fn integers_have_a_limit() {
        let digits = "1".repeat(INTEGER_BITS_MAX as usize + 2);
        let list = integer(digits.as_bytes(), 2);
        assert!(matches!(list, Err(ParseIntegerError::TooLarge)));
        assert!(matches!(
            integer(digits.as_bytes(), 36),
            Err(ParseIntegerError::TooLarge)
        ));
    }
}
