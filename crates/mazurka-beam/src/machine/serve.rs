//! The machine's interface. One machine runs many processes, one after the other.

use std::rc::Rc;

use mazurka_engine::Brake;

use super::process::{Process, State};
use super::receive::Input;
use super::run::{ASK_EVERY, Runner, X_REGISTERS};
use super::{Constraint, Effect, Stop, Unsupported, tables, timers};
use crate::code::{Address, Library};
use crate::ets::{Change, Request, What};
use crate::meter;
use crate::term::Term;

/// The maximum number of instructions from one visible operation to the next.
const INSTRUCTIONS_MAX: u64 = 10_000_000;
/// The maximum number of instructions for matching one message.
const MATCH_INSTRUCTIONS_MAX: u64 = 1_000_000;
/// The number of argument registers that are cleared when a process stops.
const REGISTERS_CLEARED: usize = 16;

/// The registers of the running process. One machine runs many processes, one after the other.
pub struct Machine {
    x: Box<[Term; X_REGISTERS]>,
    floats: Box<[f64; X_REGISTERS]>,
    instructions_max: u64,
    instructions: u64,
    /// The number of instructions run in the current step.
    instructions_of_step: u64,
    /// Whether the next run belongs to the current step.
    same_step: bool,
    brake: Brake,
    places: Vec<Address>,
    /// The empty list of registers, which most receives share.
    no_registers: Rc<[Term]>,
}

impl Default for Machine {
    fn default() -> Machine {
        Machine::new()
    }
}

impl Machine {
    /// Creates a machine.
    pub fn new() -> Machine {
        Machine {
            x: Box::new([const { Term::Nil }; X_REGISTERS]),
            floats: Box::new([0.0; X_REGISTERS]),
            instructions_max: INSTRUCTIONS_MAX,
            instructions: 0,
            instructions_of_step: 0,
            same_step: false,
            brake: Brake::default(),
            places: Vec::new(),
            no_registers: Rc::new([]),
        }
    }

    /// The source locations of the effects of the last `run` or `resume`, in the same order.
    pub fn places(&self) -> &[Address] {
        &self.places
    }

    /// The number of instructions run so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Sets the maximum number of instructions from one visible operation to the next.
    #[must_use]
    pub fn with_instructions_max(mut self, instructions_max: u64) -> Machine {
        self.instructions_max = instructions_max;
        self
    }

    /// Sets the brake, which is asked during long steps whether to continue.
    pub fn set_brake(&mut self, brake: Brake) {
        meter::set(&brake);
        self.brake = brake;
    }

    /// Sets whether the following runs belong to the current step. The instruction limit applies to
    /// the whole step.
    pub fn stay_in_step(&mut self, stay: bool) {
        self.same_step = stay;
    }

    /// Runs a new process to its first stop. Adds its visible actions to `effects`.
    pub fn run(
        &mut self,
        library: &Library,
        process: &mut Process,
        effects: &mut Vec<Effect>,
    ) -> Stop {
        let max = self.instructions_left();
        match std::mem::replace(&mut process.state, State::Running) {
            State::Start(arguments) => {
                let stop = self.with_registers(library, process, effects, max, |runner| {
                    runner.start(arguments)
                });
                self.bequeath(unless_interrupted(stop, process), process)
            }
            state => {
                process.state = state;
                misuse("run", process)
            }
        }
    }

    /// Runs a process from a stop, answered by `input`, to the next one.
    pub fn resume(
        &mut self,
        library: &Library,
        process: &mut Process,
        input: Input,
        effects: &mut Vec<Effect>,
    ) -> Stop {
        let state = std::mem::replace(&mut process.state, State::Running);
        if let State::Start(_) | State::Running = state {
            process.state = state;
            return misuse("resume", process);
        }
        if let State::Ending(end) = state {
            self.places.clear();
            if let Some(effect) = tables::transfer(process.pid, &input) {
                effects.push(effect);
                self.places.push(library.nowhere_at());
            }
            return self.bequeath(Stop::Exit(*end), process);
        }
        let max = self.instructions_left();
        let stop = self.with_registers(library, process, effects, max, |runner| match state {
            State::Receive { at, timeout_ms } => runner.wake(at, timeout_ms, input),
            State::Native(waiting) => runner.answer(*waiting, input),
            State::Hibernating(call) => runner.wake_up(*call, input),
            State::Start(_) | State::Ending(_) | State::Running => unreachable!("checked above"),
        });
        self.bequeath(unless_interrupted(stop, process), process)
    }

    /// A process that has ended first gives each of its tables that has an heir to it.
    fn bequeath(&self, stop: Stop, process: &mut Process) -> Stop {
        let Stop::Exit(end) = stop else { return stop };
        if process.bequests.is_empty() {
            return Stop::Exit(end);
        }
        let what = What::Change {
            table: process.bequests.remove(0),
            change: Change::Inherit,
        };
        process.state = State::Ending(Box::new(end));
        let by = process.pid;
        Stop::Table(Request { by, what })
    }

    /// The number of instructions that may still be run.
    fn instructions_left(&mut self) -> u64 {
        if !self.same_step {
            self.instructions_of_step = 0;
        }
        self.instructions_max
            .saturating_sub(self.instructions_of_step)
    }

    /// Whether a receive accepts a message.
    ///
    /// # Errors
    /// The matching code of the receive uses something that is not modelled, or does not end.
    pub fn matches(
        &mut self,
        library: &Library,
        constraint: &Constraint,
        message: &Term,
    ) -> Result<bool, Box<Stop>> {
        let Constraint::Code {
            at, me, registers, ..
        } = constraint
        else {
            return Ok(match constraint {
                Constraint::Down { reference, tag } => {
                    super::constraint::is_down(message, tag, *reference)
                }
                Constraint::TimerRequest => timers::is_request(message),
                Constraint::TimerAnswer(request) => timers::is_answer(message, *request),
                Constraint::Anything(_) => true,
                Constraint::Nothing
                | Constraint::Halted(_)
                | Constraint::Alias(_)
                | Constraint::Mailbox(_)
                | Constraint::Signal { .. }
                | Constraint::Code { .. } => false,
            });
        };
        let mut process = Process::scratch(*me);
        let mut effects = Vec::new();
        let max = MATCH_INSTRUCTIONS_MAX;
        self.with_registers(library, &mut process, &mut effects, max, |runner| {
            runner.test(*at, registers, message)
        })
    }

    /// Runs a process with this machine's registers, for at most `max` instructions.
    fn with_registers<T>(
        &mut self,
        library: &Library,
        process: &mut Process,
        effects: &mut Vec<Effect>,
        max: u64,
        run: impl FnOnce(&mut Runner<'_>) -> T,
    ) -> T {
        self.places.clear();
        meter::replace(&self.brake);
        let left = max.min(ASK_EVERY);
        let mut runner = Runner {
            places: &mut self.places,
            no_registers: &self.no_registers,
            code: library.nowhere(),
            pc: 0,
            x: &mut self.x,
            floats: &mut self.floats,
            left,
            reserve: max - left,
            tests: false,
            building: None,
            library,
            process,
            effects,
        };
        let result = run(&mut runner);
        let run = max - runner.left - runner.reserve;
        self.instructions += run;
        self.instructions_of_step += run;
        self.clear();
        result
    }

    /// Clears the first registers, so that terms are dropped early. Few functions use more registers;
    /// values in the others are dropped when they are overwritten.
    fn clear(&mut self) {
        for x in &mut self.x[..REGISTERS_CLEARED] {
            if !matches!(x, Term::Nil) {
                *x = Term::Nil;
            }
        }
    }
}

/// If the brake stopped the step and the run did not detect it, its result is invalid: replaces it.
fn unless_interrupted(stop: Stop, process: &Process) -> Stop {
    match stop {
        Stop::Interrupted { .. } => stop,
        _ if meter::is_stopped() => Stop::Interrupted {
            place: process.initial.to_string(),
        },
        _ => stop,
    }
}

/// The caller made a mistake, which is reported like any other unsupported operation.
fn misuse(what: &str, process: &Process) -> Stop {
    Stop::Unsupported(Unsupported {
        what: format!("{what} of a process that is not ready for it"),
        place: process.initial.to_string(),
        advice: "this is a bug in the virtual machine",
    })
}
