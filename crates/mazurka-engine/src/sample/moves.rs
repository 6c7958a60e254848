//! What could happen next: the steps that some process could make.

use super::ground::Ground;
use super::random::Random;
use crate::candidates::Candidates;
use crate::cut::Everything;
use crate::frontend::{Fault, Frontend};
use crate::graph::{Pick, Slot};

/// A step that could be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub slot: Slot,
    pub pick: Pick,
}

/// Which moves a sampler chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Menu {
    /// Everything that a graph allows. A read may also see an older version, if nothing has shown
    /// yet that it came later than the newer one.
    Everything,
    /// One move for each event of a scheduler: when a process reads, it sees the newest version,
    /// and what it chooses by itself is not the scheduler's business but chance alone.
    Events,
}

/// Lists moves; keeps its memory from one question to the next.
#[derive(Default)]
pub(super) struct Moves {
    pub list: Vec<Move>,
    slots: Vec<Slot>,
    candidates: Candidates,
}

impl Moves {
    /// Lists what could happen next. Ends that nobody has asked about are noticed first if it is
    /// time for that; so the list is empty only if the execution is complete.
    pub(super) fn find<F: Frontend>(
        &mut self,
        ground: &mut Ground<F>,
        menu: Menu,
        random: &mut Random,
    ) -> Result<(), Fault> {
        self.list.clear();
        self.slots.clear();
        self.slots.extend(ground.graph.enabled());
        if self.slots.is_empty() {
            return self.when_quiet(ground, menu, random);
        }
        for at in 0..self.slots.len() {
            self.of_slot(ground, self.slots[at], menu, random)?;
        }
        Ok(())
    }

    /// Nothing can move: the timeouts that may fire next.
    fn when_quiet<F: Frontend>(
        &mut self,
        ground: &mut Ground<F>,
        menu: Menu,
        random: &mut Random,
    ) -> Result<(), Fault> {
        let due = ground.graph.next_due();
        if due.is_empty() {
            return Ok(());
        }
        // A bound on steps ends an execution before it notices anything.
        if !ground.is_cut() && ground.notice_an_end()? {
            return self.find(ground, menu, random);
        }
        let pick = Pick::QuietTimeout;
        self.list
            .extend(due.into_iter().map(|slot| Move { slot, pick }));
        Ok(())
    }

    fn of_slot<F: Frontend>(
        &mut self,
        ground: &mut Ground<F>,
        slot: Slot,
        menu: Menu,
        random: &mut Random,
    ) -> Result<(), Fault> {
        let index = ground.graph.process(slot).steps.len();
        let Moves {
            list, candidates, ..
        } = self;
        candidates.list(
            &ground.graph,
            &mut ground.behaviours,
            &Everything,
            slot,
            index,
        )?;
        let picks = &candidates.picks;
        debug_assert!(!picks.is_empty(), "an enabled process has a candidate");
        let only = match (menu, picks.first()) {
            (Menu::Events, Some(Pick::Version(_))) => picks.last(),
            (Menu::Events, Some(Pick::Choice(_))) => Some(&picks[random.below(picks.len())]),
            _ => None,
        };
        match only {
            Some(&pick) => list.push(Move { slot, pick }),
            None => list.extend(picks.iter().map(|&pick| Move { slot, pick })),
        }
        Ok(())
    }
}
