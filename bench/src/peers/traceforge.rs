//! TraceForge: the program is ordinary code on green threads, replayed for every execution.

use traceforge::thread::{self, ThreadId};
use traceforge::{Config, ConsType, SchedulePolicy, Stats, recv_msg_block, send_msg};

use crate::measure::{Extent, Measurement, Program, timed};

/// Runs a program.
pub fn run(program: Program) -> Option<Measurement> {
    Some(match program {
        Program::FanIn { senders } => fan_in(senders),
        Program::ClientServer { clients, rounds } => client_server(clients, rounds),
        Program::Registry { workers } => registry(workers),
        Program::TwoPhaseCommit { participants } => two_phase_commit(participants),
    })
}

/// The main thread is the receiver: one thread fewer to replay.
fn fan_in(senders: usize) -> Measurement {
    measure(Program::FanIn { senders }, move || {
        let receiver = thread::current().id();
        for message in 0..senders {
            thread::spawn(move || send_msg(receiver, message));
        }
        for _ in 0..senders {
            let _message: usize = recv_msg_block();
        }
    })
}

/// The main thread is the server.
fn client_server(clients: usize, rounds: usize) -> Measurement {
    measure(Program::ClientServer { clients, rounds }, move || {
        let server = thread::current().id();
        for _ in 0..clients {
            thread::spawn(move || {
                let client = thread::current().id();
                for _ in 0..rounds {
                    send_msg(server, client);
                    let _reply: bool = recv_msg_block();
                }
            });
        }
        for _ in 0..clients * rounds {
            let client: ThreadId = recv_msg_block();
            send_msg(client, true);
        }
    })
}

fn registry(workers: usize) -> Measurement {
    measure(Program::Registry { workers }, move || {
        let registry = thread::spawn(move || {
            for _ in 0..=workers {
                let _who: ThreadId = recv_msg_block();
            }
        });
        let registry = registry.thread().id();
        send_msg(registry, thread::current().id());
        let workers: Vec<_> = (0..workers)
            .map(|_| {
                thread::spawn(|| {
                    let registry: ThreadId = recv_msg_block();
                    send_msg(registry, thread::current().id());
                })
            })
            .collect();
        for worker in &workers {
            send_msg(worker.thread().id(), registry);
        }
    })
}

/// The main thread is the coordinator.
fn two_phase_commit(participants: usize) -> Measurement {
    #[derive(Clone, Debug, PartialEq)]
    enum Message {
        Prepare,
        Vote,
        Decision,
        Acknowledge,
    }

    measure(Program::TwoPhaseCommit { participants }, move || {
        let coordinator = thread::current().id();
        let participants: Vec<_> = (0..participants)
            .map(|_| {
                thread::spawn(move || {
                    assert_eq!(recv_msg_block::<Message>(), Message::Prepare);
                    send_msg(coordinator, Message::Vote);
                    assert_eq!(recv_msg_block::<Message>(), Message::Decision);
                    send_msg(coordinator, Message::Acknowledge);
                })
            })
            .collect();
        for (tell, answer) in [
            (Message::Prepare, Message::Vote),
            (Message::Decision, Message::Acknowledge),
        ] {
            for participant in &participants {
                send_msg(participant.thread().id(), tell.clone());
            }
            for _ in &participants {
                assert_eq!(recv_msg_block::<Message>(), answer);
            }
        }
    })
}

fn measure(program: Program, main: impl Fn() + Send + Sync + 'static) -> Measurement {
    let config = Config::builder()
        .with_cons_type(ConsType::Bag)
        .with_policy(SchedulePolicy::LTR)
        // Report progress never; the default prints at every round number.
        .with_progress_report(usize::MAX)
        .build();
    let (Stats { execs, block, .. }, seconds) = timed(|| traceforge::verify(config, main));
    Measurement {
        tool: "traceforge 0.2.1",
        program,
        executions: execs as u64,
        blocked: block as u64,
        states: None,
        runs: None,
        seconds,
        extent: Extent::EachOnce,
    }
}
