//! Timers: `erlang:send_after/3` and related functions, and those of the module `timer`.
//!
//! A timer is a process of its own. It waits for requests, with a timeout; when the timeout fires, it sends its
//! message and ends. Its reference contains its pid. To cancel it is to send it a request and
//! to wait for its end: the exit reason says whether the request came in time. A timer sends its message before it
//! ends, so if it was too late to cancel it, the message has arrived.
//!
//! Timers are daemons. So a timer whose message no process waits for does not keep an execution running.
//!
//! A process may start a timer with a later deadline than that of one it started before. Such a timer
//! does not fire before the other has fired or has been cancelled.

use mazurka_engine::{LivenessOperation, Operation};

use super::ask::Pending;
use super::constraint::Constraint;
use super::native::{Answer, Asking, Context, Next, Row};
use super::process::Process;
use super::{Effect, Start, Watch, names, ties};
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Reference, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("erlang", "send_after", 3, send_after),
    ("erlang", "send_after", 4, send_after),
    ("erlang", "start_timer", 3, start_timer),
    ("erlang", "start_timer", 4, start_timer),
    ("erlang", "cancel_timer", 1, cancel_timer),
    ("erlang", "cancel_timer", 2, cancel_timer),
    ("erlang", "read_timer", 1, read_timer),
    ("erlang", "read_timer", 2, read_timer),
    ("timer", "start", 0, library_start),
    ("timer", "send_after", 2, library_send_after),
    ("timer", "send_after", 3, library_send_after),
    ("timer", "send_interval", 2, library_send_interval),
    ("timer", "send_interval", 3, library_send_interval),
    ("timer", "apply_after", 2, library_apply_after),
    ("timer", "apply_after", 3, library_apply_after),
    ("timer", "apply_after", 4, library_apply_after),
    ("timer", "apply_interval", 2, library_apply_interval),
    ("timer", "apply_interval", 3, library_apply_interval),
    ("timer", "apply_interval", 4, library_apply_interval),
    ("timer", "exit_after", 2, library_exit_after),
    ("timer", "exit_after", 3, library_exit_after),
    ("timer", "kill_after", 1, library_kill_after),
    ("timer", "kill_after", 2, library_kill_after),
    ("timer", "cancel", 1, library_cancel),
    (MODULE, "wait", 4, wait),
];

/// The module of the function that timers run. It has no code.
const MODULE: &str = "mazurka_timer";
/// The first element of requests to timers and of their answers.
const TAG: &str = "$mazurka_timer";

/// The longest time of a timer, in milliseconds.
const MS_MAX: i64 = (1 << 50) - 1;
/// How many timers with other receivers a process remembers, to order their firing. It does not
/// learn that they have fired.
const OTHERS_MAX: usize = 4;

/// A timer that a process has started and that may not have fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    process: PidTerm,
    /// When it fires, by the clock of the process that started it.
    deadline_us: u64,
    /// Whether its message goes to the process that started it.
    is_own: bool,
}

/// What a timer waits for and what it does then.
#[derive(Clone, Debug)]
pub struct Firing {
    action: Action,
    deadline_us: u64,
    /// The time between two firings, if it fires again and again.
    period_ms: Option<u64>,
    /// Timers that must have ended before it fires.
    after: Vec<PidTerm>,
}

#[derive(Clone, Debug)]
enum Action {
    Send {
        to: Term,
        message: Term,
    },
    Apply {
        module: Atom,
        name: Atom,
        arguments: Term,
        /// The process whose end cancels it.
        owner: Option<PidTerm>,
    },
}

/// A request to a timer, as the process that makes it knows it.
#[derive(Clone, Debug)]
pub struct Cancel {
    timer: PidTerm,
    /// Also the reference of the monitor that brings the end of the timer.
    request: Reference,
    returns: Returns,
}

/// What a function returns that cancels or reads a timer.
#[derive(Clone, Debug)]
enum Returns {
    /// The time that was left, or `false`.
    TimeLeft,
    /// This value.
    Value(Term),
    /// `ok`; the time that was left is sent as a message.
    Message,
}

/// `{'$mazurka_timer', cancel | read, By, Request}`.
pub fn is_request(message: &Term) -> bool {
    matches!(message, Term::Tuple(tuple)
        if matches!(&***tuple, [Term::Atom(tag), Term::Atom(_), _, _] if tag.name() == TAG))
}

/// `{'$mazurka_timer', Request, Ms}`, or the `DOWN` message of the timer.
pub(super) fn is_answer(message: &Term, request: Reference) -> bool {
    answer_to(message, request).is_some()
        || super::constraint::is_down(message, &Atom::DOWN.into(), request)
}

/// The time in an answer or exit reason of a timer, if it is for this request.
fn answer_to(term: &Term, request: Reference) -> Option<Term> {
    let Term::Tuple(tuple) = term else {
        return None;
    };
    match &***tuple {
        [Term::Atom(tag), Term::Reference(other), time]
            if tag.name() == TAG && *other == request =>
        {
            Some(time.clone())
        }
        _ => None,
    }
}

/// Whether a function of this module makes a process a timer.
pub(super) fn is_module(module: Atom) -> bool {
    module.name() == MODULE
}

impl Process {
    /// Whether it is a timer.
    pub fn is_timer(&self) -> bool {
        is_module(self.initial.module)
    }

    /// Notes that it receives the message of a timer.
    pub fn receive_from_timer(&mut self, timer: PidTerm) {
        if self.timers.iter().any(|known| known.process == timer) {
            self.timers.retain(|known| known.process != timer);
        }
    }

    fn start_timer(
        &mut self,
        effects: &mut Vec<Effect>,
        ms: u64,
        action: Term,
        is_own: bool,
        period_ms: Option<u64>,
    ) -> Reference {
        let process = self.make_child();
        let deadline_us = deadline_us(self.clock_us, ms);
        let earlier = self.timers.iter();
        let earlier = earlier.filter(|timer| timer.deadline_us < deadline_us);
        let after: Vec<Term> = earlier.map(|timer| Term::Pid(timer.process)).collect();
        let period = match period_ms {
            Some(ms) => integer(ms),
            None => Atom::FALSE.into(),
        };
        effects.push(Effect::Spawn {
            pid: process,
            start: Start {
                module: Atom::new(MODULE),
                name: Atom::new("wait"),
                arguments: vec![action, integer(ms), Term::list(after), period],
                leader: self.leader,
                clock_us: self.clock_us,
            },
            link: false,
            monitor: None,
        });
        if period_ms.is_none() {
            let others = self.timers.iter().filter(|timer| !timer.is_own).count();
            if !is_own && others >= OTHERS_MAX {
                let oldest = self.timers.iter().position(|timer| !timer.is_own);
                oldest.map(|at| self.timers.remove(at));
            }
            self.timers.push(Timer {
                process,
                deadline_us,
                is_own,
            });
        }
        Reference::of_timer(process)
    }
}

fn integer(number: u64) -> Term {
    Term::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

fn deadline_us(clock_us: u64, ms: u64) -> u64 {
    clock_us.saturating_add(ms.saturating_mul(1_000))
}

fn is(term: &Term, name: &str) -> bool {
    matches!(term, Term::Atom(atom) if atom.name() == name)
}

/// The options of a function: pairs of a name and a boolean. Fails if one is not in `known`.
fn options(list: Option<&Term>, known: &[&str]) -> Result<Vec<bool>, Raise> {
    let mut values = vec![None; known.len()];
    let Some(list) = list else {
        return Ok(vec![false; known.len()]);
    };
    let mut options = list.elements();
    for option in options.by_ref() {
        let Term::Tuple(pair) = option else {
            return Err(Raise::badarg());
        };
        let [Term::Atom(name), Term::Atom(value)] = &***pair else {
            return Err(Raise::badarg());
        };
        let at = known.iter().position(|known| *known == name.name());
        values[at.ok_or_else(Raise::badarg)?] = Some(match *value {
            Atom::TRUE => true,
            Atom::FALSE => false,
            _ => return Err(Raise::badarg()),
        });
    }
    match options.rest() {
        Term::Nil => Ok(values
            .into_iter()
            .map(|value| value.unwrap_or(false))
            .collect()),
        _ => Err(Raise::badarg()),
    }
}

/// The time of a timer in milliseconds from now. The fourth argument may say that it is a point in
/// time.
fn time_ms(context: &Context<'_>, arguments: &[Term]) -> Result<u64, Raise> {
    let is_absolute = options(arguments.get(3), &["abs"])?[0];
    match (&arguments[0], is_absolute) {
        (Term::Int(ms @ 0..=MS_MAX), false) => Ok(ms.unsigned_abs()),
        (Term::Int(ms), true) => {
            let at_us = u64::try_from(*ms).unwrap_or(0).saturating_mul(1_000);
            let left_us = at_us.saturating_sub(context.process.clock_us);
            Ok(left_us.div_ceil(1_000))
        }
        _ => Err(Raise::badarg()),
    }
}

/// `{send, To, Message}`.
fn send_action(to: &Term, message: Term) -> Term {
    Term::tuple([Term::atom("send"), to.clone(), message])
}

/// Starts a timer that sends a message to a pid or name. `message` makes it from the timer's reference.
fn start(
    context: &mut Context<'_>,
    arguments: &[Term],
    message: impl FnOnce(Reference) -> Term,
) -> Result<Next, Raise> {
    let ms = time_ms(context, arguments)?;
    let to = &arguments[1];
    match to {
        Term::Pid(_) => {}
        Term::Atom(name) => {
            if let Some(refusal) = names::refuse_absent(*name) {
                return Ok(refusal);
            }
        }
        _ => return Err(Raise::badarg()),
    }
    // The message may contain the reference, which is that of the process's next child.
    let reference = Reference::of_timer(context.process.pid.child(context.process.children));
    let action = send_action(to, message(reference));
    let is_own = *to == Term::Pid(context.process.pid);
    let started = context
        .process
        .start_timer(context.effects, ms, action, is_own, None);
    debug_assert_eq!(started, reference);
    Ok(Next::Value(Term::Reference(reference)))
}

fn send_after(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    start(context, arguments, |_| arguments[2].clone())
}

fn start_timer(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    start(context, arguments, |timer| {
        let reference = Term::Reference(timer);
        Term::tuple([Term::atom("timeout"), reference, arguments[2].clone()])
    })
}

fn cancel_timer(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Reference(reference) = arguments[0] else {
        return Err(Raise::badarg());
    };
    let (is_async, informs) = match arguments.get(1) {
        None => (false, true),
        Some(list) => {
            let given = options(Some(list), &["async", "info"])?;
            // The default of `info` is true.
            let is_told = |option: &Term| match option {
                Term::Tuple(pair) => matches!(&***pair, [name, _] if is(name, "info")),
                _ => false,
            };
            (given[0], given[1] || !list.elements().any(is_told))
        }
    };
    let returns = match (is_async, informs) {
        (_, false) => Returns::Value(Atom::OK.into()),
        (false, true) => Returns::TimeLeft,
        (true, true) => Returns::Message,
    };
    let Some(timer) = reference.timer() else {
        let none = Atom::FALSE.into();
        return Ok(returned(context, reference, returns, none));
    };
    if is_async && !informs {
        ask(context, timer, "cancel");
        context.process.receive_from_timer(timer);
        return Ok(Next::Value(Atom::OK.into()));
    }
    Ok(cancel(context, timer, returns))
}

/// Sends a request to a timer. Returns the reference of the request.
fn ask(context: &mut Context<'_>, timer: PidTerm, what: &str) -> Reference {
    let request = context.process.make_reference();
    let value = Term::tuple([
        Term::atom(TAG),
        Term::atom(what),
        Term::Pid(context.process.pid),
        Term::Reference(request),
    ]);
    context.effects.push(Effect::Send { to: timer, value });
    request
}

/// Cancels a timer, and waits for its end.
fn cancel(context: &mut Context<'_>, timer: PidTerm, returns: Returns) -> Next {
    let request = ask(context, timer, "cancel");
    let cancel = Box::new(Cancel {
        timer,
        request,
        returns,
    });
    notify(context, timer, request, Pending::CancelTimer(cancel))
}

fn notify(
    context: &mut Context<'_>,
    timer: PidTerm,
    reference: Reference,
    pending: Pending,
) -> Next {
    let number = ties::add_watch(context, Watch::of(reference, Some(timer)));
    let operation = LivenessOperation::Notify {
        pid: timer,
        reference: number,
    };
    Next::Liveness(operation, pending)
}

fn wait_for_end(reference: Reference, pending: Pending) -> Next {
    Next::Receive {
        constraint: Constraint::Down {
            reference,
            tag: Atom::DOWN.into(),
        },
        timeout_ms: None,
        pending,
    }
}

/// The exit reason in the `DOWN` message with this reference, whose monitor is removed.
fn exit_reason(context: &mut Context<'_>, reference: Reference, message: &Term) -> Option<Term> {
    let watches = &mut context.process.watches;
    watches.retain(|watch| watch.reference != reference);
    match message {
        Term::Tuple(tuple) if tuple.len() == 5 => tuple.last().cloned(),
        _ => None,
    }
}

impl Cancel {
    /// Continues to cancel a timer.
    pub(super) fn resume(self: Box<Self>, context: &mut Context<'_>, answer: Answer) -> Next {
        let Answer::Message(message) = answer else {
            return wait_for_end(self.request, Pending::CancelTimer(self));
        };
        let reason = exit_reason(context, self.request, &message);
        let left = reason.and_then(|reason| answer_to(&reason, self.request));
        let left = left.unwrap_or_else(|| Atom::FALSE.into());
        context.process.receive_from_timer(self.timer);
        let reference = Reference::of_timer(self.timer);
        returned(context, reference, self.returns, left)
    }

    /// Continues to read a timer.
    pub(super) fn resume_read(self: Box<Self>, context: &mut Context<'_>, answer: Answer) -> Next {
        let Answer::Message(message) = answer else {
            return Next::Receive {
                constraint: Constraint::TimerAnswer(self.request),
                timeout_ms: None,
                pending: Pending::ReadTimer(self),
            };
        };
        let number = Watch::of(self.request, Some(self.timer)).number();
        exit_reason(context, self.request, &message);
        match answer_to(&message, self.request) {
            None => {
                context.process.receive_from_timer(self.timer);
                let none = Atom::FALSE.into();
                returned(context, Reference::of_timer(self.timer), self.returns, none)
            }
            // The monitor is of no use any more.
            Some(left) => {
                let reference = Reference::of_timer(self.timer);
                let value = match returned(context, reference, self.returns, left) {
                    Next::Value(value) => value,
                    other => return other,
                };
                let operation = LivenessOperation::Flush {
                    pid: self.timer,
                    reference: number,
                };
                Next::Liveness(operation, Pending::Return(value))
            }
        }
    }
}

fn returned(context: &mut Context<'_>, timer: Reference, returns: Returns, left: Term) -> Next {
    Next::Value(match returns {
        Returns::TimeLeft => left,
        Returns::Value(value) => value,
        Returns::Message => {
            let value = Term::tuple([Term::atom("cancel_timer"), Term::Reference(timer), left]);
            let to = context.process.pid;
            context.effects.push(Effect::Send { to, value });
            Atom::OK.into()
        }
    })
}

fn read_timer(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Reference(reference) = arguments[0] else {
        return Err(Raise::badarg());
    };
    if options(arguments.get(1), &["async"])?[0] {
        return Ok(Next::Unsupported("read_timer with {async,true}".to_owned()));
    }
    let Some(timer) = reference.timer() else {
        return Ok(Next::Value(Atom::FALSE.into()));
    };
    let request = ask(context, timer, "read");
    let read = Box::new(Cancel {
        timer,
        request,
        returns: Returns::TimeLeft,
    });
    Ok(notify(context, timer, request, Pending::ReadTimer(read)))
}

/// The function that a timer runs: waits, then acts.
fn wait(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let [Term::Tuple(action), Term::Int(ms), after, period] = arguments else {
        return Err(Raise::badarg());
    };
    let action = match &***action {
        [_, to, message] => Action::Send {
            to: to.clone(),
            message: message.clone(),
        },
        [_, Term::Atom(module), Term::Atom(name), arguments, owner] => Action::Apply {
            module: *module,
            name: *name,
            arguments: arguments.clone(),
            owner: match owner {
                Term::Pid(owner) => Some(*owner),
                _ => None,
            },
        },
        _ => return Err(Raise::badarg()),
    };
    let after = after.elements().filter_map(|pid| match pid {
        Term::Pid(pid) => Some(*pid),
        _ => None,
    });
    let firing = Box::new(Firing {
        action,
        deadline_us: deadline_us(context.process.clock_us, ms.unsigned_abs()),
        period_ms: match period {
            Term::Int(ms) => Some(ms.unsigned_abs()),
            _ => None,
        },
        after: after.collect(),
    });
    Ok(firing.wait(context))
}

impl Firing {
    fn left_ms(&self, context: &Context<'_>) -> u64 {
        let left_us = self.deadline_us.saturating_sub(context.process.clock_us);
        left_us.div_ceil(1_000)
    }

    fn wait(self: Box<Self>, context: &Context<'_>) -> Next {
        Next::Receive {
            constraint: Constraint::TimerRequest,
            timeout_ms: Some(self.left_ms(context)),
            pending: Pending::Timer(self),
        }
    }

    /// Continues with a request or the timeout.
    pub(super) fn resume(self: Box<Self>, context: &mut Context<'_>, answer: Answer) -> Next {
        match answer {
            Answer::Message(request) => self.asked(context, request),
            _ => {
                context.process.advance_clock(self.deadline_us);
                self.expire(context)
            }
        }
    }

    /// A timer whose receiver has ended is cancelled, unless the receiver asks.
    fn asked(self: Box<Self>, context: &mut Context<'_>, request: Term) -> Next {
        let by = match &request {
            Term::Tuple(tuple) => tuple.get(2),
            _ => None,
        };
        let receiver = match &self.action {
            Action::Send {
                to: to @ Term::Pid(pid),
                ..
            } if by != Some(to) && *pid != PidTerm::leader() => Some(*pid),
            _ => None,
        };
        match receiver {
            Some(receiver) => Next::Liveness(
                LivenessOperation::IsAlive(receiver),
                Pending::TimerAsked(self, request),
            ),
            None => self.answer(context, &request, true),
        }
    }

    /// Answers a request: with the exit reason if it is cancelled, otherwise with a message.
    pub(super) fn answer(
        self: Box<Self>,
        context: &mut Context<'_>,
        request: &Term,
        is_alive: bool,
    ) -> Next {
        let left = match is_alive {
            true => integer(self.left_ms(context)),
            false => Atom::FALSE.into(),
        };
        let Term::Tuple(request) = request else {
            return self.wait(context);
        };
        let [_, what, Term::Pid(by), reference] = &***request else {
            return self.wait(context);
        };
        let answer = Term::tuple([Term::atom(TAG), reference.clone(), left]);
        if is(what, "cancel") {
            return Next::End(answer);
        }
        context.effects.push(Effect::Send {
            to: *by,
            value: answer,
        });
        self.wait(context)
    }

    /// Waits for the end of the timers that fire before, then fires.
    fn expire(mut self: Box<Self>, context: &mut Context<'_>) -> Next {
        match self.after.pop() {
            Some(before) => {
                let reference = context.process.make_reference();
                let pending = Pending::TimerAfter(self, reference);
                notify(context, before, reference, pending)
            }
            None => self.fire(context),
        }
    }

    /// Continues to wait for the end of another timer.
    pub(super) fn resume_after(
        self: Box<Self>,
        context: &mut Context<'_>,
        reference: Reference,
        answer: Answer,
    ) -> Next {
        match answer {
            Answer::Message(message) => {
                exit_reason(context, reference, &message);
                self.expire(context)
            }
            _ => wait_for_end(reference, Pending::TimerAfter(self, reference)),
        }
    }

    fn fire(self: Box<Self>, context: &mut Context<'_>) -> Next {
        match &self.action {
            Action::Send {
                to: Term::Pid(to),
                message,
            } => {
                let value = message.clone();
                context.effects.push(Effect::Fire { to: *to, value });
                self.fired(context)
            }
            Action::Send {
                to: Term::Atom(name),
                message,
            } => match names::machine_process(*name) {
                Some(to) => {
                    let value = message.clone();
                    context.effects.push(Effect::Fire { to, value });
                    self.fired(context)
                }
                None => {
                    let operation = Operation::WhereIs {
                        name: (*name).into(),
                    };
                    Next::Ask(operation, Pending::TimerFire(self))
                }
            },
            Action::Send { .. } => self.fired(context),
            Action::Apply {
                owner: Some(owner), ..
            } => Next::Liveness(LivenessOperation::IsAlive(*owner), Pending::TimerFire(self)),
            Action::Apply { .. } => self.apply(context),
        }
    }

    /// Continues to fire with the process that has a name, or with whether the owner is alive.
    pub(super) fn resume_fire(self: Box<Self>, context: &mut Context<'_>, answer: &Answer) -> Next {
        match (&self.action, answer) {
            (Action::Send { message, .. }, Answer::Pid(Some(to))) => {
                let value = message.clone();
                context.effects.push(Effect::Fire { to: *to, value });
                self.fired(context)
            }
            (Action::Apply { .. }, Answer::Bool(true)) => self.apply(context),
            (Action::Apply { .. }, _) => Next::Value(Atom::OK.into()),
            (Action::Send { .. }, _) => self.fired(context),
        }
    }

    fn apply(self: Box<Self>, context: &mut Context<'_>) -> Next {
        if let Action::Apply {
            module,
            name,
            arguments,
            ..
        } = &self.action
        {
            let pid = context.process.make_child();
            let start = Start {
                module: *module,
                name: *name,
                arguments: arguments.elements().cloned().collect(),
                leader: context.process.leader,
                clock_us: context.process.clock_us,
            };
            context.effects.push(Effect::Spawn {
                pid,
                start,
                link: false,
                monitor: None,
            });
        }
        self.fired(context)
    }

    /// Waits for the next time, or ends.
    fn fired(mut self: Box<Self>, context: &mut Context<'_>) -> Next {
        match self.period_ms {
            Some(ms) => {
                self.deadline_us = deadline_us(self.deadline_us, ms);
                self.wait(context)
            }
            None => Next::Value(Atom::OK.into()),
        }
    }
}

// The functions of the module `timer`. In OTP they use a server process, which is not needed here.

fn library_start(_: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    Ok(Next::Value(Atom::OK.into()))
}

fn bad_argument() -> Next {
    Next::Value(Term::tuple([Atom::ERROR.into(), Term::atom("badarg")]))
}

/// `{ok, {Kind, Reference}}`.
fn started(kind: &str, reference: Reference) -> Term {
    let timer = Term::tuple([Term::atom(kind), Term::Reference(reference)]);
    Term::tuple([Atom::OK.into(), timer])
}

fn library_time(term: &Term) -> Option<u64> {
    match term {
        Term::Int(ms @ 0..=MS_MAX) => Some(ms.unsigned_abs()),
        _ => None,
    }
}

/// The time, the receiver and the message in the arguments of `send_after` and `send_interval`. The
/// receiver is the caller if it is left out.
fn library_send(context: &Context<'_>, arguments: &[Term]) -> Result<(u64, Term, Term), Box<Next>> {
    let (time, to, message) = match arguments {
        [time, message] => (time, Term::Pid(context.process.pid), message),
        [time, Term::Tuple(pair), message] => match &***pair {
            [name @ Term::Atom(_), Term::Atom(Atom::NONODE)] => (time, name.clone(), message),
            [Term::Atom(_), Term::Atom(node)] => {
                let what = format!("a message to the node {}", node.name());
                return Err(Box::new(Next::Unsupported(what)));
            }
            _ => return Err(Box::new(bad_argument())),
        },
        [time, to @ (Term::Pid(_) | Term::Atom(_)), message] => (time, to.clone(), message),
        _ => return Err(Box::new(bad_argument())),
    };
    if let Term::Atom(name) = &to
        && let Some(refusal) = names::refuse_absent(*name)
    {
        return Err(Box::new(refusal));
    }
    match library_time(time) {
        Some(ms) => Ok((ms, to, message.clone())),
        None => Err(Box::new(bad_argument())),
    }
}

fn library_send_after(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let (ms, to, message) = match library_send(context, arguments) {
        Ok(parts) => parts,
        Err(next) => return Ok(*next),
    };
    if ms == 0 {
        let value = started("instant", context.process.make_reference());
        return super::ask::send_to(context, &to, &message, value);
    }
    let is_own = to == Term::Pid(context.process.pid);
    let kind = match to {
        Term::Pid(_) => "send_local",
        _ => "once",
    };
    let action = send_action(&to, message);
    let reference = context
        .process
        .start_timer(context.effects, ms, action, is_own, None);
    Ok(Next::Value(started(kind, reference)))
}

fn library_send_interval(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let (ms, to, message) = match library_send(context, arguments) {
        Ok(parts) => parts,
        Err(next) => return Ok(*next),
    };
    let ms = ms.max(1);
    let action = send_action(&to, message);
    let reference = context
        .process
        .start_timer(context.effects, ms, action, false, Some(ms));
    Ok(Next::Value(started("interval", reference)))
}

/// `{apply, Module, Name, Arguments, Owner}` for the arguments of `apply_after` and `apply_interval`
/// without the time.
fn apply_action(arguments: &[Term], owner: Term) -> Option<Term> {
    let (module, name, list) = match arguments {
        [fun @ Term::Fun(_)] => (
            Term::atom("erlang"),
            Term::atom("apply"),
            Term::list([fun.clone(), Term::Nil]),
        ),
        [fun @ Term::Fun(_), list] => (
            Term::atom("erlang"),
            Term::atom("apply"),
            Term::list([fun.clone(), list.clone()]),
        ),
        [module @ Term::Atom(_), name @ Term::Atom(_), list] => {
            (module.clone(), name.clone(), list.clone())
        }
        _ => return None,
    };
    let mut elements = list.elements();
    elements.by_ref().for_each(drop);
    let is_list = matches!(elements.rest(), Term::Nil);
    is_list.then(|| Term::tuple([Term::atom("apply"), module, name, list, owner]))
}

fn library_apply_after(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let ms = library_time(&arguments[0]);
    let action = apply_action(&arguments[1..], Atom::UNDEFINED.into());
    Ok(match ms.zip(action) {
        None => bad_argument(),
        Some((ms, action)) => {
            let process = &mut *context.process;
            let reference = process.start_timer(context.effects, ms, action, false, None);
            let kind = if ms == 0 { "instant" } else { "once" };
            Next::Value(started(kind, reference))
        }
    })
}

fn library_apply_interval(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let ms = library_time(&arguments[0]);
    let action = apply_action(&arguments[1..], Term::Pid(context.process.pid));
    Ok(match ms.zip(action) {
        None => bad_argument(),
        Some((ms, action)) => {
            let ms = ms.max(1);
            let process = &mut *context.process;
            let reference = process.start_timer(context.effects, ms, action, false, Some(ms));
            Next::Value(started("interval", reference))
        }
    })
}

fn library_exit_after(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let (time, pid, reason) = match arguments {
        [time, pid, reason] => (time, pid.clone(), reason),
        [time, reason, ..] => (time, Term::Pid(context.process.pid), reason),
        _ => return Err(Raise::badarg()),
    };
    let list = Term::list([pid, reason.clone()]);
    let arguments = [time.clone(), Term::atom("erlang"), Term::atom("exit"), list];
    library_apply_after(context, &arguments)
}

fn library_kill_after(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let mut arguments = arguments.to_vec();
    arguments.push(Term::atom("kill"));
    library_exit_after(context, &arguments)
}

fn library_cancel(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Tuple(pair) = &arguments[0] else {
        return Ok(bad_argument());
    };
    let [Term::Atom(kind), Term::Reference(reference)] = &***pair else {
        return Ok(bad_argument());
    };
    let done = Term::tuple([Atom::OK.into(), Term::atom("cancel")]);
    Ok(match (kind.name(), reference.timer()) {
        ("once" | "interval" | "send_local", Some(timer)) => {
            cancel(context, timer, Returns::Value(done))
        }
        ("instant" | "once" | "interval" | "send_local", _) => Next::Value(done),
        _ => bad_argument(),
    })
}
