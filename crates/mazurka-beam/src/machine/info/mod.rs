//! What processes can be asked about themselves and each other.
//!
//! What a process knows of itself it tells at once. Its name, its links and its messages are asked
//! for, one after the other in the order of the question; the real machine takes one step for all.
//! What can happen there is among what can happen here, with nothing in between.

mod items;
mod links;

use mazurka_engine::Operation;

use super::ask::Pending;
use super::constraint::Constraint;
use super::names;
use super::native::{Answer, Asking, Context, Next, Row};
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Term};

pub use links::Linked;

pub(super) const TABLE: &[Row<Asking>] = &[("erts_internal", "group_leader", 2, set_group_leader)];

/// What is asked about a process, and what has been told so far.
#[derive(Clone, Debug)]
pub struct Inquiry {
    of: PidTerm,
    form: Form,
    /// The items that are still to be told, the next one last.
    left: Vec<Term>,
    told: Vec<(Term, Term)>,
    /// Whether the process is known to live.
    lives: bool,
    /// The calls that have led to the question, if it is about them.
    calls: Term,
}

/// How an answer looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The one item that was asked for.
    One,
    /// A list of those that were asked for.
    List,
    /// A list of what is usual. There is no name in it if there is none.
    Usual,
}

/// Whether the answer to `process_info` has the calls in it that have led to the question.
pub(super) fn is_about_calls(arguments: &[Term]) -> bool {
    let is_call = |item: &Term| items::name(item).starts_with("current_");
    match arguments {
        [_, one @ Term::Atom(_)] => is_call(one),
        [_, list] => list.elements().any(is_call),
        _ => true,
    }
}

/// `process_info/1` and `process_info/2`, with the calls that have led there.
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
    left.reverse();
    let inquiry = Inquiry {
        of,
        form,
        left,
        told: Vec::new(),
        lives: of == context.process.pid || of == PidTerm::leader(),
        calls,
    };
    Ok(inquiry.go_on(context))
}

impl Inquiry {
    /// Whom it is about.
    pub(super) fn of(&self) -> PidTerm {
        self.of
    }

    /// Tells all that can be told at once, and asks for the next item that cannot.
    fn go_on(mut self, context: &mut Context<'_>) -> Next {
        while let Some(item) = self.left.last() {
            let is_own = self.of == context.process.pid;
            let value = match items::name(item) {
                "registered_name" => match names::of_own(self.of) {
                    None => return names::ask_for_name(self),
                    name => name,
                },
                "links" if is_own => return Next::Ask(Operation::Links, Pending::Links(self)),
                "messages" | "message_queue_len" if is_own => return messages_come(self),
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
        let item = self
            .left
            .pop()
            .expect("it is told because it was asked for");
        self.told.push((item, value));
    }

    /// The next item is this.
    pub(super) fn tell(mut self, context: &mut Context<'_>, value: Term) -> Next {
        self.add(value);
        self.go_on(context)
    }

    /// The next item is this, and whoever has it lives.
    pub(super) fn tell_of_living(mut self, context: &mut Context<'_>, value: Term) -> Next {
        self.lives = true;
        self.tell(context, value)
    }

    /// All has been told. There is nothing to tell of a process that has ended.
    fn end(self) -> Next {
        let (of, lives) = (self.of, self.lives);
        let value = self.value();
        match lives {
            true => Next::Value(value),
            false => Next::Ask(Operation::IsAlive(of), Pending::IfAlive(value)),
        }
    }

    fn value(self) -> Term {
        let form = self.form;
        let mut pairs = self.told.into_iter().filter_map(|(item, value)| {
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

    /// The next item is not modelled, which does not matter if the process has ended.
    fn refuse(self) -> Next {
        let item = self.left.last().map_or("", items::name);
        let what = match self.form {
            Form::Usual => format!("process_info/1 of another process, which has {item}"),
            _ => format!("process_info of {item}"),
        };
        match self.lives {
            true => Next::Unsupported(what),
            false => Next::Ask(Operation::IsAlive(self.of), Pending::RefuseIfAlive(what)),
        }
    }
}

/// What was asked about a process that may have ended.
pub(super) fn if_alive(value: Term, answer: &Answer) -> Next {
    Next::Value(match answer {
        Answer::Bool(true) => value,
        _ => Atom::UNDEFINED.into(),
    })
}

/// What cannot be told of a process that may have ended.
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

/// Takes all messages that have come out of the mailbox. They stay before all others, in order.
fn messages_come(inquiry: Inquiry) -> Next {
    Next::Receive {
        constraint: Constraint::Mailbox,
        timeout_ms: Some(0),
        pending: Pending::Messages(inquiry),
    }
}

/// One has come, or no more.
pub(super) fn message_came(context: &mut Context<'_>, inquiry: Inquiry, answer: Answer) -> Next {
    if let Answer::Message(message) = answer {
        context.process.replies.push(message);
        return messages_come(inquiry);
    }
    let messages = &context.process.replies;
    let value = match inquiry.left.last().map(items::name) {
        Some("messages") => Term::list(messages.iter().cloned()),
        _ => Term::Int(messages.len() as i64),
    };
    inquiry.tell(context, value)
}
