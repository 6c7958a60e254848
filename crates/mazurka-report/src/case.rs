//! Errors that have one cause.
//!
//! One race can make several processes fail, and fail differently in several executions. That is
//! one error with several symptoms.

use crate::diagnosis::waits_for_ever;
use crate::outcome::{Kept, Outcome};
use crate::text::{Messages, Names};
use mazurka_engine::{Diagnosis, Finding, Symptom, without_digits};
use mazurka_trace::{Event, ProcessName, Trace};
use std::collections::HashMap;
use std::rc::Rc;

/// An error with its symptoms.
#[derive(Debug)]
pub(crate) struct Case<'o> {
    /// The one that is explained.
    pub lead: &'o Kept,
    /// The other findings with the same cause.
    pub others: Vec<&'o Kept>,
}

impl<'o> Case<'o> {
    /// Number of its symptoms that were counted and not kept.
    pub fn not_kept(&self) -> u64 {
        self.findings().map(|kept| kept.found.not_kept).sum()
    }

    /// All findings of it.
    pub fn findings(&self) -> impl Iterator<Item = &'o Kept> + '_ {
        [self.lead].into_iter().chain(self.others.iter().copied())
    }

    /// The number of executions in which the process of the lead fails like the lead, ignoring
    /// numbers in the message. No execution counts twice.
    pub fn executions(&self) -> u64 {
        let lead = &self.lead.found.finding;
        let of_lead = Symptom::of(lead);
        let is_way =
            |finding: &Finding| finding.process == lead.process && Symptom::of(finding) == of_lead;
        let ways = self.findings().filter(|kept| is_way(&kept.found.finding));
        ways.map(|kept| kept.found.count).sum()
    }

    /// The findings of the execution that is shown.
    pub fn here(&self) -> impl Iterator<Item = &'o Kept> + '_ {
        let shown = &self.lead.found.trace;
        self.findings()
            .filter(move |kept| Rc::ptr_eq(&kept.found.trace, shown))
    }
}

impl Outcome {
    /// The errors, by cause.
    pub(crate) fn cases(&self) -> Vec<Case<'_>> {
        let mut cases: Vec<Case<'_>> = Vec::new();
        let mut by_execution: HashMap<*const Trace, usize> = HashMap::new();
        let mut by_race: HashMap<Race, usize> = HashMap::new();
        let mut by_symptom: HashMap<Symptom, usize> = HashMap::new();
        for kept in self.errors() {
            let race = race(kept);
            let symptom = Symptom::of(&kept.found.finding);
            // Most errors are not diagnosed. Those with equal symptoms count as one cause.
            let same_symptom = by_symptom.get(&symptom).copied();
            let same_symptom = same_symptom.filter(|_| race.is_none());
            let same_race = race.as_ref().and_then(|race| by_race.get(race)).copied();
            let same_execution = by_execution.get(&Rc::as_ptr(&kept.found.trace)).copied();
            let same_execution =
                same_execution.filter(|&at| may_have_one_cause(cases[at].lead, kept));
            let at = same_race.or(same_execution).or(same_symptom);
            match at {
                Some(at) => cases[at].others.push(kept),
                None => cases.push(Case {
                    lead: kept,
                    others: Vec::new(),
                }),
            }
            let at = at.unwrap_or(cases.len() - 1);
            by_execution
                .entry(Rc::as_ptr(&kept.found.trace))
                .or_insert(at);
            by_symptom.entry(symptom).or_insert(at);
            if let Some(race) = race {
                by_race.entry(race).or_insert(at);
            }
        }
        cases
    }
}

/// Whether two errors of one execution may have the same cause. A process that waits for ever may
/// wait for something that the failed one did not do. If two processes fail by themselves, their
/// races decide, if known.
fn may_have_one_cause(lead: &Kept, other: &Kept) -> bool {
    let has_race = |kept: &Kept| {
        let diagnosis = kept.diagnosis.as_ref();
        diagnosis.is_some_and(|diagnosis| diagnosis.parting.is_some())
    };
    waits_for_ever(lead.found.finding.kind)
        || waits_for_ever(other.found.finding.kind)
        || !has_race(lead)
        || !has_race(other)
}

/// The race that decides about an error, without what distinguishes processes of the same role.
#[derive(PartialEq, Eq, Hash)]
struct Race {
    process: String,
    place: Option<String>,
    outcomes: [String; 2],
}

fn race(kept: &Kept) -> Option<Race> {
    let diagnosis = kept.diagnosis.as_ref()?;
    let parting = diagnosis.parting.as_ref()?;
    let traces = [&*kept.found.trace, &parting.passing];
    let mut outcomes = traces.map(|trace| outcome(diagnosis, trace, trace.event(&parting.at)));
    outcomes.sort();
    let place = traces
        .into_iter()
        .find_map(|trace| trace.place(&parting.at));
    Some(Race {
        process: named(diagnosis, &parting.at.pid),
        place: place.map(str::to_owned),
        outcomes,
    })
}

fn outcome(diagnosis: &Diagnosis, trace: &Trace, event: Option<&Event>) -> String {
    let Some(event) = event else {
        return "nothing".to_owned();
    };
    match event.consumes() {
        Some(tag) => {
            let messages = Messages::new(trace);
            let sender = named(diagnosis, &messages.sender(tag).into());
            let place = messages.sent(tag).and_then(|at| trace.place(at));
            let value = without_digits(messages.value(tag));
            format!("{value} from {sender} at {}", place.unwrap_or_default())
        }
        None => match event {
            Event::Timeout { .. } => "timeout".to_owned(),
            Event::Read { object, version } => {
                let messages = Messages::new(trace);
                let change = messages.after_change(&Names::none(trace), object, *version);
                without_digits(&format!("{object} {change}"))
            }
            other => without_digits(&other.to_string()),
        },
    }
}

fn named(diagnosis: &Diagnosis, pid: &ProcessName) -> String {
    match diagnosis.names.get(pid) {
        Some(name) => name.clone(),
        None => without_digits(pid.as_str()),
    }
}
