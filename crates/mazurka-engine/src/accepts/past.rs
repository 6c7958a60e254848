//! Happened-before, as a trace defines it, in an execution graph.

use crate::behaviour::Wait;
use crate::graph::{ClockAt, Clocks, Graph, Message, NONE, Pick, Placed, Process, Slot};
use smallvec::SmallVec;

/// The causal pasts of steps by spawns, messages and versions: happened-before, as a trace defines
/// it. In the graph, the past of a quiet timeout contains everything that was done before. So in a
/// graph that has such a timeout, the clocks of the graph cannot be used.
pub(crate) struct Past {
    rows: Option<Rows>,
}

/// For each step, by process and index, how many events of each process are in its past.
struct Rows {
    clocks: Clocks,
    of_step: Vec<Vec<ClockAt>>,
}

impl Past {
    pub(crate) fn new(graph: &Graph) -> Self {
        let waited = |placed: &Placed| placed.entry.pick == Pick::QuietTimeout;
        let rows = graph.path().iter().any(waited).then(|| Rows::new(graph));
        Past { rows }
    }

    /// How many events of `slot` are in the past of the send of a message.
    pub(super) fn of_send(&self, graph: &Graph, message: &Message, slot: Slot) -> u32 {
        if message.step == NONE {
            return 0;
        }
        match &self.rows {
            Some(rows) => {
                let at = rows.row(message.sender, message.step);
                rows.clocks.get(&at).known(slot)
            }
            None => {
                let sent = &graph.process(message.sender).steps[message.step as usize];
                graph.clock(sent).known(slot)
            }
        }
    }
}

impl Rows {
    fn new(graph: &Graph) -> Self {
        let processes = graph.processes().len();
        let mut rows = Rows {
            clocks: Clocks::default(),
            of_step: vec![Vec::new(); processes],
        };
        for placed in graph.path() {
            let slot = placed.slot as usize;
            let process = graph.process(placed.slot);
            let step = &process.steps[placed.index as usize];
            let before = rows.of_step[slot].last().copied();
            let row = rows.clocks.push(before, processes);
            for (cause, cause_step, events) in causes(graph, process, placed) {
                let known = rows.row(cause, cause_step);
                rows.clocks.join(&row, &known);
                rows.clocks.raise_entry(&row, cause, events);
            }
            rows.clocks.raise_entry(&row, placed.slot, step.event + 1);
            rows.of_step[slot].push(row);
        }
        rows
    }

    fn row(&self, slot: Slot, step: u32) -> ClockAt {
        self.of_step[slot as usize][step as usize]
    }
}

/// The steps of other processes that a step depends on directly, each with its number of events.
fn causes(graph: &Graph, process: &Process, placed: &Placed) -> SmallVec<[(Slot, u32, u32); 3]> {
    match graph.awaits(placed.slot) {
        Some(_) => graph.before_courier(placed.slot).unwrap_or_default(),
        None => cause(graph, process, placed).into_iter().collect(),
    }
}

fn cause(graph: &Graph, process: &Process, placed: &Placed) -> Option<(Slot, u32, u32)> {
    let step = &process.steps[placed.index as usize];
    match step.pick {
        Pick::Start => {
            let (parent, step, event) = process.parent;
            (parent != NONE).then(|| (parent, step, event + 1))
        }
        Pick::Message { .. } => {
            let message = &process.inbox[step.consumed as usize];
            (message.step != NONE).then(|| (message.sender, message.step, message.event + 1))
        }
        Pick::Version(version) => {
            let before = (placed.index as usize).checked_sub(1)?;
            let Wait::Read { object } = process.steps[before].wait else {
                return None;
            };
            Some((graph.slot(object)?, version.checked_sub(1)?, 0))
        }
        Pick::GoOn | Pick::Timeout | Pick::QuietTimeout | Pick::Choice(_) => None,
    }
}
