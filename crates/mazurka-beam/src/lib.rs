//! The BEAM front-end: runs the bytecode that the user's own compiler made.
//!
//! [`loader`] reads `.beam` files of OTP 24 to 29 and never panics, whatever a
//! file contains. [`term`] has Erlang's values: their order, equality, hashes and printed form are
//! those of the real virtual machine. [`bif`] has the built-in functions that only compute.
//!
//! ```
//! use mazurka_beam::term::{Atom, Term, compare};
//!
//! let term = Term::tuple([Term::Atom(Atom::OK), Term::list([1.into(), 2.5.into()])]);
//! assert_eq!(term.to_string(), "{ok,[1,2.5]}");
//! assert!(compare(&Term::Atom(Atom::OK), &term).is_lt(), "atoms come before tuples");
//! ```

pub mod bif;
pub mod bytes;
pub mod loader;
pub mod raise;
pub mod term;
