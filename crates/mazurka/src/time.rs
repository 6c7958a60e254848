//! Logical time: nothing here reads a clock.

use crate::constraint::Constraint;
use crate::stage::Demand;
use crate::waiting::wait;
use std::time::Duration;

/// Waits for this time to pass, while other processes continue.
///
/// No real time passes. By default a sleep may end at any moment, before or after anything
/// that other processes do meanwhile; with
/// [`Timeouts::WhenQuiet`](crate::Timeouts::WhenQuiet) sleeps and other timeouts end in the
/// order of their deadlines, when nothing else can happen, and equal deadlines in any order.
pub async fn sleep(time: Duration) {
    let timeout_ms = Some(milliseconds(time));
    let demand = || Demand::Receive {
        constraint: Constraint::NOTHING,
        timeout_ms,
    };
    wait("sleep", demand).await;
}

/// The time in milliseconds, rounded up, so that only zero becomes 0.
pub(crate) fn milliseconds(time: Duration) -> u64 {
    let nanoseconds = time.as_nanos();
    u64::try_from(nanoseconds.div_ceil(1_000_000)).unwrap_or(u64::MAX)
}
