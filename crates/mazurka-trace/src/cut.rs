//! Cuts: the number of events of each process that have occurred.

use crate::index::{EventId, ProcessId};
use crate::{Causality, Interleaving};

/// The number of events of each process, in the order of their names. These events together are a
/// prefix of an interleaving.
pub(crate) type Cut = Box<[u32]>;

impl Causality<'_> {
    pub(crate) fn empty_cut(&self) -> Cut {
        vec![0; self.index.process_count()].into()
    }

    /// The next event of `p`, if the cut contains every event that must come before it.
    pub(crate) fn ready(&self, cut: &[u32], p: ProcessId) -> Option<EventId> {
        let e = self.index.nth(p, cut[p.ix()] as usize)?;
        let done = |e: &EventId| self.index.position(*e) < cut[self.index.owner(*e).ix()] as usize;
        self.orders.before(e).iter().all(done).then_some(e)
    }

    /// The interleaving in which the processes act in this order, one event for each entry.
    pub(crate) fn interleaving(
        &self,
        schedule: impl IntoIterator<Item = ProcessId>,
    ) -> Interleaving {
        let mut cut = self.empty_cut();
        let mut step = |p: ProcessId| {
            let e = self.index.nth(p, cut[p.ix()] as usize)?;
            cut[p.ix()] += 1;
            Some((self.index.pid(p).clone(), self.index.event(e).clone()))
        };
        Interleaving {
            delivery: self.trace.delivery,
            initial: self.trace.initial.clone(),
            objects: self.trace.objects.clone(),
            events: schedule.into_iter().map_while(&mut step).collect(),
        }
    }
}
