//! Built-in programs with parameters.
//!
//! The gallery serves to try out Mazurka, to compare algorithms and to measure. It has small programs
//! whose numbers of traces are known, and programs with deliberate errors of each kind.
//!
//! Most are written for the `mazurka` library, and are examples of its use; each has a file in
//! `programs/`. A few tiny ones, which measure the engine itself, are written for [`Actors`], a
//! front-end with very little overhead. Code that explores a program handles both front-ends:
//!
//! ```
//! use mazurka_engine::{Fault, Frontend, Report, SendersFirst, Settings, check};
//! use mazurka_gallery::{Built, find};
//! use std::collections::BTreeMap;
//! use std::ops::ControlFlow;
//!
//! fn explore(program: impl Frontend) -> Result<Report, Fault> {
//!     check(program, SendersFirst, &Settings::default(), |_| ControlFlow::Continue(()))
//! }
//!
//! let program = find("pi")?;
//! let params = BTreeMap::from([("n".to_owned(), "4".to_owned())]);
//! let report = match program.instantiate(&params)? {
//!     Built::Actors(program) => explore(program)?,
//!     Built::Rust(program) => explore(program)?,
//! };
//! assert_eq!(report.progress.executions, 24);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Programs on [`Actors`] are functions from one demand to the next:
//!
//! ```
//! use mazurka_gallery::{Actors, Next, Pattern, Term, Turn, done, pattern, receive, start, tuple};
//!
//! fn ping(_: &Term, turn: &mut Turn<'_>) -> Next {
//!     let pong = turn.spawn(start!(pong));
//!     turn.send(pong, tuple!["ping", turn.me()]);
//!     receive(Pattern::from("pong"), |_, _| done())
//! }
//!
//! fn pong(_: &Term, _: &mut Turn<'_>) -> Next {
//!     receive(pattern!["ping", Pattern::Process], |message, turn| {
//!         turn.send(message.pid(1)?, Term::Atom("pong"));
//!         done()
//!     })
//! }
//!
//! let program = Actors::new(start!(ping));
//! ```

mod actor;
mod built;
mod count;
mod find;
mod pattern;
mod program;
mod programs;
mod term;

pub use actor::{Actors, Failure, Next, Run, Start, State, Step, Turn, done, receive};
pub use built::Built;
pub use find::{UnknownProgram, find, nearest, programs};
pub use pattern::Pattern;
pub use program::{Mistake, ParamError, Parameter, Program, Wrong};
pub use term::Term;
