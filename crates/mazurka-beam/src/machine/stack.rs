//! The call stack of a process.

use crate::bits::Copies;
use crate::code::Address;
use crate::term::Term;

/// The value of registers that no instruction has written to.
const NIL: &Term = &Term::Nil;

/// The number of cells that a process can push on a copied stack without a reallocation.
const SPARE_CELLS: usize = 4;

/// The maximum number of cells on a stack: 256 MiB.
const CELLS_MAX: usize = 1 << 24;

/// Frames of registers; between two frames is the return address of the upper one. They are in one
/// vector, because each snapshot has a copy.
///
/// Register 0 of a frame is the last cell, so that dropping the first registers is cheap.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Stack {
    cells: Vec<Term>,
    /// The start of the current frame.
    frame: usize,
}

impl Clone for Stack {
    /// Running a process changes its match contexts, so each snapshot has its own copies.
    fn clone(&self) -> Stack {
        let mut copies = Copies::default();
        // The copied stack is about to grow.
        let mut cells = Vec::with_capacity(self.cells.len() + SPARE_CELLS);
        cells.extend(self.cells.iter().map(|term| copies.copy(term)));
        Stack {
            cells,
            frame: self.frame,
        }
    }
}

impl Stack {
    /// All cells.
    pub(super) fn cells(&self) -> &[Term] {
        &self.cells
    }

    /// The start of the current frame. It identifies the frame: no two frames on the stack have the
    /// same start.
    #[inline(always)]
    pub(super) fn frame(&self) -> usize {
        self.frame
    }

    /// The registers of the current frame.
    pub(super) fn registers(&self) -> &[Term] {
        self.cells.get(self.frame..).unwrap_or(&[])
    }

    /// The index of a register of the current frame, counted from the bottom.
    #[inline(always)]
    pub(super) fn slot(&self, y: u16) -> usize {
        self.cells.len().wrapping_sub(1 + usize::from(y))
    }

    #[inline(always)]
    pub(super) fn get(&self, y: u16) -> &Term {
        self.cells.get(self.slot(y)).unwrap_or(NIL)
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, y: u16) -> Option<&mut Term> {
        let slot = self.slot(y);
        self.cells.get_mut(slot)
    }

    /// Adds registers to the current frame. Returns `false` if the stack would be too large.
    #[inline(always)]
    pub(super) fn allocate(&mut self, count: u16) -> bool {
        let length = self.cells.len() + usize::from(count);
        if length > CELLS_MAX {
            return false;
        }
        self.cells.resize(length, Term::Nil);
        true
    }

    /// Adds registers with these values to the current frame.
    pub(super) fn extend(&mut self, values: impl Iterator<Item = Term>) {
        self.cells.extend(values);
    }

    /// Drops the first registers of the current frame.
    #[inline(always)]
    pub(super) fn deallocate(&mut self, count: u16) {
        let length = self.cells.len().saturating_sub(usize::from(count));
        self.cells.truncate(length);
    }

    /// Adds a frame for a function that returns to this address.
    #[inline(always)]
    pub(super) fn call(&mut self, to: Address) {
        let frame = self.frame as u32;
        self.cells.push(Term::Return { to, frame });
        self.frame = self.cells.len();
    }

    /// Removes the current frame, whose registers have been dropped. Returns its return address, or
    /// `None` for the first frame.
    ///
    /// # Errors
    /// The code is damaged.
    #[inline(always)]
    pub(super) fn leave(&mut self) -> Result<Option<Address>, Damaged> {
        if self.frame == 0 {
            return Ok(None);
        }
        match self.cells.pop() {
            // A frame starts above the one it returns to, except in damaged code.
            Some(Term::Return { to, frame }) if (frame as usize) < self.frame => {
                self.frame = frame as usize;
                Ok(Some(to))
            }
            _ => Err(Damaged),
        }
    }

    /// Removes all frames above this one.
    pub(super) fn unwind(&mut self, frame: usize) {
        while self.frame > frame {
            self.cells.truncate(self.frame);
            if !matches!(self.leave(), Ok(Some(_))) {
                return;
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.frame = 0;
    }

    /// The return addresses of the active calls, the innermost first.
    pub(super) fn calls(&self) -> impl Iterator<Item = Address> + '_ {
        let mut frame = self.frame;
        std::iter::from_fn(move || {
            let below = frame.checked_sub(1)?;
            let Term::Return { to, frame: caller } = self.cells.get(below)? else {
                return None;
            };
            // In damaged code a frame may point to itself.
            frame = Some(*caller as usize).filter(|&caller| caller < frame)?;
            Some(Address {
                module: to.module,
                pc: to.pc.saturating_sub(1),
            })
        })
    }
}

/// The code used the stack in a way that a compiler never does.
#[derive(Debug)]
pub(super) struct Damaged;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Atom;

    const HERE: Address = Address {
        module: Atom::ERLANG,
        pc: 7,
    };

    /// Damaged code drops more registers than its frame has, and so the return address.
    #[test]
    fn a_frame_that_points_to_itself_ends_the_walk() {
        let mut stack = Stack::default();
        stack.call(HERE);
        stack.deallocate(1);
        stack.call(HERE);
        assert_eq!(stack.calls().take(10).count(), 0);
        stack.unwind(0);
        assert!(stack.leave().is_err());
    }

    #[test]
    fn calls_come_back_in_order() {
        let mut stack = Stack::default();
        stack.call(HERE);
        assert!(stack.allocate(2));
        stack.call(HERE);
        assert_eq!(stack.calls().count(), 2);
        assert!(matches!(stack.leave(), Ok(Some(HERE))));
        stack.deallocate(2);
        assert!(matches!(stack.leave(), Ok(Some(HERE))));
        assert!(matches!(stack.leave(), Ok(None)));
    }
}
