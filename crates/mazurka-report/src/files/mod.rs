//! Reading the files that users name, and writing files that are never half-written and never
//! replace what Mazurka did not write.

mod error;
mod kind;
mod outputs;

pub use error::FileError;
pub(crate) use kind::{DOT_MARK, MERMAID_MARK};
pub use kind::{Kind, SVG_MARK};
pub use outputs::Outputs;

use mazurka_trace::{Log, ReadError, Trace, is_token};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest trace or log that is read, in bytes: some millions of events.
const EXECUTION_MAX: u64 = 1 << 28;

/// The largest source that is read to show a line of it, in bytes.
const SOURCE_MAX: u64 = 1 << 24;

/// Reads a trace file.
///
/// # Errors
/// It cannot be read, or is not a trace.
pub fn read_trace(path: &Path) -> Result<Trace, FileError> {
    let text = read(path)?;
    Trace::from_json(&text).map_err(|error| in_file(path, error))
}

/// Reads a log, or the log of a trace; or a token, which is a log itself.
///
/// # Errors
/// It cannot be read, or is none of them.
pub fn read_log(path: &Path) -> Result<Log, FileError> {
    if let Some(token) = path.to_str().filter(|text| is_token(text)) {
        return Ok(Log::from_token(token)?);
    }
    let text = read(path)?;
    match Log::from_json(&text) {
        Ok(log) => Ok(log),
        Err(ReadError::WrongKind { found, .. }) if found == "trace" => Trace::from_json(&text)
            .map(|trace| trace.log())
            .map_err(|error| in_file(path, error)),
        Err(error) => Err(in_file(path, error)),
    }
}

/// The text of a source file, to show lines of it; `None` if it cannot be read.
#[must_use]
pub fn read_source(path: &Path) -> Option<String> {
    mazurka_files::read_text(path, SOURCE_MAX).ok()
}

/// Reads a trace or log from a file or a pipe.
fn read(path: &Path) -> Result<String, FileError> {
    let bytes = mazurka_files::read_stream(path, EXECUTION_MAX);
    let bytes = bytes.map_err(|error| FileError::Read {
        path: path.to_owned(),
        error,
    })?;
    String::from_utf8(bytes).map_err(|_| FileError::NotText {
        path: path.to_owned(),
    })
}

fn in_file(path: &Path, error: ReadError) -> FileError {
    FileError::Form {
        path: path.to_owned(),
        error,
    }
}

/// Writes a file as a whole or not at all, and replaces any existing one. [`Outputs`] checks the
/// existing file first.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, contents: &str) -> Result<(), FileError> {
    let written = mazurka_files::write(path, contents.as_bytes());
    written.map_err(|error| FileError::Write {
        path: path.to_owned(),
        error,
    })
}

/// Makes a directory if it does not exist.
///
/// # Errors
/// It cannot be made.
pub fn make_directory(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|error| FileError::MakeDirectory {
        path: path.to_owned(),
        error,
    })
}

/// Distinct file names, even on file systems that ignore case.
#[derive(Debug, Default)]
pub struct Names {
    used: BTreeSet<String>,
}

impl Names {
    /// A name for the log or trace of this stem. Characters that are invalid in file names become `-`,
    /// and a number is added if the name was used before.
    pub fn json(&mut self, directory: &Path, stem: &str) -> PathBuf {
        let stem = plain(stem);
        let mut name = format!("{stem}.json");
        let mut number = 1;
        while !self.used.insert(name.to_lowercase()) {
            number += 1;
            name = format!("{stem}-{number}.json");
        }
        directory.join(name)
    }
}

/// The maximum length of the stem of a file name.
const STEM_MAX: usize = 100;

fn plain(stem: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    stem.chars()
        .map(|c| if keep(c) { c } else { '-' })
        .take(STEM_MAX)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_stay_plain() {
        let mut names = Names::default();
        let mut name = |stem| names.json(Path::new("d"), stem).display().to_string();
        assert_eq!(name("gallery:bank-crash"), "d/gallery-bank-crash.json");
        assert_eq!(name("Gallery/bank-crash"), "d/Gallery-bank-crash-2.json");
        assert_eq!(name("P.1#0 →"), "d/P.1-0--.json");
    }
}
