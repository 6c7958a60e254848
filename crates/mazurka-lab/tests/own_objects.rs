//! A front-end that brings shared objects of its own: logs that can read each other, locks, and queues
//! of limited length. Exploration finds the traces of brute force, each once.

use mazurka_engine::{
    Answer, Asked, Delivery, Demand, DemandOf, Execution, Fault, Frontend, Input, Kind, Observer,
    Options, Outcome, Payload, PidId, PidTable, Progress, Reading, Reason, SendersFirst, Served,
    Settings, SharedObjects, Show, Source, Stopped, Timeouts, Turn, check,
};
use mazurka_lab::oracle::{CanonicalTrace, brute, mix};
use mazurka_lab::{Algorithm, explore};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A program: the steps of each process. The first one is the entry process, which spawns the others.
/// If it is `FULL`, it may have locks and queues, which make processes wait, and logs that read each
/// other. The published algorithms support neither.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Workshop<const FULL: bool> {
    processes: Vec<Vec<Step>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Ask(Operation),
    /// Sends a number to the entry process.
    Send(i64),
    Receive,
    /// Leaves out the next step if the last input was odd.
    SkipIfOdd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    /// Appends to a log; answers its length.
    Append(u8, i64),
    /// The length of a log.
    Length(u8),
    /// The item of a log at this place.
    Item(u8, usize),
    /// The lengths of two logs at one moment.
    Lengths(u8, u8),
    /// Appends to the first log the length of the second one.
    Note(u8, u8),
    /// Appends to the first log the length of the second one, if that is odd.
    NoteIfOdd(u8, u8),
    /// Waits until no process holds the lock.
    Lock(u8),
    Unlock(u8),
    /// The process that holds the lock.
    Holder(u8),
    /// Waits until the queue is not full.
    Push(u8, i64),
    /// Waits until the queue is not empty.
    Pop(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Log(u8),
    Lock(u8),
    Queue(u8),
}

#[derive(Clone, Debug)]
enum State {
    Log(Vec<i64>),
    Lock(Option<PidId>),
    Queue(Vec<i64>),
}

/// The number of items that a queue can hold.
const CAPACITY: usize = 1;

enum Tools<const FULL: bool> {}

impl<const FULL: bool> SharedObjects<i64> for Tools<FULL> {
    type Key = Key;
    type Operation = Operation;
    type State = State;

    const MAKES_WAIT: bool = FULL;

    fn key(operation: &Operation) -> Key {
        match *operation {
            Operation::Append(log, _)
            | Operation::Length(log)
            | Operation::Item(log, _)
            | Operation::Lengths(log, _)
            | Operation::Note(log, _)
            | Operation::NoteIfOdd(log, _) => Key::Log(log),
            Operation::Lock(lock) | Operation::Unlock(lock) | Operation::Holder(lock) => {
                Key::Lock(lock)
            }
            Operation::Push(queue, _) | Operation::Pop(queue) => Key::Queue(queue),
        }
    }

    fn is_read(operation: &Operation) -> bool {
        matches!(
            operation,
            Operation::Length(_)
                | Operation::Item(..)
                | Operation::Lengths(..)
                | Operation::Holder(_)
        )
    }

    fn initial(key: &Key) -> State {
        match key {
            Key::Log(_) => State::Log(Vec::new()),
            Key::Lock(_) => State::Lock(None),
            Key::Queue(_) => State::Queue(Vec::new()),
        }
    }

    fn is_ready(_: &Key, state: &State, request: Asked<'_, Operation>) -> bool {
        match (state, request.operation) {
            (State::Lock(holder), Operation::Lock(_)) => holder.is_none(),
            (State::Queue(items), Operation::Push(..)) => items.len() < CAPACITY,
            (State::Queue(items), Operation::Pop(_)) => !items.is_empty(),
            _ => true,
        }
    }

    fn serve(
        _: &Key,
        state: &State,
        Asked { by, operation }: Asked<'_, Operation>,
        seen: &[Answer<i64>],
    ) -> Served<Key, State, i64> {
        let read = |log| Served::Read(Source::Object(Key::Log(log)));
        match (state, *operation, seen) {
            (State::Log(items), Operation::Append(_, item), _) => appended(items, Some(item)),
            (State::Log(_), Operation::Note(_, from), []) => read(from),
            (State::Log(items), Operation::Note(..), [Answer::Int(length)]) => {
                appended(items, Some(*length))
            }
            (State::Log(_), Operation::NoteIfOdd(_, from), []) => read(from),
            (State::Log(items), Operation::NoteIfOdd(..), [Answer::Int(length)]) => {
                appended(items, (length % 2 != 0).then_some(*length))
            }
            (State::Lock(None), Operation::Lock(_), _) => {
                changed(State::Lock(Some(by)), Answer::Ok)
            }
            (State::Lock(holder), Operation::Unlock(_), _) => match *holder == Some(by) {
                true => changed(State::Lock(None), Answer::Ok),
                false => Served::Done {
                    state: state.clone(),
                    answer: Answer::Refused,
                    publishes: false,
                },
            },
            (State::Queue(items), Operation::Push(_, item), _) => {
                let items = items.iter().copied().chain([item]);
                changed(State::Queue(items.collect()), Answer::Ok)
            }
            (State::Queue(items), Operation::Pop(_), _) => {
                changed(State::Queue(items[1..].to_vec()), Answer::Int(items[0]))
            }
            _ => unreachable!("{operation:?} in {state:?}"),
        }
    }

    fn look(_: &Key, state: &State, operation: &Operation) -> Answer<i64> {
        match (state, operation) {
            (State::Log(items), Operation::Item(_, at)) => Answer::Value(items.get(*at).copied()),
            (State::Log(items), _) => length(items),
            (State::Lock(holder), _) => Answer::Pid(*holder),
            (State::Queue(_), _) => unreachable!("queues are not read"),
        }
    }

    fn read(operation: &Operation, seen: &[Answer<i64>]) -> Reading<Key, i64> {
        match (*operation, seen) {
            (operation, []) => Reading::Read(Source::Object(Self::key(&operation))),
            (Operation::Lengths(_, other), [_]) => Reading::Read(Source::Object(Key::Log(other))),
            (Operation::Lengths(..), [Answer::Int(a), Answer::Int(b)]) => {
                Reading::Done(Answer::Int(10 * a + b))
            }
            (_, [.., last]) => Reading::Done(last.clone()),
        }
    }

    fn name(key: &Key, _: &Show<'_, i64>) -> String {
        match key {
            Key::Log(n) => format!("log {n}"),
            Key::Lock(n) => format!("lock {n}"),
            Key::Queue(n) => format!("queue {n}"),
        }
    }

    fn operation(operation: &Operation, _: &Show<'_, i64>) -> String {
        format!("{operation:?}")
    }
}

fn appended(items: &[i64], item: Option<i64>) -> Served<Key, State, i64> {
    let items: Vec<i64> = items.iter().copied().chain(item).collect();
    Served::Done {
        answer: length(&items),
        state: State::Log(items),
        publishes: item.is_some(),
    }
}

fn changed(state: State, answer: Answer<i64>) -> Served<Key, State, i64> {
    Served::Done {
        state,
        answer,
        publishes: true,
    }
}

fn length(items: &[i64]) -> Answer<i64> {
    Answer::Int(i64::try_from(items.len()).expect("a short log"))
}

#[derive(Clone)]
struct At {
    process: usize,
    step: usize,
    last: i64,
}

impl<const FULL: bool> Workshop<FULL> {
    fn run(&self, mut at: At, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        while let Some(&step) = self.processes[at.process].get(at.step) {
            at.step += 1;
            let demand: DemandOf<Self> = match step {
                Step::Ask(operation) => Demand::Ask(operation),
                Step::Receive => Demand::Receive {
                    constraint: (),
                    timeout_ms: None,
                },
                Step::Send(number) => {
                    turn.send(PidTable::ENTRY, number);
                    continue;
                }
                Step::SkipIfOdd => {
                    at.step += usize::from(at.last % 2 != 0);
                    continue;
                }
            };
            return Ok((at, demand));
        }
        Ok((at, Demand::Exit(Reason::Normal)))
    }
}

impl<const FULL: bool> Frontend for Workshop<FULL> {
    type Value = i64;
    type Constraint = ();
    type Start = usize;
    type State = At;
    type Objects = Tools<FULL>;

    fn fresh_copy(&self) -> Self {
        self.clone()
    }

    fn entry(&self) -> usize {
        0
    }

    fn start(&self, &process: &usize, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        if process == 0 {
            for other in 1..self.processes.len() {
                turn.spawn(other);
            }
        }
        let at = At {
            process,
            step: 0,
            last: 0,
        };
        self.run(at, turn)
    }

    fn answer(&self, at: &At, input: Input<'_, i64>, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        let last = match input {
            Input::Message(Payload::User(number)) => *number,
            Input::Answer(Answer::Int(number) | Answer::Value(Some(number))) => *number,
            Input::Answer(Answer::Pid(holder)) => i64::from(holder.is_some()),
            Input::Answer(answer) => i64::from(*answer == Answer::Ok),
            other => unreachable!("{other:?}"),
        };
        self.run(At { last, ..at.clone() }, turn)
    }

    fn matches(&self, _: &Payload<i64>, (): &()) -> Result<bool, Fault> {
        Ok(true)
    }
}

#[derive(Default)]
struct Collect(Vec<CanonicalTrace>);

impl<const FULL: bool> Observer<Workshop<FULL>> for Collect {
    fn execution(&mut self, execution: &Execution<'_, Workshop<FULL>>) -> ControlFlow<()> {
        // The trace must be valid by the rules of the kernel.
        execution.trace().check().expect("a valid trace");
        self.0.push(execution.canonical());
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.0.clear();
    }
}

/// The number of traces. Checks that exploration finds those of brute force, each once. `None` if the
/// program is too large for brute force.
fn traces<const FULL: bool>(program: &Workshop<FULL>, delivery: Delivery) -> Option<usize> {
    let expected = brute(program, delivery, Timeouts::default(), 20_000).ok()?;
    let algorithms = match FULL {
        true => &[Algorithm::Optimal][..],
        false => &Algorithm::ALL,
    };
    for &algorithm in algorithms {
        let options = Options {
            delivery,
            max_executions: Some(5_000),
            ..Options::default()
        };
        let mut collect = Collect::default();
        let (stopped, _) = explore(
            program.clone(),
            SendersFirst,
            &algorithm.into(),
            &options,
            &mut collect,
        )
        .expect("all is modelled");
        let what = || format!("{algorithm} under {delivery}: {program:?}");
        let found: BTreeSet<_> = collect.0.iter().cloned().collect();
        if stopped == Stopped::Complete {
            let missing: Vec<_> = expected.difference(&found).collect();
            assert!(missing.is_empty(), "missing {missing:#?}\n{}", what());
        }
        let invented: Vec<_> = found.difference(&expected).collect();
        assert!(invented.is_empty(), "invented {invented:#?}\n{}", what());
        if algorithm == Algorithm::Optimal {
            assert_eq!(found.len(), collect.0.len(), "a trace twice\n{}", what());
        }
    }
    Some(expected.len())
}

#[track_caller]
fn check_traces<const FULL: bool>(processes: &[&[Operation]], expected: usize) {
    let steps = |process: &&[Operation]| process.iter().copied().map(Step::Ask).collect();
    let program = Workshop::<FULL> {
        processes: processes.iter().map(steps).collect(),
    };
    for delivery in Delivery::ALL {
        let found = traces(&program, delivery);
        assert_eq!(found, Some(expected), "{program:?} under {delivery}");
    }
}

#[test]
fn logs() {
    use Operation::{Append, Item, Length, Lengths, Note, NoteIfOdd};
    check_traces::<false>(&[&[Append(1, 5)], &[Append(2, 5)]], 1);
    check_traces::<false>(&[&[Append(1, 5)], &[Append(1, 6)]], 2);
    check_traces::<false>(&[&[Length(1)], &[Item(1, 0)], &[Append(1, 5)]], 4);
    // The appends to different logs are concurrent: the reader sees neither, one, the other, or both.
    check_traces::<false>(&[&[Lengths(1, 2)], &[Append(1, 5)], &[Append(2, 5)]], 4);
    // One process appends to both in this order, so that (0, 1) is impossible.
    check_traces::<false>(&[&[Lengths(1, 2)], &[Append(1, 5), Append(2, 5)]], 3);
    check_traces::<false>(&[&[Lengths(2, 1)], &[Append(1, 5), Append(2, 5)]], 3);
    // Each of two logs notes the length of the other: one of them comes first.
    check_traces::<true>(&[&[Note(1, 2)], &[Note(2, 1)]], 2);
    check_traces::<true>(&[&[Note(1, 2)], &[Note(2, 1)], &[Length(1)]], 4);
    check_traces::<true>(&[&[NoteIfOdd(1, 2)], &[NoteIfOdd(2, 1)]], 1);
    check_traces::<true>(&[&[NoteIfOdd(1, 2)], &[Append(2, 5)], &[Length(1)]], 3);
}

#[test]
fn a_lock_is_granted_to_one_process_at_a_time() {
    use Operation::{Append, Holder, Lock, Unlock};
    check_traces::<true>(&[&[Lock(1), Unlock(1)], &[Lock(1), Unlock(1)]], 2);
    let section = [Lock(1), Append(1, 5), Append(2, 5), Unlock(1)];
    // 2 orders of the sections, not 2 for each of the two logs.
    check_traces::<true>(&[&section, &section], 2);
    check_traces::<true>(&[&section, &section, &section], 6);
    check_traces::<true>(&[&[Lock(1), Unlock(1)], &[Holder(1)]], 3);
    // The first process keeps the lock, and the other waits for ever.
    check_traces::<true>(&[&[Lock(1)], &[Lock(1)]], 2);
}

#[test]
fn queues_of_limited_length() {
    use Operation::{Pop, Push};
    check_traces::<true>(&[&[Pop(1)], &[Push(1, 5)]], 1);
    check_traces::<true>(&[&[Pop(1), Pop(1)], &[Push(1, 5), Push(1, 6)]], 1);
    check_traces::<true>(&[&[Pop(1), Pop(1)], &[Push(1, 5)], &[Push(1, 6)]], 2);
    check_traces::<true>(&[&[Pop(1)], &[Pop(1)], &[Push(1, 5), Push(1, 6)]], 2);
}

#[test]
fn locks_in_opposite_orders_deadlock() {
    let take = |first, second| {
        let operations = [
            Operation::Lock(first),
            Operation::Lock(second),
            Operation::Unlock(second),
            Operation::Unlock(first),
        ];
        operations.map(Step::Ask).to_vec()
    };
    let program = Workshop::<true> {
        processes: vec![take(1, 2), take(2, 1)],
    };
    let settings = Settings {
        keep_going: true,
        ..Settings::default()
    };
    let report = check(program, SendersFirst, &settings, |_: &Progress| {
        ControlFlow::Continue(())
    })
    .expect("all is modelled");
    let errors: Vec<_> = report
        .errors()
        .map(|found| (found.finding.kind, found.finding.message.as_str()))
        .collect();
    let waits = "waits for ever for an answer";
    assert_eq!(errors, [(Kind::Deadlock, waits), (Kind::Stuck, waits)]);
}

/// A random program of two to four processes.
fn random<const FULL: bool>(seed: u64) -> Workshop<FULL> {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = mix(state.wrapping_add(0x9e37_79b9_7f4a_7c15));
        (state >> 11) % below
    };
    let mut processes = Vec::new();
    for process in 0..2 + draw(3) {
        let steps = 1 + draw(3);
        let step = |_| {
            let [a, b, c] = [draw(2), draw(2), draw(3)].map(|n| n as u8);
            match draw(if FULL { 17 } else { 8 }) {
                0 | 1 => Step::Ask(Operation::Append(a, 3)),
                2 => Step::Ask(Operation::Length(a)),
                3 => Step::Ask(Operation::Item(a, 0)),
                4 => Step::Ask(Operation::Lengths(a, b)),
                5 => Step::SkipIfOdd,
                6 | 7 if process == 0 => Step::Receive,
                6 | 7 => Step::Send(i64::from(a)),
                8 | 9 => Step::Ask(Operation::Note(c, (c + 1 + a) % 3)),
                10 | 11 => Step::Ask(Operation::NoteIfOdd(c, (c + 1 + a) % 3)),
                12 => Step::Ask(Operation::Lock(a)),
                13 => Step::Ask(Operation::Unlock(a)),
                14 => Step::Ask(Operation::Holder(a)),
                15 => Step::Ask(Operation::Push(a, 4)),
                _ => Step::Ask(Operation::Pop(a)),
            }
        };
        processes.push((0..steps).map(step).collect());
    }
    Workshop { processes }
}

fn check_random<const FULL: bool>(programs: u64) {
    let mut most = 0;
    let mut compared = 0;
    for seed in 0..programs {
        let delivery = Delivery::ALL[seed as usize % Delivery::ALL.len()];
        if let Some(found) = traces(&random::<FULL>(seed), delivery) {
            compared += 1;
            most = most.max(found);
        }
    }
    assert!(compared * 10 > programs * 8, "{compared} programs compared");
    assert!(most > 20, "the most traces of one program: {most}");
}

#[test]
fn random_programs() {
    check_random::<false>(200);
}

#[test]
fn random_programs_that_wait_or_whose_logs_read_each_other() {
    check_random::<true>(400);
}

#[test]
fn the_published_algorithms_refuse_what_they_do_not_support() {
    fn refusal<const FULL: bool>(operation: Operation, algorithm: Algorithm) -> String {
        let program = Workshop::<FULL> {
            processes: vec![vec![Step::Ask(operation)]],
        };
        let by = algorithm.into();
        let options = Options::default();
        let mut collect = Collect::default();
        let refused = explore(program, SendersFirst, &by, &options, &mut collect);
        refused.expect_err("not supported").to_string()
    }
    for algorithm in Algorithm::ALL {
        if algorithm != Algorithm::Optimal {
            let waits = refusal::<true>(Operation::Lock(1), algorithm);
            assert!(waits.contains("make requests wait"), "{algorithm}: {waits}");
            let reads = refusal::<false>(Operation::Note(1, 2), algorithm);
            assert!(reads.contains("reads another one"), "{algorithm}: {reads}");
        }
    }
}
