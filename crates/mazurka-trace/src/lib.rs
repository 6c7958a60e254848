//! Traces of message-passing executions: validity, causality, linearisations, races and
//! race variants, as pure data and functions.
//!
//! The definitions are those of Vidal, *Computing Race Variants in Message-Passing
//! Concurrent Programming with Selective Receives* (2022), extended by delivery models,
//! timeouts, exit signals and shared objects. There is no I/O here, no clock and no user
//! code.
//!
//! # A tour
//!
//! A [`Trace`] lists the events of each process. It does not order events of different processes
//! unless one causes the other. Here a master starts two workers, and each sends one message:
//!
//! ```
//! use mazurka_trace::{At, Trace};
//!
//! let trace = Trace::from_json(
//!     r#"{ "mazurka": "trace", "version": 1, "processes": {
//!       "master": [ {"spawn": "anna"}, {"spawn": "ben"}, {"receive": "a"}, {"receive": "b"} ],
//!       "anna": [ {"send": "a", "to": "master"} ],
//!       "ben": [ {"send": "b", "to": "master"} ] } }"#,
//! )?;
//! # Ok::<(), mazurka_trace::ReadError>(())
//! ```
//!
//! [`Trace::check`] returns the [`Causality`] of a valid trace. Concurrent events can occur in
//! either order:
//!
//! ```
//! # use mazurka_trace::*;
//! # let trace = Trace::from_json(r#"{ "mazurka": "trace", "version": 1, "processes": {
//! #   "master": [ {"spawn": "anna"}, {"spawn": "ben"}, {"receive": "a"}, {"receive": "b"} ],
//! #   "anna": [ {"send": "a", "to": "master"} ], "ben": [ {"send": "b", "to": "master"} ] } }"#).unwrap();
//! let causality = trace.check()?;
//! let (a, b) = (At::new("anna", 0), At::new("ben", 0));
//! assert!(causality.concurrent(&a, &b));
//! assert!(causality.happened_before(&a, &At::new("master", 3)));
//!
//! assert_eq!(causality.count_linearisations(1000), Count::Exactly(5));
//! for interleaving in causality.linearisations() {
//!     assert_eq!(interleaving.check(), Ok(()));
//!     assert!(interleaving.to_trace().equivalent(&trace));
//! }
//! # Ok::<(), TraceError>(())
//! ```
//!
//! So Ben's message could have come first: it is in the [race set](Causality::race_set) of the
//! first receive. The [race variant](Causality::variant) is the trace up to that receive, which now
//! consumes Ben's message. The [`Log`] of the variant drives the program to it:
//!
//! ```
//! # use mazurka_trace::*;
//! # let trace = Trace::from_json(r#"{ "mazurka": "trace", "version": 1, "processes": {
//! #   "master": [ {"spawn": "anna"}, {"spawn": "ben"}, {"receive": "a"}, {"receive": "b"} ],
//! #   "anna": [ {"send": "a", "to": "master"} ], "ben": [ {"send": "b", "to": "master"} ] } }"#).unwrap();
//! # let causality = trace.check().unwrap();
//! let first = At::new("master", 2);
//! assert_eq!(causality.race_set(&first), ["b".into()].into());
//!
//! let variant = causality.variant(&first, &"b".into()).unwrap();
//! assert_eq!(variant.log().processes["master"], [LogEntry::Receive("b".into())]);
//! ```
//!
//! # Files
//!
//! | file | what it defines |
//! | --- | --- |
//! | `name`, `params`, `delivery`, `accepts`, `event`, `at` | the parts of a trace |
//! | `trace`, `interleaving`, `log` | the three forms of an execution |
//! | `validity` | whether an interleaving is possible, by simulating it |
//! | `index`, `matching`, `graph`, `clock`, `mailbox`, `causality` | whether a trace is possible, and its causal order |
//! | `subtrace` | sub-traces and causal equivalence |
//! | `race`, `extra_edges`, `versions` | races, race variants, and the versions that a read could have seen |
//! | `cut`, `linearise`, `switches` | linearisations |
//! | `json` | the file formats; `docs/trace-format.md` describes them |
//! | `token` | a log as one word for the command line |

mod accepts;
mod at;
mod bits;
mod causality;
mod clock;
mod cut;
mod delivery;
mod error;
mod event;
mod extra_edges;
mod graph;
mod index;
mod interleaving;
mod invisible;
mod json;
mod linearise;
mod log;
mod mailbox;
mod matching;
mod name;
mod params;
mod race;
mod random;
mod subtrace;
mod switches;
mod token;
mod trace;
mod validity;
mod versions;

pub use accepts::Accepts;
pub use at::At;
pub use causality::Causality;
pub use delivery::{Delivery, UnknownDelivery};
pub use error::{Cycle, TraceError, Usage, Why};
pub use event::Event;
pub use interleaving::Interleaving;
pub use invisible::{escape_invisible, is_invisible};
pub use json::{FORMAT_VERSION, ReadError};
pub use linearise::{Count, Linearisations};
pub use log::{Log, LogEntry, LoggedError};
pub use name::{ProcessName, Tag};
pub use params::Params;
pub use race::RaceSet;
pub use switches::FewestSwitches;
pub use token::{TokenError, is_token};
pub use trace::{Note, ObjectNote, Orphan, Trace};
pub use validity::{Broken, InterleavingError};
pub use versions::ReadChoice;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod testing;
