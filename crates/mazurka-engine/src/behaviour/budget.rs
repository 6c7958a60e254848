//! How much memory behaviour trees may take before unused nodes are evicted.

/// The memory budget of the behaviour nodes. It starts small and doubles while nodes are found
/// again often enough. Keeping a node that is never needed again is slow, because it pushes others
/// out of the processor's cache; evicting a node that is needed again is slower, because user code
/// runs again.
pub(super) struct Budget {
    granted: usize,
    max: usize,
    /// Bytes that the current execution used at the last eviction. They cannot be evicted, so the
    /// budget is at least twice as large.
    held: usize,
    /// How many nodes had been made, and found, when the budget was last exceeded.
    made: u64,
    found: u64,
}

impl Budget {
    pub(super) fn new(max: usize) -> Self {
        Budget {
            granted: max / 32,
            max,
            held: 0,
            made: 0,
            found: 0,
        }
    }

    /// Whether `bytes` fit the budget. Increases the budget first if they do not and, since the
    /// last time that happened, nodes were found much more often than made. `made` and `found` are
    /// totals.
    pub(super) fn fits(&mut self, bytes: usize, made: u64, found: u64) -> bool {
        if bytes <= self.bytes() {
            return true;
        }
        let (made_since, found_since) = (made - self.made, found - self.found);
        (self.made, self.found) = (made, found);
        if 3 * found_since > 4 * made_since {
            self.granted = self.granted.saturating_mul(2).min(self.max);
        }
        bytes <= self.bytes()
    }

    /// Records an eviction after which `held` bytes are left.
    pub(super) fn evicted(&mut self, held: usize) {
        self.held = held;
    }

    fn bytes(&self) -> usize {
        self.granted.max(self.held.saturating_mul(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_only_while_nodes_are_found_again() {
        let mut budget = Budget::new(3200);
        assert!(budget.fits(100, 10, 0));
        assert!(!budget.fits(101, 20, 0), "no node was found");
        assert!(
            !budget.fits(101, 30, 13),
            "too few found compared with nodes made"
        );
        assert!(budget.fits(101, 40, 30), "most nodes were found");
        assert!(budget.fits(200, 50, 60));
        for time in 6..9 {
            assert!(!budget.fits(3201, 10 * time, 1_000 * time));
        }
        assert!(!budget.fits(3201, 90, 9_000), "more than the maximum");
        assert!(budget.fits(3200, 91, 9_000), "the maximum was granted");
    }

    #[test]
    fn is_twice_what_is_held() {
        let mut budget = Budget::new(0);
        assert!(!budget.fits(1, 1, 9));
        budget.evicted(50);
        assert!(budget.fits(100, 2, 9));
        assert!(!budget.fits(101, 3, 9));
        budget.evicted(10);
        assert!(!budget.fits(21, 4, 9), "only what is held now counts");
    }
}
