//! The JSON form of traces and logs. `docs/trace-format.md` describes it.
//!
//! All that goes to disk is here. Reading takes any layout; writing puts each event on a
//! line of its own, so that people can read, compare and edit the files.

mod entry;
mod event;
mod layout;
mod read;
mod write;

pub use read::ReadError;

pub(crate) use entry::EntryFields;
pub(crate) use event::EventFields;

/// The version of the format that is written, and the only one that is read.
pub const FORMAT_VERSION: u64 = 1;
