//! The graph of order constraints between events.

use crate::index::{EventId, Index};
use crate::{Cycle, Event, Why};

/// Edges between events. Program order is implicit: it is not stored.
#[derive(Clone)]
pub(crate) struct Graph {
    before: Vec<Vec<EventId>>,
    after: Vec<Vec<EventId>>,
}

impl Graph {
    fn new(events: usize) -> Graph {
        Graph {
            before: vec![Vec::new(); events],
            after: vec![Vec::new(); events],
        }
    }

    /// Happened-before (Vidal 2022, Def. 2): a spawn before the first event of its process,
    /// a send before what consumes the message, a version before its reads.
    pub(crate) fn happened_before(index: &Index) -> Graph {
        let mut graph = Graph::new(index.event_count());
        for p in index.processes() {
            if let (Some(spawn), Some(first)) = (index.spawn(p), index.nth(p, 0)) {
                graph.add(spawn, first);
            }
        }
        for e in index.all() {
            if let Some(message) = index.consumed(e) {
                graph.add(message.send, e);
            }
        }
        for_reads(index, |read, version, _| {
            if let Some(version) = version {
                graph.add(version, read);
            }
        });
        graph
    }

    /// Adds an edge from each read to the next version of the object it reads.
    pub(crate) fn add_next_versions(&mut self, index: &Index) {
        for_reads(index, |read, _, next| {
            if let Some(next) = next {
                self.add(read, next);
            }
        });
    }

    /// Adds an edge from each send to the delivery of its message. A delivery causes nothing, but a
    /// message cannot arrive before it is sent.
    pub(crate) fn add_deliveries(&mut self, index: &Index) {
        for e in index.all() {
            if let Event::Deliver { tag } = index.event(e)
                && let Some(message) = index.find_message(tag)
            {
                self.add(message.send, e);
            }
        }
    }

    pub(crate) fn add(&mut self, before: EventId, after: EventId) {
        self.after[before.ix()].push(after);
        self.before[after.ix()].push(before);
    }

    pub(crate) fn before(&self, e: EventId) -> &[EventId] {
        &self.before[e.ix()]
    }

    pub(crate) fn after(&self, e: EventId) -> &[EventId] {
        &self.after[e.ix()]
    }

    /// All events in an order that respects the graph, or a cycle if there is no such order. Takes
    /// linear time.
    pub(crate) fn sort(&self, index: &Index) -> Result<Vec<EventId>, Cycle> {
        let count = |e: EventId| self.before(e).len() + usize::from(index.previous(e).is_some());
        let mut missing: Vec<usize> = index.all().map(count).collect();
        let mut sorted: Vec<EventId> = index.all().filter(|e| missing[e.ix()] == 0).collect();
        let mut done = 0;
        while let Some(&e) = sorted.get(done) {
            done += 1;
            for &later in self.after(e).iter().chain(&index.next(e)) {
                missing[later.ix()] -= 1;
                if missing[later.ix()] == 0 {
                    sorted.push(later);
                }
            }
        }
        match index.all().find(|e| missing[e.ix()] > 0) {
            None => Ok(sorted),
            Some(stuck) => Err(self.cycle(index, &missing, stuck)),
        }
    }

    /// Walks backwards from an event that could not be sorted, through other such events, until
    /// the walk reaches an event for the second time.
    fn cycle(&self, index: &Index, missing: &[usize], stuck: EventId) -> Cycle {
        let mut step = vec![usize::MAX; missing.len()];
        let mut walk = Vec::new();
        let mut e = stuck;
        while step[e.ix()] == usize::MAX {
            step[e.ix()] = walk.len();
            walk.push(e);
            let previous = index.previous(e);
            let mut earlier = self.before(e).iter().chain(&previous);
            e = *earlier
                .find(|e| missing[e.ix()] > 0)
                .expect("an unsorted event has an unsorted predecessor");
        }
        let mut cycle = walk.split_off(step[e.ix()]);
        cycle.reverse();
        let next = cycle.iter().cycle().skip(1);
        let mut links: Vec<(EventId, Why)> = cycle
            .iter()
            .zip(next)
            .map(|(&e, &next)| (e, why(index, e, next)))
            .collect();
        // Consecutive events of one process are merged into one link. A cycle always has an edge
        // that is not program order.
        let turn = links
            .iter()
            .position(|link| link.1 != Why::Program)
            .unwrap_or(0);
        links.rotate_left((turn + 1) % cycle.len());
        links.dedup_by(|link, previous| link.1 == Why::Program && previous.1 == Why::Program);
        Cycle {
            links: links
                .into_iter()
                .map(|(e, why)| (index.at(e), why))
                .collect(),
        }
    }
}

/// Calls `each(read, version, next)` for every read. `version` is the publication of the version
/// that was read (`None` for the initial state), `next` the publication after it (`None` for the
/// last one).
fn for_reads(index: &Index, mut each: impl FnMut(EventId, Option<EventId>, Option<EventId>)) {
    let versions = index.versions();
    for read in index.all() {
        let Event::Read { object, version } = index.event(read) else {
            continue;
        };
        let Some(publications) = index.process(object).and_then(|p| versions.get(&p)) else {
            continue;
        };
        let version = *version as usize;
        let made = version
            .checked_sub(1)
            .and_then(|made| publications.get(made));
        each(read, made.copied(), publications.get(version).copied());
    }
}

/// The reason for an edge. Edges do not store it, since it follows from the events.
fn why(index: &Index, before: EventId, after: EventId) -> Why {
    if index.next(before) == Some(after) {
        return Why::Program;
    }
    match (index.event(before), index.event(after)) {
        (Event::Send { .. }, Event::Send { .. }) => Why::Mailbox,
        (Event::Send { .. }, Event::Deliver { .. }) => Why::Delivery,
        (Event::Timeout { .. }, _) => Why::Timeout,
        (Event::Spawn { .. }, _) => Why::Spawn,
        (Event::Read { .. }, _) => Why::NextVersion,
        (_, Event::Read { .. }) => Why::Version,
        _ => Why::Message,
    }
}
