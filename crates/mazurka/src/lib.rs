//! Test message-passing Rust programs in every causally different execution.
//!
//! A concurrency bug depends on which message arrives first, and a test that runs once sees
//! one order. Mazurka runs a program in *every causally different execution, each exactly
//! once*, from an ordinary `#[test]`: nothing to install, no flags. If one of them crashes,
//! fails an assertion, deadlocks or leaves a process stuck, the test fails with a report that
//! names the message race that leads there, and a line that replays it.
//!
//! # A first race
//!
//! Processes are `async` functions and closures. They [`spawn`] each other, [`send`] messages,
//! which are ordinary values, and [`receive`](receive()) them. Here two clients each increment a
//! number that a server stores, but in two steps, a read and a write:
//!
//! ```
//! use mazurka::{Pid, Kind, me, receive, send, spawn};
//!
//! #[derive(Clone, Debug, PartialEq)]
//! enum Request {
//!     Get(Pid),
//!     Set(u32),
//!     Stop,
//! }
//!
//! async fn server() {
//!     let mut number = 0;
//!     loop {
//!         receive! {
//!             Request::Get(client) => send(client, number),
//!             Request::Set(new) => number = new,
//!             Request::Stop => break,
//!         }
//!     }
//!     assert_eq!(number, 2, "an update is lost");
//! }
//!
//! async fn client(server: Pid, main: Pid) {
//!     send(server, Request::Get(me()));
//!     let number = receive::<u32>().await;
//!     send(server, Request::Set(number + 1));
//!     send(main, "done");
//! }
//!
//! async fn lost_update() {
//!     let server = spawn(server);
//!     let main = me();
//!     for _ in 0..2 {
//!         spawn(move || client(server, main));
//!     }
//!     for _ in 0..2 {
//!         receive::<&str>().await;
//!     }
//!     send(server, Request::Stop);
//! }
//!
//! // In a test: `mazurka::check(lost_update)`, which panics with the report.
//! let checked = mazurka::Check::new().no_logs(true).explore(lost_update);
//! let error = checked.errors().next().expect("there is a race");
//! assert_eq!(error.kind, Kind::Assertion);
//! assert!(error.message.contains("an update is lost"));
//! ```
//!
//! With `#[mazurka::test]` the program is the test:
//!
//! ```
//! #[mazurka::test]
//! async fn two_greetings_arrive() {
//!     let me = mazurka::me();
//!     for name in ["Ada", "Bo"] {
//!         mazurka::spawn(move || async move { mazurka::send(me, name) });
//!     }
//!     let first = mazurka::receive::<&str>().await;
//!     let second = mazurka::receive::<&str>().await;
//!     assert_ne!(first, second); // but which is first is left to chance
//! }
//! ```
//!
//! # Messages
//!
//! The traits that a type needs depend on what its values are used for:
//!
//! | use | needs |
//! | --- | --- |
//! | message, exit reason, argument of a [`call`], value in a [`Table`] | [`Message`]: `Clone`, `Debug`, `PartialEq` |
//! | name of a process, [`Table`] or [`Counter`]; key of a table | [`Key`]: also `Eq` and `Hash` |
//!
//! Mazurka treats two equal messages as different, because a type's equality may ignore a field.
//! [`interchangeable`] declares that it ignores none, which makes checks faster.
//!
//! # A deadlock
//!
//! If the entry process waits for ever, the execution is a deadlock. If another process waits for
//! ever and is not a [`daemon`], that process is stuck. Here two processes each take one lock and
//! then request the other:
//!
//! ```
//! use mazurka::{Kind, Pid, me, receive, send, spawn};
//!
//! #[derive(Clone, Debug, PartialEq)]
//! enum Lock {
//!     Take(Pid),
//!     Release,
//! }
//!
//! async fn lock() {
//!     mazurka::daemon(); // it may wait for ever
//!     loop {
//!         receive! { Lock::Take(by) => send(by, "yours") }
//!         receive! { Lock::Release => {} } // a second Take waits in the mailbox
//!     }
//! }
//!
//! async fn with_both(first: Pid, second: Pid) {
//!     for lock in [first, second] {
//!         send(lock, Lock::Take(me()));
//!         receive::<&str>().await;
//!     }
//!     send(second, Lock::Release);
//!     send(first, Lock::Release);
//! }
//!
//! mazurka::Check::new()
//!     .expect(Kind::Deadlock) // the check passes because it finds what is expected
//!     .expect(Kind::Stuck)
//!     .run(|| async {
//!         let (a, b) = (spawn(lock), spawn(lock));
//!         spawn(move || with_both(b, a));
//!         with_both(a, b).await;
//!     });
//! ```
//!
//! # Selective receive
//!
//! A receive takes the first message that matches; the others stay in the mailbox. [`receive!`] has
//! patterns of any types, guards that may use the variables of the process, and `after`;
//! [`receive_when`] takes a condition.
//!
//! ```
//! use mazurka::{me, receive, send, spawn};
//!
//! #[derive(Clone, Debug, PartialEq)]
//! struct Reply {
//!     id: u32,
//!     text: &'static str,
//! }
//!
//! let checked = mazurka::check(|| async {
//!     let me = me();
//!     for (id, text) in [(1, "one"), (2, "two")] {
//!         spawn(move || async move { send(me, Reply { id, text }) });
//!     }
//!     for wanted in [2, 1] {
//!         receive! {
//!             Reply { id, text } if id == wanted => assert_eq!(text.len(), 3),
//!         }
//!     }
//! });
//! assert_eq!(checked.executions, 1); // the order of arrival makes no difference
//! ```
//!
//! # Delivery
//!
//! A receive takes the oldest matching message, as channels and mailboxes within one operating system
//! process do: [`Delivery::Mailbox`]. Between machines only messages of the same sender stay in
//! order: [`Delivery::P2p`].
//!
//! ```
//! use mazurka::{Check, Delivery, me, receive, send, spawn};
//!
//! async fn relayed() {
//!     let main = me();
//!     let relay = spawn(move || async move {
//!         let text: &str = receive().await;
//!         send(main, text);
//!     });
//!     send(main, "first");
//!     send(relay, "second");
//!     receive::<&str>().await;
//!     receive::<&str>().await;
//! }
//!
//! assert_eq!(mazurka::check(relayed).executions, 1);
//! let between_machines = Check::new().delivery(Delivery::P2p);
//! assert_eq!(between_machines.run(relayed).executions, 2);
//! ```
//!
//! # Timeouts
//!
//! Time is logical: a timeout takes no real time, and by default it may fire at any moment
//! before the message is taken. So both outcomes of every `after` are explored:
//!
//! ```
//! use mazurka::{Timeouts, me, receive, send, sleep, spawn};
//! use std::time::Duration;
//!
//! async fn impatient() {
//!     let main = me();
//!     spawn(move || async move {
//!         sleep(Duration::from_millis(100)).await;
//!         send(main, "late");
//!     });
//!     receive! {
//!         _text: &str => {}
//!         after Duration::from_millis(500) => {
//!             receive::<&str>().await;
//!         }
//!     }
//! }
//!
//! assert_eq!(mazurka::check(impatient).executions, 2);
//! // If timeouts fire in the order of their deadlines, the message always arrives in time.
//! let in_order = mazurka::Check::new().timeouts(Timeouts::WhenQuiet);
//! assert_eq!(in_order.clone().run(impatient).executions, 1);
//!
//! // Timeouts with equal deadlines fire in any order.
//! async fn two_alarms() {
//!     for alarm in ["first", "second"] {
//!         let main = me();
//!         spawn(move || async move {
//!             sleep(Duration::from_secs(1)).await;
//!             send(main, alarm);
//!         });
//!     }
//!     receive::<&str>().await;
//!     receive::<&str>().await;
//! }
//!
//! assert_eq!(in_order.run(two_alarms).executions, 2);
//! ```
//!
//! # A supervisor
//!
//! A panic ends its process, not the test: it is an error of that execution. Processes can be
//! linked, monitored and registered under names. A supervisor [traps exits](trap_exit) and
//! restarts its worker:
//!
//! ```
//! use mazurka::{Exit, Kind, Pid, exit, me, receive, register, send, spawn, spawn_link, whereis};
//!
//! async fn worker() {
//!     mazurka::daemon();
//!     receive! {
//!         client: Pid => send(client, "served"),
//!         "stop" => exit("as asked").await,
//!     }
//! }
//!
//! async fn supervisor(main: Pid) {
//!     mazurka::daemon();
//!     mazurka::trap_exit(true);
//!     loop {
//!         let worker = spawn_link(worker);
//!         register("worker", worker).await.expect("the name is free again");
//!         send(main, "up");
//!         receive! { Exit { .. } => {} }
//!     }
//! }
//!
//! mazurka::Check::new().expect(Kind::Crash).run(|| async {
//!     let main = me();
//!     spawn(move || supervisor(main));
//!     receive! { "up" => {} }
//!     send(whereis("worker").await.unwrap(), "stop");
//!     // Until the worker has been restarted, no process has the name.
//!     whereis("worker").await.expect("a worker");
//! });
//! ```
//!
//! # Replay
//!
//! A failing check writes a log of the execution and prints a line like
//!
//! ```text
//! MAZURKA_REPLAY=mz1:… cargo test -p shop lost_update -- --exact --nocapture
//! ```
//!
//! which runs that one execution again, on one thread, shows what the program prints by
//! [`println!`], and reports whether the error recurs. The text after `mz1:` is the log; if the log is
//! long, the line names its file instead. If the program has changed since, it is driven along the
//! log as far as the log fits. In code, for instance under a debugger, [`replay`] does the same:
//!
//! ```
//! use mazurka::{me, receive, send, spawn};
//!
//! async fn racy() {
//!     let me = me();
//!     for n in 1..=2 {
//!         spawn(move || async move { send(me, n) });
//!     }
//!     let first = receive::<i32>().await;
//!     mazurka::println!("first came {first}"); // shown in the replay only
//!     assert_eq!(first, 1, "who is first is left to chance");
//! # receive::<i32>().await;
//! }
//!
//! let checked = mazurka::Check::new().explore(racy);
//! let log = checked.errors().next().and_then(|error| error.log.clone()).expect("a log");
//! let again = std::panic::catch_unwind(|| mazurka::replay(&log, racy));
//! assert!(again.is_err()); // the same error
//! ```
//!
//! # What a program may do
//!
//! A process must depend on nothing but its inputs: the messages it has received, timeouts that
//! fired, the results of [`choose`], and the answers to operations on names, tables, counters and
//! other processes. Mazurka runs its code once for every such history. To return to an earlier one, it
//! runs the process again, alone and from its start, and compares. So a process must not use the
//! following; where they change what it does, hidden nondeterminism is reported:
//!
//! * the system's time, random numbers, the order of a `HashMap` (use a `BTreeMap`; [`Pid`]s
//!   have an order), addresses;
//! * variables shared between processes or kept outside them: an `Arc<Mutex<_>>` in a message
//!   or a closure, a `static`, a thread-local. Send a message instead, or use a [`Table`] or
//!   [`Counter`]. A shared variable that does not change what any process *does*, such as a counter
//!   that no process reads, is not reported. Mazurka cannot detect a process that reads a value
//!   written by another one and happens to read the same value when it is run again;
//! * files, sockets and threads.
//!
//! A panic ends its process. If a destructor panics while another panic unwinds, Rust aborts the whole
//! program; before that, the check prints its report, with both panics as a crash. The report does not
//! contain the actions of the process in that step.
//!
//! A process may await only the futures of this crate, one at a time. If it awaits anything else, the
//! check ends and reports it.
//!
//! # Settings
//!
//! [`Check`] has a method for each setting, and an environment variable sets it for one run:
//! `MAZURKA_DELIVERY=mailbox cargo test`. With `MAZURKA_FORMAT=json` the report of a check is
//! JSON.

extern crate self as mazurka;

mod check;
mod checked;
mod choice;
mod constraint;
mod doomed;
mod failure;
mod frontend;
mod host;
mod identity;
mod live;
mod message;
mod output;
mod pid;
mod process;
mod pulse;
mod receive;
mod replay;
mod runner;
mod settings;
mod shared;
mod shown;
mod stage;
mod start;
mod supervise;
mod ties;
mod time;
mod trouble;
mod waiting;

pub use check::{Check, check};
pub use checked::{Checked, Finding};
pub use choice::choose;
pub use failure::Failure;
pub use frontend::Program;
pub use identity::interchangeable;
pub use mazurka_engine::{
    Delivery, Kind, Place, Sampler, Strategy, Timeouts, Valuation, Valuations,
};
pub use mazurka_lab::{Algorithm, Order};
pub use mazurka_macros::{receive, test};
pub use mazurka_report::Verdict;
pub use message::{Down, Exit, Key, Message, Monitor, Reason, Value};
pub use pid::Pid;
pub use process::{
    daemon, distance, exit, hand_over, me, send, signal, spawn, spawn_link, spawn_monitor,
    trap_exit,
};
pub use receive::{receive, receive_when, receive_within};
pub use replay::replay;
pub use shared::{Counter, Table};
pub use start::{Body, Call, Ending, Named, call, named};
pub use ties::{
    NameRefused, demonitor, ended, is_alive, link, monitor, register, unlink, unregister, whereis,
};
pub use time::sleep;

use mazurka_engine::{Answer, Operation};

/// What most programs use: `use mazurka::prelude::*;`
pub mod prelude {
    pub use crate::{
        Delivery, Down, Exit, Kind, Monitor, Pid, Reason, Timeouts, call, choose, daemon,
        demonitor, ended, exit, hand_over, is_alive, link, me, monitor, named, receive,
        receive_when, receive_within, register, send, signal, sleep, spawn, spawn_link,
        spawn_monitor, trap_exit, unlink, unregister, whereis,
    };
}

/// What the macros expand to; not to be used directly.
#[doc(hidden)]
pub mod private {
    pub use crate::message::Incoming;
    pub use crate::receive::macros::{no_clause, receive_guarded, receive_pure};
    pub use crate::stage::{print, printing};
}
