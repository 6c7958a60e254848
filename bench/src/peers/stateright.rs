//! Stateright: an explicit-state search of an actor model.
//!
//! It stores states, not executions. Here the receiving actor's state is the list of those it
//! has received from, so each final state is one order of receipt: the final states are counted as
//! executions. Fan-in has a state for each order of each subset of the messages, which is
//! ⌊e·N!⌋ states.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use stateright::actor::{Actor, ActorModel, ActorModelState, Id, Network, Out};
use stateright::{Checker, Expectation, Model};

use crate::measure::{Extent, Measurement, Program, timed};

/// Runs a program, if it is written for this tool.
pub fn run(program: Program) -> Option<Measurement> {
    match program {
        Program::FanIn { senders } => Some(fan_in(senders)),
        Program::ClientServer { clients, rounds } => Some(client_server(clients, rounds)),
        _ => None,
    }
}

/// Senders send at their start, so the initial state has every message in flight.
fn fan_in(senders: usize) -> Measurement {
    let receiver = Process::Server { replies: false };
    let sender = Process::Client { rounds: 1 };
    measure(
        Program::FanIn { senders },
        receiver,
        sender,
        senders,
        senders,
    )
}

/// Clients send their first request at their start, and the next one at a reply.
fn client_server(clients: usize, rounds: usize) -> Measurement {
    let program = Program::ClientServer { clients, rounds };
    let server = Process::Server { replies: true };
    let client = Process::Client { rounds };
    measure(program, server, client, clients, clients * rounds)
}

/// The server is the first actor.
const SERVER: usize = 0;

#[derive(Clone, Copy)]
enum Process {
    /// Takes requests from anyone, remembers their order, and may reply to each.
    Server { replies: bool },
    /// Sends a request, and another one at each reply, `rounds` in all.
    Client { rounds: usize },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    Server { served: Vec<u8> },
    Client { rounds_left: usize },
}

impl Actor for Process {
    /// A message is distinguished by its sender and receiver.
    type Msg = ();
    type State = State;
    type Timer = ();
    type Storage = ();
    type Random = ();

    fn on_start(&self, _id: Id, _storage: &Option<()>, out: &mut Out<Self>) -> State {
        match *self {
            Process::Server { .. } => State::Server { served: Vec::new() },
            Process::Client { rounds } => {
                out.send(Id::from(SERVER), ());
                State::Client {
                    rounds_left: rounds,
                }
            }
        }
    }

    fn on_msg(&self, _id: Id, state: &mut Cow<'_, State>, src: Id, (): (), out: &mut Out<Self>) {
        match (self, state.to_mut()) {
            (Process::Server { replies }, State::Server { served }) => {
                served.push(usize::from(src) as u8);
                if *replies {
                    out.send(src, ());
                }
            }
            (Process::Client { .. }, State::Client { rounds_left }) => {
                *rounds_left -= 1;
                if *rounds_left > 0 {
                    out.send(src, ());
                }
            }
            _ => unreachable!("a process has its own kind of state"),
        }
    }
}

/// What the property that looks at every new state needs to know.
struct Census {
    finals: Arc<AtomicU64>,
    requests: usize,
}

fn measure(
    program: Program,
    server: Process,
    client: Process,
    clients: usize,
    requests: usize,
) -> Measurement {
    let finals = Arc::new(AtomicU64::new(0));
    let census = Census {
        finals: Arc::clone(&finals),
        requests,
    };
    let model = ActorModel::new(census, ())
        .actor(server)
        .actors((0..clients).map(|_| client))
        .init_network(Network::new_unordered_nonduplicating([]))
        .property(Expectation::Always, "takes no message twice", take_census);

    let (checker, seconds) = timed(|| model.checker().threads(1).spawn_dfs().join());
    assert!(checker.discoveries().is_empty(), "the property holds");
    Measurement {
        tool: "stateright 0.31.0",
        program,
        executions: finals.load(Ordering::Relaxed),
        blocked: 0,
        states: Some(checker.unique_state_count() as u64),
        runs: None,
        seconds,
        extent: Extent::EachOnce,
    }
}

/// Counts the states in which nothing is left to do. Called once for each distinct state.
fn take_census(model: &ActorModel<Process, Census>, state: &ActorModelState<Process>) -> bool {
    let State::Server { served } = &*state.actor_states[SERVER] else {
        unreachable!("the server is the first actor");
    };
    if state.network.len() == 0 {
        model.cfg.finals.fetch_add(1, Ordering::Relaxed);
    }
    served.len() <= model.cfg.requests
}
