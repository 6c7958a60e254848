//! The part of a log that has not been followed yet.

use mazurka_trace::{Log, LogEntry};
use std::collections::BTreeMap;

/// The part of a log that has not been followed yet.
pub(super) struct Remaining<'l> {
    log: &'l Log,
    /// How many entries of each process were followed.
    followed: BTreeMap<&'l str, usize>,
}

impl<'l> Remaining<'l> {
    pub(super) fn new(log: &'l Log) -> Self {
        Remaining {
            log,
            followed: BTreeMap::new(),
        }
    }

    /// Whether the log lists nothing at all.
    pub(super) fn is_of_empty_log(&self) -> bool {
        self.log.processes.is_empty()
    }

    /// The next entry of a process.
    pub(super) fn next(&self, process: &str) -> Option<&'l LogEntry> {
        let (name, entries) = self.log.processes.get_key_value(process)?;
        let followed = self.followed.get(name.as_str()).copied().unwrap_or(0);
        entries.get(followed)
    }

    /// The entries of a process that are left.
    pub(super) fn rest(&self, process: &str) -> impl Iterator<Item = &'l LogEntry> + use<'l> {
        let found = self.log.processes.get_key_value(process);
        let followed = |name: &str| self.followed.get(name).copied().unwrap_or(0);
        let rest = found.and_then(|(name, entries)| entries.get(followed(name.as_str())..));
        rest.unwrap_or_default().iter()
    }

    /// Marks the next entry of a process as followed.
    pub(super) fn advance(&mut self, process: &str) {
        if let Some((name, _)) = self.log.processes.get_key_value(process) {
            *self.followed.entry(name.as_str()).or_insert(0) += 1;
        }
    }

    /// The processes with entries left: the index of the next entry, and the entry.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = (&'l str, usize, &'l LogEntry)> {
        self.log.processes.iter().filter_map(|(process, entries)| {
            let followed = self.followed.get(process.as_str()).copied().unwrap_or(0);
            let entry = entries.get(followed)?;
            Some((process.as_str(), followed, entry))
        })
    }

    /// Drops the rest of a process's log. Returns the length of that log.
    pub(super) fn drop_rest(&mut self, process: &'l str) -> usize {
        let logged = self.log.processes.get(process).map_or(0, Vec::len);
        self.followed.insert(process, logged);
        logged
    }
}
