//! Scripted programs: short straight-line processes over small integers, for random tests.

use mazurka_engine::objects::Standard;
use mazurka_engine::{Answer, LivenessOperation, Operation};
use mazurka_engine::{Demand, DemandOf, Describe, Fault, Frontend, Hints, Input, Outcome, Turn};
use mazurka_engine::{Payload, Reason};
use mazurka_engine::{PidId, PidTable};
use std::rc::Rc;

/// A program: what each role does. Role 0 is the entry process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The instructions of each role.
    pub roles: Vec<Vec<Instruction>>,
}

/// A process, among those that the running process knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// By index, modulo their number: 0 is the process itself, 1 its parent or, in the entry process,
    /// its first child.
    Known(usize),
    /// The last input is the index.
    ByLast,
}

/// A number to send or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// This number.
    Constant(i64),
    /// The last input plus this number, modulo 8.
    LastPlus(i64),
}

/// Which messages a receive takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// All.
    Any,
    /// This number.
    Equals(i64),
    /// This number or a higher one.
    AtLeast(i64),
    /// An odd number.
    Odd,
    /// An exit signal or a `Down` message.
    ExitOrDown,
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Instruction {
    Spawn {
        role: usize,
        link: bool,
        monitor: bool,
    },
    Send {
        to: Target,
        value: Term,
    },
    /// Send, and wait until that is received.
    HandOver {
        to: Target,
        value: Term,
    },
    Receive {
        pattern: Pattern,
        timeout_ms: Option<u64>,
    },
    /// Choose a number below this one as the last input.
    Choose(u32),
    /// Perhaps be disturbed, at most this often in an execution: the last input is 1, otherwise 0.
    Disturb(u32),
    /// Skip this many instructions if the last input was odd.
    SkipIfOdd(usize),
    /// From now on it is a daemon.
    Daemon,
    /// If the last receive timed out, continue with the instruction at this index.
    AgainAfterTimeout(usize),
    Exit,
    Crash,
    Kill(Target),
    Stop(Target),
    SignalNormal(Target),
    TrapExit(bool),
    Link(Target),
    Unlink(Target),
    Links,
    Monitor(Target),
    Demonitor(Target),
    Flush(Target),
    Notify(Target),
    IsAlive(Target),
    Register {
        name: i64,
        target: Target,
    },
    Unregister {
        name: i64,
    },
    WhereIs {
        name: i64,
    },
    Put {
        key: i64,
        value: Term,
    },
    PutNew {
        key: i64,
        value: Term,
    },
    Take {
        key: i64,
    },
    Get {
        key: i64,
    },
    Add {
        counter: i64,
        amount: i64,
    },
    Count {
        counter: i64,
    },
}

/// How a scripted process is started.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    role: usize,
    known: Vec<PidId>,
    last: i64,
}

/// The state of a scripted process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    role: usize,
    at: usize,
    last: i64,
    known: Rc<Vec<PidId>>,
    /// The processes that it has monitored. References are numbered from 1 in this order.
    monitored: Rc<Vec<PidId>>,
}

const TABLE: i64 = 0;

/// The number that stands for a timeout as an input.
const TIMED_OUT: i64 = -1;

impl State {
    /// The reference of the last monitor of a process; 0 if there was none.
    fn last_monitor_of(&self, pid: PidId) -> u64 {
        let at = self.monitored.iter().rposition(|&known| known == pid);
        at.map_or(0, |at| at as u64 + 1)
    }
}

impl Script {
    fn run(&self, mut state: State, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        let instructions = &self.roles[state.role];
        while let Some(&instruction) = instructions.get(state.at) {
            state.at += 1;
            if let Some(demand) = self.execute(&mut state, instruction, turn) {
                return Ok((state, demand));
            }
        }
        Ok((state, Demand::Exit(Reason::Normal)))
    }

    fn execute(
        &self,
        state: &mut State,
        instruction: Instruction,
        turn: &mut Turn<'_, Self>,
    ) -> Option<DemandOf<Self>> {
        let pid = |target| match target {
            Target::Known(n) => state.known[n % state.known.len()],
            Target::ByLast => state.known[state.last.unsigned_abs() as usize % state.known.len()],
        };
        let number = |term| match term {
            Term::Constant(n) => n,
            Term::LastPlus(n) => (state.last + n).rem_euclid(8),
        };
        let ask = |operation| Some(Demand::Ask(operation));
        let liveness = |operation| Some(Demand::Liveness(operation));
        match instruction {
            Instruction::Spawn {
                role,
                link,
                monitor,
            } => {
                let start = Start {
                    role,
                    known: state.known.to_vec(),
                    last: state.last,
                };
                let child = if link {
                    turn.spawn_link(start)
                } else if monitor {
                    let reference = state.monitored.len() as u64 + 1;
                    turn.spawn_monitor(start, reference)
                } else {
                    turn.spawn(start)
                };
                Rc::make_mut(&mut state.known).push(child);
                if monitor && !link {
                    Rc::make_mut(&mut state.monitored).push(child);
                }
                None
            }
            Instruction::Send { to, value } => {
                turn.send(pid(to), number(value));
                None
            }
            Instruction::HandOver { to, value } => Some(Demand::HandOver {
                to: pid(to),
                value: number(value),
            }),
            Instruction::Receive {
                pattern,
                timeout_ms,
            } => Some(Demand::Receive {
                constraint: pattern,
                timeout_ms,
            }),
            Instruction::Choose(of) => Some(Demand::Choose(of)),
            Instruction::Disturb(limit) => Some(Demand::Disturb { limit }),
            Instruction::SkipIfOdd(count) => {
                if state.last % 2 != 0 {
                    state.at += count;
                }
                None
            }
            Instruction::Daemon => {
                turn.daemon();
                None
            }
            Instruction::AgainAfterTimeout(at) => {
                if state.last == TIMED_OUT {
                    state.last = 0;
                    state.at = at;
                }
                None
            }
            Instruction::Exit => Some(Demand::Exit(Reason::Normal)),
            Instruction::Crash => Some(Demand::Exit(Reason::Crash(state.last))),
            Instruction::Kill(target) => {
                turn.signal(pid(target), Reason::Kill);
                None
            }
            Instruction::Stop(target) => {
                turn.signal(pid(target), Reason::Stopped(state.last));
                None
            }
            Instruction::SignalNormal(target) => {
                turn.signal(pid(target), Reason::Normal);
                None
            }
            Instruction::TrapExit(on) => {
                turn.trap_exit(on);
                None
            }
            Instruction::Link(target) => liveness(LivenessOperation::Link(pid(target))),
            Instruction::Unlink(target) => liveness(LivenessOperation::Unlink(pid(target))),
            Instruction::Links => liveness(LivenessOperation::Links),
            Instruction::Monitor(target) => {
                let pid = pid(target);
                Rc::make_mut(&mut state.monitored).push(pid);
                let reference = state.monitored.len() as u64;
                liveness(LivenessOperation::Monitor { pid, reference })
            }
            Instruction::Notify(target) => {
                let pid = pid(target);
                Rc::make_mut(&mut state.monitored).push(pid);
                let reference = state.monitored.len() as u64;
                liveness(LivenessOperation::Notify { pid, reference })
            }
            Instruction::Demonitor(target) => {
                let pid = pid(target);
                let reference = state.last_monitor_of(pid);
                liveness(LivenessOperation::Demonitor { pid, reference })
            }
            Instruction::Flush(target) => {
                let pid = pid(target);
                let reference = state.last_monitor_of(pid);
                liveness(LivenessOperation::Flush { pid, reference })
            }
            Instruction::IsAlive(target) => liveness(LivenessOperation::IsAlive(pid(target))),
            Instruction::Register { name, target } => ask(Operation::Register {
                name,
                pid: pid(target),
            }),
            Instruction::Unregister { name } => ask(Operation::Unregister { name }),
            Instruction::WhereIs { name } => ask(Operation::WhereIs { name }),
            Instruction::Put { key, value } => ask(Operation::Put {
                table: TABLE,
                key,
                value: number(value),
            }),
            Instruction::PutNew { key, value } => ask(Operation::PutNew {
                table: TABLE,
                key,
                value: number(value),
            }),
            Instruction::Take { key } => ask(Operation::Take { table: TABLE, key }),
            Instruction::Get { key } => ask(Operation::Get { table: TABLE, key }),
            Instruction::Add { counter, amount } => ask(Operation::Add { counter, amount }),
            Instruction::Count { counter } => ask(Operation::Count { counter }),
        }
    }
}

fn reason_number(reason: &Reason<i64>) -> i64 {
    match reason {
        Reason::Normal => 0,
        Reason::Stopped(n) => 1 + n,
        Reason::Crash(n) => 2 + n,
        Reason::Assertion(n) => 3 + n,
        Reason::Kill => 4,
        Reason::Killed => 5,
        Reason::NoProcess => 6,
    }
}

impl Frontend for Script {
    type Value = i64;
    type Constraint = Pattern;
    type Start = Start;
    type State = State;
    type Objects = Standard;

    const COMPARES_STATES: bool = true;

    fn is_same_state(&self, one: &State, other: &State) -> bool {
        one == other
    }

    fn fresh_copy(&self) -> Self {
        self.clone()
    }

    fn entry(&self) -> Start {
        Start {
            role: 0,
            known: Vec::new(),
            last: 0,
        }
    }

    fn start(&self, start: &Start, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        let mut known = start.known.clone();
        known.insert(0, turn.me());
        let state = State {
            role: start.role,
            at: 0,
            last: start.last,
            known: Rc::new(known),
            monitored: Rc::default(),
        };
        self.run(state, turn)
    }

    fn answer(
        &self,
        state: &State,
        input: Input<'_, i64>,
        turn: &mut Turn<'_, Self>,
    ) -> Outcome<Self> {
        let mut state = state.clone();
        let place = |pid: &PidId| match state.known.iter().position(|known| known == pid) {
            Some(n) => 1 + i64::try_from(n).expect("few processes"),
            None => 40,
        };
        state.last = match input {
            Input::Message(Payload::User(number)) => *number,
            Input::Message(Payload::Exit { reason, .. }) => 10 + reason_number(reason),
            Input::Message(Payload::Down { reason, .. }) => 20 + reason_number(reason),
            Input::Timeout => TIMED_OUT,
            Input::Answer(answer) => match answer {
                Answer::Ok => 1,
                Answer::Refused => -2,
                Answer::Bool(yes) => i64::from(*yes),
                Answer::Pid(None) | Answer::Value(None) => -3,
                Answer::Pid(Some(pid)) => place(pid),
                // The number depends on the order.
                Answer::Pids(pids) => pids.iter().fold(0, |sum, pid| 3 * sum + place(pid)),
                Answer::Value(Some(number)) | Answer::Int(number) => *number,
            },
        };
        self.run(state, turn)
    }

    fn matches(&self, message: &Payload<i64>, constraint: &Pattern) -> Result<bool, Fault> {
        Ok(constraint.takes(message))
    }

    fn describe(&self) -> &dyn Describe<Self> {
        self
    }

    fn hints(&self) -> &dyn Hints<Self> {
        self
    }
}

impl Pattern {
    /// Whether a receive with this pattern takes this message.
    fn takes(self, message: &Payload<i64>) -> bool {
        let Payload::User(number) = *message else {
            return matches!(self, Pattern::Any | Pattern::ExitOrDown);
        };
        match self {
            Pattern::Any => true,
            Pattern::Equals(n) => number == n,
            Pattern::AtLeast(n) => number >= n,
            Pattern::Odd => number % 2 != 0,
            Pattern::ExitOrDown => false,
        }
    }
}

impl Hints<Script> for Script {
    fn takes_from_anyone(&self, pattern: &Pattern) -> bool {
        *pattern == Pattern::Any
    }

    /// The number of instructions to the end of the role, for some states. Any number would do.
    fn distance(&self, state: &State) -> Option<u32> {
        let left = self.roles[state.role].len().saturating_sub(state.at);
        u32::try_from(left).ok().filter(|left| left % 3 > 0)
    }
}

impl Describe<Script> for Script {
    fn value(&self, value: &i64, _: &PidTable) -> String {
        value.to_string()
    }

    fn constraint(&self, constraint: &Pattern, _: &PidTable) -> String {
        match constraint {
            Pattern::Any => "_".into(),
            Pattern::Equals(n) => n.to_string(),
            Pattern::AtLeast(n) => format!(">= {n}"),
            Pattern::Odd => "odd".into(),
            Pattern::ExitOrDown => "exit or down".into(),
        }
    }

    fn start(&self, start: &Start, _: &PidTable) -> String {
        format!("role {}", start.role)
    }
}
