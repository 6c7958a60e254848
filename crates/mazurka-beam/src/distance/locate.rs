//! The bound for a process: where it waits, and what is on its stack.

use super::Analysis;
use super::solve::{Bound, NEVER};
use crate::code::Address;
use crate::machine::{Position, Process, Target};

/// Frames further down the stack are not looked at; a failure in one of them needs the return to it
/// at least.
const FRAMES_MAX: usize = 10_000;

/// A process that waits makes at least the operation that it waits for.
const WAIT: u32 = 1;

impl Analysis {
    /// The least number of visible operations that a process makes before it fails. `None` if it
    /// cannot fail.
    pub(super) fn of(&self, process: &Process) -> Option<u32> {
        let (start, is_own) = self.innermost(process)?;
        let mut walk = Walk {
            is_own,
            here: start,
            failed: NEVER,
        };
        let mut calls = process.calls();
        for call in calls.by_ref().take(FRAMES_MAX) {
            self.leave(&mut walk, call);
        }
        let mut least = walk.failed.min(walk.here.fail);
        if calls.next().is_some() {
            least = least.min(walk.here.back);
        }
        // Stored messages are received without a visible operation.
        let stored = process.replies.len() as u32;
        let least = Some(least).filter(|&least| least != NEVER)?;
        Some(least.saturating_sub(stored).max(WAIT))
    }

    /// The bound of the innermost frame, and whether it is of the program's own code.
    fn innermost(&self, process: &Process) -> Option<(Bound, bool)> {
        Some(match process.position()? {
            Position::Receive(at) => {
                let counted = self.graph.node(&self.library, at);
                let counted = counted.map_or(0, |node| self.graph.nodes[node as usize].cost);
                let bound = self.at(at).after(WAIT.saturating_sub(counted));
                (bound, self.is_own(at))
            }
            Position::Call { at, returns } => {
                let after = match returns {
                    true => Bound {
                        fail: NEVER,
                        back: 0,
                    },
                    false => self.at(Address {
                        pc: at.pc.saturating_add(1),
                        ..at
                    }),
                };
                let bound = after.or(self.handler(at)).after(WAIT);
                (bound, self.is_own(at))
            }
            Position::Hibernating(mfa) => {
                // The stored message, which is not received yet, is not a further operation.
                let bound = match Target::find(&self.library, mfa) {
                    Ok(Target::Code(at)) => (self.at(at), self.is_own(at)),
                    _ => (self.bounds.any(), false),
                };
                return Some(bound);
            }
        })
    }

    /// Continues with the frame of a caller, which is at this call.
    fn leave(&self, walk: &mut Walk, call: Address) {
        let callee = walk.here;
        let after = self.at(Address {
            pc: call.pc.saturating_add(1),
            ..call
        });
        // The exception may be raised as soon as the process has what it waits for.
        let handler = self.handler(call).after(WAIT);
        let mut here = after.after(callee.back).or(handler);
        let is_own = self.is_own(call);
        if !walk.is_own || !is_own {
            // An exception that reaches OTP's code ends the process, sooner or later.
            walk.failed = walk.failed.min(callee.fail);
        } else if !self.is_guarded(call) {
            here.fail = here.fail.min(callee.fail);
        }
        walk.here = here;
        walk.is_own = is_own;
    }

    /// The bound of an instruction. Code that is not analysed may call anything; if it is the
    /// program's own, it may fail at once.
    fn at(&self, at: Address) -> Bound {
        match self.graph.node(&self.library, at) {
            Some(node) => self.bounds.node(node),
            None if self.is_own(at) => Bound { fail: 0, back: 0 },
            None => self.bounds.any(),
        }
    }

    /// The bound of the handler of exceptions at an instruction.
    fn handler(&self, at: Address) -> Bound {
        let node = self.graph.node(&self.library, at);
        let handler = node.and_then(|node| self.graph.nodes[node as usize].handler);
        handler.map_or(Bound::NEVER, |handler| self.bounds.node(handler))
    }

    fn is_guarded(&self, at: Address) -> bool {
        let node = self.graph.node(&self.library, at);
        node.is_some_and(|node| self.graph.nodes[node as usize].is_guarded)
    }

    fn is_own(&self, at: Address) -> bool {
        let code = self.library.code(at.module);
        code.is_ok_and(|code| code.is_own)
    }
}

/// A walk from the innermost frame to the outermost.
struct Walk {
    /// Whether the current frame is of the program's own code.
    is_own: bool,
    /// The bound of the current frame, from where the process is now.
    here: Bound,
    /// The least number of operations until an exception of the program reaches a frame of OTP's
    /// code.
    failed: u32,
}
