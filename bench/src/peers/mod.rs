//! The published tools, one module each, all with the same two functions:
//! `fan_in(senders)` and `client_server(clients, rounds)`.
//!
//! Each runs on one thread, prints nothing, records no traces, and uses the order of
//! processes and the delivery model that are fastest for that tool.

pub mod must;
pub mod shuttle;
pub mod stateright;
pub mod traceforge;
