//! A canonical form of traces: two executions have the same trace if and only if their forms are
//! equal.

use crate::behaviour::Wait;
use crate::frontend::Frontend;
use crate::graph::{Graph, Pick, Slot};
use crate::ids::PidKind;
use crate::message::{Content, Request};
use crate::view::Execution;
use std::collections::BTreeMap;

/// Per process or object, what it consumed, in order.
pub type CanonicalTrace = BTreeMap<String, Vec<String>>;

impl<F: Frontend> Execution<'_, F> {
    /// The trace of this execution, for comparison.
    #[must_use]
    pub fn canonical(&self) -> CanonicalTrace {
        let graph = self.graph;
        let mut trace = CanonicalTrace::new();
        for (slot, process) in (0..).zip(graph.processes()) {
            // Every execution with this end and this tie has this courier.
            if graph.awaits(slot).is_some() {
                continue;
            }
            let consumed: Vec<String> = process
                .steps
                .iter()
                .enumerate()
                .filter_map(|(index, _)| self.consumed(slot, index))
                .collect();
            // A liveness object that only recorded the end adds nothing: every process may have one.
            if process.is_object && consumed.iter().all(|entry| entry == "died") {
                continue;
            }
            trace.insert(self.name(slot), consumed);
        }
        trace
    }

    fn consumed(&self, slot: Slot, index: usize) -> Option<String> {
        let graph = self.graph;
        let process = graph.process(slot);
        let step = &process.steps[index];
        match step.pick {
            Pick::Start | Pick::GoOn => None,
            Pick::Timeout | Pick::QuietTimeout => Some("timeout".into()),
            Pick::Choice(chosen) => Some(format!("chose {chosen}")),
            Pick::Version(version) => {
                let before = graph.cursor(self.behaviours, slot, index)?;
                let Wait::Read { object } = before.wait else {
                    return None;
                };
                let object = graph.slot(object)?;
                let changes = self.changes_before(object, version);
                Some(format!("read {} {changes}", self.name(object)))
            }
            Pick::Message { .. } => {
                let message = &process.inbox[step.consumed as usize];
                match self.behaviours.values.content(message.value) {
                    Content::Answer(_) => {
                        let before = graph.cursor(self.behaviours, slot, index)?;
                        let handed = matches!(before.wait, Wait::HandedOver { .. });
                        handed.then(|| "handed over".into())
                    }
                    Content::Request { by, request } => Some(match request {
                        Request::Die(_) => "died".into(),
                        _ => format!("served {}", self.behaviours.pids.name(*by)?),
                    }),
                    _ => {
                        let tag = self.nth_message(graph, slot, step.consumed);
                        Some(match self.behaviours.node(step.node).was_killed() {
                            true => {
                                let before = graph.cursor(self.behaviours, slot, index)?;
                                let node = self.behaviours.node(before.node);
                                let done = &node.effects[..before.done as usize];
                                let actions = done.iter().filter(|effect| effect.is_action());
                                let actions = actions.count() - usize::from(node.acknowledges);
                                format!("struck {tag} after {actions}")
                            }
                            false => format!("message {tag}"),
                        })
                    }
                }
            }
        }
    }

    /// The sender of a message, and its number among the sender's messages to this process, not
    /// counting answers.
    fn nth_message(&self, graph: &Graph, slot: Slot, at: u32) -> String {
        let inbox = &graph.process(slot).inbox;
        let message = &inbox[at as usize];
        let nth = inbox[..at as usize]
            .iter()
            .filter(|other| {
                other.sender == message.sender
                    && !matches!(
                        self.behaviours.values.content(other.value),
                        Content::Answer(_)
                    )
            })
            .count();
        let sender = graph.process(message.sender).pid;
        let name = match self.behaviours.pids.kind(sender) {
            PidKind::Object(_) => self.name(message.sender),
            _ => self.behaviours.pids.name(sender).unwrap_or_default(),
        };
        format!("{name}#{nth}")
    }
}
