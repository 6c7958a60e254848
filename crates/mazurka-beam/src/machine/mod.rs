//! The virtual machine: runs one process from one visible operation to the next.
//!
//! A [`Process`] is a snapshot: cloning it copies no term. [`Machine::run`] takes it from its start
//! to its first [`Stop`], and [`Machine::resume`] from there to the next one. [`Effect`]s are the
//! visible actions of a process on the way. A [`Constraint`] describes the messages that a receive
//! accepts; [`Machine::matches`] checks a message by running the receive's own code.

mod ask;
mod binary;
mod call;
mod clock;
mod constraint;
mod control;
mod effect;
mod exception;
mod float;
mod info;
mod local;
mod map;
mod names;
mod native;
mod persistent;
mod process;
mod receive;
mod run;
mod serve;
mod stack;
mod stop;
mod tables;
mod target;
mod ties;
mod trace;

pub use ask::Pending;
pub use clock::Form;
pub use constraint::Constraint;
pub use effect::{Effect, Start};
pub use info::{Inquiry, Linked};
pub use native::{Answer, Asking, Context, Control, Local, Native, Next, Pure};
pub(crate) use process::Position;
pub use process::{Details, Flags, Process};
pub use receive::Input;
pub use serve::Machine;
pub use stop::{End, Stop, Unsupported};
pub use tables::{Plan, Step};
pub use target::Target;
pub use ties::Watch;
