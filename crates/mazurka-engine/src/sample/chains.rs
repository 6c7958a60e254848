//! Partitions events into chains, in each of which every event happened before the next.
//!
//! Events are added one by one, each after all that happened before it. The chains are kept in
//! sets, at most *n* in the *n*-th, such that the ends of the chains of one set are independent of
//! each other (Agarwal, Garg 2007). So if no more than *w* events are ever independent of each
//! other there are at most *w* (*w* + 1) / 2 chains; adding each event to the first chain that it
//! fits has no such bound.

/// A chain, by its number.
pub(super) type Chain = usize;

/// The chains, each with a value for its end.
pub(super) struct Chains<T> {
    ends: Vec<T>,
    sets: Vec<Vec<Chain>>,
}

impl<T> Default for Chains<T> {
    fn default() -> Self {
        Chains {
            ends: Vec::new(),
            sets: Vec::new(),
        }
    }
}

impl<T> Chains<T> {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.sets.clear();
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.ends.len()
    }

    /// The value of the end of a chain.
    pub(super) fn end_mut(&mut self, chain: Chain) -> &mut T {
        &mut self.ends[chain]
    }

    /// Adds an event, given the ends that happened before it. Returns its chain.
    pub(super) fn add(&mut self, event: T, is_before: impl Fn(&T) -> bool) -> Chain {
        let mut number = 0;
        loop {
            if self.sets.len() == number {
                self.sets.push(Vec::new());
            }
            let set = &self.sets[number];
            let fits = set.iter().position(|&chain| is_before(&self.ends[chain]));
            let is_full = set.len() > number;
            if fits.is_none() && is_full {
                number += 1;
                continue;
            }
            let chain = match fits {
                Some(at) => self.sets[number].swap_remove(at),
                None => self.ends.len(),
            };
            match chain == self.ends.len() {
                true => self.ends.push(event),
                false => self.ends[chain] = event,
            }
            // The ends of the set before are independent of the event, or it would be there.
            if number > 0 {
                self.sets.swap(number - 1, number);
            }
            self.sets[number].push(chain);
            return chain;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events as pairs of numbers; one is before another if both of its numbers are lower.
    fn chains_of(events: &[(u32, u32)]) -> (Vec<Chain>, usize) {
        let mut chains = Chains::default();
        let of = events.iter().map(|&event| {
            chains.add(event, |&end: &(u32, u32)| {
                end.0 < event.0 && end.1 < event.1
            })
        });
        (of.collect(), chains.len())
    }

    #[test]
    fn what_happens_in_order_is_one_chain() {
        let (of, many) = chains_of(&[(0, 0), (1, 1), (2, 2)]);
        assert_eq!((of, many), (vec![0, 0, 0], 1));
    }

    #[test]
    fn two_processes_need_no_more_than_three_chains() {
        // Two sequences of events, with occasional messages from each to the other.
        let mut events = Vec::new();
        for n in 0..50 {
            events.push((10 * n + 1, 10 * n));
            events.push((10 * n, 10 * n + 1));
        }
        let (of, many) = chains_of(&events);
        assert!(many <= 3, "{many} chains");
        for chain in 0..many {
            let of_chain = |at: &usize| of[*at] == chain;
            let members: Vec<_> = (0..events.len()).filter(of_chain).collect();
            for pair in members.windows(2) {
                let (a, b) = (events[pair[0]], events[pair[1]]);
                assert!(a.0 < b.0 && a.1 < b.1, "{a:?} and {b:?} in chain {chain}");
            }
        }
    }
}
