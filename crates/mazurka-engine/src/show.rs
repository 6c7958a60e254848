//! Values, pids and demands as text.

use crate::answer::Answer;
use crate::frontend::{
    Action, ActionsOf, Demand, DemandOf, Frontend, KeyOf, OperationOf, SharedObjects, Show,
};
use crate::ids::{PidId, PidTable};
use crate::liveness::LivenessOperation;
use crate::message::{Content, ContentOf, Payload, Reason, Request};

/// `P.1`, `liveness(P.1)`, or the name of an object of the front-end.
pub(crate) fn pid(pids: &PidTable, pid: PidId) -> String {
    match pids.object_name(pid) {
        Some(name) => name.to_owned(),
        None => process(pids, pid),
    }
}

/// The name of an object of the front-end.
pub(crate) fn object<F: Frontend>(frontend: &F, pids: &PidTable, key: &KeyOf<F>) -> String {
    with(frontend, pids, |show| F::Objects::name(key, show))
}

/// Runs `f` with the front-end's way to show values.
pub(crate) fn with<F: Frontend, T>(
    frontend: &F,
    pids: &PidTable,
    f: impl FnOnce(&Show<'_, F::Value>) -> T,
) -> T {
    let value = |value: &F::Value| frontend.describe().value(value, pids);
    f(&Show::new(&value, pids))
}

fn process(pids: &PidTable, pid: PidId) -> String {
    pids.name(pid).unwrap_or_default()
}

pub(crate) fn reason<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    reason: &Reason<F::Value>,
) -> String {
    match reason {
        Reason::Normal => "normal".into(),
        Reason::Kill => "kill".into(),
        Reason::Killed => "killed".into(),
        Reason::NoProcess => "noproc".into(),
        Reason::Stopped(value) => frontend.describe().value(value, pids),
        Reason::Crash(value) | Reason::Assertion(value) => frontend.describe().failure(value, pids),
    }
}

pub(crate) fn content<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    content: &ContentOf<F>,
) -> String {
    match content {
        Content::Message(message) => payload(frontend, pids, message),
        Content::Request { request, .. } => match request {
            Request::Operation(asked) => operation(frontend, pids, asked),
            Request::Die(end) => format!("end({})", reason(frontend, pids, &end.reason)),
        },
        Content::Answer(given) => answer(frontend, pids, given),
    }
}

fn payload<F: Frontend>(frontend: &F, pids: &PidTable, payload: &Payload<F::Value>) -> String {
    match payload {
        Payload::User(value) => frontend.describe().value(value, pids),
        Payload::Exit { from, reason: why } => format!(
            "exit({}, {})",
            process(pids, *from),
            reason(frontend, pids, why)
        ),
        Payload::Down {
            from, reason: why, ..
        } => format!(
            "down({}, {})",
            process(pids, *from),
            reason(frontend, pids, why)
        ),
    }
}

fn answer<F: Frontend>(frontend: &F, pids: &PidTable, answer: &Answer<F::Value>) -> String {
    match answer {
        Answer::Ok => "ok".into(),
        Answer::Refused => "refused".into(),
        Answer::Bool(yes) => yes.to_string(),
        Answer::Pid(None) | Answer::Value(None) => "none".into(),
        Answer::Pid(Some(pid)) => process(pids, *pid),
        Answer::Pids(of) => {
            let names: Vec<_> = of.iter().map(|pid| process(pids, *pid)).collect();
            format!("[{}]", names.join(", "))
        }
        Answer::Value(Some(value)) => frontend.describe().value(value, pids),
        Answer::Int(number) => number.to_string(),
    }
}

fn liveness_operation(pids: &PidTable, operation: LivenessOperation) -> String {
    let process = |pid| process(pids, pid);
    match operation {
        LivenessOperation::Link(pid) => format!("link({})", process(pid)),
        LivenessOperation::Unlink(pid) => format!("unlink({})", process(pid)),
        LivenessOperation::Links => "links".into(),
        LivenessOperation::Monitor { pid, .. } => format!("monitor({})", process(pid)),
        LivenessOperation::Notify { pid, .. } => format!("notify({})", process(pid)),
        LivenessOperation::Flush { pid, .. } => format!("flush({})", process(pid)),
        LivenessOperation::Demonitor { pid, .. } => format!("demonitor({})", process(pid)),
        LivenessOperation::IsAlive(pid) => format!("is_alive({})", process(pid)),
    }
}

fn operation<F: Frontend>(frontend: &F, pids: &PidTable, operation: &OperationOf<F>) -> String {
    with(frontend, pids, |show| {
        F::Objects::operation(operation, show)
    })
}

/// A process has nothing to choose from.
pub(crate) fn no_way_to_go(pids: &PidTable, pid: PidId) -> String {
    format!(
        "process {} chooses one of no ways to go on: give it one at least",
        process(pids, pid)
    )
}

/// What a process did, twice, from the same state with the same input.
pub(crate) fn two_behaviours<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    pid: PidId,
    (first, first_demand): (&ActionsOf<F>, &DemandOf<F>),
    (second, second_demand): (&ActionsOf<F>, &DemandOf<F>),
) -> String {
    let differ = first.iter().zip(second).position(|(a, b)| a != b);
    let at = differ.unwrap_or_else(|| first.len().min(second.len()));
    let did = |actions: &ActionsOf<F>, demand| match actions.get(at) {
        Some(done) => action(frontend, pids, done),
        None => show_demand(frontend, pids, demand),
    };
    format!(
        "process {} acts differently on the same inputs: action {} is `{}` in one run and `{}` in another",
        process(pids, pid),
        at + 1,
        did(first, first_demand),
        did(second, second_demand),
    )
}

fn action<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    action: &Action<F::Value, F::Start>,
) -> String {
    match action {
        Action::Spawn { pid, start, .. } => format!(
            "spawn {} as {}",
            frontend.describe().start(start, pids),
            process(pids, *pid)
        ),
        Action::Send { to, value } => format!(
            "send {} to {}",
            frontend.describe().value(value, pids),
            process(pids, *to)
        ),
        Action::Signal { to, reason: why } => format!(
            "exit signal {} to {}",
            reason(frontend, pids, why),
            process(pids, *to)
        ),
        Action::TrapExit(on) => format!("trap exits: {on}"),
    }
}

fn show_demand<F: Frontend>(frontend: &F, pids: &PidTable, demand: &DemandOf<F>) -> String {
    match demand {
        Demand::Receive { constraint, .. } => {
            format!(
                "receive {}",
                frontend.describe().constraint(constraint, pids)
            )
        }
        Demand::Liveness(asked) => liveness_operation(pids, *asked),
        Demand::Ask(asked) => operation(frontend, pids, asked),
        Demand::HandOver { to, value } => format!(
            "hand over {} to {}",
            frontend.describe().value(value, pids),
            process(pids, *to)
        ),
        Demand::Choose(of) => format!("choose one of {of}"),
        Demand::Disturb { .. } => "perhaps be disturbed".to_owned(),
        Demand::Exit(why) => format!("exit {}", reason(frontend, pids, why)),
    }
}
