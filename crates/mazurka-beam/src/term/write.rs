//! Writes terms as text, as `io:format("~w")` does since OTP 25.

use std::fmt::{self, Write};
use std::slice;

use num_bigint::{BigInt, Sign};

use super::fun::Fun;
use super::map::Iter;
use super::{Atom, Bits, Term};

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stack = vec![Work::Term(self)];
        while let Some(work) = stack.pop() {
            match work {
                Work::Term(term) => visit(term, f, &mut stack)?,
                Work::Text(text) => f.write_str(text)?,
                Work::Elements(mut elements) => {
                    if let Some(element) = elements.next() {
                        f.write_char(',')?;
                        stack.push(Work::Elements(elements));
                        visit(element, f, &mut stack)?;
                    }
                }
                Work::Tail(tail) => write_tail(tail, f, &mut stack)?,
                Work::Entries(mut entries, before) => {
                    if let Some((key, value)) = entries.next() {
                        f.write_str(before)?;
                        stack.push(Work::Entries(entries, ","));
                        stack.push(Work::Term(value));
                        stack.push(Work::Text(" => "));
                        visit(key, f, &mut stack)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

enum Work<'a> {
    Term(&'a Term),
    Text(&'static str),
    /// Elements, each preceded by a comma.
    Elements(slice::Iter<'a, Term>),
    Tail(&'a Term),
    /// Map entries, and the text before the next one.
    Entries(Iter<'a>, &'static str),
}

fn visit<'a>(term: &'a Term, f: &mut fmt::Formatter<'_>, stack: &mut Vec<Work<'a>>) -> fmt::Result {
    match term {
        Term::Int(int) => write!(f, "{int}"),
        Term::Big(big) => write_big(big, f),
        Term::Float(float) => write_float(*float, f),
        Term::Atom(atom) => write_atom(*atom, f),
        Term::Reference(reference) => write!(f, "{reference:?}"),
        Term::Port(port) => write!(f, "{port:?}"),
        Term::Pid(pid) => write!(f, "{pid:?}"),
        Term::Fun(fun) => write_fun(fun, f),
        Term::Nil => f.write_str("[]"),
        Term::Bits(bits) => write_bits(bits, f),
        Term::Context(context) => write_bits(&context.tail(), f),
        Term::Return { to, .. } => write!(f, "return to {to:?}"),
        Term::Tuple(tuple) => {
            f.write_char('{')?;
            stack.push(Work::Text("}"));
            let mut elements = tuple.iter();
            if let Some(first) = elements.next() {
                stack.push(Work::Elements(elements));
                stack.push(Work::Term(first));
            }
            Ok(())
        }
        Term::Map(map) => {
            f.write_str("#{")?;
            stack.push(Work::Text("}"));
            stack.push(Work::Entries(map.iter(), ""));
            Ok(())
        }
        Term::Cons(cons) => {
            f.write_char('[')?;
            stack.push(Work::Tail(&cons.tail));
            stack.push(Work::Term(&cons.head));
            Ok(())
        }
    }
}

fn write_tail<'a>(
    tail: &'a Term,
    f: &mut fmt::Formatter<'_>,
    stack: &mut Vec<Work<'a>>,
) -> fmt::Result {
    match tail {
        Term::Nil => f.write_char(']'),
        Term::Cons(cons) => {
            f.write_char(',')?;
            stack.push(Work::Tail(&cons.tail));
            stack.push(Work::Term(&cons.head));
            Ok(())
        }
        improper => {
            f.write_char('|')?;
            stack.push(Work::Text("]"));
            stack.push(Work::Term(improper));
            Ok(())
        }
    }
}

/// Larger integers are written in base 16, because conversion to base 10 takes quadratic time.
const DECIMAL_BITS_MAX: u64 = 1 << 17;

fn write_big(big: &BigInt, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if big.bits() <= DECIMAL_BITS_MAX {
        return write!(f, "{big}");
    }
    if big.sign() == Sign::Minus {
        f.write_char('-')?;
    }
    let mut digits = big.iter_u64_digits().rev();
    write!(f, "16#{:X}", digits.next().unwrap_or(0))?;
    digits.try_for_each(|digit| write!(f, "{digit:016X}"))
}

pub(super) fn write_bits(bits: &Bits, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("<<")?;
    let (last, tail) = (bits.byte_len().saturating_sub(1), bits.tail_len());
    for (index, byte) in bits.iter().enumerate() {
        if index > 0 {
            f.write_char(',')?;
        }
        if index == last && tail > 0 {
            write!(f, "{}:{tail}", byte >> (8 - tail))?;
        } else {
            write!(f, "{byte}")?;
        }
    }
    f.write_str(">>")
}

fn write_fun(fun: &Fun, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match fun {
        Fun::Export {
            module,
            name,
            arity,
        } => {
            f.write_str("fun ")?;
            write_atom_in_fun(*module, f)?;
            f.write_char(':')?;
            write_atom_in_fun(*name, f)?;
            write!(f, "/{arity}")
        }
        Fun::Local(lambda) => {
            f.write_str("#Fun<")?;
            write_atom_in_fun(lambda.module, f)?;
            write!(f, ".{}.{}>", lambda.index, lambda.unique)
        }
    }
}

/// Writes a name inside a fun. The real virtual machine, not the library, writes these, and quotes
/// differently: it does not know reserved words and `@`, and it has fewer escapes.
fn write_atom_in_fun(atom: Atom, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let name = atom.name();
    let is_letter = |c: char| is_lower(c) || is_upper(c) || c.is_ascii_digit() || c == '_';
    if name.starts_with(is_lower) && name.chars().all(is_letter) {
        return f.write_str(name);
    }
    f.write_char('\'')?;
    for character in name.chars() {
        match character {
            '\u{1b}' => f.write_str("\\033")?,
            '\u{7f}' | '\u{a0}'.. => f.write_char(character)?,
            _ => write_quoted(character, f)?,
        }
    }
    f.write_char('\'')
}

/// Writes an atom, in quotes if it needs them.
///
/// # Errors
/// The writer fails.
pub fn write_atom(atom: Atom, f: &mut impl Write) -> fmt::Result {
    let name = atom.name();
    if is_plain(name) {
        return f.write_str(name);
    }
    f.write_char('\'')?;
    for character in name.chars() {
        write_quoted(character, f)?;
    }
    f.write_char('\'')
}

/// Whether an atom with this name needs no quotes.
fn is_plain(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(is_lower)
        && characters.all(|c| is_lower(c) || is_upper(c) || c.is_ascii_digit() || "_@".contains(c))
        && !is_reserved(name)
}

/// Whether it is a lower-case letter of Latin-1.
pub(crate) fn is_lower(c: char) -> bool {
    c.is_ascii_lowercase() || matches!(c, 'ß'..='ÿ') && c != '÷'
}

/// Whether it is an upper-case letter of Latin-1.
pub(crate) fn is_upper(c: char) -> bool {
    c.is_ascii_uppercase() || matches!(c, 'À'..='Þ') && c != '×'
}

/// Whether it is a reserved word, which is an atom only in quotes.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Reserved words. Up to OTP 26, `else` and `maybe` are reserved only in modules that enable the
/// feature. They are quoted for all releases, because in quotes they are atoms everywhere.
const RESERVED: &[&str] = &[
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
    "catch", "cond", "div", "else", "end", "fun", "if", "let", "maybe", "not", "of", "or",
    "orelse", "receive", "rem", "try", "when", "xor",
];

fn write_quoted(character: char, f: &mut impl Write) -> fmt::Result {
    match character {
        '\'' => f.write_str("\\'"),
        '\\' => f.write_str("\\\\"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        '\u{b}' => f.write_str("\\v"),
        '\u{8}' => f.write_str("\\b"),
        '\u{c}' => f.write_str("\\f"),
        '\u{1b}' => f.write_str("\\e"),
        '\u{7f}' => f.write_str("\\d"),
        ' '..='~' | '\u{a0}'..='\u{ff}' => f.write_char(character),
        // Without the `t` modifier, characters outside Latin-1 are written as numbers.
        '\u{100}'.. => write!(f, "\\x{{{:X}}}", u32::from(character)),
        _ => write!(f, "\\{:03o}", u32::from(character)),
    }
}

/// 2⁵³: floats of at least this size are always written in scientific notation.
const SCIENTIFIC_FROM: f64 = 9_007_199_254_740_992.0;

/// Writes the shortest digits that read back as the same float, in the shorter of the two
/// notations.
fn write_float(float: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let text = shortest(float.abs());
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.replace('.', "");
    // The number of digits before the point.
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    if float.is_sign_negative() {
        f.write_char('-')?;
    }
    if float == 0.0 {
        return f.write_str("0.0");
    }
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    let scientific = format!("{first}.{rest}e{}", point - 1);
    if float.abs() >= SCIENTIFIC_FROM {
        return f.write_str(&scientific);
    }
    let decimal = decimal(&digits, point);
    if decimal.len() <= scientific.len() {
        f.write_str(&decimal)
    } else {
        f.write_str(&scientific)
    }
}

/// The shortest digits, in scientific notation. If two decimals of that length are equally close to
/// the float, Rust chooses the larger one and Erlang the even one.
fn shortest(float: f64) -> String {
    let shortest = format!("{float:e}");
    let digits = shortest.bytes().take_while(|&b| b != b'e').count();
    // The digits after the point.
    let even = format!("{float:.*e}", digits.saturating_sub(2));
    if even.parse() == Ok(float) {
        even
    } else {
        shortest
    }
}

fn decimal(digits: &str, point: i32) -> String {
    let zeros = |count: usize| "0".repeat(count);
    match usize::try_from(point) {
        Err(_) | Ok(0) => format!("0.{}{digits}", zeros(point.unsigned_abs() as usize)),
        Ok(point) if point >= digits.len() => format!("{digits}{}.0", zeros(point - digits.len())),
        Ok(point) => format!("{}.{}", &digits[..point], &digits[point..]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Lambda, Map, PidTerm, Port, Reference};
    use super::*;

    fn check(term: Term, expected: &str) {
        assert_eq!(term.to_string(), expected);
    }

    #[test]
    fn compound_terms() {
        check(Term::tuple([]), "{}");
        check(Term::tuple([1.into(), Term::Nil]), "{1,[]}");
        check(Term::list([97.into(), 98.into()]), "[97,98]");
        check(Term::list_onto([1.into(), 2.into()], 3.into()), "[1,2|3]");
        check(Term::cons(1.into(), Term::tuple([2.into()])), "[1|{2}]");
        check(Term::binary(b"ab"), "<<97,98>>");
        check(Term::binary(b""), "<<>>");
        let bits = Bits::from_bits(&[1, 0b1010_0000], 11).expect("enough");
        check(Term::Bits(bits.into()), "<<1,5:3>>");
        check(Map::new().into(), "#{}");
        let map = Map::new()
            .insert(Term::atom("b"), 2.into())
            .insert(Term::atom("a"), Term::list([1.into()]));
        check(map.into(), "#{a => [1],b => 2}");
    }

    #[test]
    fn identifiers_and_funs() {
        check(Term::Pid(PidTerm::new(85, 2)), "<0.85.2>");
        check(Term::Port(Port(6)), "#Port<0.6>");
        check(Term::Reference(Reference([1, 2, 3])), "#Ref<0.1.2.3>");
        let (module, name) = (Atom::new("M"), Atom::new("f"));
        let export = Fun::Export {
            module,
            name,
            arity: 2,
        };
        check(Term::fun(export), "fun 'M':f/2");
        let export = Fun::Export {
            module: Atom::new("when"),
            name: Atom::new("a@\u{1b}\u{7f}"),
            arity: 0,
        };
        check(Term::fun(export), "fun when:'a@\\033\u{7f}'/0");
        let lambda = Lambda {
            module: name,
            index: 3,
            unique: 77,
            arity: 0,
            environment: vec![],
        };
        check(Term::fun(Fun::Local(lambda)), "#Fun<f.3.77>");
    }

    #[test]
    fn atoms() {
        let check = |name, expected| check(Term::atom(name), expected);
        check("abc", "abc");
        check("aB_1@x", "aB_1@x");
        check("é", "é");
        check("aλ", "'a\\x{3BB}'");
        check("", "''");
        check("Abc", "'Abc'");
        check("_a", "'_a'");
        check("a b", "'a b'");
        check("don't\\", "'don\\'t\\\\'");
        check("a\n\u{1}\u{7f}\u{80}", "'a\\n\\001\\d\\200'");
        check("when", "'when'");
        check("ab÷", "'ab÷'");
    }

    #[test]
    fn floats() {
        let check = |float: f64, expected| check(float.into(), expected);
        check(0.0, "0.0");
        check(-0.0, "-0.0");
        check(1.0, "1.0");
        check(-1.5, "-1.5");
        check(100.0, "100.0");
        check(1.0e5, "1.0e5");
        check(123_456.0, "123456.0");
        check(0.1, "0.1");
        check(0.001, "0.001");
        check(0.0001, "0.0001");
        check(0.00012, "1.2e-4");
        check(1000.0, "1.0e3");
        check(1.0e22, "1.0e22");
        check(9_007_199_254_740_991.0, "9007199254740991.0");
        check(9_007_199_254_740_994.0, "9.007199254740994e15");
        check(f64::MAX, "1.7976931348623157e308");
        check(5.0e-324, "5.0e-324");
        check(2.0_f64.powi(-25), "2.9802322387695312e-8");
    }
}
