//! One run along a log, step by step.

use super::Fit;
use super::decide::Decision;
use super::departure::Departure;
use super::remaining::Remaining;
use super::waiting::Waiting;
use crate::candidates::Candidates;
use crate::choose::{demand_of, next, sort};
use crate::frontend::{Fault, Frontend};
use crate::graph::{Entry, Pick, Slot};
use crate::guide::Guide;
use crate::ids::PidId;
use crate::world::World;
use mazurka_trace::Log;
use std::collections::BTreeMap;

/// How a drive ended. The execution is the current graph of the world.
pub(super) struct Course {
    pub cut_short: bool,
    pub departures: Vec<Departure>,
    pub waiting: BTreeMap<mazurka_trace::ProcessName, Waiting>,
}

/// Drives a world along a log, from its start. It starts over if a process misses a signal.
pub(super) fn drive_world<F: Frontend>(
    world: &mut World<F>,
    log: &Log,
    guide: &impl Guide,
    fit: Fit,
) -> Result<Course, Fault> {
    world.begin_walk(false);
    loop {
        world.restart();
        let mut driver = Driver {
            world,
            guide,
            candidates: Candidates::default(),
            log: Remaining::new(log),
            departures: Vec::new(),
        };
        let ended = match driver.run(fit) {
            Err(Fault::Again) => {
                world.start_over_with_what_was_learned();
                continue;
            }
            ended => ended?,
        };
        if let Ended::Over { cut_short } = ended {
            let waiting = driver.waiting();
            driver.world.check()?;
            return Ok(Course {
                cut_short,
                waiting,
                departures: driver.departures,
            });
        }
    }
}

enum Ended {
    Over {
        cut_short: bool,
    },
    /// A process missed a signal.
    Missed,
}

/// Drives a world along a log.
pub(super) struct Driver<'d, F: Frontend, G: Guide> {
    pub(super) world: &'d mut World<F>,
    pub(super) guide: &'d G,
    pub(super) candidates: Candidates,
    pub(super) log: Remaining<'d>,
    pub(super) departures: Vec<Departure>,
}

impl<F: Frontend, G: Guide> Driver<'_, F, G> {
    fn run(&mut self, fit: Fit) -> Result<Ended, Fault> {
        loop {
            if self.world.has_missed() {
                return Ok(Ended::Missed);
            }
            let may_end = self.world.is_cut();
            if !self.advance(fit)? {
                match self.depart() && fit == Fit::AsFarAsItGoes {
                    true => continue,
                    false => return Ok(Ended::Over { cut_short: false }),
                }
            }
            if may_end {
                self.world.undo();
                return Ok(Ended::Over { cut_short: true });
            }
        }
    }

    /// Makes one step: a logged one if there is any, else a free one, else a timeout that fires
    /// because nothing else can happen. False if there is none.
    fn advance(&mut self, fit: Fit) -> Result<bool, Fault> {
        if let Some(slot) = self.logged_timeout(false)? {
            self.step_along_log(slot, Pick::Timeout)?;
            return Ok(true);
        }
        let enabled: Vec<Slot> = self.world.graph.enabled().collect();
        let mut free = Vec::new();
        for slot in enabled {
            self.list(slot)?;
            match self.decide(slot) {
                Decision::Logged(pick) => {
                    self.step_along_log(slot, pick)?;
                    return Ok(true);
                }
                Decision::Silent(pick) => {
                    self.world.step(slot, pick)?;
                    return Ok(true);
                }
                Decision::Skip => {
                    let name = self.world.execution(false).name(slot);
                    self.log.advance(&name);
                    return Ok(true);
                }
                Decision::Free => free.push(slot),
                Decision::Blocked => {}
            }
        }
        if let Some((pid, pick)) = self.logged_end() {
            self.log.advance(&self.name(pid));
            let stamp = self.world.graph.next_stamp();
            self.world.apply(Entry::new(pid, pick, stamp))?;
            return Ok(true);
        }
        if fit == Fit::NoFurther && self.log.unfinished().next().is_none() {
            return Ok(false);
        }
        if self.world.graph.has_timeouts() {
            // All ends are published before a timeout fires because nothing else can happen.
            if let Some(&liveness) = free.iter().find(|&&slot| self.is_liveness(slot)) {
                self.step_freely(liveness)?;
                return Ok(true);
            }
            if self.when_quiet(true)? {
                return Ok(true);
            }
        }
        // The log decides, not the options.
        if let Some(slot) = self.logged_timeout(true)? {
            self.step_along_log(slot, Pick::Timeout)?;
            return Ok(true);
        }
        if let Some(slot) = next(&self.world.graph, &self.world.behaviours, self.guide, free) {
            self.step_freely(slot)?;
            return Ok(true);
        }
        self.when_quiet(false)
    }

    /// Makes the step that comes next in the log of a process.
    pub(super) fn step_along_log(&mut self, slot: Slot, pick: Pick) -> Result<(), Fault> {
        let name = self.world.execution(false).name(slot);
        self.log.advance(&name);
        self.world.step(slot, pick)
    }

    /// Makes the step that the guide prefers.
    fn step_freely(&mut self, slot: Slot) -> Result<(), Fault> {
        self.list(slot)?;
        self.world.step(slot, self.candidates.picks[0])
    }

    /// Lists the candidates of a process, the preferred one first.
    pub(super) fn list(&mut self, slot: Slot) -> Result<(), Fault> {
        self.world.list(slot, &mut self.candidates)?;
        let World {
            graph, behaviours, ..
        } = &mut *self.world;
        let demand = demand_of(graph, slot);
        let picks = &mut self.candidates.picks;
        sort(
            graph,
            behaviours,
            self.guide,
            demand,
            picks,
            &mut Vec::new(),
        );
        Ok(())
    }

    pub(super) fn name(&self, pid: PidId) -> String {
        let b = &self.world.behaviours;
        crate::show::pid(&b.pids, pid)
    }
}
