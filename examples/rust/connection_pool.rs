//! A pool that lends database connections, and clients that may be killed at any moment.
//!
//! There are fewer connections than clients, so some have to wait. One client is cancelled: an
//! exit signal ends it before it asks, while it waits, while it holds a connection, or after it
//! has returned the connection. The broken pool trusts its clients. It never gets back a
//! connection that a dead client held, and it lends connections to clients that are dead
//! already. Each client that asks later waits for ever.
//!
//! The fix is to monitor every client from its request on. When a client ends, its connection
//! returns to the pool, and a client that was still waiting is removed from the queue.
//!
//! ```text
//! cargo run -p mazurka --example connection_pool              # monitors clients: verified
//! cargo run -p mazurka --example connection_pool -- broken    # a client waits for ever
//! ```

use mazurka::prelude::*;
use std::collections::{BTreeMap, VecDeque};
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Connection(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Request {
    Borrow { client: Pid },
    GiveBack { client: Pid, connection: Connection },
}

/// Which client has which connection, and which clients wait. How the pool learns that a client has
/// ended is not part of it.
#[derive(Default)]
struct Leases {
    idle: Vec<Connection>,
    held: BTreeMap<Pid, Connection>,
    waiting: VecDeque<Pid>,
}

impl Leases {
    fn of(connections: u32) -> Self {
        Leases {
            idle: (1..=connections).map(Connection).collect(),
            ..Leases::default()
        }
    }

    fn borrow(&mut self, client: Pid) {
        self.waiting.push_back(client);
        self.lend();
    }

    /// Works for a client that only waits, too.
    fn release(&mut self, client: Pid) {
        self.waiting.retain(|&waiting| waiting != client);
        self.idle.extend(self.held.remove(&client));
        self.lend();
    }

    fn lend(&mut self) {
        while !self.idle.is_empty()
            && let Some(client) = self.waiting.pop_front()
            && let Some(connection) = self.idle.pop()
        {
            self.held.insert(client, connection);
            send(client, connection);
        }
    }
}

/// Trusts that each client returns its connection.
async fn trusting_pool(connections: u32) {
    daemon();
    let mut leases = Leases::of(connections);
    loop {
        receive! {
            Request::Borrow { client } => leases.borrow(client),
            Request::GiveBack { client, .. } => leases.release(client),
        }
    }
}

/// Monitors every client from its request to its return.
async fn watchful_pool(connections: u32) {
    daemon();
    let mut leases = Leases::of(connections);
    let mut watched: Vec<Monitor> = Vec::new();
    loop {
        receive! {
            Request::Borrow { client } => {
                watched.push(monitor(client).await);
                leases.borrow(client);
            }
            Request::GiveBack { client, .. } => {
                if let Some(at) = watched.iter().position(|watch| watch.of == client) {
                    demonitor(watched.swap_remove(at)).await;
                }
                leases.release(client);
            }
            Down { monitor, .. } => {
                watched.retain(|&watch| watch != monitor);
                leases.release(monitor.of);
            }
        }
    }
}

async fn client(pool: Pid) {
    let client = me();
    send(pool, Request::Borrow { client });
    let connection = receive::<Connection>().await;
    // Here it would talk to the database.
    send(pool, Request::GiveBack { client, connection });
}

/// Three clients share a connection, and one of them is cancelled.
async fn cancellation<F: Future<Output = ()> + 'static>(pool: fn(u32) -> F) {
    let pool = spawn(move || pool(1));
    let cancelled = spawn(move || client(pool));
    for _ in 0..2 {
        spawn(move || client(pool));
    }
    signal(cancelled, "cancelled");
}

async fn broken() {
    cancellation(trusting_pool).await;
}

async fn fixed() {
    cancellation(watchful_pool).await;
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

    /// Clients that are alive are served in the order in which they ask. `n` of them can ask in n!
    /// orders, and requests and returns reach the pool in as many orders as there are balanced
    /// sequences of `n` pairs of brackets, 2 for two clients and 5 for three. The signal arrives:
    ///
    /// * before the client asks: 2! · 2 = 4;
    /// * before it has the connection, or before it returns it, which is the same to the
    ///   pool. If it gets the connection first, the others only ask, in 2 orders. If second, the
    ///   return of the first has 3 places among the requests: 2 · 3. If last, only its return is
    ///   missing: 2 · 5. That is 18, twice;
    /// * before it ends, or after: 3! · 5 = 30, twice.
    ///
    /// If it gets the connection first, both others wait for ever, in 2 orders; if second, the
    /// one that asks last waits for ever, each of them in 3 orders: 2 + 3, twice.
    #[test]
    fn broken_leaves_clients_waiting() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, broken);
            assert_eq!(checked.executions, 4 + 18 + 18 + 30 + 30);
            let stuck = [(Kind::Stuck, "P.3", 10), (Kind::Stuck, "P.4", 10)];
            assert_eq!(errors(&checked), stuck);
            for error in checked.errors() {
                assert!(error.message.contains("Connection"), "{}", error.message);
            }
        }
    }

    /// Monitoring is a step of its own, and so is every [`Down`]. Under `Mailbox` messages arrive
    /// in the order in which they are sent, also from different senders, so there are fewer orders.
    #[test]
    fn fixed_serves_everybody_who_lives() {
        for (delivery, executions) in [(Delivery::P2p, 4526), (Delivery::Mailbox, 1542)] {
            let checked = explore(delivery, fixed);
            assert!(checked.passed(), "{}", checked.report);
            assert_eq!(checked.executions, executions);
        }
    }
}
