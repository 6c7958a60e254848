//! The processes that have changed since the last query: their demand, their inbox, or whether they are
//! enabled.

use super::{Graph, Slot};

/// The slots that have changed.
pub(super) struct Touched {
    slots: Vec<Slot>,
    /// Any slot may have changed; `slots` is not kept then. That is so before the first query, and after
    /// more changes than there are processes.
    all: bool,
}

impl Default for Touched {
    fn default() -> Self {
        Touched {
            slots: Vec::new(),
            all: true,
        }
    }
}

impl Graph {
    /// Records that a process has changed.
    #[inline]
    pub(super) fn touch(&mut self, slot: Slot) {
        let touched = &mut self.touched;
        if touched.all {
            return;
        }
        touched.slots.push(slot);
        if touched.slots.len() > self.live {
            touched.slots.clear();
            touched.all = true;
        }
    }

    /// Moves the slots that have changed since the last call to `into`. Returns false, and leaves
    /// `into` empty, if all may have.
    pub(crate) fn take_touched(&mut self, into: &mut Vec<Slot>) -> bool {
        into.clear();
        into.append(&mut self.touched.slots);
        !std::mem::replace(&mut self.touched.all, false)
    }
}
