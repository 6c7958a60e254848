//! What a process may do next, given its log.

use super::driver::Driver;
use crate::behaviour::{Effect, Wait};
use crate::frontend::{Frontend, SharedObjects};
use crate::graph::{Cursor, Pick, Slot};
use crate::guide::Guide;
use mazurka_trace::{LogEntry, Tag};

/// What a process may do next.
pub(super) enum Decision {
    /// This step, which is the next entry of its log.
    Logged(Pick),
    /// This step, which logs do not list.
    Silent(Pick),
    /// Nothing, but the next entry of its log does not matter.
    Skip,
    /// Any step: its log is used up.
    Free,
    /// Nothing yet: the next entry of its log is not a candidate.
    Blocked,
}

impl<F: Frontend, G: Guide> Driver<'_, F, G> {
    /// What a process may do next. Its candidates have been listed.
    pub(super) fn decide(&self, slot: Slot) -> Decision {
        let execution = self.world.execution(false);
        let index = self.world.graph.process(slot).steps.len();
        let Some(cursor) = self.world.cursor(slot, index) else {
            return Decision::Silent(Pick::Start);
        };
        let picks = &self.candidates.picks;
        if cursor.wait == Wait::Answer && !cursor.looks {
            // There is only one answer, but it is an input, and logs list it.
            let answer = picks[0];
            return match self.log.next(&execution.name(slot)) {
                Some(LogEntry::Receive(tag)) if self.is_tagged(slot, answer, tag) => {
                    Decision::Logged(answer)
                }
                Some(_) => Decision::Blocked,
                None => Decision::Silent(answer),
            };
        }
        let Some(entry) = self.log.next(&execution.name(slot)) else {
            // Logs list the signals that interrupt a process, so without an entry none does.
            let uninterrupted = cursor.looks && picks.contains(&Pick::GoOn);
            return match uninterrupted && !self.log.is_of_empty_log() {
                true => Decision::Silent(Pick::GoOn),
                false => Decision::Free,
            };
        };
        let wanted = picks.iter().copied();
        let wanted = { wanted }.find(|&pick| self.is_logged(slot, &cursor, entry, pick));
        if cursor.looks {
            let here = match entry {
                LogEntry::Killed { after, .. } => self.acted(slot) == *after,
                _ => false,
            };
            return match wanted {
                Some(pick) if here => Decision::Logged(pick),
                _ if here && !(self.is_struck_later(slot) && self.has_come(slot, entry)) => {
                    Decision::Blocked
                }
                _ if picks.contains(&Pick::GoOn) => Decision::Silent(Pick::GoOn),
                _ => Decision::Blocked,
            };
        }
        match wanted {
            Some(pick) => Decision::Logged(pick),
            None => self.decide_on_initial(slot, &cursor, entry),
        }
    }

    /// What to do about reads of initial states that are only in the log, or only in the program,
    /// because the front-end had learned something else when the log was made.
    fn decide_on_initial(&self, slot: Slot, cursor: &Cursor, entry: &LogEntry) -> Decision {
        let execution = self.world.execution(false);
        let read = match cursor.wait {
            Wait::Read { object } => self.world.graph.slot(object),
            _ => None,
        };
        let read = read.map(|object| execution.name(object));
        let read = read.filter(|name| F::Objects::is_learned(name));
        let is_read = |entry: &LogEntry| match entry {
            LogEntry::Read { object, .. } => Some(object.as_str()) == read.as_deref(),
            _ => false,
        };
        let mut reads = self.log.rest(&execution.name(slot));
        let is_listed = reads
            .by_ref()
            .take_while(|entry| matches!(entry, LogEntry::Read { .. }))
            .any(is_read);
        let is_left_over = match entry {
            LogEntry::Read { object, version: 0 } => F::Objects::is_learned(object.as_str()),
            _ => false,
        };
        match read.is_some() && !is_listed && self.candidates.picks.contains(&Pick::Version(0)) {
            true => Decision::Silent(Pick::Version(0)),
            false if is_left_over && !is_read(entry) => Decision::Skip,
            false => Decision::Blocked,
        }
    }

    /// Whether a candidate of a process in this state is what its log lists.
    fn is_logged(&self, slot: Slot, cursor: &Cursor, entry: &LogEntry, pick: Pick) -> bool {
        let execution = self.world.execution(false);
        match (entry, pick) {
            (
                LogEntry::Receive(tag) | LogEntry::Killed { tag, .. },
                Pick::Message { sender, seq },
            ) => {
                let inbox = &self.world.graph.process(slot).inbox;
                let found = self.world.graph.find_message(slot, sender, seq);
                found.is_some_and(|at| {
                    let message = &inbox[at as usize];
                    let class = self.world.behaviours.values.class(message.value);
                    let kills = matches!(entry, LogEntry::Killed { .. });
                    execution.tag(message) == *tag && class.kills(cursor.trapping) == kills
                })
            }
            (LogEntry::Read { object, version }, Pick::Version(seen)) => {
                let Wait::Read { object: read } = cursor.wait else {
                    return false;
                };
                self.world.graph.slot(read).is_some_and(|slot| {
                    execution.name(slot) == object.as_str()
                        && execution.changes_before(slot, seen) == *version
                })
            }
            (LogEntry::Choose { of, chosen }, Pick::Choice(way)) => {
                matches!(cursor.wait, Wait::Choose { of: ways, .. } if ways == *of)
                    && way == *chosen
            }
            _ => false,
        }
    }

    /// Whether a candidate is the message with this tag.
    fn is_tagged(&self, slot: Slot, pick: Pick, tag: &Tag) -> bool {
        let Pick::Message { sender, seq } = pick else {
            return false;
        };
        let found = self.world.graph.find_message(slot, sender, seq);
        found.is_some_and(|at| {
            let message = &self.world.graph.process(slot).inbox[at as usize];
            self.world.execution(false).tag(message) == *tag
        })
    }

    /// Whether some signals can interrupt a process after its next effect, but not before: it sets the
    /// flag that traps exits, or undoes a link.
    fn is_struck_later(&self, slot: Slot) -> bool {
        let step = self
            .world
            .graph
            .process(slot)
            .steps
            .last()
            .expect("it has begun");
        let effects = &self.world.behaviours.node(step.node).effects;
        let next = effects.get(step.done as usize);
        matches!(next, Some(Effect::TrapExit(_) | Effect::Unlink(_)))
    }

    /// Whether the signal that an entry lists is in the inbox.
    fn has_come(&self, slot: Slot, entry: &LogEntry) -> bool {
        let LogEntry::Killed { tag, .. } = entry else {
            return false;
        };
        let execution = self.world.execution(false);
        self.world
            .graph
            .waiting(slot)
            .any(|at| execution.tag(&self.world.graph.process(slot).inbox[at as usize]) == *tag)
    }

    /// Spawns and sends of a process since its last input. Starting a courier is a spawn, too.
    fn acted(&self, slot: Slot) -> u32 {
        let process = self.world.graph.process(slot);
        let step = process.steps.last().expect("it has begun");
        let effects = &self.world.behaviours.node(step.node).effects[..step.done as usize];
        let visible = effects.iter().filter(|effect| {
            !matches!(
                effect,
                Effect::TrapExit(_) | Effect::Link(_) | Effect::Unlink(_)
            )
        });
        u32::try_from(visible.count()).expect("few effects")
    }
}
