//! Pids that mean the same in every execution: the path in the tree of spawns.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// A process: `P` is the entry process, `P.2` the second that it spawned, `P.2.1` the first
/// that this one spawned.
///
/// A pid is a logical name. It is the same in every execution, and so are its order, its hash and
/// its text: a program that sorts or prints pids stays deterministic.
#[derive(Clone, Copy)]
pub struct Pid(&'static Node);

/// A node of the spawn tree. There is one for each path that was ever spawned, shared by all checks
/// and never dropped, so there are as many as logical processes.
struct Node {
    parent: Option<Pid>,
    /// Index among its parent's children, from 1.
    nth: u32,
    depth: u32,
    number: usize,
    /// The hash of the path.
    hash: u64,
}

/// All pids. Nodes do not hold their children: a pid may be a key in a map of the program, so it
/// must not change.
#[derive(Default)]
struct Tree {
    pids: Vec<Pid>,
    /// By the number of the parent and the index among its children.
    children: HashMap<(usize, u32), Pid>,
}

static TREE: LazyLock<Mutex<Tree>> = LazyLock::new(Mutex::default);

static ENTRY: LazyLock<Pid> = LazyLock::new(|| tree().add(None, 0));

fn tree() -> MutexGuard<'static, Tree> {
    TREE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tree {
    fn add(&mut self, parent: Option<Pid>, nth: u32) -> Pid {
        let above = parent.map_or(0, |parent| parent.0.hash);
        let pid = Pid(Box::leak(Box::new(Node {
            parent,
            nth,
            depth: parent.map_or(0, |parent| parent.0.depth + 1),
            number: self.pids.len(),
            hash: (above ^ u64::from(nth))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29),
        })));
        self.pids.push(pid);
        pid
    }
}

impl Pid {
    /// The entry process.
    pub(crate) fn entry() -> Pid {
        *ENTRY
    }

    /// The `nth` child, counted from 1.
    pub(crate) fn child(self, nth: u32) -> Pid {
        let mut tree = tree();
        let key = (self.0.number, nth);
        if let Some(&known) = tree.children.get(&key) {
            return known;
        }
        let pid = tree.add(Some(self), nth);
        tree.children.insert(key, pid);
        pid
    }

    /// A small number, unique to this pid. It may differ between runs.
    pub(crate) fn number(self) -> usize {
        self.0.number
    }

    /// The pid with this number.
    pub(crate) fn numbered(number: usize) -> Option<Pid> {
        tree().pids.get(number).copied()
    }
}

impl PartialEq for Pid {
    fn eq(&self, other: &Self) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for Pid {}

impl Hash for Pid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Pid {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By path: a parent before its children, and those in the order of their spawns.
impl Ord for Pid {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (*self, *other);
        while let Some(parent) = a.0.parent.filter(|_| a.0.depth > b.0.depth) {
            a = parent;
        }
        while let Some(parent) = b.0.parent.filter(|_| b.0.depth > a.0.depth) {
            b = parent;
        }
        if a == b {
            return self.0.depth.cmp(&other.0.depth);
        }
        while let (Some(above_a), Some(above_b)) = (a.0.parent, b.0.parent) {
            if above_a == above_b {
                break;
            }
            (a, b) = (above_a, above_b);
        }
        a.0.nth.cmp(&b.0.nth)
    }
}

impl fmt::Display for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut path = Vec::new();
        let mut at = *self;
        while let Some(parent) = at.0.parent {
            path.push(at.0.nth);
            at = parent;
        }
        f.write_str("P")?;
        path.iter().rev().try_for_each(|nth| write!(f, ".{nth}"))
    }
}

impl fmt::Debug for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pid(path: &[u32]) -> Pid {
        path.iter().fold(Pid::entry(), |pid, &nth| pid.child(nth))
    }

    #[test]
    fn a_path_is_one_pid() {
        assert_eq!(pid(&[1, 2]), pid(&[1, 2]));
        assert_ne!(pid(&[1, 2]), pid(&[2, 1]));
        assert_eq!(pid(&[3, 1]).to_string(), "P.3.1");
        assert_eq!(Pid::numbered(pid(&[3]).number()), Some(pid(&[3])));
    }

    #[test]
    fn the_order_is_that_of_the_paths() {
        let sorted: [&[u32]; 7] = [&[], &[1], &[1, 1], &[1, 2], &[1, 10], &[2], &[2, 1, 1]];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(pid(a).cmp(&pid(b)), i.cmp(&j), "{a:?} and {b:?}");
            }
        }
    }
}
