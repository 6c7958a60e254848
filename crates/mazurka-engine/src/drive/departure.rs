//! Where a process does not fit its log.

use super::driver::Driver;
use crate::frontend::Frontend;
use crate::graph::{NONE, Slot};
use crate::guide::Guide;
use mazurka_trace::{LogEntry, Tag};
use std::fmt;

/// Where a process does not do what its log lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The process.
    pub process: String,
    /// Index of the input that does not fit, from 1.
    pub position: usize,
    /// Inputs of the process in the log.
    pub logged: usize,
    /// That input, as the log has it.
    pub log_says: String,
    /// What the program did instead.
    pub program_did: String,
    /// Where the process was in its source, `file:line`, if that is known.
    pub place: Option<String>,
    /// Whether the program, as it is now, has this process.
    pub exists: bool,
}

/// `input 2 of process P should be message P.1#0, but it ended there (normal)`
impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "input {} of process {} should be {}, but {}",
            self.position, self.process, self.log_says, self.program_did
        )
    }
}

impl<F: Frontend, G: Guide> Driver<'_, F, G> {
    /// Makes one of the processes with a log left depart from it, when no process can continue. False
    /// if all logs are used up.
    pub(super) fn depart(&mut self) -> bool {
        let left: Vec<_> = self.log.unfinished().collect();
        // Preferably one that does not wait for another: its message was sent, or no process with
        // a log left could send it.
        let waits_for_another = |(process, _, entry): &&(&str, usize, &LogEntry)| match entry {
            LogEntry::Receive(tag) | LogEntry::Killed { tag, .. } => {
                let sender = tag
                    .as_str()
                    .rsplit_once('#')
                    .map_or("", |(sender, _)| sender);
                let depends = left.iter().any(|(other, ..)| *other == sender);
                depends && sender != *process && !self.was_sent(process, tag)
            }
            LogEntry::Read { object, .. } => {
                left.iter().any(|(other, ..)| *other == object.as_str())
            }
            _ => false,
        };
        let first = left.iter().find(|one| !waits_for_another(one));
        let Some(&(process, followed, entry)) = first.or(left.first()) else {
            return false;
        };
        let slot = self.slot_of(process);
        let departure = Departure {
            process: process.to_owned(),
            position: followed + 1,
            logged: self.log.drop_rest(process),
            log_says: describe(entry),
            program_did: self.instead(process, entry),
            place: slot.and_then(|slot| self.place(slot)),
            exists: slot.is_some(),
        };
        self.departures.push(departure);
        true
    }

    fn slot_of(&self, process: &str) -> Option<Slot> {
        let execution = self.world.execution(false);
        let slots = (0..)
            .zip(self.world.graph.processes())
            .map(|(slot, _)| slot);
        slots
            .into_iter()
            .find(|&slot| execution.name(slot) == process)
    }

    fn was_sent(&self, process: &str, tag: &Tag) -> bool {
        let execution = self.world.execution(false);
        self.slot_of(process).is_some_and(|slot| {
            let mut inbox = self.world.graph.process(slot).inbox.iter();
            inbox.any(|message| execution.tag(message) == *tag)
        })
    }

    /// What a process does instead of the next entry of its log.
    fn instead(&self, process: &str, entry: &LogEntry) -> String {
        let execution = self.world.execution(false);
        let Some(slot) = self.slot_of(process) else {
            return "there is no such process".into();
        };
        let found = self.world.graph.process(slot);
        if let Some(reason) = execution.end(slot) {
            return format!("it ended there ({reason})");
        }
        let wait = match self.world.cursor(slot, found.steps.len()) {
            None => return "it had not begun".into(),
            Some(cursor) => cursor.wait,
        };
        let waits = format!("it {}", self.waits_for(wait));
        let tag = match entry {
            LogEntry::Receive(tag) | LogEntry::Killed { tag, .. } => tag,
            _ => return waits,
        };
        let sent = found
            .inbox
            .iter()
            .find(|message| execution.tag(message) == *tag);
        let why = match sent {
            None => format!("message {tag} was never sent to it"),
            Some(message) if message.consumed_by != NONE => {
                format!("message {tag} had already been consumed")
            }
            Some(_) => format!("message {tag} cannot be consumed there"),
        };
        format!("{waits}, and {why}")
    }
}

fn describe(entry: &LogEntry) -> String {
    match entry {
        LogEntry::Receive(tag) => format!("message {tag}"),
        LogEntry::Timeout => "a timeout".into(),
        LogEntry::Killed { tag, after } => {
            format!("the exit signal {tag} after {after} actions")
        }
        LogEntry::Read { object, version } => format!("version {version} of {object}"),
        LogEntry::Choose { of, chosen } => format!("the choice of {chosen} of {of}"),
    }
}
