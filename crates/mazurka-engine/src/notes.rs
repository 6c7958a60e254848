//! What front-ends report about the events of a process: where in the source they happen, and what
//! was printed in between.

use crate::behaviour::{Effect, Wait};
use crate::bounded::Bounded;
use crate::frontend::{Frontend, StepPart};
use crate::graph::{Event, Pick, Slot};
use crate::ids::NodeId;
use crate::view::Execution;
use mazurka_trace::Note;

/// Gathers the notes about one process, event by event.
pub(crate) struct Notes<'n, F: Frontend> {
    execution: &'n Execution<'n, F>,
    slot: Slot,
    /// The node of the current step, if front-ends may have notes about it, and how many of its
    /// effects have been noted.
    node: Option<NodeId>,
    effects_done: usize,
    /// How many pieces of the step's output have been noted.
    output_done: usize,
    notes: Vec<Note>,
}

impl<'n, F: Frontend> Notes<'n, F> {
    pub(crate) fn new(execution: &'n Execution<'n, F>, slot: Slot) -> Self {
        let process = execution.graph.process(slot);
        let first = process.steps.first().filter(|_| !process.is_object);
        Notes {
            execution,
            slot,
            node: first.map(|step| step.node),
            effects_done: 0,
            output_done: 0,
            notes: Vec::new(),
        }
    }

    /// Adds the notes about the next event of the process, which is at `at` in its trace if the trace
    /// records it.
    pub(crate) fn note(&mut self, event: Event, is_recorded: bool, at: usize) {
        let Some(node) = self.node else { return };
        match event {
            Event::Input(index) => {
                let step = &self.execution.graph.process(self.slot).steps[index as usize];
                if is_recorded {
                    self.output_before(usize::MAX, at);
                    self.place(node, StepPart::Demand, at);
                    if let Pick::Choice(chosen) = step.pick {
                        self.outside(node, chosen, at);
                    }
                }
                self.node = Some(step.node);
                (self.effects_done, self.output_done) = (0, 0);
            }
            Event::Own => {}
            Event::Spawn(_) | Event::Send(_) => {
                let noted = self.execution.behaviours.node(node);
                let effects = &noted.effects;
                let rest = effects.iter().enumerate().skip(self.effects_done);
                let visible = |effect: &&Effect| !matches!(effect, Effect::TrapExit(_));
                let mut next = rest.filter(|(_, effect)| visible(effect)).map(|(at, _)| at);
                let Some(nth) = next.next() else {
                    return; // its end, which is not an action
                };
                self.effects_done = nth + 1;
                let asks = matches!(noted.wait, Wait::Answer | Wait::HandedOver { .. });
                let is_request = asks && nth + 1 == effects.len();
                // A receipt is not an action of user code.
                let Some(action) = nth.checked_sub(usize::from(noted.acknowledges)) else {
                    return;
                };
                if is_recorded {
                    self.output_before(action + 1, at);
                    let doing = match is_request {
                        true => StepPart::Demand,
                        false => StepPart::Action(action),
                    };
                    self.place(node, doing, at);
                }
            }
        }
    }

    /// All notes, for a process with this many events.
    pub(crate) fn finish(mut self, events: usize) -> Vec<Note> {
        self.output_before(usize::MAX, events);
        self.notes
    }

    /// Notes what was printed before the first `actions` actions were done.
    fn output_before(&mut self, actions: usize, at: usize) {
        let state = self
            .node
            .and_then(|node| self.execution.behaviours.node(node).state());
        let Some(state) = state else { return };
        let output = self.execution.behaviours.frontend.describe().output(state);
        for (after, text) in output.iter().skip(self.output_done) {
            if *after >= actions {
                break;
            }
            self.output_done += 1;
            self.notes.push(Note {
                at,
                place: None,
                output: Some(Bounded::cut(text, Bounded::OUTPUT_MAX)),
                outside: None,
            });
        }
    }

    fn place(&mut self, node: NodeId, doing: StepPart, at: usize) {
        let behaviours = self.execution.behaviours;
        let state = behaviours.node(node).state();
        let place = state.and_then(|state| behaviours.frontend.describe().place(state, doing));
        self.notes.extend(place.map(|place| Note {
            at,
            place: Some(place),
            output: None,
            outside: None,
        }));
    }

    fn outside(&mut self, node: NodeId, chosen: u32, at: usize) {
        let behaviours = self.execution.behaviours;
        let state = behaviours.node(node).state();
        let what = state.and_then(|state| behaviours.frontend.describe().outside(state, chosen));
        self.notes.extend(what.map(|what| Note {
            at,
            place: None,
            output: None,
            outside: Some(what.to_owned()),
        }));
    }
}
