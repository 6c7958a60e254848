//! Shuttle: real code on green threads and channels, every interleaving depth first.
//!
//! It has no reduction, so the number of interleavings is out of reach even for these small
//! programs: a run is cut short, and its speed is all there is to compare.

use shuttle::scheduler::DfsScheduler;
use shuttle::sync::mpsc;
use shuttle::{Config, FailurePersistence, Runner, thread};

use crate::measure::{Extent, Measurement, Program, timed};

/// Runs a program, if it is written for this tool.
pub fn run(program: Program) -> Option<Measurement> {
    match program {
        Program::FanIn { senders } => Some(fan_in(senders)),
        Program::ClientServer { clients, rounds } => Some(client_server(clients, rounds)),
        _ => None,
    }
}

/// Enough for a steady speed.
const EXECUTIONS_MAX: usize = 10_000;

fn fan_in(senders: usize) -> Measurement {
    measure(Program::FanIn { senders }, move || {
        let (sender, receiver) = mpsc::channel();
        for message in 0..senders {
            let sender = sender.clone();
            thread::spawn(move || sender.send(message).expect("the receiver waits"));
        }
        for _ in 0..senders {
            receiver.recv().expect("a sender is left");
        }
    })
}

fn client_server(clients: usize, rounds: usize) -> Measurement {
    measure(Program::ClientServer { clients, rounds }, move || {
        let (request_sender, requests) = mpsc::channel();
        let mut reply_senders = Vec::with_capacity(clients);
        for client in 0..clients {
            let request_sender = request_sender.clone();
            let (reply_sender, replies) = mpsc::channel();
            reply_senders.push(reply_sender);
            thread::spawn(move || {
                for _ in 0..rounds {
                    request_sender.send(client).expect("the server waits");
                    replies.recv().expect("the server replies");
                }
            });
        }
        for _ in 0..clients * rounds {
            let client: usize = requests.recv().expect("a client is left");
            reply_senders[client].send(()).expect("the client waits");
        }
    })
}

fn measure(program: Program, main: impl Fn() + Send + Sync + 'static) -> Measurement {
    let mut config = Config::new();
    config.failure_persistence = FailurePersistence::None;
    config.silence_warnings = true;
    let runner = Runner::new(DfsScheduler::new(Some(EXECUTIONS_MAX), false), config);
    let (executions, seconds) = timed(|| runner.run(main));
    Measurement {
        tool: "shuttle 0.9.9",
        program,
        executions: executions as u64,
        blocked: 0,
        states: None,
        runs: None,
        seconds,
        extent: Extent::Unreduced,
    }
}
