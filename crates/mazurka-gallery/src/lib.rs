//! Built-in programs with parameters, on a fast native front-end.
//!
//! The gallery is there to try Mazurka on, to compare algorithms on and to measure: small
//! programs whose numbers of traces are known, and programs that are wrong on purpose, one
//! for each kind of error.
//!
//! ```
//! use mazurka_engine::{Delivery, Execution, Explorer, Observer, Options, SendersFirst};
//! use mazurka_gallery::{Actors, find};
//! use std::collections::BTreeMap;
//! use std::ops::ControlFlow;
//!
//! struct Ignore;
//!
//! impl Observer<Actors> for Ignore {
//!     fn execution(&mut self, _: &Execution<'_, Actors>) -> ControlFlow<()> {
//!         ControlFlow::Continue(())
//!     }
//! }
//!
//! let program = find("fan-in")?;
//! let params = BTreeMap::from([("n".to_owned(), "4".to_owned())]);
//! let mut explorer = Explorer::new(program.instantiate(&params)?, SendersFirst, Options::default());
//! explorer.run(&mut Ignore)?;
//! assert_eq!(explorer.progress().executions, 24);
//! assert_eq!(program.known_traces(&params, Delivery::P2p), Some(24));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Programs are written as functions from one demand to the next:
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
mod count;
mod find;
mod pattern;
mod program;
mod programs;
mod term;

pub use actor::{
    Actors, Failure, Next, Run, Start, State, Step, Turn, ask, assert_equal, assert_that, crash,
    done, granted, number, receive, receive_after, stop,
};
pub use find::{UnknownProgram, find, programs};
pub use pattern::Pattern;
pub use program::{Mistake, ParamError, Parameter, Program, Wrong};
pub use term::Term;
