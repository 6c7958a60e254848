//! Whether an error depends on the delivery model.
//!
//! A model that lets messages overtake each other has executions that others do not have. For each error that
//! is reported in full two things are determined: under which models its execution is possible, by
//! the kernel's check of the trace; and, if it is not possible under `mailbox`, whether other executions under
//! `mailbox` have the error, by a bounded search. The report claims no more than these show.

use crate::diagnosis::IN_FULL;
use crate::host::Host;
use crate::options::CheckOptions;
use crate::outcome::{Kept, Outcome};
use crate::plan::Plan;
use crate::run::settings;
use crate::watch::Limits;
use mazurka_engine::{Delivery, Finding, Frontend, Options, Progress, SendersFirst, check};
use mazurka_lab::Algorithm;
use mazurka_trace::{Event, Trace};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The maximum number of executions explored under `mailbox`.
const EXECUTIONS_MAX: u64 = 10_000;
/// The maximum time for that.
const TIME_MAX: Duration = Duration::from_secs(2);
/// Longer executions are not examined: under `mailbox` the check of a trace may take time in proportion to
/// receives × messages.
const EVENTS_MAX: usize = 10_000;

/// Whether an error depends on the delivery model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The models under which the execution shown is possible, the most permissive first.
    pub possible_under: Vec<Delivery>,
    /// Whether a timeout fires in it.
    pub has_timeout: bool,
    /// Whether the error can happen within one node.
    pub within_one_node: WithinOneNode,
}

/// Whether an error can happen under `mailbox` delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithinOneNode {
    /// The execution shown is possible there.
    Yes,
    /// It is not, but another one there has an error of this kind in the same process.
    OtherExecution,
    /// No execution there has an error of this kind in this process.
    Never {
        /// The number of executions under `mailbox`.
        executions: u64,
    },
    /// The search for one ended at a bound.
    Unknown {
        /// The number of executions explored.
        executions: u64,
    },
}

impl WithinOneNode {
    /// The word in the JSON report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            WithinOneNode::Yes => "yes",
            WithinOneNode::OtherExecution => "other-execution",
            WithinOneNode::Never { .. } => "never",
            WithinOneNode::Unknown { .. } => "unknown",
        }
    }

    /// The number of executions under `mailbox` that were explored for it.
    pub(crate) fn executions(self) -> Option<u64> {
        match self {
            WithinOneNode::Yes | WithinOneNode::OtherExecution => None,
            WithinOneNode::Never { executions } | WithinOneNode::Unknown { executions } => {
                Some(executions)
            }
        }
    }
}

/// Adds to each error that is reported in full whether it depends on the delivery model. Does nothing
/// under `mailbox`, the strictest model.
pub(crate) fn add<F: Frontend>(program: &F, outcome: &mut Outcome, host: &impl Host) {
    let delivery = outcome.options.model();
    if delivery == Delivery::Mailbox {
        return;
    }
    let mut search = None;
    let options = outcome.options.clone();
    let errors = { outcome.found.iter_mut() }.filter(|kept| kept.found.is_error);
    for kept in errors.take(IN_FULL) {
        let trace = &kept.found.trace;
        if kept.is_unreproducible() || trace.event_count() > EVENTS_MAX {
            continue;
        }
        let stricter = { Delivery::ALL.into_iter() }.filter(|&model| model > delivery);
        let mut possible_under: Vec<Delivery> = { Delivery::ALL.into_iter() }
            .filter(|&model| model <= delivery)
            .collect();
        possible_under.extend(stricter.filter(|&model| is_possible(trace, model)));
        let within_one_node = match possible_under.contains(&Delivery::Mailbox) {
            true => WithinOneNode::Yes,
            false => {
                let search = search.get_or_insert_with(|| Search::new(program, &options, host));
                search.look_for(&kept.found.finding)
            }
        };
        kept.dependence = Some(Dependence {
            possible_under,
            has_timeout: { trace.events() }
                .any(|(_, event)| matches!(event, Event::Timeout { .. })),
            within_one_node,
        });
    }
}

fn is_possible(trace: &Trace, delivery: Delivery) -> bool {
    let trace = Trace {
        delivery,
        ..trace.clone()
    };
    trace.check().is_ok()
}

/// A search under `mailbox`, within bounds.
struct Search {
    errors: Vec<Finding>,
    executions: u64,
    is_complete: bool,
}

impl Search {
    fn new<F: Frontend>(program: &F, options: &CheckOptions, host: &impl Host) -> Search {
        let asked = CheckOptions {
            delivery: vec![Delivery::Mailbox],
            keep_going: true,
            expect: Vec::new(),
            tree: false,
            max_executions: Some(EXECUTIONS_MAX),
            ..options.clone()
        };
        let limits = Limits::new(Some(TIME_MAX), options.max_memory, host.interrupts());
        let mut settings = settings(&asked, &Plan::of(Algorithm::Optimal), limits.brake());
        settings.explore = Options {
            distrust: false,
            ..settings.explore
        };
        let started = Instant::now();
        let look = |_: &Progress| match started.elapsed() > TIME_MAX || host.interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        match check(program.fresh_copy(), SendersFirst, &settings, look) {
            Ok(report) => Search {
                executions: report.progress.seen(),
                is_complete: report.is_complete(),
                errors: report.errors().map(|found| found.finding.clone()).collect(),
            },
            // The program could not continue, so nothing is known.
            Err(_) => Search {
                errors: Vec::new(),
                executions: 0,
                is_complete: false,
            },
        }
    }

    /// Searches for an error. One of the same kind in the same process counts as the same error,
    /// because its text may contain other values.
    fn look_for(&self, finding: &Finding) -> WithinOneNode {
        let is_alike =
            |other: &Finding| other.kind == finding.kind && other.process == finding.process;
        let executions = self.executions;
        match (self.errors.iter().any(is_alike), self.is_complete) {
            (true, _) => WithinOneNode::OtherExecution,
            (false, true) => WithinOneNode::Never { executions },
            (false, false) => WithinOneNode::Unknown { executions },
        }
    }
}

/// Records with each error the models under which it was found. `outcomes` are of one program, each
/// under another model.
pub fn compare_models(outcomes: &mut [Outcome]) {
    let found: Vec<(Delivery, Vec<Finding>)> = { outcomes.iter() }
        .map(|outcome| {
            let errors = outcome.errors().map(|kept| kept.found.finding.clone());
            (outcome.options.model(), errors.collect())
        })
        .collect();
    for kept in outcomes.iter_mut().flat_map(|outcome| &mut outcome.found) {
        let finding = &kept.found.finding;
        let has = |errors: &[Finding]| errors.iter().any(|other| is_same(other, finding));
        if kept.found.is_error {
            kept.found_under = { found.iter() }
                .filter(|(_, errors)| has(errors))
                .map(|&(delivery, _)| delivery)
                .collect();
        }
    }
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    (one.kind, &one.process, &one.message) == (other.kind, &other.process, &other.message)
}

/// The errors that some of the models have and others do not, each once.
pub fn differences(outcomes: &[Outcome]) -> Vec<&Kept> {
    let mut differing: Vec<&Kept> = Vec::new();
    for kept in outcomes.iter().flat_map(Outcome::errors) {
        let is_known = |known: &&Kept| is_same(&known.found.finding, &kept.found.finding);
        if kept.found_under.len() < outcomes.len() && !differing.iter().any(is_known) {
            differing.push(kept);
        }
    }
    differing
}
