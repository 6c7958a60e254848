//! The depth-first search that the published algorithms share.

use super::state::{Move, State};
use super::trail::{Trail, arrive};
use mazurka_engine::{Fault, Frontend};
use mazurka_engine::{Observer, Pace, Progress, Stopped};
use std::ops::ControlFlow;

/// A published algorithm: which of the possible moves it makes from each configuration.
pub(super) trait Method<F: Frontend> {
    /// What it stores for a configuration on the path.
    type Note: Default;

    /// Called when the configuration at the end of the path is new.
    fn arrived(&mut self, state: &mut State<F>, trail: &mut Trail<Self::Note>);

    /// Returns the next move to make from the configuration at the end of the path.
    fn next(&mut self, trail: &mut Trail<Self::Note>) -> Option<Move>;

    /// Called when the path is a complete execution, or one that was cut short.
    fn complete<O: Observer<F>>(
        &mut self,
        _: &mut State<F>,
        _: &mut Trail<Self::Note>,
        _: &mut Watched<'_, O>,
    ) -> Result<Flow, Fault> {
        Ok(ControlFlow::Continue(()))
    }
}

/// Counts, and reports to the observer.
pub(super) struct Watched<'o, O> {
    pub observer: &'o mut O,
    pub progress: Progress,
    pace: Pace,
}

/// Stops when the observer, or a bound, requires it.
pub(super) type Flow = ControlFlow<Stopped>;

impl<'o, O> Watched<'o, O> {
    pub(super) fn new(observer: &'o mut O) -> Self {
        Watched {
            observer,
            progress: Progress::default(),
            pace: Pace::default(),
        }
    }

    /// A move has been made for the first time.
    pub(super) fn moved<F: Frontend>(&mut self, state: &State<F>) -> Flow
    where
        O: Observer<F>,
    {
        self.progress.transitions += 1;
        self.ask(state)
    }

    /// Some moves have been made again.
    pub(super) fn repeated<F: Frontend>(&mut self, state: &State<F>, moves: u64) -> Flow
    where
        O: Observer<F>,
    {
        self.progress.repeated += moves;
        self.ask(state)
    }

    /// Reports to the observer when that is due.
    fn ask<F: Frontend>(&mut self, state: &State<F>) -> Flow
    where
        O: Observer<F>,
    {
        let progress = &mut self.progress;
        if !self.pace.is_due(progress.transitions + progress.repeated) {
            return ControlFlow::Continue(());
        }
        progress.behaviour_nodes = state.world.behaviour_nodes();
        progress.depth = state.path.len() - 1;
        match self.observer.progress(progress) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Stopped::Observer),
        }
    }

    /// The path is a complete execution, or one that was cut short.
    pub(super) fn executed<F: Frontend>(&mut self, state: &State<F>, cut_short: bool) -> Flow
    where
        O: Observer<F>,
    {
        self.progress.count_execution(&state.world, cut_short);
        let execution = state.world.execution(cut_short);
        if self.observer.execution(&execution) == ControlFlow::Break(()) {
            return ControlFlow::Break(Stopped::Observer);
        }
        let max_executions = state.world.options().max_executions;
        if max_executions.is_some_and(|max| self.progress.seen() >= max) {
            return ControlFlow::Break(Stopped::ExecutionBound);
        }
        ControlFlow::Continue(())
    }

    /// The result when nothing is left to try.
    pub(super) fn all_done(&self) -> Stopped {
        match self.progress.cut_short {
            0 => Stopped::Complete,
            _ => Stopped::DepthBound,
        }
    }

    /// The search starts over.
    pub(super) fn restart<F: Frontend>(&mut self)
    where
        O: Observer<F>,
    {
        self.progress = Progress::default();
        self.pace = Pace::default();
        self.observer.restart();
    }
}

/// Explores until there is nothing left to try, or the observer or a bound stops it.
pub(super) fn search<F: Frontend, M: Method<F>, O: Observer<F>>(
    state: &mut State<F>,
    mut method: M,
    sleep_sets: bool,
    watched: &mut Watched<'_, O>,
) -> Result<Stopped, Fault> {
    state.begin()?;
    let mut trail = Trail::new();
    // If set, the search stops for this reason unless nothing is left to try.
    let mut stop = None;
    loop {
        if state.world.has_missed() {
            state.begin()?;
            trail.clear();
            stop = None;
            watched.restart();
        }
        if trail.len() < state.path.len() {
            state.world.evict();
            arrive(state, &mut trail);
            method.arrived(state, &mut trail);
            state.world.check()?;
        }
        let deep = state.world.is_cut();
        let here = trail.last().expect("the trail is not empty");
        let over = here.enabled.is_empty();
        let next = match deep {
            true => None,
            false => method.next(&mut trail),
        };
        if let Some(mv) = next {
            if let Some(stop) = stop {
                return Ok(stop);
            }
            trail.last_mut().expect("the trail is not empty").tried += 1;
            state.make(mv)?;
            if let ControlFlow::Break(stopped) = watched.moved(state) {
                return Ok(stopped);
            }
            continue;
        }
        let here = trail.last().expect("the trail is not empty");
        if here.tried == 0 {
            if over || deep && here.first_awake().is_some() {
                if let ControlFlow::Break(stopped) = watched.executed(state, !over) {
                    stop = Some(stopped);
                }
                let flow = method.complete(state, &mut trail, watched)?;
                if let ControlFlow::Break(stopped) = flow {
                    return Ok(stopped);
                }
            } else {
                watched.progress.blocked += 1;
            }
        }
        trail.pop();
        let Some(before) = trail.last_mut() else {
            break;
        };
        if sleep_sets {
            let last = state.path.last().expect("one for each configuration");
            before.sleep.push(last.made.clone());
        }
        state.undo();
    }
    Ok(watched.all_done())
}
