//! The files of users: every file that is read or written goes through here.
//!
//! | file | its noun |
//! | --- | --- |
//! | `read` | a file that is read within a limit |
//! | `write` | a file that is written as a whole or not at all |
//! | `same` | whether two paths lead to one file |
//! | `shown` | the name of a file as text, whatever bytes it has |

mod read;
mod same;
mod shown;
mod write;

pub use read::{ReadError, look, read, read_stream, read_text};
pub use same::{is_same, place};
pub use shown::{named, shown};
pub use write::{WriteError, must_be_writable, write};
