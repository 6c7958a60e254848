//! Results for programs that are too large to be explored under every delivery model.

use crate::cases::params;
use crate::explore::{Watch, explore};
use mazurka_engine::{
    Candidate, Delivery, DemandKind, Execution, Frontend, Guide, Options, SendersFirst, Standing,
    Stopped,
};
use mazurka_gallery::find;
use mazurka_trace::Event;
use std::ops::ControlFlow;

/// Finds the first execution with an error.
#[derive(Default)]
struct First {
    executions: u64,
    /// The number of messages received in the execution with the error.
    received: usize,
    stop_at_error: bool,
}

impl Watch for First {
    fn execution<F: Frontend>(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        self.executions += 1;
        if !self.stop_at_error {
            return ControlFlow::Continue(());
        }
        if !execution
            .findings()
            .iter()
            .any(|found| found.kind.is_error())
        {
            return ControlFlow::Continue(());
        }
        let trace = execution.trace();
        let events = trace.processes.keys().flat_map(|pid| trace.events_of(pid));
        self.received = events
            .filter(|event| matches!(event, Event::Receive { .. }))
            .count();
        ControlFlow::Break(())
    }

    fn restart(&mut self) {
        self.executions = 0;
    }
}

/// Runs the earliest created actor first: the order ECA of Tasharofi et al. (2012).
struct EarliestCreated;

impl Guide for EarliestCreated {
    fn process_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> u64 {
        match standing.demand() {
            DemandKind::Start => 0,
            _ => 1 + standing.pid().index() as u64,
        }
    }

    fn candidate_key<F: Frontend>(&self, _: &mut Candidate<'_, F>) -> u64 {
        0
    }
}

fn run(text: &str, delivery: Delivery, guide: impl Guide, mut first: First) -> (First, Stopped) {
    let (name, settings) = text.split_once(' ').unwrap_or((text, ""));
    let program = find(name).unwrap().instantiate(&params(settings)).unwrap();
    let options = Options {
        delivery,
        ..Options::default()
    };
    let (stopped, _) = explore(program, guide, options, &mut first);
    (first, stopped.unwrap())
}

fn check_count(text: &str, delivery: Delivery, expected: u64) {
    let (found, stopped) = run(text, delivery, SendersFirst, First::default());
    assert_eq!(stopped, Stopped::Complete, "{text} under {delivery}");
    assert_eq!(found.executions, expected, "{text} under {delivery}");
}

#[test]
fn counts() {
    check_count("minesweeper", Delivery::Causal, 6);
    check_count("minesweeper", Delivery::Mailbox, 6);
    check_count("minesweeper rows=2 fixed=1", Delivery::Causal, 2799);
    check_count("minesweeper rows=2 fixed=1", Delivery::Mailbox, 2710);
    check_count("hidden-race synchronised=true", Delivery::P2p, 13_848);
    let reordered = "hidden-race synchronised=true reordered=true";
    check_count(reordered, Delivery::P2p, 13_968);
    check_count("le-erlang failure=1", Delivery::P2p, 6000);
    check_count("le-erlang failure=1", Delivery::Causal, 2074);
    check_count("le-erlang failure=1", Delivery::Mailbox, 2067);
}

fn check_error(text: &str, delivery: Delivery, guide: impl Guide, expected: (u64, usize)) {
    let first = First {
        stop_at_error: true,
        ..First::default()
    };
    let (found, stopped) = run(text, delivery, guide, first);
    assert_eq!(stopped, Stopped::Observer, "{text} under {delivery}");
    let found = (found.executions, found.received);
    assert_eq!(found, expected, "{text} under {delivery}");
}

/// The number of executions until the first error, and of messages received in that execution.
#[test]
fn first_errors() {
    // The numbers of messages are those of Tasharofi et al. (2012), for minesweeper in the order FIFO.
    check_error("minesweeper", Delivery::Unordered, EarliestCreated, (1, 28));
    check_error(
        "le-erlang n=4",
        Delivery::Unordered,
        EarliestCreated,
        (1, 26),
    );

    check_error(
        "le-erlang n=4",
        Delivery::Unordered,
        SendersFirst,
        (391, 26),
    );
    check_error("le-erlang n=4", Delivery::P2p, SendersFirst, (32, 26));
    // In depth-first order the error is far away: everything after the race is explored first.
    let synchronised = "hidden-race synchronised=true";
    check_error(synchronised, Delivery::P2p, SendersFirst, (577, 24));
    let reordered = "hidden-race synchronised=true reordered=true";
    check_error(reordered, Delivery::P2p, SendersFirst, (577, 30));
    check_error("heat pieces=1", Delivery::P2p, SendersFirst, (145, 46));
    check_error("le-erlang n=4", Delivery::Mailbox, SendersFirst, (115, 26));
    check_error("le-erlang failure=1", Delivery::P2p, SendersFirst, (79, 23));
    check_error(
        "le-erlang failure=1",
        Delivery::Mailbox,
        SendersFirst,
        (47, 23),
    );
    check_error(
        "le-erlang failure=1",
        Delivery::Unordered,
        SendersFirst,
        (107_853, 26),
    );
}
