//! The stack of a process: the frames of the functions that it is in.

use crate::bits::Copies;
use crate::code::Address;
use crate::term::Term;

/// What registers hold that no instruction has written to.
const NIL: &Term = &Term::Nil;

/// How many cells a process can add to a copy of a snapshot without moving it.
const ROOM: usize = 4;

/// How many cells the stack of a process may have: 256 MiB of them.
const CELLS_MAX: usize = 1 << 24;

/// Frames of registers, and between two of them where the upper one returns to. All in one piece,
/// because each snapshot has a copy.
///
/// Register 0 of a frame is the last one, so that dropping the first registers of a frame is cheap.
#[derive(Debug, Default)]
pub(super) struct Stack {
    cells: Vec<Term>,
    /// Where the current frame begins.
    frame: usize,
}

impl Clone for Stack {
    /// Match contexts move on while a process runs, so each snapshot has its own.
    fn clone(&self) -> Stack {
        let mut copies = Copies::default();
        // A copy is made to go on from, which needs room.
        let mut cells = Vec::with_capacity(self.cells.len() + ROOM);
        cells.extend(self.cells.iter().map(|term| copies.copy(term)));
        Stack {
            cells,
            frame: self.frame,
        }
    }
}

impl Stack {
    /// All that is on it.
    pub(super) fn cells(&self) -> &[Term] {
        &self.cells
    }

    /// Where the current frame begins. No two frames that are there at the same time begin at the
    /// same place.
    #[inline(always)]
    pub(super) fn frame(&self) -> usize {
        self.frame
    }

    /// The registers of the current frame.
    pub(super) fn registers(&self) -> &[Term] {
        self.cells.get(self.frame..).unwrap_or(&[])
    }

    /// Where a register of the current frame is, counted from the bottom.
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

    /// Adds registers to the current frame; `false` if that makes too many.
    #[inline(always)]
    pub(super) fn allocate(&mut self, count: u16) -> bool {
        let length = self.cells.len() + usize::from(count);
        if length > CELLS_MAX {
            return false;
        }
        self.cells.resize(length, Term::Nil);
        true
    }

    /// Adds registers to the current frame that hold these values.
    pub(super) fn extend(&mut self, values: impl Iterator<Item = Term>) {
        self.cells.extend(values);
    }

    /// Drops the first registers of the current frame.
    #[inline(always)]
    pub(super) fn deallocate(&mut self, count: u16) {
        let length = self.cells.len().saturating_sub(usize::from(count));
        self.cells.truncate(length);
    }

    /// Begins a frame of a function that returns to this place.
    #[inline(always)]
    pub(super) fn call(&mut self, to: Address) {
        let frame = self.frame as u32;
        self.cells.push(Term::Return { to, frame });
        self.frame = self.cells.len();
    }

    /// Ends the current frame, the registers of which have been dropped: where it returns to, or
    /// nothing if it is the first.
    ///
    /// # Errors
    /// The code is damaged.
    #[inline(always)]
    pub(super) fn leave(&mut self) -> Result<Option<Address>, Damaged> {
        if self.frame == 0 {
            return Ok(None);
        }
        match self.cells.pop() {
            // A frame begins above the one that it returns to; only damaged code has others.
            Some(Term::Return { to, frame }) if (frame as usize) < self.frame => {
                self.frame = frame as usize;
                Ok(Some(to))
            }
            _ => Err(Damaged),
        }
    }

    /// Goes back to a frame, as it was at its call.
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

    /// The calls that have led to the current function, the last one first.
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

/// What the compiler never does was done to the stack.
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

    /// Damaged code drops more registers than its frame has, and so the place to return to.
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
