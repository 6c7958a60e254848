//! How much memory behaviour trees may take before they forget what is not in use.

/// The room grows while that pays. To keep a node that nobody needs again is slow, because it
/// drives others out of the processor's cache; to forget one that is needed is slower, because
/// user code runs again.
pub(super) struct Room {
    granted: usize,
    most: usize,
    /// What the current execution held when room was made last. It must stay; then the rest
    /// gets as much again.
    held: usize,
    /// How often a node had been made, and found, when the room was full last.
    made: u64,
    found: u64,
}

impl Room {
    pub(super) fn new(most: usize) -> Self {
        Room {
            granted: most / 32,
            most,
            held: 0,
            made: 0,
            found: 0,
        }
    }

    /// Whether there is room for so many bytes, perhaps more than before, now that so many nodes
    /// in all were made and found.
    pub(super) fn holds(&mut self, bytes: usize, made: u64, found: u64) -> bool {
        if bytes <= self.bytes() {
            return true;
        }
        let (made_since, found_since) = (made - self.made, found - self.found);
        (self.made, self.found) = (made, found);
        if 3 * found_since > 4 * made_since {
            self.granted = self.granted.saturating_mul(2).min(self.most);
        }
        bytes <= self.bytes()
    }

    /// All but so many bytes were forgotten.
    pub(super) fn emptied(&mut self, held: usize) {
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
    fn room_grows_only_while_nodes_are_found_again() {
        let mut room = Room::new(3200);
        assert!(room.holds(100, 10, 0));
        assert!(!room.holds(101, 20, 0), "nothing was found");
        assert!(!room.holds(101, 30, 13), "as much again is too little");
        assert!(room.holds(101, 40, 30), "most was found");
        assert!(room.holds(200, 50, 60));
        for time in 6..9 {
            assert!(!room.holds(3201, 10 * time, 1_000 * time));
        }
        assert!(!room.holds(3201, 90, 9_000), "that is more than allowed");
        assert!(
            room.holds(3200, 91, 9_000),
            "all that is allowed was granted"
        );
    }

    #[test]
    fn what_is_held_has_room_twice() {
        let mut room = Room::new(0);
        assert!(!room.holds(1, 1, 9));
        room.emptied(50);
        assert!(room.holds(100, 2, 9));
        assert!(!room.holds(101, 3, 9));
        room.emptied(10);
        assert!(!room.holds(21, 4, 9), "only what is held now");
    }
}
