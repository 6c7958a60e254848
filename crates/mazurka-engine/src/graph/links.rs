//! The links of a process, as the operation `Links` answers them.
//!
//! Each side of a link stores its own links and unlinks. `Links` sees those of other processes if they
//! happened before it. Links and unlinks that are concurrent with it are not modelled: such a program is
//! refused.

use super::{Graph, Slot};
use crate::behaviour::Behaviours;
use crate::frontend::{Fault, Frontend};
use crate::ids::PidId;
use crate::liveness::{LivenessOperation, Ties};

/// What one process has done about its link to another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Side {
    is_linked: bool,
    has_undone: bool,
}

impl Side {
    fn new(ties: &Ties, with: PidId) -> Self {
        Side {
            is_linked: ties.is_linked(with),
            has_undone: ties.has_undone(with),
        }
    }
}

impl Graph {
    /// Whether a process asks for its links in its `index`-th step.
    pub(super) fn asks_for_links<F: Frontend>(
        &self,
        behaviours: &Behaviours<F>,
        slot: Slot,
        index: usize,
    ) -> bool {
        let before = self.cursor(behaviours, slot, index);
        let operation = before.and_then(|at| behaviours.node(at.node).liveness_operation());
        operation == Some(LivenessOperation::Links)
    }

    /// The links of a process that asks for them now: its own, then those that others made, in the order
    /// of their pids.
    pub(super) fn links_of<F: Frontend>(
        &self,
        behaviours: &Behaviours<F>,
        slot: Slot,
    ) -> Result<Vec<PidId>, Fault> {
        let process = self.process(slot);
        let me = process.pid;
        let own = self.ties_after(behaviours, slot, process.steps.len());
        let past = self.clock(process.steps.last().expect("it has begun"));
        let mut links: Vec<PidId> = own.linked().collect();
        let mut others = Vec::new();
        for (other, theirs) in (0..).zip(self.processes()) {
            if theirs.is_object || other == slot {
                continue;
            }
            let known = { theirs.steps.iter() }.take_while(|step| past.known(other) > step.event);
            let known = Side::new(self.ties_after(behaviours, other, known.count()), me);
            let now = Side::new(self.ties_after(behaviours, other, theirs.steps.len()), me);
            if known != now {
                return Err(is_concurrent(behaviours, me));
            }
            if now.has_undone {
                links.retain(|&link| link != theirs.pid);
            } else if now.is_linked && !own.is_linked(theirs.pid) && !own.has_undone(theirs.pid) {
                others.push(theirs.pid);
            }
        }
        others.sort_by(|&a, &b| behaviours.pids.cmp(a, b));
        links.extend(others);
        Ok(links)
    }

    /// Refuses the program if a step changed a link of a process that has asked for its links, and not
    /// before the step.
    pub(super) fn check_links_asked<F: Frontend>(
        &self,
        behaviours: &mut Behaviours<F>,
        slot: Slot,
        index: usize,
    ) {
        if self.process(slot).is_object {
            return;
        }
        let past = self.clock(&self.process(slot).steps[index]);
        let changed = self.links_asked.iter().find_map(|&(asker, at)| {
            let me = self.process(asker).pid;
            let before = Side::new(self.ties_after(behaviours, slot, index), me);
            let after = Side::new(self.ties_after(behaviours, slot, index + 1), me);
            let asked = &self.process(asker).steps[at as usize];
            let is_concurrent = asker != slot && past.known(asker) <= asked.event;
            (is_concurrent && before != after).then_some(me)
        });
        if let Some(asker) = changed {
            let fault = is_concurrent(behaviours, asker);
            behaviours.values.refuse(fault);
        }
    }

    /// The ties of a process after its first steps.
    fn ties_after<'b, F: Frontend>(
        &self,
        behaviours: &'b Behaviours<F>,
        slot: Slot,
        steps: usize,
    ) -> &'b Ties {
        let process = self.process(slot);
        match steps.checked_sub(1) {
            Some(last) => &behaviours.node(process.steps[last].node).after.ties,
            None => behaviours.ties_at_start(process.root),
        }
    }
}

#[cold]
fn is_concurrent<F: Frontend>(behaviours: &Behaviours<F>, asker: PidId) -> Fault {
    let name = crate::show::pid(&behaviours.pids, asker);
    Fault::Unsupported {
        what: format!(
            "process {name} asks for its links while another process links to it or unlinks from it"
        ),
    }
}
