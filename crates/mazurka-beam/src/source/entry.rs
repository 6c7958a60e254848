//! The entry point of a program, as given on the command line.

use std::fmt;

use super::text::{Text, TextError};
use crate::code::Mfa;
use crate::term::{Atom, Term};
use crate::{Daemon, Pattern};

/// A function and its arguments: `m:f(1, [a, b])`, or `m:f/0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The module.
    pub module: Atom,
    /// The function.
    pub function: Atom,
    /// Its arguments.
    pub arguments: Vec<Term>,
}

impl Entry {
    /// Parses `module:function(arguments)` or `module:function/0`.
    ///
    /// ```
    /// use mazurka_beam::source::Entry;
    ///
    /// let entry = Entry::parse("bank:run(3, [{amount, 16#ff}])").unwrap();
    /// assert_eq!(entry.to_string(), "bank:run(3,[{amount,255}])");
    /// assert_eq!(
    ///     Entry::parse("bank:run/1").unwrap_err().to_string(),
    ///     "column 10: run takes 1 argument: write bank:run(…) with its value"
    /// );
    /// ```
    ///
    /// # Errors
    /// The text has another form. The error has the column.
    pub fn parse(text: &str) -> Result<Entry, TextError> {
        let mut text = Text::new(text);
        let module = text.module()?;
        text.expect(":", "':' and a function after the module")?;
        Entry::of_module(module, text)
    }

    /// As [`parse`](Entry::parse), but the module may be omitted: then it is `module`.
    ///
    /// # Errors
    /// The text has another form. The error has the column.
    pub fn parse_in(module: Atom, text: &str) -> Result<Entry, TextError> {
        let mut ahead = Text::new(text);
        match ahead.module().is_ok() && ahead.accept(":") {
            true => Entry::parse(text),
            false => Entry::of_module(module, Text::new(text)),
        }
    }

    /// Parses the part after the module.
    fn of_module(module: Atom, mut text: Text<'_>) -> Result<Entry, TextError> {
        let function = text.atom("the name of a function")?;
        let arguments = if text.accept("/") {
            Entry::arity(module, function, &mut text)?
        } else if text.accept("(") {
            text.sequence(")")?
        } else {
            return Err(text.error("'/0' or '(' and arguments after the function"));
        };
        text.end()?;
        Ok(Entry {
            module,
            function,
            arguments,
        })
    }

    fn arity(module: Atom, function: Atom, text: &mut Text<'_>) -> Result<Vec<Term>, TextError> {
        let column = text.column();
        let arity = text.decimal("the number of arguments")?;
        if arity == 0 {
            return Ok(Vec::new());
        }
        let (count, their) = match arity {
            1 => ("1 argument".to_string(), "its value"),
            _ => (format!("{arity} arguments"), "their values"),
        };
        let (module, function) = (Term::Atom(module), Term::Atom(function));
        let advice = format!("{function} takes {count}: write {module}:{function}(…) with {their}");
        Err(TextError::new(column, advice))
    }
}

/// Parses `module` or `module:function/arity`. Names may be in quotes, as in Erlang.
///
/// # Errors
/// The text has another form. The error has the column.
pub fn parse_daemon(text: &str) -> Result<Daemon, TextError> {
    let mut text = Text::new(text);
    let module = text.module()?;
    if !text.accept(":") {
        text.end()?;
        return Ok(Daemon::Module(module.name().to_owned()));
    }
    let name = text.atom("the name of a function")?;
    text.expect("/", "'/' and the number of arguments after the function")?;
    let arity = text.decimal("the number of arguments")?;
    text.end()?;
    Ok(Daemon::Function(Mfa {
        module,
        name,
        arity,
    }))
}

/// Parses a pattern that names processes: `supervised`, a registered name or module, or
/// `module:function/arity`.
///
/// # Errors
/// The text has another form. The error has the column.
pub fn parse_pattern(text: &str) -> Result<Pattern, TextError> {
    Ok(match parse_daemon(text)? {
        Daemon::Module(word) if word == "supervised" => Pattern::Supervised,
        Daemon::Module(word) => Pattern::Word(word),
        Daemon::Function(function) => Pattern::Function(function),
    })
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (module, function) = (Term::Atom(self.module), Term::Atom(self.function));
        write!(f, "{module}:{function}(")?;
        for (index, argument) in self.arguments.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{argument}")?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match Entry::parse(text) {
            Ok(entry) => entry.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn functions() {
        check("ping_pong:pong/0", "ping_pong:pong()");
        check("m:f()", "m:f()");
        check(" m : f ( 1 , x ) ", "m:f(1,x)");
        check("'my mod':'F'(a)", "'my mod':'F'(a)");
        check("Elixir.My.App:run/0", "'Elixir.My.App':run()");
        check("m@1:f_2/0", "m@1:f_2()");
    }

    #[test]
    fn functions_without_a_module() {
        let module = Atom::new("m");
        let read = |text: &str| Entry::parse_in(module, text).map(|entry| entry.to_string());
        assert_eq!(read("f/0").unwrap(), "m:f()");
        assert_eq!(read("f(1, x)").unwrap(), "m:f(1,x)");
        assert_eq!(read("other:f/0").unwrap(), "other:f()");
        assert_eq!(
            read("f/2").unwrap_err().to_string(),
            "column 3: f takes 2 arguments: write m:f(…) with their values"
        );
        assert!(read("f").is_err());
        assert!(read("").is_err());
    }

    #[test]
    fn errors() {
        check("", "column 1: expected a module, found the end");
        check(
            "m",
            "column 2: expected ':' and a function after the module, found the end",
        );
        check(
            "m:f",
            "column 4: expected '/0' or '(' and arguments after the function, found the end",
        );
        check(
            "m:f/2",
            "column 5: f takes 2 arguments: write m:f(…) with their values",
        );
        check(
            "m:F/0",
            "column 3: expected the name of a function, found the variable 'F'",
        );
        check("m:f(1", "column 6: expected ',' or ')', found the end");
        check("m:f(1) x", "column 8: expected the end, found 'x'");
        check("m:f(,)", "column 5: expected a term, found ','");
        check(
            "m:f/x",
            "column 5: expected the number of arguments, found 'x'",
        );
        check(
            "App.Foo:f/0",
            "column 1: expected a module, found the variable 'App'",
        );
    }
}
