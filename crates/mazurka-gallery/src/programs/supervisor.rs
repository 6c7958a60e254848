//! A supervisor that restarts a worker, and a client that looks for the worker during the restart.

use crate::built::Built;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{
    Down, Exit, NameRefused, Pid, daemon, exit, interchangeable, me, receive, receive_within,
    register, send, spawn, spawn_link, spawn_monitor, trap_exit, whereis,
};
use std::time::Duration;

pub(super) const PROGRAM: Program = Program {
    name: "supervisor",
    about: "a supervisor restarts a worker that stops while a client looks for it by name",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Crash,
        about: "between stop and restart the worker's name is not registered, or the request is lost",
        when: |_, _| true,
    }),
    parameters: &[],
    build: |_| {
        interchangeable::<Request>();
        Built::rust(supervisor)
    },
    traces: |_, _| None,
};

const NAME: &str = "worker";

/// A request to the worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Request {
    Serve(Pid),
    Stop,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Reply;

async fn supervisor() -> Result<(), NameRefused> {
    trap_exit(true);
    let worker = start_worker().await?;
    spawn(move || saboteur(worker));
    spawn_monitor(client);
    loop {
        receive! {
            Exit { .. } => { start_worker().await?; }
            // The client, the only monitored process, has ended.
            Down { .. } => return Ok(()),
        }
    }
}

async fn start_worker() -> Result<Pid, NameRefused> {
    let worker = spawn_link(worker);
    register(NAME, worker).await?;
    Ok(worker)
}

async fn worker() {
    daemon();
    loop {
        match receive().await {
            Request::Serve(client) => send(client, Reply),
            Request::Stop => exit("stopped").await,
        }
    }
}

async fn saboteur(worker: Pid) {
    send(worker, Request::Stop);
}

async fn client() {
    let worker = whereis(NAME).await.expect("the worker is registered");
    send(worker, Request::Serve(me()));
    let reply = receive_within::<Reply>(Duration::from_secs(5)).await;
    reply.expect("the worker replies");
}
