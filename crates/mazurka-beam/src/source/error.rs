//! Why the code of a program could not be found.

use std::path::PathBuf;

use mazurka_files::{ReadError, shown};
use thiserror::Error;

/// Why the code of a program could not be found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// No installation of Erlang.
    #[error(
        "Erlang/OTP was not found: install it so that `erl` is on the PATH, or set MAZURKA_OTP to \
         its folder (the one that has lib and erts-…)"
    )]
    NoErlang,
    /// A variable names a folder that has no Erlang.
    #[error(
        "{variable} is {}, which has no Erlang/OTP: it should have a folder lib",
        shown(root)
    )]
    NotOtp {
        /// The variable.
        variable: &'static str,
        /// What it says.
        root: PathBuf,
    },
    /// Erlang does not say where it is.
    #[error("{} did not say where Erlang/OTP is: {text}", shown(erl))]
    ErlFailed {
        /// What was asked.
        erl: PathBuf,
        /// What it said instead.
        text: String,
    },
    /// The compiler found errors. Its own words are shown as they are.
    #[error("{0}")]
    Compile(String),
    /// The compiler cannot be started.
    #[error("the compiler {} cannot be started: {error}", shown(compiler))]
    NoCompiler {
        /// The compiler.
        compiler: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", shown(path))]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: ReadError,
    },
    /// A folder without code.
    #[error("{} has neither .erl nor .beam files", shown(.0))]
    EmptyFolder(PathBuf),
    /// A file of another kind.
    #[error("{} is neither an .erl nor a .beam file", shown(.0))]
    UnknownKind(PathBuf),
    /// No file and no module.
    #[error("{name} is neither a file, nor a folder, nor a module on the code path")]
    NotFound {
        /// What was asked for.
        name: String,
    },
    /// No file and no module, and no OTP to look into either.
    #[error("{name} is neither a file nor a folder, and to look for modules of that name: {cause}")]
    NotFoundWithoutOtp {
        /// What was asked for.
        name: String,
        /// Why there is no OTP.
        cause: Box<SourceError>,
    },
}
