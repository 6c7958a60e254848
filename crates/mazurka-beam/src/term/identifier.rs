//! Pids, ports and references. All of them belong to this node, the only one.

use std::fmt;

/// The number of bits for a path in the spawn tree.
const PATH_BITS: u32 = 59;
/// Set if the other bits are a hash of the path.
const HASHED: u64 = 1 << PATH_BITS;

/// A pid as a program sees it. Pids are ordered by serial, then by number, as in the real virtual
/// machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PidTerm(u64);

impl PidTerm {
    /// The pid that prints as `<0.number.serial>`.
    pub fn new(number: u32, serial: u32) -> PidTerm {
        PidTerm(u64::from(serial) << 32 | u64::from(number))
    }

    /// The pid of the built-in group leader.
    pub fn leader() -> PidTerm {
        PidTerm(0)
    }

    /// The pid of the entry process.
    pub fn entry() -> PidTerm {
        PidTerm(1)
    }

    /// The pid of the `index`th child of a process. It depends only on the path in the spawn tree,
    /// so it is the same in every run.
    ///
    /// The pid encodes the path: the parent's code, followed by the index in nibbles of three bits
    /// each. The fourth bit of a nibble is set if more nibbles follow. No index is a prefix of
    /// another, so different paths have different codes. If the path does not fit into
    /// 59 bits, the pid is a hash of it.
    pub fn child(self, index: u32) -> PidTerm {
        let path = (self.0 & HASHED == 0).then(|| {
            let nibbles = (32 - index.leading_zeros()).div_ceil(3).max(1);
            (0..nibbles).rev().try_fold(self.0, |code, place| {
                let more = if place > 0 { 0b1000 } else { 0 };
                let nibble = u64::from(index >> (3 * place) & 0b111) | more;
                (code >> (PATH_BITS - 4) == 0).then_some(code << 4 | nibble)
            })
        });
        PidTerm(path.flatten().unwrap_or_else(|| {
            let mixed =
                (self.0 ^ u64::from(index).rotate_left(32)).wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (mixed ^ (mixed >> 31)) & (HASHED - 1) | HASHED
        }))
    }

    /// The child indices on the path from the entry process to this one; `None` if the pid is a
    /// hash, or if no process can have it.
    pub fn path(self) -> Option<Vec<u32>> {
        if self.0 & HASHED != 0 || self.0 == 0 {
            return None;
        }
        let nibbles = (64 - self.0.leading_zeros()).div_ceil(4);
        let mut nibbles = (0..nibbles)
            .rev()
            .map(|place| self.0 >> (4 * place) & 0b1111);
        if nibbles.next() != Some(1) {
            return None;
        }
        let mut path = Vec::new();
        let mut index = 0;
        let mut more = false;
        for nibble in nibbles {
            index = index << 3 | (nibble & 0b111) as u32;
            more = nibble & 0b1000 != 0;
            if !more {
                path.push(std::mem::take(&mut index));
            }
        }
        (!more).then_some(path)
    }

    /// The pid of the parent; `None` if the path is not known, or if this is the entry process.
    pub fn parent(self) -> Option<PidTerm> {
        let path = self.path()?;
        let (_, path) = path.split_last()?;
        Some(
            path.iter()
                .fold(PidTerm::entry(), |pid, &index| pid.child(index)),
        )
    }

    /// The middle part of its printed form.
    pub fn number(self) -> u32 {
        self.0 as u32
    }

    /// The last part of its printed form.
    pub fn serial(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

impl fmt::Debug for PidTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<0.{}.{}>", self.number(), self.serial())
    }
}

/// A port identifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port(pub u64);

impl fmt::Debug for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#Port<0.{}>", self.0)
    }
}

/// A reference: three words, the most significant first. The first two are the pid of its creator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference(pub [u32; 3]);

impl Reference {
    /// The count of the one reference of a timer.
    const TIMER: u32 = u32::MAX;

    /// The `count`th reference of a process.
    pub fn of(pid: PidTerm, count: u32) -> Reference {
        Reference([pid.serial(), pid.number(), count])
    }

    /// The reference of a timer, which is a process of its own.
    pub fn of_timer(timer: PidTerm) -> Reference {
        Reference::of(timer, Self::TIMER)
    }

    /// The process of the timer that this reference names, if it names one.
    pub fn timer(self) -> Option<PidTerm> {
        (self.count() == Self::TIMER).then(|| self.creator())
    }

    /// The process that created it.
    pub fn creator(self) -> PidTerm {
        let [serial, number, _] = self.0;
        PidTerm::new(number, serial)
    }

    /// Its number among the references of its creator.
    pub fn count(self) -> u32 {
        self.0[2]
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [high, middle, low] = self.0;
        write!(f, "#Ref<0.{high}.{middle}.{low}>")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn pids_are_paths() {
        let check = |pid: PidTerm, expected: &str| assert_eq!(format!("{pid:?}"), expected);
        check(PidTerm::entry(), "<0.1.0>");
        check(PidTerm::entry().child(0), "<0.16.0>");
        check(PidTerm::entry().child(7), "<0.23.0>");
        check(PidTerm::entry().child(8), "<0.400.0>");
        check(PidTerm::entry().child(0).child(0), "<0.256.0>");
    }

    #[test]
    fn pids_are_unique() {
        let mut seen = HashSet::from([PidTerm::entry()]);
        let mut generation = vec![PidTerm::entry()];
        for _ in 0..4 {
            let children = generation
                .iter()
                .flat_map(|parent| [0, 1, 7, 8, 63, 64, u32::MAX].map(|index| parent.child(index)));
            generation = children.collect();
            assert!(generation.iter().all(|&child| seen.insert(child)));
        }
    }

    #[test]
    fn pids_give_their_paths() {
        for path in [&[][..], &[0], &[7, 8, 0], &[63, 64, 65, 1000]] {
            let pid = path
                .iter()
                .fold(PidTerm::entry(), |pid, &index| pid.child(index));
            assert_eq!(pid.path().as_deref(), Some(path));
            assert_eq!(pid.child(9).parent(), Some(pid));
        }
        assert_eq!(PidTerm::entry().parent(), None);
        assert_eq!(PidTerm::leader().path(), None);
    }

    #[test]
    fn deep_paths_are_hashed() {
        let deep = (0..14).fold(PidTerm::entry(), |pid, _| pid.child(3));
        assert_eq!(deep.0 & HASHED, 0);
        let deeper = deep.child(3);
        assert_ne!(deeper.0 & HASHED, 0);
        assert_ne!(deeper.child(0), deeper.child(1));
        assert_ne!(deeper.child(0).0 & HASHED, 0);
    }

    #[test]
    fn references_contain_their_creator() {
        let pid = PidTerm::new(7, 9);
        let reference = Reference::of(pid, 3);
        assert_eq!((reference.creator(), reference.count()), (pid, 3));
        assert_eq!(format!("{reference:?}"), "#Ref<0.9.7.3>");
        assert_eq!(reference.timer(), None);
        assert_eq!(Reference::of_timer(pid).timer(), Some(pid));
    }
}
