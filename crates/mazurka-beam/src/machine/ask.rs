//! Native functions that may have to wait for an answer.
//!
//! What such a function does once it has the answer is a [`Pending`], which is part of the
//! process's snapshot.

use mazurka_engine::Operation;

use super::info::{Inquiry, Linked};
use super::names::Listing;
use super::native::{Answer, Asking, Context, Next, Row, row};
use super::run::After;
use super::{Effect, Process, info, names, persistent, ties};
use crate::code::{Address, Mfa};
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Reference, Term};

/// What a native function does with the answer that it waits for.
#[derive(Clone, Debug)]
pub enum Pending {
    /// Send a message to the process that bears a name.
    Send {
        /// What to send.
        message: Term,
        /// What the function returns.
        value: Term,
        /// Whether it is a failure that nobody bears the name.
        must_exist: bool,
    },
    /// Return the number that the answer is.
    Count,
    /// Return whether the answer is yes.
    Bool,
    /// Return this, whatever the answer is.
    Return(Term),
    /// Return `true`, or fail if the answer is no.
    Granted,
    /// Return the process that the answer is, or `undefined`.
    WhereIs,
    /// Give a process a name, unless it was given another and still bears that.
    RegisterUnlessNamed {
        /// The name.
        name: Atom,
        /// Its bearer.
        pid: PidTerm,
    },
    /// Give a process a name, unless it is the one that bears another.
    RegisterUnlessBorne {
        /// The name.
        name: Atom,
        /// Its bearer.
        pid: PidTerm,
    },
    /// Give a process a name.
    Register {
        /// The name.
        name: Atom,
        /// Its bearer.
        pid: PidTerm,
    },
    /// Put a name among all that were given, if it was.
    ListName(Atom),
    /// Put a name among all that were given, at the place that the answer says.
    ListNameAt(Atom),
    /// Go on listing names.
    Listing(Listing),
    /// Go on listing names with this one, if somebody bears it.
    Listed(Listing, Term),
    /// Find out which name a process was given.
    GivenName(Inquiry),
    /// Tell the name of a process, if it still bears it.
    NameIfBorne {
        /// The name.
        name: Atom,
        /// What is asked about it.
        inquiry: Inquiry,
    },
    /// Tell of links.
    Links(Inquiry),
    /// Tell of links to those who live.
    Linked(Linked),
    /// Link to a process if it lives.
    Link(PidTerm),
    /// Watch the process that bears a name.
    Monitor {
        /// The name.
        name: Atom,
    },
    /// A monitor has been undone.
    Demonitor {
        /// The monitor.
        reference: Reference,
        /// Whether its message is to be removed.
        flush: bool,
        /// Whether to say if that was in time.
        info: bool,
    },
    /// Deal with the exit signals that have come before the flag is set to this.
    Signals {
        /// Whether exit signals are messages from now on.
        on: bool,
    },
    /// Tell of the messages that have come.
    Messages(Inquiry),
    /// Return this if a process lives.
    IfAlive(Term),
    /// This is not modelled of a process that lives.
    RefuseIfAlive(String),
    /// Return the value of a key.
    PersistentTerm {
        /// What to return if it has none.
        default: Option<Term>,
    },
    /// Return whether the key had a value.
    Existed,
}

/// A native function that waits.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The instruction after the call.
    pub at: Address,
    pub pending: Pending,
    /// The function, for traces.
    pub mfa: Mfa,
    /// What it was called with, for traces.
    pub arguments: Vec<Term>,
    pub after: After,
}

/// All of them.
const TABLE: &[Row<Asking>] = &[
    ("erlang", "!", 2, send),
    ("erlang", "send", 2, send),
    ("erlang", "send", 3, send_with_options),
    ("erlang", "unique_integer", 1, unique_integer),
];

/// The function of this name.
pub(super) fn find(mfa: Mfa) -> Option<Asking> {
    let tables = [
        TABLE,
        names::TABLE,
        ties::TABLE,
        info::TABLE,
        persistent::TABLE,
    ];
    tables.into_iter().find_map(|table| row(table, mfa))
}

impl Pending {
    /// Goes on with an answer.
    pub(super) fn go_on(self, context: &mut Context<'_>, answer: Answer) -> Result<Next, Raise> {
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
            (Pending::Bool, Answer::Bool(yes)) => Ok(Next::Value(Atom::bool(yes).into())),
            (Pending::Return(value), _) => Ok(Next::Value(value)),
            (Pending::PersistentTerm { default }, answer) => persistent::looked_up(default, answer),
            (Pending::Existed, answer) => Ok(persistent::existed(&answer)),
            (Pending::Granted, Answer::Ok) => Ok(Next::Value(Atom::TRUE.into())),
            (Pending::WhereIs, Answer::Pid(pid)) => Ok(Next::Value(match pid {
                Some(pid) => Term::Pid(pid),
                None => Atom::UNDEFINED.into(),
            })),
            (Pending::RegisterUnlessNamed { name, pid }, answer) => {
                Ok(names::register_unless_named(name, pid, &answer))
            }
            (Pending::RegisterUnlessBorne { name, pid }, answer) => {
                names::register_unless_borne(name, pid, &answer)
            }
            (Pending::Register { name, pid }, _) => Ok(names::register_noted(context, name, pid)),
            (Pending::ListName(name), answer) => names::list_name(name, &answer),
            (Pending::ListNameAt(name), Answer::Int(number)) => {
                Ok(names::list_name_at(name, number))
            }
            (Pending::Listing(listing), Answer::Int(count)) => Ok(listing.counted(count)),
            (Pending::Listing(listing), Answer::Value(name)) => Ok(listing.named(name)),
            (Pending::Listed(listing, name), Answer::Pid(bearer)) => {
                Ok(listing.borne(name, bearer.is_some()))
            }
            (Pending::GivenName(inquiry), answer) => {
                Ok(names::given_name(context, inquiry, &answer))
            }
            (Pending::NameIfBorne { name, inquiry }, answer) => {
                Ok(names::name_if_borne(context, name, inquiry, &answer))
            }
            (Pending::Links(inquiry), Answer::Pids(pids)) => {
                Ok(Linked::found(context, inquiry, pids))
            }
            (Pending::Linked(linked), answer) => Ok(linked.looked(context, &answer)),
            (Pending::Link(to), Answer::Bool(true)) => Ok(ties::link_to(to)),
            (Pending::Link(_), _) => Err(Raise::error(Atom::new("noproc"))),
            (Pending::Monitor { name }, answer) => ties::watch_bearer(context, name, &answer),
            (
                Pending::Demonitor {
                    reference,
                    flush,
                    info,
                },
                Answer::Bool(in_time),
            ) => Ok(ties::undone(reference, flush, info, in_time)),
            (Pending::Signals { on }, answer) => Ok(ties::signal_came(context, on, answer)),
            (Pending::Messages(inquiry), answer) => {
                Ok(info::message_came(context, inquiry, answer))
            }
            (Pending::IfAlive(value), answer) => Ok(info::if_alive(value, &answer)),
            (Pending::RefuseIfAlive(what), answer) => Ok(info::refuse_if_alive(what, &answer)),
            (
                Pending::Send { .. }
                | Pending::Count
                | Pending::Bool
                | Pending::Granted
                | Pending::WhereIs
                | Pending::ListNameAt(_)
                | Pending::Listing(_)
                | Pending::Listed(..)
                | Pending::Links(_)
                | Pending::Demonitor { .. },
                _,
            ) => Err(Raise::badarg()),
        }
    }
}

/// Where a message can be sent to.
enum Destination {
    Pid(PidTerm),
    Name { name: Atom, must_exist: bool },
    Alias(Reference),
}

fn destination(term: &Term) -> Option<Destination> {
    match term {
        Term::Pid(pid) => Some(Destination::Pid(*pid)),
        Term::Atom(name) => Some(match names::own(*name) {
            Some(pid) => Destination::Pid(pid),
            None => Destination::Name {
                name: *name,
                must_exist: true,
            },
        }),
        Term::Reference(reference) => Some(Destination::Alias(*reference)),
        Term::Tuple(tuple) => match &***tuple {
            // There is one node only; what is sent to others is lost.
            [Term::Atom(name), Term::Atom(Atom::NONODE)] => Some(Destination::Name {
                name: *name,
                must_exist: false,
            }),
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

fn send_to(
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
        // Its order is that of the calls of all processes, so all must ask one and the same
        // counter.
        let counter = Term::atom("$unique_integer");
        let operation = Operation::Add { counter, amount: 1 };
        return Ok(Next::Ask(operation, Pending::Count));
    }
    Ok(Next::Value(context.process.make_unique()))
}

impl Process {
    /// An integer that no other call gets, in any process. It is positive.
    pub(super) fn make_unique(&mut self) -> Term {
        self.uniques += 1;
        let pid = u64::from(self.pid.serial()) << 32 | u64::from(self.pid.number());
        Term::from(num_bigint::BigInt::from(pid) << 24 | num_bigint::BigInt::from(self.uniques))
    }
}
