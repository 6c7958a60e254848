//! Scripted programs: short straight-line processes over small integers, for random tests.

use mazurka_engine::objects::Standard;
use mazurka_engine::{Answer, LivenessOperation, Operation};
use mazurka_engine::{Demand, DemandOf, Describe, Fault, Frontend, Hints, Input, Outcome, Turn};
use mazurka_engine::{Payload, Reason};
use mazurka_engine::{Pid, PidTable};
use std::rc::Rc;

/// A program: what each role does. Role 0 is the entry process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The instructions of each role.
    pub roles: Vec<Vec<Instruction>>,
}

/// Which of the processes that it knows a process means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The n-th one, itself being the first, its parent the second.
    Known(usize),
    /// The one that the last input points at.
    ByLast,
}

/// A number to send or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// This one.
    Constant(i64),
    /// The last input plus this much, kept small.
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
    /// An exit signal or the news that a process is down.
    News,
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
    /// Go on with any number below this one as the last input.
    Choose(u32),
    /// Leave out the next ones if the last input was odd.
    SkipIfOdd(usize),
    /// From now on it is a daemon.
    Daemon,
    /// If the last receive timed out, go on with the instruction of this number, from 0.
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
    known: Vec<Pid>,
    last: i64,
}

/// Where a scripted process is.
#[derive(Clone, Debug)]
pub struct State {
    role: usize,
    at: usize,
    last: i64,
    known: Rc<Vec<Pid>>,
}

const TABLE: i64 = 0;

/// What a timeout is as an input.
const TIMED_OUT: i64 = -1;

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
                    turn.spawn_monitor(start, state.at as u64)
                } else {
                    turn.spawn(start)
                };
                Rc::make_mut(&mut state.known).push(child);
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
            Instruction::Monitor(target) => liveness(LivenessOperation::Monitor {
                pid: pid(target),
                reference: 7,
            }),
            Instruction::Demonitor(target) => liveness(LivenessOperation::Demonitor {
                pid: pid(target),
                reference: 7,
            }),
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
        let place = |pid: &Pid| match state.known.iter().position(|known| known == pid) {
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
                // In another order it is another number.
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
            return matches!(self, Pattern::Any | Pattern::News);
        };
        match self {
            Pattern::Any => true,
            Pattern::Equals(n) => number == n,
            Pattern::AtLeast(n) => number >= n,
            Pattern::Odd => number % 2 != 0,
            Pattern::News => false,
        }
    }
}

impl Hints<Script> for Script {
    fn takes_from_anyone(&self, pattern: &Pattern) -> bool {
        *pattern == Pattern::Any
    }

    /// The number of instructions to the end of the role, sometimes: any number would do.
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
            Pattern::News => "exit or down".into(),
        }
    }

    fn start(&self, start: &Start, _: &PidTable) -> String {
        format!("role {}", start.role)
    }
}
