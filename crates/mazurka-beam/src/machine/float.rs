//! Floating-point registers.

use super::run::{Run, Runner, X_REGISTERS, fail};
use crate::code::{Float, Register, Source, SourceKind};
use crate::raise::Raise;
use crate::term::{Term, big_to_float, nearest_float};

const MASK: usize = X_REGISTERS - 1;

impl Runner<'_> {
    pub(super) fn load_float(&mut self, from: Source, to: u16) -> Run {
        let Term::Float(value) = self.get(from) else {
            return Err(self.damaged());
        };
        self.floats[usize::from(to) & MASK] = *value;
        Ok(())
    }

    pub(super) fn store_float(&mut self, from: u16, to: Source) {
        let value = Term::Float(self.floats[usize::from(from) & MASK]);
        match to.get() {
            SourceKind::X(x) => self.put(Register::X(x), value),
            SourceKind::Y(y) => self.put(Register::Y(y), value),
            SourceKind::Constant(_) => {}
        }
    }

    /// Any number as a float, if it is not too large for one.
    pub(super) fn convert_float(&mut self, from: Source, to: u16) -> Run {
        let value = match self.get(from) {
            Term::Int(int) => Some(*int as f64),
            Term::Float(float) => Some(*float),
            Term::Big(big) if self.library.release() < 29 => big_to_float(big),
            Term::Big(big) => nearest_float(big),
            _ => None,
        };
        let Some(value) = value else {
            return Err(fail(Raise::badarith()));
        };
        self.floats[usize::from(to) & MASK] = value;
        Ok(())
    }

    pub(super) fn float_arithmetic(
        &mut self,
        operation: Float,
        one: u16,
        other: u16,
        to: u16,
    ) -> Run {
        let (one, other) = (
            self.floats[usize::from(one) & MASK],
            self.floats[usize::from(other) & MASK],
        );
        let value = match operation {
            Float::Add => one + other,
            Float::Subtract => one - other,
            Float::Multiply => one * other,
            Float::Divide => one / other,
        };
        // Erlang has neither infinity nor NaN.
        if !value.is_finite() {
            return Err(fail(Raise::badarith()));
        }
        self.floats[usize::from(to) & MASK] = value;
        Ok(())
    }
}
