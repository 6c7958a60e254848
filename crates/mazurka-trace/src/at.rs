//! Positions of events.

use std::fmt;

use crate::ProcessName;

/// The position of an event: its process and its index there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// The process.
    pub pid: ProcessName,
    /// Index into the events of the process, from 0. [`fmt::Display`] counts from 1.
    pub index: usize,
}

impl At {
    /// The position of the event of `pid` with this index (from 0).
    pub fn new(pid: impl Into<ProcessName>, index: usize) -> Self {
        At {
            pid: pid.into(),
            index,
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} event {}", self.pid, self.index + 1)
    }
}
