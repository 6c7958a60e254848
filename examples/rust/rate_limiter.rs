//! A rate limiter: a bucket of tokens that a timer fills up.
//!
//! A request takes a token; if there is none, it is refused. The broken bucket is a counter that
//! all processes share. Each operation on it is atomic, and a refused request returns the token it
//! took. Still the limit does not hold: the timer reads how many tokens are missing and then adds
//! them. If it reads while a refused request has the counter below zero, it adds one token too many.
//!
//! That needs the timer to fire between two steps of a request. With
//! [`Timeouts::WhenQuiet`] it only fires when nothing else happens, as it would in nearly every
//! run of a test with a real clock, and the bug does not show.
//!
//! In the fixed limiter one process owns the bucket. Requests and the timer send it messages,
//! and it handles one at a time. A client whose answer does not arrive in time counts as refused.
//!
//! ```text
//! cargo run -p mazurka --example rate_limiter              # the bucket has an owner: verified
//! cargo run -p mazurka --example rate_limiter -- broken    # the limit is exceeded
//! ```

use mazurka::Counter;
use mazurka::prelude::*;
use std::process::ExitCode;
use std::time::Duration;

/// The number of requests allowed per period.
const CAPACITY: i64 = 1;
const PERIOD: Duration = Duration::from_secs(60);
const REFILLS: i64 = 1;
const CLIENTS: usize = 2;
const REQUESTS: u32 = 2;
/// How long a client waits for an answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// The report of a client at its end: its pid and the number of requests granted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Granted(Pid, i64);

/// A bucket that all processes share.
mod shared {
    use super::*;

    pub fn tokens() -> Counter {
        Counter::new("tokens")
    }

    pub async fn timer() {
        for _ in 0..REFILLS {
            sleep(PERIOD).await;
            let missing = CAPACITY - tokens().get().await;
            tokens().add(missing).await;
        }
    }

    pub async fn client(main: Pid) {
        let mut granted = 0;
        for _ in 0..REQUESTS {
            if tokens().add(-1).await >= 0 {
                granted += 1;
            } else {
                tokens().add(1).await;
            }
        }
        send(main, Granted(me(), granted));
    }
}

/// A bucket that one process owns.
mod owned {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    enum Request {
        Take { id: u32, from: Pid },
        Refill,
    }

    /// The answer to the request with this id.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Answer {
        id: u32,
        granted: bool,
    }

    pub async fn limiter() {
        daemon();
        let mut tokens = CAPACITY;
        loop {
            receive! {
                Request::Take { id, from } => {
                    let granted = tokens > 0;
                    tokens -= i64::from(granted);
                    send(from, Answer { id, granted });
                }
                Request::Refill => tokens = CAPACITY,
            }
        }
    }

    pub async fn timer(limiter: Pid) {
        for _ in 0..REFILLS {
            sleep(PERIOD).await;
            send(limiter, Request::Refill);
        }
    }

    pub async fn client(limiter: Pid, main: Pid) {
        let from = me();
        let mut sum = 0;
        for id in 1..=REQUESTS {
            send(limiter, Request::Take { id, from });
            // A late answer stays in the mailbox.
            sum += receive! {
                Answer { id: answered, granted } if answered == id => i64::from(granted),
                after PATIENCE => 0,
            };
        }
        send(main, Granted(from, sum));
    }
}

/// Adds up what the clients were granted.
async fn keep_the_limit(clients: [Pid; CLIENTS]) {
    let mut sum = 0;
    for client in clients {
        receive! { Granted(by, granted) if by == client => sum += granted }
    }
    let limit = CAPACITY * (1 + REFILLS);
    assert!(sum <= limit, "{sum} requests are granted, not {limit}");
}

async fn broken() {
    let main = me();
    shared::tokens().add(CAPACITY).await;
    spawn(shared::timer);
    keep_the_limit([(); CLIENTS].map(|()| spawn(move || shared::client(main)))).await;
}

async fn fixed() {
    let main = me();
    let limiter = spawn(owned::limiter);
    spawn(move || owned::timer(limiter));
    keep_the_limit([(); CLIENTS].map(|()| spawn(move || owned::client(limiter, main)))).await;
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
    use crate::testing::explore_by;
    use mazurka::Check;

    #[test]
    fn broken_exceeds_the_limit() {
        let expected = Shared::default().orders(Timeouts::AnyTime);
        assert_eq!(expected, (988, 16));
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore_by(
                Check::new().delivery(delivery).timeouts(Timeouts::AnyTime),
                broken,
            );
            let errors: Vec<_> = checked.errors().collect();
            let [error] = errors[..] else {
                panic!("{}", checked.report);
            };
            assert_eq!((error.kind, &*error.process), (Kind::Assertion, "P"));
            assert!(error.message.contains("3 requests are granted"));
            assert_eq!((checked.executions, error.count), expected);
        }
    }

    #[test]
    fn broken_looks_right_when_the_timer_fires_last() {
        let (orders, exceeding) = Shared::default().orders(Timeouts::WhenQuiet);
        assert_eq!((orders, exceeding), (30, 0));
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore_by(
                Check::new()
                    .delivery(delivery)
                    .timeouts(Timeouts::WhenQuiet),
                broken,
            );
            assert!(checked.passed(), "{}", checked.report);
            assert_eq!(checked.executions, orders);
        }
    }

    /// The shared bucket once more, as a machine of which each operation on the counter is a
    /// step: the operations left to do decide what is next.
    #[derive(Clone, Debug)]
    struct Shared {
        tokens: i64,
        granted: i64,
        /// What the timer does next: look, or add what it found missing.
        timer: Option<Timer>,
        clients: [Client; CLIENTS],
    }

    #[derive(Clone, Copy, Debug)]
    enum Timer {
        Look,
        Add(i64),
    }

    #[derive(Clone, Copy, Debug)]
    struct Client {
        requests: u32,
        gives_back: bool,
    }

    impl Default for Shared {
        fn default() -> Self {
            let client = Client {
                requests: REQUESTS,
                gives_back: false,
            };
            Shared {
                tokens: CAPACITY,
                granted: 0,
                timer: Some(Timer::Look),
                clients: [client; CLIENTS],
            }
        }
    }

    impl Shared {
        /// The number of orders of all operations, and of those that exceed the limit.
        fn orders(&self, timeouts: Timeouts) -> (u64, u64) {
            let mut next: Vec<Shared> = (0..CLIENTS).filter_map(|at| self.serve(at)).collect();
            if timeouts == Timeouts::AnyTime || next.is_empty() {
                next.extend(self.tick());
            }
            if next.is_empty() {
                return (1, u64::from(self.granted > CAPACITY * (1 + REFILLS)));
            }
            let orders = next.iter().map(|next| next.orders(timeouts));
            orders.fold((0, 0), |sum, orders| (sum.0 + orders.0, sum.1 + orders.1))
        }

        fn tick(&self) -> Option<Shared> {
            let mut next = self.clone();
            match self.timer? {
                Timer::Look => next.timer = Some(Timer::Add(CAPACITY - self.tokens)),
                Timer::Add(missing) => {
                    next.tokens += missing;
                    next.timer = None;
                }
            }
            Some(next)
        }

        fn serve(&self, at: usize) -> Option<Shared> {
            let mut next = self.clone();
            let client = &mut next.clients[at];
            if client.gives_back {
                client.gives_back = false;
                next.tokens += 1;
            } else {
                client.requests = client.requests.checked_sub(1)?;
                client.gives_back = self.tokens <= 0;
                next.granted += i64::from(self.tokens > 0);
                next.tokens -= 1;
            }
            Some(next)
        }
    }

    /// The limiter gets 2 + 2 requests and a refill, those of a client in order, and every
    /// answer comes in time or not: 5! / (2! 2!) · 2⁴. If it is quiet the refill is last and
    /// all answers come in time: 4! / (2! 2!).
    #[test]
    fn fixed_keeps_the_limit() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            for (timeouts, executions) in [(Timeouts::AnyTime, 30 * 16), (Timeouts::WhenQuiet, 6)] {
                let checked = explore_by(Check::new().delivery(delivery).timeouts(timeouts), fixed);
                assert!(checked.passed(), "{}", checked.report);
                assert_eq!(checked.executions, executions);
            }
        }
    }
}
