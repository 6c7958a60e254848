//! A front-end that implements only the required methods of the trait: its programs are explored,
//! reported and replayed. Also: faults of a front-end that cannot decide whether a message matches.

use mazurka_engine::{
    Delivery, Demand, Direction, DriveError, Fault, Finding, Frontend, Hunter, Input, Kind,
    NoObjects, Options, Outcome, Payload, PidTable, Progress, Reason, Report, Sampler, Sampling,
    SendersFirst, Settings, Stopped, Strategy, Turn, check, drive, hunt,
};
use mazurka_lab::Algorithm;
use std::ops::ControlFlow;

/// Two runners report to a referee. If the first one is faster, the referee crashes; otherwise it
/// waits for a runner that does not exist.
#[derive(Clone, Default)]
struct Race {
    /// What happens when a message is matched against [`Wanted::Only`].
    fault: Option<Fault>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Start {
    Referee,
    Runner(u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Finished(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Wanted {
    Anyone,
    Only(u32),
}

fn receive(constraint: Wanted) -> Demand<Finished, Wanted> {
    Demand::Receive {
        constraint,
        timeout_ms: None,
    }
}

impl Frontend for Race {
    type Value = Finished;
    type Constraint = Wanted;
    type Start = Start;
    type State = ();
    type Objects = NoObjects;

    fn fresh_copy(&self) -> Self {
        self.clone()
    }

    fn entry(&self) -> Start {
        Start::Referee
    }

    fn start(&self, start: &Start, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        let demand = match *start {
            Start::Referee => {
                turn.spawn(Start::Runner(1));
                turn.spawn(Start::Runner(2));
                receive(Wanted::Anyone)
            }
            Start::Runner(number) => {
                turn.send(PidTable::ENTRY, Finished(number));
                Demand::Exit(Reason::Normal)
            }
        };
        Ok(((), demand))
    }

    fn answer(&self, (): &(), input: Input<'_, Finished>, _: &mut Turn<'_, Self>) -> Outcome<Self> {
        let demand = match input {
            Input::Message(Payload::User(Finished(1))) => Demand::Exit(Reason::Crash(Finished(1))),
            Input::Message(_) => receive(Wanted::Only(9)),
            Input::Timeout | Input::Answer(_) => unreachable!("it demands nothing else"),
        };
        Ok(((), demand))
    }

    fn matches(&self, message: &Payload<Finished>, wanted: &Wanted) -> Result<bool, Fault> {
        match (wanted, &self.fault) {
            (Wanted::Anyone, _) => Ok(true),
            (Wanted::Only(_), Some(fault)) => Err(fault.clone()),
            (Wanted::Only(number), None) => Ok(*message == Payload::User(Finished(*number))),
        }
    }
}

fn settings(explore: Options) -> Settings {
    Settings {
        explore,
        keep_going: true,
        ..Settings::default()
    }
}

fn checked(race: Race, explore: Options) -> Result<Report, Fault> {
    let go_on = |_: &Progress| ControlFlow::Continue(());
    check(race, SendersFirst, &settings(explore), go_on)
}

fn errors(report: &Report) -> Vec<Finding> {
    let errors = report.errors().map(|found| found.finding.clone());
    errors.collect()
}

/// The findings of the referee, shown by the `Debug` forms of its values.
fn crash_and_deadlock() -> [Finding; 2] {
    let finding = |kind, message: &str| Finding {
        kind,
        process: "P".into(),
        role: Some("Referee".into()),
        message: message.into(),
    };
    [
        finding(Kind::Crash, "Finished(1)"),
        finding(Kind::Deadlock, "waits for ever for Only(9)"),
    ]
}

#[test]
fn it_is_explored_and_reported() {
    for delivery in Delivery::ALL {
        let options = Options {
            delivery,
            ..Options::default()
        };
        let report = checked(Race::default(), options).expect("it is modelled");
        assert_eq!(report.stopped, Stopped::Complete, "{delivery}");
        assert_eq!(report.progress.executions, 2, "{delivery}");
        assert_eq!(errors(&report), crash_and_deadlock(), "{delivery}");
    }
}

#[test]
fn its_errors_are_replayed() {
    let options = Options::default();
    let report = checked(Race::default(), options.clone()).expect("it is modelled");
    for found in report.errors() {
        let driven = drive(Race::default(), &options, &found.trace.log(), None)
            .expect("the log is one of the program's");
        assert_eq!(driven.trace, *found.trace);
        assert!(driven.findings.contains(&found.finding), "{driven:?}");
    }
}

fn unsupported() -> Fault {
    Fault::Unsupported {
        what: "a test of a message".into(),
    }
}

fn faulty(fault: Fault) -> Race {
    Race { fault: Some(fault) }
}

#[test]
fn every_algorithm_fails_with_the_fault_of_a_match() {
    for algorithm in Algorithm::ALL {
        for delivery in Delivery::ALL {
            let settings = settings(Options {
                delivery,
                ..Options::default()
            });
            let program = faulty(unsupported());
            let go_on = |_: &Progress| ControlFlow::Continue(());
            let by = algorithm.into();
            let checked = mazurka_lab::check(program, SendersFirst, &by, &settings, go_on);
            // If errors were found before the fault, there is a report, which contains the fault.
            let fault = match checked {
                Ok(report) => report.fault,
                Err(fault) => Some(fault),
            };
            assert_eq!(fault, Some(unsupported()), "{algorithm} under {delivery}");
        }
    }
}

#[test]
fn samples_hunts_and_replays_fail_with_the_fault_of_a_match() {
    let sampling = Options {
        sampling: Some(Sampling {
            executions: 100,
            sampler: Sampler::Uniform,
            seed: 1,
        }),
        ..Options::default()
    };
    let fault = checked(faulty(unsupported()), sampling).expect_err("it cannot be matched");
    assert_eq!(fault, unsupported());

    let hunter = Hunter {
        strategy: Strategy::Dfs,
        direction: Direction::default(),
    };
    let settings = settings(Options::default());
    let go_on = |_: &Progress| ControlFlow::Continue(());
    let fault = hunt(&faulty(unsupported()), &[hunter], &settings, go_on)
        .expect_err("it cannot be matched");
    assert_eq!(fault, unsupported());

    let report = checked(Race::default(), Options::default()).expect("it is modelled");
    let is_deadlock = |found: &&mazurka_engine::Found| found.finding.kind == Kind::Deadlock;
    let deadlock = report.errors().find(is_deadlock).expect("it is found");
    let options = Options::default();
    let driven = drive(faulty(unsupported()), &options, &deadlock.trace.log(), None);
    match driven.expect_err("it cannot be matched") {
        DriveError::Fault(fault) => assert_eq!(fault, unsupported()),
        DriveError::Mismatch(departure) => panic!("{departure}"),
    }
}

#[test]
fn what_was_found_before_an_interrupted_match_is_kept() {
    let interrupted = Fault::Interrupted {
        what: "a match".into(),
    };
    let report = checked(faulty(interrupted), Options::default()).expect("findings are kept");
    assert_eq!(report.interrupted.as_deref(), Some("a match"));
    assert_eq!(report.stopped, Stopped::Observer);
    assert_eq!(errors(&report), crash_and_deadlock()[..1]);
}
