//! Links, monitors and names: what processes know of each other's lives.

use crate::message::{Down, Key, Monitor, Reason, Value};
use crate::receive_when;
use crate::stage::{self, Demand, Given};
use crate::waiting::wait;
use crate::{Answer, Operation, Pid};
use std::fmt;

/// Ties this process to another: when one of them ends abnormally, an exit signal strikes the
/// other.
pub async fn link(with: Pid) {
    ask("link", Operation::Link(with)).await;
}

/// Unties this process from another.
pub async fn unlink(from: Pid) {
    ask("unlink", Operation::Unlink(from)).await;
}

/// Watches a process: when it ends, or if it has ended already, a [`Down`](crate::Down)
/// message comes.
pub async fn monitor(of: Pid) -> Monitor {
    let reference = stage::new_monitor();
    ask("monitor", Operation::Monitor { pid: of, reference }).await;
    Monitor { of, reference }
}

/// Stops watching. A [`Down`](crate::Down) message that has already come stays in the mailbox.
pub async fn demonitor(monitor: Monitor) {
    let Monitor { of: pid, reference } = monitor;
    ask("demonitor", Operation::Demonitor { pid, reference }).await;
}

/// Waits until a process that this one watches has ended; why it did.
pub async fn ended(monitor: Monitor) -> Reason {
    let down = receive_when(|down: &Down| down.monitor == monitor).await;
    down.reason
}

/// Whether a process has not ended yet.
pub async fn is_alive(pid: Pid) -> bool {
    let answer = ask("is_alive", Operation::IsAlive(pid)).await;
    matches!(answer, Given::Answer(Answer::Bool(true)))
}

/// Gives a process a name, which may be any [`Key`]. It bears it until it ends.
///
/// # Errors
/// Another process bears that name, or this one has ended.
pub async fn register(name: impl Key, pid: Pid) -> Result<(), NameRefused> {
    let operation = Operation::Register {
        name: Value::key(name),
        pid,
    };
    granted(&ask("register", operation).await)
}

/// Takes a name back.
///
/// # Errors
/// Nobody bears it.
pub async fn unregister(name: impl Key) -> Result<(), NameRefused> {
    let name = Value::key(name);
    granted(&ask("unregister", Operation::Unregister { name }).await)
}

/// The process that bears a name.
pub async fn whereis(name: impl Key) -> Option<Pid> {
    let name = Value::key(name);
    match ask("whereis", Operation::WhereIs { name }).await {
        Given::Pid(pid) => pid,
        _ => None,
    }
}

/// A name could not be given or taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameRefused;

impl fmt::Display for NameRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name is taken, or nobody bears it, or the process has ended")
    }
}

impl std::error::Error for NameRefused {}

pub(crate) async fn ask(call: &'static str, operation: Operation<Value, Pid>) -> Given {
    wait(call, || Demand::Ask(Box::new(operation))).await
}

fn granted(answer: &Given) -> Result<(), NameRefused> {
    match answer {
        Given::Answer(Answer::Refused) => Err(NameRefused),
        _ => Ok(()),
    }
}
