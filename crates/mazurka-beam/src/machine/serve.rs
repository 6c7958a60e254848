//! The machine as others use it: it lends its registers to one process after the other.

use std::rc::Rc;

use mazurka_engine::Brake;

use super::process::{Process, State};
use super::receive::Input;
use super::run::{ASK_EVERY, Runner, X_REGISTERS};
use super::{Constraint, Effect, Stop, Unsupported};
use crate::code::{Address, Library};
use crate::meter;
use crate::term::Term;

/// How many instructions a process may run from one visible operation to the next.
const INSTRUCTIONS_MAX: u64 = 10_000_000;
/// How many instructions a receive may take to look at a message.
const MATCH_INSTRUCTIONS_MAX: u64 = 1_000_000;
/// How many argument registers are cleared when a process stops.
const REGISTERS_CLEARED: usize = 16;

/// The registers that a process has while it runs. One machine serves many processes, one after
/// the other.
pub struct Machine {
    x: Box<[Term; X_REGISTERS]>,
    floats: Box<[f64; X_REGISTERS]>,
    instructions_max: u64,
    instructions: u64,
    /// Instructions of the current step.
    instructions_of_step: u64,
    /// Whether what is run next belongs to the current step.
    same_step: bool,
    brake: Brake,
    places: Vec<Address>,
    /// What most receives read, kept so that they share it.
    no_registers: Rc<[Term]>,
}

impl Default for Machine {
    fn default() -> Machine {
        Machine::new()
    }
}

impl Machine {
    /// A machine.
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

    /// Where the effects of the last run, or resumption, come from, in the same order.
    pub fn places(&self) -> &[Address] {
        &self.places
    }

    /// How many instructions have been run.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Says how many instructions a process may run from one visible operation to the next.
    #[must_use]
    pub fn with_instructions_max(mut self, instructions_max: u64) -> Machine {
        self.instructions_max = instructions_max;
        self
    }

    /// What is asked inside long steps.
    pub fn set_brake(&mut self, brake: Brake) {
        meter::set(&brake);
        self.brake = brake;
    }

    /// Says whether what is run from now on belongs to the current step, so that the limit on
    /// instructions is for all of it.
    pub fn stay_in_step(&mut self, stay: bool) {
        self.same_step = stay;
    }

    /// Runs a new process to its first stop. What others see of it is added to `effects`.
    pub fn run(
        &mut self,
        library: &Library,
        process: &mut Process,
        effects: &mut Vec<Effect>,
    ) -> Stop {
        let max = self.instructions_left();
        match std::mem::replace(&mut process.state, State::Away) {
            State::Start(arguments) => {
                let stop = self.lend(library, process, effects, max, |runner| {
                    runner.start(arguments)
                });
                unless_interrupted(stop, process)
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
        let state = std::mem::replace(&mut process.state, State::Away);
        if let State::Start(_) | State::Away = state {
            process.state = state;
            return misuse("resume", process);
        }
        let max = self.instructions_left();
        let stop = self.lend(library, process, effects, max, |runner| match state {
            State::Receive(at) => runner.wake(at, input),
            State::Native(waiting) => runner.answer(*waiting, input),
            State::Hibernating(call) => runner.wake_up(*call, input),
            State::Start(_) | State::Away => unreachable!("told above"),
        });
        unless_interrupted(stop, process)
    }

    /// How many instructions may be run.
    fn instructions_left(&mut self) -> u64 {
        if !self.same_step {
            self.instructions_of_step = 0;
        }
        self.instructions_max
            .saturating_sub(self.instructions_of_step)
    }

    /// Whether a receive takes a message.
    ///
    /// # Errors
    /// It cannot be told: the tests of the receive use something that is not modelled, or do not
    /// end.
    pub fn matches(
        &mut self,
        library: &Library,
        constraint: &Constraint,
        message: &Term,
    ) -> Result<bool, Box<Stop>> {
        let Constraint::Code { at, me, registers } = constraint else {
            return Ok(match constraint {
                Constraint::Down(reference) => super::constraint::is_down(message, *reference),
                Constraint::Anything => true,
                Constraint::Nothing
                | Constraint::Mailbox
                | Constraint::Signal { .. }
                | Constraint::Code { .. } => false,
            });
        };
        let mut process = Process::scratch(*me);
        let mut effects = Vec::new();
        let max = MATCH_INSTRUCTIONS_MAX;
        self.lend(library, &mut process, &mut effects, max, |runner| {
            runner.test(*at, registers, message)
        })
    }

    /// Lends the registers to a process that runs at most so many instructions.
    fn lend<T>(
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

    /// Lets go of what is left in the registers, so that hardly any term lives longer than it must.
    /// Few functions use more registers than these; what is in others goes when they are used again.
    fn clear(&mut self) {
        for x in &mut self.x[..REGISTERS_CLEARED] {
            if !matches!(x, Term::Nil) {
                *x = Term::Nil;
            }
        }
    }
}

/// What came of a step that the brake has stopped without anybody noticing is worth nothing.
fn unless_interrupted(stop: Stop, process: &Process) -> Stop {
    match stop {
        Stop::Interrupted { .. } => stop,
        _ if meter::is_stopped() => Stop::Interrupted {
            place: process.initial.to_string(),
        },
        _ => stop,
    }
}

/// The caller is wrong, which is told like anything else that cannot be done.
fn misuse(what: &str, process: &Process) -> Stop {
    Stop::Unsupported(Unsupported {
        what: format!("{what} of a process that is not ready for it"),
        place: process.initial.to_string(),
        advice: "this is a mistake in the virtual machine",
    })
}
