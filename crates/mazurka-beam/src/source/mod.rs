//! Finds the code of a program, and parses entry points and terms from the command line.
//!
//! [`CodePath::find`] accepts files, folders and module names. Sources are compiled by the user's
//! own compiler, and OTP modules come from the user's own installation; see [`Otp`]. [`Entry`] is
//! the entry point of the program, and [`Generator`] runs tests of an EUnit test generator.

mod code_path;
mod compile;
mod entry;
mod error;
mod eunit;
mod number;
mod otp;
mod text;

pub use code_path::CodePath;
pub use entry::{Entry, parse_daemon, parse_pattern};
pub use error::SourceError;
pub use eunit::Generator;
pub(crate) use eunit::run_by;
pub use otp::Otp;
pub use text::{TextError, parse_term};
