//! The front-end for Rust: translates between the engine and processes that are futures.

use crate::Pid;
use crate::constraint::{Constraint, Kind, short};
use crate::doomed;
use crate::message::{Down, Exit, Incoming, Monitor, Original, has_looked};
use crate::runner::{Futures, History, bytes, doomed_step, inputs_then};
use crate::stage::{self, Action, Counts, Demand, Given};
use crate::start::{Body, Start};
use mazurka_engine::objects::Standard;
use mazurka_engine::{
    self as engine, Answer, Describe, Fault, Frontend, Hints, Outcome, Payload, PidTable,
};
use mazurka_replay::Replayer;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A program of the Rust front-end, ready to be explored. A clone is the same program.
#[derive(Clone)]
pub struct Program(Rc<Inner>);

struct Inner {
    entry: Start,
    replayer: Replayer<Futures>,
    pids: RefCell<Pids>,
    /// The number of steps that may still be run twice only to compare.
    trials: Cell<u64>,
    backtraces: RefCell<Vec<(Pid, String)>>,
}

/// The first steps of every program are run twice: this many are enough to catch what is usually
/// not deterministic, and take little time.
const TRIALS: u64 = 1_000;

/// The mapping between the library's pids and the engine's.
#[derive(Default)]
struct Pids {
    /// The engine's, by the numbers of ours.
    theirs: Vec<Option<engine::PidId>>,
    /// Ours, by the engine's indices.
    ours: Vec<Option<Pid>>,
}

impl Pids {
    fn add(&mut self, ours: Pid, theirs: engine::PidId) {
        put(&mut self.theirs, ours.number(), theirs);
        put(&mut self.ours, theirs.index(), ours);
    }
}

fn put<T: Copy>(list: &mut Vec<Option<T>>, at: usize, value: T) {
    if list.len() <= at {
        list.resize(at + 1, None);
    }
    list[at] = Some(value);
}

impl Program {
    /// The program whose entry process runs this.
    #[must_use]
    pub fn new(entry: impl Body) -> Program {
        Program::starting(Start::entry(entry))
    }

    fn starting(entry: Start) -> Program {
        let mut pids = Pids::default();
        pids.add(Pid::entry(), PidTable::ENTRY);
        Program(Rc::new(Inner {
            entry,
            replayer: Replayer::new(Futures),
            pids: RefCell::new(pids),
            trials: Cell::new(TRIALS),
            backtraces: RefCell::default(),
        }))
    }

    /// The backtrace of the panic of a process, if it was recorded.
    pub(crate) fn backtrace(&self, process: &str) -> Option<String> {
        let known = self.0.backtraces.borrow();
        let of_process = known.iter().find(|(pid, _)| pid.to_string() == process);
        of_process.map(|(_, backtrace)| backtrace.clone())
    }

    fn theirs(&self, pid: Pid) -> Result<engine::PidId, Fault> {
        let known = self.0.pids.borrow().theirs.get(pid.number()).copied();
        known.flatten().ok_or_else(|| Fault::Unsupported {
            what: format!(
                "the pid {pid} of another check: a pid that was kept in a global or thread-local \
                 variable means nothing here"
            ),
        })
    }

    fn ours(&self, pid: engine::PidId) -> Pid {
        let known = self.0.pids.borrow().ours.get(pid.index()).copied();
        known.flatten().expect("the engine knows it from a spawn")
    }

    fn incoming(&self, payload: &Payload<Original>) -> Incoming {
        match payload {
            Payload::User(Original(value)) => Incoming::User(value.clone()),
            Payload::Exit { from, reason } => Incoming::Exit(Rc::new(Exit {
                from: self.ours(*from),
                reason: reason.clone().map(|Original(why)| why),
            })),
            Payload::Down {
                reference,
                from,
                reason,
            } => Incoming::Down(Rc::new(Down {
                monitor: Monitor {
                    of: self.ours(*from),
                    reference: *reference,
                },
                reason: reason.clone().map(|Original(why)| why),
            })),
        }
    }

    fn given(&self, input: engine::Input<'_, Original>) -> Result<Given, Fault> {
        Ok(match input {
            engine::Input::Message(payload) => Given::Message(self.incoming(payload)),
            engine::Input::Timeout => Given::Timeout,
            engine::Input::Answer(Answer::Pid(pid)) => Given::Pid(pid.map(|pid| self.ours(pid))),
            engine::Input::Answer(answer) => Given::Answer(answer.clone()),
        })
    }

    /// Passes the last step of a history on to the engine. Runs it a second time if it is one of the
    /// first.
    fn outcome(&self, history: Rc<History>, turn: &mut engine::Turn<'_, Self>) -> Outcome<Self> {
        if let Demand::Receive { constraint, .. } = history.demand()
            && let Kind::Asked(asked) = &constraint.0
        {
            *asked.history.borrow_mut() = Rc::downgrade(&history);
        }
        let steps = u64::from(history.input_count()) + 1;
        if !history.notes().is_doomed
            && let Some(left) = self.0.trials.get().checked_sub(steps)
        {
            self.0.trials.set(left);
            self.0.replayer.check(&history)?;
        }
        if let Some(backtrace) = &history.notes().backtrace {
            let mut known = self.0.backtraces.borrow_mut();
            known.push((*history.pid(), backtrace.clone()));
        }
        for action in history.actions() {
            match action {
                Action::Spawn {
                    pid,
                    start,
                    link,
                    monitor,
                } => {
                    let start = start.clone();
                    let theirs = match (link, monitor) {
                        (true, _) => turn.spawn_link(start),
                        (false, Some(reference)) => turn.spawn_monitor(start, *reference),
                        (false, None) => turn.spawn(start),
                    };
                    self.0.pids.borrow_mut().add(*pid, theirs);
                }
                Action::Send { to, value } => {
                    turn.send(self.theirs(*to)?, Original(value.clone()));
                }
                Action::Signal { to, reason } => {
                    turn.signal(self.theirs(*to)?, reason.clone().map(Original));
                }
                Action::TrapExit(on) => turn.trap_exit(*on),
                Action::Daemon => turn.daemon(),
            }
        }
        let demand = match history.demand().clone() {
            Demand::Receive {
                constraint,
                timeout_ms,
            } => engine::Demand::Receive {
                constraint,
                timeout_ms,
            },
            Demand::Liveness(operation) => {
                engine::Demand::Liveness(operation.map_pids(|pid| self.theirs(pid))?)
            }
            Demand::Ask(operation) => {
                engine::Demand::Ask((*operation).map(Original, |pid| self.theirs(pid))?)
            }
            Demand::HandOver { to, value } => engine::Demand::HandOver {
                to: self.theirs(to)?,
                value: Original(value),
            },
            Demand::Choose(n) => engine::Demand::Choose(n),
            Demand::Exit(reason) => engine::Demand::Exit(reason.map(Original)),
        };
        Ok((history, demand))
    }
}

impl Program {
    /// Asks the process that waits in a history whether it would take a message.
    fn would_take(&self, history: &Rc<History>, message: Incoming) -> Result<bool, Fault> {
        // A guard that panics does so again when the process takes the message, and then the process
        // crashes as it should.
        const IF_IT_PANICS: bool = true;
        let inputs = || inputs_then(history, &Given::Message(message.clone()));
        if doomed::end_of(*history.pid(), inputs).is_some() {
            return Ok(IF_IT_PANICS);
        }
        let verdict = self.0.replayer.ask(history, |mut live| {
            let verdict = live.probe(history, message);
            (live.if_waiting(), verdict)
        })?;
        Ok(verdict.unwrap_or(IF_IT_PANICS))
    }
}

impl Frontend for Program {
    type Value = Original;
    type Constraint = Constraint;
    type Start = Start;
    type State = Rc<History>;
    type Objects = Standard;

    fn fresh_copy(&self) -> Self {
        Program::starting(self.0.entry.clone())
    }

    fn entry(&self) -> Start {
        self.0.entry.clone()
    }

    fn start(&self, start: &Start, turn: &mut engine::Turn<'_, Self>) -> Outcome<Self> {
        let me = self.ours(turn.me());
        let history = match doomed::end_of(me, Vec::new) {
            Some(reason) => {
                let step = doomed_step(reason, Counts::default());
                History::started(me, start.clone(), step)
            }
            None => self.0.replayer.start(me, start)?,
        };
        self.outcome(history, turn)
    }

    fn answer(
        &self,
        state: &Rc<History>,
        input: engine::Input<'_, Original>,
        turn: &mut engine::Turn<'_, Self>,
    ) -> Outcome<Self> {
        let given = self.given(input)?;
        let history = match doomed::end_of(*state.pid(), || inputs_then(state, &given)) {
            Some(reason) => state.after(given, doomed_step(reason, state.notes().counts)),
            None => self.0.replayer.answer(state, given)?,
        };
        self.outcome(history, turn)
    }

    fn matches(&self, message: &Payload<Original>, constraint: &Constraint) -> Result<bool, Fault> {
        let message = self.incoming(message);
        Ok(match &constraint.0 {
            Kind::Nothing => false,
            // Patterns match clones. If cloning panics, the process takes the message and crashes
            // when it clones it.
            Kind::Pure(clause) => stage::aside(|| clause.accepts(&message)).unwrap_or(true),
            Kind::Asked(asked) => {
                let history = asked.history.borrow().upgrade();
                let history =
                    history.expect("the engine holds the history whose constraint it matches");
                self.would_take(&history, message)?
            }
        })
    }

    fn check_determinism(&self) -> bool {
        self.0.trials.set(u64::MAX);
        true
    }

    fn set_brake(&self, brake: engine::Brake) {
        stage::use_brake(brake);
    }

    fn describe(&self) -> &dyn Describe<Self> {
        self
    }

    fn hints(&self) -> &dyn Hints<Self> {
        self
    }
}

impl Hints<Program> for Program {
    fn foreign_type(&self, message: &Payload<Original>, constraint: &Constraint) -> Option<String> {
        let Payload::User(Original(value)) = message else {
            return None;
        };
        let is_foreign = match constraint.0 {
            Kind::Nothing => false,
            _ => !has_looked(|| {
                // It has been matched before: a fault would have ended the exploration.
                _ = self.matches(message, constraint);
            }),
        };
        is_foreign.then(|| short(value.type_name()))
    }

    fn distance(&self, state: &Rc<History>) -> Option<u32> {
        state.notes().distance
    }

    fn state_bytes(&self, state: &Rc<History>) -> usize {
        bytes(state)
    }
}

impl Describe<Program> for Program {
    fn has_notes(&self, state: &Rc<History>) -> bool {
        !state.notes().output().is_empty()
    }

    fn output<'s>(&self, state: &'s Rc<History>) -> &'s [(usize, String)] {
        state.notes().output()
    }

    fn value(&self, Original(value): &Original, _: &PidTable) -> String {
        value.show()
    }

    fn constraint(&self, constraint: &Constraint, _: &PidTable) -> String {
        engine::Bounded::debug(constraint)
    }

    fn start(&self, start: &Start, _: &PidTable) -> String {
        start.show()
    }
}
