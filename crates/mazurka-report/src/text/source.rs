//! Lines of the source that a report quotes.

use super::{shorten, style, styled, width};
use crate::files::read_source;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The place, `file:line`, that ends a message, if it ends in one: `badarg at bank.erl:12`.
pub(crate) fn place_in(message: &str) -> Option<String> {
    let (_, place) = message.rsplit_once(" at ")?;
    parts(place).map(|_| place.to_owned())
}

pub(crate) fn parts(place: &str) -> Option<(&str, usize)> {
    let (file, line) = place.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

/// Writes the lines at these places, each once, as far as they are found in these files.
pub(super) fn write_lines(
    out: &mut impl Write,
    sources: &[PathBuf],
    places: &[String],
) -> io::Result<()> {
    let mut written: Vec<&String> = Vec::new();
    for place in places {
        if written.contains(&place) {
            continue;
        }
        written.push(place);
        if let Some(line) = find(sources, place) {
            let line = format!("{place}  {}", line.trim());
            let line = shorten(&line, width().saturating_sub(4));
            writeln!(out, "    {}", styled(style::FAINT, line))?;
        }
    }
    Ok(())
}

fn find(sources: &[PathBuf], place: &str) -> Option<String> {
    let (file, line) = parts(place)?;
    let text = read_source(file_of(sources, file)?)?;
    text.lines().nth(line.checked_sub(1)?).map(str::to_owned)
}

/// The file among these that a place refers to.
pub(crate) fn file_of<'s>(sources: &'s [PathBuf], file: &str) -> Option<&'s PathBuf> {
    let file = Path::new(file);
    sources
        .iter()
        .find(|source| source.ends_with(file) || file.ends_with(source))
        .or_else(|| {
            let same_name = |source: &&PathBuf| source.file_name() == file.file_name();
            sources.iter().find(same_name)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_may_end_in_a_place() {
        let check = |message, expected: Option<&str>| {
            assert_eq!(place_in(message).as_deref(), expected);
        };
        check("badarg at bank.erl:12", Some("bank.erl:12"));
        check("looks at src/a.erl at src/b.erl:3", Some("src/b.erl:3"));
        check("panicked at noon", None);
        check("exit", None);
    }
}
