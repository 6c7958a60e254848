//! A failing execution as a sequence of the steps that lead to its error.

use super::judge::Passing;
use super::{Finding, Parting, TWICE_THE_COST};
use crate::behaviour::Wait;
use crate::frontend::Frontend;
use crate::graph::{Entry, Event, Graph, NONE, Pick, Placed, Slot, Step};
use crate::ids::PidId;
use crate::verdict::Kind;
use crate::view::Execution;
use mazurka_trace::{At, Causality, Trace};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashMap};

/// Executions with more events are shown in the order in which they were run, because finding a
/// better order takes too long.
const EVENTS_MAX: usize = 3_000;

/// An execution that fails.
pub(super) struct Failing {
    /// The steps that lead to the error, in order.
    pub(super) steps: Vec<Leading>,
    /// What every step of the whole execution consumed, by process and number of its events before.
    pub(super) picks: FxHashMap<(PidId, u32), Pick>,
    /// The events that lead to the error, in order.
    pub(super) order: Vec<At>,
    /// Cost of a step, as a multiple of that in an execution with few processes.
    weight: usize,
    pub(super) names: BTreeMap<mazurka_trace::ProcessName, String>,
}

/// A step that leads to the error.
pub(super) struct Leading {
    /// The step as an entry of a path. No variant may drop it.
    pub(super) entry: Entry,
    /// Its index among the steps of its process.
    index: usize,
    /// Number of events of its process before it.
    pub(super) events_before: u32,
    process: mazurka_trace::ProcessName,
    /// The range of its events among those of its process; the end is exclusive.
    events: (usize, usize),
}

impl Failing {
    pub(super) fn new<F: Frontend>(execution: &Execution<'_, F>, finding: &Finding) -> Self {
        let graph = execution.graph;
        let path = graph.path();
        let mut steps = leading_steps(execution, finding);
        // A quiet timeout comes after steps that do not happen before it in the trace, so the trace
        // alone does not give a valid order.
        let waits_for_quiet = path
            .iter()
            .any(|placed| placed.entry.pick == Pick::QuietTimeout);
        let prefix = prefix(&execution.trace(), &event_counts(&steps));
        let weight = weight(graph);
        let order = match waits_for_quiet {
            true => None,
            false => few_switches(&prefix, Causality::SWITCH_BUDGET / weight),
        };
        if let Some(order) = &order {
            put_in_order(graph, &mut steps, order);
        }
        Entry::restamp(steps.iter_mut().map(|step| &mut step.entry));
        let picks = path.iter().map(|placed| {
            let step = &graph.process(placed.slot).steps[placed.index as usize];
            ((placed.entry.pid, step.event), placed.entry.pick)
        });
        Failing {
            picks: picks.collect(),
            names: execution.names(),
            weight,
            order: order.unwrap_or_else(|| steps.iter().flat_map(Leading::ats).collect()),
            steps,
        }
    }

    /// Cost of a step, as a multiple of that in an execution with few processes.
    pub(super) fn weight(&self) -> u64 {
        self.weight as u64
    }

    /// Number of first steps, in their order, that another execution has as well.
    pub(super) fn common_steps<F: Frontend>(&self, other: &Execution<'_, F>) -> usize {
        let is_there = |step: &&Leading| {
            let slot = other.graph.slot(step.entry.pid);
            let process = slot.map(|slot| other.graph.process(slot));
            process.is_some_and(
                |process| match process.events.get(step.events_before as usize) {
                    None => false,
                    Some(&Event::Input(at)) => process.steps[at as usize].pick == step.entry.pick,
                    Some(_) => step.entry.pick == Pick::GoOn,
                },
            )
        };
        self.steps.iter().take_while(is_there).count()
    }

    /// Where the passing execution parts from this one.
    pub(super) fn parting(&self, passing: Passing) -> Option<Parting> {
        if passing.common >= self.steps.len() {
            return None;
        }
        Some(Parting {
            passing: passing.trace,
            all_is_well: passing.all_is_well,
            common: event_counts(&self.steps[..passing.common]),
            at: self.at(passing.common),
        })
    }

    /// The first event of the step with this index.
    pub(super) fn at(&self, step: usize) -> At {
        let step = &self.steps[step];
        At {
            pid: step.process.clone(),
            index: step.events.0,
        }
    }
}

impl Leading {
    fn ats(&self) -> impl Iterator<Item = At> + '_ {
        let (from, upto) = self.events;
        (from..upto).map(|index| At {
            pid: self.process.clone(),
            index,
        })
    }
}

fn weight(graph: &Graph) -> usize {
    1 + graph.processes().len() * graph.path().len() / TWICE_THE_COST
}

/// The steps in the causal past of the error, in the order in which they were made. If the error is
/// that a process waits for ever, these are all steps: the cause may be something that another process
/// did not do.
fn leading_steps<F: Frontend>(execution: &Execution<'_, F>, finding: &Finding) -> Vec<Leading> {
    let graph = execution.graph;
    let slots = 0..graph.processes().len() as Slot;
    let names: Vec<_> = slots.clone().map(|slot| execution.name(slot)).collect();
    let failed = match finding.kind {
        Kind::Crash | Kind::Assertion => names.iter().position(|name| *name == finding.process),
        _ => None,
    };
    let last = failed.and_then(|failed| Some((failed, graph.processes()[failed].steps.last()?)));
    let leads = |slot: Slot, step: &Step| {
        last.is_none_or(|(failed, last)| {
            // All steps of the process that failed, its last one included.
            slot as usize == failed || Graph::in_past(graph.clock(last), slot, step)
        })
    };
    let counts: Vec<_> = slots.map(|slot| execution.recorded_counts(slot)).collect();
    let leading = |placed: &Placed| {
        let (slot, index) = (placed.slot, placed.index as usize);
        let process = graph.process(slot);
        let step = &process.steps[index];
        let counts = &counts[slot as usize];
        let upto = match process.steps.get(index + 1) {
            Some(next) => counts[next.event as usize],
            None => counts.last().copied().unwrap_or(0),
        };
        leads(slot, step).then(|| Leading {
            entry: Entry {
                fixed: true,
                ..placed.entry
            },
            index,
            events_before: step.event,
            process: names[slot as usize].as_str().into(),
            events: (counts[step.event as usize], upto),
        })
    };
    graph.path().iter().filter_map(leading).collect()
}

/// Number of events of each process in these steps.
fn event_counts(steps: &[Leading]) -> BTreeMap<mazurka_trace::ProcessName, usize> {
    let mut counts = BTreeMap::new();
    for step in steps {
        let count: &mut usize = counts.entry(step.process.clone()).or_default();
        *count = (*count).max(step.events.1);
    }
    counts
}

/// A trace with only the first events of each process.
fn prefix(trace: &Trace, counts: &BTreeMap<mazurka_trace::ProcessName, usize>) -> Trace {
    let mut prefix = trace.clone();
    for (pid, events) in &mut prefix.processes {
        events.truncate(counts.get(pid).copied().unwrap_or(0));
    }
    prefix
}

/// The events of a trace in an order with few switches between processes, if one is found.
fn few_switches(trace: &Trace, budget: usize) -> Option<Vec<At>> {
    if trace.event_count() > EVENTS_MAX {
        return None;
    }
    let causality = trace.check().ok()?;
    let order = causality.fewest_switches(budget);
    let mut seen: HashMap<mazurka_trace::ProcessName, usize> = HashMap::new();
    let at = |(pid, _): (mazurka_trace::ProcessName, _)| {
        let next = seen.entry(pid.clone()).or_default();
        let index = *next;
        *next += 1;
        At { pid, index }
    };
    Some(order.interleaving.events.into_iter().map(at).collect())
}

/// Sorts steps by their first events. A step without events comes as early as possible.
fn put_in_order(graph: &Graph, steps: &mut Vec<Leading>, order: &[At]) {
    let places: HashMap<&At, usize> = order.iter().zip(1..).collect();
    let mut keys: FxHashMap<(PidId, usize), usize> = FxHashMap::default();
    for step in &*steps {
        let own = step.ats().next().and_then(|at| places.get(&at).copied());
        let causes = causes(graph, step).into_iter().flatten();
        let after_causes = causes.filter_map(|cause| keys.get(&cause).copied());
        let key = after_causes.chain(own).max().unwrap_or(0);
        keys.insert((step.entry.pid, step.index), key);
    }
    // The sort is stable, because the steps are in a valid order already.
    steps.sort_by_key(|step| keys[&(step.entry.pid, step.index)]);
}

/// The direct causes of a step: the previous step of its process, the step that spawned the process,
/// the step that sent what it consumed, and the step of the object whose version it read.
fn causes(graph: &Graph, step: &Leading) -> [Option<(PidId, usize)>; 4] {
    let slot = graph.slot(step.entry.pid).expect("it is in the graph");
    let process = graph.process(slot);
    let place = |slot: Slot, step: u32| {
        let there = slot != NONE && step != NONE;
        there.then(|| (graph.process(slot).pid, step as usize))
    };
    let consumed = process
        .inbox
        .get(process.steps[step.index].consumed as usize);
    let read = match step.entry.pick {
        Pick::Version(version) => step.index.checked_sub(1).and_then(|before| {
            let Wait::Read { object } = process.steps[before].wait else {
                return None;
            };
            Some((object, (version as usize).checked_sub(1)?))
        }),
        _ => None,
    };
    let (parent, spawn, _) = process.parent;
    [
        (step.index.checked_sub(1)).map(|before| (step.entry.pid, before)),
        place(parent, spawn),
        consumed.and_then(|message| place(message.sender, message.step)),
        read,
    ]
}
