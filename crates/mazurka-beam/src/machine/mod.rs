//! The virtual machine: runs one process from one visible operation to the next.
//!
//! A [`Process`] is a snapshot: cloning it copies no term. [`Machine::run`] takes it from its start
//! to its first [`Stop`], and [`Machine::resume`] from there to the next one. [`Effect`]s are the
//! visible actions of a process on the way. A [`Constraint`] describes the messages that a receive
//! accepts; [`Machine::matches`] checks a message by running the receive's own code.

mod alias;
mod application;
mod ask;
mod atomics;
mod binary;
mod call;
mod clock;
mod constraint;
mod control;
mod effect;
mod exception;
mod float;
mod global;
mod info;
mod local;
mod logging;
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
mod timers;
mod trace;

pub use alias::{Alias, Filter, Then, Until};
pub use application::Variable;
pub use ask::Pending;
pub use atomics::{Call as ArrayCall, Outcome as ElementOutcome};
pub use clock::Form;
pub use constraint::Constraint;
pub use effect::{Effect, Start};
pub use global::global_name;
pub use info::{Inquiry, Linked};
pub use native::{Answer, Asking, Context, Control, Local, Native, Next, Pure};
pub(crate) use process::Position;
pub use process::{Details, Flags, Process};
pub use receive::Input;
pub use serve::Machine;
pub use stop::{End, Stop, Unsupported};
pub use tables::{Plan, Step};
pub use target::Target;
pub use ties::{MonitorOptions, Watch};
pub use timers::{Cancel, Firing, Timer, is_request as is_timer_request};
