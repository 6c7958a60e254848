//! Vector clocks, which decide happened-before by comparing two numbers.

use crate::graph::Graph;
use crate::index::{EventId, Index, ProcessId};

/// For each event, the number of events of each process in its causal past.
///
/// Only an event with a cause in another process has its own row of numbers. The events after it
/// in the same process share the row: their clocks differ only in the entry of their own process,
/// and that entry is their position.
pub(crate) struct Clocks {
    processes: usize,
    row_of: Vec<usize>,
    rows: Vec<u32>,
}

impl Clocks {
    /// `sorted` contains all events in an order that respects `graph`. Takes time and memory
    /// proportional to (receives + reads + spawns) × processes.
    pub(crate) fn new(index: &Index, graph: &Graph, sorted: &[EventId]) -> Clocks {
        let processes = index.process_count();
        // Row 0 belongs to events without a cause in another process.
        let mut clocks = Clocks {
            processes,
            row_of: vec![0; index.event_count()],
            rows: vec![0; processes],
        };
        for &e in sorted {
            let previous = index.previous(e);
            let inherited = previous.map_or(0, |previous| clocks.row_of[previous.ix()]);
            let causes = graph.before(e);
            clocks.row_of[e.ix()] = match causes {
                [] => inherited,
                _ => clocks.join(index, inherited, causes),
            };
        }
        clocks
    }

    /// Adds a row that joins the row `inherited` with the causal past of `causes`.
    fn join(&mut self, index: &Index, inherited: usize, causes: &[EventId]) -> usize {
        let start = self.rows.len();
        self.rows
            .extend_from_within(inherited * self.processes..(inherited + 1) * self.processes);
        for &cause in causes {
            let row = self.row_of[cause.ix()] * self.processes;
            for p in 0..self.processes {
                self.rows[start + p] = self.rows[start + p].max(self.rows[row + p]);
            }
            let own = &mut self.rows[start + index.owner(cause).ix()];
            *own = (*own).max(index.position(cause) as u32 + 1);
        }
        start / self.processes
    }

    /// The number of events of `p` in the causal past of `e`. `p` must not be the process of `e`.
    pub(crate) fn tick(&self, e: EventId, p: ProcessId) -> usize {
        self.rows[self.row_of[e.ix()] * self.processes + p.ix()] as usize
    }

    /// Whether `a` happened before `b`.
    pub(crate) fn happened_before(&self, index: &Index, a: EventId, b: EventId) -> bool {
        match index.owner(a) {
            p if p == index.owner(b) => a < b,
            p => self.tick(b, p) > index.position(a),
        }
    }
}
