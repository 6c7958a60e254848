//! Needs of other kinds of front-ends. Each is shown by a small front-end that uses nothing but the
//! front-end trait, and is compared with brute force:
//!
//! - a process with several mailboxes (*ports*) that waits on some of them, and a port that moves to
//!   another process (`ports`);
//! - a process that waits for a lock or a message, and withdraws its request for the lock if the message
//!   comes first (`alternatives`);
//! - messages identified by their sender and its history, and a process that can only be run together
//!   with its causal past (`pasts`).

use mazurka_engine::{
    CanonicalTrace, Delivery, Execution, Frontend, Observer, Options, SendersFirst, Stopped,
    Timeouts,
};
use mazurka_lab::oracle::brute;
use mazurka_lab::{AlgorithmOptions, explore};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Explores a program and compares with brute force: the same traces, each once. Returns their number
/// and the reports of the executions.
fn compared<F: Frontend>(
    program: &F,
    delivery: Delivery,
    result: impl Fn(&Execution<'_, F>) -> String,
) -> (usize, BTreeSet<String>) {
    let expected = brute(program, delivery, Timeouts::default(), 100_000).expect("a small program");
    let options = Options {
        delivery,
        ..Options::default()
    };
    let mut collect = Collect {
        traces: Vec::new(),
        results: BTreeSet::new(),
        result,
    };
    let by = AlgorithmOptions::default();
    let copy = program.fresh_copy();
    let (stopped, _) =
        explore(copy, SendersFirst, &by, &options, &mut collect).expect("all is modelled");
    assert_eq!(stopped, Stopped::Complete);
    let found: BTreeSet<_> = collect.traces.iter().cloned().collect();
    assert_eq!(found.len(), collect.traces.len(), "a trace was found twice");
    assert_eq!(found, expected, "{delivery}");
    (found.len(), collect.results)
}

struct Collect<R> {
    traces: Vec<CanonicalTrace>,
    results: BTreeSet<String>,
    result: R,
}

impl<F: Frontend, R: Fn(&Execution<'_, F>) -> String> Observer<F> for Collect<R> {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        execution.trace().check().expect("a valid trace");
        self.traces.push(execution.canonical());
        self.results.insert((self.result)(execution));
        ControlFlow::Continue(())
    }
}

/// How the entry process ended, as its trace shows it.
fn end_of_entry<F: Frontend>(execution: &Execution<'_, F>) -> String {
    let trace = execution.trace();
    let last = trace
        .processes
        .values()
        .next()
        .and_then(|events| events.last());
    format!("{last:?}")
}

mod ports {
    //! A mailbox with several ports is a mailbox whose messages name their port: a receive takes those
    //! of the ports that it waits on. A port that can move to another process is a shared object.

    use super::{compared, end_of_entry};
    use mazurka_engine::{
        Answer, Asked, Delivery, Demand, Fault, Frontend, Input, Outcome, Payload, PidTable,
        Reason, Served, SharedObjects, Show, Turn,
    };

    #[derive(Clone, Copy, Debug)]
    enum Step {
        /// Sends a number to a port of the entry process.
        Send { port: u8, number: i64 },
        /// Takes a message from one of these ports, or times out.
        Select { ports: &'static [u8] },
        /// Puts a number into a movable port.
        Put(i64),
        /// Takes one out; waits while it is empty.
        Take,
        /// Passes the movable port on: the other process takes from it from now on.
        PassOn,
        /// Waits for the movable port.
        Obtain,
    }

    #[derive(Clone)]
    struct Program(Vec<Vec<Step>>);

    /// The port on which the movable port is passed on.
    const HANDED: u8 = 99;

    enum Channels {}

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Operation {
        Put(i64),
        Take,
    }

    impl SharedObjects<(u8, i64)> for Channels {
        type Key = ();
        type Operation = Operation;
        type State = Vec<i64>;
        const MAKES_WAIT: bool = true;

        fn key(_: &Operation) {}

        fn is_read(_: &Operation) -> bool {
            false
        }

        fn initial((): &()) -> Vec<i64> {
            Vec::new()
        }

        fn is_ready((): &(), items: &Vec<i64>, request: Asked<'_, Operation>) -> bool {
            *request.operation != Operation::Take || !items.is_empty()
        }

        fn serve(
            (): &(),
            items: &Vec<i64>,
            request: Asked<'_, Operation>,
            _: &[Answer<(u8, i64)>],
        ) -> Served<(), Vec<i64>, (u8, i64)> {
            let (state, answer) = match *request.operation {
                Operation::Put(number) => {
                    let items = items.iter().copied().chain([number]);
                    (items.collect(), Answer::Ok)
                }
                Operation::Take => (items[1..].to_vec(), Answer::Int(items[0])),
            };
            Served::Done {
                state,
                answer,
                publishes: false,
            }
        }

        fn look((): &(), _: &Vec<i64>, _: &Operation) -> Answer<(u8, i64)> {
            unreachable!("nothing reads a channel")
        }

        fn name((): &(), _: &Show<'_, (u8, i64)>) -> String {
            "channel".into()
        }

        fn operation(operation: &Operation, _: &Show<'_, (u8, i64)>) -> String {
            format!("{operation:?}")
        }
    }

    #[derive(Clone)]
    struct At {
        process: usize,
        step: usize,
        taken: Vec<i64>,
    }

    impl Program {
        fn run(&self, mut at: At, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
            while let Some(&step) = self.0[at.process].get(at.step) {
                at.step += 1;
                let receive = |constraint, timeout_ms| Demand::Receive {
                    constraint,
                    timeout_ms,
                };
                let demand = match step {
                    Step::Send { port, number } => {
                        turn.send(PidTable::ENTRY, (port, number));
                        continue;
                    }
                    Step::PassOn => {
                        turn.send(PidTable::ENTRY, (HANDED, 0));
                        continue;
                    }
                    Step::Select { ports } => receive(ports, Some(10)),
                    Step::Obtain => receive(&[HANDED], None),
                    Step::Put(number) => Demand::Ask(Operation::Put(number)),
                    Step::Take => Demand::Ask(Operation::Take),
                };
                return Ok((at, demand));
            }
            let reason = Reason::Stopped((0, at.taken.iter().fold(0, |all, n| 10 * all + n)));
            Ok((at, Demand::Exit(reason)))
        }
    }

    impl Frontend for Program {
        type Value = (u8, i64);
        type Constraint = &'static [u8];
        type Start = usize;
        type State = At;
        type Objects = Channels;

        fn fresh_copy(&self) -> Self {
            self.clone()
        }

        fn entry(&self) -> usize {
            0
        }

        fn start(&self, &process: &usize, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
            if process == 0 {
                for other in 1..self.0.len() {
                    turn.spawn(other);
                }
            }
            let at = At {
                process,
                step: 0,
                taken: Vec::new(),
            };
            self.run(at, turn)
        }

        fn answer(
            &self,
            at: &At,
            input: Input<'_, (u8, i64)>,
            turn: &mut Turn<'_, Self>,
        ) -> Outcome<Self> {
            let mut at = at.clone();
            match input {
                Input::Message(Payload::User((_, number))) => at.taken.push(*number),
                Input::Answer(Answer::Int(number)) => at.taken.push(*number),
                Input::Timeout => at.taken.push(0),
                _ => {}
            }
            self.run(at, turn)
        }

        fn matches(
            &self,
            message: &Payload<(u8, i64)>,
            ports: &&'static [u8],
        ) -> Result<bool, Fault> {
            Ok(matches!(message, Payload::User((port, _)) if ports.contains(port)))
        }
    }

    #[test]
    fn a_process_waits_on_some_of_its_ports() {
        let send = |port, number| Step::Send { port, number };
        let program = Program(vec![
            vec![
                Step::Select { ports: &[1, 2] },
                Step::Select { ports: &[2] },
            ],
            vec![send(1, 1)],
            vec![send(2, 2), send(3, 3)],
        ]);
        for delivery in Delivery::ALL {
            let (traces, results) = compared(&program, delivery, end_of_entry);
            // The first takes 1, 2 or nothing; then the second takes 2 or nothing: 12, 10, 20, 02, 00.
            assert_eq!((traces, results.len()), (5, 5), "{delivery}");
        }
    }

    #[test]
    fn a_port_moves_to_another_process() {
        let program = Program(vec![
            vec![Step::Obtain, Step::Take],
            vec![Step::Put(1), Step::Put(2)],
            vec![Step::Take, Step::PassOn],
        ]);
        for delivery in Delivery::ALL {
            let (traces, results) = compared(&program, delivery, end_of_entry);
            // The first item goes to the first owner, the second one to the entry process. Whether the
            // second one was put before the first was taken makes two orders at the channel.
            assert_eq!((traces, results.len()), (2, 1), "{delivery}");
        }
    }
}

mod alternatives {
    //! A process that waits for a lock, a message or a timeout, whichever comes first. A helper process
    //! waits for the lock and sends a message when it gets it. If another alternative comes first, the
    //! process asks the lock to withdraw the request.

    use super::{compared, end_of_entry};
    use mazurka_engine::{
        Answer, Asked, Delivery, Demand, Fault, Frontend, Input, Outcome, Payload, PidId, PidTable,
        Reason, Served, SharedObjects, Show, Turn,
    };

    #[derive(Clone)]
    struct Program;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Start {
        Main,
        /// Holds the lock for a while.
        Holder,
        /// Waits for the lock on behalf of the entry process.
        Waiter,
        /// Sends a message to the entry process.
        Caller,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Operation {
        Acquire,
        Release,
        /// Withdraws the request of this process. Answers true if it had not been granted.
        Withdraw(PidId),
    }

    #[derive(Clone, Debug, Default)]
    struct Lock {
        holder: Option<PidId>,
        withdrawn: Option<PidId>,
    }

    enum Locks {}

    impl SharedObjects<i64> for Locks {
        type Key = ();
        type Operation = Operation;
        type State = Lock;
        const MAKES_WAIT: bool = true;

        fn key(_: &Operation) {}

        fn is_read(_: &Operation) -> bool {
            false
        }

        fn initial((): &()) -> Lock {
            Lock::default()
        }

        fn is_ready((): &(), lock: &Lock, request: Asked<'_, Operation>) -> bool {
            let is_free = lock.holder.is_none() || lock.withdrawn == Some(request.by);
            *request.operation != Operation::Acquire || is_free
        }

        fn serve(
            (): &(),
            lock: &Lock,
            Asked { by, operation }: Asked<'_, Operation>,
            _: &[Answer<i64>],
        ) -> Served<(), Lock, i64> {
            let mut state = lock.clone();
            let answer = match *operation {
                Operation::Acquire if lock.withdrawn == Some(by) => Answer::Refused,
                Operation::Acquire => {
                    state.holder = Some(by);
                    Answer::Ok
                }
                Operation::Release => {
                    state.holder = None;
                    Answer::Ok
                }
                Operation::Withdraw(waiter) if lock.holder == Some(waiter) => {
                    state.holder = None;
                    Answer::Bool(false)
                }
                Operation::Withdraw(waiter) => {
                    state.withdrawn = Some(waiter);
                    Answer::Bool(true)
                }
            };
            Served::Done {
                state,
                answer,
                publishes: false,
            }
        }

        fn look((): &(), _: &Lock, _: &Operation) -> Answer<i64> {
            unreachable!("nothing reads the lock")
        }

        fn name((): &(), _: &Show<'_, i64>) -> String {
            "lock".into()
        }

        fn operation(operation: &Operation, _: &Show<'_, i64>) -> String {
            format!("{operation:?}")
        }
    }

    const GRANTED: i64 = 1;
    const CALLED: i64 = 2;
    const GAVE_UP: i64 = 3;

    #[derive(Clone, Copy)]
    enum At {
        Selecting { waiter: PidId },
        Withdrawing { because: i64 },
        Releasing { then: i64 },
        Acquiring { passes_on: bool },
        Over,
    }

    type Made = Outcome<Program>;

    fn ends(result: i64) -> Made {
        Ok((At::Over, Demand::Exit(Reason::Stopped(result))))
    }

    impl Frontend for Program {
        type Value = i64;
        type Constraint = ();
        type Start = Start;
        type State = At;
        type Objects = Locks;

        fn fresh_copy(&self) -> Self {
            Program
        }

        fn entry(&self) -> Start {
            Start::Main
        }

        fn start(&self, start: &Start, turn: &mut Turn<'_, Self>) -> Made {
            let acquire = |passes_on| {
                let at = At::Acquiring { passes_on };
                Ok((at, Demand::Ask(Operation::Acquire)))
            };
            match start {
                Start::Main => {
                    turn.spawn(Start::Holder);
                    turn.spawn(Start::Caller);
                    let waiter = turn.spawn(Start::Waiter);
                    let select = Demand::Receive {
                        constraint: (),
                        timeout_ms: Some(10),
                    };
                    Ok((At::Selecting { waiter }, select))
                }
                Start::Holder => acquire(false),
                Start::Waiter => acquire(true),
                Start::Caller => {
                    turn.send(PidTable::ENTRY, CALLED);
                    ends(0)
                }
            }
        }

        fn answer(&self, at: &At, input: Input<'_, i64>, turn: &mut Turn<'_, Self>) -> Made {
            let release = |then| {
                let at = At::Releasing { then };
                Ok((at, Demand::Ask(Operation::Release)))
            };
            match (*at, input) {
                (At::Selecting { .. }, Input::Message(Payload::User(GRANTED))) => release(GRANTED),
                (At::Selecting { waiter }, input) => {
                    let because = match input {
                        Input::Timeout => GAVE_UP,
                        _ => CALLED,
                    };
                    let at = At::Withdrawing { because };
                    Ok((at, Demand::Ask(Operation::Withdraw(waiter))))
                }
                // The request was withdrawn, or it had been granted and the lock is free again.
                (At::Withdrawing { because }, Input::Answer(Answer::Bool(in_time))) => {
                    ends(10 * because + i64::from(*in_time))
                }
                (At::Acquiring { passes_on: true }, Input::Answer(answer)) => {
                    if *answer == Answer::Ok {
                        turn.send(PidTable::ENTRY, GRANTED);
                    }
                    ends(0)
                }
                (At::Acquiring { .. }, _) => release(0),
                (At::Releasing { then }, _) => ends(then),
                _ => unreachable!("no other demand is made"),
            }
        }

        fn matches(&self, _: &Payload<i64>, (): &()) -> Result<bool, Fault> {
            Ok(true)
        }
    }

    #[test]
    fn a_demand_with_alternatives_is_withdrawn() {
        for delivery in Delivery::ALL {
            let (_, results) = compared(&Program, delivery, end_of_entry);
            // Granted; or a message or a timeout, each with the request withdrawn in time or too late.
            assert_eq!(results.len(), 5, "{delivery}: {results:?}");
        }
    }
}

mod pasts {
    //! A process that cannot be run alone: to make a step, its whole causal past is run again. The
    //! front-end needs no help from the engine for that. A payload is identified by its sender and
    //! contains the history of its sender, so the past of a step is found from its inputs.

    use super::{compared, end_of_entry};
    use mazurka_engine::{
        Delivery, Demand, Fault, Frontend, Input, NoObjects, Outcome, Payload, PidId, PidTable,
        Reason, Turn,
    };
    use std::cell::Cell;
    use std::hash::{Hash, Hasher};
    use std::rc::Rc;

    /// The inputs of a process, the newest first.
    #[derive(Debug, PartialEq, Eq)]
    struct History {
        process: PidId,
        role: Role,
        input: Option<(Sent, Rc<History>)>,
    }

    /// A message. Its content is computed by running its sender again, so two messages are equal if the
    /// same process sent them after the same history.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Sent {
        sender: PidId,
        nth: usize,
        by: Rc<History>,
    }

    impl Hash for Sent {
        fn hash<H: Hasher>(&self, hasher: &mut H) {
            (self.sender, self.nth).hash(hasher);
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Role {
        /// Adds up what it receives.
        Adder,
        /// Sends the double of the first number that it receives to the adder.
        Doubler,
        /// Sends a number to the adder and to the doubler.
        Source { number: i64, doubler: PidId },
    }

    #[derive(Clone, Default)]
    struct Program {
        /// Number of steps of other processes that were run again.
        runs: Rc<Cell<usize>>,
    }

    impl Program {
        /// The sum of the numbers that a process received in this history. Runs its causal past again.
        fn sum(&self, history: &History) -> i64 {
            self.runs.set(self.runs.get() + 1);
            match &history.input {
                None => 0,
                Some((sent, before)) => self.sum(before) * 10 + self.content(sent),
            }
        }

        fn content(&self, sent: &Sent) -> i64 {
            match sent.by.role {
                Role::Source { number, .. } => number,
                Role::Doubler => 2 * self.sum(&sent.by),
                Role::Adder => unreachable!("it sends nothing"),
            }
        }

        fn wait(history: Rc<History>) -> Outcome<Self> {
            let receive = Demand::Receive {
                constraint: (),
                timeout_ms: None,
            };
            Ok((history, receive))
        }
    }

    impl Frontend for Program {
        type Value = Sent;
        type Constraint = ();
        type Start = Role;
        type State = Rc<History>;
        type Objects = NoObjects;

        fn fresh_copy(&self) -> Self {
            Program::default()
        }

        fn entry(&self) -> Role {
            Role::Adder
        }

        fn start(&self, role: &Role, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
            let history = Rc::new(History {
                process: turn.me(),
                role: *role,
                input: None,
            });
            match role {
                Role::Adder => {
                    let doubler = turn.spawn(Role::Doubler);
                    for number in [1, 2] {
                        turn.spawn(Role::Source { number, doubler });
                    }
                    Self::wait(history)
                }
                Role::Doubler => Self::wait(history),
                Role::Source { doubler, .. } => {
                    let sent = Sent {
                        sender: turn.me(),
                        nth: 0,
                        by: Rc::clone(&history),
                    };
                    turn.send(PidTable::ENTRY, sent.clone());
                    turn.send(*doubler, sent);
                    Ok((history, Demand::Exit(Reason::Normal)))
                }
            }
        }

        fn answer(
            &self,
            before: &Rc<History>,
            input: Input<'_, Sent>,
            turn: &mut Turn<'_, Self>,
        ) -> Outcome<Self> {
            let Input::Message(Payload::User(sent)) = input else {
                unreachable!("only messages are received")
            };
            let history = Rc::new(History {
                process: before.process,
                role: before.role,
                input: Some((sent.clone(), Rc::clone(before))),
            });
            match history.role {
                Role::Doubler => {
                    let by = Rc::clone(&history);
                    let sender = history.process;
                    turn.send(PidTable::ENTRY, Sent { sender, nth: 0, by });
                    Ok((history, Demand::Exit(Reason::Normal)))
                }
                Role::Adder
                    if before
                        .input
                        .as_ref()
                        .is_some_and(|(_, b)| b.input.is_some()) =>
                {
                    let sum = self.sum(&history);
                    let by = Rc::clone(&history);
                    let shown = Sent {
                        sender: history.process,
                        nth: usize::try_from(sum).expect("positive"),
                        by,
                    };
                    Ok((history, Demand::Exit(Reason::Stopped(shown))))
                }
                _ => Self::wait(history),
            }
        }

        fn matches(&self, _: &Payload<Sent>, (): &()) -> Result<bool, Fault> {
            Ok(true)
        }
    }

    #[test]
    fn a_process_is_run_together_with_its_causal_past() {
        let program = Program::default();
        let (traces, results) = compared(&program, Delivery::P2p, end_of_entry);
        assert_eq!(results.len(), traces, "every order gives another sum");
        assert!(program.runs.get() > 0, "brute force runs this copy");
    }
}
