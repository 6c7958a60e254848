//! Histories in which the program aborts: a destructor panics while a panic unwinds.
//!
//! Rust ends the whole program then, after a last call of the panic hook. There the thread that
//! explores reports the history in which it is and waits, while the check begins again on another
//! thread. That one knows the history and does not run it: the process crashes there with both panics,
//! which is reported like every other crash. When the report has been printed, the program aborts:
//! nothing can prevent that.

use crate::failure::Panicked;
use crate::message::Reason;
use crate::{Failure, Pid, Value, stage};
use std::cell::RefCell;

/// A history in which the program aborts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doom {
    /// The process that runs, and the texts of its inputs; nothing if something is dropped that
    /// belongs to no process any more.
    pub at: Option<(Pid, Vec<String>)>,
    /// Both panics.
    pub message: String,
}

/// What reports a history.
type Report = Box<dyn Fn(Doom)>;

thread_local! {
    static KNOWN: RefCell<Vec<Doom>> = const { RefCell::new(Vec::new()) };
    static REPORT: RefCell<Option<Report>> = const { RefCell::new(None) };
}

/// From now on a history in which the program aborts is reported, unless it is one of these. When
/// `report` returns, the program aborts.
pub(crate) fn watch(known: Vec<Doom>, report: impl Fn(Doom) + 'static) {
    KNOWN.set(known);
    REPORT.set(Some(Box::new(report)));
}

/// How a process ends that would abort the program, if that is known.
pub(crate) fn end_of(me: Pid, inputs: impl FnOnce() -> Vec<String>) -> Option<Reason> {
    KNOWN.with_borrow(|known| {
        let known = { known.iter() }.filter_map(|doom| Some((doom, doom.at.as_ref()?)));
        let mut of_me = known.filter(|(_, at)| at.0 == me).peekable();
        of_me.peek()?;
        let inputs = inputs();
        let (doom, _) = of_me.find(|(_, at)| at.1 == inputs)?;
        Some(Reason::Crash(Value::new(Failure {
            message: doom.message.clone(),
            location: String::new(),
        })))
    })
}

/// The program is about to abort.
pub(crate) fn abort(first: Option<Panicked>, second: Option<Panicked>) {
    let text = |panicked: Option<Panicked>| {
        panicked.map_or("a panic".into(), |panicked| panicked.failure.to_string())
    };
    let message = format!(
        "{}; while it unwound, a destructor panicked: {} (Rust aborts the program there)",
        text(first),
        text(second)
    );
    REPORT.with_borrow(|report| match report {
        Some(report) => report(Doom {
            at: stage::here(),
            message,
        }),
        None => std::eprintln!("{message}"),
    });
}
