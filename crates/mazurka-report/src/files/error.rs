//! Why a file cannot be read or written.

use mazurka_trace::{ReadError, TokenError};
use std::io;
use std::path::PathBuf;

/// A file that cannot be read or written. Its text says which and why.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is no text.
    #[error("{}: this is not text in UTF-8, so it is neither a trace nor a log", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// It is no trace, or no log.
    #[error("{}: {error}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ReadError,
    },
    /// It is a token, and no good one.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// It cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: WriteError,
    },
    /// A directory cannot be made.
    #[error("cannot make the directory {}: {error}", path.display())]
    MakeDirectory {
        /// The directory.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The system does not let us.
    #[error("{0}")]
    Io(io::Error),
    /// There is a directory of that name.
    #[error("it is a directory")]
    IsDirectory,
    /// There is no directory for it.
    #[error("there is no directory {}", .0.display())]
    NoDirectory(PathBuf),
    /// Nothing can be written next to it.
    #[error("{} (in the directory {})", io::Error::from(*reason), directory.display())]
    InDirectory {
        /// The directory.
        directory: PathBuf,
        /// Why.
        reason: io::ErrorKind,
    },
}

impl FileError {
    /// What the system said, if that is the reason.
    #[must_use]
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        match self {
            FileError::Read { error, .. }
            | FileError::MakeDirectory { error, .. }
            | FileError::Write {
                error: WriteError::Io(error),
                ..
            } => Some(error.kind()),
            _ => None,
        }
    }
}
