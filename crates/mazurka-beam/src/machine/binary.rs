//! Instructions on binaries.

use super::run::{Run, Runner, Trouble};
use crate::code::Binary;

impl Runner<'_> {
    pub(super) fn binary(&mut self, instruction: &Binary) -> Run {
        let what = format!("the instruction {}", instruction.opcode.name());
        Err(Trouble::Stop(Box::new(self.unsupported(&what))))
    }
}
