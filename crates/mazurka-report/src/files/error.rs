//! Why a file cannot be read or written.

use super::Kind;
use mazurka_files::shown;
use mazurka_trace::{ReadError, TokenError};
use std::io;
use std::path::PathBuf;

/// A file that cannot be read or written. Its text names the file and the reason.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read {}: {error}", shown(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: mazurka_files::ReadError,
    },
    /// It is not text.
    #[error(
        "{}: this is not text in UTF-8, so it is neither a trace nor a log",
        shown(path)
    )]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// It is not a trace or log.
    #[error("{}: {error}", shown(path))]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ReadError,
    },
    /// It is an invalid token.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// It cannot be written.
    #[error("cannot write {}: {error}", shown(path))]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: mazurka_files::WriteError,
    },
    /// It is also an input of the command.
    #[error(
        "will not write {}: this command reads it; give another file",
        shown(path)
    )]
    IsInput {
        /// The file.
        path: PathBuf,
    },
    /// It exists, and is not a file of the kind that would be written.
    #[error(
        "will not replace {}: it exists and is not {} that Mazurka wrote; give another file, or \
         --force",
        shown(path),
        kind.name()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What would be written.
        kind: Kind,
    },
    /// A directory cannot be made.
    #[error("cannot make the directory {}: {error}", shown(path))]
    MakeDirectory {
        /// The directory.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl FileError {
    /// The system's error, if that is the reason.
    #[must_use]
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        match self {
            FileError::Read {
                error: mazurka_files::ReadError::Io(error),
                ..
            }
            | FileError::MakeDirectory { error, .. }
            | FileError::Write {
                error: mazurka_files::WriteError::Io(error),
                ..
            } => Some(error.kind()),
            _ => None,
        }
    }
}
