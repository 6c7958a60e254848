//! The mapping between the machine's pids and the engine's.

use mazurka_engine::{self as engine, PidTable};
use rustc_hash::FxHashMap;

use crate::term::PidTerm;

/// The machine's pids (ours) and the engine's (theirs). Both are paths in the spawn tree, so an entry
/// is valid in every execution.
pub(super) struct Pids {
    theirs: FxHashMap<PidTerm, engine::PidId>,
    /// By the engine's indices.
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

    pub(super) fn add(&mut self, ours: PidTerm, theirs: engine::PidId) {
        self.theirs.insert(ours, theirs);
        let at = theirs.index();
        if self.ours.len() <= at {
            self.ours.resize(at + 1, None);
        }
        self.ours[at] = Some(ours);
    }

    /// The engine's pid; none if no process has had this pid so far.
    pub(super) fn theirs(&self, pid: PidTerm) -> Option<engine::PidId> {
        self.theirs.get(&pid).copied()
    }

    /// The machine's pid of a process.
    pub(super) fn ours(&self, pid: engine::PidId) -> PidTerm {
        let known = self.ours.get(pid.index()).copied().flatten();
        known.expect("the engine knows it from a spawn")
    }
}
