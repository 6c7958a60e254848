//! Parses Erlang terms.

use std::cell::Cell;

use thiserror::Error;

use super::number;
use crate::bits::{Builder, Flags};
use crate::term::{ATOM_CHARACTERS_MAX, Atom, Map, Term, is_lower, is_reserved, is_upper};

/// A parse error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {message}")]
pub struct TextError {
    /// The column, in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl TextError {
    pub(super) fn new(column: usize, message: impl Into<String>) -> TextError {
        TextError {
            column,
            message: message.into(),
        }
    }
}

type Reading<T> = Result<T, TextError>;

/// Parses a term, such as `{ok, [1, 2.5, "text", <<1, 2>>, #{key => $c}]}`.
///
/// # Errors
/// The text is not a term. The error has the column.
pub fn parse_term(text: &str) -> Result<Term, TextError> {
    let mut text = Text::new(text);
    let term = text.term()?;
    text.end()?;
    Ok(term)
}

/// The maximum nesting depth of terms.
const DEPTH_MAX: usize = 200;

/// A text with the current position of the parser.
pub(super) struct Text<'a> {
    whole: &'a str,
    /// The position, in bytes.
    position: usize,
    depth: usize,
    /// A position and the number of characters before it. Columns are counted from there; otherwise
    /// parsing a long text would take quadratic time.
    counted: Cell<(usize, usize)>,
}

impl<'a> Text<'a> {
    pub(super) fn new(whole: &'a str) -> Text<'a> {
        Text {
            whole,
            position: 0,
            depth: 0,
            counted: Cell::default(),
        }
    }

    /// The rest of the text.
    pub(super) fn rest(&self) -> &'a str {
        &self.whole[self.position..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.position += character.len_utf8();
        Some(character)
    }

    /// Consumes characters while the predicate holds.
    pub(super) fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !holds(c)).unwrap_or(rest.len());
        self.position += end;
        &rest[..end]
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// The column of the next token.
    pub(super) fn column(&mut self) -> usize {
        self.skip_blanks();
        self.here()
    }

    fn here(&self) -> usize {
        let (from, before) = match self.counted.get() {
            (from, before) if from <= self.position => (from, before),
            _ => (0, 0),
        };
        let count = before + self.whole[from..self.position].chars().count();
        self.counted.set((self.position, count));
        count + 1
    }

    /// Consumes the token if it comes next.
    pub(super) fn accept(&mut self, wanted: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(wanted);
        if found {
            self.position += wanted.len();
        }
        found
    }

    pub(super) fn expect(&mut self, wanted: &str, name: &str) -> Reading<()> {
        if self.accept(wanted) {
            return Ok(());
        }
        Err(self.error(name))
    }

    pub(super) fn end(&mut self) -> Reading<()> {
        self.skip_blanks();
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error("the end")),
        }
    }

    /// The error for an unexpected token.
    pub(super) fn error(&mut self, expected: &str) -> TextError {
        let column = self.column();
        let found = match self.peek() {
            None => "the end".to_string(),
            Some(first) if is_upper(first) || first == '_' => {
                let name = self.take_while(is_name);
                format!("the variable '{name}'")
            }
            Some(first) if is_name(first) => format!("'{}'", self.take_while(is_name)),
            Some(first) => format!("'{first}'"),
        };
        TextError::new(column, format!("expected {expected}, found {found}"))
    }

    /// Parses a module name. Elixir modules need no quotes.
    pub(super) fn module(&mut self) -> Reading<Atom> {
        let column = self.column();
        if self.rest().starts_with("Elixir.") {
            let name = self.take_while(|c| is_name(c) || c == '.');
            return self.intern(name, column);
        }
        self.atom("a module")
    }

    /// Parses an atom, with or without quotes.
    pub(super) fn atom(&mut self, expected: &str) -> Reading<Atom> {
        let column = self.column();
        match self.peek() {
            Some('\'') => {
                let name: String = self.quoted('\'')?.into_iter().collect();
                self.intern(&name, column)
            }
            Some(first) if is_lower(first) => {
                let name = self.take_while(is_name);
                if is_reserved(name) {
                    let advice = format!("{name} is a reserved word: write '{name}' in quotes");
                    return Err(TextError::new(column, advice));
                }
                self.intern(name, column)
            }
            _ => Err(self.error(expected)),
        }
    }

    fn intern(&self, name: &str, column: usize) -> Reading<Atom> {
        if name.chars().count() > ATOM_CHARACTERS_MAX {
            let advice = format!("an atom has at most {ATOM_CHARACTERS_MAX} characters");
            return Err(TextError::new(column, advice));
        }
        Ok(Atom::new(name))
    }

    /// Parses a small number without sign or base.
    pub(super) fn decimal(&mut self, expected: &str) -> Reading<u32> {
        self.skip_blanks();
        let start = self.position;
        let digits = self.take_while(|c| c.is_ascii_digit());
        digits.parse().map_err(|_| {
            self.position = start;
            self.error(expected)
        })
    }

    /// Parses a term.
    pub(super) fn term(&mut self) -> Reading<Term> {
        let column = self.column();
        if self.depth == DEPTH_MAX {
            return Err(TextError::new(column, "this term is nested too deeply"));
        }
        self.depth += 1;
        let term = self.any()?;
        self.depth -= 1;
        Ok(term)
    }

    fn any(&mut self) -> Reading<Term> {
        let first = self.peek();
        match first {
            Some('{') => {
                self.next();
                Ok(Term::tuple(self.sequence("}")?))
            }
            Some('[') => {
                self.next();
                self.list()
            }
            Some('#') => {
                self.next();
                self.expect("{", "'{' after '#'")?;
                self.map()
            }
            Some('<') => {
                self.expect("<<", "'<<'")?;
                self.binary()
            }
            Some('"') => {
                let codes = self.string()?;
                let characters = codes.into_iter().map(|c| i64::from(u32::from(c)).into());
                Ok(Term::list(characters.collect::<Vec<Term>>()))
            }
            Some('-' | '+') => {
                self.next();
                self.skip_blanks();
                number::read(self, first == Some('-'))
            }
            Some('$' | '0'..='9') => number::read(self, false),
            _ => Ok(Term::Atom(self.atom("a term")?)),
        }
    }

    /// Parses terms separated by commas, up to and including `end`.
    pub(super) fn sequence(&mut self, end: &str) -> Reading<Vec<Term>> {
        let mut terms = Vec::new();
        if self.accept(end) {
            return Ok(terms);
        }
        loop {
            terms.push(self.term()?);
            if self.accept(end) {
                return Ok(terms);
            }
            self.expect(",", &format!("',' or '{end}'"))?;
        }
    }

    fn list(&mut self) -> Reading<Term> {
        let mut elements = Vec::new();
        if self.accept("]") {
            return Ok(Term::Nil);
        }
        loop {
            elements.push(self.term()?);
            if self.accept("]") {
                return Ok(Term::list(elements));
            }
            if self.accept("|") {
                let tail = self.term()?;
                self.expect("]", "']' after the tail of a list")?;
                return Ok(Term::list_onto(elements, tail));
            }
            self.expect(",", "',', '|' or ']'")?;
        }
    }

    fn map(&mut self) -> Reading<Term> {
        let mut map = Map::new();
        if self.accept("}") {
            return Ok(map.into());
        }
        loop {
            let key = self.term()?;
            self.expect("=>", "'=>' after a key")?;
            map = map.insert(key, self.term()?);
            if self.accept("}") {
                return Ok(map.into());
            }
            self.expect(",", "',' or '}'")?;
        }
    }

    fn binary(&mut self) -> Reading<Term> {
        let mut builder = Builder::new();
        if !self.accept(">>") {
            loop {
                self.segment(&mut builder)?;
                if self.accept(">>") {
                    break;
                }
                self.expect(",", "',' or '>>'")?;
            }
        }
        Ok(Term::Bits(builder.finish().into()))
    }

    /// Parses a segment: an integer with or without a size, or a string.
    fn segment(&mut self, builder: &mut Builder) -> Reading<()> {
        let column = self.column();
        if self.peek() == Some('"') {
            let string = self.string()?;
            let utf8 = self.accept("/");
            if utf8 {
                self.expect("utf8", "utf8")?;
            }
            for character in string {
                let code = Term::Int(u32::from(character).into());
                match utf8 {
                    true => builder.put_utf8(&code),
                    false => builder.put_integer(&code, 8, Flags::default()),
                };
            }
            return Ok(());
        }
        let value = match self.peek() {
            Some('-' | '+' | '$' | '0'..='9') => self.term()?,
            _ => return Err(self.error("an integer or a string")),
        };
        let size = match self.accept(":") {
            true => self.decimal("a size in bits")? as usize,
            false => 8,
        };
        const SIZE_MAX: usize = 1 << 20;
        if size > SIZE_MAX {
            return Err(TextError::new(column, "this segment is too large"));
        }
        builder
            .put_integer(&value, size, Flags::default())
            .ok_or_else(|| TextError::new(column, "expected an integer or a string, found a float"))
    }

    /// Parses a string. Adjacent strings are joined.
    fn string(&mut self) -> Reading<Vec<char>> {
        let mut string = self.quoted('"')?;
        loop {
            self.skip_blanks();
            if self.peek() != Some('"') {
                return Ok(string);
            }
            string.extend(self.quoted('"')?);
        }
    }

    /// Parses the characters between quotes.
    fn quoted(&mut self, quote: char) -> Reading<Vec<char>> {
        let column = self.here();
        self.next();
        let mut characters = Vec::new();
        loop {
            match self.peek() {
                None => {
                    let message = format!("this {quote} has no closing {quote}");
                    return Err(TextError::new(column, message));
                }
                Some(found) if found == quote => {
                    self.next();
                    return Ok(characters);
                }
                Some(_) => characters.push(self.character()?),
            }
        }
    }

    /// Parses a character or an escape sequence.
    pub(super) fn character(&mut self) -> Reading<char> {
        let column = self.here();
        let invalid = || TextError::new(column, "this is not a valid character");
        match self.next() {
            None => Err(self.error("a character")),
            Some('\\') => self.escape()?.ok_or_else(invalid),
            Some(character) => Ok(character),
        }
    }

    /// Parses the rest of an escape sequence. `None` if its code is not a valid character.
    fn escape(&mut self) -> Reading<Option<char>> {
        let Some(character) = self.next() else {
            return Err(self.error("a character after '\\'"));
        };
        Ok(Some(match character {
            'b' => '\u{8}',
            'd' => '\u{7f}',
            'e' => '\u{1b}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            's' => ' ',
            't' => '\t',
            'v' => '\u{b}',
            '^' => match self.next() {
                Some(control @ '@'..='_') => char::from(control as u8 - b'@'),
                Some(control @ 'a'..='z') => char::from(control as u8 - b'a' + 1),
                _ => return Ok(None),
            },
            'x' => return Ok(self.hexadecimal()),
            '0'..='7' => {
                let mut code = character as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit @ '0'..='7') = self.peek() else {
                        break;
                    };
                    self.next();
                    code = code * 8 + (digit as u32 - '0' as u32);
                }
                return Ok(char::from_u32(code));
            }
            other => other,
        }))
    }

    /// `\xHH` or `\x{H…}`.
    fn hexadecimal(&mut self) -> Option<char> {
        let code = if self.peek() == Some('{') {
            self.next();
            let digits = self.take_while(|c| c.is_ascii_hexdigit());
            if self.next() != Some('}') {
                return None;
            }
            u32::from_str_radix(digits, 16).ok()?
        } else {
            let high = self.next()?.to_digit(16)?;
            let low = self.next()?.to_digit(16)?;
            high * 16 + low
        };
        char::from_u32(code)
    }
}

fn is_name(c: char) -> bool {
    is_lower(c) || is_upper(c) || c.is_ascii_digit() || c == '_' || c == '@'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match parse_term(text) {
            Ok(term) => term.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{text}");
    }

    /// Counting columns from the start each time would read 2¹⁷ × 2¹⁷ bytes on average.
    #[test]
    fn long_terms_take_linear_time() {
        let term = parse_term("<<5:1048576>>").unwrap();
        let started = std::time::Instant::now();
        assert_eq!(parse_term(&term.to_string()).as_ref(), Ok(&term));
        assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
    }

    #[test]
    fn atoms_and_strings() {
        check("ok", "ok");
        check("'hello world'", "'hello world'");
        check(r"'it\'s'", r"'it\'s'");
        check(
            "if",
            "column 1: if is a reserved word: write 'if' in quotes",
        );
        check("'if'", "'if'");
        check("\"abc\"", "[97,98,99]");
        check("\"a\" \"b\"", "[97,98]");
        check("\"\"", "[]");
        check(
            r#""\n\t\x41\x{20ac}\101\^a\s\"""#,
            "[10,9,65,8364,65,1,32,34]",
        );
        check("\"abc", "column 1: this \" has no closing \"");
        check(r#""\xzz""#, "column 2: this is not a valid character");
        check(r#""\x{d800}""#, "column 2: this is not a valid character");
        check("\"€\"", "[8364]");
        let long = "a".repeat(256);
        check(&long, "column 1: an atom has at most 255 characters");
    }

    #[test]
    fn compound() {
        check("{}", "{}");
        check("{a, {b}}", "{a,{b}}");
        check("[]", "[]");
        check("[1, 2 | x]", "[1,2|x]");
        check("[1 | [2]]", "[1,2]");
        check("#{}", "#{}");
        check("#{b => 1, a => [], b => 2}", "#{a => [],b => 2}");
        check("[a b]", "column 4: expected ',', '|' or ']', found 'b'");
        check(
            "[a | b, c]",
            "column 7: expected ']' after the tail of a list, found ','",
        );
        check("{a,}", "column 4: expected a term, found '}'");
        check(
            "#{a := 1}",
            "column 5: expected '=>' after a key, found ':'",
        );
        check("#a{}", "column 2: expected '{' after '#', found 'a'");
        check("X", "column 1: expected a term, found the variable 'X'");
        check("é (", "column 3: expected the end, found '('");
    }

    #[test]
    fn binaries() {
        check("<<>>", "<<>>");
        check("<<1, 2, 256>>", "<<1,2,0>>");
        check("<<\"abc\", -1>>", "<<97,98,99,255>>");
        check("<<\"é€\">>", "<<233,172>>");
        check("<<\"é\"/utf8>>", "<<195,169>>");
        check("<<5:3>>", "<<5:3>>");
        check("<<1:16, $a>>", "<<0,1,97>>");
        check(
            "<<1.0>>",
            "column 3: expected an integer or a string, found a float",
        );
        check(
            "<<a>>",
            "column 3: expected an integer or a string, found 'a'",
        );
        check("<<1 2>>", "column 5: expected ',' or '>>', found '2'");
        check("<<1:9999999>>", "column 3: this segment is too large");
        check("<1", "column 1: expected '<<', found '<'");
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(text in ".*", almost in "[a-c1\\[\\]{}#<>|,:/'\"$\\\\x.e_é -]{0,30}") {
            for text in [text, almost] {
                let _ = parse_term(&text);
                let _ = crate::source::Entry::parse(&text);
            }
        }

        #[test]
        fn written_terms_parse_back(number: i64, float: f64, name in "\\PC{0,20}", bytes: Vec<u8>) {
            let float = if float.is_finite() { float } else { 0.5 };
            let name = Term::atom(&name);
            let term = Term::tuple([number.into(), float.into(), name, Term::binary(&bytes)]);
            proptest::prop_assert_eq!(parse_term(&term.to_string()), Ok(term));
        }
    }

    #[test]
    fn nesting_is_limited() {
        let deep = "[".repeat(100_000);
        check(&deep, "column 201: this term is nested too deeply");
    }
}
