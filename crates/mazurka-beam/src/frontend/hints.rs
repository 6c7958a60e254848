//! What the engine may know about an Erlang program beyond how to run it.

use std::rc::Rc;

use mazurka_engine::{Clause, Hints};

use super::{Program, Snapshot, coverage};
use crate::machine::Constraint;

impl Hints<Program> for Program {
    fn state_bytes(&self, state: &Rc<Snapshot>) -> usize {
        let output = state.done.output.iter().map(|(_, text)| text.len() + 32);
        state.process.bytes() + output.sum::<usize>()
    }

    fn takes_from_anyone(&self, constraint: &Constraint) -> bool {
        match constraint {
            Constraint::Anything | Constraint::Mailbox => true,
            Constraint::Code { registers, .. } => registers.is_empty(),
            Constraint::Nothing | Constraint::Down(_) | Constraint::Signal { .. } => false,
        }
    }

    fn clauses(&self) -> Vec<Clause> {
        coverage::since(self.library(), &self.0.taken_before)
    }
}
