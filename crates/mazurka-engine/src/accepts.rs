//! Which messages the receives of a process accept.
//!
//! Only the messages matter that a receive could have taken: those that no earlier step consumed
//! and whose sending does not depend on the receive. For each message these receives are an
//! interval. Receives with the same constraint share one set, so that the sets of a loop of
//! receives take no more memory than its mailbox.

use crate::behaviour::Wait;
use crate::frontend::{Frontend, SharedObjects};
use crate::graph::{
    Attention, ClockAt, Clocks, Cursor, Graph, Message, NONE, Pick, Placed, Process, Slot,
};
use crate::ids::{ConstraintId, NodeId, Pid, ValueId};
use crate::view::Execution;
use mazurka_trace::{Accepts, Tag};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the receives of one process accept, by step.
pub(crate) struct Accepted {
    class_of: Vec<Option<usize>>,
    classes: Vec<Shared>,
}

/// What all receives of a process with one constraint have in common.
struct Shared {
    accepts: Accepts,
    constraint: String,
}

/// What decides which messages a receive accepts.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Constraint(ConstraintId, bool),
    Answer,
    Receipt(Pid, ValueId),
    /// Requests to an object; in this state, if it may make requests wait.
    Request(Option<NodeId>),
}

impl Accepted {
    /// For the receives of `slot`. `tags` are those of the messages in its inbox.
    pub(crate) fn new<F: Frontend>(
        execution: &Execution<'_, F>,
        slot: Slot,
        tags: &[Tag],
        past: &Past,
    ) -> Self {
        let process = execution.graph.process(slot);
        let mut keys = FxHashMap::default();
        let mut cursors = Vec::new();
        let mut class = |index: usize| {
            let picks_message = matches!(
                process.steps[index].pick,
                Pick::Message { .. } | Pick::Timeout | Pick::QuietTimeout
            );
            let cursor = execution
                .graph
                .cursor(execution.behaviours, slot, index)
                .filter(|cursor| picks_message && !cursor.looks)?;
            Some(*keys.entry(key::<F>(&cursor)?).or_insert_with(|| {
                cursors.push(cursor);
                cursors.len() - 1
            }))
        };
        let class_of: Vec<_> = (0..process.steps.len()).map(&mut class).collect();
        let sorted = sort_messages(execution, slot, &class_of, &cursors, past);
        let shared = |(cursor, sorted): (&Cursor, Sorted)| Shared {
            accepts: sorted.accepts(tags),
            constraint: execution.constraint(cursor.wait),
        };
        Accepted {
            classes: cursors.iter().zip(sorted).map(shared).collect(),
            class_of,
        }
    }

    /// What the receive of this step accepts, and its constraint as text.
    pub(crate) fn of_step(&self, index: usize) -> Option<(Accepts, String)> {
        let shared = &self.classes[self.class_of[index]?];
        Some((shared.accepts.clone(), shared.constraint.clone()))
    }
}

impl<F: Frontend> Execution<'_, F> {
    /// Which of the messages that wait for this process its demand accepts.
    pub(crate) fn accepts_now(&self, slot: Slot, cursor: &Cursor) -> Accepts {
        let inbox = &self.graph.process(slot).inbox;
        let mut sorted = Sorted::default();
        for at in self.graph.waiting(slot) {
            sorted.add(at, self.accepts(cursor, &inbox[at as usize]));
        }
        sorted.accepts_by(|at| self.tag(&inbox[at as usize]))
    }

    /// Whether a demand accepts a message. It does not accept a signal that ends the process: being
    /// killed is not a receive.
    fn accepts(&self, cursor: &Cursor, message: &Message) -> bool {
        let b = self.behaviours;
        match Graph::attention(b, cursor, message.value) {
            Attention::Takes => !b.values.class(message.value).kills(cursor.trapping),
            Attention::Ignores => false,
            Attention::If(constraint) => b.values.ask(&b.frontend, message.value, constraint),
        }
    }
}

fn key<F: Frontend>(cursor: &Cursor) -> Option<Key> {
    match cursor.wait {
        Wait::Receive { constraint, .. } => Some(Key::Constraint(constraint, cursor.trapping)),
        Wait::Answer => Some(Key::Answer),
        Wait::HandedOver { to, value } => Some(Key::Receipt(to, value)),
        Wait::Serve => Some(Key::Request(F::Objects::MAKES_WAIT.then_some(cursor.node))),
        Wait::Read { .. } | Wait::Choose { .. } | Wait::Ended(_) => None,
    }
}

/// The messages that matter to a constraint, by their places in the inbox.
#[derive(Clone, Default)]
struct Sorted {
    accepted: Vec<u32>,
    refused: Vec<u32>,
}

impl Sorted {
    fn add(&mut self, message: u32, is_accepted: bool) {
        match is_accepted {
            true => self.accepted.push(message),
            false => self.refused.push(message),
        }
    }

    fn accepts(&self, tags: &[Tag]) -> Accepts {
        self.accepts_by(|at| tags[at as usize].clone())
    }

    /// The accepted messages, given by the shorter of the two lists.
    fn accepts_by(&self, tag: impl Fn(u32) -> Tag) -> Accepts {
        let tags = |messages: &[u32]| Arc::new(messages.iter().map(|&at| tag(at)).collect());
        if self.refused.is_empty() {
            Accepts::All
        } else if self.accepted.len() <= self.refused.len() {
            Accepts::Only(tags(&self.accepted))
        } else {
            Accepts::Except(tags(&self.refused))
        }
    }
}

/// Sorts the messages to a process by the constraints to which they matter. Takes time in
/// proportion to the pairs of a message and a constraint to which it matters.
fn sort_messages<F: Frontend>(
    execution: &Execution<'_, F>,
    slot: Slot,
    class_of: &[Option<usize>],
    cursors: &[Cursor],
    past: &Past,
) -> Vec<Sorted> {
    let process = execution.graph.process(slot);
    let mut sorted = vec![Sorted::default(); cursors.len()];
    let Some(last) = class_of.len().checked_sub(1) else {
        return sorted;
    };
    // A message matters up to the step that consumes it.
    let upto = |message: &Message| match message.consumed_by {
        NONE => last,
        step => step as usize,
    };
    let mut messages: Vec<(usize, u32)> = process.inbox.iter().map(upto).zip(0..).collect();
    messages.sort_unstable();
    let mut messages = messages.into_iter().peekable();
    // Each class by its latest receive so far.
    let mut latest: BTreeMap<usize, usize> = BTreeMap::new();
    let mut latest_of = vec![None; cursors.len()];
    for (step, class) in class_of.iter().enumerate() {
        if let Some(class) = *class {
            if let Some(before) = latest_of[class].replace(step) {
                latest.remove(&before);
            }
            latest.insert(step, class);
        }
        while let Some((_, at)) = messages.next_if(|(upto, _)| *upto == step) {
            let message = &process.inbox[at as usize];
            let known = past.of_send(execution.graph, message, slot);
            let from = process.steps.partition_point(|step| step.event < known);
            for &class in latest.range(from..).map(|(_, class)| class) {
                sorted[class].add(at, execution.accepts(&cursors[class], message));
            }
        }
    }
    sorted
}

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
    fn of_send(&self, graph: &Graph, message: &Message, slot: Slot) -> u32 {
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
            if let Some((cause, cause_step, events)) = cause(graph, process, placed) {
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

/// The step of another process that a step depends on directly, and how many events of that process.
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
