//! Values, pids and demands as text.

use crate::frontend::{Action, ActionsOf, Demand, DemandOf, Frontend};
use crate::ids::{ObjectKey, Pid, PidKind, PidTable};
use crate::liveness::{LivenessOperation, LivenessRequest};
use crate::message::{Payload, Reason};
use crate::operation::{Answer, Operation, Request};
use crate::values::Values;

/// `P.1`, `life(P.1)`, `name(server)`, `table(t)[key]`, `counter(c)`.
pub(crate) fn pid<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    values: &Values<F>,
    pid: Pid,
) -> String {
    match pids.kind(pid) {
        PidKind::Object(key) => object(frontend, pids, values, key),
        _ => process(pids, pid),
    }
}

/// `life(P.1)`, `name(server)`, `table(t)[key]`, `counter(c)`.
pub(crate) fn object<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    values: &Values<F>,
    key: ObjectKey,
) -> String {
    let shown = |id| values.show(frontend, pids, id);
    match key {
        ObjectKey::Life(of) => format!("life({})", process(pids, of)),
        ObjectKey::Name(name) => format!("name({})", shown(name)),
        ObjectKey::Cell { table, key } => format!("table({})[{}]", shown(table), shown(key)),
        ObjectKey::Counter(counter) => format!("counter({})", shown(counter)),
    }
}

fn process(pids: &PidTable, pid: Pid) -> String {
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

pub(crate) fn payload<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    _: &Values<F>,
    payload: &Payload<F::Value>,
) -> String {
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
        Payload::Request { request, .. } => match request {
            Request::Operation(asked) => operation(frontend, pids, asked),
            Request::Liveness(request) => match request {
                LivenessRequest::Operation(asked) => liveness_operation(pids, *asked),
                LivenessRequest::Links(_) => liveness_operation(pids, LivenessOperation::Links),
                LivenessRequest::Die(end) => {
                    format!("end({})", reason(frontend, pids, &end.reason))
                }
            },
        },
        Payload::Answer(given) => answer(frontend, pids, given),
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
        LivenessOperation::Demonitor { pid, .. } => format!("demonitor({})", process(pid)),
        LivenessOperation::IsAlive(pid) => format!("is_alive({})", process(pid)),
    }
}

fn operation<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    operation: &Operation<F::Value>,
) -> String {
    let value = |value| frontend.describe().value(value, pids);
    match operation {
        Operation::Register { name, pid } => {
            format!("register({}, {})", value(name), process(pids, *pid))
        }
        Operation::Unregister { name } => format!("unregister({})", value(name)),
        Operation::WhereIs { name } => format!("whereis({})", value(name)),
        Operation::Put { value: new, .. } => format!("put({})", value(new)),
        Operation::PutNew { value: new, .. } => format!("put_new({})", value(new)),
        Operation::Take { .. } => "take".into(),
        Operation::Get { .. } => "get".into(),
        Operation::Add { amount, .. } => format!("add({amount})"),
        Operation::Count { .. } => "count".into(),
    }
}

/// A process has nothing to choose from.
pub(crate) fn no_way_to_go(pids: &PidTable, pid: Pid) -> String {
    format!(
        "process {} chooses one of no ways to go on: give it one at least",
        process(pids, pid)
    )
}

/// What a process did, twice, from the same state with the same input.
pub(crate) fn two_behaviours<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    pid: Pid,
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

fn show_demand<F: Frontend>(
    frontend: &F,
    pids: &PidTable,
    demand: &Demand<F::Value, F::Constraint>,
) -> String {
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
        Demand::Exit(why) => format!("exit {}", reason(frontend, pids, why)),
    }
}
