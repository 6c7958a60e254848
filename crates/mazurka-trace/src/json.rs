//! The JSON form of traces and logs. `docs/trace-format.md` describes it.
//!
//! This module defines every file format of the crate. Reading accepts any layout. Writing puts
//! each event on its own line, so that people can read, compare and edit the files.

mod entry;
mod event;
mod layout;
mod read;
mod write;

pub use read::ReadError;

pub(crate) use entry::EntryFields;
pub(crate) use event::EventFields;

/// The format version that is written, and the only one that can be read.
pub const FORMAT_VERSION: u64 = 1;
