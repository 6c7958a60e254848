//! TraceForge: the program is ordinary code on green threads, replayed for every execution.

use traceforge::thread::{self, ThreadId};
use traceforge::{Config, ConsType, SchedulePolicy, Stats, recv_msg_block, send_msg};

use crate::measure::{Extent, Measurement, Program, timed};

/// The main thread is the receiver: one thread fewer to replay.
pub fn fan_in(senders: usize) -> Measurement {
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
pub fn client_server(clients: usize, rounds: usize) -> Measurement {
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
        seconds,
        extent: Extent::EachOnce,
    }
}
