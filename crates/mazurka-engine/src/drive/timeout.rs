//! Timeouts, and ends that must be published before some of them fire.

use super::driver::Driver;
use crate::choose::next;
use crate::frontend::{Fault, Frontend};
use crate::graph::{Pick, Slot, Step};
use crate::guide::Guide;
use crate::ids::{ObjectKey, PidId, PidKind};
use crate::timeouts::Timeouts;
use mazurka_trace::LogEntry;

impl<F: Frontend, G: Guide> Driver<'_, F, G> {
    /// Whether this is the liveness object of a process.
    pub(super) fn is_liveness(&self, slot: Slot) -> bool {
        let pid = self.world.graph.process(slot).pid;
        let kind = self.world.behaviours.pids.kind(pid);
        matches!(kind, PidKind::Object(ObjectKey::Liveness(_)))
    }

    /// The end of a process whose liveness is used only by the log: a race variant may keep the end
    /// when it drops the process that used it.
    pub(super) fn logged_end(&mut self) -> Option<(PidId, Pick)> {
        let ended: Vec<PidId> = self.world.graph.unpublished_ends().collect();
        ended.into_iter().find_map(|process| {
            let liveness = self.world.liveness_of(process);
            let slot = self.world.graph.slot(process)?;
            let seq = u32::try_from(self.world.graph.process(slot).sends.len()).ok()?;
            let tag = format!("{}#{seq}", self.name(process));
            match self.log.next(&self.name(liveness)) {
                Some(LogEntry::Receive(logged)) if logged.as_str() == tag => {
                    let sender = process;
                    Some((liveness, Pick::Message { sender, seq }))
                }
                _ => None,
            }
        })
    }

    /// A process whose log lists a timeout next, if that may fire now. With `any_time` every timeout
    /// may.
    pub(super) fn logged_timeout(&mut self, any_time: bool) -> Result<Option<Slot>, Fault> {
        if !self.world.graph.has_timeouts() {
            return Ok(None);
        }
        let timeouts = self.world.graph.timeouts;
        if any_time {
            self.world.graph.timeouts = Timeouts::AnyTime;
            self.world.graph.ignore_daemon_runs = true;
        }
        let found = self.find_logged_timeout();
        self.world.graph.timeouts = timeouts;
        self.world.graph.ignore_daemon_runs = false;
        found
    }

    fn find_logged_timeout(&mut self) -> Result<Option<Slot>, Fault> {
        let processes = u32::try_from(self.world.graph.processes().len()).expect("few processes");
        for slot in 0..processes {
            let last = self.world.graph.process(slot).steps.last();
            if last.and_then(Step::timeout_ms).is_none() {
                continue;
            }
            let name = self.world.execution(false).name(slot);
            if self.log.next(&name) != Some(&LogEntry::Timeout) {
                continue;
            }
            self.list(slot)?;
            if self.candidates.picks.contains(&Pick::Timeout) {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// Makes a timeout fire because nothing else can happen: of a process whose log lists one if
    /// `logged`, else of a process whose log is used up. False if there is none.
    pub(super) fn when_quiet(&mut self, logged: bool) -> Result<bool, Fault> {
        if self.world.graph.enabled().next().is_some() {
            return Ok(false); // a process is blocked by its log
        }
        let due = self.world.graph.next_due();
        if due.is_empty() {
            return Ok(false);
        }
        let may = due.into_iter().filter(|&slot| {
            let name = self.world.execution(false).name(slot);
            match self.log.next(&name) {
                Some(entry) => logged && *entry == LogEntry::Timeout,
                None => !logged,
            }
        });
        let Some(slot) = next(&self.world.graph, &self.world.behaviours, self.guide, may) else {
            return Ok(false); // their logs list other inputs
        };
        if !self.world.publish_end()? {
            self.step_along_log(slot, Pick::QuietTimeout)?;
        }
        Ok(true)
    }
}
