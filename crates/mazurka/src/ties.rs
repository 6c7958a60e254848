//! Links, monitors, liveness checks and registered names.

use crate::message::{Down, Key, Monitor, Reason, Value};
use crate::receive_when;
use crate::stage::{self, Demand, Given};
use crate::waiting::wait;
use crate::{Answer, Operation, Pid};
use mazurka_engine::LivenessOperation;
use std::fmt;

/// Links this process to another: when one of them ends abnormally, the other gets an exit signal.
pub async fn link(with: Pid) {
    ask_liveness("link", LivenessOperation::Link(with)).await;
}

/// Removes the link between this process and another.
pub async fn unlink(from: Pid) {
    ask_liveness("unlink", LivenessOperation::Unlink(from)).await;
}

/// Monitors a process: this process gets a [`Down`](crate::Down) message when it ends, or now if it
/// has ended already.
pub async fn monitor(of: Pid) -> Monitor {
    let reference = stage::new_monitor();
    ask_liveness("monitor", LivenessOperation::Monitor { pid: of, reference }).await;
    Monitor { of, reference }
}

/// Removes a monitor. A [`Down`](crate::Down) message that has already arrived stays in the mailbox.
pub async fn demonitor(monitor: Monitor) {
    let Monitor { of: pid, reference } = monitor;
    ask_liveness("demonitor", LivenessOperation::Demonitor { pid, reference }).await;
}

/// Waits until a monitored process has ended. Returns the reason.
pub async fn ended(monitor: Monitor) -> Reason {
    let down = receive_when(|down: &Down| down.monitor == monitor).await;
    down.reason
}

/// Whether a process has not ended yet.
pub async fn is_alive(pid: Pid) -> bool {
    let answer = ask_liveness("is_alive", LivenessOperation::IsAlive(pid)).await;
    matches!(answer, Given::Answer(Answer::Bool(true)))
}

/// Registers a process under a name, which may be any [`Key`], until the process ends.
///
/// # Errors
/// Another process has that name, or `pid` has ended.
pub async fn register(name: impl Key, pid: Pid) -> Result<(), NameRefused> {
    let operation = Operation::Register {
        name: Value::key(name),
        pid,
    };
    granted(&ask("register", operation).await)
}

/// Removes a name.
///
/// # Errors
/// No process has it.
pub async fn unregister(name: impl Key) -> Result<(), NameRefused> {
    let name = Value::key(name);
    granted(&ask("unregister", Operation::Unregister { name }).await)
}

/// The process that is registered under a name.
pub async fn whereis(name: impl Key) -> Option<Pid> {
    let name = Value::key(name);
    match ask("whereis", Operation::WhereIs { name }).await {
        Given::Pid(pid) => pid,
        _ => None,
    }
}

/// A name could not be registered or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameRefused;

impl fmt::Display for NameRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name is taken, or it is not registered, or the process has ended")
    }
}

impl std::error::Error for NameRefused {}

async fn ask_liveness(call: &'static str, operation: LivenessOperation<Pid>) -> Given {
    wait(call, || Demand::Liveness(operation)).await
}

pub(crate) async fn ask(call: &'static str, operation: Operation<Value, Pid>) -> Given {
    wait(call, || Demand::Ask(Box::new(operation))).await
}

fn granted(answer: &Given) -> Result<(), NameRefused> {
    match answer {
        Given::Answer(Answer::Refused) => Err(NameRefused),
        _ => Ok(()),
    }
}
