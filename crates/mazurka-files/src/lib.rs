//! Reading and writing users' files. All crates use these functions.
//!
//! | file | what it defines |
//! | --- | --- |
//! | `read` | reading with a size limit |
//! | `write` | atomic writing |
//! | `same` | whether two paths refer to the same file |
//! | `shown` | file names as text, for names with arbitrary bytes |

mod read;
mod same;
mod shown;
mod write;

pub use read::{ReadError, look, read, read_stream, read_text};
pub use same::{is_same, place};
pub use shown::{named, shown};
pub use write::{WriteError, must_be_writable, write};
