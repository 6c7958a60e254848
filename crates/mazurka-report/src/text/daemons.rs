//! Daemons that were stopped.

use super::{shorten, wrap};
use crate::outcome::Outcome;
use mazurka_engine::StoppedDaemon;
use std::io::{self, Write};

/// How many are named.
const NAMED_MAX: usize = 5;

/// Names the daemons with timers that were still to fire when an execution was over.
pub(super) fn write(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    match names(outcome) {
        Some(names) => {
            let text = format!("Daemons stopped while their timers ran: {names}.");
            writeln!(out, "{}", wrap(&text, 0, 2))
        }
        None => Ok(()),
    }
}

/// The daemons that were stopped, if any: the first ones by name.
pub(crate) fn names(outcome: &Outcome) -> Option<String> {
    let stopped = &outcome.stopped_daemons;
    if stopped.is_empty() {
        return None;
    }
    let mut names: Vec<String> = stopped.iter().take(NAMED_MAX).map(name).collect();
    if let more @ 1.. = stopped.len().saturating_sub(NAMED_MAX) {
        names.push(format!("{more} more"));
    }
    Some(super::listed(&names, "and"))
}

/// `ticker (P.2), waiting at x.rs:12`
fn name(daemon: &StoppedDaemon) -> String {
    let process = match &daemon.role {
        Some(role) => format!("{} ({})", shorten(role, 40), daemon.process),
        None => daemon.process.clone(),
    };
    match &daemon.place {
        Some(place) => format!("{process} at {place}"),
        None => process,
    }
}
