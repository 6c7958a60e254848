//! Small integer names for everything the engine handles, and the table of
//! logical pids.

use crate::guide::mix;
use crate::liveness::{Courier, Tie};
use mazurka_trace::ProcessName;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::fmt::Write as _;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The number, for use as an index.
            #[inline]
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A process, or a built-in object, by its logical pid. The number is assigned on first use
    /// and stays the same during the whole exploration.
    PidId
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
    /// An interned key of a shared object of the front-end.
    KeyId
);
id!(
    /// A node of a behaviour tree: one local history of one process.
    NodeId
);
id!(
    /// A way to start a process: its pid, its start, and its links and monitors.
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
        parent: PidId,
        /// How many processes the parent had spawned, this one included.
        index: u32,
    },
    /// A shared object: a built-in process that is not spawned.
    Object(ObjectKey),
}

/// Which shared object a pid stands for. Operations on different objects commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKey {
    /// Liveness: whether a process has ended.
    Liveness(PidId),
    /// A courier, which waits for the end of a process and makes it known to another.
    Courier(Courier),
    /// An object of the front-end.
    Shared(KeyId),
}

#[derive(Debug)]
struct PidEntry {
    kind: PidKind,
    /// Comparing two pids is comparing these two integers in nearly every case. Of a process:
    /// the first eight steps of its path, a byte each. Of an object: [`OBJECT`] and its identity.
    key: u64,
    /// How many bytes of the key are used.
    depth: u32,
    /// The length of the path.
    generation: u32,
    /// A number computed from what the pid stands for: the same in every explorer.
    identity: u64,
    /// The name of an object; processes are named by their paths.
    object_name: Option<Box<str>>,
}

/// The first byte of an object's key: objects come after all processes.
const OBJECT: u64 = 0xff << 56;
/// The largest step of a path that fits a byte of a key.
const STEP_MAX: u32 = 0xfe;

/// All pids seen in this exploration. A pid is a path in the spawn tree, so it is the
/// same process in every execution.
#[derive(Debug)]
pub struct PidTable {
    entries: Vec<PidEntry>,
    by_kind: FxHashMap<PidKind, PidId>,
}

impl Default for PidTable {
    fn default() -> Self {
        Self::new()
    }
}

impl PidTable {
    /// The entry process has this pid in every program.
    pub const ENTRY: PidId = PidId(0);

    /// A table that contains only the entry process.
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
    pub fn child(&mut self, parent: PidId, index: u32) -> PidId {
        self.intern(PidKind::Child { parent, index })
    }

    /// The pid of the process with this path in the spawn tree.
    pub(crate) fn process(&mut self, path: &[u32]) -> PidId {
        { path.iter() }.fold(Self::ENTRY, |parent, &index| self.child(parent, index))
    }

    /// The pid of the object that records whether a process has ended.
    pub fn liveness(&mut self, of: PidId) -> PidId {
        self.object(ObjectKey::Liveness(of), |pids| {
            ProcessName::of_liveness(pids.name(of).unwrap_or_default()).to_string()
        })
    }

    /// The pid of the object that makes an end known because of a link or a monitor.
    pub(crate) fn courier(&mut self, courier: Courier) -> PidId {
        self.object(ObjectKey::Courier(courier), |pids| {
            let name = |pid| pids.name(pid).unwrap_or_default();
            let tie = match courier.tie {
                Tie::Linked => "linked".to_owned(),
                Tie::Spawned(reference) => format!("spawned {reference}"),
                Tie::Link { nth, noproc } => format!("link {nth}{}", late(noproc)),
                Tie::Monitor {
                    reference, noproc, ..
                } => {
                    format!("monitor {reference}{}", late(noproc))
                }
            };
            ProcessName::of_courier(name(courier.of), name(courier.to), tie).to_string()
        })
    }

    /// The pid of a shared object. `name` is called for an object that is new here. Objects are
    /// ordered by their names, because every explorer gives an object the same name, but numbers
    /// it in the order of discovery.
    pub fn object(&mut self, key: ObjectKey, name: impl FnOnce(&PidTable) -> String) -> PidId {
        match self.find_object(key) {
            Some(pid) => pid,
            None => {
                let name = name(self).into_boxed_str();
                self.add(PidKind::Object(key), Some(name))
            }
        }
    }

    /// The pid of a shared object, if it has one yet.
    #[must_use]
    pub fn find_object(&self, key: ObjectKey) -> Option<PidId> {
        self.by_kind.get(&PidKind::Object(key)).copied()
    }

    /// What this pid stands for.
    #[must_use]
    pub fn kind(&self, pid: PidId) -> PidKind {
        self.entries[pid.index()].kind
    }

    /// Whether this pid is a shared object and not a process of the program.
    #[must_use]
    pub fn is_object(&self, pid: PidId) -> bool {
        matches!(self.kind(pid), PidKind::Object(_))
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
    pub fn generation(&self, pid: PidId) -> u32 {
        self.entries[pid.index()].generation
    }

    /// A number for what the pid stands for. It is the same in every explorer of the program and does
    /// not depend on the order in which processes and objects are discovered.
    #[must_use]
    #[inline]
    pub fn identity(&self, pid: PidId) -> u64 {
        self.entries[pid.index()].identity
    }

    /// The first two bytes of the key by which [`cmp`](Self::cmp) orders pids.
    #[must_use]
    pub(crate) fn coarse_order(&self, pid: PidId) -> u16 {
        (self.entries[pid.index()].key >> 48) as u16
    }

    /// Parents before children, siblings in the order of their spawns, objects last, in an
    /// arbitrary order that depends on their names only.
    #[must_use]
    #[inline]
    pub fn cmp(&self, a: PidId, b: PidId) -> Ordering {
        let (one, other) = (&self.entries[a.index()], &self.entries[b.index()]);
        one.key.cmp(&other.key).then_with(|| {
            if a == b {
                return Ordering::Equal;
            }
            let paths = self.path(a).cmp(&self.path(b));
            // Two objects with the same name differ in nothing else.
            paths
                .then_with(|| one.object_name.cmp(&other.object_name))
                .then(a.cmp(&b))
        })
    }

    /// `P`, `P.1`, `P.1.2`; nothing for objects.
    #[must_use]
    pub fn name(&self, pid: PidId) -> Option<String> {
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
    pub fn by_name(&self, name: &str) -> Option<PidId> {
        let mut steps = name.split('.');
        if steps.next() != Some("P") {
            return None;
        }
        steps.try_fold(Self::ENTRY, |parent, step| {
            let index = step.parse().ok()?;
            self.by_kind.get(&PidKind::Child { parent, index }).copied()
        })
    }

    /// The name of a shared object.
    #[must_use]
    pub(crate) fn object_name(&self, pid: PidId) -> Option<&str> {
        self.entries[pid.index()].object_name.as_deref()
    }

    /// The shared object with this name, if it has been seen.
    #[must_use]
    pub(crate) fn object_named(&self, name: &str) -> Option<PidId> {
        let mut named = self.by_kind.values();
        named
            .find(|&&pid| self.object_name(pid) == Some(name))
            .copied()
    }

    /// The path of a process in the spawn tree.
    pub(crate) fn path(&self, pid: PidId) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = pid;
        while let PidKind::Child { parent, index } = self.kind(at) {
            path.push(index);
            at = parent;
        }
        path.reverse();
        path
    }

    fn intern(&mut self, kind: PidKind) -> PidId {
        match self.by_kind.get(&kind) {
            Some(&pid) => pid,
            None => self.add(kind, None),
        }
    }

    fn add(&mut self, kind: PidKind, object_name: Option<Box<str>>) -> PidId {
        let identity = match kind {
            PidKind::Entry => 0,
            PidKind::Child { parent, index } => {
                mix(self.identity(parent).rotate_left(8) ^ u64::from(index))
            }
            PidKind::Object(_) => object_name
                .iter()
                .flat_map(|name| name.bytes())
                .fold(OBJECT, |identity, byte| mix(identity ^ u64::from(byte))),
        };
        let (key, depth) = match kind {
            PidKind::Entry => (0, 0),
            PidKind::Child { parent, index } => {
                let parent = &self.entries[parent.index()];
                match parent.depth {
                    depth @ 0..8 => {
                        let byte = u64::from(index.min(STEP_MAX));
                        let key = parent.key | byte << (56 - 8 * depth);
                        // Below a step that does not fit a byte the key has no more steps.
                        (key, if index < STEP_MAX { depth + 1 } else { 8 })
                    }
                    depth => (parent.key, depth),
                }
            }
            PidKind::Object(_) => (OBJECT | identity >> 8, 0),
        };
        let generation = match kind {
            PidKind::Child { parent, .. } => self.generation(parent) + 1,
            PidKind::Entry | PidKind::Object(_) => 0,
        };
        let pid = PidId(u32::try_from(self.entries.len()).expect("fewer than 2^32 processes"));
        self.entries.push(PidEntry {
            kind,
            key,
            depth,
            generation,
            identity,
            object_name,
        });
        self.by_kind.insert(kind, pid);
        pid
    }
}

/// Marks the name of a courier whose tie was made after the end.
fn late(noproc: bool) -> &'static str {
    if noproc { " late" } else { "" }
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
        let object = pids.liveness(early);
        assert_eq!(pids.cmp(late, object), Ordering::Less);
    }

    #[test]
    fn order_and_identity_do_not_depend_on_the_order_of_discovery() {
        let objects = ["name(a)", "name(b)", "table(t)[1]", "counter(c)"];
        let discover = |order: &[usize]| {
            let mut pids = PidTable::new();
            for &at in order {
                let key = ObjectKey::Shared(KeyId(at as u32));
                pids.object(key, |_| objects[at].to_owned());
                let child = pids.child(PidTable::ENTRY, at as u32 + 1);
                pids.liveness(child);
            }
            let mut all: Vec<PidId> = (0..pids.len() as u32).map(PidId).collect();
            all.sort_by(|&a, &b| pids.cmp(a, b));
            let identities: Vec<_> = all.iter().map(|&pid| pids.identity(pid)).collect();
            let names: Vec<_> = all
                .iter()
                .map(|&pid| {
                    let object = || pids.object_name(pid).map(str::to_owned);
                    pids.name(pid).or_else(object)
                })
                .collect();
            (identities, names)
        };
        assert_eq!(discover(&[0, 1, 2, 3]), discover(&[2, 0, 3, 1]));
        assert_eq!(discover(&[0, 1, 2, 3]), discover(&[3, 2, 1, 0]));
    }
}
