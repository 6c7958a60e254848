//! A registration server for limited resources (Gotovos, Christakis and Sagonas 2011), and the
//! two tests of it that Christakis et al. (2013) measure.

use super::{size, switch};
use crate::built::Built;
use crate::program::Program;
use mazurka::{
    Down, NameRefused, Pid, demonitor, interchangeable, me, monitor, receive, register, send,
    spawn, unregister, whereis,
};

pub(super) const PROGRAM: Program = Program {
    name: "attach",
    about: "processes attach to a registration server that has only a few places (Concuerror)",
    delivery: mazurka::Delivery::Mailbox,
    wrong: None,
    parameters: &[
        size(
            "clients",
            2,
            1,
            "the number of processes that attach, including the one that starts and stops the server",
        ),
        switch(
            "ping",
            "1: they also ping the server to confirm that they are attached; it stops after that",
        ),
    ],
    build: |values| {
        interchangeable::<Request>();
        interchangeable::<Reply>();
        interchangeable::<Done>();
        let (clients, ping) = (values.count("clients"), values.is_on("ping"));
        Built::rust(move || test(clients, ping))
    },
    traces: |_, _| None,
};

/// The maximum number of processes attached at a time.
const PLACES: usize = 2;

const NAME: &str = "reg_server";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Request {
    from: Pid,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
    Attach,
    Ping,
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reply {
    /// The process has this place, counted from 1.
    Place(usize),
    /// All places are taken.
    Full,
    /// The server runs, but the process has no place.
    Pong,
    Stopped,
}

/// A client is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Done(usize);

async fn test(clients: usize, ping: bool) -> Result<(), NameRefused> {
    start_server().await?;
    let first = request(What::Attach).await;
    assert_eq!(first, Some(Reply::Place(1)), "the first gets a place");
    let test = me();
    for i in 2..=clients {
        spawn(move || client(test, i, ping));
    }
    if ping {
        confirm(first).await;
        // Receive in a fixed order, which adds no races.
        for i in 2..=clients {
            receive! { Done(who) if who == i => {} }
        }
    }
    request(What::Stop).await;
    Ok(())
}

async fn client(test: Pid, i: usize, ping: bool) {
    let reply = request(What::Attach).await;
    assert_ne!(reply, Some(Reply::Place(1)), "that place is taken");
    if !ping {
        // The test does not wait for the client, so the server may have stopped.
        return;
    }
    match reply {
        Some(Reply::Place(_)) => confirm(reply).await,
        _ => assert_eq!(reply, Some(Reply::Full), "the server runs"),
    }
    send(test, Done(i));
}

/// The server replies to a ping with the place that the process has.
async fn confirm(place: Option<Reply>) {
    let reply = request(What::Ping).await;
    assert_eq!(reply, place, "the server knows who is attached");
}

/// Sends a request to the process registered under the server's name, and waits for the reply or for
/// the message that the server has ended.
async fn request(what: What) -> Option<Reply> {
    let server = whereis(NAME).await?;
    let watch = monitor(server).await;
    send(server, Request { from: me(), what });
    receive! {
        reply: Reply => {
            demonitor(watch).await;
            Some(reply)
        }
        Down { monitor, .. } if monitor == watch => None,
    }
}

async fn start_server() -> Result<(), NameRefused> {
    match whereis(NAME).await {
        Some(_) => Err(NameRefused),
        None => register(NAME, spawn(server)).await,
    }
}

async fn server() -> Result<(), NameRefused> {
    let mut places = [None; PLACES];
    loop {
        receive! {
            Request { from, what: What::Attach } => {
                let reply = attach(from, &mut places).await;
                send(from, reply);
            }
            Request { from, what: What::Ping } => {
                send(from, place_of(from, &places).unwrap_or(Reply::Pong));
            }
            Request { from, what: What::Stop } => {
                unregister(NAME).await?;
                send(from, Reply::Stopped);
                return Ok(());
            }
            Down { monitor, .. } => {
                places = places.map(|taken| taken.filter(|&taken| taken != monitor.of));
            }
        }
    }
}

/// The process at each place.
type Places = [Option<Pid>; PLACES];

async fn attach(who: Pid, places: &mut Places) -> Reply {
    if let Some(place) = place_of(who, places) {
        return place;
    }
    let Some(free) = places.iter().position(Option::is_none) else {
        return Reply::Full;
    };
    places[free] = Some(who);
    monitor(who).await;
    Reply::Place(free + 1)
}

fn place_of(who: Pid, places: &Places) -> Option<Reply> {
    let place = places.iter().position(|&taken| taken == Some(who))?;
    Some(Reply::Place(place + 1))
}
