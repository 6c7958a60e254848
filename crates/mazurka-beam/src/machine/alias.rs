//! Aliases: references that messages can be sent to as long as they are active.
//!
//! A message to an alias is sent to the process that created it, and carries the alias. Its receives
//! know which aliases are active ([`Filter`]); a message to any other alias counts as not arrived.
//!
//! A message that arrives while the alias is active stays in the mailbox when the alias ends. So a process
//! that ends an alias first looks for such messages: a receive with the timeout 0. What it finds is
//! kept and received before other messages; what comes later is lost.

use std::rc::Rc;

use super::ask::Pending;
use super::constraint::Constraint;
use super::native::{Answer, Asking, Context, Next, Row};
use super::process::Process;
use super::ties;
use crate::raise::Raise;
use crate::term::{Atom, Reference, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("erlang", "alias", 0, alias),
    ("erlang", "alias", 1, alias_with_options),
    ("erlang", "unalias", 1, unalias),
];

/// An alias that is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The alias itself. That of a monitor is the monitor's reference.
    pub reference: Reference,
    /// What ends it.
    pub until: Until,
}

/// What ends an alias. `unalias/1` ends all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Only `unalias/1`.
    Unalias,
    /// The end of its monitor, too.
    Demonitor,
    /// The first message to it, too.
    Reply,
    /// Both. The first message also ends the monitor.
    ReplyOrDemonitor,
}

impl Until {
    /// The meaning of `{alias, Mode}` as an option of a monitor.
    pub(super) fn of_mode(mode: &str) -> Option<Until> {
        match mode {
            "explicit_unalias" => Some(Until::Unalias),
            "demonitor" => Some(Until::Demonitor),
            "reply_demonitor" => Some(Until::ReplyOrDemonitor),
            _ => None,
        }
    }

    fn ends_with_monitor(self) -> bool {
        matches!(self, Until::Demonitor | Until::ReplyOrDemonitor)
    }
}

/// The messages that a receive ignores because they count as not arrived. Most processes have no
/// aliases, so most filters are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter(Option<Rc<Filtered>>);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Filtered {
    active: Vec<Reference>,
    muted: Vec<u64>,
}

impl Filter {
    /// The filter of a process without aliases.
    pub const NONE: Filter = Filter(None);

    /// Whether messages to this alias arrive.
    pub fn is_active(&self, alias: Reference) -> bool {
        let filtered = self.0.as_ref();
        filtered.is_some_and(|filtered| filtered.active.contains(&alias))
    }

    /// Whether the `DOWN` message of the monitor with this number does not arrive.
    pub fn is_muted(&self, monitor: u64) -> bool {
        let filtered = self.0.as_ref();
        filtered.is_some_and(|filtered| filtered.muted.contains(&monitor))
    }
}

impl Process {
    /// Which messages its receives ignore.
    pub fn filter(&self) -> Filter {
        if self.aliases.is_empty() && self.muted.is_empty() {
            return Filter::NONE;
        }
        Filter(Some(Rc::new(Filtered {
            active: self.aliases.iter().map(|alias| alias.reference).collect(),
            muted: self.muted.clone(),
        })))
    }

    /// Its alias with this reference, if that is active.
    pub fn active_alias(&self, reference: Reference) -> Option<Alias> {
        let mut aliases = self.aliases.iter();
        aliases.find(|alias| alias.reference == reference).copied()
    }

    /// Notes that it receives a message to one of its aliases.
    pub fn receive_by(&mut self, reference: Reference) {
        let Some(alias) = self.active_alias(reference) else {
            return;
        };
        if let Until::Reply | Until::ReplyOrDemonitor = alias.until {
            self.end_alias(reference);
        }
        if alias.until == Until::ReplyOrDemonitor {
            let mut watches = self.watches.iter();
            if let Some(at) = watches.position(|watch| watch.reference == reference) {
                let number = self.watches.remove(at).number();
                self.muted.push(number);
            }
        }
    }

    /// Notes that a monitor has ended, because of which an alias may end.
    pub(super) fn end_alias_of(&mut self, monitor: Reference) {
        let alias = self.active_alias(monitor);
        if alias.is_some_and(|alias| alias.until.ends_with_monitor()) {
            self.end_alias(monitor);
        }
    }

    fn end_alias(&mut self, reference: Reference) {
        self.aliases.retain(|alias| alias.reference != reference);
    }
}

fn alias(context: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    Ok(create(context, Until::Unalias))
}

fn alias_with_options(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let mut until = Until::Unalias;
    let mut options = arguments[0].elements();
    for option in options.by_ref() {
        until = match option {
            Term::Atom(name) if name.name() == "explicit_unalias" => Until::Unalias,
            Term::Atom(name) if name.name() == "reply" => Until::Reply,
            _ => return Err(Raise::badarg()),
        };
    }
    match options.rest() {
        Term::Nil => Ok(create(context, until)),
        _ => Err(Raise::badarg()),
    }
}

fn create(context: &mut Context<'_>, until: Until) -> Next {
    let reference = context.process.make_reference();
    context.process.aliases.push(Alias { reference, until });
    Next::Value(Term::Reference(reference))
}

fn unalias(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Reference(alias) = arguments[0] else {
        return Err(Raise::badarg());
    };
    Ok(match context.process.active_alias(alias) {
        Some(_) => end(alias, Then::Unalias),
        None => Next::Value(Atom::FALSE.into()),
    })
}

/// What a process does when an alias has ended.
#[derive(Clone, Copy, Debug)]
pub enum Then {
    /// Return from `unalias/1`.
    Unalias,
    /// Continue with `demonitor`.
    Demonitor {
        /// Whether to remove the `DOWN` message.
        flush: bool,
        /// Whether to return if the monitor still existed.
        info: bool,
    },
}

/// Ends an alias that a monitor may have, before the monitor is removed. None if there is nothing to end.
pub(super) fn end_before_demonitor(
    process: &Process,
    monitor: Reference,
    then: Then,
) -> Option<Next> {
    let alias = process.active_alias(monitor)?;
    alias.until.ends_with_monitor().then(|| end(monitor, then))
}

/// Looks for a message to an alias that has arrived before the alias ends.
fn end(alias: Reference, then: Then) -> Next {
    Next::Receive {
        constraint: Constraint::Alias(alias),
        timeout_ms: Some(0),
        pending: Pending::EndAlias(alias, then),
    }
}

/// Continues with a message that arrived before the alias ends, or ends it if there is none left.
pub(super) fn looked(
    context: &mut Context<'_>,
    alias: Reference,
    then: Then,
    answer: Answer,
) -> Result<Next, Raise> {
    let process = &mut *context.process;
    if let Answer::Message(message) = answer {
        process.replies.push(message);
        if process.active_alias(alias).is_some() {
            return Ok(end(alias, then));
        }
    }
    let was_active = process.active_alias(alias).is_some();
    process.end_alias(alias);
    match then {
        Then::Unalias => Ok(Next::Value(Atom::bool(was_active).into())),
        Then::Demonitor { flush, info } => ties::remove_monitor(context, alias, flush, info),
    }
}
