//! What the engine asks, answered by running bytecode.
//!
//! | module | says |
//! | --- | --- |
//! | `pids` | which of our pids is which of the engine's |
//! | `reasons` | why processes end: their terms, and what that means to the engine |
//! | `messages` | what lies in mailboxes, as terms |
//! | `coverage` | which clauses of receives took a message |
//! | `leader` | what the group leader does with requests for output |
//! | `show` | terms, receives and failures as people read them |

mod coverage;
mod leader;
mod messages;
mod pids;
mod reasons;
mod show;

use std::cell::RefCell;
use std::rc::Rc;

use mazurka_engine::{
    self as engine, Brake, Clause, Demand, Doing, Fault, Frontend, Outcome, Payload, PidTable,
    Reason, Turn,
};
use smallvec::SmallVec;

use crate::code::{Address, Library, Mfa};
use crate::machine::{Answer, Constraint, Effect, Input, Machine, Process, Start, Stop};
use crate::meter;
use crate::term::{PidTerm, Term};
use messages::Monitors;
use pids::Pids;

/// An Erlang program, ready to be explored. A clone is the same program.
#[derive(Clone)]
pub struct Program(Rc<Inner>);

struct Inner {
    entry: Start,
    library: Rc<Library>,
    rules: Rules,
    machine: RefCell<Machine>,
    /// Empty between two steps; kept for its memory.
    effects: RefCell<Vec<Effect>>,
    pids: RefCell<Pids>,
    monitors: RefCell<Monitors>,
    /// A fault that was found when no fault could be told.
    fault: RefCell<Option<Fault>>,
    /// How often clauses of receives had taken a message when this began.
    taken_before: coverage::Taken,
}

/// What is no error in a program, other than in most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Processes that may wait for ever.
    pub daemons: Vec<Daemon>,
    /// Reasons for which processes may exit: these terms, and tuples that begin with them.
    pub normal: Vec<Term>,
    /// Whether the entry is a test, which fails if it exits for any other reason than these, even
    /// a normal one.
    pub is_test: bool,
}

/// Processes that may wait for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Daemon {
    /// Those that began with a function of this module, by its name.
    Module(String),
    /// Those that began with this function, with a fun that it made, or with a fun that calls it
    /// and first waits there.
    Function(Mfa),
}

impl Daemon {
    fn is(&self, function: &Mfa) -> bool {
        match self {
            Daemon::Module(module) => function.module.name() == module,
            Daemon::Function(marked) => function == marked,
        }
    }
}

/// A process that waits, or has ended, with what is to be told of its way there.
pub struct Snapshot {
    process: Process,
    done: Done,
}

/// What a process has done on its way to a stop.
#[derive(Default)]
struct Done {
    /// Where its actions come from.
    places: SmallVec<[Address; 2]>,
    /// What it printed, and after how many actions.
    output: Vec<(usize, String)>,
    /// The calls in which it ended by an exit that is a failure: unlike an error's reason, that of
    /// an exit does not have them.
    exit_calls: Option<Term>,
}

impl Done {
    /// One more action.
    fn action(&mut self, place: Address) {
        self.places.push(place);
    }

    fn print(&mut self, text: &str) {
        let actions = self.places.len();
        match self.output.last_mut() {
            Some((at, printed)) if *at == actions => printed.push_str(text),
            _ => self.output.push((actions, text.to_owned())),
        }
    }
}

impl Program {
    /// The program that begins with a call of this function.
    #[must_use]
    pub fn new(library: Library, entry: Mfa, arguments: Vec<Term>, rules: Rules) -> Program {
        let entry = Start {
            module: entry.module,
            name: entry.name,
            arguments,
            leader: PidTerm::leader(),
        };
        Program::starting(entry, Rc::new(library), rules)
    }

    fn starting(entry: Start, library: Rc<Library>, rules: Rules) -> Program {
        let taken_before = coverage::count(&library);
        Program(Rc::new(Inner {
            entry,
            library,
            rules,
            machine: RefCell::default(),
            effects: RefCell::default(),
            pids: RefCell::new(Pids::new()),
            monitors: RefCell::default(),
            fault: RefCell::default(),
            taken_before,
        }))
    }

    /// Where its modules come from.
    #[must_use]
    pub fn library(&self) -> &Library {
        &self.0.library
    }

    /// How many instructions have been run.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        self.0.machine.borrow().instructions()
    }

    /// Runs a process to a stop that the engine must hear of.
    fn advance(
        &self,
        process: Process,
        input: Option<Input>,
        turn: &mut Turn<'_, Self>,
    ) -> Outcome<Self> {
        let library = &*self.0.library;
        // It runs where it will stay: moving it there afterwards would cost more than the memory.
        let mut snapshot = Rc::new(Snapshot {
            process,
            done: Done::default(),
        });
        let own = Rc::get_mut(&mut snapshot);
        let Snapshot { process, done } = own.expect("nobody else has it yet");
        let mut effects = self.0.effects.take();
        let mut input = input;
        self.0.machine.borrow_mut().stay_in_step(false);
        loop {
            let mut machine = self.0.machine.borrow_mut();
            let stop = match input.take() {
                None => machine.run(library, process, &mut effects),
                Some(input) => machine.resume(library, process, input, &mut effects),
            };
            // The group leader's answers belong to the step.
            machine.stay_in_step(true);
            let places: SmallVec<[Address; 4]> = machine.places().into();
            drop(machine);
            for (effect, place) in effects.drain(..).zip(places) {
                self.perform(process, effect, place, done, turn)?;
            }
            if let Stop::Receive { constraint, .. } = &stop
                && let Some(reply) = self.reply(process, constraint)?
            {
                input = Some(Input::Message(reply));
                continue;
            }
            let exit_calls = match &stop {
                Stop::Exit(end) => end.exit_calls().cloned(),
                _ => None,
            };
            let demand = self.demand(process, stop)?;
            if let Demand::Exit(Reason::Crash(_)) = demand {
                done.exit_calls = exit_calls;
            }
            self.0.effects.replace(effects);
            return Ok((snapshot, demand));
        }
    }

    /// An answer of the group leader that a receive takes. It comes at once: nothing can come
    /// between the request and its answer that the process could tell from what comes later.
    fn reply(&self, process: &mut Process, constraint: &Constraint) -> Result<Option<Term>, Fault> {
        for at in 0..process.replies.len() {
            if self.takes(constraint, &process.replies[at])? {
                return Ok(Some(process.replies.remove(at)));
            }
        }
        Ok(None)
    }

    fn takes(&self, constraint: &Constraint, message: &Term) -> Result<bool, Fault> {
        let mut machine = self.0.machine.borrow_mut();
        let matches = machine.matches(&self.0.library, constraint, message);
        matches.map_err(|stop| self.fault(*stop))
    }

    fn perform(
        &self,
        process: &mut Process,
        effect: Effect,
        place: Address,
        done: &mut Done,
        turn: &mut Turn<'_, Self>,
    ) -> Result<(), Fault> {
        match effect {
            Effect::Spawn {
                pid,
                start,
                link,
                monitor,
            } => {
                let theirs = match (link, monitor) {
                    (false, None) => turn.spawn(start),
                    (true, None) => turn.spawn_link(start),
                    (link, Some(reference)) => {
                        let number = self.0.monitors.borrow_mut().of_spawn(reference);
                        turn.spawn_tied(start, link, Some(number))
                    }
                };
                self.0.pids.borrow_mut().add(pid, theirs);
                done.action(place);
            }
            Effect::Send { to, value } if to == PidTerm::leader() => {
                self.ask_leader(process, value, done, turn)?;
            }
            // What is sent to a pid that no process has ever had is lost.
            Effect::Send { to, value } => {
                if let Some(to) = self.theirs(to) {
                    turn.send(to, value);
                    done.action(place);
                }
            }
            Effect::Signal { to, reason } => {
                if let Some(to) = self.theirs(to) {
                    turn.signal(to, reasons::of_signal(reason));
                    done.action(place);
                }
            }
            Effect::SendToAlias { .. } => {
                return Err(Fault::Unsupported {
                    what: "a message to an alias".to_owned(),
                });
            }
            Effect::TrapExit(on) => {
                turn.trap_exit(on);
                done.action(place);
            }
            Effect::Output(text) => done.print(&text),
        }
        Ok(())
    }

    fn demand(&self, process: &Process, stop: Stop) -> Result<Demand<Term, Constraint>, Fault> {
        Ok(match stop {
            Stop::Receive {
                constraint,
                timeout_ms,
            } => Demand::Receive {
                constraint,
                timeout_ms,
            },
            Stop::Ask(operation) => {
                self.0.monitors.borrow_mut().note(process, &operation);
                let known = |pid| self.theirs(pid).ok_or(pid);
                match operation.map_pids(known) {
                    Ok(operation) => Demand::Ask(operation),
                    Err(pid) => {
                        return Err(Fault::Unsupported {
                            what: format!("an operation on {pid:?}, a pid that nobody has had"),
                        });
                    }
                }
            }
            Stop::Exit(end) => {
                let rules = &self.0.rules;
                let must_return = rules.is_test && process.pid == PidTerm::entry();
                Demand::Exit(reasons::of_end(&end, &rules.normal, must_return))
            }
            Stop::Interrupted { place } => {
                let process = show::term(&Term::Pid(process.pid));
                return Err(Fault::Interrupted {
                    what: format!("process {process} in {place}"),
                });
            }
            stop @ (Stop::Halt { .. } | Stop::Unsupported(_) | Stop::Endless { .. }) => {
                return Err(self.fault(stop));
            }
        })
    }

    fn fault(&self, stop: Stop) -> Fault {
        let what = match stop {
            Stop::Interrupted { place } => return Fault::Interrupted { what: place },
            Stop::Unsupported(unsupported) => unsupported.to_string(),
            Stop::Halt { status } => format!(
                "halt({status}), which would end everything: let the entry function return instead"
            ),
            Stop::Endless { place } => format!(
                "a loop that runs for ever, or very long, without a visible operation, in {place}: \
                 it neither sends to another process nor receives from one"
            ),
            Stop::Receive { .. } | Stop::Ask(_) | Stop::Exit(_) => {
                "a receive whose tests wait".to_owned()
            }
        };
        Fault::Unsupported { what }
    }

    /// Whether a process that has run up to its first stop is marked as a daemon, by what it began
    /// with or by what reports call it.
    fn is_daemon(&self, start: &Start, process: &Process) -> bool {
        let library = &self.0.library;
        let daemons = &self.0.rules.daemons;
        let is_marked = |function: &Mfa| daemons.iter().any(|daemon| daemon.is(function));
        !daemons.is_empty()
            && (is_marked(&show::role(library, start).0)
                || show::function_of_fun(library, start, process)
                    .is_some_and(|function| is_marked(&function)))
    }

    fn theirs(&self, pid: PidTerm) -> Option<engine::Pid> {
        self.0.pids.borrow().theirs(pid)
    }

    fn message(&self, payload: &Payload<Term>) -> Option<Term> {
        let pids = self.0.pids.borrow();
        self.0.monitors.borrow().message(payload, &pids)
    }

    fn input(&self, input: engine::Input<'_, Term>) -> Input {
        match input {
            engine::Input::Message(payload) => {
                let message = self.message(payload);
                Input::Message(message.expect("only shared objects get requests"))
            }
            engine::Input::Timeout => Input::Timeout,
            engine::Input::Answer(answer) => Input::Answer(match answer {
                engine::Answer::Ok => Answer::Ok,
                engine::Answer::Refused => Answer::Refused,
                engine::Answer::Bool(yes) => Answer::Bool(*yes),
                engine::Answer::Pid(pid) => {
                    Answer::Pid(pid.map(|pid| self.0.pids.borrow().ours(pid)))
                }
                engine::Answer::Pids(pids) => {
                    let known = self.0.pids.borrow();
                    Answer::Pids(pids.iter().map(|pid| known.ours(*pid)).collect())
                }
                engine::Answer::Value(value) => Answer::Value(value.clone()),
                engine::Answer::Int(number) => Answer::Int(*number),
            }),
        }
    }
}

impl Frontend for Program {
    type Value = Term;
    type Constraint = Constraint;
    type Start = Start;
    type State = Rc<Snapshot>;

    fn afresh(&self) -> Self {
        let library = Rc::clone(&self.0.library);
        Program::starting(self.0.entry.clone(), library, self.0.rules.clone())
    }

    fn clauses(&self) -> Vec<Clause> {
        coverage::since(&self.0.library, &self.0.taken_before)
    }

    fn entry(&self) -> Start {
        self.0.entry.clone()
    }

    fn start(&self, start: &Start, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        self.late_fault()?;
        let pid = self.0.pids.borrow().ours(turn.me());
        let (state, demand) = self.advance(Process::new(pid, start), None, turn)?;
        if self.is_daemon(start, &state.process) {
            turn.daemon();
        }
        Ok((state, demand))
    }

    fn answer(
        &self,
        state: &Rc<Snapshot>,
        input: engine::Input<'_, Term>,
        turn: &mut Turn<'_, Self>,
    ) -> Outcome<Self> {
        self.late_fault()?;
        let input = self.input(input);
        self.advance(state.process.clone(), Some(input), turn)
    }

    fn matches(&self, payload: &Payload<Term>, constraint: &Constraint) -> bool {
        if let Constraint::Signal { only_normal } = constraint {
            return match payload {
                Payload::Exit { reason, .. } => !only_normal || reason.is_harmless(),
                _ => false,
            };
        }
        let Some(message) = self.message(payload) else {
            return false;
        };
        if let Constraint::Mailbox = constraint {
            return true;
        }
        self.takes(constraint, &message).unwrap_or_else(|fault| {
            *self.0.fault.borrow_mut() = Some(fault);
            false
        })
    }

    fn takes_from_anyone(&self, constraint: &Constraint) -> bool {
        match constraint {
            Constraint::Anything | Constraint::Mailbox => true,
            Constraint::Code { registers, .. } => registers.is_empty(),
            Constraint::Nothing | Constraint::Down(_) | Constraint::Signal { .. } => false,
        }
    }

    fn state_bytes(&self, state: &Rc<Snapshot>) -> usize {
        let output = state.done.output.iter().map(|(_, text)| text.len() + 32);
        state.process.bytes() + output.sum::<usize>()
    }

    fn tells(&self, state: &Rc<Snapshot>) -> bool {
        let Done {
            places,
            output,
            exit_calls,
        } = &state.done;
        !places.is_empty() || !output.is_empty() || exit_calls.is_some()
    }

    fn place(&self, state: &Rc<Snapshot>, doing: Doing) -> Option<String> {
        let place = match doing {
            Doing::Action(nth) => *state.done.places.get(nth)?,
            Doing::Demand => state.process.place(&self.0.library)?,
            Doing::Failure => {
                let calls = state.done.exit_calls.as_ref()?;
                return show::own_call(&self.0.library, calls);
            }
        };
        show::place(&self.0.library, place)
    }

    fn output<'s>(&self, state: &'s Rc<Snapshot>) -> &'s [(usize, String)] {
        &state.done.output
    }

    fn show_value(&self, value: &Term, _: &PidTable) -> String {
        show::term(value)
    }

    fn show_failure(&self, value: &Term, _: &PidTable) -> String {
        show::failure(&self.0.library, value)
    }

    fn show_constraint(&self, constraint: &Constraint, _: &PidTable) -> String {
        show::constraint(&self.0.library, constraint)
    }

    fn show_start(&self, start: &Start, _: &PidTable) -> String {
        show::start(&self.0.library, start)
    }

    fn use_brake(&self, brake: Brake) {
        self.0.machine.borrow_mut().set_brake(brake);
    }

    fn show_process(&self, start: &Start, first: Option<&Rc<Snapshot>>, _: &PidTable) -> String {
        show::process(&self.0.library, start, first.map(|state| &state.process))
    }

    fn late_fault(&self) -> Result<(), Fault> {
        // Between two steps the engine compares messages, which can take as long.
        if meter::is_stopped() {
            return Err(Fault::Interrupted {
                what: "comparing two messages".to_owned(),
            });
        }
        self.0.fault.borrow_mut().take().map_or(Ok(()), Err)
    }
}
