//! What to call processes.

use super::shorten;
use mazurka_trace::Pid;
use std::collections::BTreeMap;

/// Longer names are shortened.
const NAME_MAX: usize = 28;

/// The names of the processes of an execution, as far as they have any.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    names: Option<&'n BTreeMap<Pid, String>>,
}

impl<'n> Names<'n> {
    /// These names.
    #[must_use]
    pub fn new(names: &'n BTreeMap<Pid, String>) -> Self {
        Names { names: Some(names) }
    }

    /// No names but pids.
    #[must_use]
    pub fn none() -> Self {
        Names { names: None }
    }

    /// `server P.1`, or `P.1` if it has no name.
    #[must_use]
    pub fn of(&self, pid: &Pid) -> String {
        match self.names.and_then(|names| names.get(pid)) {
            Some(name) => format!("{} {pid}", shorten(name, NAME_MAX)),
            None => pid.to_string(),
        }
    }
}
