//! Directed search: explore promising prefixes first.
//!
//! The explorer visits every trace exactly once for any order of the items of its frontier, and for any
//! content-based choice of the next process and of the first candidate.
//! [`Valuation`]s influence all three; a [`Strategy`](crate::Strategy) decides which item is next.
//!
//! | module | contents |
//! | --- | --- |
//! | `valuation` | the valuations, their weights, and the places where they count |
//! | `guide` | valuations that choose the next process and the first candidate |
//! | `facts` | what valuations measure, updated step by step |
//! | `valuer` | the value of a prefix |
//! | `choices` | the frontier, and how often it chooses |
//! | `ranking` | the queue of `best-first` |
//! | `search_tree` | the queue of `mcts` |
//! | `chance` | repeatable pseudo-random numbers |
//! | `probe` | whether a program reports distances |
//! | `measure` | reported distances, compared with what happened |

mod chance;
mod choices;
mod facts;
mod guide;
mod measure;
mod probe;
mod ranking;
mod search_tree;
mod valuation;
mod valuer;

pub(crate) use choices::Choices;
pub use guide::Directed;
pub use measure::Measured;
pub use probe::reports_distances;
pub use valuation::{Direction, Place, Valuation, Valuations};
pub(crate) use valuer::{Rank, Value, Valuer};
