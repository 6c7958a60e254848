//! `process_info`: queries about processes.
//!
//! Most items of the calling process are available at once. Its name, links and messages are
//! requested one after the other, in the order of the query, while the real machine does all of it in
//! one step. So every real behaviour is covered: it is the one in which nothing happens in between.

mod items;
mod links;

use mazurka_engine::LivenessOperation;

use super::ask::Pending;
use super::constraint::Constraint;
use super::names;
use super::native::{Answer, Asking, Context, Next, Row};
use super::ties;
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Term};

pub use links::Linked;

pub(super) const TABLE: &[Row<Asking>] = &[("erts_internal", "group_leader", 2, set_group_leader)];

/// A query about a process, with the values found so far.
#[derive(Clone, Debug)]
pub struct Inquiry {
    of: PidTerm,
    form: Form,
    /// The items that are still missing, the next one last.
    left: Vec<Term>,
    found: Vec<(Term, Term)>,
    /// Whether the process is known to be alive.
    is_alive: bool,
    /// The current stack trace, if the query needs it.
    calls: Term,
}

/// The form of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One item.
    One,
    /// A list of the requested items.
    List,
    /// A list of the default items. It omits the name if the process has none.
    Usual,
}

/// Whether the result of `process_info` contains the current stack trace.
pub(super) fn needs_calls(arguments: &[Term]) -> bool {
    let is_call = |item: &Term| items::name(item).starts_with("current_");
    match arguments {
        [_, one @ Term::Atom(_)] => is_call(one),
        [_, list] => list.elements().any(is_call),
        _ => true,
    }
}

/// `process_info/1` and `process_info/2`. `calls` is the current stack trace, if needed.
pub(super) fn process_info(
    context: &mut Context<'_>,
    arguments: &[Term],
    calls: Term,
) -> Result<Next, Raise> {
    let Term::Pid(of) = arguments[0] else {
        return Err(Raise::badarg());
    };
    let (form, mut left) = match arguments.get(1) {
        None => (Form::Usual, items::usual()),
        Some(item) if items::is_known(item, context.library) => (Form::One, vec![item.clone()]),
        Some(list) => {
            let mut elements = list.elements();
            let items: Vec<Term> = elements.by_ref().cloned().collect();
            let is_known = |item| items::is_known(item, context.library);
            if !matches!(elements.rest(), Term::Nil) || !items.iter().all(is_known) {
                return Err(Raise::badarg());
            }
            (Form::List, items)
        }
    };
    if context.process.killed.contains(&of) {
        return Ok(ties::after_end(context, of, Atom::UNDEFINED.into()));
    }
    left.reverse();
    let inquiry = Inquiry {
        of,
        form,
        left,
        found: Vec::new(),
        is_alive: of == context.process.pid || of == PidTerm::leader(),
        calls,
    };
    Ok(inquiry.advance(context))
}

impl Inquiry {
    /// The process that the query is about.
    pub(super) fn of(&self) -> PidTerm {
        self.of
    }

    /// Adds all items that are available at once, and requests the first one that is not.
    fn advance(mut self, context: &mut Context<'_>) -> Next {
        while let Some(item) = self.left.last() {
            let is_own = self.of == context.process.pid;
            let value = match items::name(item) {
                "registered_name" => match names::machine_process_name(self.of) {
                    None => return names::ask_for_name(self),
                    name => name,
                },
                "links" if is_own => {
                    return Next::Liveness(LivenessOperation::Links, Pending::Links(self));
                }
                "messages" | "message_queue_len" if is_own => return drain_mailbox(context, self),
                _ if is_own => items::own(context, item, &self.calls),
                name => items::constant(name),
            };
            match value {
                Some(value) => self.add(value),
                None => return self.refuse(),
            }
        }
        self.end()
    }

    fn add(&mut self, value: Term) {
        let item = self.left.pop().expect("a value answers a missing item");
        self.found.push((item, value));
    }

    /// Adds the value of the next item and continues.
    pub(super) fn answer(mut self, context: &mut Context<'_>, value: Term) -> Next {
        self.add(value);
        self.advance(context)
    }

    /// As [`answer`](Inquiry::answer), for a value which shows that the process is alive.
    pub(super) fn answer_alive(mut self, context: &mut Context<'_>, value: Term) -> Next {
        self.is_alive = true;
        self.answer(context, value)
    }

    /// Returns the result, or `undefined` for a process that has ended.
    fn end(self) -> Next {
        let (of, is_alive) = (self.of, self.is_alive);
        let value = self.value();
        match is_alive {
            true => Next::Value(value),
            false => Next::Liveness(LivenessOperation::IsAlive(of), Pending::IfAlive(value)),
        }
    }

    fn value(self) -> Term {
        let form = self.form;
        let mut pairs = self.found.into_iter().filter_map(|(item, value)| {
            let is_missing = value == Term::Nil && items::name(&item) == "registered_name";
            match form {
                Form::One if is_missing => Some(Term::Nil),
                Form::Usual if is_missing => None,
                _ => Some(Term::tuple([item, value])),
            }
        });
        match form {
            Form::One => pairs.next().unwrap_or(Term::Nil),
            Form::List | Form::Usual => Term::list(pairs.collect::<Vec<_>>()),
        }
    }

    /// Reports that the next item is not modelled, unless the process has ended.
    fn refuse(self) -> Next {
        let item = self.left.last().map_or("", items::name);
        let what = match self.form {
            Form::Usual => format!("process_info/1 of another process, which includes {item}"),
            _ => format!("process_info of {item}"),
        };
        match self.is_alive {
            true => Next::Unsupported(what),
            false => Next::Liveness(
                LivenessOperation::IsAlive(self.of),
                Pending::RefuseIfAlive(what),
            ),
        }
    }
}

/// Returns the value if the process is alive, otherwise `undefined`.
pub(super) fn if_alive(value: Term, answer: &Answer) -> Next {
    Next::Value(match answer {
        Answer::Bool(true) => value,
        _ => Atom::UNDEFINED.into(),
    })
}

/// Reports that `what` is not modelled if the process is alive, otherwise returns `undefined`.
pub(super) fn refuse_if_alive(what: String, answer: &Answer) -> Next {
    match answer {
        Answer::Bool(true) => Next::Unsupported(what),
        _ => Next::Value(Atom::UNDEFINED.into()),
    }
}

fn set_group_leader(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let (Term::Pid(leader), Term::Pid(of)) = (&arguments[0], &arguments[1]) else {
        return Err(Raise::badarg());
    };
    if *of != context.process.pid {
        return Ok(Next::Unsupported(
            "setting the group leader of another process".to_owned(),
        ));
    }
    context.process.leader = *leader;
    Ok(Next::Value(Atom::TRUE.into()))
}

/// Moves all messages from the mailbox to the process, which receives them before all others, in
/// the same order.
fn drain_mailbox(context: &Context<'_>, inquiry: Inquiry) -> Next {
    Next::Receive {
        constraint: Constraint::Mailbox(context.process.filter()),
        timeout_ms: Some(0),
        pending: Pending::Messages(inquiry),
    }
}

/// Continues with a message from the mailbox, or finishes if there is none left.
pub(super) fn mailbox_answered(
    context: &mut Context<'_>,
    inquiry: Inquiry,
    answer: Answer,
) -> Next {
    if let Answer::Message(message) = answer {
        context.process.replies.push(message);
        return drain_mailbox(context, inquiry);
    }
    let messages = &context.process.replies;
    let value = match inquiry.left.last().map(items::name) {
        Some("messages") => Term::list(messages.iter().cloned()),
        _ => Term::Int(messages.len() as i64),
    };
    inquiry.answer(context, value)
}
