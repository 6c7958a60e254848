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
//! | `choices` | which of all known beginnings is next |
//! | `budget` | what choices may cost |
//! | `ranking` | the order of `best-first` |
//! | `chance` | what is left to chance, repeatably |
//! | `tree` | the tree of `mcts`: what came of looking where |

mod budget;
mod chance;
mod choices;
mod facts;
mod guide;
mod ranking;
mod tree;
mod valuation;
mod valuer;

pub(crate) use choices::Choices;
pub use guide::Directed;
pub use valuation::{Direction, Place, Valuation, Valuations};
pub(crate) use valuer::{Rank, Value, Valuer};
