//! One error, and where its execution departs from one that passes.

use super::data::{EventId, Execution, Failure, LaneId, Parting};
use super::execution::{Drawn, draw};
use super::sources::Sources;
use crate::case::Case;
use crate::order::order;
use crate::outcome::{Kept, Outcome};
use crate::text::{Names, count, explanation, names, noun, place_in, shorten, title, visible};
use mazurka_engine::{Diagnosis, Finding, Kind};
use mazurka_trace::{At, Causality, Trace};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Maximum number of events of all executions in a page, so that a browser opens it quickly.
const EVENTS_MAX: usize = 60_000;
/// Maximum number of cuts examined for orders with few switches, for all executions together: the user
/// is waiting.
const SWITCH_BUDGET: usize = 4 * Causality::SWITCH_BUDGET;
/// For executions with more events, finding an order with few switches takes too long.
const ORDERED_MAX: usize = 3_000;
/// Longer messages are cut.
const MESSAGE_MAX: usize = 2_000;

/// Collects the errors of a check with their executions.
pub(super) struct Failures<'f> {
    outcome: &'f Outcome,
    sources: Sources<'f>,
    switch_budget: usize,
    events: usize,
    drawn: Vec<Drawn>,
    /// The failing executions without a diagnosis, which several errors may share, or why they
    /// are not shown.
    shared: HashMap<*const Trace, Result<usize, String>>,
}

impl<'f> Failures<'f> {
    pub(super) fn new(outcome: &'f Outcome) -> Self {
        let errors = outcome.errors().count().max(1);
        Failures {
            outcome,
            sources: Sources::new(&outcome.subject.sources),
            switch_budget: (SWITCH_BUDGET / errors).clamp(100, Causality::SWITCH_BUDGET),
            events: 0,
            drawn: Vec::new(),
            shared: HashMap::new(),
        }
    }

    /// An error as the page has it.
    pub(super) fn failure(&mut self, case: &Case<'f>) -> Failure {
        let kept = case.lead;
        let failing = self.failing(kept);
        let parting = match (&kept.diagnosis, failing.as_ref()) {
            (Some(diagnosis), Ok(failing)) => self.parting(kept, diagnosis, *failing),
            _ => None,
        };
        let failing = failing.as_ref();
        let drawn = failing.ok().map(|&failing| &self.drawn[failing]);
        let finding = &kept.found.finding;
        Failure {
            kind: finding.kind.name(),
            title: shorten(&title(case), MESSAGE_MAX),
            place: place_in(&finding.message),
            process: finding.process.clone(),
            message: shorten(&finding.message, MESSAGE_MAX),
            expected: self.outcome.options.expect.contains(&finding.kind),
            found_in: count(case.executions(), noun(self.outcome)),
            explanation: explanation(self.outcome, case),
            replay: kept.replay.clone(),
            log_file: { kept.file.as_ref() }.map(|file| visible(&file.display().to_string())),
            execution: failing.ok().copied(),
            not_shown: failing.err().cloned(),
            fails: drawn.and_then(|drawn| fails(kept, drawn)),
            ends: drawn.map_or_else(Vec::new, |drawn| ends(case, drawn)),
            past: drawn.and_then(|drawn| past(kept, drawn)),
            decided: drawn.and_then(|drawn| decided(kept, drawn)),
            parting,
        }
    }

    /// The executions, and the lines of the source that they point to.
    pub(super) fn finish(self) -> (Vec<Execution>, BTreeMap<String, String>) {
        let executions = self.drawn.into_iter().map(|drawn| drawn.execution);
        (executions.collect(), self.sources.lines())
    }

    /// Puts the execution of an error into the page, or returns why not. Errors without a diagnosis share
    /// an execution, since it is shown in the same order for all of them.
    fn failing(&mut self, kept: &'f Kept) -> Result<usize, String> {
        let trace = &kept.found.trace;
        let names = names(trace, kept.diagnosis.as_ref(), [&kept.found.finding]);
        if let Some(diagnosis) = &kept.diagnosis {
            return self.add(&checked(trace)?, &names, &diagnosis.order);
        }
        if let Some(known) = self.shared.get(&Rc::as_ptr(trace)) {
            return known.clone();
        }
        let added = checked(trace).and_then(|causality| self.add(&causality, &names, &[]));
        self.shared.insert(Rc::as_ptr(trace), added.clone());
        added
    }

    /// The passing execution. It begins with what both have in common, in the same order.
    fn parting(&mut self, kept: &Kept, diagnosis: &Diagnosis, failing: usize) -> Option<Parting> {
        let parting = diagnosis.parting.as_ref()?;
        let in_common = |at: &At| {
            let common = parting.common.get(&at.pid);
            common.is_some_and(|&common| at.index < common)
        };
        let ids = &self.drawn[failing].ids;
        let mut common: Vec<At> = ids.keys().filter(|at| in_common(at)).cloned().collect();
        common.sort_unstable_by_key(|at| ids[at]);
        let causality = checked(&parting.passing).ok()?;
        let names = names(&kept.found.trace, Some(diagnosis), [&kept.found.finding]);
        let execution = self.add(&causality, &names, &common).ok()?;
        Some(Parting {
            execution,
            common: common.len(),
            all_is_well: parting.all_is_well,
            instead: self.drawn[execution].ids.get(&parting.at).copied(),
        })
    }

    /// Puts an execution into the page, these events first if possible.
    fn add(
        &mut self,
        causality: &Causality<'_>,
        names: &Names,
        first: &[At],
    ) -> Result<usize, String> {
        let events = causality.trace().event_count();
        if self.events + events > EVENTS_MAX {
            return Err(format!(
                "Its execution is not drawn: it has {events} events, and a page holds {EVENTS_MAX}. \
                 The replay shows it."
            ));
        }
        self.events += events;
        let budget = match events > ORDERED_MAX {
            true => 1,
            false => self.switch_budget,
        };
        let order = order(causality, first, budget);
        let drawn = draw(causality, &order, names, &mut self.sources);
        self.drawn.push(drawn);
        Ok(self.drawn.len() - 1)
    }
}

/// The processes that wait at the end of the execution of an error.
fn ends(case: &Case<'_>, drawn: &Drawn) -> Vec<(LaneId, String)> {
    let waits = |kind| matches!(kind, Kind::Deadlock | Kind::Stuck | Kind::DepthBound);
    let end = |finding: &Finding| {
        let lane = *drawn.lanes.get(finding.process.as_str())?;
        Some((lane, shorten(&finding.message, MESSAGE_MAX)))
    };
    case.here()
        .map(|kept| &kept.found.finding)
        .filter(|finding| waits(finding.kind))
        .filter_map(end)
        .collect()
}

fn checked(trace: &Trace) -> Result<Causality<'_>, String> {
    let wrong = |error| format!("Its execution cannot be drawn: {error}. Please report this.");
    trace.check().map_err(wrong)
}

/// The event that fails: the exit of a process that crashes.
fn fails(kept: &Kept, drawn: &Drawn) -> Option<EventId> {
    let finding = &kept.found.finding;
    let ends = matches!(finding.kind, Kind::Crash | Kind::Assertion);
    let pid = finding.process.as_str();
    let events = kept.found.trace.processes.get(pid).filter(|_| ends)?;
    let last = At::new(pid, events.len().checked_sub(1)?);
    drawn.ids.get(&last).copied()
}

/// The number of events that lead to the error, if they are shown first.
fn past(kept: &Kept, drawn: &Drawn) -> Option<usize> {
    let order = &kept.diagnosis.as_ref()?.order;
    let comes_first = |(at, place)| drawn.ids.get(at) == Some(&place);
    let are_first = order.iter().zip(0..).all(comes_first);
    (are_first && !order.is_empty()).then_some(order.len())
}

/// The event that leads to the error: where it departs from a passing execution, if one is known.
fn decided(kept: &Kept, drawn: &Drawn) -> Option<EventId> {
    let parting = kept.diagnosis.as_ref()?.parting.as_ref()?;
    drawn.ids.get(&parting.at).copied()
}
