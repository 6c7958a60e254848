//! What processes wait for at the end of an execution.

use super::driver::Driver;
use crate::behaviour::Wait;
use crate::frontend::{Frontend, StepPart};
use crate::graph::Slot;
use crate::guide::Guide;
use mazurka_trace::Accepts;
use std::collections::BTreeMap;

/// What a process waits for at the end of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// As the user would write it.
    pub what: String,
    /// Which messages it would consume.
    pub accepts: Accepts,
    /// Whether it has a timeout.
    pub has_timeout: bool,
    /// Where it waits in its source, `file:line`, if that is known.
    pub place: Option<String>,
}

impl<F: Frontend, G: Guide> Driver<'_, F, G> {
    /// Where a process waits in its source.
    pub(super) fn place(&self, slot: Slot) -> Option<String> {
        let process = self.world.graph.process(slot);
        let node = process.steps.last().filter(|_| !process.is_object)?.node;
        let state = self.world.behaviours.node(node).state()?;
        self.world
            .behaviours
            .frontend
            .describe()
            .place(state, StepPart::Demand)
    }

    /// What each process that has not ended waits for.
    pub(super) fn waiting(&self) -> BTreeMap<mazurka_trace::ProcessName, Waiting> {
        let execution = self.world.execution(false);
        let mut waiting = BTreeMap::new();
        for (slot, process) in (0..).zip(self.world.graph.processes()) {
            if process.is_object || self.world.graph.has_ended(slot) {
                continue;
            }
            let at = process.steps.len();
            let Some(cursor) = self.world.cursor(slot, at) else {
                continue;
            };
            let what = Waiting {
                what: self.waits_for(cursor.wait),
                accepts: execution.accepts_now(slot, &cursor),
                has_timeout: matches!(
                    cursor.wait,
                    Wait::Receive {
                        timeout_ms: Some(_),
                        ..
                    }
                ),
                place: self.place(slot),
            };
            waiting.insert(execution.name(slot).into(), what);
        }
        waiting
    }

    /// `waits for {ok, _}`
    pub(super) fn waits_for(&self, wait: Wait) -> String {
        let execution = self.world.execution(false);
        match wait {
            Wait::Read { object } => match self.world.graph.slot(object) {
                Some(object) => format!("reads {}", execution.name(object)),
                None => "reads an object".into(),
            },
            Wait::Choose { of, .. } => format!("chooses one of {of}"),
            wait => format!("waits for {}", execution.constraint(wait)),
        }
    }
}
