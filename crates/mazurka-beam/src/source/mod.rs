//! Finding the code of a program, and reading what its user wrote on the command line.
//!
//! [`Program::find`] takes files, folders and names of modules. Sources are compiled by the user's
//! own compiler, and modules of OTP come from the user's own installation; see [`Otp`]. [`Entry`]
//! says where the program begins.

mod compile;
mod entry;
mod error;
mod number;
mod otp;
mod program;
mod text;

pub use entry::Entry;
pub use error::SourceError;
pub use otp::Otp;
pub use program::Program;
pub use text::{TextError, parse_term};
