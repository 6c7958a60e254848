//! Links, monitors, exit signals and liveness checks.

use mazurka_engine::{LivenessOperation, Operation};

use super::alias::{self, Alias, Then, Until};
use super::ask::Pending;
use super::constraint::{self, Constraint};
use super::native::{Answer, Asking, Context, Next, Row};
use super::{Effect, local, names};
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Reference, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("erlang", "link", 1, link),
    ("erlang", "unlink", 1, unlink),
    ("erlang", "monitor", 2, monitor),
    ("erlang", "monitor", 3, monitor),
    ("erlang", "demonitor", 1, demonitor),
    ("erlang", "demonitor", 2, demonitor_with_options),
    ("erlang", "exit", 2, exit),
    ("erlang", "is_process_alive", 1, is_process_alive),
    ("erlang", "process_flag", 2, process_flag),
];

/// A monitor that is active, or whose `DOWN` message has not been received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The reference that `monitor` returned.
    pub reference: Reference,
    /// The monitored process; `None` if the name was not registered, in which case the `DOWN` message
    /// was sent at once.
    pub pid: Option<PidTerm>,
    /// The monitored name, which the `DOWN` message contains in place of the pid.
    pub name: Option<Atom>,
    /// What the message contains in place of `'DOWN'`.
    pub tag: Option<Term>,
}

/// The options of a monitor.
#[derive(Clone, Debug, Default)]
pub struct MonitorOptions {
    /// Whether its reference is an alias, and until when.
    pub alias: Option<Until>,
    /// The tag of its message.
    pub tag: Option<Term>,
}

impl MonitorOptions {
    /// The options in this list, if it is valid.
    pub(super) fn of(list: &Term) -> Option<MonitorOptions> {
        let mut read = MonitorOptions::default();
        let mut options = list.elements();
        for option in options.by_ref() {
            let Term::Tuple(pair) = option else {
                return None;
            };
            match &***pair {
                [Term::Atom(name), tag] if name.name() == "tag" => read.tag = Some(tag.clone()),
                [Term::Atom(name), Term::Atom(mode)] if name.name() == "alias" => {
                    read.alias = Some(Until::of_mode(mode.name())?);
                }
                _ => return None,
            }
        }
        matches!(options.rest(), Term::Nil).then_some(read)
    }
}

impl Watch {
    /// The monitor of a process, without options.
    pub(super) fn of(reference: Reference, pid: Option<PidTerm>) -> Watch {
        Watch {
            reference,
            pid,
            name: None,
            tag: None,
        }
    }

    /// The first element of its message.
    pub fn tag(&self) -> Term {
        self.tag.clone().unwrap_or_else(|| Atom::DOWN.into())
    }

    /// Whether this is its message.
    pub(super) fn is_down(&self, message: &Term) -> bool {
        match &self.tag {
            None => constraint::is_down(message, &Atom::DOWN.into(), self.reference),
            Some(tag) => constraint::is_down(message, tag, self.reference),
        }
    }

    /// The number of the monitor. It is unique, and the same in every execution.
    pub fn number(&self) -> u64 {
        let [high, middle, low] = self.reference.0;
        let words = [high.into(), middle.into(), low.into()];
        let text =
            |hash: u64, text: &str| text.bytes().fold(hash, |hash, byte| mix(hash, byte.into()));
        let mut start = 0;
        if let Some(name) = self.name {
            start = text(1, name.name());
        }
        if let Some(tag) = &self.tag {
            start = text(mix(start, 2), &tag.to_string());
        }
        words.into_iter().fold(start, mix)
    }
}

fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

fn pid(term: &Term) -> Result<PidTerm, Raise> {
    match term {
        Term::Pid(pid) => Ok(*pid),
        _ => Err(Raise::badarg()),
    }
}

fn done() -> Result<Next, Raise> {
    Ok(Next::Value(Atom::TRUE.into()))
}

fn link(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let to = pid(&arguments[0])?;
    if to == context.process.pid || to == PidTerm::leader() {
        return done();
    }
    // If the target has ended, a process that traps exits gets a message. For other processes,
    // `link` fails if the end is known already; if the target ends after the check, the
    // process gets an exit signal.
    Ok(match context.process.flags.trap_exit {
        true => link_to(to),
        false => Next::Liveness(LivenessOperation::IsAlive(to), Pending::Link(to)),
    })
}

pub(super) fn link_to(to: PidTerm) -> Next {
    let done = Pending::Return(Atom::TRUE.into());
    Next::Liveness(LivenessOperation::Link(to), done)
}

fn unlink(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let from = pid(&arguments[0])?;
    if from == context.process.pid || from == PidTerm::leader() {
        return done();
    }
    let done = Pending::Return(Atom::TRUE.into());
    Ok(Next::Liveness(LivenessOperation::Unlink(from), done))
}

fn monitor(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    match &arguments[0] {
        Term::Atom(kind) if kind.name() == "process" => {}
        Term::Atom(kind) => return monitor_other(*kind, &arguments[1]),
        _ => return Err(Raise::badarg()),
    }
    let options = match arguments.get(2) {
        Some(list) => MonitorOptions::of(list).ok_or_else(Raise::badarg)?,
        None => MonitorOptions::default(),
    };
    let name = match &arguments[1] {
        Term::Pid(pid) => return Ok(watch(context, *pid, None, options)),
        Term::Atom(name) => *name,
        Term::Tuple(tuple) => match &***tuple {
            [Term::Atom(name), Term::Atom(Atom::NONODE)] => *name,
            _ => return Err(Raise::badarg()),
        },
        _ => return Err(Raise::badarg()),
    };
    if let Some(refusal) = names::refuse_absent(name) {
        return Ok(refusal);
    }
    match names::machine_process(name) {
        Some(pid) => Ok(watch(context, pid, Some(name), options)),
        None => Ok(Next::Ask(
            Operation::WhereIs { name: name.into() },
            Pending::Monitor {
                name,
                options: Box::new(options),
            },
        )),
    }
}

/// Monitors of the clock and of ports are not modelled.
fn monitor_other(kind: Atom, item: &Term) -> Result<Next, Raise> {
    let is_valid = match (kind.name(), item) {
        ("time_offset", Term::Atom(item)) => item.name() == "clock_service",
        ("port", Term::Port(_) | Term::Atom(_)) => true,
        ("port", Term::Tuple(tuple)) => {
            matches!(&***tuple, [Term::Atom(_), Term::Atom(Atom::NONODE)])
        }
        _ => false,
    };
    match is_valid {
        true => {
            let kind = kind.name();
            Ok(Next::Unsupported(format!("monitor({kind}, {item})")))
        }
        false => Err(Raise::badarg()),
    }
}

/// Creates the reference of a monitor, and the alias if it is one.
pub(super) fn monitor_reference(context: &mut Context<'_>, alias: Option<Until>) -> Reference {
    let reference = context.process.make_reference();
    let alias = alias.map(|until| Alias { reference, until });
    if let Some(alias) = alias {
        context.process.aliases.push(alias);
    }
    reference
}

fn watch(
    context: &mut Context<'_>,
    pid: PidTerm,
    name: Option<Atom>,
    options: MonitorOptions,
) -> Next {
    let reference = monitor_reference(context, options.alias);
    let value = Term::Reference(reference);
    // The group leader never ends, and a process never receives a message about its own end.
    if pid == PidTerm::leader() || pid == context.process.pid {
        return Next::Value(value);
    }
    let watch = Watch {
        reference,
        pid: Some(pid),
        name,
        tag: options.tag,
    };
    let operation = LivenessOperation::Monitor {
        pid,
        reference: add_watch(context, watch),
    };
    Next::Liveness(operation, Pending::Return(value))
}

/// Records a monitor. Returns its number.
pub(super) fn add_watch(context: &mut Context<'_>, watch: Watch) -> u64 {
    let number = watch.number();
    context.process.watches.push(watch);
    number
}

/// Monitors the process registered under the name, which is the answer.
pub(super) fn monitor_registered(
    context: &mut Context<'_>,
    name: Atom,
    options: MonitorOptions,
    answer: &Answer,
) -> Result<Next, Raise> {
    match answer {
        Answer::Pid(Some(pid)) => Ok(watch(context, *pid, Some(name), options)),
        Answer::Pid(None) => {
            let reference = monitor_reference(context, options.alias);
            let to = context.process.pid;
            let watch = Watch {
                reference,
                pid: None,
                name: Some(name),
                tag: options.tag,
            };
            let value = Term::tuple([
                watch.tag(),
                Term::Reference(reference),
                Term::atom("process"),
                Term::tuple([name.into(), Atom::NONODE.into()]),
                Term::atom("noproc"),
            ]);
            context.process.watches.push(watch);
            context.effects.push(Effect::Send { to, value });
            Ok(Next::Value(Term::Reference(reference)))
        }
        _ => Err(Raise::badarg()),
    }
}

fn demonitor(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    end_monitor(context, &arguments[0], false, false)
}

fn demonitor_with_options(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let (mut flush, mut info) = (false, false);
    let mut options = arguments[1].elements();
    for option in options.by_ref() {
        match option {
            Term::Atom(name) if name.name() == "flush" => flush = true,
            Term::Atom(name) if name.name() == "info" => info = true,
            _ => return Err(Raise::badarg()),
        }
    }
    if !matches!(options.rest(), Term::Nil) {
        return Err(Raise::badarg());
    }
    end_monitor(context, &arguments[0], flush, info)
}

fn end_monitor(
    context: &mut Context<'_>,
    reference: &Term,
    flush: bool,
    info: bool,
) -> Result<Next, Raise> {
    let Term::Reference(reference) = *reference else {
        return Err(Raise::badarg());
    };
    let then = Then::Demonitor { flush, info };
    match alias::end_before_demonitor(context.process, reference, then) {
        Some(next) => Ok(next),
        None => remove_monitor(context, reference, flush, info),
    }
}

pub(super) fn remove_monitor(
    context: &mut Context<'_>,
    reference: Reference,
    flush: bool,
    info: bool,
) -> Result<Next, Raise> {
    let watches = &mut context.process.watches;
    let found = watches
        .iter()
        .position(|watch| watch.reference == reference);
    let Some(at) = found else {
        // The monitor does not exist, its message has been received, or another process created it.
        return Ok(Next::Value(Atom::bool(!info).into()));
    };
    let watch = watches.remove(at);
    let Some(pid) = watch.pid else {
        // The process sent itself the `DOWN` message when it created the monitor.
        let value = Atom::bool(!info).into();
        return Ok(match flush {
            true => Next::Receive {
                constraint: Constraint::Down {
                    reference,
                    tag: watch.tag(),
                },
                timeout_ms: None,
                pending: Pending::Return(value),
            },
            false => Next::Value(value),
        });
    };
    let reference = watch.number();
    if flush && !info {
        // Nothing shows whether the `DOWN` message had arrived.
        return Ok(flush_monitor(pid, reference, Atom::TRUE));
    }
    let flush = flush.then_some((pid, reference));
    Ok(Next::Liveness(
        LivenessOperation::Demonitor { pid, reference },
        Pending::Demonitor { flush, info },
    ))
}

/// Finishes a `demonitor`. `in_time` is false if the `DOWN` message had arrived; then it is removed if
/// `flush` names the monitor.
pub(super) fn monitor_removed(flush: Option<(PidTerm, u64)>, info: bool, in_time: bool) -> Next {
    let value = Atom::bool(in_time || !info);
    match flush {
        Some((pid, reference)) if !in_time => flush_monitor(pid, reference, value),
        _ => Next::Value(value.into()),
    }
}

/// Removes a monitor and its `DOWN` message.
fn flush_monitor(pid: PidTerm, reference: u64, value: Atom) -> Next {
    let done = Pending::Return(value.into());
    Next::Liveness(LivenessOperation::Flush { pid, reference }, done)
}

fn exit(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let to = pid(&arguments[0])?;
    let reason = arguments[1].clone();
    let process = &context.process;
    if to == process.pid {
        let kills = matches!(reason, Term::Atom(reason) if reason.name() == "kill");
        if kills || !process.flags.trap_exit {
            let reason = match kills {
                true => Term::atom("killed"),
                false => reason,
            };
            return Ok(Next::End(reason));
        }
        let value = Term::tuple([Atom::EXIT_TAG.into(), arguments[0].clone(), reason]);
        context.effects.push(Effect::Send { to, value });
    } else if to != PidTerm::leader() {
        let kills = matches!(reason, Term::Atom(reason) if reason.name() == "kill");
        if kills && !process.killed.contains(&to) {
            context.process.killed.push(to);
        }
        context.effects.push(Effect::Signal { to, reason });
    }
    done()
}

fn is_process_alive(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let of = pid(&arguments[0])?;
    if of == context.process.pid || of == PidTerm::leader() {
        return done();
    }
    if context.process.killed.contains(&of) {
        return Ok(after_end(context, of, Atom::FALSE.into()));
    }
    Ok(Next::Liveness(
        LivenessOperation::IsAlive(of),
        Pending::Bool,
    ))
}

/// Answers a question about a process that the asker has killed: its own signals to the process are
/// delivered before the question, so the answer is that of a process that has ended.
pub(super) fn after_end(context: &mut Context<'_>, of: PidTerm, value: Term) -> Next {
    let reference = context.process.make_reference();
    let operation = LivenessOperation::Notify {
        pid: of,
        reference: add_watch(context, Watch::of(reference, Some(of))),
    };
    Next::Liveness(operation, Pending::End(reference, value))
}

/// Waits for the `DOWN` message of a monitor that the program does not know, and returns a value.
pub(super) fn wait_for_end(reference: Reference, value: Term) -> Next {
    Next::Receive {
        constraint: Constraint::Down {
            reference,
            tag: Atom::DOWN.into(),
        },
        timeout_ms: None,
        pending: Pending::Return(value),
    }
}

/// Whether an exit signal becomes a message depends on `trap_exit` at the time when it arrives. The
/// engine uses the flag at the time of the receive, so signals that have arrived must be processed
/// before the flag changes: a signal with the reason `normal` is dropped if the flag was off, and all
/// signals that arrived while it was on stay messages.
fn process_flag(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let on = match &arguments[..2] {
        [Term::Atom(flag), Term::Atom(Atom::TRUE)] if flag.name() == "trap_exit" => true,
        [Term::Atom(flag), Term::Atom(Atom::FALSE)] if flag.name() == "trap_exit" => false,
        _ => return local::set_flag(context, arguments).map(Next::Value),
    };
    let old = context.process.flags.trap_exit;
    if old == on {
        return Ok(Next::Value(Atom::bool(old).into()));
    }
    if on {
        context.process.flags.trap_exit = true;
        context.effects.push(Effect::TrapExit(true));
        // No other process exists yet that could send a signal.
        if context.process.pid == PidTerm::entry() && context.process.children == 0 {
            return Ok(Next::Value(Atom::FALSE.into()));
        }
    }
    Ok(check_signal(on))
}

/// Checks for an exit signal that arrived before the flag is set to this value.
fn check_signal(on: bool) -> Next {
    Next::Receive {
        constraint: Constraint::Signal { only_normal: on },
        timeout_ms: Some(0),
        pending: Pending::Signals { on },
    }
}

/// Continues with a signal that arrived, or finishes if there is none left.
pub(super) fn signal_checked(context: &mut Context<'_>, on: bool, answer: Answer) -> Next {
    match answer {
        Answer::Message(signal) => {
            if !on {
                context.process.replies.push(signal);
            }
            check_signal(on)
        }
        _ => {
            if !on {
                context.process.flags.trap_exit = false;
                context.effects.push(Effect::TrapExit(false));
            }
            Next::Value(Atom::bool(!on).into())
        }
    }
}
