//! Orders beyond happened-before, while one receive and all that depends on it is left out.
//!
//! Under `mailbox` a receive puts the send of what it took before the sends of what it passed
//! over, and under every model a read comes before the next version. Each such order is a
//! *detour*: from one event, reached by happened-before, to others. The orders of
//! [`Causality::orders`] will not do here, since some of them follow only from receives that are
//! left out.

use std::cell::OnceCell;

use crate::index::{EventId, ProcessId};
use crate::mailbox::before_passed;
use crate::matching::Waiting;
use crate::{Causality, Event};

/// The detours of a trace that do not follow from happened-before.
pub(crate) struct Detours {
    of_process: Vec<OfProcess>,
    /// The processes that have any.
    processes: Vec<ProcessId>,
}

/// The detours that the receives, timeouts and reads of one process make.
struct OfProcess {
    /// In program order.
    detours: Vec<Detour>,
    /// Where each leads to: the first sends of each sender.
    leads_to: OnceCell<Vec<Box<[EventId]>>>,
}

struct Detour {
    /// The receive, timeout or read that makes it.
    by: EventId,
    from: EventId,
    /// The latest `from` up to here, by its place in a linearisation.
    latest: u32,
}

impl Detours {
    pub(crate) fn new(of: &Causality<'_>) -> Detours {
        let index = &of.index;
        let made = |p: ProcessId| {
            let mut latest = 0;
            let mut detours = Vec::new();
            of.for_each_detour(p, |by, from, leads_to| {
                if !leads_to.is_empty() {
                    latest = latest.max(of.places[from.ix()]);
                    detours.push(Detour { by, from, latest });
                }
            });
            OfProcess {
                detours,
                leads_to: OnceCell::new(),
            }
        };
        let of_process: Vec<OfProcess> = index.processes().map(made).collect();
        let has_any = |p: &ProcessId| !of_process[p.ix()].detours.is_empty();
        Detours {
            processes: index.processes().filter(has_any).collect(),
            of_process,
        }
    }
}

impl Causality<'_> {
    /// Of these sends, those that come after another one of them in every interleaving of what
    /// does not depend on `dropped`.
    ///
    /// All orders agree with one linearisation of the trace, so that only detours between the
    /// first and the last of the sends can matter, each after those before it.
    pub(crate) fn ordered_after(&self, sends: &[EventId], dropped: EventId) -> Vec<bool> {
        let place = |e: EventId| self.places[e.ix()];
        let mut reached = Reached::new(self);
        sends.iter().for_each(|send| reached.add(*send));
        let earliest = sends.iter().map(|send| place(*send)).min().unwrap_or(0);
        let last = sends.iter().map(|send| place(*send)).max().unwrap_or(0);
        let all = self.detours.get_or_init(|| Detours::new(self));
        let mut between = Vec::new();
        for &p in &all.processes {
            let detours = &all.of_process[p.ix()].detours;
            if detours.last().is_none_or(|detour| detour.latest < earliest) {
                continue;
            }
            let kept = detours.partition_point(|detour| !self.depends(detour.by, dropped));
            let near = { detours[..kept].iter().enumerate().rev() }
                .take_while(|(_, detour)| detour.latest >= earliest)
                .filter(|(_, detour)| (earliest..last).contains(&place(detour.from)));
            between.extend(near.map(|(at, detour)| (place(detour.from), p, at)));
        }
        between.sort_unstable();
        for (_, p, at) in between {
            let of_process = &all.of_process[p.ix()];
            if reached.has(of_process.detours[at].from) {
                let leads_to = of_process.leads_to.get_or_init(|| self.leads_to(p));
                let kept = leads_to[at].iter().filter(|e| !self.depends(**e, dropped));
                kept.for_each(|e| reached.lead_to(*e));
            }
        }
        sends.iter().map(|send| reached.is_later(*send)).collect()
    }

    fn leads_to(&self, p: ProcessId) -> Vec<Box<[EventId]>> {
        let mut all = Vec::new();
        self.for_each_detour(p, |_, _, leads_to| {
            if !leads_to.is_empty() {
                all.push(leads_to.into());
            }
        });
        all
    }

    /// Calls `each(by, from, leads_to)` for every receive, timeout and read of a process.
    fn for_each_detour(&self, p: ProcessId, mut each: impl FnMut(EventId, EventId, &[EventId])) {
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
                    let from = before_passed(index, by);
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

/// Some events, and all that happened after them.
struct Reached<'c> {
    causality: &'c Causality<'c>,
    /// The first of them in each process, by its place there.
    first: Vec<usize>,
    /// The first that a detour leads to.
    led_to: Vec<usize>,
    /// The processes that have one.
    processes: Vec<ProcessId>,
}

impl<'c> Reached<'c> {
    fn new(causality: &'c Causality<'c>) -> Self {
        Reached {
            causality,
            first: vec![usize::MAX; causality.index.process_count()],
            led_to: vec![usize::MAX; causality.index.process_count()],
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

    /// Adds an event that a detour leads to.
    fn lead_to(&mut self, e: EventId) {
        self.add(e);
        let index = &self.causality.index;
        let led_to = &mut self.led_to[index.owner(e).ix()];
        *led_to = (*led_to).min(index.position(e));
    }

    /// Whether `e` is one of them, or happened after one.
    fn has(&self, e: EventId) -> bool {
        let index = &self.causality.index;
        self.first[index.owner(e).ix()] <= index.position(e) || self.has_elsewhere(e)
    }

    /// Whether `e` happened after one of them, or a detour leads to it.
    fn is_later(&self, e: EventId) -> bool {
        let index = &self.causality.index;
        let (p, position) = (index.owner(e).ix(), index.position(e));
        self.first[p] < position || self.led_to[p] <= position || self.has_elsewhere(e)
    }

    fn has_elsewhere(&self, e: EventId) -> bool {
        let owner = self.causality.index.owner(e);
        let others = self.processes.iter().filter(|p| **p != owner);
        let clocks = &self.causality.clocks;
        { others }.any(|p| clocks.tick(e, *p) > self.first[p.ix()])
    }
}
