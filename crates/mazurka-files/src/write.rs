//! Writes files atomically: a file is replaced completely or not at all.

use crate::shown;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system returned an error.
    #[error("{0}")]
    Io(io::Error),
    /// The path is a directory.
    #[error("it is a directory")]
    IsDirectory,
    /// The directory of the path does not exist.
    #[error("there is no directory {}", shown(.0))]
    NoDirectory(PathBuf),
    /// A temporary file cannot be created in the directory of the path.
    #[error("{} (in the directory {})", io::Error::from(*reason), shown(directory))]
    InDirectory {
        /// The directory.
        directory: PathBuf,
        /// The reason.
        reason: io::ErrorKind,
    },
}

/// Writes a file atomically. Writes directly to devices and pipes.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    match Target::new(path) {
        Target::Special(target) => fs::write(&target, contents).map_err(WriteError::Io),
        Target::Plain(target) => {
            let mut file = temporary(directory_of(&target))?;
            // Errors of the temporary file itself contain its name, which is meaningless to the user.
            let written = file.as_file_mut().write_all(contents);
            written.map_err(WriteError::Io)?;
            let persisted = file.persist(&target);
            // The error contains the temporary file, which is meaningless to the user.
            { persisted.map(drop) }.map_err(|failed| WriteError::Io(failed.error))
        }
    }
}

/// Checks that [`write()`] could write the file now. Does not change the file.
///
/// # Errors
/// The file could not be written.
pub fn must_be_writable(path: &Path) -> Result<(), WriteError> {
    match Target::new(path) {
        Target::Special(target) if target.is_dir() => Err(WriteError::IsDirectory),
        Target::Special(_) => Ok(()),
        Target::Plain(target) => temporary(directory_of(&target)).map(drop),
    }
}

/// The target of a path after following links.
enum Target {
    /// A file, which may not exist yet.
    Plain(PathBuf),
    /// A device or pipe, which must not be replaced, such as `/dev/null`.
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
        // The usual permissions, reduced by the umask, instead of the 0600 of temporary files.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The text of the error contains the temporary file's name, which is meaningless to the user.
    builder
        .tempfile_in(directory)
        .map_err(|error| WriteError::InDirectory {
            directory: directory.to_owned(),
            reason: error.kind(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_atomic() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.json");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        assert!(write(&directory.path().join("no/a.json"), b"one").is_err());
        assert!(write(directory.path(), b"one").is_err());
    }

    #[test]
    fn unwritable_files_are_detected_before_writing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.json");
        must_be_writable(&path).unwrap();
        assert!(!path.exists());
        write(&path, b"one").unwrap();
        must_be_writable(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        for (wrong, why) in [
            (directory.path().to_owned(), "it is a directory"),
            (directory.path().join("no/a.json"), "there is no directory"),
            (path.join("a.json"), "there is no directory"),
        ] {
            let error = must_be_writable(&wrong).unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
            assert!(!error.contains(".mazurka-"), "{error}");
        }
    }
}
