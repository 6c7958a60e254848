//! Undoing the last step of a graph.

use super::step::{Pick, Placed};
use super::{Graph, NONE};
use crate::behaviour::{Behaviours, Wait};
use crate::frontend::Frontend;
use crate::ids::{ObjectKey, PidKind};

impl Graph {
    /// Undoes the last step.
    pub(crate) fn undo<F: Frontend>(&mut self, behaviours: &Behaviours<F>) {
        let Placed { slot, .. } = self.path.pop().expect("there is a step to undo");
        let process = &mut self.processes[slot as usize];
        let step = process.steps.pop().expect("the path lists the step");
        self.with_timeout -= usize::from(step.timeout_ms().is_some());
        while self.processes[slot as usize].sends.len() > step.sends_before as usize {
            let (target, _) = self.processes[slot as usize].sends.pop().expect("counted");
            if target == NONE {
                continue;
            }
            if self.processes[target as usize].unsend() {
                self.enabled.set(target, false);
            }
            self.touch(target);
        }
        let process = &mut self.processes[slot as usize];
        process.events.truncate(step.event as usize);
        let looks = process.steps.last().is_some_and(|before| before.looks);
        self.enabled.set(slot, step.was_enabled);
        if step.looks != looks {
            self.looking.set(slot, looks);
        }
        let index = u32::try_from(process.steps.len()).expect("a short process");
        match step.pick {
            Pick::Message { .. } => {
                process.relink(step.consumed);
                process.inbox[step.consumed as usize].consumed_by = NONE;
            }
            Pick::Version(_) => {
                let wait = self
                    .cursor(behaviours, slot, index as usize)
                    .map(|cursor| cursor.wait);
                if let Some(Wait::Read { object }) = wait
                    && self.process(slot).awaits == NONE
                {
                    let object = self.slot(object).expect("it was there for the read");
                    self.processes[object as usize].reads.pop();
                    if self.links_asked.last() == Some(&(slot, index)) {
                        self.links_asked.pop();
                    }
                    for (name, _) in self.still_read(behaviours, slot, index as usize) {
                        self.processes[name as usize].reads.pop();
                    }
                }
            }
            Pick::QuietTimeout => self.untick(),
            Pick::Choice(_) => {
                let before = process.steps.last().expect("it chose after its start");
                let was_disturbed = before.wait.is_disturbed_by(step.pick);
                self.disturbances -= u32::from(was_disturbed);
            }
            _ => {}
        }
        while self.live > step.slots_before as usize {
            self.remove_last(behaviours);
        }
        self.clocks.truncate(&step.clock);
        self.wake_after(behaviours, slot, step.publishes);
        self.touch(slot);
        self.missed_signal = None;
        self.missed_liveness = None;
    }

    fn remove_last<F: Frontend>(&mut self, behaviours: &Behaviours<F>) {
        self.live -= 1;
        let slot = u32::try_from(self.live).expect("was a slot");
        self.enabled.set(slot, false);
        self.looking.set(slot, false);
        self.touch(slot);
        let awaits = self.processes[self.live].awaits;
        if awaits != NONE {
            self.processes[awaits as usize].couriers.pop();
        }
        let last = &mut self.processes[self.live];
        let pid = last.pid;
        // Its inbox can only hold the end of its process, which was sent when it was added.
        if let Some(message) = last.inbox.pop() {
            let sender = &mut self.processes[message.sender as usize];
            sender.sends.pop();
            sender.events.pop();
        }
        self.slots[pid.index()] = NONE;
        if awaits != NONE {
            self.wake_behind(behaviours, pid, awaits);
        }
        if let PidKind::Object(ObjectKey::Liveness(of)) = behaviours.pids.kind(pid)
            && let Some(of) = self.slot(of)
        {
            self.processes[of as usize].liveness = NONE;
        }
    }
}
