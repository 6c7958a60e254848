//! The `.app` files on the code path.

use std::cell::RefCell;
use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::source::parse_term;
use crate::term::{Atom, Term};

/// The maximum size of an `.app` file in bytes.
const FILE_MAX: u64 = 1 << 20;

/// The `.app` files that have been read. Those that are missing stay missing.
#[derive(Debug, Default)]
pub(super) struct Applications(RefCell<FxHashMap<u32, Option<Term>>>);

impl Applications {
    /// The properties of an application, from the first folder that has its `.app` file. A file that
    /// cannot be read or is not an `.app` file counts as missing.
    pub(super) fn properties(&self, name: Atom, folders: &[PathBuf]) -> Option<Term> {
        let mut read = self.0.borrow_mut();
        let properties = read.entry(name.index());
        properties.or_insert_with(|| find(name, folders)).clone()
    }
}

fn find(name: Atom, folders: &[PathBuf]) -> Option<Term> {
    // A name with a slash would refer to another folder.
    if name.name().contains(['/', '\0']) {
        return None;
    }
    let file = format!("{}.app", name.name());
    let mut paths = folders.iter().map(|folder| folder.join(&file));
    let path = paths.find(|path| path.is_file())?;
    let text = mazurka_files::read_text(&path, FILE_MAX).ok()?;
    let text = without_comments(&text);
    let term = parse_term(text.trim_end().strip_suffix('.')?).ok()?;
    let Term::Tuple(parts) = &term else {
        return None;
    };
    match &***parts {
        [Term::Atom(tag), Term::Atom(of), properties]
            if tag.name() == "application" && *of == name =>
        {
            Some(properties.clone())
        }
        _ => None,
    }
}

/// The text with blanks instead of comments, which the parser of terms does not know.
fn without_comments(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, '%') => {
                characters.by_ref().find(|&next| next == '\n');
                result.push('\n');
                continue;
            }
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
        result.push(character);
        // The next character has no other meaning.
        let is_escape = character == '\\' && quote.is_some() || character == '$' && quote.is_none();
        if is_escape {
            result.extend(characters.next());
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_removed() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(without_comments(text), expected);
        }
        check("{a, 1}. % one\n% two", "{a, 1}. \n\n");
        check(
            "\"50 %\", '%', $%, $\", x % y",
            "\"50 %\", '%', $%, $\", x \n",
        );
        check("\"a\\\"%\" % b", "\"a\\\"%\" \n");
    }
}
