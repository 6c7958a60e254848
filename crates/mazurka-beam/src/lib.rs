//! The BEAM front-end: a virtual machine for the bytecode that the user's own compiler produces.
//!
//! | module | does |
//! | --- | --- |
//! | [`loader`] | reads `.beam` files of OTP 24 to 29 and never panics, whatever a file contains |
//! | [`term`] | Erlang's values: their order, equality, hashes and printed form |
//! | [`bits`] | matches and constructs bit strings |
//! | [`bif`] | the built-in functions that only compute |
//! | [`code`] | prepares loaded modules for running |
//! | [`ets`], [`match_spec`] | tables and match specifications, without processes |
//! | [`machine`] | runs one process from one visible operation to the next |
//! | `distance` | how far a process is from failing, by the control flow of its code |
//! | [`source`] | finds and compiles the code of a program |
//! | [`Program`] | implements the engine's front-end trait |
//!
//! ```
//! use mazurka_beam::term::{Atom, Term, compare};
//!
//! let term = Term::tuple([Term::Atom(Atom::OK), Term::list([1.into(), 2.5.into()])]);
//! assert_eq!(term.to_string(), "{ok,[1,2.5]}");
//! assert!(compare(&Term::Atom(Atom::OK), &term).is_lt(), "atoms come before tuples");
//! ```

pub mod bif;
pub mod bits;
mod blocks;
pub mod bytes;
mod clocks;
pub mod code;
mod distance;
pub mod ets;
mod frontend;
pub mod loader;
pub mod machine;
pub mod match_spec;
mod meter;
pub mod objects;
pub mod raise;
pub mod source;
pub mod term;

pub use clocks::Clocks;
pub use frontend::{Daemon, Kills, Pattern, Program, Rules, Snapshot};
