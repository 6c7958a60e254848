//! Sets of small numbers, one bit each.

/// A set of numbers below a bound fixed at its creation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    /// The empty set of numbers below `bound`.
    pub(crate) fn none(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)].into())
    }

    /// The set of all numbers below `bound`.
    pub(crate) fn all(bound: usize) -> Bits {
        let mut words = vec![u64::MAX; bound.div_ceil(64)];
        if let Some(last) = words.last_mut()
            && !bound.is_multiple_of(64)
        {
            *last = (1 << (bound % 64)) - 1;
        }
        Bits(words.into())
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(crate) fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// The smallest member that is at least `number`.
    pub(crate) fn next_from(&self, number: usize) -> Option<usize> {
        self.next_of_both(self, number)
    }

    /// The smallest number that is in both sets and at least `number`. The sets must have the same
    /// bound.
    pub(crate) fn next_of_both(&self, other: &Bits, number: usize) -> Option<usize> {
        let first = number / 64;
        let words = self.0.get(first..)?.iter().zip(other.0.get(first..)?);
        let mut mask = u64::MAX << (number % 64);
        for (at, (word, other)) in words.enumerate() {
            let both = word & other & mask;
            if both != 0 {
                return Some((first + at) * 64 + both.trailing_zeros() as usize);
            }
            mask = u64::MAX;
        }
        None
    }

    /// The members, in order.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let member = self.next_from(next)?;
            next = member + 1;
            Some(member)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members() {
        for bound in [0, 1, 63, 64, 65, 200] {
            assert_eq!(
                Bits::all(bound).iter().collect::<Vec<_>>(),
                (0..bound).collect::<Vec<_>>()
            );
            assert_eq!(Bits::none(bound).iter().next(), None);
        }
        let mut odd = Bits::all(130);
        (0..130).step_by(2).for_each(|even| odd.remove(even));
        assert!(odd.contains(129) && !odd.contains(128));
        assert_eq!(odd.next_from(64), Some(65));
        assert_eq!(odd.next_from(130), None);
        let mut some = Bits::none(130);
        [1, 2, 64, 127]
            .into_iter()
            .for_each(|number| some.insert(number));
        assert_eq!(some.next_of_both(&odd, 0), Some(1));
        assert_eq!(some.next_of_both(&odd, 2), Some(127));
        assert_eq!(some.next_of_both(&odd, 128), None);
    }
}
