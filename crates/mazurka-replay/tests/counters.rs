//! A small front-end whose processes cannot be copied: counters.
//!
//! The entry process starts three adders and receives a number from each. Its sum depends on the
//! order, so it has to be returned to earlier histories.

use mazurka_engine::{
    Demand, Fault, Finding, Frontend, Input, Kind, NoObjects, Options, Outcome, Payload, PidTable,
    Progress, Reason, Report, SendersFirst, Settings, Turn, check, drive,
};
use mazurka_replay::{History, Ran, Replayer, Runner, Step};
use std::cell::Cell;
use std::fmt;
use std::ops::ControlFlow;
use std::rc::Rc;

const ADDERS: u64 = 3;

/// How a process is started.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Start {
    Sum,
    Adder(u64),
}

/// A running process. Not `Clone`.
struct Counter {
    total: u64,
    received: u64,
    running: Rc<Counted>,
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.running.now.set(self.running.now.get() - 1);
    }
}

/// What the tests want to know about running processes.
#[derive(Default)]
struct Counted {
    started: Cell<u64>,
    now: Cell<u64>,
    most: Cell<u64>,
}

#[derive(Clone, PartialEq)]
enum Did {
    Spawned(u64),
    Sent(u64),
}

impl fmt::Display for Did {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Did::Spawned(number) => write!(f, "spawned adder {number}"),
            Did::Sent(number) => write!(f, "sent {number}"),
        }
    }
}

#[derive(Clone, PartialEq)]
enum Wants {
    Number,
    /// The digits in the order in which they came.
    End(u64),
}

impl fmt::Display for Wants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wants::Number => f.write_str("waited for a number"),
            Wants::End(total) => write!(f, "ended with {total}"),
        }
    }
}

/// Starts and feeds counters.
#[derive(Default)]
struct Counters {
    counted: Rc<Counted>,
    /// Whether the sum depends on the number of processes started before: a global variable.
    cheats: bool,
}

fn step(actions: Vec<Did>, demand: Wants) -> Step<Counters> {
    Step {
        repeated: 0,
        actions,
        demand,
        notes: (),
    }
}

impl Runner for Counters {
    type Pid = String;
    type Start = Start;
    type Input = u64;
    type Action = Did;
    type Demand = Wants;
    type Notes = ();
    type Process = Counter;

    fn start(&self, _: &String, start: &Start) -> Result<Ran<Self>, Fault> {
        if let Start::Adder(number) = start {
            return Ok((None, step(vec![Did::Sent(*number)], Wants::End(*number))));
        }
        let Counted { started, now, most } = &*self.counted;
        started.set(started.get() + 1);
        now.set(now.get() + 1);
        most.set(most.get().max(now.get()));
        let counter = Counter {
            total: if self.cheats { started.get() } else { 0 },
            received: 0,
            running: Rc::clone(&self.counted),
        };
        let spawned = (1..=ADDERS).map(Did::Spawned).collect();
        Ok((Some(counter), step(spawned, Wants::Number)))
    }

    fn feed(
        &self,
        mut counter: Counter,
        _: &Rc<History<Self>>,
        number: &u64,
    ) -> Result<Ran<Self>, Fault> {
        counter.total = counter.total * 10 + number;
        counter.received += 1;
        Ok(match counter.received == ADDERS {
            true => (None, step(Vec::new(), Wants::End(counter.total))),
            false => (Some(counter), step(Vec::new(), Wants::Number)),
        })
    }

    fn role(&self, start: &Start) -> String {
        format!("{start:?}")
    }
}

/// The front-end: translates what counters do for the engine.
struct Program(Replayer<Counters>);

type State = Rc<History<Counters>>;

impl Program {
    fn outcome(state: State, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        for action in state.actions() {
            match action {
                Did::Spawned(number) => {
                    turn.spawn(Start::Adder(*number));
                }
                Did::Sent(number) => turn.send(PidTable::ENTRY, *number),
            }
        }
        let is_entry = turn.me() == PidTable::ENTRY;
        let demand = match *state.demand() {
            Wants::Number => Demand::Receive {
                constraint: (),
                timeout_ms: None,
            },
            Wants::End(total) if is_entry && total == 321 => Demand::Exit(Reason::Crash(total)),
            Wants::End(_) => Demand::Exit(Reason::Normal),
        };
        Ok((state, demand))
    }
}

impl Frontend for Program {
    type Value = u64;
    type Constraint = ();
    type Start = Start;
    type State = State;
    type Objects = NoObjects;

    fn fresh_copy(&self) -> Self {
        Program(Replayer::new(Counters::default()))
    }

    fn entry(&self) -> Start {
        Start::Sum
    }

    fn start(&self, start: &Start, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        let name = turn.pids().name(turn.me()).expect("a process");
        Program::outcome(self.0.start(name, start)?, turn)
    }

    fn answer(
        &self,
        state: &State,
        input: Input<'_, u64>,
        turn: &mut Turn<'_, Self>,
    ) -> Outcome<Self> {
        let Input::Message(Payload::User(number)) = input else {
            unreachable!("it demands nothing but numbers")
        };
        Program::outcome(self.0.answer(state, *number)?, turn)
    }

    fn matches(&self, _: &Payload<u64>, (): &()) -> Result<bool, Fault> {
        Ok(true)
    }
}

fn checked(program: Program) -> Result<Report, Fault> {
    let settings = Settings {
        keep_going: true,
        ..Settings::default()
    };
    check(program, SendersFirst, &settings, |_: &Progress| {
        ControlFlow::Continue(())
    })
}

fn crash() -> Finding {
    Finding {
        kind: Kind::Crash,
        process: "P".into(),
        role: Some("Sum".into()),
        message: "321".into(),
    }
}

/// The six orders of three numbers share the histories after none, one and two numbers: 1, 3 and 6
/// of them, and 6 ends.
#[test]
fn a_process_that_cannot_be_copied_is_returned_to_every_history() {
    let counters = Counters::default();
    let counted = Rc::clone(&counters.counted);
    let report = checked(Program(Replayer::new(counters))).expect("it is modelled");
    assert_eq!(report.progress.executions, 6);
    let errors: Vec<_> = report.errors().map(|found| &found.finding).collect();
    assert_eq!(errors, [&crash()]);
    // A process goes on along one order; for each of the others it is started again.
    assert_eq!(counted.started.get(), 6);
    assert_eq!(counted.now.get(), 0, "no process outlives its histories");
}

#[test]
fn the_number_of_waiting_processes_is_limited() {
    for limit in [0, 1, 2] {
        let counters = Counters::default();
        let counted = Rc::clone(&counters.counted);
        let program = Program(Replayer::with_limit(counters, limit));
        let report = checked(program).expect("it is modelled");
        assert_eq!(report.progress.executions, 6);
        // One more may be running while another is about to be stopped.
        let most = limit.max(1) as u64 + 1;
        assert!(counted.most.get() <= most, "{}", counted.most.get());
    }
}

#[test]
fn a_process_that_was_stopped_is_run_again() {
    let counters = Counters::default();
    let counted = Rc::clone(&counters.counted);
    let replayer = Replayer::with_limit(counters, 1);
    let start = || replayer.start("P".into(), &Start::Sum).expect("it waits");
    let (first, second) = (start(), start());
    assert_eq!((counted.started.get(), counted.now.get()), (2, 1));
    let first = replayer.answer(&first, 7).expect("it goes on");
    assert_eq!(counted.started.get(), 3, "the first one had been stopped");
    drop(second);
    assert!(*first.demand() == Wants::Number);
    let asked = replayer.ask(&first, |counter| {
        let total = counter.total;
        (Some(counter), total)
    });
    assert_eq!(asked, Ok(7));
    assert_eq!(counted.started.get(), 3, "it was still waiting");
}

#[test]
fn errors_are_replayed() {
    let program = || Program(Replayer::new(Counters::default()));
    let report = checked(program()).expect("it is modelled");
    let found = report.errors().next().expect("it crashes");
    let driven = drive(program(), &Options::default(), &found.trace.log(), None);
    assert!(driven.expect("it fits").findings.contains(&crash()));
}

#[test]
fn two_different_runs_are_reported_with_both_behaviours() {
    let counters = Counters {
        cheats: true,
        ..Counters::default()
    };
    let replayer = Replayer::new(counters);
    let mut history = replayer.start("P".into(), &Start::Sum).expect("it waits");
    for number in 1..=ADDERS {
        history = replayer.answer(&history, number).expect("it goes on");
    }
    let fault = replayer.check(&history).expect_err("it acts differently");
    let expected = "process P (Sum) after its input 3 (3) first ended with 1123, but ended with 2123 \
                    when it was run again with the same inputs. Does it use the system's time, \
                    random numbers, the order of a hash map, a global variable, or something shared \
                    with other processes?";
    let what = expected.to_owned();
    assert_eq!(fault, Fault::Nondeterminism { what });
}
