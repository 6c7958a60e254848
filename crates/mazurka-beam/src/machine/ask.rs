//! Native functions that may have to wait for an answer.
//!
//! [`Pending`] is what such a function does once it has the answer. It is part of the process's
//! snapshot.

use mazurka_engine::Operation;

use super::clock::{self, Form};
use super::info::{Inquiry, Linked};
use super::native::{Answer, Asking, Context, Next, Row, row};
use super::run::After;
use super::tables::{self, Step};
use super::{
    ArrayCall, Cancel, Effect, ElementOutcome, Firing, MonitorOptions, Process, Then, Variable,
    alias, application, atomics, global, info, local, names, persistent, ties, timers,
};
use crate::code::{Address, Mfa};
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Reference, Term};

/// What a native function does with the answer it waits for.
#[derive(Clone, Debug)]
pub enum Pending {
    /// Send a message to the process registered under a name.
    Send {
        /// The message.
        message: Term,
        /// What the function returns.
        value: Term,
        /// Whether the call fails if no process has the name.
        must_exist: bool,
    },
    /// Return the answer, which is a number.
    Count,
    /// Return the answer, the time of the shared clock, in this form.
    Clock(Form),
    /// Return the answer as a boolean.
    Bool,
    /// Return this value and ignore the answer.
    Return(Term),
    /// Return `true`, or fail if the request was refused.
    Granted,
    /// Return the process in the answer, or `undefined`.
    WhereIs,
    /// Register a process, unless it is registered under another name. The answer is the name that
    /// was last recorded for the process.
    RegisterUnlessNamed {
        /// The name.
        name: Atom,
        /// The process.
        pid: PidTerm,
    },
    /// Register a process, unless the answer, the process with its last recorded name, is this
    /// process.
    RegisterUnlessStillNamed {
        /// The name.
        name: Atom,
        /// The process.
        pid: PidTerm,
    },
    /// Register a process.
    Register {
        /// The name.
        name: Atom,
        /// The process.
        pid: PidTerm,
    },
    /// Return all registered names.
    Registered,
    /// Look up the name that was last recorded for a process.
    LastName(Inquiry),
    /// Return the name of a process, if it is still registered under it.
    NameIfStillRegistered {
        /// The name.
        name: Atom,
        /// The query about the process.
        inquiry: Inquiry,
    },
    /// Return the links of a process.
    Links(Inquiry),
    /// Continue checking which linked processes are alive.
    Linked(Linked),
    /// Link to a process if it is alive.
    Link(PidTerm),
    /// Monitor the process registered under a name.
    Monitor {
        /// The name.
        name: Atom,
        /// The options of the monitor.
        options: Box<MonitorOptions>,
    },
    /// Continue to end an alias.
    EndAlias(Reference, Then),
    /// Continue to cancel a timer.
    CancelTimer(Box<Cancel>),
    /// Continue to read a timer.
    ReadTimer(Box<Cancel>),
    /// Of a timer: wait for requests, or fire.
    Timer(Box<Firing>),
    /// Of a timer: answer this request; first learn whether the receiver is alive.
    TimerAsked(Box<Firing>, Term),
    /// Of a timer: wait for the end of another timer, whose monitor has this reference.
    TimerAfter(Box<Firing>, Reference),
    /// Of a timer: fire, once the receiver is known.
    TimerFire(Box<Firing>),
    /// Wait for the `DOWN` message of this monitor, then return this value: a process has ended.
    End(Reference, Term),
    /// Finish a `demonitor`.
    Demonitor {
        /// The monitor, by its process and its number, if its `DOWN` message is to be removed.
        flush: Option<(PidTerm, u64)>,
        /// Whether to return if the monitor still existed.
        info: bool,
    },
    /// Process the exit signals that arrived before `trap_exit` is set to this value.
    Signals {
        /// Whether exit signals become messages from now on.
        on: bool,
    },
    /// Return the messages in the mailbox, or their number.
    Messages(Inquiry),
    /// Return this value if the process is alive, otherwise `undefined`.
    IfAlive(Term),
    /// Report that this is not modelled if the process is alive, otherwise return `undefined`.
    RefuseIfAlive(String),
    /// Return the value of a persistent term.
    PersistentTerm {
        /// The value to return if the key has none.
        default: Option<Term>,
    },
    /// Return whether the key had a value.
    Existed,
    /// Return the value of a variable of an application's environment.
    Variable(Box<Variable>),
    /// Continue an operation on an array, with the arguments behind it.
    Array(ArrayCall, Reference, Vec<Term>),
    /// Finish an operation on an element of an array.
    Element(ElementOutcome),
    /// Return `yes`, or `no` if the request was refused.
    YesOrNo,
    /// Send a message to the process with a global name, and return it.
    SendGlobally(Term, Term),
    /// Continue an operation on a table.
    Table(Box<Step>),
}

/// A native function that waits for an answer.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The instruction after the call.
    pub at: Address,
    pub pending: Pending,
    /// The function, for traces.
    pub mfa: Mfa,
    /// Its arguments, for traces.
    pub arguments: Vec<Term>,
    pub after: After,
}

/// The functions of this file.
const TABLE: &[Row<Asking>] = &[
    ("erlang", "!", 2, send),
    ("erlang", "send", 2, send),
    ("erlang", "send", 3, send_with_options),
    ("erlang", "unique_integer", 1, unique_integer),
];

/// Looks up a function by name and arity.
pub(super) fn find(mfa: Mfa) -> Option<Asking> {
    let tables = [
        TABLE,
        clock::TABLE,
        application::TABLE,
        atomics::TABLE,
        global::TABLE,
        names::TABLE,
        ties::TABLE,
        alias::TABLE,
        timers::TABLE,
        info::TABLE,
        persistent::TABLE,
        tables::TABLE,
        local::ASKING,
    ];
    tables.into_iter().find_map(|table| row(table, mfa))
}

impl Pending {
    /// Continues the function with the answer.
    pub(super) fn resume(self, context: &mut Context<'_>, answer: Answer) -> Result<Next, Raise> {
        match (self, answer) {
            (Pending::Send { message, value, .. }, Answer::Pid(Some(to))) => {
                context.effects.push(Effect::Send { to, value: message });
                Ok(Next::Value(value))
            }
            (
                Pending::Send {
                    value,
                    must_exist: false,
                    ..
                },
                Answer::Pid(None),
            ) => Ok(Next::Value(value)),
            (Pending::Count, Answer::Int(count)) => Ok(Next::Value(Term::Int(count))),
            (Pending::Clock(form), Answer::Int(time_us)) => {
                clock::shared_read(context, form, time_us)
            }
            (Pending::Bool, Answer::Bool(yes)) => Ok(Next::Value(Atom::bool(yes).into())),
            (Pending::Return(value), _) => Ok(Next::Value(value)),
            (Pending::PersistentTerm { default }, answer) => persistent::looked_up(default, answer),
            (Pending::Table(step), answer) => step.resume(context, answer),
            (Pending::Variable(variable), answer) => {
                Ok(application::looked_up(context, *variable, &answer))
            }
            (Pending::Array(call, array, arguments), answer) => {
                atomics::found(call, array, &arguments, &answer)
            }
            (Pending::Element(outcome), Answer::Int(count)) => {
                Ok(Next::Value(atomics::done(outcome, count)))
            }
            (Pending::YesOrNo, answer) => {
                let text = if answer == Answer::Ok { "yes" } else { "no" };
                Ok(Next::Value(Term::atom(text)))
            }
            (Pending::SendGlobally(_, message), Answer::Pid(Some(to))) => {
                context.effects.push(Effect::Send { to, value: message });
                Ok(Next::Value(Term::Pid(to)))
            }
            (Pending::SendGlobally(name, message), _) => Err(global::nobody(name, message)),
            (Pending::Existed, answer) => Ok(persistent::existed(&answer)),
            (Pending::Granted, Answer::Ok) => Ok(Next::Value(Atom::TRUE.into())),
            (Pending::WhereIs, Answer::Pid(pid)) => Ok(Next::Value(match pid {
                Some(pid) => Term::Pid(pid),
                None => Atom::UNDEFINED.into(),
            })),
            (Pending::RegisterUnlessNamed { name, pid }, answer) => {
                Ok(names::register_unless_named(name, pid, &answer))
            }
            (Pending::RegisterUnlessStillNamed { name, pid }, answer) => {
                names::register_unless_still_named(name, pid, &answer)
            }
            (Pending::Register { name, pid }, _) => Ok(names::register_recorded(name, pid)),
            (Pending::Registered, answer) => names::all_names(&answer),
            (Pending::LastName(inquiry), answer) => Ok(names::last_name(context, inquiry, &answer)),
            (Pending::NameIfStillRegistered { name, inquiry }, answer) => Ok(
                names::name_if_still_registered(context, name, inquiry, &answer),
            ),
            (Pending::Links(inquiry), Answer::Pids(pids)) => {
                Ok(Linked::collect(context, inquiry, pids))
            }
            (Pending::Linked(linked), answer) => Ok(linked.checked(context, &answer)),
            (Pending::Link(to), Answer::Bool(true)) => Ok(ties::link_to(to)),
            (Pending::Link(_), _) => Err(Raise::error(Atom::new("noproc"))),
            (Pending::Monitor { name, options }, answer) => {
                ties::monitor_registered(context, name, *options, &answer)
            }
            (Pending::EndAlias(reference, then), answer) => {
                alias::looked(context, reference, then, answer)
            }
            (Pending::CancelTimer(cancel), answer) => Ok(cancel.resume(context, answer)),
            (Pending::ReadTimer(read), answer) => Ok(read.resume_read(context, answer)),
            (Pending::Timer(firing), answer) => Ok(firing.resume(context, answer)),
            (Pending::TimerAsked(firing, request), answer) => {
                Ok(firing.answer(context, &request, answer == Answer::Bool(true)))
            }
            (Pending::TimerAfter(firing, reference), answer) => {
                Ok(firing.resume_after(context, reference, answer))
            }
            (Pending::TimerFire(firing), answer) => Ok(firing.resume_fire(context, &answer)),
            (Pending::Demonitor { flush, info }, Answer::Bool(in_time)) => {
                Ok(ties::monitor_removed(flush, info, in_time))
            }
            (Pending::End(reference, value), _) => Ok(ties::wait_for_end(reference, value)),
            (Pending::Signals { on }, answer) => Ok(ties::signal_checked(context, on, answer)),
            (Pending::Messages(inquiry), answer) => {
                Ok(info::mailbox_answered(context, inquiry, answer))
            }
            (Pending::IfAlive(value), answer) => Ok(info::if_alive(value, &answer)),
            (Pending::RefuseIfAlive(what), answer) => Ok(info::refuse_if_alive(what, &answer)),
            (
                Pending::Send { .. }
                | Pending::Count
                | Pending::Clock(_)
                | Pending::Bool
                | Pending::Granted
                | Pending::WhereIs
                | Pending::Links(_)
                | Pending::Element(_)
                | Pending::Demonitor { .. },
                _,
            ) => Err(Raise::badarg()),
        }
    }
}

/// The destination of a message.
enum Destination {
    Pid(PidTerm),
    Name { name: Atom, must_exist: bool },
    Alias(Reference),
    Node(Atom),
}

fn destination(term: &Term) -> Option<Destination> {
    match term {
        Term::Pid(pid) => Some(Destination::Pid(*pid)),
        Term::Atom(name) => Some(match names::machine_process(*name) {
            Some(pid) => Destination::Pid(pid),
            None => Destination::Name {
                name: *name,
                must_exist: true,
            },
        }),
        Term::Reference(reference) => Some(Destination::Alias(*reference)),
        Term::Tuple(tuple) => match &***tuple {
            [Term::Atom(name), Term::Atom(Atom::NONODE)] => {
                Some(match names::machine_process(*name) {
                    Some(pid) => Destination::Pid(pid),
                    None => Destination::Name {
                        name: *name,
                        must_exist: false,
                    },
                })
            }
            [Term::Atom(_), Term::Atom(node)] => Some(Destination::Node(*node)),
            _ => None,
        },
        _ => None,
    }
}

/// `erlang:send/2`
pub(super) fn send(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let message = &arguments[1];
    send_to(context, &arguments[0], message, message.clone())
}

fn send_with_options(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let mut options = arguments[2].elements();
    let known = options.all(|option| {
        matches!(option, Term::Atom(name) if matches!(name.name(), "noconnect" | "nosuspend"))
    });
    if !known || !matches!(options.rest(), Term::Nil) {
        return Err(Raise::badarg());
    }
    send_to(context, &arguments[0], &arguments[1], Atom::OK.into())
}

pub(super) fn send_to(
    context: &mut Context<'_>,
    to: &Term,
    message: &Term,
    value: Term,
) -> Result<Next, Raise> {
    let message = message.clone();
    match destination(to).ok_or_else(Raise::badarg)? {
        Destination::Pid(to) => {
            context.effects.push(Effect::Send { to, value: message });
            Ok(Next::Value(value))
        }
        Destination::Alias(alias) => {
            let value_sent = message;
            context.effects.push(Effect::SendToAlias {
                alias,
                value: value_sent,
            });
            Ok(Next::Value(value))
        }
        Destination::Node(node) => {
            let node = node.name();
            Ok(Next::Unsupported(format!("a message to the node {node}")))
        }
        Destination::Name { name, .. } if let Some(refusal) = names::refuse_absent(name) => {
            Ok(refusal)
        }
        Destination::Name { name, must_exist } => Ok(Next::Ask(
            Operation::WhereIs { name: name.into() },
            Pending::Send {
                message,
                value,
                must_exist,
            },
        )),
    }
}

fn unique_integer(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let mut monotonic = false;
    let mut options = arguments[0].elements();
    for option in options.by_ref() {
        match option {
            Term::Atom(name) if name.name() == "monotonic" => monotonic = true,
            Term::Atom(name) if name.name() == "positive" => {}
            _ => return Err(Raise::badarg()),
        }
    }
    if !matches!(options.rest(), Term::Nil) {
        return Err(Raise::badarg());
    }
    if monotonic {
        // The integers are ordered across all processes, so all processes use the same counter.
        let counter = Term::atom("$unique_integer");
        let operation = Operation::Add { counter, amount: 1 };
        return Ok(Next::Ask(operation, Pending::Count));
    }
    Ok(Next::Value(context.process.make_unique()))
}

impl Process {
    /// A positive integer that no other call returns, in any process.
    pub(super) fn make_unique(&mut self) -> Term {
        self.uniques += 1;
        let pid = u64::from(self.pid.serial()) << 32 | u64::from(self.pid.number());
        Term::from(num_bigint::BigInt::from(pid) << 24 | num_bigint::BigInt::from(self.uniques))
    }
}
