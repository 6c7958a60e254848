//! A supervisor that restarts its worker, and a client that calls the current worker.
//!
//! The supervisor is linked to its worker and traps exits, so the worker's end is a message to
//! it; then it starts another and gives it the worker's name. A power cut ends the first worker
//! at some moment.
//!
//! The broken client looks the worker up by its name and sends it a request. But at that moment
//! no process may have the name, and the worker may end before it answers, so that the client
//! waits for ever. The supervisor is correct, but it cannot help: clients have to expect a restart.
//!
//! The careful client asks the supervisor, which does not end, for the worker, and monitors the
//! worker while it waits for the answer. If the worker ends, the client asks for the next one, and
//! names the dead one in its request. The supervisor answers when it knows about that end, too;
//! otherwise it could return the dead worker again and again.
//!
//! ```text
//! cargo run -p mazurka --example supervisor              # a careful client: verified
//! cargo run -p mazurka --example supervisor -- broken    # a request is never answered
//! ```

use mazurka::prelude::*;
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Name {
    Supervisor,
    Worker,
}

/// Asks for the current worker, which is not the dead one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lookup {
    from: Pid,
    dead: Option<Pid>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Square {
    number: u32,
    from: Pid,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Squared(u32);

async fn worker() {
    daemon();
    loop {
        receive! { Square { number, from } => send(from, Squared(number * number)) }
    }
}

async fn supervisor() {
    daemon();
    trap_exit(true);
    loop {
        let worker = spawn_link(worker);
        register(Name::Worker, worker)
            .await
            .expect("the last worker has ended, and this one is alive");
        loop {
            receive! {
                Lookup { from, dead } if dead != Some(worker) => send(from, worker),
                Exit { from, .. } if from == worker => break,
            }
        }
    }
}

/// The worker that the supervisor has started last, as soon as it is not the dead one.
async fn look_up(supervisor: Pid, dead: Option<Pid>) -> Pid {
    send(supervisor, Lookup { from: me(), dead });
    receive().await
}

/// Assumes that the worker it finds does not end before it answers.
async fn hopeful_call(number: u32) -> u32 {
    let worker = whereis(Name::Worker).await.expect("there is a worker");
    send(worker, Square { number, from: me() });
    receive! { Squared(square) => square }
}

/// Calls the next worker if this one ends.
async fn careful_call(number: u32) -> u32 {
    let supervisor = whereis(Name::Supervisor).await.expect("it does not end");
    let mut dead = None;
    loop {
        let worker = look_up(supervisor, dead).await;
        let watch = monitor(worker).await;
        send(worker, Square { number, from: me() });
        receive! {
            Squared(square) => break square,
            Down { monitor, .. } if monitor == watch => dead = Some(worker),
        }
    }
}

/// Ends the current worker.
async fn power_cut() {
    if let Some(worker) = whereis(Name::Worker).await {
        signal(worker, "power cut");
    }
}

/// One power cut, one call.
async fn day<F: Future<Output = u32>>(call: fn(u32) -> F) {
    let supervisor = spawn(supervisor);
    register(Name::Supervisor, supervisor)
        .await
        .expect("no other process has that name");
    look_up(supervisor, None).await;
    spawn(power_cut);
    assert_eq!(call(7).await, 49);
}

async fn broken() {
    day(hopeful_call).await;
}

async fn fixed() {
    day(careful_call).await;
}

fn main() -> ExitCode {
    let check = mazurka::Check::new();
    match std::env::args().nth(1).as_deref() {
        Some("broken") => check.main(broken),
        _ => check.main(fixed),
    }
}

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{errors, explore};

    /// The client finds no worker, or the second one, or the first one, whose power is cut
    /// before it takes the request, before it answers, or later.
    #[test]
    fn broken_finds_nobody_or_waits_for_ever() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, broken);
            assert_eq!(checked.executions, 1 + 1 + 3);
            let expected = [(Kind::Crash, "P", 1), (Kind::Deadlock, "P", 2)];
            assert_eq!(errors(&checked), expected);
            let crash = checked.errors().find(|error| error.kind == Kind::Crash);
            assert!(crash.unwrap().message.contains("there is a worker"));
            let deadlock = checked.errors().find(|error| error.kind == Kind::Deadlock);
            assert!(deadlock.unwrap().message.contains("Squared"));
        }
    }

    /// The client is given the second worker, or the first. That one has ended before it is
    /// monitored, or its power is cut before it takes the request, before it answers, or later.
    #[test]
    fn fixed_is_always_answered() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, fixed);
            assert!(checked.passed(), "{}", checked.report);
            assert_eq!(checked.executions, 1 + 1 + 3);
        }
    }
}
