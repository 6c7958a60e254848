//! Couriers in a graph: when they can make their step, and what that depends on.

use super::process::Message;
use super::{Graph, NONE, Slot};
use crate::behaviour::Behaviours;
use crate::frontend::Frontend;
use crate::ids::{ObjectKey, PidId, PidKind};
use crate::liveness::Courier;
use smallvec::SmallVec;

impl Graph {
    /// Of a courier: the liveness object that it waits for.
    #[must_use]
    pub fn awaits(&self, slot: Slot) -> Option<Slot> {
        Some(self.process(slot).awaits).filter(|&liveness| liveness != NONE)
    }

    /// Whether no courier waits for this liveness object, or has waited.
    pub(crate) fn has_no_couriers(&self, liveness: Slot) -> bool {
        self.process(liveness).couriers.is_empty()
    }

    /// The process whose end a courier made known with this message.
    pub(crate) fn announces(&self, message: &Message) -> Option<PidId> {
        message.is_brought.then(|| {
            let liveness = self.process(message.sender).awaits;
            self.process(liveness).origin
        })
    }

    /// The courier whose message comes before this one.
    pub(crate) fn behind(&self, message: &Message) -> Option<PidId> {
        let behind = self.process(message.sender).behind;
        (message.is_brought && behind != NONE).then(|| self.process(behind).pid)
    }

    /// Of a courier: the steps that come before its own, each with its number of events: the end of a
    /// process, the step that made the tie, and that of the courier before it. `None` if one of the
    /// first and the last has not been made.
    #[must_use]
    pub fn before_courier(&self, slot: Slot) -> Option<SmallVec<[(Slot, u32, u32); 3]>> {
        let process = self.process(slot);
        let (parent, parent_step, event) = process.parent;
        let end = self.end_step(process.awaits)?;
        let end_event = self.process(process.awaits).steps[end as usize].event;
        let mut before = SmallVec::from_slice(&[(process.awaits, end, end_event + 1)]);
        if parent != NONE {
            before.push((parent, parent_step, event + 1));
        }
        if process.behind != NONE {
            let behind = self.process(process.behind);
            behind.steps.first()?;
            let events = u32::try_from(behind.events.len()).expect("a short process");
            before.push((process.behind, 0, events));
        }
        Some(before)
    }

    /// The step in which a liveness object recorded the end.
    pub(crate) fn end_step(&self, liveness: Slot) -> Option<u32> {
        let steps = &self.process(liveness).steps;
        let at = steps.iter().position(|step| step.publishes)?;
        Some(u32::try_from(at).expect("a short process"))
    }

    /// Finds out which of the couriers that wait for a liveness object can make their step. `to`: only
    /// those to this process.
    pub(super) fn wake_couriers<F: Frontend>(
        &mut self,
        behaviours: &Behaviours<F>,
        liveness: Slot,
        to: Option<PidId>,
    ) {
        for at in 0..self.process(liveness).couriers.len() {
            let slot = self.process(liveness).couriers[at];
            let courier = key(behaviours, self.process(slot).pid);
            if self.process(slot).steps.is_empty() && to.is_none_or(|to| courier.to == to) {
                self.wake_courier(behaviours, slot);
            }
        }
    }

    /// Finds out whether a courier can make its step.
    pub(super) fn wake_courier<F: Frontend>(&mut self, behaviours: &Behaviours<F>, slot: Slot) {
        let liveness = self.process(slot).awaits;
        let behind = self.end_step(liveness).and_then(|end| {
            let courier = key(behaviours, self.process(slot).pid);
            let node = self.process(liveness).steps[end as usize].node;
            let is_linked = behaviours.had_linked(node, courier.to);
            courier.behind(is_linked)
        });
        let known = behind.and_then(|behind| {
            let behind = behaviours.pids.find_object(ObjectKey::Courier(behind))?;
            self.slot(behind)
        });
        self.processes[slot as usize].behind = known.unwrap_or(NONE);
        // If signal checks are steps, the end may have been recorded before it has started all couriers.
        let is_behind_unknown = behind.is_some() && known.is_none();
        let can_move = !is_behind_unknown && self.before_courier(slot).is_some();
        self.enabled.set(slot, can_move);
        self.touch(slot);
    }

    /// After a courier was added, or removed: couriers whose messages come after that of its link.
    pub(super) fn wake_behind<F: Frontend>(
        &mut self,
        behaviours: &Behaviours<F>,
        courier: PidId,
        liveness: Slot,
    ) {
        let courier = key(behaviours, courier);
        if courier.tie.is_link() {
            self.wake_couriers(behaviours, liveness, Some(courier.to));
        }
    }

    /// After a step was made, or undone: couriers that wait for it.
    #[inline]
    pub(super) fn wake_after<F: Frontend>(
        &mut self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        publishes: bool,
    ) {
        if publishes && !self.process(slot).couriers.is_empty() {
            self.wake_couriers(behaviours, slot, None);
        } else if let Some(liveness) = self.awaits(slot) {
            self.wake_behind(behaviours, self.process(slot).pid, liveness);
        }
    }
}

/// What a courier is for.
fn key<F: Frontend>(behaviours: &Behaviours<F>, pid: PidId) -> Courier {
    let PidKind::Object(ObjectKey::Courier(courier)) = behaviours.pids.kind(pid) else {
        unreachable!("it is a courier")
    };
    courier
}
