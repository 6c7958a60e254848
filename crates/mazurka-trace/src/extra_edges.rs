//! Order edges beyond happened-before, for a trace from which one receive and everything that
//! depends on it is removed.
//!
//! Under `mailbox`, a receive orders the send of the message it consumed before the sends of the
//! matching messages it skipped. Under every model, a read comes before the next version. Each
//! such order is an *extra edge* from one event to others. [`Causality::orders`] cannot be used
//! here, because some of its edges follow only from the removed receives.

use std::cell::OnceCell;

use crate::index::{EventId, ProcessId};
use crate::mailbox::before_skipped;
use crate::matching::Waiting;
use crate::{Causality, Event};

/// The extra edges of a trace that do not already follow from happened-before.
pub(crate) struct ExtraEdges {
    of_process: Vec<ProcessEdges>,
    /// The processes that have extra edges.
    processes: Vec<ProcessId>,
}

/// The extra edges due to the receives, timeouts and reads of one process.
struct ProcessEdges {
    /// In program order.
    edges: Vec<ExtraEdge>,
    /// The targets of each edge: the first send of each sender, or the next version.
    targets: OnceCell<Vec<Box<[EventId]>>>,
}

struct ExtraEdge {
    /// The receive, timeout or read that the edge follows from.
    by: EventId,
    from: EventId,
    /// The latest `from` of this edge and the edges before it, as a position in a linearisation.
    latest: u32,
}

impl ExtraEdges {
    pub(crate) fn new(of: &Causality<'_>) -> ExtraEdges {
        let index = &of.index;
        let made = |p: ProcessId| {
            let mut latest = 0;
            let mut edges = Vec::new();
            of.for_each_edge(p, |by, from, targets| {
                if !targets.is_empty() {
                    latest = latest.max(of.places[from.ix()]);
                    edges.push(ExtraEdge { by, from, latest });
                }
            });
            ProcessEdges {
                edges,
                targets: OnceCell::new(),
            }
        };
        let of_process: Vec<ProcessEdges> = index.processes().map(made).collect();
        let has_any = |p: &ProcessId| !of_process[p.ix()].edges.is_empty();
        ExtraEdges {
            processes: index.processes().filter(has_any).collect(),
            of_process,
        }
    }
}

impl Causality<'_> {
    /// For each of these sends, whether it comes after another of them in every interleaving of
    /// the events that do not depend on `dropped`.
    ///
    /// All orders agree with one linearisation of the trace. So only edges that start between the
    /// first and the last of the sends matter, and they are followed in the order of that
    /// linearisation.
    pub(crate) fn ordered_after(&self, sends: &[EventId], dropped: EventId) -> Vec<bool> {
        let place = |e: EventId| self.places[e.ix()];
        let mut reached = Reached::new(self);
        sends.iter().for_each(|send| reached.add(*send));
        let earliest = sends.iter().map(|send| place(*send)).min().unwrap_or(0);
        let last = sends.iter().map(|send| place(*send)).max().unwrap_or(0);
        let all = self.extra_edges.get_or_init(|| ExtraEdges::new(self));
        let mut between = Vec::new();
        for &p in &all.processes {
            let edges = &all.of_process[p.ix()].edges;
            if edges.last().is_none_or(|edge| edge.latest < earliest) {
                continue;
            }
            let kept = edges.partition_point(|edge| !self.depends(edge.by, dropped));
            let near = { edges[..kept].iter().enumerate().rev() }
                .take_while(|(_, edge)| edge.latest >= earliest)
                .filter(|(_, edge)| (earliest..last).contains(&place(edge.from)));
            between.extend(near.map(|(at, edge)| (place(edge.from), p, at)));
        }
        between.sort_unstable();
        for (_, p, at) in between {
            let of_process = &all.of_process[p.ix()];
            if reached.has(of_process.edges[at].from) {
                let targets = of_process.targets.get_or_init(|| self.targets(p));
                let kept = targets[at].iter().filter(|e| !self.depends(**e, dropped));
                kept.for_each(|e| reached.add_target(*e));
            }
        }
        sends.iter().map(|send| reached.is_later(*send)).collect()
    }

    fn targets(&self, p: ProcessId) -> Vec<Box<[EventId]>> {
        let mut all = Vec::new();
        self.for_each_edge(p, |_, _, targets| {
            if !targets.is_empty() {
                all.push(targets.into());
            }
        });
        all
    }

    /// Calls `each(by, from, targets)` for every receive, timeout and read of a process.
    fn for_each_edge(&self, p: ProcessId, mut each: impl FnMut(EventId, EventId, &[EventId])) {
        let index = &self.index;
        let inbox = index.inbox(p);
        let mut waiting = Waiting::new(inbox);
        for by in index.events_of(p) {
            match index.event(by) {
                Event::Read { .. } => {
                    let after = self.causes.after(by).iter().copied();
                    let next = after.filter(|next| !self.depends(*next, by));
                    each(by, by, &next.collect::<Vec<_>>());
                }
                Event::Receive { .. } | Event::Timeout { .. } => {
                    let from = before_skipped(index, by);
                    let firsts = waiting.firsts_after(index, &self.matching, by).into_iter();
                    let sends = firsts.map(|slot| index.message(inbox.messages[slot]).send);
                    let sends = sends.filter(|send| !self.depends(*send, from));
                    each(by, from, &sends.collect::<Vec<_>>());
                }
                _ => {}
            }
            waiting.pass(index, by);
        }
    }
}

/// A set of events, together with all events that happened after them.
struct Reached<'c> {
    causality: &'c Causality<'c>,
    /// The index of the first such event in each process.
    first: Vec<usize>,
    /// The index of the first event in each process that is the target of a followed edge.
    first_target: Vec<usize>,
    /// The processes with an event in the set.
    processes: Vec<ProcessId>,
}

impl<'c> Reached<'c> {
    fn new(causality: &'c Causality<'c>) -> Self {
        Reached {
            causality,
            first: vec![usize::MAX; causality.index.process_count()],
            first_target: vec![usize::MAX; causality.index.process_count()],
            processes: Vec::new(),
        }
    }

    fn add(&mut self, e: EventId) {
        let index = &self.causality.index;
        let (p, position) = (index.owner(e), index.position(e));
        let first = &mut self.first[p.ix()];
        if *first == usize::MAX {
            self.processes.push(p);
        }
        *first = (*first).min(position);
    }

    /// Adds the target of a followed edge.
    fn add_target(&mut self, e: EventId) {
        self.add(e);
        let index = &self.causality.index;
        let first_target = &mut self.first_target[index.owner(e).ix()];
        *first_target = (*first_target).min(index.position(e));
    }

    /// Whether `e` is in the set.
    fn has(&self, e: EventId) -> bool {
        let index = &self.causality.index;
        self.first[index.owner(e).ix()] <= index.position(e) || self.has_elsewhere(e)
    }

    /// Whether `e` happened after an event of the set or is the target of a followed edge.
    fn is_later(&self, e: EventId) -> bool {
        let index = &self.causality.index;
        let (p, position) = (index.owner(e).ix(), index.position(e));
        self.first[p] < position || self.first_target[p] <= position || self.has_elsewhere(e)
    }

    fn has_elsewhere(&self, e: EventId) -> bool {
        let owner = self.causality.index.owner(e);
        let others = self.processes.iter().filter(|p| **p != owner);
        let clocks = &self.causality.clocks;
        { others }.any(|p| clocks.tick(e, *p) > self.first[p.ix()])
    }
}
