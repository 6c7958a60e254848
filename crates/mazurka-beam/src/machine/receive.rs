//! Receives: waiting for messages and resuming with them.

use std::rc::Rc;

use super::ask::Waiting;
use super::native::Answer;
use super::process::{Process, State};
use super::run::{LoopExit, Run, Runner, fail};
use super::{Constraint, Start, Stop, Unsupported};
use crate::bits::Copies;
use crate::code::{Address, Instruction, Reads, Source};
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Term};

/// The input that answers a stop.
#[derive(Clone, Debug)]
pub enum Input {
    /// A message that the receive accepts.
    Message(Term),
    /// The timeout fired.
    Timeout,
    /// The answer of the shared object.
    Answer(Answer),
}

/// The longest time that a receive may wait, in milliseconds.
const TIMEOUT_MS_MAX: i64 = 0xffff_ffff;

/// The timeout of a receive.
enum Timeout {
    Never,
    Ms(u64),
    Bad,
}

impl Runner<'_> {
    /// Stops at a receive. `fail` is the address of its wait instruction.
    pub(super) fn receive(&mut self, fail: u32, info: u32) -> Stop {
        let timeout_ms = match &self.code.instructions[fail as usize] {
            Instruction::WaitFor { timeout } => match self.timeout(*timeout) {
                Timeout::Never => None,
                Timeout::Ms(ms) => Some(ms),
                // An invalid timeout raises an exception, but only if there is no message.
                Timeout::Bad => Some(0),
            },
            Instruction::Timeout => Some(0),
            _ => None,
        };
        let at = Address {
            module: self.code.name,
            pc: self.pc - 1,
        };
        let info = &self.code.receives[info as usize];
        let frame = self.process.stack.registers();
        let mut copies = Copies::default();
        let registers: Rc<[Term]> = match &info.reads {
            Reads::Some(reads) if reads.is_empty() => Rc::clone(self.no_registers),
            Reads::All => frame.iter().map(|term| copies.copy(term)).collect(),
            Reads::Some(reads) => {
                let register = |&y: &u16| frame.iter().rev().nth(y.into());
                let registers = reads.iter().map(|y| register(y).unwrap_or(&Term::Nil));
                registers.map(|term| copies.copy(term)).collect()
            }
        };
        let constraint = Constraint::Code {
            at,
            me: info.asks_self.then_some(self.process.pid),
            registers,
            filter: self.process.filter(),
        };
        self.process.state = State::Receive {
            at,
            timeout_ms: timeout_ms.unwrap_or(0),
        };
        Stop::Receive {
            constraint,
            timeout_ms,
        }
    }

    /// Stops at a wait instruction without a receive.
    pub(super) fn wait(&mut self, timeout_ms: Option<u64>) -> LoopExit {
        self.process.state = State::Receive {
            at: Address {
                module: self.code.name,
                pc: self.pc - 1,
            },
            timeout_ms: timeout_ms.unwrap_or(0),
        };
        LoopExit::Stop(Box::new(Stop::Receive {
            constraint: Constraint::Nothing,
            timeout_ms,
        }))
    }

    /// Stops at a wait instruction without a receive, with a timeout.
    pub(super) fn wait_for(&mut self, timeout: Source) -> LoopExit {
        match self.timeout(timeout) {
            Timeout::Never => self.wait(None),
            Timeout::Ms(ms) => self.wait(Some(ms)),
            Timeout::Bad => fail(Raise::error(Atom::TIMEOUT_VALUE)),
        }
    }

    fn timeout(&self, timeout: Source) -> Timeout {
        match self.get(timeout) {
            Term::Atom(Atom::INFINITY) => Timeout::Never,
            Term::Int(ms @ 0..=TIMEOUT_MS_MAX) => Timeout::Ms(*ms as u64),
            _ => Timeout::Bad,
        }
    }

    /// Resumes a process that waits at a receive.
    pub(super) fn wake(&mut self, at: Address, timeout_ms: u64, input: Input) -> Stop {
        if let Input::Timeout = input {
            let waited_us = timeout_ms.saturating_mul(1_000);
            let clock_us = self.process.clock_us.saturating_add(waited_us);
            self.process.advance_clock(clock_us);
        }
        match self.woken(at, input) {
            Ok(()) => self.go(),
            Err(exit) => self.settle(exit).unwrap_or_else(|| self.go()),
        }
    }

    fn woken(&mut self, at: Address, input: Input) -> Run {
        self.go_to(at.module, at.pc + 1)?;
        if let Input::Message(message) = &input {
            self.process.remove_monitor_of(message);
        }
        match (&self.code.instructions[at.pc as usize], input) {
            (Instruction::Receive { to, .. }, Input::Message(message)) => self.put(*to, message),
            (Instruction::Receive { fail, .. }, Input::Timeout) => {
                self.pc = fail + 1;
                if let Instruction::WaitFor { timeout } = &self.code.instructions[*fail as usize]
                    && matches!(self.timeout(*timeout), Timeout::Bad)
                {
                    return Err(super::run::fail(Raise::error(Atom::TIMEOUT_VALUE)));
                }
            }
            (Instruction::WaitFor { .. }, Input::Timeout) => {}
            _ => {
                let stop = self.unsupported("an input that the receive does not wait for");
                return Err(LoopExit::Stop(Box::new(stop)));
            }
        }
        Ok(())
    }

    /// Resumes a native function with its answer.
    pub(super) fn answer(&mut self, waiting: Waiting, input: Input) -> Stop {
        let answer = match input {
            Input::Message(message) => Answer::Message(message),
            Input::Timeout => Answer::Timeout,
            Input::Answer(answer) => answer,
        };
        match self.answered(waiting, answer) {
            Ok(()) => self.go(),
            Err(exit) => self.settle(exit).unwrap_or_else(|| self.go()),
        }
    }

    fn answered(&mut self, waiting: Waiting, answer: Answer) -> Run {
        let Waiting {
            at,
            pending,
            mfa,
            arguments,
            after,
        } = waiting;
        if at.module == self.library.nowhere().name {
            self.pc = at.pc;
        } else {
            self.go_to(at.module, at.pc)?;
        }
        let next = pending.resume(&mut self.context(), answer);
        self.record_places();
        match next {
            Ok(next) => self.proceed(next, mfa, arguments, after),
            Err(raise) => Err(self.native_failed(mfa, &arguments, raise)),
        }
    }

    /// Runs the matching code of a receive on a message.
    pub(super) fn test(
        &mut self,
        at: Address,
        registers: &[Term],
        message: &Term,
    ) -> Result<bool, Box<Stop>> {
        self.tests = true;
        let exit = match self.prepare_test(at, registers, message) {
            Ok(()) => {
                let Err(exit) = self.execute();
                exit
            }
            Err(exit) => exit,
        };
        match exit {
            LoopExit::Matches(matches) => Ok(matches),
            // The receive rejected the message: it would read the next one.
            LoopExit::Receive { .. } => Ok(false),
            LoopExit::Returned => Err(Box::new(self.unsupported("a receive that returns"))),
            LoopExit::Stop(stop) => Err(stop),
            LoopExit::Raise(thrown) => Err(Box::new(Stop::Unsupported(Unsupported {
                what: format!("the exception {}", thrown.reason),
                place: self.place(),
                advice: "the matching code of a receive raises none; this is a bug in the virtual \
                         machine",
            }))),
        }
    }

    fn prepare_test(&mut self, at: Address, registers: &[Term], message: &Term) -> Run {
        self.go_to(at.module, at.pc + 1)?;
        let Instruction::Receive { to, info, .. } = self.code.instructions[at.pc as usize] else {
            return Err(self.damaged());
        };
        let info = &self.code.receives[info as usize];
        let stack = &mut self.process.stack;
        let mut copies = Copies::default();
        match &info.reads {
            Reads::All => stack.extend(registers.iter().map(|term| copies.copy(term))),
            Reads::Some(reads) => {
                stack.allocate(info.frame);
                for (&y, register) in reads.iter().zip(registers) {
                    // The frame is large enough for all registers that are read.
                    if let Some(slot) = stack.get_mut(y) {
                        *slot = copies.copy(register);
                    }
                }
            }
        }
        self.put(to, message.clone());
        Ok(())
    }
}

impl Process {
    /// If the received message is the `DOWN` message of a monitor, removes the monitor.
    fn remove_monitor_of(&mut self, message: &Term) {
        let mut watches = self.watches.iter();
        if let Some(at) = watches.position(|watch| watch.is_down(message)) {
            let watch = self.watches.remove(at);
            self.end_alias_of(watch.reference);
        }
    }

    /// A process that only runs the matching code of a receive.
    pub(super) fn scratch(pid: Option<PidTerm>) -> Process {
        let pid = pid.unwrap_or_else(PidTerm::entry);
        let start = Start {
            module: Atom::UNDEFINED,
            name: Atom::UNDEFINED,
            arguments: Vec::new(),
            leader: pid,
            clock_us: 0,
        };
        Process::new(pid, &start)
    }
}
