//! Why the code of a program could not be found.

use std::path::PathBuf;

use mazurka_files::{ReadError, shown};
use thiserror::Error;

/// Why the code of a program could not be found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// There is no Erlang installation.
    #[error(
        "Erlang/OTP was not found: install it so that `erl` is on the PATH, or set MAZURKA_OTP to \
         its folder (the one that contains lib and erts-…)"
    )]
    NoErlang,
    /// An environment variable names a folder without Erlang.
    #[error(
        "{variable} is {}, which is not an Erlang/OTP installation: it has no folder lib",
        shown(root)
    )]
    NotOtp {
        /// The variable.
        variable: &'static str,
        /// Its value.
        root: PathBuf,
    },
    /// `erl` did not print the folder of its installation.
    #[error("{} did not print the folder of Erlang/OTP: {text}", shown(erl))]
    ErlFailed {
        /// The `erl` that was run.
        erl: PathBuf,
        /// Its output.
        text: String,
    },
    /// The compiler found errors. Its output is shown unchanged.
    #[error("{0}")]
    Compile(String),
    /// The compiler cannot be started.
    #[error("the compiler {} cannot be started: {error}", shown(compiler))]
    NoCompiler {
        /// The compiler.
        compiler: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", shown(path))]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        error: ReadError,
    },
    /// A folder without code.
    #[error("{} has neither .erl nor .beam files", shown(.0))]
    EmptyFolder(PathBuf),
    /// A file that is neither source nor compiled code.
    #[error("{} is neither an .erl nor a .beam file", shown(.0))]
    UnknownKind(PathBuf),
    /// The input is not a file, a folder or a module.
    #[error("{name} is neither a file, nor a folder, nor a module on the code path")]
    NotFound {
        /// The input.
        name: String,
    },
    /// The input is not a file or a folder, and modules cannot be searched for without OTP.
    #[error("{name} is neither a file nor a folder, and OTP's modules cannot be searched: {cause}")]
    NotFoundWithoutOtp {
        /// The input.
        name: String,
        /// Why there is no OTP.
        cause: Box<SourceError>,
    },
}
