//! Directed search: what makes one beginning of an execution more promising than another.
//!
//! Exploration is complete and optimal in whatever order it looks at the beginnings that it
//! knows, and for any content-based choice of the next process and of the first candidate.
//! [`Valuation`]s have their say in all three; a [`Strategy`](crate::Strategy) decides which
//! beginning is next.
//!
//! | module | says |
//! | --- | --- |
//! | `valuation` | what can be valued, and how much each counts |
//! | `guide` | which process goes next, and which candidate is first |
//! | `facts` | what valuations look at, kept up to date step by step |
//! | `valuer` | how good a beginning is |
//! | `tree` | the tree of `mcts`: what came of looking where |

mod facts;
mod guide;
mod tree;
mod valuation;
mod valuer;

pub use guide::Directed;
pub(crate) use tree::Tree;
pub use valuation::{Direction, Place, Valuation, Valuations};
pub(crate) use valuer::{Rank, Value, Valuer};
