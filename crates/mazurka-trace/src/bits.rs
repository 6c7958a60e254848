//! Sets of small numbers, one bit each.

/// A set of numbers below a bound fixed at its creation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    /// No number below `bound`.
    pub(crate) fn none(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)].into())
    }

    /// Every number below `bound`.
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

    pub(crate) fn intersect(&mut self, other: &Bits) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, other)| *word &= other);
    }

    pub(crate) fn subtract(&mut self, other: &Bits) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, other)| *word &= !other);
    }

    /// The smallest member that is at least `number`.
    pub(crate) fn next_from(&self, number: usize) -> Option<usize> {
        let first = number / 64;
        let masked = *self.0.get(first)? & (u64::MAX << (number % 64));
        let rest = self.0[first + 1..].iter().copied();
        let mut words = std::iter::once(masked).chain(rest).zip(first..);
        words
            .find(|(word, _)| *word != 0)
            .map(|(word, at)| at * 64 + word.trailing_zeros() as usize)
    }

    /// The members, in order.
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
        some.intersect(&odd);
        assert_eq!(some.iter().collect::<Vec<_>>(), [1, 127]);
        odd.subtract(&some);
        assert_eq!(odd.iter().count(), 63);
    }
}
