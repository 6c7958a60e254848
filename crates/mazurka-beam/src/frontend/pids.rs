//! Our pids and the engine's.

use mazurka_engine::{self as engine, PidTable};
use rustc_hash::FxHashMap;

use crate::term::PidTerm;

/// Which of our pids is which of the engine's. Both are paths in the tree of processes, so what is
/// known once is true in every execution.
pub(super) struct Pids {
    theirs: FxHashMap<PidTerm, engine::Pid>,
    /// By the engine's numbers.
    ours: Vec<Option<PidTerm>>,
}

impl Pids {
    pub(super) fn new() -> Pids {
        let mut pids = Pids {
            theirs: FxHashMap::default(),
            ours: Vec::new(),
        };
        pids.add(PidTerm::entry(), PidTable::ENTRY);
        pids
    }

    pub(super) fn add(&mut self, ours: PidTerm, theirs: engine::Pid) {
        self.theirs.insert(ours, theirs);
        let at = theirs.index();
        if self.ours.len() <= at {
            self.ours.resize(at + 1, None);
        }
        self.ours[at] = Some(ours);
    }

    /// Nothing for a pid that no process has had so far.
    pub(super) fn theirs(&self, pid: PidTerm) -> Option<engine::Pid> {
        self.theirs.get(&pid).copied()
    }

    pub(super) fn ours(&self, pid: engine::Pid) -> PidTerm {
        let known = self.ours.get(pid.index()).copied().flatten();
        known.expect("the engine knows it from a spawn")
    }
}
