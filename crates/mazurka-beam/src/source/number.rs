//! Parses numbers in Erlang syntax.

use num_bigint::BigInt;

use super::text::{Text, TextError};
use crate::term::Term;

/// Parses an integer, a character or a float. The sign has already been read.
pub(super) fn read(text: &mut Text<'_>, negative: bool) -> Result<Term, TextError> {
    if text.accept("$") {
        let code = i64::from(u32::from(text.character()?));
        return Ok(Term::Int(if negative { -code } else { code }));
    }
    let column = text.column();
    let digits = digits(text, 10);
    if digits.is_empty() {
        return Err(text.error("a number"));
    }
    let mut rest = text.rest().chars();
    match (rest.next(), rest.next()) {
        (Some('#'), _) => based(text, &digits, negative, column),
        (Some('.'), Some('0'..='9')) => float(text, &digits, negative, column),
        _ => integer(&digits, 10, negative).ok_or_else(|| text.error("a number")),
    }
}

/// Reads digits of this base and drops the underscores between them.
fn digits(text: &mut Text<'_>, base: u32) -> String {
    let mut digits = String::new();
    loop {
        let mut rest = text.rest().chars();
        match (rest.next(), rest.next()) {
            (Some(digit), _) if digit.is_digit(base) => {
                digits.push(digit);
                text.next();
            }
            (Some('_'), Some(digit)) if digit.is_digit(base) && !digits.is_empty() => {
                text.next();
            }
            _ => return digits,
        }
    }
}

fn integer(digits: &str, base: u32, negative: bool) -> Option<Term> {
    let magnitude = BigInt::parse_bytes(digits.as_bytes(), base)?;
    let value = if negative { -magnitude } else { magnitude };
    Some(value.into())
}

/// `16#ff`.
fn based(
    text: &mut Text<'_>,
    base: &str,
    negative: bool,
    column: usize,
) -> Result<Term, TextError> {
    let base = match base.parse() {
        Ok(base @ 2..=36) => base,
        _ => {
            return Err(TextError::new(
                column,
                "the base of a number must be from 2 to 36",
            ));
        }
    };
    text.next();
    let digits = digits(text, base);
    integer(&digits, base, negative)
        .ok_or_else(|| text.error(&format!("digits of base {base} after '#'")))
}

/// `1.5e-3`.
fn float(
    text: &mut Text<'_>,
    whole: &str,
    negative: bool,
    column: usize,
) -> Result<Term, TextError> {
    text.next();
    let fraction = digits(text, 10);
    let mut exponent = String::new();
    if matches!(text.peek(), Some('e' | 'E')) {
        text.next();
        if let Some(sign @ ('-' | '+')) = text.peek() {
            text.next();
            exponent.push(sign);
        }
        let power = digits(text, 10);
        if power.is_empty() {
            return Err(text.error("the exponent of a float"));
        }
        exponent.push_str(&power);
    } else {
        exponent.push('0');
    }
    let magnitude: f64 = format!("{whole}.{fraction}e{exponent}")
        .parse()
        .unwrap_or(f64::INFINITY);
    if !magnitude.is_finite() {
        return Err(TextError::new(
            column,
            "this number is too large for a float",
        ));
    }
    Ok(Term::Float(if negative { -magnitude } else { magnitude }))
}

#[cfg(test)]
mod tests {
    use super::super::parse_term;

    fn check(text: &str, expected: &str) {
        let found = match parse_term(text) {
            Ok(term) => term.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn integers() {
        check("0", "0");
        check("-1", "-1");
        check("+ 7", "7");
        check("1_000_000", "1000000");
        check("16#fF", "255");
        check("-2#1_01", "-5");
        check("36#z", "35");
        check("$a", "97");
        check("$\\n", "10");
        check("$ ", "32");
        check("-$a", "-97");
        check(
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        );
        check(
            "1__0",
            "column 2: expected the end, found the variable '__0'",
        );
        check("1#0", "column 1: the base of a number must be from 2 to 36");
        check(
            "16#",
            "column 4: expected digits of base 16 after '#', found the end",
        );
        check(
            "2#3",
            "column 3: expected digits of base 2 after '#', found '3'",
        );
        check("-a", "column 2: expected a number, found 'a'");
        check("$", "column 2: expected a character, found the end");
    }

    #[test]
    fn floats() {
        check("1.5", "1.5");
        check("-0.0", "-0.0");
        check("1.0e3", "1.0e3");
        check("1_0.2_5E-2", "0.1025");
        check("1.0e400", "column 1: this number is too large for a float");
        check(
            "1.0e",
            "column 5: expected the exponent of a float, found the end",
        );
        check("1.", "column 2: expected the end, found '.'");
        check("1e3", "column 2: expected the end, found 'e3'");
    }
}
