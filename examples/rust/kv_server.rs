//! A key-value server, and clients that count visits with it.
//!
//! Counting is a read, an addition and a write. A client that writes what it computed from an
//! old value overwrites what other clients have written since, and their visits are lost. Tests
//! of the server alone do not find this, because the server is correct, and neither do tests
//! with one client.
//!
//! The fix is optimistic: the server offers compare-and-swap, which writes only if the value is
//! still the one that was read, and otherwise answers with the current value; the client adds to
//! that and tries again.
//!
//! ```text
//! cargo run -p mazurka --example kv_server              # compare-and-swap: verified
//! cargo run -p mazurka --example kv_server -- broken    # a visit is lost
//! ```

use mazurka::prelude::*;
use std::collections::BTreeMap;
use std::process::ExitCode;

const CLIENTS: u32 = 3;

type Key = &'static str;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Request {
    from: Pid,
    call: Call,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Call {
    Get(Key),
    Put(Key, u32),
    Swap { key: Key, old: u32, new: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Reply {
    Value(u32),
    Written,
    /// Another client has written in between; this is the current value.
    Conflict(u32),
}

async fn server() {
    daemon();
    let mut store = BTreeMap::new();
    loop {
        let Request { from, call } = receive().await;
        send(from, answer(&mut store, call));
    }
}

fn answer(store: &mut BTreeMap<Key, u32>, call: Call) -> Reply {
    match call {
        Call::Get(key) => Reply::Value(store.get(key).copied().unwrap_or(0)),
        Call::Put(key, value) => {
            store.insert(key, value);
            Reply::Written
        }
        Call::Swap { key, old, new } => {
            let value = store.entry(key).or_insert(0);
            if *value != old {
                return Reply::Conflict(*value);
            }
            *value = new;
            Reply::Written
        }
    }
}

fn ask(server: Pid, call: Call) {
    send(server, Request { from: me(), call });
}

async fn get(server: Pid, key: Key) -> u32 {
    ask(server, Call::Get(key));
    receive! { Reply::Value(value) => value }
}

/// Loses an update if another client writes between the two requests.
async fn read_then_write(server: Pid) {
    let visits = get(server, "visits").await;
    ask(server, Call::Put("visits", visits + 1));
    receive! { Reply::Written => {} }
}

/// Tries until no other client has written in between.
async fn compare_and_swap(server: Pid) {
    let mut old = get(server, "visits").await;
    loop {
        let (key, new) = ("visits", old + 1);
        ask(server, Call::Swap { key, old, new });
        receive! {
            Reply::Written => break,
            Reply::Conflict(value) => old = value,
        }
    }
}

/// Counts a visit of each client, and reads their number when all clients have ended.
async fn visits<F: Future<Output = ()> + 'static>(client: fn(Pid) -> F) {
    let server = spawn(server);
    let clients: Vec<Monitor> = (0..CLIENTS)
        .map(|_| spawn_monitor(move || client(server)))
        .collect();
    for client in clients {
        ended(client).await;
    }
    let counted = get(server, "visits").await;
    assert_eq!(counted, CLIENTS, "a visit is lost");
}

async fn broken() {
    visits(read_then_write).await;
}

async fn fixed() {
    visits(compare_and_swap).await;
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
    use crate::testing::explore;

    /// Six requests, the two of each client in order, reach the server in 6! / (2! 2! 2!) = 90
    /// orders. No visit is lost only if the clients run one after another, in 3! of them.
    #[test]
    fn broken_loses_a_visit_unless_the_clients_take_turns() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, broken);
            assert_eq!(checked.executions, 90);
            for error in checked.errors() {
                assert_eq!((error.kind, &*error.process), (Kind::Assertion, "P"));
                assert!(error.message.contains("a visit is lost"));
            }
            let lost: u64 = checked.errors().map(|error| error.count).sum();
            assert_eq!(lost, 90 - 6);
        }
    }

    #[test]
    fn fixed_is_right_in_every_order_of_requests() {
        let expected = orders(&[Next::Get; CLIENTS as usize], 0);
        assert_eq!(expected, 198);
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, fixed);
            assert!(checked.passed(), "{}", checked.report);
            assert_eq!(checked.executions, expected);
        }
    }

    /// The next request of a client that swaps.
    #[derive(Clone, Copy)]
    enum Next {
        Get,
        Swap { old: u32 },
    }

    /// The number of orders in which the server can serve these clients.
    fn orders(clients: &[Next], value: u32) -> u64 {
        if clients.is_empty() {
            return 1;
        }
        let serve = |at: usize| {
            let mut clients = clients.to_vec();
            match clients[at] {
                Next::Swap { old } if old == value => {
                    clients.remove(at);
                    orders(&clients, value + 1)
                }
                _ => {
                    clients[at] = Next::Swap { old: value };
                    orders(&clients, value)
                }
            }
        };
        (0..clients.len()).map(serve).sum()
    }

    #[mazurka::test(delivery = Delivery::Unordered)]
    async fn fixed_needs_no_order_of_messages() {
        fixed().await;
    }
}
