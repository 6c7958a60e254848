//! Histories in which the program aborts: a destructor panics while a panic unwinds.
//!
//! Rust then calls the panic hook a last time and ends the whole program. In the hook, the exploring
//! thread reports its current history and waits, while the check starts again on another thread. That
//! thread does not run the reported history: it treats the process as crashed there with both panics,
//! and reports that like any other crash. After the report has been printed, the program aborts, which
//! nothing can prevent.

use crate::failure::Panicked;
use crate::message::Reason;
use crate::{Failure, Pid, Value, stage};
use std::cell::RefCell;

/// A history in which the program aborts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doom {
    /// The process that runs, and the texts of its inputs; none if the destructor runs outside a
    /// process.
    pub at: Option<(Pid, Vec<String>)>,
    /// The messages of both panics.
    pub message: String,
}

/// Reports a history.
type Report = Box<dyn Fn(Doom)>;

thread_local! {
    static KNOWN: RefCell<Vec<Doom>> = const { RefCell::new(Vec::new()) };
    static REPORT: RefCell<Option<Report>> = const { RefCell::new(None) };
}

/// Sets the known histories of this thread, and what reports new ones. When `report` returns, the
/// program aborts.
pub(crate) fn watch(known: Vec<Doom>, report: impl Fn(Doom) + 'static) {
    KNOWN.set(known);
    REPORT.set(Some(Box::new(report)));
}

/// The end of a process in a history in which the program is known to abort.
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

/// Called when the program is about to abort, with both panics.
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
