//! must-mc: processes are `async` blocks, replayed up to their next event.

use std::sync::atomic::{AtomicU64, Ordering};

use must::{Config, Ctx, Execution, ExecutionKind, Model, Observer, System, Val, explore};

use crate::measure::{Extent, Measurement, Program, timed};

/// Runs a program, if it is written for this tool.
pub fn run(program: Program) -> Option<Measurement> {
    match program {
        Program::FanIn { senders } => Some(fan_in(senders)),
        Program::ClientServer { clients, rounds } => Some(client_server(clients, rounds)),
        _ => None,
    }
}

/// Every check of a graph is cheapest without an order on messages.
const MODEL: Model = Model::Asyn;

/// The senders come first: then the receiver never has to be revisited, which is eight times
/// as fast here as the other way round.
fn fan_in(senders: usize) -> Measurement {
    measure(Program::FanIn { senders }, move || {
        let mut system = System::new();
        for sender in 0..senders {
            let message = Val::from(sender.to_string());
            system.add(move |ctx: Ctx| async move {
                ctx.send(senders, message, MODEL);
            });
        }
        let receiver = system.add(move |ctx: Ctx| async move {
            for _ in 0..senders {
                ctx.recv(|_| true).await;
            }
        });
        assert_eq!(receiver, senders);
        system
    })
}

/// The clients come first, for the same reason.
fn client_server(clients: usize, rounds: usize) -> Measurement {
    measure(Program::ClientServer { clients, rounds }, move || {
        let mut system = System::new();
        for client in 0..clients {
            let request = Val::from(client.to_string());
            system.add(move |ctx: Ctx| async move {
                for _ in 0..rounds {
                    ctx.send(clients, request, MODEL);
                    ctx.recv(|_| true).await;
                }
            });
        }
        let reply = Val::from("reply");
        let server = system.add(move |ctx: Ctx| async move {
            for _ in 0..clients * rounds {
                let request = ctx.recv(|_| true).await;
                let client = request.parse().expect("a request is a client's number");
                ctx.send(client, reply, MODEL);
            }
        });
        assert_eq!(server, clients);
        system
    })
}

fn measure(program: Program, system: impl Fn() -> System + Sync) -> Measurement {
    let counter = Counter::default();
    let ((), seconds) = timed(|| explore(system, &counter, Config::default()));
    Measurement {
        tool: "must-mc 0.1.1",
        program,
        executions: counter.full.into_inner(),
        blocked: counter.other.into_inner(),
        states: None,
        runs: None,
        seconds,
        extent: Extent::EachOnce,
    }
}

/// Counts the ends of executions only; the crate's own counter counts every event.
#[derive(Default)]
struct Counter {
    full: AtomicU64,
    other: AtomicU64,
}

impl Observer for Counter {
    fn on_execution(&self, _execution: &Execution, kind: ExecutionKind) {
        let count = match kind {
            ExecutionKind::Full => &self.full,
            ExecutionKind::Blocked | ExecutionKind::Error => &self.other,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}
