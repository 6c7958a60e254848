//! Reading the files that users name, and writing files that are never half-written.

mod error;

pub use error::{FileError, WriteError};

use mazurka_trace::{Log, ReadError, Trace, is_token};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Reads a trace file.
///
/// # Errors
/// It cannot be read, or is no trace.
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

fn read(path: &Path) -> Result<String, FileError> {
    let bytes = fs::read(path).map_err(|error| FileError::Read {
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

/// Writes a file as a whole or not at all.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, contents: &str) -> Result<(), FileError> {
    replace(path, contents).map_err(|error| cannot_write(path, error))
}

/// An error if [`write()`] could not write the file now. It is left as it is.
///
/// # Errors
/// It could not.
pub fn must_be_writable(path: &Path) -> Result<(), FileError> {
    let place = match Target::new(path) {
        Target::Special(target) if target.is_dir() => Err(WriteError::IsDirectory),
        Target::Special(_) => Ok(()),
        Target::Plain(target) => temporary(directory_of(&target)).map(drop),
    };
    place.map_err(|error| cannot_write(path, error))
}

fn cannot_write(path: &Path, error: WriteError) -> FileError {
    FileError::Write {
        path: path.to_owned(),
        error,
    }
}

/// What a path leads to, links followed.
enum Target {
    /// A file, or nothing yet.
    Plain(PathBuf),
    /// What must not be replaced, such as `/dev/null`.
    Special(PathBuf),
}

impl Target {
    fn new(path: &Path) -> Target {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
            true => Target::Special(target),
            false => Target::Plain(target),
        }
    }
}

fn replace(path: &Path, contents: &str) -> Result<(), WriteError> {
    match Target::new(path) {
        Target::Special(target) => fs::write(&target, contents).map_err(WriteError::Io),
        Target::Plain(target) => {
            let mut file = temporary(directory_of(&target))?;
            let written = file.write_all(contents.as_bytes());
            written.map_err(WriteError::Io)?;
            let put = file.persist(&target);
            // The error has the temporary file with it, which means nothing to the user.
            put.map(drop).map_err(|failed| WriteError::Io(failed.error))
        }
    }
}

fn directory_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn temporary(directory: &Path) -> Result<tempfile::NamedTempFile, WriteError> {
    if !directory.is_dir() {
        return Err(WriteError::NoDirectory(directory.to_owned()));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mazurka-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What the umask leaves of this, as for any file; not the 0600 of temporary ones.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The error's own words name the temporary file, which means nothing to the user.
    builder
        .tempfile_in(directory)
        .map_err(|error| WriteError::InDirectory {
            directory: directory.to_owned(),
            reason: error.kind(),
        })
}

/// Makes a directory, if it is not there.
///
/// # Errors
/// It cannot be made.
pub fn make_directory(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|error| FileError::MakeDirectory {
        path: path.to_owned(),
        error,
    })
}

/// File names that differ, even where upper and lower case do not.
#[derive(Debug, Default)]
pub struct Names {
    used: BTreeSet<String>,
}

impl Names {
    /// A name for this stem: what cannot stand in a file name becomes `-`, and a number is
    /// added if the name was given before.
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

/// The longest stem of a file name that we make.
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

    #[test]
    fn writes_all_or_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.json");
        write(&path, "one").unwrap();
        write(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        assert!(write(&directory.path().join("no/a.json"), "one").is_err());
        assert!(write(directory.path(), "one").is_err());
    }

    #[test]
    fn says_before_that_it_cannot_write() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.json");
        must_be_writable(&path).unwrap();
        assert!(!path.exists());
        write(&path, "one").unwrap();
        must_be_writable(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        for (wrong, why) in [
            (directory.path().to_owned(), "it is a directory"),
            (directory.path().join("no/a.json"), "there is no directory"),
            (path.join("a.json"), "there is no directory"),
        ] {
            let told = must_be_writable(&wrong).unwrap_err().to_string();
            assert!(told.starts_with(&format!("cannot write {}: {why}", wrong.display())));
            assert!(!told.contains(".mazurka-"), "{told}");
        }
    }
}
