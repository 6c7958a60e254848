//! Vector clocks: for a step, how many events of each process are in its causal past.
//!
//! The entries of the first [`NEAR`] slots are stored in full for every step, so that graphs with
//! few processes need nothing else. The entries of all further slots are stored in blocks. A clock
//! refers to its blocks and shares those that do not differ from a clock that it was made from. So a
//! step in a graph of n processes costs n / [`BLOCK`] numbers, not n.

use super::{NONE, Slot};

/// Slots below this have an entry in every clock.
const NEAR: usize = 64;

/// Number of slots in a block.
const BLOCK: usize = 64;

/// The clocks of all steps of a graph, in the order of its path.
#[derive(Default)]
pub(crate) struct Clocks {
    near: Vec<u32>,
    /// For every clock, the indices of its blocks; [`NONE`] for a block of zeros.
    far: Vec<u32>,
    blocks: Vec<[u32; BLOCK]>,
}

/// Where the clock of a step is stored, and which blocks were made for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockAt {
    near: usize,
    far: u32,
    /// The first block that was made for this clock or for a later one.
    blocks: u32,
    /// Number of slots that the clock covers.
    len: u32,
}

impl ClockAt {
    fn near_len(&self) -> usize {
        NEAR.min(self.len as usize)
    }

    fn far_len(&self) -> usize {
        far_len(self.len as usize)
    }
}

/// Number of blocks for the far slots among this many.
fn far_len(slots: usize) -> usize {
    slots.saturating_sub(NEAR).div_ceil(BLOCK)
}

/// The block of a far slot, and its place there.
fn far_place(slot: Slot) -> (usize, usize) {
    let beyond = slot as usize - NEAR;
    (beyond / BLOCK, beyond % BLOCK)
}

impl Clocks {
    /// The clock of a step.
    #[inline]
    pub(crate) fn get(&self, at: &ClockAt) -> Clock<'_> {
        Clock {
            near: &self.near[at.near..at.near + at.near_len()],
            at: *at,
            clocks: self,
        }
    }

    /// Adds a clock for `slots` slots that equals `before`, or is zero.
    #[inline(always)]
    pub(crate) fn push(&mut self, before: Option<ClockAt>, slots: usize) -> ClockAt {
        let at = ClockAt {
            near: self.near.len(),
            far: u32::try_from(self.far.len()).expect("few blocks"),
            blocks: u32::try_from(self.blocks.len()).expect("few blocks"),
            len: u32::try_from(slots).expect("few processes"),
        };
        if let Some(before) = before {
            self.near
                .extend_from_within(before.near..before.near + before.near_len());
        }
        self.near.resize(at.near + at.near_len(), 0);
        if slots > NEAR {
            self.push_far(before, &at);
        }
        at
    }

    fn push_far(&mut self, before: Option<ClockAt>, at: &ClockAt) {
        if let Some(before) = before {
            let from = before.far as usize;
            self.far.extend_from_within(from..from + before.far_len());
        }
        self.far.resize(at.far as usize + at.far_len(), NONE);
    }

    /// Raises the last clock to the maximum of itself and another one.
    #[inline]
    pub(crate) fn join(&mut self, last: &ClockAt, other: &ClockAt) {
        let (older, newest) = self.near.split_at_mut(last.near);
        raise(newest, &older[other.near..other.near + other.near_len()]);
        if other.len as usize > NEAR {
            self.join_far(last, other);
        }
    }

    fn join_far(&mut self, last: &ClockAt, other: &ClockAt) {
        for at in 0..other.far_len() {
            let theirs = self.far[other.far as usize + at];
            let ours = self.far[last.far as usize + at];
            if theirs == ours || theirs == NONE {
                continue;
            }
            self.far[last.far as usize + at] = match ours {
                NONE => theirs,
                ours => self.join_blocks(last, ours, theirs),
            };
        }
    }

    /// The maximum of two blocks: one of them if it equals that.
    fn join_blocks(&mut self, last: &ClockAt, ours: u32, theirs: u32) -> u32 {
        let other = self.blocks[theirs as usize];
        let block = &mut self.blocks[ours as usize];
        if ours >= last.blocks {
            raise(block, &other);
            return ours;
        }
        let mut joined = *block;
        raise(&mut joined, &other);
        if joined == *block {
            ours
        } else if joined == other {
            theirs
        } else {
            self.push_block(joined)
        }
    }

    /// Raises one entry of the last clock.
    #[inline]
    pub(crate) fn raise_entry(&mut self, last: &ClockAt, slot: Slot, known: u32) {
        match (slot as usize) < NEAR {
            true => {
                let entry = &mut self.near[last.near + slot as usize];
                *entry = (*entry).max(known);
            }
            false => self.raise_far_entry(last, slot, known),
        }
    }

    fn raise_far_entry(&mut self, last: &ClockAt, slot: Slot, known: u32) {
        let (at, place) = far_place(slot);
        let at = last.far as usize + at;
        let mut block = match self.far[at] {
            NONE => [0; BLOCK],
            ours => self.blocks[ours as usize],
        };
        if known <= block[place] {
            return;
        }
        block[place] = known;
        match self.far[at] {
            ours if ours != NONE && ours >= last.blocks => self.blocks[ours as usize] = block,
            _ => self.far[at] = self.push_block(block),
        }
    }

    fn push_block(&mut self, block: [u32; BLOCK]) -> u32 {
        let id = u32::try_from(self.blocks.len()).expect("few blocks");
        self.blocks.push(block);
        id
    }

    /// Removes this clock and all later ones.
    #[inline]
    pub(crate) fn truncate(&mut self, at: &ClockAt) {
        self.near.truncate(at.near);
        if !self.far.is_empty() {
            self.far.truncate(at.far as usize);
            self.blocks.truncate(at.blocks as usize);
        }
    }

    /// How many numbers are stored.
    #[cfg(test)]
    fn size(&self) -> usize {
        self.near.len() + self.far.len() + self.blocks.len() * BLOCK
    }
}

/// How many events of each process are in the causal past of a step, its own input included.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'g> {
    near: &'g [u32],
    at: ClockAt,
    clocks: &'g Clocks,
}

impl<'g> Clock<'g> {
    /// Number of events of this process in the past.
    #[inline]
    pub(crate) fn known(self, slot: Slot) -> u32 {
        match self.near.get(slot as usize) {
            Some(&known) => known,
            None if (slot as usize) < NEAR => 0,
            None => self.far_known(slot),
        }
    }

    fn far_known(self, slot: Slot) -> u32 {
        let (at, place) = far_place(slot);
        match self.far().get(at) {
            None | Some(&NONE) => 0,
            Some(&block) => self.clocks.blocks[block as usize][place],
        }
    }

    fn far(self) -> &'g [u32] {
        let from = self.at.far as usize;
        &self.clocks.far[from..from + self.at.far_len()]
    }

    /// The blocks that are not zero, each with its first slot.
    fn far_blocks(self) -> impl Iterator<Item = (usize, &'g [u32; BLOCK])> {
        let all = self.far().iter().enumerate();
        let there = all.filter(|&(_, &block)| block != NONE);
        there.map(move |(at, &block)| (NEAR + at * BLOCK, &self.clocks.blocks[block as usize]))
    }

    /// Raises `into`, which has an entry for every slot, to the maximum of itself and the clock.
    #[inline]
    pub(crate) fn raise(self, into: &mut [u32]) {
        raise(into, self.near);
        if self.at.len as usize > NEAR {
            self.far_blocks()
                .for_each(|(from, block)| raise(&mut into[from..], block));
        }
    }

    /// Whether an entry of the clock is greater than the number for its slot.
    #[inline]
    pub(crate) fn exceeds_any(self, numbers: &[u32]) -> bool {
        let exceeds = |known: &[u32], numbers: &[u32]| {
            let mut both = known.iter().zip(numbers);
            both.any(|(known, number)| known > number)
        };
        exceeds(self.near, numbers)
            || self.at.len as usize > NEAR
                && self
                    .far_blocks()
                    .any(|(from, block)| exceeds(block, &numbers[from..]))
    }

    /// Number of events in the past, of all processes.
    pub(crate) fn event_count(self) -> u64 {
        let sum = |known: &[u32]| known.iter().copied().map(u64::from).sum::<u64>();
        sum(self.near) + self.far_blocks().map(|(_, block)| sum(block)).sum::<u64>()
    }
}

/// Raises `into` to the maximum of itself and `clock`.
#[inline]
fn raise(into: &mut [u32], clock: &[u32]) {
    for (known, &other) in into.iter_mut().zip(clock) {
        *known = (*known).max(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of numbers, with the seed in the test.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, n: usize) -> usize {
            self.0 = crate::guide::mix(self.0);
            (self.0 % n as u64) as usize
        }
    }

    fn dense(clocks: &Clocks, at: &ClockAt, slots: usize) -> Vec<u32> {
        let mut all = vec![0; slots];
        clocks.get(at).raise(&mut all);
        all
    }

    #[test]
    fn clocks_equal_those_with_a_number_for_every_slot() {
        const SLOTS: usize = 300;
        let mut numbers = Numbers(7);
        let mut clocks = Clocks::default();
        let mut all: Vec<(ClockAt, Vec<u32>)> = Vec::new();
        for round in 0..2_000 {
            if numbers.below(4) == 0 && !all.is_empty() {
                let keep = numbers.below(all.len());
                clocks.truncate(&all[keep].0);
                all.truncate(keep);
            }
            let before = (!all.is_empty()).then(|| numbers.below(all.len()));
            let slots = all.last().map_or(1, |(at, _)| at.len as usize);
            let slots = (slots + numbers.below(4)).min(SLOTS);
            let at = clocks.push(before.map(|before| all[before].0), slots);
            let mut expected = before.map_or(Vec::new(), |before| all[before].1.clone());
            expected.resize(SLOTS, 0);
            if let Some(other) = before.map(|_| numbers.below(all.len())) {
                clocks.join(&at, &all[other].0);
                raise(&mut expected, &all[other].1);
            }
            for _ in 0..2 {
                let (slot, known) = (numbers.below(slots), numbers.below(50) as u32);
                clocks.raise_entry(&at, slot as Slot, known);
                expected[slot] = expected[slot].max(known);
            }
            all.push((at, expected));
            for (at, expected) in &all {
                let clock = clocks.get(at);
                assert_eq!(dense(&clocks, at, SLOTS), *expected, "round {round}");
                let known: Vec<u32> = (0..SLOTS as Slot).map(|slot| clock.known(slot)).collect();
                assert_eq!(known, *expected, "round {round}");
                let sum: u64 = expected.iter().copied().map(u64::from).sum();
                assert_eq!(clock.event_count(), sum);
                let mut limits = expected.clone();
                assert!(!clock.exceeds_any(&limits));
                let slot = numbers.below(SLOTS);
                limits[slot] = limits[slot].saturating_sub(1);
                assert_eq!(clock.exceeds_any(&limits), expected[slot] > 0);
            }
        }
    }

    #[test]
    fn processes_that_know_little_cost_little() {
        let size = |slots: usize| {
            let mut clocks = Clocks::default();
            let first = clocks.push(None, slots);
            for slot in 0..slots as Slot {
                let at = clocks.push(None, slots);
                clocks.join(&at, &first);
                clocks.raise_entry(&at, slot, 1);
            }
            clocks.size() / slots
        };
        let (small, large) = (size(1_000), size(10_000));
        assert!(large < 3 * small, "{small} and {large} numbers per clock");
    }
}
