//! One error, and where its execution parts from one that passes.

use super::data::{Execution, Failure, Parting};
use super::execution::{Drawn, draw};
use super::order::order;
use super::sources::Sources;
use crate::outcome::{Kept, Outcome};
use crate::text::{count, decided_at, explanation, noun, shorten};
use mazurka_engine::{Diagnosis, Kind, NoReturn};
use mazurka_trace::{At, Causality, Trace};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// All executions of a page together have at most so many events: a browser should open it at
/// once.
const EVENTS_MAX: usize = 40_000;
/// All of them together look at so many cuts for orders with few switches: a user waits.
const SWITCH_BUDGET: usize = 4 * Causality::SWITCH_BUDGET;
/// From so many events on, an order with few switches takes too long to wait for.
const ORDERED_MAX: usize = 3_000;

/// Gathers the errors of a check with the executions that they are about.
pub(super) struct Failures<'f> {
    outcome: &'f Outcome,
    roles: BTreeMap<&'f str, &'f str>,
    sources: Sources<'f>,
    switch_budget: usize,
    events: usize,
    /// The failing executions without a diagnosis, which several errors may share.
    shared: HashMap<*const Trace, usize>,
    drawn: Vec<Drawn>,
}

/// The execution of an error, where the page has it.
#[derive(Default)]
struct Shown {
    execution: Option<usize>,
    past: Option<usize>,
    decided: Option<usize>,
    parting: Option<Parting>,
}

impl<'f> Failures<'f> {
    pub(super) fn new(outcome: &'f Outcome) -> Self {
        let errors = outcome.errors().count().max(1);
        Failures {
            outcome,
            roles: roles(outcome),
            sources: Sources::new(&outcome.subject.sources),
            switch_budget: (SWITCH_BUDGET / errors).clamp(100, Causality::SWITCH_BUDGET),
            events: 0,
            shared: HashMap::new(),
            drawn: Vec::new(),
        }
    }

    /// An error as the page has it.
    pub(super) fn failure(&mut self, kept: &Kept) -> Failure {
        let finding = &kept.found.finding;
        let (shown, not_shown) = match self.show(kept) {
            Ok(shown) => (shown, None),
            Err(why) => (Shown::default(), Some(why)),
        };
        let drawn = shown.execution.map(|at| &self.drawn[at]);
        let pid = finding.process.as_str();
        let waits = matches!(
            finding.kind,
            Kind::Deadlock | Kind::Stuck | Kind::DepthBound
        );
        let ends = matches!(finding.kind, Kind::Crash | Kind::Assertion);
        let message = shorten(&finding.message, 2_000);
        Failure {
            kind: finding.kind.name(),
            process: pid.to_owned(),
            role: finding.role.clone(),
            expected: self.outcome.options.expect.contains(&finding.kind),
            found_in: count(kept.found.count, noun(self.outcome)),
            explanation: explanation(self.outcome, kept),
            replay: kept.replay.clone(),
            log_file: kept.file.as_ref().map(|file| file.display().to_string()),
            fails: drawn.filter(|_| ends).and_then(|drawn| {
                let events = kept.found.trace.processes.get(pid)?.len();
                let last = At::new(pid, events.checked_sub(1)?);
                drawn.ids.get(&last).copied()
            }),
            end: drawn
                .filter(|_| waits)
                .and_then(|drawn| Some((*drawn.lanes.get(pid)?, message.clone()))),
            message,
            execution: shown.execution,
            not_shown,
            past: shown.past,
            decided: shown.decided,
            parting: shown.parting,
            no_return: kept.diagnosis.as_ref().and_then(no_return),
        }
    }

    /// The executions, and the lines of the source that they point to.
    pub(super) fn finish(self) -> (Vec<Execution>, BTreeMap<String, String>) {
        let executions = self.drawn.into_iter().map(|drawn| drawn.execution);
        (executions.collect(), self.sources.lines())
    }

    /// Puts the executions of an error into the page, or says why not.
    fn show(&mut self, kept: &Kept) -> Result<Shown, String> {
        let trace = &kept.found.trace;
        let causality = checked(trace)?;
        let Some(diagnosis) = &kept.diagnosis else {
            let execution = self.shared(&causality, trace)?;
            let ids = &self.drawn[execution].ids;
            let decided = decided_at(&causality, ids, &kept.found.finding);
            return Ok(Shown {
                execution: Some(execution),
                decided: decided.and_then(|at| ids.get(&at).copied()),
                ..Shown::default()
            });
        };
        let execution = self.add(&causality, &diagnosis.order)?;
        let ids = &self.drawn[execution].ids;
        let decided = match &diagnosis.parting {
            Some(parting) => ids.get(&parting.at).copied(),
            None => decided_at(&causality, ids, &kept.found.finding)
                .and_then(|at| ids.get(&at).copied()),
        };
        let comes_first = |(at, place)| ids.get(at) == Some(&place);
        let is_first = diagnosis.order.iter().zip(0..).all(comes_first);
        let past = is_first.then_some(diagnosis.order.len());
        let parting = self.parting(diagnosis, execution);
        Ok(Shown {
            execution: Some(execution),
            past,
            decided,
            parting,
        })
    }

    /// The passing execution. It begins with what both have in common, in the same order.
    fn parting(&mut self, diagnosis: &Diagnosis, failing: usize) -> Option<Parting> {
        let parting = diagnosis.parting.as_ref()?;
        let in_common = |at: &&At| {
            let common = parting.common.get(&at.pid);
            common.is_some_and(|&common| at.index < common)
        };
        let mut failing: Vec<(&At, usize)> = self.drawn[failing]
            .ids
            .iter()
            .map(|(at, &id)| (at, id))
            .collect();
        failing.sort_unstable_by_key(|(_, id)| *id);
        let shared = failing.into_iter().map(|(at, _)| at).filter(in_common);
        let common: Vec<At> = shared.cloned().collect();
        let causality = checked(&parting.passing).ok()?;
        let execution = self.add(&causality, &common).ok()?;
        Some(Parting {
            execution,
            common: common.len(),
            instead: self.drawn[execution].ids.get(&parting.at).copied(),
        })
    }

    /// An execution in the usual order, once for all errors that are found in it.
    fn shared(&mut self, causality: &Causality<'_>, trace: &Rc<Trace>) -> Result<usize, String> {
        if let Some(&known) = self.shared.get(&Rc::as_ptr(trace)) {
            return Ok(known);
        }
        let added = self.add(causality, &[])?;
        self.shared.insert(Rc::as_ptr(trace), added);
        Ok(added)
    }

    fn add(&mut self, causality: &Causality<'_>, first: &[At]) -> Result<usize, String> {
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
        let drawn = draw(causality, &order, &self.roles, &mut self.sources);
        self.drawn.push(drawn);
        Ok(self.drawn.len() - 1)
    }
}

fn checked(trace: &Trace) -> Result<Causality<'_>, String> {
    let wrong = |error| format!("Its execution cannot be drawn: {error}. Please report this.");
    trace.check().map_err(wrong)
}

/// What is known of who processes are. Pids are the same in every execution.
fn roles(outcome: &Outcome) -> BTreeMap<&str, &str> {
    let findings = outcome.found.iter().map(|kept| &kept.found.finding);
    let roles = findings.filter_map(|finding| {
        let role = finding.role.as_deref().filter(|role| !role.is_empty())?;
        Some((finding.process.as_str(), role))
    });
    roles.collect()
}

fn no_return(diagnosis: &Diagnosis) -> Option<&'static str> {
    match diagnosis.no_return {
        NoReturn::AtParting => Some(
            "From the decisive event on there is no way back: every execution that goes on from \
             there has this error.",
        ),
        NoReturn::Always => Some("Every execution of the program has this error."),
        NoReturn::Unknown => None,
    }
}
