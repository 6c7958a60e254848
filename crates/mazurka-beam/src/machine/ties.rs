//! Links, monitors, exit signals, and whether processes live.

use mazurka_engine::Operation;

use super::ask::Pending;
use super::constraint::Constraint;
use super::native::{Answer, Asking, Context, Next, Row};
use super::{Effect, local, names};
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Reference, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("erlang", "link", 1, link),
    ("erlang", "unlink", 1, unlink),
    ("erlang", "monitor", 2, monitor),
    ("erlang", "demonitor", 1, demonitor),
    ("erlang", "demonitor", 2, demonitor_with_options),
    ("erlang", "exit", 2, exit),
    ("erlang", "is_process_alive", 1, is_process_alive),
    ("erlang", "process_flag", 2, process_flag),
];

/// A monitor that is in force, or whose message has not been received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// What the program knows it by.
    pub reference: Reference,
    /// Whom it watches; nobody if the name was not borne, which is told at once.
    pub pid: Option<PidTerm>,
    /// The name that was watched, which the message then has in place of the pid.
    pub name: Option<Atom>,
}

impl Watch {
    /// The number of the monitor, which is one and the same in every execution and for one monitor
    /// only.
    pub fn number(&self) -> u64 {
        let [high, middle, low] = self.reference.0;
        let words = [high.into(), middle.into(), low.into()];
        let name = self.name.map_or(0, |name| {
            let bytes = name.name().bytes();
            bytes.fold(1, |hash, byte| mix(hash, byte.into()))
        });
        words.into_iter().fold(name, mix)
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
    // Who traps exits is told by a message that there is no such process. To others it is a
    // failure, if that is known already; and if the process ends just then, a signal.
    Ok(match context.process.flags.trap_exit {
        true => link_to(to),
        false => Next::Ask(Operation::IsAlive(to), Pending::Link(to)),
    })
}

pub(super) fn link_to(to: PidTerm) -> Next {
    let done = Pending::Return(Atom::TRUE.into());
    Next::Ask(Operation::Link(to), done)
}

fn unlink(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let from = pid(&arguments[0])?;
    if from == context.process.pid || from == PidTerm::leader() {
        return done();
    }
    let done = Pending::Return(Atom::TRUE.into());
    Ok(Next::Ask(Operation::Unlink(from), done))
}

fn monitor(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    if !matches!(arguments[0], Term::Atom(kind) if kind.name() == "process") {
        return Err(Raise::badarg());
    }
    let name = match &arguments[1] {
        Term::Pid(pid) => return Ok(watch(context, *pid, None)),
        Term::Atom(name) => *name,
        Term::Tuple(tuple) => match &***tuple {
            [Term::Atom(name), Term::Atom(Atom::NONODE)] => *name,
            _ => return Err(Raise::badarg()),
        },
        _ => return Err(Raise::badarg()),
    };
    match names::own(name) {
        Some(pid) => Ok(watch(context, pid, Some(name))),
        None => Ok(Next::Ask(
            Operation::WhereIs { name: name.into() },
            Pending::Monitor { name },
        )),
    }
}

fn watch(context: &mut Context<'_>, pid: PidTerm, name: Option<Atom>) -> Next {
    let reference = context.process.make_reference();
    let value = Term::Reference(reference);
    // What never ends need not be watched. A process never hears of its own end.
    if pid == PidTerm::leader() || pid == context.process.pid {
        return Next::Value(value);
    }
    let watch = Watch {
        reference,
        pid: Some(pid),
        name,
    };
    let operation = Operation::Monitor {
        pid,
        reference: watch.number(),
    };
    context.process.watches.push(watch);
    Next::Ask(operation, Pending::Return(value))
}

/// The process that bears a name, if any, is to be watched.
pub(super) fn watch_bearer(
    context: &mut Context<'_>,
    name: Atom,
    answer: &Answer,
) -> Result<Next, Raise> {
    match answer {
        Answer::Pid(Some(pid)) => Ok(watch(context, *pid, Some(name))),
        Answer::Pid(None) => {
            let reference = context.process.make_reference();
            let to = context.process.pid;
            let value = Term::tuple([
                Atom::DOWN.into(),
                Term::Reference(reference),
                Term::atom("process"),
                Term::tuple([name.into(), Atom::NONODE.into()]),
                Term::atom("noproc"),
            ]);
            context.process.watches.push(Watch {
                reference,
                pid: None,
                name: Some(name),
            });
            context.effects.push(Effect::Send { to, value });
            Ok(Next::Value(Term::Reference(reference)))
        }
        _ => Err(Raise::badarg()),
    }
}

fn demonitor(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    undo(context, &arguments[0], false, false)
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
    undo(context, &arguments[0], flush, info)
}

fn undo(
    context: &mut Context<'_>,
    reference: &Term,
    flush: bool,
    info: bool,
) -> Result<Next, Raise> {
    let Term::Reference(reference) = *reference else {
        return Err(Raise::badarg());
    };
    // Only the process that made a monitor can undo it.
    if reference.creator() != context.process.pid {
        return Err(Raise::badarg());
    }
    let watches = &mut context.process.watches;
    let found = watches
        .iter()
        .position(|watch| watch.reference == reference);
    let Some(at) = found else {
        // There is none, or its message has been received.
        return Ok(Next::Value(Atom::bool(!info).into()));
    };
    let watch = watches.remove(at);
    match watch.pid {
        Some(pid) => Ok(Next::Ask(
            Operation::Demonitor {
                pid,
                reference: watch.number(),
            },
            Pending::Demonitor {
                reference,
                flush,
                info,
            },
        )),
        None => Ok(undone(reference, flush, info, false)),
    }
}

/// A monitor has been undone, in time or when its message had already been sent.
pub(super) fn undone(reference: Reference, flush: bool, info: bool, in_time: bool) -> Next {
    let value = match (in_time, info, flush) {
        (_, false, _) | (true, true, _) => Atom::TRUE.into(),
        // With both options it says whether there was nothing to flush.
        (false, true, _) => Atom::FALSE.into(),
    };
    match flush && !in_time {
        true => Next::Receive {
            constraint: Constraint::Down(reference),
            timeout_ms: None,
            pending: Pending::Return(value),
        },
        false => Next::Value(value),
    }
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
        context.effects.push(Effect::Signal { to, reason });
    }
    done()
}

fn is_process_alive(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let of = pid(&arguments[0])?;
    if of == context.process.pid || of == PidTerm::leader() {
        return done();
    }
    Ok(Next::Ask(Operation::IsAlive(of), Pending::Bool))
}

/// Exit signals are messages, or not, by the flag at the time when they come. The engine asks for the
/// flag when the process receives, so what has come must be dealt with before the flag changes: a
/// signal of a normal end is lost if the flag was off, and all that came while it was on stay
/// messages.
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
        // Nobody can send a signal to a process that nobody knows.
        if context.process.pid == PidTerm::entry() && context.process.children == 0 {
            return Ok(Next::Value(Atom::FALSE.into()));
        }
    }
    Ok(signals_come(on))
}

/// Looks for an exit signal that has come before the flag is set to this.
fn signals_come(on: bool) -> Next {
    Next::Receive {
        constraint: Constraint::Signal { only_normal: on },
        timeout_ms: Some(0),
        pending: Pending::Signals { on },
    }
}

/// One has come, or none.
pub(super) fn signal_came(context: &mut Context<'_>, on: bool, answer: Answer) -> Next {
    match answer {
        Answer::Message(signal) => {
            if !on {
                context.process.replies.push(signal);
            }
            signals_come(on)
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
