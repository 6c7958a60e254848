//! Mazurka itself, twice: the engine on the gallery's programs, and the library on ordinary
//! Rust. Both are whole checks, including the search for errors.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use mazurka::{Check, Delivery, Pid, me, receive, send, spawn};
use mazurka_engine::{SendersFirst, Settings, check};
use mazurka_gallery::Built;

use crate::measure::{Extent, Measurement, Program, timed};

/// The engine, on programs whose snapshots cost next to nothing.
pub fn engine(program: Program) -> Option<Measurement> {
    let (name, params) = match program {
        Program::FanIn { senders } => ("fan-in", vec![("n", senders)]),
        Program::ClientServer { clients, rounds } => (
            "client-server",
            vec![("clients", clients), ("rounds", rounds)],
        ),
        _ => return None,
    };
    let params: BTreeMap<String, String> = params
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.to_string()))
        .collect();
    let built = mazurka_gallery::find(name)
        .expect("the gallery has it")
        .instantiate(&params)
        .expect("the parameters fit");
    let Built::Actors(actors) = built else {
        panic!("{name} is there to measure the engine");
    };
    let (report, seconds) = timed(|| {
        check(actors, SendersFirst, &Settings::default(), |_| {
            ControlFlow::Continue(())
        })
        .expect("gallery programs are modelled")
    });
    assert!(report.is_complete() && report.found.is_empty());
    Some(Measurement {
        tool: concat!("mazurka engine ", env!("CARGO_PKG_VERSION")),
        program,
        executions: report.progress.executions,
        blocked: report.progress.blocked,
        // Every step of the explored tree leads to a state of its own.
        states: Some(report.progress.transitions),
        runs: Some(report.progress.behaviour_nodes),
        seconds,
        extent: Extent::EachOnce,
    })
}

/// The library: processes are `async` functions.
pub fn library(program: Program) -> Option<Measurement> {
    let check = Check::new().no_logs(true).delivery(Delivery::P2p);
    let (checked, seconds) = timed(|| match program {
        Program::FanIn { senders } => check.run(move || fan_in(senders)),
        Program::ClientServer { clients, rounds } => {
            check.run(move || client_server(clients, rounds))
        }
        Program::Registry { workers } => check.run(move || registry(workers)),
        Program::TwoPhaseCommit { participants } => {
            check.run(move || two_phase_commit(participants))
        }
    });
    Some(Measurement {
        tool: concat!("mazurka library ", env!("CARGO_PKG_VERSION")),
        program,
        executions: checked.executions,
        blocked: 0,
        states: Some(checked.steps),
        runs: Some(checked.runs),
        seconds,
        extent: Extent::EachOnce,
    })
}

async fn fan_in(senders: usize) {
    let receiver = me();
    for message in 0..senders {
        spawn(move || async move { send(receiver, message) });
    }
    for _ in 0..senders {
        receive::<usize>().await;
    }
}

async fn client_server(clients: usize, rounds: usize) {
    let server = me();
    for _ in 0..clients {
        spawn(move || async move {
            for _ in 0..rounds {
                send(server, me());
                receive::<bool>().await;
            }
        });
    }
    for _ in 0..clients * rounds {
        let client = receive::<Pid>().await;
        send(client, true);
    }
}

async fn registry(workers: usize) {
    let registry = spawn(move || async move {
        for _ in 0..=workers {
            receive::<Pid>().await;
        }
    });
    send(registry, me());
    let workers: Vec<Pid> = (0..workers)
        .map(|_| {
            spawn(|| async {
                let registry = receive::<Pid>().await;
                send(registry, me());
            })
        })
        .collect();
    for worker in workers {
        send(worker, registry);
    }
}

async fn two_phase_commit(participants: usize) {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    enum Message {
        Prepare,
        Vote,
        Decision,
        Acknowledge,
    }

    mazurka::interchangeable::<Message>();
    let coordinator = me();
    let participants: Vec<Pid> = (0..participants)
        .map(|_| {
            spawn(move || async move {
                receive! { Message::Prepare => send(coordinator, Message::Vote) }
                receive! { Message::Decision => send(coordinator, Message::Acknowledge) }
            })
        })
        .collect();
    for (tell, answer) in [
        (Message::Prepare, Message::Vote),
        (Message::Decision, Message::Acknowledge),
    ] {
        for &participant in &participants {
            send(participant, tell.clone());
        }
        for _ in &participants {
            assert_eq!(receive::<Message>().await, answer);
        }
    }
}
