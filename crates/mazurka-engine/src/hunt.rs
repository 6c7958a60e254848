//! A hunt: several searches for errors that take turns.
//!
//! Each hunter has an exploration of its own, which its next turn continues. Turns double in length,
//! so that the cost of switching becomes negligible. The first error ends the hunt, and so does the
//! first complete exploration.

use crate::check::{Found, Gather, Report, Settings};
use crate::direct::{Directed, Direction};
use crate::explore::Explorer;
use crate::frontend::{Fault, Frontend};
use crate::observe::{Observer, Progress, Stopped, ended};
use crate::options::Options;
use crate::strategy::Strategy;
use crate::view::Execution;
use std::ops::ControlFlow;

/// Lengths of the first and of the longest turn, in calls of [`Observer::progress`].
const TURN_FIRST: u32 = 1;
const TURN_MAX: u32 = 1 << 10;

/// One search for errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hunter {
    /// The order in which it explores executions.
    pub strategy: Strategy,
    /// Which prefixes it prefers.
    pub direction: Direction,
}

/// The result of a hunt.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The report of the hunter that ended it; of the first hunter if all stopped at a bound.
    pub report: Report,
    /// The index of that hunter. If `watch` stopped the hunt, the hunter whose turn it was.
    pub by: usize,
    /// The progress of each hunter.
    pub progress: Vec<Progress>,
}

/// Runs all hunters in turn. `watch` is called regularly with their total progress, and may stop the
/// hunt.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
///
/// # Panics
/// If there is no hunter.
pub fn hunt<F: Frontend>(
    frontend: &F,
    hunters: &[Hunter],
    settings: &Settings,
    mut watch: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Hunt, Fault> {
    assert!(!hunters.is_empty(), "a hunt needs a hunter");
    let mut parties: Vec<Party<'_, F>> = hunters
        .iter()
        .map(|hunter| Party::new(frontend.fresh_copy(), hunter, settings))
        .collect();
    let mut turn = TURN_FIRST;
    loop {
        let mut all_over = true;
        for at in 0..parties.len() {
            if parties[at].stopped.is_some() {
                continue;
            }
            let others = together(parties.iter().enumerate().filter(|(n, _)| *n != at));
            let ended = parties[at].hunt(turn, &others, &mut watch)?;
            if let Some(by) = ended.then_some(at) {
                return Ok(over(parties, by));
            }
            all_over &= parties[at].stopped.is_some();
        }
        if all_over {
            return Ok(over(parties, 0));
        }
        turn = (turn * 2).min(TURN_MAX);
    }
}

fn over<F: Frontend>(parties: Vec<Party<'_, F>>, by: usize) -> Hunt {
    let progress = parties
        .iter()
        .map(|party| party.gather.counted(&party.explorer.progress()))
        .collect();
    let mut reports: Vec<Report> = parties.into_iter().map(Party::report).collect();
    let mut report = reports.swap_remove(by);
    // A hunter that found a stuck process continues, and another one may end the hunt.
    for found in reports.into_iter().flat_map(|other| other.found) {
        let is_known = |known: &Found| known.finding == found.finding;
        if found.is_error && !report.found.iter().any(is_known) {
            report.found.push(found);
        }
    }
    report.sort();
    Hunt {
        report,
        by,
        progress,
    }
}

/// The sum of the progress of several hunters.
fn together<'p, F: Frontend + 'p>(
    parties: impl Iterator<Item = (usize, &'p Party<'p, F>)>,
) -> Progress {
    parties.fold(Progress::default(), |sum, (_, party)| {
        plus(&sum, &party.gather.counted(&party.explorer.progress()))
    })
}

fn plus(one: &Progress, other: &Progress) -> Progress {
    Progress {
        executions: one.executions + other.executions,
        cut_short: one.cut_short + other.cut_short,
        crowded: one.crowded + other.crowded,
        blocked: one.blocked + other.blocked,
        transitions: one.transitions + other.transitions,
        starts: one.starts + other.starts,
        repeated: one.repeated + other.repeated,
        behaviour_nodes: one.behaviour_nodes + other.behaviour_nodes,
        frontier: one.frontier + other.frontier,
        depth: one.depth.max(other.depth),
        // All explore the same program, so the explored fractions overlap.
        fraction: 0.0,
        sampled: None,
        errors: one.errors + other.errors,
    }
}

/// A hunter with its exploration.
struct Party<'s, F: Frontend> {
    explorer: Explorer<F, Directed>,
    gather: Gather<'s>,
    has_begun: bool,
    /// Why it has stopped for good.
    stopped: Option<Stopped>,
    /// Where the brake stopped user code inside a step.
    interrupted: Option<String>,
}

impl<'s, F: Frontend> Party<'s, F> {
    fn new(frontend: F, hunter: &Hunter, settings: &'s Settings) -> Self {
        let options = Options {
            strategy: hunter.strategy,
            direction: hunter.direction,
            ..settings.explore.clone()
        };
        Party {
            explorer: Explorer::new(frontend, Directed::new(&hunter.direction), options),
            gather: Gather::new(settings),
            has_begun: false,
            stopped: None,
            interrupted: None,
        }
    }

    /// Runs one turn and returns whether that ends the hunt.
    fn hunt(
        &mut self,
        turn: u32,
        others: &Progress,
        watch: &mut impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<bool, Fault> {
        let mut observer = Turn {
            gather: &mut self.gather,
            others,
            watch,
            left: turn,
            end: None,
            interrupted: &mut self.interrupted,
        };
        let stopped = match std::mem::replace(&mut self.has_begun, true) {
            false => self.explorer.run(&mut observer),
            true => self.explorer.go_on(&mut observer),
        };
        let stopped = ended::<F>(stopped, &mut observer)?;
        let end = observer.end;
        if stopped == Stopped::Observer && end == Some(End::TurnOver) {
            return Ok(false);
        }
        self.stopped = Some(stopped);
        Ok(end.is_some() || stopped == Stopped::Complete)
    }

    fn report(self) -> Report {
        let progress = self.explorer.progress();
        let stopped = self.stopped.unwrap_or(Stopped::Observer);
        Report {
            interrupted: self.interrupted,
            ..self.gather.report(stopped, progress)
        }
    }
}

/// Why a turn ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The turn of the next hunter begins.
    TurnOver,
    /// `watch`, or the brake inside a step, stopped the hunt.
    Called,
    /// An error was found.
    Found,
}

/// Observes one turn of a hunter.
struct Turn<'t, 's, W> {
    gather: &'t mut Gather<'s>,
    others: &'t Progress,
    watch: &'t mut W,
    left: u32,
    end: Option<End>,
    interrupted: &'t mut Option<String>,
}

impl<F: Frontend, W: FnMut(&Progress) -> ControlFlow<()>> Observer<F> for Turn<'_, '_, W> {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        let flow = self.gather.execution(execution);
        if flow.is_break() {
            self.end = Some(End::Found);
        }
        flow
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let progress = self.gather.counted(progress);
        if (self.watch)(&plus(&progress, self.others)).is_break() {
            self.end = Some(End::Called);
            return ControlFlow::Break(());
        }
        self.left -= 1;
        if self.left == 0 {
            self.end = Some(End::TurnOver);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn interrupted(&mut self, place: String) {
        *self.interrupted = Some(place);
        self.end = Some(End::Called);
    }

    fn restart(&mut self) {
        self.gather.restart();
    }
}
