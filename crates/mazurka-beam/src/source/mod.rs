//! Finding the code of a program, and reading what its user wrote on the command line.
//!
//! [`CodePath::find`] takes files, folders and names of modules. Sources are compiled by the user's
//! own compiler, and modules of OTP come from the user's own installation; see [`Otp`]. [`Entry`]
//! says where the program begins, and [`Generator`] runs tests that EUnit would run.

mod code_path;
mod compile;
mod entry;
mod error;
mod eunit;
mod number;
mod otp;
mod text;

pub use code_path::CodePath;
pub use entry::Entry;
pub use error::SourceError;
pub use eunit::Generator;
pub(crate) use eunit::run_by;
pub use otp::Otp;
pub use text::{TextError, parse_term};
