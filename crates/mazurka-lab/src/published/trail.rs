//! The configurations along the current path, and what an algorithm stores for each.

use super::state::{Made, Move, State, Transition};
use mazurka_engine::Frontend;

/// One configuration on the path.
pub(super) struct Configuration<N> {
    /// The moves that are enabled here, in the order in which they are to be tried.
    pub enabled: Vec<Move>,
    /// The sleep set: moves that need not be tried because everything after them has been explored
    /// elsewhere (Godefroid 1991).
    pub sleep: Vec<Made>,
    /// Number of moves that have been made from here.
    pub tried: usize,
    /// What the algorithm stores.
    pub note: N,
}

impl<N> Configuration<N> {
    pub(super) fn is_asleep(&self, mv: Move) -> bool {
        self.sleep.iter().any(|asleep| asleep.mv == mv)
    }

    /// The other enabled moves of the same process.
    pub(super) fn instead_of(&self, mv: Move) -> impl Iterator<Item = Move> + '_ {
        let enabled = self.enabled.iter().copied();
        enabled.filter(move |other| other.pid == mv.pid && *other != mv)
    }

    /// The first enabled move that is not in the sleep set.
    pub(super) fn first_awake(&self) -> Option<Move> {
        let mut enabled = self.enabled.iter().copied();
        enabled.find(|&mv| !self.is_asleep(mv))
    }

    /// The sleep set after a transition: the moves that do not depend on it and are still enabled.
    fn sleep_after(&self, transition: &Transition, enabled: &[Move]) -> Vec<Made> {
        let sleeps =
            |asleep: &&Made| !asleep.depends_on(&transition.made) && enabled.contains(&asleep.mv);
        self.sleep.iter().filter(sleeps).cloned().collect()
    }
}

/// The configurations along the path: the transition at index `i` was made from `trail[i - 1]`.
pub(super) type Trail<N> = Vec<Configuration<N>>;

/// Adds the configuration at the end of the path.
pub(super) fn arrive<F: Frontend, N: Default>(state: &mut State<F>, trail: &mut Trail<N>) {
    let enabled = state.enabled();
    let sleep = match (trail.last(), state.path.last()) {
        (Some(before), Some(transition)) => before.sleep_after(transition, &enabled),
        _ => Vec::new(),
    };
    trail.push(Configuration {
        enabled,
        sleep,
        tried: 0,
        note: N::default(),
    });
}
