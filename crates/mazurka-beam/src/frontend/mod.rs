//! The front-end for Erlang: runs processes by interpreting bytecode.
//!
//! | module | content |
//! | --- | --- |
//! | `pids` | the mapping between the machine's pids and the engine's |
//! | `reasons` | why processes end: their terms, and their meaning to the engine |
//! | `messages` | messages as terms |
//! | `stamp` | messages with the clock of their sender |
//! | `behaviour` | which of OTP's behaviours a process runs |
//! | `kill`, `patterns` | which processes may be killed from outside, and when; patterns that name processes |
//! | `premises` | the settings that a verdict states |
//! | `leader` | how the group leader handles requests for output |
//! | `endless` | what a step repeats that does not end |
//! | `describe`, `show` | terms, receives, failures and places in reports |
//! | `hints`, `coverage` | distances from a failure, state sizes, senders of a receive; which clauses of receives took a message |

mod behaviour;
mod coverage;
mod describe;
mod endless;
mod hints;
mod kill;
mod leader;
mod messages;
mod patterns;
mod pids;
mod premises;
mod reasons;
mod show;
mod stamp;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use mazurka_engine::{
    self as engine, Brake, Demand, DemandOf, Describe, Fault, Frontend, Hints,
    Operation as StandardOperation, Outcome, Payload, Reason, Turn,
};
use smallvec::SmallVec;

use crate::code::{Address, Library, Mfa};
use crate::distance::Distances;
use crate::ets::Request;
use crate::machine::{Answer, Constraint, Effect, Input, Machine, Process, Start, Stop};
use crate::objects::{Known, Learned, Objects, Operation, Party};
use crate::term::{Atom, PidTerm, Reference, Term};
pub use kill::Kills;
use kill::Rest;
use messages::Monitors;
pub use patterns::Pattern;
use pids::Pids;

/// An Erlang program, ready to be explored. A clone is the same program.
#[derive(Clone)]
pub struct Program(Rc<Inner>);

struct Inner {
    entry: Start,
    library: Rc<Library>,
    rules: Rules,
    machine: RefCell<Machine>,
    /// Scratch buffer, reused between steps.
    effects: RefCell<Vec<Effect>>,
    pids: RefCell<Pids>,
    monitors: RefCell<Monitors>,
    /// The keys of tables. All copies of a program share them.
    known: Rc<RefCell<Known>>,
    /// The distances of processes from a failure. All copies of a program share them.
    distances: Rc<Distances>,
    /// The numbers of messages that clauses of receives had taken when this program was made.
    taken_before: coverage::Taken,
}

/// Exceptions from the usual rules on what is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Processes that may wait for ever.
    pub daemons: Vec<Daemon>,
    /// Exit reasons that are not failures: these terms, and tuples whose first element is one of them.
    pub normal: Vec<Term>,
    /// Whether the entry is a test: it fails if it exits with any reason not listed above, even
    /// `normal`.
    pub is_test: bool,
    /// Processes that may be killed from outside.
    pub kills: Kills,
    /// Processes whose failure, or waiting for ever, is no error.
    pub ignored: Vec<Pattern>,
    /// Modules in which timeouts of receives wait until nothing else can happen.
    pub patient: Vec<String>,
}

/// Processes that may wait for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Daemon {
    /// Those started with a function of the module with this name.
    Module(String),
    /// Those started with this function, with a fun that it made, or with a fun that calls it and
    /// first waits there.
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

/// A process that waits or has ended, and what reports need about its last step.
pub struct Snapshot {
    process: Process,
    done: Done,
    /// What it has computed and not done yet, if it is asked whether it is killed before.
    rest: Option<Rest>,
    service: Service,
    /// The reasons of the exit signals that it has received as messages, if it serves.
    signals: Vec<Term>,
}

/// Whether a process serves others.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Service {
    /// It has not yet.
    #[default]
    None,
    /// The user marked it as a daemon: it may wait for ever anywhere.
    Marked,
    /// It has waited in the loop of a behaviour: it may wait for ever there.
    Loops,
}

/// What reports need about a step.
#[derive(Default)]
struct Done {
    /// The place of each action.
    places: SmallVec<[Address; 2]>,
    /// What the process printed: the number of actions before it, and the text.
    output: Vec<(usize, String)>,
    /// The stack trace of an exit that is a failure. The reason of an error contains its stack trace,
    /// that of an exit does not.
    exit_calls: Option<Term>,
    /// The name that the process requests for itself at its end, if a pattern has it.
    own_name: Option<Atom>,
}

impl Done {
    /// Records an action.
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

/// What a process runs from.
#[derive(Clone, Copy)]
enum From<'f> {
    /// Its start.
    Start(&'f Start),
    /// A receive that timed out, in this state.
    Timeout(&'f Process),
    /// Another input.
    Other,
}

impl Program {
    /// The program whose entry process calls this function.
    #[must_use]
    pub fn new(library: Library, entry: Mfa, arguments: Vec<Term>, rules: Rules) -> Program {
        let entry = Start {
            module: entry.module,
            name: entry.name,
            arguments,
            leader: PidTerm::leader(),
            clock_us: 0,
        };
        Program::starting(entry, Rc::new(library), rules, Rc::default(), Rc::default())
    }

    fn starting(
        entry: Start,
        library: Rc<Library>,
        rules: Rules,
        known: Rc<RefCell<Known>>,
        distances: Rc<Distances>,
    ) -> Program {
        let taken_before = coverage::count(&library);
        Program(Rc::new(Inner {
            entry,
            library,
            rules,
            machine: RefCell::default(),
            effects: RefCell::default(),
            pids: RefCell::new(Pids::new()),
            monitors: RefCell::default(),
            known,
            distances,
            taken_before,
        }))
    }

    /// The source of its modules.
    #[must_use]
    pub fn library(&self) -> &Library {
        &self.0.library
    }

    /// The number of instructions run so far.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        self.0.machine.borrow().instructions()
    }

    /// Runs a process to its next stop that is a demand of the engine.
    fn advance(
        &self,
        process: Process,
        input: Option<Input>,
        (service, signals): (Service, Vec<Term>),
        turn: &mut Turn<'_, Self>,
        from: From<'_>,
    ) -> Outcome<Self> {
        let library = &*self.0.library;
        // The process runs in the allocation that the engine keeps: moving it afterwards costs more.
        let mut snapshot = Rc::new(Snapshot {
            process,
            done: Done::default(),
            rest: None,
            service,
            signals,
        });
        let own = Rc::get_mut(&mut snapshot).expect("the only reference so far");
        let mut effects = self.0.effects.take();
        let mut input = input;
        // Of a process that may be killed.
        let mut line = VecDeque::new();
        self.0.machine.borrow_mut().stay_in_step(false);
        loop {
            let Snapshot { process, done, .. } = &mut *own;
            let mut machine = self.0.machine.borrow_mut();
            let stop = match input.take() {
                None => machine.run(library, process, &mut effects),
                Some(input) => machine.resume(library, process, input, &mut effects),
            };
            // The group leader's answers belong to the step.
            machine.stay_in_step(true);
            let places: SmallVec<[Address; 4]> = machine.places().into();
            drop(machine);
            if let Stop::Endless { place } = &stop {
                let what = endless::describe(library, process, &effects, &places, done, place);
                return Err(Fault::Unsupported { what });
            }
            if let From::Start(start) = from {
                self.mark(start, process);
            }
            let all = effects.drain(..).zip(places);
            if process.may_be_killed {
                self.line_up(process, all, &mut line, turn)?;
            } else {
                for (effect, place) in all {
                    self.perform(process, effect, place, done, turn)?;
                }
            }
            if let Stop::Receive { constraint, .. } = &stop
                && let Some(reply) = self.reply(process, constraint)?
            {
                input = Some(Input::Message(reply));
                continue;
            }
            self.0.effects.replace(effects);
            if !process.may_be_killed {
                let demand = self.stopped(own, stop, turn)?;
                return Ok((snapshot, demand));
            }
            let is_idle = match from {
                From::Timeout(before) => line.is_empty() && process.is_at_same_receive(before),
                From::Start(_) | From::Other => false,
            };
            let demand = self.go_to_point(own, (line, stop), is_idle, turn)?;
            return Ok((snapshot, demand));
        }
    }

    /// The demand of a process that has stopped and has performed all its effects.
    fn stopped(
        &self,
        snapshot: &mut Snapshot,
        stop: Stop,
        turn: &mut Turn<'_, Self>,
    ) -> Result<DemandOf<Self>, Fault> {
        let Snapshot {
            process,
            done,
            rest: _,
            service,
            signals,
        } = snapshot;
        if matches!(stop, Stop::Receive { .. }) && self.is_patient(process) {
            turn.patient();
        }
        let exit_calls = match &stop {
            Stop::Exit(end) => end.exit_calls().cloned(),
            _ => None,
        };
        if let Stop::Ask(StandardOperation::Register { name, pid }) = &stop {
            done.own_name = self.note_name(process, name, *pid)?;
        }
        let demand = self.demand(process, stop, signals)?;
        if let Demand::Exit(Reason::Crash(_)) = demand {
            done.exit_calls = exit_calls;
        }
        if let Demand::Receive {
            constraint: Constraint::Halted(status),
            ..
        } = &demand
        {
            turn.halt(*status != Term::Int(0));
            return Ok(demand);
        }
        let is_idle = *service != Service::Marked && process.waits_for_work(self.library());
        if is_idle {
            *service = Service::Loops;
        }
        if is_idle || process.is_ignored {
            turn.daemon();
        } else if *service == Service::Loops {
            turn.busy_daemon();
        }
        Ok(demand)
    }

    /// An answer of the group leader that a receive takes. It is delivered at once: the process cannot
    /// distinguish messages that arrive between a request and its answer from later ones.
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
                    (link, Some(watch)) => {
                        let number = self.0.monitors.borrow_mut().of_spawn(watch);
                        turn.spawn_tied(start, link, Some(number))
                    }
                };
                self.0.pids.borrow_mut().add(pid, theirs);
                self.note_child(process, pid);
                done.action(place);
            }
            Effect::Send { to, value } if to == PidTerm::leader() => {
                self.ask_leader(process, value, place, done, turn)?;
            }
            Effect::Send { to, value } => {
                self.send(process, to, (value, None), place, done, turn);
            }
            // The reference of a timer is no alias.
            Effect::SendToAlias { alias, .. } if alias.timer().is_some() => {}
            Effect::SendToAlias { alias, value } => {
                let to = alias.creator();
                self.send(process, to, (value, Some(alias)), place, done, turn);
            }
            Effect::Fire { to, value } => {
                let timer = Reference::of_timer(process.pid);
                self.send(process, to, (value, Some(timer)), place, done, turn);
            }
            Effect::Signal { to, reason } => {
                if let Some(to) = self.theirs(to) {
                    turn.signal(to, reasons::of_signal(reason));
                    done.action(place);
                }
            }
            Effect::TrapExit(on) => {
                turn.trap_exit(on);
                done.action(place);
            }
            Effect::Output(text) => done.print(&text),
            Effect::Log {
                level,
                format,
                values,
            } => self.log(&level, format, values, place, done)?,
        }
        Ok(())
    }

    /// Sends a message by an alias or from a timer, or neither. A message to a pid that no process
    /// has ever had is lost.
    fn send(
        &self,
        process: &Process,
        to: PidTerm,
        (value, via): (Term, Option<Reference>),
        place: Address,
        done: &mut Done,
        turn: &mut Turn<'_, Self>,
    ) {
        if let Some(to) = self.theirs(to) {
            turn.send(to, stamp::stamped(value, process.clock_us, via));
            done.action(place);
        }
    }

    /// What a process demands where it stops. `signals` are the reasons of exit signals that it got.
    fn demand(
        &self,
        process: &Process,
        stop: Stop,
        signals: &[Term],
    ) -> Result<DemandOf<Self>, Fault> {
        Ok(match stop {
            Stop::Receive {
                constraint,
                timeout_ms,
            } => Demand::Receive {
                constraint,
                timeout_ms,
            },
            Stop::Liveness(operation) => {
                self.0.monitors.borrow_mut().note(process, operation);
                Demand::Liveness(operation.map_pids(|pid| self.known(pid))?)
            }
            Stop::Ask(operation) => {
                let operation = operation.map_pids(|pid| self.known(pid))?;
                if let StandardOperation::Register { name, .. } = &operation
                    && self.0.known.borrow_mut().add_name(name) == Learned::MissingKey
                {
                    return Err(Fault::Again);
                }
                Demand::Ask(Operation::Standard(operation))
            }
            Stop::Names => Demand::Ask(Operation::Names(self.0.known.borrow_mut().names())),
            Stop::Table(request) => Demand::Ask(Operation::Table(self.table_request(request)?)),
            // The exit reason is how it returns its result.
            Stop::Exit(end) if is_remote_call(process) && end.exit_calls().is_some() => {
                Demand::Exit(Reason::Stopped(end.reason()))
            }
            Stop::Exit(end) => {
                let rules = &self.0.rules;
                let must_return = rules.is_test && process.pid == PidTerm::entry();
                let reason = match reasons::passes_on(&end, signals) {
                    true => reasons::of_own(end.reason()),
                    false => reasons::of_end(&end, &rules.normal, must_return),
                };
                Demand::Exit(match reason {
                    Reason::Crash(why) | Reason::Assertion(why) if process.is_ignored => {
                        Reason::Stopped(why)
                    }
                    reason => reason,
                })
            }
            Stop::Interrupted { place } => {
                let process = show::term(&Term::Pid(process.pid));
                return Err(Fault::Interrupted {
                    what: format!("process {process} in {place}"),
                });
            }
            Stop::Halt { status } => Demand::Receive {
                constraint: Constraint::Halted(status),
                timeout_ms: None,
            },
            stop @ (Stop::Unsupported(_) | Stop::Endless { .. }) => {
                return Err(self.fault(stop));
            }
        })
    }

    /// A request to a table in terms of the engine's pids, and with the keys that the table may have.
    fn table_request(&self, mut request: Request<PidTerm>) -> Result<Request<Party>, Fault> {
        if self.0.known.borrow_mut().complete(&mut request) == Learned::MissingKey {
            return Err(Fault::Again);
        }
        request.map_pids(|ours| {
            let theirs = self.known(ours)?;
            Ok(Party { ours, theirs })
        })
    }

    /// The engine's pid of a process that an operation is about.
    fn known(&self, pid: PidTerm) -> Result<engine::PidId, Fault> {
        self.theirs(pid).ok_or_else(|| Fault::Unsupported {
            what: format!("an operation on {pid:?}, a pid that no process has had"),
        })
    }

    fn fault(&self, stop: Stop) -> Fault {
        let what = match stop {
            Stop::Interrupted { place } => return Fault::Interrupted { what: place },
            Stop::Unsupported(unsupported) => unsupported.to_string(),
            Stop::Halt { status } => format!("halt({status}) while output is formatted"),
            Stop::Endless { place } => endless::without_effects(&place),
            Stop::Receive { .. }
            | Stop::Liveness(_)
            | Stop::Ask(_)
            | Stop::Table(_)
            | Stop::Names
            | Stop::Exit(_) => "a receive whose tests wait".to_owned(),
        };
        Fault::Unsupported { what }
    }

    /// Whether a process at its first stop is marked as a daemon, by its start or by its name in
    /// reports.
    fn is_daemon(&self, start: &Start, process: &Process) -> bool {
        let library = &self.0.library;
        let daemons = &self.0.rules.daemons;
        let is_marked = |function: &Mfa| daemons.iter().any(|daemon| daemon.is(function));
        !daemons.is_empty()
            && (is_marked(&show::role(library, start).0)
                || show::function_of_fun(library, start, process)
                    .is_some_and(|function| is_marked(&function)))
    }

    fn theirs(&self, pid: PidTerm) -> Option<engine::PidId> {
        self.0.pids.borrow().theirs(pid)
    }

    fn message(&self, payload: &Payload<Term>) -> Term {
        let pids = self.0.pids.borrow();
        self.0.monitors.borrow().message(payload, &pids)
    }

    fn input(&self, input: engine::Input<'_, Term>) -> Input {
        match input {
            engine::Input::Message(payload) => Input::Message(self.message(payload)),
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

/// Whether the process was started by `erpc:call/5` or a related function.
fn is_remote_call(process: &Process) -> bool {
    let Mfa {
        module,
        name,
        arity,
    } = process.initial;
    module.name() == "erpc" && name.name() == "execute_call" && arity == 4
}

impl Frontend for Program {
    type Value = Term;
    type Constraint = Constraint;
    type Start = Start;
    type State = Rc<Snapshot>;
    type Objects = Objects;

    const COMPARES_STATES: bool = true;

    fn is_same_state(&self, one: &Rc<Snapshot>, other: &Rc<Snapshot>) -> bool {
        let are_waiting = one.rest.is_none() && other.rest.is_none();
        are_waiting && one.process.is_at_same_receive(&other.process)
    }

    fn fresh_copy(&self) -> Self {
        let library = Rc::clone(&self.0.library);
        let known = Rc::clone(&self.0.known);
        let distances = Rc::clone(&self.0.distances);
        let (entry, rules) = (self.0.entry.clone(), self.0.rules.clone());
        Program::starting(entry, library, rules, known, distances)
    }

    fn entry(&self) -> Start {
        self.0.entry.clone()
    }

    fn start(&self, start: &Start, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        let pid = self.0.pids.borrow().ours(turn.me());
        let process = Process::new(pid, start);
        let from = From::Start(start);
        let (mut state, demand) = self.advance(process, None, Default::default(), turn, from)?;
        if state.process.is_timer() || self.is_daemon(start, &state.process) {
            turn.daemon();
            if let Some(state) = Rc::get_mut(&mut state) {
                state.service = Service::Marked;
            }
        }
        Ok((state, demand))
    }

    fn answer(
        &self,
        state: &Rc<Snapshot>,
        input: engine::Input<'_, Term>,
        turn: &mut Turn<'_, Self>,
    ) -> Outcome<Self> {
        if let (Some(rest), engine::Input::Answer(answer)) = (&state.rest, &input) {
            return self.pass_point(state, rest, answer, turn);
        }
        let mut process = state.process.clone();
        if let Some(name) = state.done.own_name
            && input == engine::Input::Answer(&engine::Answer::Ok)
        {
            self.mark_named(name, &mut process);
        }
        if let engine::Input::Message(Payload::User(message)) = &input {
            process.advance_clock(stamp::clock_us(message));
            if let Some(via) = stamp::via(message) {
                match via.timer() {
                    Some(timer) => process.receive_from_timer(timer),
                    None => process.receive_by(via),
                }
            }
        }
        let mut signals = state.signals.clone();
        if let engine::Input::Message(Payload::Exit { reason, .. }) = &input
            && state.service == Service::Loops
        {
            signals.push(reasons::term(reason));
        }
        let from = match input {
            engine::Input::Timeout => From::Timeout(&state.process),
            _ => From::Other,
        };
        let input = self.input(input);
        let service = (state.service, signals);
        self.advance(process, Some(input), service, turn, from)
    }

    fn matches(&self, payload: &Payload<Term>, constraint: &Constraint) -> Result<bool, Fault> {
        if let Constraint::Signal { only_normal } = constraint {
            return Ok(match payload {
                Payload::Exit { reason, .. } => !only_normal || reason.is_harmless(),
                _ => false,
            });
        }
        let alias = match payload {
            Payload::User(message) => stamp::alias(message),
            Payload::Down { reference, .. } if constraint.filter().is_muted(*reference) => {
                return Ok(false);
            }
            _ => None,
        };
        match (constraint, alias) {
            (Constraint::Alias(wanted), alias) => Ok(alias == Some(*wanted)),
            (constraint, Some(alias)) if !constraint.filter().is_active(alias) => Ok(false),
            (Constraint::Mailbox(_), _) => Ok(true),
            (constraint, _) => self.takes(constraint, &self.message(payload)),
        }
    }

    fn set_brake(&self, brake: Brake) {
        self.0.machine.borrow_mut().set_brake(brake);
    }

    fn describe(&self) -> &dyn Describe<Self> {
        self
    }

    fn hints(&self) -> &dyn Hints<Self> {
        self
    }
}
