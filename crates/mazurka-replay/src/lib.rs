//! States that the engine can return to, for processes that cannot be copied.
//!
//! The engine returns to earlier local histories of a process all the time. An interpreter copies
//! its processes for that. A future, a thread or a process of the operating system cannot be copied.
//! This crate records the inputs of such a process instead. To return it to an earlier history it
//! is started again, alone, and given the recorded inputs; everything it does on the way is compared
//! with what it did before.
//!
//! A front-end implements [`Runner`] for its kind of process: start it, feed it an input, drop it.
//! A [`Replayer`] turns that into a tree of [`History`] nodes, which a front-end uses as
//! [`Frontend::State`](mazurka_engine::Frontend::State): cloning one is cloning an `Rc`.
//!
//! | module | content |
//! | --- | --- |
//! | `runner` | [`Runner`], the trait to implement; [`Step`], what a process does on one input |
//! | `history` | [`History`], a local history and perhaps the process that waits there |
//! | `replayer` | [`Replayer`], which continues histories and re-runs processes |
//! | `pool` | the limit on running processes |
//! | `difference` | the comparison of two runs, and the fault if they differ |
//!
//! This is a crate of its own and not a part of the engine, although it is just as pure: the engine
//! never uses it. Only front-ends do, and only those whose processes cannot be copied.

mod difference;
mod history;
mod pool;
mod replayer;
mod runner;

pub use history::{History, Recording};
pub use replayer::Replayer;
pub use runner::{Ran, Rerun, Runner, Step};
