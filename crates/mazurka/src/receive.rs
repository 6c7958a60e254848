//! Receiving: by type, by a condition, or with the patterns of [`receive!`](crate::receive!).

use crate::constraint::{Constraint, Text};
use crate::message::{Incoming, Message};
use crate::stage::{Demand, Given};
use crate::time::milliseconds;
use crate::waiting::{wait, wait_asked};
use std::any::type_name;
use std::panic::Location;
use std::time::Duration;

/// Waits for a message of type `T`; other messages stay in the mailbox.
///
/// ```
/// # mazurka::check(|| async {
/// mazurka::send(mazurka::me(), "a text");
/// mazurka::send(mazurka::me(), 7_u32);
/// assert_eq!(mazurka::receive::<u32>().await, 7);
/// assert_eq!(mazurka::receive::<&str>().await, "a text");
/// # });
/// ```
pub async fn receive<T: Message>() -> T {
    let given = wait("receive", || of_type::<T>(None)).await;
    message(given).expect("it waits without a timeout")
}

/// Waits for a message of type `T`, but no longer than this. Returns `None` after a timeout.
pub async fn receive_within<T: Message>(time: Duration) -> Option<T> {
    let timeout_ms = Some(milliseconds(time));
    message(wait("receive_within", || of_type::<T>(timeout_ms)).await)
}

/// Waits for a message of type `T` that satisfies a condition; other messages stay in the
/// mailbox.
///
/// ```
/// # mazurka::check(|| async {
/// # mazurka::send(mazurka::me(), (1, "one"));
/// # mazurka::send(mazurka::me(), (2, "two"));
/// let wanted = 2;
/// let (_, word) = mazurka::receive_when(|&(id, _): &(i32, &str)| id == wanted).await;
/// assert_eq!(word, "two");
/// # mazurka::receive::<(i32, &str)>().await;
/// # });
/// ```
#[track_caller]
pub fn receive_when<T: Message>(condition: impl Fn(&T) -> bool) -> impl Future<Output = T> {
    let text = Text::When(type_name::<T>(), Location::caller());
    let takes = move |message: &Incoming| message.look().is_some_and(&condition);
    async move {
        let demand = || Demand::Receive {
            constraint: Constraint::asked(text),
            timeout_ms: None,
        };
        let given = wait_asked("receive_when", demand, &takes).await;
        let Given::Message(message) = given else {
            unreachable!("it waits without a timeout")
        };
        // If the condition panics, it must do so here, in the process, which then crashes.
        takes(&message);
        message.get().expect("it satisfies the condition")
    }
}

fn of_type<T: Message>(timeout_ms: Option<u64>) -> Demand {
    let is_of_type = |message: &Incoming| message.look::<T>().is_some();
    Demand::Receive {
        constraint: Constraint::pure(is_of_type, || Text::Type(type_name::<T>())),
        timeout_ms,
    }
}

fn message<T: Message>(given: Given) -> Option<T> {
    match given {
        Given::Message(message) => message.get(),
        _ => None,
    }
}

/// What [`receive!`](crate::receive!) expands to.
#[doc(hidden)]
pub mod macros {
    use super::{Constraint, Demand, Given, Incoming, Text, milliseconds, wait, wait_asked};
    use std::time::Duration;

    /// A receive whose patterns have no guards, and so depend on the message only.
    pub async fn receive_pure<F, T>(takes: F, text: T, within: Option<Duration>) -> Option<Incoming>
    where
        F: Fn(&Incoming) -> bool + Copy + 'static,
        T: Fn() -> &'static str + Copy + 'static,
    {
        let demand = || Demand::Receive {
            constraint: Constraint::pure(takes, move || Text::Source(text())),
            timeout_ms: within.map(milliseconds),
        };
        message(wait("receive!", demand).await)
    }

    /// A receive with guards.
    pub async fn receive_guarded<F, T>(
        takes: F,
        text: T,
        within: Option<Duration>,
    ) -> Option<Incoming>
    where
        F: Fn(&Incoming) -> bool,
        T: Fn() -> &'static str,
    {
        let demand = || Demand::Receive {
            constraint: Constraint::asked(Text::Source(text())),
            timeout_ms: within.map(milliseconds),
        };
        message(wait_asked("receive!", demand, takes).await)
    }

    /// Panics because no pattern matches a message that matched when the process was asked.
    #[cold]
    pub fn no_clause() -> ! {
        panic!("the guards of a receive! give different answers to the same message")
    }

    fn message(given: Given) -> Option<Incoming> {
        match given {
            Given::Message(message) => Some(message),
            _ => None,
        }
    }
}
