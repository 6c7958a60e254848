//! The steps that some process could make next.

use super::random::Random;
use crate::candidates::Candidates;
use crate::frontend::{Fault, Frontend};
use crate::graph::{Pick, Slot};
use crate::world::World;

/// A step that could be made next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PossibleStep {
    pub slot: Slot,
    pub pick: Pick,
}

/// Which steps a sampler chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Menu {
    /// Every step that the graph allows. A read may also see an older version, unless the newer one
    /// happened before the read.
    Everything,
    /// One step for each event of a scheduler: a read sees the newest version, and a process's own
    /// choice is drawn at random, because the scheduler does not make it.
    Events,
}

/// Lists possible steps. Its buffers are reused.
#[derive(Default)]
pub(super) struct PossibleSteps {
    pub list: Vec<PossibleStep>,
    slots: Vec<Slot>,
    candidates: Candidates,
}

impl PossibleSteps {
    /// Lists the possible next steps. If only timeouts could fire, it publishes all ends first; so
    /// the list is empty only if the execution is complete.
    pub(super) fn find<F: Frontend>(
        &mut self,
        world: &mut World<F>,
        menu: Menu,
        random: &mut Random,
    ) -> Result<(), Fault> {
        self.list.clear();
        self.slots.clear();
        self.slots.extend(world.graph.enabled());
        if self.slots.is_empty() {
            return self.when_quiet(world, menu, random);
        }
        for at in 0..self.slots.len() {
            self.of_slot(world, self.slots[at], menu, random)?;
        }
        Ok(())
    }

    /// Lists the timeouts that may fire because nothing else can happen.
    fn when_quiet<F: Frontend>(
        &mut self,
        world: &mut World<F>,
        menu: Menu,
        random: &mut Random,
    ) -> Result<(), Fault> {
        let due = world.graph.next_due();
        if due.is_empty() {
            return Ok(());
        }
        // A bound on steps ends an execution before ends are published.
        if !world.is_cut() && world.publish_end()? {
            return self.find(world, menu, random);
        }
        let pick = Pick::QuietTimeout;
        self.list
            .extend(due.into_iter().map(|slot| PossibleStep { slot, pick }));
        Ok(())
    }

    fn of_slot<F: Frontend>(
        &mut self,
        world: &mut World<F>,
        slot: Slot,
        menu: Menu,
        random: &mut Random,
    ) -> Result<(), Fault> {
        world.list(slot, &mut self.candidates)?;
        let picks = &self.candidates.picks;
        debug_assert!(!picks.is_empty(), "an enabled process has a candidate");
        let only = match (menu, picks.first()) {
            (Menu::Events, Some(Pick::Version(_))) => picks.last(),
            (Menu::Events, Some(Pick::Choice(_))) => Some(&picks[random.below(picks.len())]),
            _ => None,
        };
        match only {
            Some(&pick) => self.list.push(PossibleStep { slot, pick }),
            None => self
                .list
                .extend(picks.iter().map(|&pick| PossibleStep { slot, pick })),
        }
        Ok(())
    }
}
