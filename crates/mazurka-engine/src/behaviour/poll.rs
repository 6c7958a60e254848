//! Polling: a process that times out and is back in the same state has learned nothing.
//!
//! An *idle round* is a timeout after which the process, without any effect, waits at the same receive
//! in the same state. Everything that the process can do after the round it can do without the round,
//! and no other process sees a difference. So executions with idle rounds are left out: the receive
//! has no timeout. The process waits until a message arrives, and if none can arrive, it is reported:
//! it polls for ever.
//!
//! Whether a timeout is an idle round depends only on the local history of its process. So this is a
//! change of the program, made while its behaviour tree is built, and not a matter of the search.
//!
//! A loop with several receives, or with a read of a shared object, has no idle rounds in this sense:
//! in each state the process sees something else.

use super::node::{Edge, Wait};
use super::{Behaviours, Node};
use crate::frontend::Frontend;
use crate::ids::NodeId;
use std::rc::Rc;

impl<F: Frontend> Behaviours<F> {
    /// Removes the timeout of a receive if it is an idle round. Called when a process arrives at the
    /// receive.
    ///
    /// To find out, the process is run beyond the timeout. A timeout that fires only when nothing
    /// else can happen may never fire, so it is tried only if a timeout led to the receive.
    #[inline]
    pub(crate) fn settle(&mut self, id: NodeId) {
        if F::COMPARES_STATES && !self.node(id).settled {
            self.nodes[id.index()].settled = true;
            self.remove_idle_timeout(id);
        }
    }

    fn remove_idle_timeout(&mut self, id: NodeId) {
        let node = self.node(id);
        let Wait::Receive {
            constraint,
            timeout_ms: Some(timeout_ms),
        } = node.wait
        else {
            return;
        };
        let is_patient = node.after.patient && timeout_ms > 0;
        let any_time = self.timeouts.any_time(timeout_ms) && !is_patient;
        if !any_time && !node.is_idle() {
            return;
        }
        // If the step cannot be made, that is reported when the timeout fires.
        let Ok(after) = self.step(id, Edge::Timeout) else {
            return;
        };
        if self.is_same(self.node(id), self.node(after)) {
            let node = &mut self.nodes[id.index()];
            node.polls = true;
            node.wait = Wait::Receive {
                constraint,
                timeout_ms: None,
            };
        }
    }

    /// Whether the process has done nothing since `before` and waits for the same in the same state.
    fn is_same(&self, before: &Node<F>, after: &Node<F>) -> bool {
        let is_same_local = Rc::ptr_eq(&before.after, &after.after) || before.after == after.after;
        after.effects.is_empty()
            && before.wait == after.wait
            && is_same_local
            && match (before.state(), after.state()) {
                (Some(before), Some(after)) => self.frontend.is_same_state(before, after),
                _ => false,
            }
    }
}

impl<F: Frontend> Node<F> {
    /// Whether the process came here by a timeout and has done nothing since.
    fn is_idle(&self) -> bool {
        // The first node of a process has no parent.
        self.edge == Edge::Timeout && self.parent != NodeId::NONE && self.effects.is_empty()
    }
}
