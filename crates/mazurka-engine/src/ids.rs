//! Small integer names for everything the engine handles, and the table of
//! logical pids.

use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::fmt::Write as _;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The number behind the name, for use as an index.
            #[inline]
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A process, or a built-in object, by its logical pid. The number is given at
    /// first sight and stays for the whole exploration.
    Pid
);
id!(
    /// An interned message, signal, request or answer.
    ValueId
);
id!(
    /// An interned constraint of a receive.
    ConstraintId
);
id!(
    /// A node of a behaviour tree: one local history of one process.
    NodeId
);
id!(
    /// A way to start a process: its pid, its start and what it is tied to.
    RootId
);

impl NodeId {
    /// No node.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);
}

/// What a pid stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PidKind {
    /// The entry process, `P`.
    Entry,
    /// The `index`-th child (from 1) of `parent`.
    Child {
        /// The process that spawned it.
        parent: Pid,
        /// How many processes the parent had spawned, this one included.
        index: u32,
    },
    /// A shared object: a built-in process that nobody spawns.
    Object(ObjectKey),
}

/// Which shared object a pid stands for. Operations on different objects commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKey {
    /// Whether a process is alive, and who is told when it ends.
    Life(Pid),
    /// One registered name.
    Name(ValueId),
    /// One key of one table.
    Cell {
        /// The table's name.
        table: ValueId,
        /// The key in it.
        key: ValueId,
    },
    /// One counter.
    Counter(ValueId),
}

#[derive(Debug)]
struct PidEntry {
    kind: PidKind,
    /// The first eight steps of the path, a byte each, so that comparing two pids is
    /// comparing two integers in nearly every case.
    key: u64,
    /// How many bytes of the key are used up.
    depth: u32,
    /// The length of the path.
    generation: u32,
}

/// All pids seen in this exploration. A pid is a path in the spawn tree, so it is the
/// same process in every execution.
#[derive(Debug)]
pub struct PidTable {
    entries: Vec<PidEntry>,
    by_kind: FxHashMap<PidKind, Pid>,
}

impl Default for PidTable {
    fn default() -> Self {
        Self::new()
    }
}

impl PidTable {
    /// The entry process has this pid in every program.
    pub const ENTRY: Pid = Pid(0);

    /// A table that knows the entry process only.
    #[must_use]
    pub fn new() -> Self {
        let mut table = PidTable {
            entries: Vec::new(),
            by_kind: FxHashMap::default(),
        };
        table.intern(PidKind::Entry);
        table
    }

    /// The pid of the `index`-th child (from 1) of `parent`.
    pub fn child(&mut self, parent: Pid, index: u32) -> Pid {
        self.intern(PidKind::Child { parent, index })
    }

    /// The pid of a shared object.
    pub fn object(&mut self, key: ObjectKey) -> Pid {
        self.intern(PidKind::Object(key))
    }

    /// The pid of a shared object if anything has named it yet.
    #[must_use]
    pub fn find_object(&self, key: ObjectKey) -> Option<Pid> {
        self.by_kind.get(&PidKind::Object(key)).copied()
    }

    /// What this pid stands for.
    #[must_use]
    pub fn kind(&self, pid: Pid) -> PidKind {
        self.entries[pid.index()].kind
    }

    /// Whether this pid is a shared object and not a process of the program.
    #[must_use]
    pub fn is_object(&self, pid: Pid) -> bool {
        matches!(self.kind(pid), PidKind::Object(_))
    }

    /// The messages that shared objects are named by.
    pub(crate) fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        let keys = self.entries.iter().map(|entry| match entry.kind {
            PidKind::Object(ObjectKey::Name(name)) => [Some(name), None],
            PidKind::Object(ObjectKey::Counter(counter)) => [Some(counter), None],
            PidKind::Object(ObjectKey::Cell { table, key }) => [Some(table), Some(key)],
            PidKind::Object(ObjectKey::Life(_)) | PidKind::Entry | PidKind::Child { .. } => {
                [None, None]
            }
        });
        keys.flatten().flatten()
    }

    /// How many pids there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: the entry process is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many spawns led to a process; 0 for the entry process and for objects.
    #[must_use]
    pub fn generation(&self, pid: Pid) -> u32 {
        self.entries[pid.index()].generation
    }

    /// Parents before children, siblings in the order of their spawns, objects last.
    #[must_use]
    #[inline]
    pub fn cmp(&self, a: Pid, b: Pid) -> Ordering {
        let keys = self.entries[a.index()]
            .key
            .cmp(&self.entries[b.index()].key);
        keys.then_with(|| {
            if a == b {
                Ordering::Equal
            } else {
                self.path(a).cmp(&self.path(b)).then(a.cmp(&b))
            }
        })
    }

    /// `P`, `P.1`, `P.1.2`; nothing for objects, whose names hold values.
    #[must_use]
    pub fn name(&self, pid: Pid) -> Option<String> {
        if self.is_object(pid) {
            return None;
        }
        let mut name = String::from("P");
        for index in self.path(pid) {
            let _ = write!(name, ".{index}");
        }
        Some(name)
    }

    /// The process with this name, if it has been seen.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<Pid> {
        let mut steps = name.split('.');
        if steps.next() != Some("P") {
            return None;
        }
        steps.try_fold(Self::ENTRY, |parent, step| {
            let index = step.parse().ok()?;
            self.by_kind.get(&PidKind::Child { parent, index }).copied()
        })
    }

    fn path(&self, pid: Pid) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = pid;
        while let PidKind::Child { parent, index } = self.kind(at) {
            path.push(index);
            at = parent;
        }
        path.reverse();
        path
    }

    fn intern(&mut self, kind: PidKind) -> Pid {
        if let Some(&pid) = self.by_kind.get(&kind) {
            return pid;
        }
        let (key, depth) = match kind {
            PidKind::Entry => (0, 0),
            PidKind::Child { parent, index } => {
                let parent = &self.entries[parent.index()];
                match parent.depth {
                    depth @ 0..8 => {
                        let byte = u64::from(index.min(255));
                        let key = parent.key | byte << (56 - 8 * depth);
                        // Below a step that does not fit a byte the key says no more.
                        (key, if index < 255 { depth + 1 } else { 8 })
                    }
                    depth => (parent.key, depth),
                }
            }
            PidKind::Object(_) => (u64::MAX, 0),
        };
        let generation = match kind {
            PidKind::Child { parent, .. } => self.generation(parent) + 1,
            PidKind::Entry | PidKind::Object(_) => 0,
        };
        let pid = Pid(u32::try_from(self.entries.len()).expect("fewer than 2^32 processes"));
        self.entries.push(PidEntry {
            kind,
            key,
            depth,
            generation,
        });
        self.by_kind.insert(kind, pid);
        pid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pids_are_paths_in_the_spawn_tree() {
        let mut pids = PidTable::new();
        let first = pids.child(PidTable::ENTRY, 1);
        let deep = pids.child(first, 2);
        assert_eq!(pids.name(deep).as_deref(), Some("P.1.2"));
        assert_eq!(pids.by_name("P.1.2"), Some(deep));
        assert_eq!(pids.by_name("P.1.3"), None);
        assert_eq!(pids.by_name("Q"), None);
        assert_eq!(pids.child(first, 2), deep);
        assert_eq!(pids.generation(PidTable::ENTRY), 0);
        assert_eq!(pids.generation(deep), 2);
    }

    #[test]
    fn order_is_by_path_even_for_wide_and_deep_trees() {
        let mut pids = PidTable::new();
        let late = pids.child(PidTable::ENTRY, 300);
        let early = pids.child(PidTable::ENTRY, 256);
        assert_eq!(pids.cmp(early, late), Ordering::Less);
        let mut deep = early;
        for _ in 0..12 {
            deep = pids.child(deep, 1);
        }
        let deeper = pids.child(deep, 1);
        assert_eq!(pids.cmp(deep, deeper), Ordering::Less);
        assert_eq!(pids.cmp(deeper, late), Ordering::Less);
        let object = pids.object(ObjectKey::Life(early));
        assert_eq!(pids.cmp(late, object), Ordering::Less);
    }
}
