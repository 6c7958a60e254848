//! A set of small numbers, fast to iterate over.

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Whether a number is a member.
    #[inline]
    #[must_use]
    pub fn has(&self, n: u32) -> bool {
        self.words
            .get(n as usize / 64)
            .is_some_and(|word| word >> (n % 64) & 1 == 1)
    }

    /// Adds or removes a number.
    #[inline]
    pub fn set(&mut self, n: u32, on: bool) {
        let at = n as usize / 64;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        let bit = 1 << (n % 64);
        if on {
            self.words[at] |= bit;
        } else {
            self.words[at] &= !bit;
        }
    }

    /// Number of members.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        let words = self.words.iter();
        words.map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are no members.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Removes all members.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }

    /// Adds all members of another set.
    pub fn add_all(&mut self, other: &Bits) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Whether the two have a member in common.
    #[must_use]
    pub fn meets(&self, other: &Bits) -> bool {
        let mut words = self.words.iter().zip(&other.words);
        words.any(|(word, other)| word & other != 0)
    }

    /// The members, lowest first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        (0..).zip(&self.words).flat_map(|(at, &word)| {
            let mut left: u64 = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    at * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_order() {
        let mut bits = Bits::default();
        for n in [70, 3, 64, 0] {
            bits.set(n, true);
        }
        bits.set(3, false);
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 64, 70]);
        assert_eq!(bits.len(), 3);
        assert!(bits.has(70) && !bits.has(3) && !bits.has(1000));
    }
}
