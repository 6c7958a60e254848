//! Traces with the first accepted messages only, compared with traces that have all of them; and the
//! number of matches that a trace costs.

use super::MATCHES_PER_RECEIVE;
use crate::explore::explore;
use crate::frontend::{Demand, Fault, Frontend, Hints, Input, Outcome, RequiredPart, Turn};
use crate::guide::SendersFirst;
use crate::message::{Payload, Reason};
use crate::observe::Observer;
use crate::options::Options;
use crate::random_programs::{Case, Script, Shape};
use crate::view::Execution;
use mazurka_trace::{Accepts, Delivery, Event, Interleaving, ProcessName, Tag, Trace};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

const CASES: u64 = 120;
const EXECUTIONS_PER_CASE: u64 = 8;

/// Compares the traces of each execution.
struct Compare {
    case: Case,
    /// How many traces had other sets.
    different: u64,
}

impl Observer<Script> for Compare {
    fn execution(&mut self, execution: &Execution<'_, Script>) -> ControlFlow<()> {
        let all = execution.trace_with(usize::MAX);
        for matches_per_receive in [0, 1] {
            let some = execution.trace_with(matches_per_receive);
            self.different += u64::from(some != all);
            compare(self.case, &all, &some);
        }
        ControlFlow::Continue(())
    }
}

fn compare(case: Case, all: &Trace, some: &Trace) {
    let context = || format!("{case:?}\n{}\n{}", all.to_json(), some.to_json());
    let by_all = all.check().expect("a valid trace");
    let by_some = match some.check() {
        Ok(causality) => causality,
        Err(error) => panic!("{error}: {}", context()),
    };
    assert_eq!(by_all.races(), by_some.races(), "{}", context());
    assert!(all.equivalent(some), "{}", context());
    assert!(some.equivalent(all), "{}", context());
    // Both allow the same orders of events.
    for seed in 0..4 {
        for (one, other) in [(&by_all, some), (&by_some, all)] {
            let order = with_events_of(other, one.random_linearisation(seed));
            assert_eq!(order.check(), Ok(()), "{}", context());
        }
    }
}

/// The same order of the events of another trace.
fn with_events_of(trace: &Trace, mut order: Interleaving) -> Interleaving {
    let mut done: BTreeMap<ProcessName, usize> = BTreeMap::new();
    for (pid, event) in &mut order.events {
        let index = done.entry(pid.clone()).or_default();
        *event = trace.events_of(pid)[*index].clone();
        *index += 1;
    }
    order
}

/// Races, orders and equivalence depend only on what both have.
#[test]
fn first_accepted_messages_are_enough() {
    let mut different = 0;
    for delivery in Delivery::ALL {
        for (shape, seed) in { Shape::ALL }
            .into_iter()
            .flat_map(|shape| (0..CASES).map(move |seed| (shape, seed)))
        {
            let case = Case {
                shape,
                seed,
                delivery,
            };
            let options = Options {
                delivery,
                timeouts: case.timeouts(),
                max_executions: Some(EXECUTIONS_PER_CASE),
                ..Options::default()
            };
            let mut compare = Compare { case, different: 0 };
            explore(case.program(), SendersFirst, &options, &mut compare).expect("all is modelled");
            assert!(delivery != Delivery::Unordered || compare.different == 0);
            different += compare.different;
        }
    }
    assert!(different > 1_000, "only {different} traces were compared");
}

/// A process that sends itself the numbers below `messages` and then takes each by a constraint of
/// its own.
#[derive(Clone)]
struct Selective {
    messages: u32,
    /// Whether the last message is taken first.
    backwards: bool,
    /// Whether the front-end reports the number that a constraint requires.
    has_parts: bool,
    matches: Rc<Cell<u64>>,
}

impl Selective {
    fn demand(&self, taken: u32) -> (u32, Demand<u32, u32>) {
        let demand = match (taken == self.messages, self.backwards) {
            (true, _) => Demand::Exit(Reason::Normal),
            (false, backwards) => Demand::Receive {
                constraint: match backwards {
                    true => self.messages - 1 - taken,
                    false => taken,
                },
                timeout_ms: None,
            },
        };
        (taken, demand)
    }
}

impl Frontend for Selective {
    type Value = u32;
    type Constraint = u32;
    type Start = ();
    /// How many messages it has taken.
    type State = u32;
    type Objects = crate::frontend::NoObjects;

    fn fresh_copy(&self) -> Self {
        self.clone()
    }

    fn entry(&self) {}

    fn start(&self, (): &(), turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        (0..self.messages).for_each(|number| turn.send(turn.me(), number));
        Ok(self.demand(0))
    }

    fn answer(&self, taken: &u32, _: Input<'_, u32>, _: &mut Turn<'_, Self>) -> Outcome<Self> {
        Ok(self.demand(taken + 1))
    }

    fn matches(&self, message: &Payload<u32>, constraint: &u32) -> Result<bool, Fault> {
        self.matches.set(self.matches.get() + 1);
        Ok(*message == Payload::User(*constraint))
    }

    fn hints(&self) -> &dyn Hints<Self> {
        self
    }
}

impl Hints<Selective> for Selective {
    fn required_part(&self, constraint: &u32) -> Option<RequiredPart> {
        self.has_parts.then(|| RequiredPart {
            place: 0,
            hash: u64::from(*constraint),
        })
    }

    fn part(&self, message: &Payload<u32>, _: u32) -> Option<u64> {
        match message {
            Payload::User(number) => Some(u64::from(*number)),
            _ => None,
        }
    }
}

/// The trace of an execution, and the number of matches that the execution and the trace cost.
struct Traced(Option<(Trace, [u64; 2])>);

impl Observer<Selective> for Traced {
    fn execution(&mut self, execution: &Execution<'_, Selective>) -> ControlFlow<()> {
        let matches = &execution.behaviours.frontend.matches;
        let before = matches.get();
        let trace = execution.trace();
        self.0 = Some((trace, [before, matches.get() - before]));
        ControlFlow::Continue(())
    }
}

fn selective(messages: u32, backwards: bool) -> Selective {
    Selective {
        messages,
        backwards,
        has_parts: false,
        matches: Rc::default(),
    }
}

fn traced(delivery: Delivery, program: Selective) -> (Trace, [u64; 2]) {
    let options = Options {
        delivery,
        max_executions: Some(1),
        ..Options::default()
    };
    let mut traced = Traced(None);
    explore(program, SendersFirst, &options, &mut traced).expect("all is modelled");
    traced.0.expect("one execution")
}

/// What a receive accepts.
fn accepts(trace: &Trace, nth: u32) -> Accepts {
    let events = trace.events_of(&"P".into()).iter();
    let mut accepts = events.filter_map(Event::accepts);
    accepts.nth(nth as usize).expect("a receive").clone()
}

fn only(message: u32) -> Accepts {
    let tag = Tag::from(format!("P#{message}"));
    Accepts::Only(Arc::new([tag].into()))
}

/// n messages taken by n constraints are n² pairs; a trace needs only a number of them in
/// proportion to n.
#[test]
fn a_trace_does_not_match_all_messages_with_all_constraints() {
    let limit = |messages: u32| u64::from(messages) * MATCHES_PER_RECEIVE as u64;
    for messages in [1_000, 4_000] {
        let (trace, [_, matches]) = traced(Delivery::Mailbox, selective(messages, false));
        assert!(matches <= limit(messages), "{messages}: {matches}");
        assert_eq!(accepts(&trace, 3), only(3));
        // Here the messages that a receive skips are known to be refused.
        let (trace, [_, matches]) = traced(Delivery::Mailbox, selective(messages, true));
        assert!(matches <= limit(64), "{messages}: {matches}");
        assert_eq!(accepts(&trace, 3), only(messages - 4));
    }
    let (_, [_, matches]) = traced(Delivery::Unordered, selective(100, false));
    assert_eq!(matches, 5_050, "under `unordered` all pairs matter");
}

/// A receive that skips n messages matches all of them, unless its required part is known.
#[test]
fn required_parts_save_matches() {
    for delivery in Delivery::ALL {
        let without = selective(500, true);
        let with = Selective {
            has_parts: true,
            ..selective(500, true)
        };
        let (trace, [execution, _]) = traced(delivery, without);
        assert!(execution >= 500 * 501 / 2, "{delivery}: {execution}");
        let (same, [execution, of_trace]) = traced(delivery, with);
        assert!(
            execution <= 600 && of_trace <= 600,
            "{delivery}: {execution}, {of_trace}"
        );
        assert_eq!(trace, same, "{delivery}");
    }
}
